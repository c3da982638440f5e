/** Taking a row: the card lands on the gate, a beat of silence, the gate breaks, and the herd runs to the taker. */

import { over, type Actor } from "./air";
import type { Beat } from "./beat";
import type { Told } from "./events";
import { photograph, placeOf, type Place } from "./flight";
import { headsOn } from "./furniture";
import { buzz } from "./notices";
import { BEFORE, bringsBull, gait, gradeOf, lengthOf, type Grade } from "./pace";
import { strides } from "./run";
import { sound } from "./sound";
import type { Cue } from "./timeline";

const LANDS = 220;
const BREAKS = 470;

interface Animal {
  card: number;
  heads: number;
  seat: number;
  stall: Place;
  ghost: Actor | null;
  beast: (Actor & { poses: SVGSVGElement[]; body: HTMLElement }) | null;
}

/** Everything a take needs, looked up and drawn in the beat of silence, when nothing moves. */
interface Herd {
  animals: Animal[];
  gate: Place;
  unit: number;
  grade: Grade;
  gentle: boolean;
}

type Take = Told<"Took"> | Told<"Shared">;

export function take(beat: Beat, event: Take): Cue[] {
  const seats = event.type === "Took" ? [event.seat] : event.seats;
  const gentle = event.why !== "full" || !beat.find(`[data-gate="${event.row}"]`);
  const { run, step } = gait(event.bullheads);
  let herd: Herd | null = null;
  const cues: Cue[] = [
    { at: 0, run: () => arrive(beat, event, seats, gentle) },
    { at: LANDS - 10, run: () => hit(beat, event.row, gentle) },
    { at: LANDS + 40, run: () => (herd = gather(beat, event, seats, gentle)) },
    { at: BREAKS, run: () => herd && breakOut(beat, event, herd) },
    { at: BEFORE, run: () => herd && runOff(beat, event, seats, herd) },
  ];
  // Where nothing flies the figures keep the time; else they change when the animal is there.
  const arrivals = beat.still ? tally(beat, event, seats) : [];
  arrivals.forEach((arrival, index) =>
    cues.push({ at: BEFORE + run / 2 + step * index, run: () => herd && come(beat, arrival, index, herd) }),
  );
  cues.push({ at: lengthOf(beat.events), run: () => (beat.stage.owed = {}) });
  if (bringsBull(event.bullheads))
    cues.push({ at: BREAKS + 120, run: () => herd && cross(beat, event, seats, herd) });
  return cues;
}

/** By the order in which cards arrive: whose they are, and what has come with them so far. */
interface Arrival {
  seat: number;
  sum: number;
  left: Record<number, number>;
}

/** The nearest to the gate runs first; two who share a row take it in turns, and what is charged arrives with the last. */
function tally(beat: Beat, event: Take, seats: readonly number[]): Arrival[] {
  const cards = [...event.cards].reverse();
  const charged = event.type === "Took" ? event.bullheads : event.charged;
  const printed = printedOf(beat);
  const left: Record<number, number> = {};
  for (const seat of owing(beat, seats)) left[seat] = charged;
  let ran = 0;
  const all = cards.reduce((sum, card) => sum + headsOn(card, printed), 0);
  return cards.map((card, index) => {
    ran += headsOn(card, printed);
    const sum = index === cards.length - 1 ? charged : all ? Math.round((charged * ran) / all) : 0;
    const now = Object.fromEntries(Object.keys(left).map((seat) => [seat, charged - sum]));
    return { seat: seats[index % seats.length]!, sum, left: now };
  });
}

/** Whose points will grow; a team shares them. */
function owing(beat: Beat, seats: readonly number[]): number[] {
  const { position } = beat.stage;
  const furniture = position?.["furniture"] as { scoring?: { charges?: string } } | undefined;
  const charges = furniture?.scoring?.charges ?? (position?.board ? "nobody" : "taker");
  if (charges === "nobody") return [];
  const ours = charges === "team" && seats.every((seat) => seat >= 0);
  return ours ? (position?.points ?? []).map((_, seat) => seat) : [...seats];
}

const printedOf = (beat: Beat): readonly number[] | undefined => {
  const { position } = beat.stage;
  return (position?.["printed"] as readonly number[] | undefined) ?? position?.oxen;
};

/** The card that causes it comes to the gate; a low card first lets everybody look at its owner. */
function arrive(beat: Beat, event: Take, seats: readonly number[], gentle: boolean): void {
  const { stage } = beat;
  stage.remark = { row: event.row, text: beat.says };
  if (gentle) {
    stage.lit = seats[0] ?? null;
    sound.play("turn", { loud: 0.3 });
  }
  const played = stage.position?.table.find((one) => seats.includes(one.seat));
  const node =
    played &&
    (beat.find(`[data-lane] [data-card="${played.card}"]`) ?? beat.find(`[data-card="${played.card}"]`));
  const gate = gatePlace(beat, event.row);
  if (!node || !gate || beat.still) return;
  const from = placeOf(node);
  const to = { ...gate, y: gentle ? gate.y - gate.height * 0.1 : gate.y };
  const ghost = beat.air.ghost(node);
  const scale = to.width / from.width;
  const frame = (time: number, high: number, turn: number): Keyframe => ({
    opacity: 1,
    offset: time,
    transform: over(
      ghost,
      { x: from.x + (to.x - from.x) * time, y: from.y + (to.y - from.y) * time - high },
      { scale: 1 + (scale - 1) * time, turn },
    ),
  });
  const rise = 34 * (gate.width / 105);
  stage.timeline.animate(ghost.node, [frame(0, 0, 0), frame(0.5, rise, -7), frame(1, 0, gentle ? 2 : 0)], {
    duration: LANDS,
    easing: "cubic-bezier(.35,0,.7,.5)",
    hold: true,
  });
  // What lies in the lane goes along unseen, so that the next beat finds it at the gate.
  const there = `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(${scale.toFixed(3)})`;
  stage.timeline.animate(
    node,
    [
      { opacity: 0, transform: there },
      { opacity: 0, transform: there },
    ],
    {
      duration: 1,
      hold: true,
    },
  );
}

/** Where a card stands that has come to the gate, as large as the cards in the stalls. */
function gatePlace(beat: Beat, row: number): Place | null {
  const gate = beat.place(`[data-gate="${row}"]`) ?? lastOf(beat, row);
  const card = beat.place(`[data-row="${row}"] [data-card]`) ?? beat.place("[data-row] [data-card]");
  return gate && { x: gate.x, y: gate.y, width: card?.width ?? 60, height: card?.height ?? 84 };
}

/** A board has no gates: there a tile waits beside the row's last space. */
function lastOf(beat: Beat, row: number): Place | null {
  const nodes = beat.root?.querySelectorAll(`[data-row="${row}"] [data-card]`);
  const last = nodes?.item(nodes.length - 1);
  return last ? placeOf(last) : beat.place(`[data-row="${row}"]`);
}

function hit(beat: Beat, row: number, gentle: boolean): void {
  sound.play("knock", { loud: gentle ? 0.7 : 1.25 });
  const gate = beat.find(`[data-gate="${row}"]`);
  if (gentle) {
    beat.stage.gates = { ...beat.stage.gates, [row]: "open" };
    sound.play("lift");
    return;
  }
  beat.stage.gates = { ...beat.stage.gates, [row]: "hit" };
  if (!gate || beat.still) return;
  const frames = ["none", "rotate(3deg) scaleY(.97)", "rotate(-2.4deg)", "rotate(1deg)", "none"];
  beat.stage.timeline.animate(gate, frames.map((transform) => ({ transform })), { duration: 200 }); // prettier-ignore
}

/** Draw the herd while nothing moves: an animal for every card, ready to go. */
function gather(beat: Beat, event: Take, seats: readonly number[], gentle: boolean): Herd {
  const row = beat.find(`[data-row="${event.row}"]`) ?? beat.root;
  const lying = row ? photograph(row) : new Map();
  const gate = gatePlace(beat, event.row) ?? beat.deck();
  const unit = gate.width / 105;
  const printed = printedOf(beat);
  const animals = [...event.cards].reverse().flatMap((card, index): Animal[] => {
    const found = lying.get(String(card));
    if (!found) return [];
    const heads = headsOn(card, printed);
    const size = [0, 0.8, 0.9, 1, 1.06, 1.12, 1.2, 1.34][Math.min(7, heads)] ?? 1;
    const ghost = beat.still ? null : beat.air.ghost(found.node);
    const beast = beat.still ? null : beat.air.animal(heads, 176 * unit * size);
    return [{ card, heads, seat: seats[index % seats.length]!, stall: found.place, ghost, beast }];
  });
  return { animals, gate, unit, grade: gradeOf(event.bullheads), gentle };
}

/** The gate breaks: planks and a flash, and everything shakes a little. */
function breakOut(beat: Beat, event: Take, { gate, unit, grade, gentle }: Herd): void {
  const { stage, air } = beat;
  if (gentle) return;
  stage.gates = { ...stage.gates, [event.row]: "broken" };
  sound.play("gate", { kind: grade, loud: [0, 0.6, 0.85, 1.1][grade]! });
  if (beat.still) return;
  const burst = air.burst(300 * unit);
  const size = [0, 0.62, 0.85, 1.12][grade]!;
  const flash = (scale: number, turn: number, opacity = 1, offset?: number): Keyframe => ({
    opacity,
    transform: over(burst, gate, { scale: size * scale, turn }),
    ...(offset === undefined ? {} : { offset }),
  });
  stage.timeline.animate(
    burst.node,
    [flash(0.2, -8), flash(1.06, 2, 1, 0.22), flash(1, 4, 1, 0.6), flash(1.06, 6, 0)],
    {
      duration: 300 + grade * 60,
      easing: "ease-out",
    },
  );
  for (let index = 0; index < 5 + grade * 2; index += 1) plank(beat, gate, unit, grade, index);
  const pens = beat.find(`[data-row="${event.row}"]`)?.parentElement;
  if (pens) shake(beat, pens, 140 + grade * 70, 1.5 + grade * 2);
}

function plank(beat: Beat, gate: Place, unit: number, grade: Grade, index: number): void {
  const long = (index < 5 ? 100 : 24 + ((index * 5) % 22)) * unit;
  const actor = beat.air.picture("gate-plank", "-2 -2 106 18", long, Math.max(5, 18 * unit));
  const angle = index * 2.399 + 0.4;
  const reach = (70 + ((index * 71) % 60)) * unit * (0.75 + 0.3 * grade);
  const spin = (index % 2 ? 1 : -1) * (70 + ((index * 67) % 150)) * (0.6 + 0.25 * grade);
  const start = { x: gate.x, y: gate.y + (((index * 37) % 90) - 45) * unit };
  const frame = (part: number, fall: number, turn: number, scale: number, offset: number): Keyframe => ({
    opacity: 1,
    offset,
    transform: over(
      actor,
      {
        x: start.x + Math.cos(angle) * reach * 1.15 * part,
        y: start.y + Math.sin(angle) * reach * 0.8 * part + fall * unit,
      },
      { turn, scale },
    ),
  });
  const frames = [frame(0, 0, 0, 1, 0), frame(0.62, -38, spin / 2, 1, 0.3), frame(1, 64, spin, 1, 0.82), frame(1.03, 66, spin, 0.05, 1)]; // prettier-ignore
  beat.stage.timeline.animate(actor.node, frames, {
    duration: 460 + grade * 110 + ((index * 31) % 90),
    easing: "cubic-bezier(.1,.7,.5,1)",
  });
}

function shake(beat: Beat, node: Element, duration: number, strength: number): void {
  const steps = Math.round(duration / 45);
  const frames = Array.from({ length: steps + 1 }, (_, step) => {
    const now = strength * (1 - step / steps);
    return {
      transform: `translate(${((step % 2 ? 1 : -1) * now).toFixed(1)}px, ${(((step % 3) - 1) * now * 0.6).toFixed(1)}px)`,
    };
  });
  beat.stage.timeline.animate(node, frames, { duration });
}

/** The row is empty from now on; its cards run home on the backs of their animals. */
function runOff(beat: Beat, event: Take, seats: readonly number[], herd: Herd): void {
  const { stage } = beat;
  const charged = event.type === "Took" ? event.bullheads : event.charged;
  const owed: Record<number, number> = {};
  for (const seat of owing(beat, seats)) owed[seat] = charged;
  stage.owed = owed;
  beat.commit();
  sound.play("hooves", { kind: herd.grade, loud: (herd.gentle ? 0.6 : 1) * [0, 0.7, 0.9, 1.1][herd.grade]! });
  if (event.bullheads >= 10) sound.play("moo", { loud: 0.5, at: 0.1 });
  if (stage.me !== null && seats.includes(stage.me)) buzz([0, 40, 70, 120][herd.grade]!);
  const { run, step } = gait(event.bullheads);
  const arrivals = tally(beat, event, seats);
  herd.animals.forEach((animal, index) => {
    const home = beat.home(animal.seat);
    const there = (): void => come(beat, arrivals[index]!, index, herd);
    if (home && animal.ghost && animal.beast) gallop(beat, animal, herd, home, run, step * index, there);
  });
}

function gallop(
  beat: Beat,
  { ghost, beast, stall }: Animal,
  { gate, unit, grade, gentle }: Herd,
  home: Place,
  run: number,
  delay: number,
  there: () => void,
): void {
  if (!ghost || !beast) return;
  const { timeline } = beat.stage;
  const way = strides(stall, gate, home);
  const easing = gentle ? "cubic-bezier(.45,.1,.6,.9)" : "cubic-bezier(.5,.05,.6,.9)";
  const ride = way.map(({ x, y, looks, leans, size }, index) => {
    const grown = Math.min(1, (index / way.length) * 9);
    const at = { x: x - looks * 7 * unit * grown, y: y - 34 * unit * grown * size };
    const last = index === way.length - 1;
    return {
      opacity: last ? 0 : 1,
      transform: over(ghost, at, { scale: (1 - 0.34 * grown) * size, turn: -8 * looks * grown + leans / 2 }),
    };
  });
  const legs = way.map(({ x, y, looks, leans, size }, index) => {
    const grown = Math.min(1, (index / way.length) * 9);
    const last = index === way.length - 1;
    return {
      opacity: last || !grown ? 0 : 1,
      transform: over(
        beast,
        { x, y: y + 30 * unit * size },
        { scale: size * grown, turn: leans, mirror: looks },
      ),
    };
  });
  timeline.animate(ghost.node, ride, { duration: run, delay, easing, hold: true });
  timeline.animate(beast.node, legs, { duration: run, delay, easing, then: there });
  const step = gentle ? 260 : [0, 230, 200, 170][grade]!;
  const times = { duration: step, delay, iterations: Math.max(1, Math.round(run / step)) };
  legsOf(beat, beast.poses, times);
  const bob = [
    "translateY(0) rotate(-4deg)",
    `translateY(${-9 * unit}px) rotate(3deg)`,
    "translateY(0) rotate(-4deg)",
  ];
  timeline.animate(beast.body, bob.map((transform) => ({ transform })), times); // prettier-ignore
}

/** One pose after the other. */
function legsOf(
  beat: Beat,
  poses: readonly SVGSVGElement[],
  times: { duration: number; delay?: number; iterations: number },
): void {
  poses.forEach((pose, index) => {
    const [first, second] = index ? [0, 1] : [1, 0];
    const frames = [{ opacity: first }, { opacity: first, offset: 0.5 }, { opacity: second, offset: 0.5 }, { opacity: second }]; // prettier-ignore
    beat.stage.timeline.animate(pose, frames, times);
  });
}

/** A card is home: what it costs is counted where everybody looks. */
function come(beat: Beat, { seat, sum, left }: Arrival, index: number, herd: Herd): void {
  const { stage } = beat;
  stage.owed = left;
  sound.play("count", { kind: index * 2, loud: 0.8 });
  const home = beat.home(seat);
  beat.hop(beat.find(`[data-seat="${seat}"]`), 0.6 + 0.2 * herd.grade);
  if (!home) return;
  if (SUMS.get(stage)?.node.isConnected) {
    SUMS.get(stage)!.node.textContent = `+${sum}`;
    return;
  }
  const size = (herd.gentle ? 44 : [0, 46, 62, 84][herd.grade]!) * Math.min(1, innerWidth / 900 + 0.35);
  const actor = beat.air.sum(`+${sum}`, size);
  SUMS.set(stage, actor);
  const beside = innerWidth > 700 && innerWidth > innerHeight;
  const at = beside
    ? { x: home.x + size, y: home.y - size * 0.4 }
    : { x: home.x, y: home.y + home.height / 2 + size * 0.5 };
  const rest =
    lengthOf(beat.events) - BEFORE - gait(herd.animals.reduce((all, one) => all + one.heads, 0)).run;
  beat.float(actor, at, Math.max(500, rest + 40));
}
const SUMS = new WeakMap<object, Actor>();

/** The old bull crosses the whole table. */
function cross(beat: Beat, event: Take, seats: readonly number[], { gate }: Herd): void {
  sound.play("moo", { kind: 1, loud: 0.8, at: 0.2 });
  const row = beat.place(`[data-row="${event.row}"]`);
  if (beat.still || !row) return;
  const width = Math.min(540, innerWidth * 0.5);
  const bull = beat.air.animal(7, width);
  const home = beat.home(seats[0]!);
  const looks = home && home.x > gate.x ? 1 : -1;
  const [from, to] =
    looks < 0 ? [innerWidth + width * 0.6, -width * 0.6] : [-width * 0.6, innerWidth + width * 0.6];
  const frames = Array.from({ length: 9 }, (_, step) => {
    const time = step / 8;
    const at = { x: from + (to - from) * time, y: row.y + Math.sin(time * Math.PI) * 18 };
    return { opacity: 1, transform: over(bull, at, { mirror: looks }) };
  });
  const duration = 1250;
  beat.stage.timeline.animate(bull.node, frames, { duration });
  legsOf(beat, bull.poses, { duration: 250, iterations: 5 });
  const pens = beat.find(`[data-row="${event.row}"]`)?.parentElement;
  if (pens) shake(beat, pens, 700, 4);
}
