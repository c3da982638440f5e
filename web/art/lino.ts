/** The linocut: an ink mass, tapered gouges cut out of it, wedges for shade. Everything we draw is made of these.
 *
 * The drawings are made when the client is built, and ship as one sheet of symbols (`sheet.ts`). Colours are only ever
 * variables of `src/app.css`; nothing carries a style of its own, which the Content-Security-Policy would not allow.
 */

/** One decimal is enough for a knife. */
export const r = (n: number): number => Math.round(n * 10) / 10;

/** A gouge: a lens along a quadratic curve, thick in the middle. */
export function gouge(
  x1: number,
  y1: number,
  cx: number,
  cy: number,
  x2: number,
  y2: number,
  width = 2,
): string {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = Math.hypot(dx, dy) || 1;
  const a = (-dy / length) * width;
  const b = (dx / length) * width;
  return `M${r(x1)} ${r(y1)}Q${r(cx + a)} ${r(cy + b)} ${r(x2)} ${r(y2)}Q${r(cx - a)} ${r(cy - b)} ${r(x1)} ${r(y1)}z`;
}

/** A straight gouge. */
export const straight = (x1: number, y1: number, x2: number, y2: number, width = 2): string =>
  gouge(x1, y1, (x1 + x2) / 2, (y1 + y2) / 2, x2, y2, width);

/** A full circle. */
export const disc = (x: number, y: number, q: number): string =>
  `M${r(x - q)} ${y}a${q} ${q} 0 1 0 ${r(2 * q)} 0a${q} ${q} 0 1 0 ${r(-2 * q)} 0z`;

/** Two circles, one the mirror of the other. */
export const eyes = (x: number, y: number, q: number): string => disc(x, y, q) + disc(100 - x, y, q);

const mirrored = (d: string): string => {
  let index = 0;
  return d.replace(/-?\d*\.?\d+/g, (n) => (index++ % 2 ? n : String(r(100 - Number(n)))));
};

/** A path (M, L, C, Q only) and its mirror at x = 50, kept apart by a mark that `two` reads. */
export const both = (d: string): string => `${d}~${mirrored(d.replace(/z/g, "Z"))}~`;

/** The mirrored halves turn the other way round: they need a path of their own, or overlaps become holes. */
function two(d: string, fill: string): string {
  const parts = d.split("~");
  const left = parts.filter((_, index) => index % 2 === 0).join("");
  const right = parts.filter((_, index) => index % 2 === 1).join("");
  return path(left, fill) + (right ? path(right, fill) : "");
}

/** The ink mass of an animal or a sign. */
export const ink = (d: string): string => two(d, "currentColor");
/** What is cut out of it. */
export const cut = (d: string): string => two(d, "var(--cut)");

/** A filled path, with further attributes. */
export const path = (d: string, fill: string, more = ""): string =>
  `<path d="${d}" fill="${fill}"${more ? ` ${more}` : ""}/>`;

export const OUTLINE = 'stroke="var(--outline)" stroke-width="3" stroke-linejoin="round"';

let seed = 7;
/** Begin the same chance again, so that every build draws the same lines. */
export function seedWith(n: number): void {
  seed = n;
}
export const chance = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
const jitter = (n: number, amount: number): number => r(n + (chance() - 0.5) * 2 * amount);

/** The outline of a hand-cut board. */
export function plank(x: number, y: number, w: number, h: number, amount = 1.2): string {
  seedWith(Math.abs(Math.round(x * 31 + y * 17 + w)) + 3);
  const n = Math.max(2, Math.round(w / 70));
  let d = `M${jitter(x, amount)} ${jitter(y, amount)}`;
  for (let i = 1; i <= n; i++) d += `L${jitter(x + (w * i) / n, amount)} ${jitter(y, amount)}`;
  d += `L${jitter(x + w, amount)} ${jitter(y + h, amount)}`;
  for (let i = n - 1; i >= 0; i--) d += `L${jitter(x + (w * i) / n, amount)} ${jitter(y + h, amount)}`;
  return `${d}z`;
}

/** A plank with an ink outline and grain. */
export function wood(
  x: number,
  y: number,
  w: number,
  h: number,
  fill = "var(--wood)",
  grain = "var(--wood-cut)",
): string {
  const along =
    w > h
      ? gouge(x + w * 0.06, y + h * 0.36, x + w * 0.3, y + h * 0.2, x + w * 0.5, y + h * 0.4, h * 0.13) +
        gouge(x + w * 0.45, y + h * 0.7, x + w * 0.7, y + h * 0.56, x + w * 0.94, y + h * 0.7, h * 0.12)
      : gouge(x + w * 0.36, y + h * 0.08, x + w * 0.26, y + h * 0.3, x + w * 0.4, y + h * 0.5, w * 0.12) +
        gouge(x + w * 0.66, y + h * 0.46, x + w * 0.6, y + h * 0.7, x + w * 0.66, y + h * 0.94, w * 0.12);
  const edge = 'stroke="var(--outline)" stroke-width="2.4" stroke-linejoin="round"';
  return path(plank(x, y, w, h), fill, edge) + path(along, grain);
}

/** A column of ink wedges, thick at the edge, running out into the light. */
export function hatch(
  x: number,
  y: number,
  h: number,
  length: number,
  step = 9,
  start = 1,
  thick = 1.5,
  slope = 0,
): string {
  seedWith(start * 131 + 17);
  let d = "";
  for (let v = y; v < y + h; v += step) {
    const l = length * (0.45 + chance() * 0.75);
    d += `M${r(x)} ${r(v - thick)}L${r(x + l)} ${r(v + slope)}L${r(x)} ${r(v + thick)}z`;
  }
  return d;
}

/** An arrow: a gouge for a shaft and a barbed head, with a paper edge where it lies over something. */
export function arrow(
  x1: number,
  y1: number,
  cx: number,
  cy: number,
  x2: number,
  y2: number,
  w = 3.4,
  fill = "var(--k)",
  edge = "var(--cutp)",
): string {
  const angle = Math.atan2(y2 - cy, x2 - cx);
  const point = (turn: number, l: number) =>
    `${r(x2 + l * Math.cos(angle + turn))} ${r(y2 + l * Math.sin(angle + turn))}`;
  const z = w * 3.6;
  const bx = x2 - Math.cos(angle) * z * 0.7;
  const by = y2 - Math.sin(angle) * z * 0.7;
  const length = Math.hypot(by - cy, bx - cx) || 1;
  const ux = (-(by - cy) / length) * w * 0.62;
  const uy = ((bx - cx) / length) * w * 0.62;
  const shaft = `M${x1} ${y1}Q${r(cx + ux * 1.3)} ${r(cy + uy * 1.3)} ${r(bx + ux)} ${r(by + uy)}L${r(bx - ux)} ${r(by - uy)}Q${r(cx - ux * 1.3)} ${r(cy - uy * 1.3)} ${x1} ${y1}z`;
  const head = `M${point(0, z * 0.28)}L${point(2.45, z)}L${point(Math.PI, z * 0.5)}L${point(-2.45, z)}z`;
  const under = `stroke="${edge}" stroke-width="4.5" stroke-linejoin="round"`;
  return path(shaft + head, edge, under) + path(shaft + head, fill);
}

/** A number in the display letters, with a paper edge where it lies over something. */
export function digits(
  text: string,
  x: number,
  y: number,
  size: number,
  fill = "var(--k)",
  edge = "",
  width = 6,
): string {
  const around = edge ? ` stroke="${edge}" stroke-width="${width}" paint-order="stroke"` : "";
  return `<text class="display" x="${x}" y="${y}" font-size="${size}" text-anchor="middle" fill="${fill}"${around}>${text}</text>`;
}

/** Another symbol of the sheet; `inks` names the class that gives it its colours. */
export const use = (id: string, x: number, y: number, w: number, h: number, inks = "on-paper"): string =>
  `<use class="${inks}" href="#${id}" x="${r(x)}" y="${r(y)}" width="${r(w)}" height="${r(h)}"/>`;

/** One picture of the sheet. */
export interface Symbol {
  id: string;
  box: string;
  body: string;
  /** Let it fill whatever box it is given. */
  stretch?: boolean;
}

/** Write a symbol down. */
export const written = ({ id, box, body, stretch }: Symbol): string =>
  `<symbol id="${id}" viewBox="${box}"${stretch ? ' preserveAspectRatio="none"' : ""}>${body}</symbol>`;
