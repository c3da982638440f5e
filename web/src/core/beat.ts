/** A beat: something that is about to be shown, and the ways to find and move what it is about. */

import { flushSync } from "svelte";
import { Air, over, type Actor } from "./air";
import type { GameEvent } from "./events";
import { photograph, placeOf, type Photograph, type Place } from "./flight";
import type { Stage } from "./stage.svelte";

const AIRS = new WeakMap<Stage, Air>();
/** Without a deck on the table, cards come from its middle. */
const DECK = { width: 60, height: 84 };

export interface Wish {
  duration: number;
  delay?: number;
  easing?: string;
  /** How high it is lifted on the way, in pixels, and how far it turns. */
  arc?: number;
  turn?: number;
  /** How heavily it lands, as a part of its size. */
  press?: number;
}

const WALK = "cubic-bezier(.3,.1,.2,1)";
const LANDS_FOR = 130;

export class Beat {
  constructor(
    readonly stage: Stage,
    readonly events: readonly GameEvent[],
    /** Whether nothing shall fly. */
    readonly still: boolean,
    /** What the log says of it. */
    readonly says: string,
    /** Change the position as the events say. */
    readonly commit: () => void,
  ) {}

  get root(): HTMLElement | null {
    return this.stage.root;
  }

  get air(): Air {
    const found = AIRS.get(this.stage) ?? new Air(this.stage.timeline);
    AIRS.set(this.stage, found);
    return found;
  }

  find(selector: string): HTMLElement | null {
    return this.root?.querySelector<HTMLElement>(selector) ?? null;
  }

  place(selector: string): Place | null {
    const node = this.find(selector);
    return node && placeOf(node);
  }

  /** Where a seat keeps what it takes: a team has one place for all. */
  home(seat: number): Place | null {
    const team = this.stage.position?.["furniture"] as { scoring?: { charges?: string } } | undefined;
    const shared = seat >= 0 && team?.scoring?.charges === "team" ? this.place("[data-team]") : null;
    return shared ?? this.place(`[data-seat="${seat}"]`);
  }

  /** Where a card comes from that a seat has held unseen: as small as it would look there. */
  hand(seat: number): Place | null {
    const home = this.home(seat);
    return home && { x: home.x, y: home.y, width: DECK.width * 0.6, height: DECK.height * 0.6 };
  }

  /** The middle of the rows, where a deck would lie. */
  deck(): Place {
    const rows = [...(this.root?.querySelectorAll("[data-row]") ?? [])].map(placeOf);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first && last) return { x: first.x, y: (first.y + last.y) / 2, ...DECK };
    const all = this.root ? placeOf(this.root) : { x: innerWidth / 2, y: innerHeight / 2 };
    return { x: all.x, y: all.y, ...DECK };
  }

  /** Change the position and return where things lay before and lie now; what was held in the air is let go. */
  change(): { before: Photograph; after: Photograph } {
    // What was only foreseen lies where it was again.
    flushSync();
    const before = this.root ? photograph(this.root) : new Map();
    flushSync(this.commit);
    this.stage.timeline.drop();
    return { before, after: this.root ? photograph(this.root) : new Map() };
  }

  /** Carry something that lies on the table now from where it was; it is seen in the air until it has landed. */
  carry(node: HTMLElement, from: Place, to: Place, wish: Wish): void {
    const { duration, delay = 0, easing = WALK, press = 0 } = wish;
    const { timeline } = this.stage;
    const ghost = this.air.ghost(node);
    const whole = duration + (press ? LANDS_FOR : 0);
    timeline.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: whole, delay });
    timeline.animate(ghost.node, way(ghost, from, to, wish), { duration, delay, easing });
    if (!press) return;
    const down = (scale: number): Keyframe => ({ opacity: 1, transform: over(ghost, to, { scale }) });
    timeline.animate(ghost.node, [down(1 + press), { ...down(1 - press * 0.55), offset: 0.4 }, down(1)], {
      duration: LANDS_FOR,
      delay: delay + duration,
      easing: "ease-out",
    });
  }

  /** Let something that has left the table be seen on its way to a place. */
  takeAway(node: HTMLElement, from: Place, to: Place, { duration, delay = 0 }: Wish): void {
    const ghost = this.air.ghost(node);
    Object.assign(ghost.node.style, { width: `${from.width}px`, height: `${from.height}px` });
    const actor = { ...ghost, width: from.width, height: from.height };
    const frames = [
      { opacity: 1, transform: over(actor, from) },
      { opacity: 1, transform: over(actor, to, { scale: 0.35 }), offset: 0.85 },
      { opacity: 0, transform: over(actor, to, { scale: 0.2 }) },
    ];
    this.stage.timeline.animate(ghost.node, frames, { duration, delay, easing: "ease-in" });
  }

  /** Let something hop where it stands. */
  hop(node: Element | null, strength = 1): void {
    if (!node || this.still) return;
    const frames = [
      { transform: "none" },
      { transform: `translateY(${-6 * strength}px) scale(${1 + 0.03 * strength})` },
      { transform: "none" },
    ];
    this.stage.timeline.animate(node, frames, { duration: 180, easing: "ease-out" });
  }

  /** Show a few words, or a sum, over a place for a while. */
  float(actor: Actor, at: Pick<Place, "x" | "y">, duration: number, rises = 40): void {
    const x = Math.max(actor.width / 2 + 4, Math.min(innerWidth - actor.width / 2 - 4, at.x));
    const y = Math.max(actor.height / 2 + 4, Math.min(innerHeight - actor.height / 2 - 4, at.y));
    const flat = this.still;
    const frame = (opacity: number, up: number, scale: number, offset?: number): Keyframe => ({
      opacity,
      transform: over(actor, { x, y: flat ? y : y - up }, { scale: flat ? 1 : scale }),
      ...(offset === undefined ? {} : { offset }),
    });
    const show = Math.min(0.3, 160 / duration);
    const frames = [frame(0, -12, 0.4), frame(1, 0, 1.12, show), frame(1, 3, 1, 0.85), frame(0, rises, 0.96)];
    this.stage.timeline.animate(actor.node, frames, { duration });
  }
}

/** The frames of an actor on its way: up, over, and down. */
function way(actor: Actor, from: Place, to: Place, { arc = 16, turn = 0 }: Wish): Keyframe[] {
  const STEPS = 6;
  const start = Math.max(0.2, Math.min(2.5, from.width / to.width));
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const time = step / STEPS;
    const high = Math.sin(time * Math.PI);
    const at = { x: from.x + (to.x - from.x) * time, y: from.y + (to.y - from.y) * time - arc * high };
    const scale = (start + (1 - start) * time) * (1 + 0.07 * high);
    return { opacity: 1, transform: over(actor, at, { scale, turn: turn * high }) };
  });
}
