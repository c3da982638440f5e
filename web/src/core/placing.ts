/** Dealing, turning up and placing: cards that come, and cards that go from one place to another. */

import { over } from "./air";
import type { Beat } from "./beat";
import type { GameEvent, Told } from "./events";
import { flights, type Flight, type Photograph, type Place } from "./flight";
import { lengthOf } from "./pace";
import { sound } from "./sound";
import type { Cue } from "./timeline";

const NEW = (flight: Flight): boolean => !flight.from;

/** Hands fan out: mine card by card, the others' as backs that fly to their seats. */
export function deal(beat: Beat): Cue[] {
  const length = lengthOf(beat.events);
  const run = (): void => {
    const { before, after } = beat.change();
    if (beat.still) return;
    const deck = beat.deck();
    const cards = flights(before, after).filter(NEW);
    const step = Math.min(46, (length - 200) / Math.max(1, cards.length));
    cards.forEach(({ node, to }, index) => {
      const turn = (index - cards.length / 2) * 3;
      beat.carry(node, deck, to, { duration: 220, delay: index * step, arc: 26, turn });
    });
    backs(beat, deck, length);
    for (let index = 0; index < Math.max(4, Math.min(10, cards.length)); index += 1)
      sound.play("deal", { loud: 0.8, kind: index, at: 0.04 + index * step * 0.001 });
  };
  return [{ at: 0, run }];
}

function backs(beat: Beat, deck: Place, length: number): void {
  const seats = beat.events.flatMap((event) =>
    event.type === "Dealt" && event.seat !== beat.stage.me ? [event.seat] : [],
  );
  seats.forEach((seat, index) => {
    const home = beat.home(seat);
    if (!home) return;
    const back = beat.air.picture("back", "0 0 100 140", 40, 56);
    const delay = (index * (length - 260)) / Math.max(1, seats.length);
    const frames = [
      { opacity: 1, transform: over(back, deck) },
      {
        opacity: 1,
        transform: over(back, home, { scale: 0.7, turn: -14 + ((index * 9) % 30) }),
        offset: 0.85,
      },
      { opacity: 0, transform: over(back, home, { scale: 0.4 }) },
    ];
    beat.stage.timeline.animate(back.node, frames, {
      duration: 260,
      delay,
      easing: "cubic-bezier(.3,.1,.4,1)",
    });
  });
}

/** The rows are turned up one by one. */
export function layRows(beat: Beat): Cue[] {
  const run = (): void => {
    const { before, after } = beat.change();
    const cards = flights(before, after).filter(NEW);
    const step = Math.min(90, 280 / Math.max(1, cards.length));
    cards.forEach(({ node, to }, index) => {
      if (!beat.still)
        beat.carry(node, beat.deck(), to, { duration: 150, delay: index * step, arc: 10, press: 0.04 });
      sound.play("knock", { loud: 0.6, at: (150 + index * step) / 1000 });
    });
  };
  return [{ at: 0, run }];
}

/** All cards flip together, then lift into order. */
export function reveal(beat: Beat, event: Told<"Revealed"> | Told<"Reordered">): Cue[] {
  const run = (): void => {
    const backs = beat.root && !beat.still ? ghostsOfBacks(beat, event) : new Map<number, () => void>();
    const { before, after } = beat.change();
    sound.play("flip");
    sound.play("lift", { at: 0.3 });
    if (beat.still) return;
    for (const { card, seat } of event.plays) {
      const found = after.get(String(card));
      if (!found) continue;
      const open = before.get(String(card))?.place;
      const from = open ?? before.get(`back-${seat}`)?.place ?? beat.hand(seat);
      if (from?.width) turnUp(beat, found.node, from, found.place, !open);
    }
    for (const show of backs.values()) show();
  };
  return [{ at: 0, run }];
}

/** What lay face down turns away before the face turns up. It must be drawn before it is gone. */
function ghostsOfBacks(beat: Beat, event: Told<"Revealed"> | Told<"Reordered">): Map<number, () => void> {
  const found = new Map<number, () => void>();
  for (const { seat } of event.plays) {
    const node = beat.find(`[data-card="back-${seat}"]`);
    if (!node) continue;
    const likeness = node.cloneNode(true) as HTMLElement;
    const { left, top, width, height } = node.getBoundingClientRect();
    const place = { x: left + width / 2, y: top + height / 2 };
    found.set(seat, () => {
      const back = beat.air.ghost(likeness);
      Object.assign(back.node.style, { width: `${width}px`, height: `${height}px` });
      const at = over({ width, height }, place);
      const frames = [
        { opacity: 1, transform: `${at} perspective(700px) rotateY(0deg)` },
        { opacity: 1, transform: `${at} perspective(700px) rotateY(88deg) scale(1.1)` },
      ];
      beat.stage.timeline.animate(back.node, frames, { duration: 140, easing: "ease-in" });
    });
  }
  return found;
}

function turnUp(beat: Beat, node: HTMLElement, from: Place, to: Place, hidden: boolean): void {
  const { timeline } = beat.stage;
  const ghost = beat.air.ghost(node);
  const scale = Math.max(0.3, Math.min(2.5, from.width / to.width));
  const there = over(ghost, from, { scale });
  const lifted = over(
    ghost,
    { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - to.height * 0.16 },
    { scale: 1.06 },
  );
  timeline.animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: 560 });
  const frames: Keyframe[] = hidden
    ? [
        { opacity: 0, transform: `${there} perspective(700px) rotateY(-88deg)`, offset: 0 },
        {
          opacity: 1,
          transform: `${there} perspective(700px) rotateY(-88deg)`,
          offset: 0.25,
          easing: "ease-out",
        },
        {
          opacity: 1,
          transform: `${there} perspective(700px) rotateY(0deg)`,
          offset: 0.5,
          easing: "ease-in-out",
        },
      ]
    : [
        { opacity: 1, transform: there, offset: 0 },
        {
          opacity: 1,
          transform: over(ghost, { x: from.x, y: from.y - 8 }, { scale: scale * 1.03 }),
          offset: 0.5,
        },
      ];
  frames.push(
    { opacity: 1, transform: lifted, offset: 0.75 },
    { opacity: 1, transform: over(ghost, to), offset: 1 },
  );
  timeline.animate(ghost.node, frames, { duration: 560 });
}

/** A card walks to its stall, settles with a wooden knock, and rests. */
export function place(beat: Beat, event: Told<"Placed"> | Told<"Moved">): Cue[] {
  const run = (): void => {
    const { before, after } = beat.change();
    beat.stage.remark = { row: event.row, text: beat.says };
    beat.stage.gates = {};
    beat.stage.lit = null;
    sound.play("knock", { at: beat.still ? 0 : 0.2 });
    if (beat.still) return;
    const found = onRow(beat, event.row, event.card) ?? after.get(String(event.card));
    const from = before.get(String(event.card))?.place ?? beat.hand(event.seat);
    if (found && from?.width) {
      beat.carry(found.node, from, found.place, { duration: 215, arc: 18, turn: -3, press: 0.05 });
      puffs(beat, found.place);
    }
    move(beat, before, after, String(event.card), 215);
  };
  return [{ at: 0, run }];
}

/** Where a game has twins, the one that was placed is the one in the row. */
function onRow(beat: Beat, row: number, card: number): { node: HTMLElement; place: Place } | null {
  const selector = `[data-row="${row}"] [data-card="${card}"]`;
  const node = beat.find(selector);
  const where = beat.place(selector);
  return node && where ? { node, place: where } : null;
}

function puffs(beat: Beat, to: Place): void {
  const unit = to.width / 105;
  for (const side of [-1, 1]) {
    const dust = beat.air.picture("dust", "-22 -18 48 34", 40 * unit, 28 * unit);
    const at = (x: number, y: number, scale: number): string =>
      over(dust, { x: to.x + side * (40 * unit + x), y: to.y + to.height / 2 - y }, { scale });
    const frames = [
      { opacity: 1, transform: at(0, 0, 0.25) },
      { opacity: 1, transform: at(9 * unit, 7 * unit, 0.8), offset: 0.4 },
      { opacity: 0, transform: at(16 * unit, 14 * unit, 0.2) },
    ];
    beat.stage.timeline.animate(dust.node, frames, { duration: 320, delay: 205, easing: "ease-out" });
  }
}

/** Whatever else lies elsewhere now goes there: cards slide, markers hop. */
function move(beat: Beat, before: Photograph, after: Photograph, but: string, duration: number): void {
  for (const { card, node, from, to } of flights(before, after)) {
    if (card === but || !from) continue;
    beat.carry(node, from, to, { duration, arc: card.startsWith("marker:") ? 40 : 4 });
  }
}

/** Everything else: what has moved goes there, what is new comes from its owner, what is gone goes to its owner. */
export function follow(beat: Beat, event: GameEvent): Cue[] {
  const length = lengthOf(beat.events);
  const run = (): void => {
    const { before, after } = beat.change();
    voice(event);
    if (beat.still) return;
    const seat = ownerOf(event);
    const home = seat === undefined ? null : beat.home(seat);
    const jumps = event.type === "MarkerMoved";
    for (const { node, from, to } of flights(before, after)) {
      const start = from ?? (seat === undefined ? null : beat.hand(seat));
      if (start?.width)
        beat.carry(node, start, to, {
          duration: length * 0.8,
          arc: jumps ? 60 : 16,
          press: jumps ? 0.08 : 0,
        });
    }
    const gone = [...before].filter(([key]) => !after.has(key) && !key.startsWith("back-"));
    if (home && event.type !== "RowRemoved")
      for (const [, { node, place: from }] of gone)
        beat.takeAway(node, from, home, { duration: length * 0.8 });
    if (seat !== undefined) remark(beat, event, seat, length);
  };
  return [{ at: 0, run }];
}

/** What happens at a seat is said there. */
function remark(beat: Beat, event: GameEvent, seat: number, length: number): void {
  const home = beat.home(seat);
  const said = event.type === "Used" || event.type === "Cancelled" || event.type === "LuckDrawn";
  const scored = event.type === "Scored" && event.change !== 0;
  if (!home || (!said && !scored)) return;
  beat.hop(beat.find(`[data-seat="${seat}"]`));
  const actor = scored
    ? beat.air.sum(`${event.change > 0 ? "+" : "−"}${Math.abs(event.change)}`, 40)
    : beat.air.flag(beat.says);
  beat.float(actor, { x: home.x, y: home.y + home.height * 0.4 }, length, 16);
}

function voice(event: GameEvent): void {
  if (event.type === "MarkerMoved" && event.marker === "cow") sound.play("moo", { loud: 0.4 });
  else if (event.type === "Scored") sound.play("count", { kind: Math.max(0, event.change) });
  else if (event.type === "Used" || event.type === "SpecialsShown") sound.play("flip", { loud: 0.8 });
  else if (event.type === "Drafted" || event.type === "Laid") sound.play("deal");
  else sound.play("lift", { loud: 0.6 });
}

function ownerOf(event: GameEvent): number | undefined {
  return "seat" in event ? event.seat : undefined;
}
