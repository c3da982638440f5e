/** The air above the table: actors that fly there for a scene, drawn from the sheet of pictures. */

import "../flights.css";
import { placeOf, type Place } from "./flight";
import type { Timeline } from "./timeline";

const SVG = "http://www.w3.org/2000/svg";

/** Something in the air: its node and its size. */
export interface Actor {
  node: HTMLElement;
  width: number;
  height: number;
}

/** The running animal of a card with so many bullheads; the oldest bull has seven. */
const HERD: readonly [number, string][] = [[1, "calf"], [2, "cow"], [3, "ox"], [5, "bull"], [7, "old"]]; // prettier-ignore

export class Air {
  #layer: HTMLElement | null = null;

  constructor(private readonly timeline: Timeline) {}

  /** A likeness of something that lies on the table, in its place. */
  ghost(node: HTMLElement): Actor {
    const { width, height } = placeOf(node);
    const ghost = node.cloneNode(true) as HTMLElement;
    const frame = document.createElement("div");
    frame.className = "ghost";
    for (const attribute of ["data-card", "data-token", "id", "aria-label", "role"])
      ghost.removeAttribute(attribute);
    ghost.inert = true;
    frame.append(ghost);
    return this.#put(frame, width, height);
  }

  /** An animal that can gallop, in two poses. */
  animal(heads: number, width: number): Actor & { poses: SVGSVGElement[]; body: HTMLElement } {
    const kind = HERD.findLast(([count]) => count <= Math.max(1, heads))![1];
    const height = (width * 116) / 180;
    const node = document.createElement("div");
    node.className = "animal";
    const body = document.createElement("div");
    Object.assign(body.style, { width: `${width}px`, height: `${height}px` });
    const poses = ["stretched", "gathered"].map((pose) => {
      const picture = draw("-8 -8 180 116", [`run-${kind}`, "halo"], [`run-${kind}`]);
      picture.classList.add(pose);
      body.append(picture);
      return picture;
    });
    node.append(body);
    return { ...this.#put(node, width, height), poses, body };
  }

  picture(symbol: string, box: string, width: number, height: number): Actor {
    const node = document.createElement("div");
    node.append(draw(box, [symbol]));
    return this.#put(node, width, height);
  }

  /** The flash behind a gate that breaks. */
  burst(width: number): Actor {
    const node = document.createElement("div");
    node.className = "burst";
    const picture = draw("-180 -160 360 320");
    for (const [inner, outer, fill] of [
      [84, 146, "var(--gate, #b93a22)"],
      [70, 106, "currentColor"],
    ] as const)
      // prettier-ignore
      picture.append(star(inner, outer, fill));
    node.append(picture);
    const actor = this.#put(node, width, (width * 320) / 360);
    // The card that waits at the gate is seen before it.
    this.#sky().prepend(node);
    return actor;
  }

  /** What a take costs, in large figures. */
  sum(text: string, size: number): Actor {
    const node = document.createElement("div");
    node.className = "sum";
    node.textContent = text;
    node.style.fontSize = `${size}px`;
    return this.#put(node, size * 3, size * 1.2);
  }

  /** A few words where they belong. */
  flag(text: string): Actor {
    const node = document.createElement("div");
    node.className = "flag";
    node.textContent = text;
    const actor = this.#put(node, 0, 0);
    node.style.width = node.style.height = "";
    return { ...actor, width: node.offsetWidth, height: node.offsetHeight };
  }

  #put(node: HTMLElement, width: number, height: number): Actor {
    Object.assign(node.style, { width: `${width}px`, height: `${height}px` });
    this.#sky().append(node);
    this.timeline.afterwards(() => node.remove());
    return { node, width, height };
  }

  #sky(): HTMLElement {
    if (!this.#layer?.isConnected) {
      this.#layer = document.createElement("div");
      this.#layer.className = "air";
      this.#layer.ariaHidden = "true";
      document.body.append(this.#layer);
    }
    return this.#layer;
  }

  /** Leave the page as it was. */
  clear(): void {
    this.#layer?.remove();
    this.#layer = null;
  }
}

function draw(box: string, ...symbols: string[][]): SVGSVGElement {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", box);
  const [x, y, width, height] = box.split(" ");
  for (const [symbol, style] of symbols) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${symbol}`);
    for (const [name, value] of Object.entries({ x, y, width, height })) use.setAttribute(name, value!);
    if (style) use.setAttribute("class", style);
    picture.append(use);
  }
  return picture;
}

function star(inner: number, outer: number, fill: string): SVGPathElement {
  const points = Array.from({ length: 34 }, (_, index) => {
    const angle = (index * Math.PI) / 17;
    const reach =
      index % 2 ? inner * (1 + 0.12 * Math.sin(index * 5)) : outer * (1 + 0.18 * Math.sin(index * 7));
    return `${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle) * 0.86).toFixed(1)}`;
  });
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `M${points.join("L")}Z`);
  path.setAttribute("fill", fill);
  path.setAttribute("stroke", "var(--k, #1b1713)");
  path.setAttribute("stroke-width", "4");
  return path;
}

/** The frame that shows an actor with its middle at a point. */
export function over(
  actor: Pick<Actor, "width" | "height">,
  at: Pick<Place, "x" | "y">,
  { scale = 1, turn = 0, mirror = 1 }: { scale?: number; turn?: number; mirror?: number } = {},
): string {
  const x = (at.x - actor.width / 2).toFixed(1);
  const y = (at.y - actor.height / 2).toFixed(1);
  return `translate(${x}px,${y}px) rotate(${turn.toFixed(1)}deg) scale(${(mirror * scale).toFixed(3)},${scale.toFixed(3)})`;
}
