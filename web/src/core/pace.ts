/** How long things are shown at normal speed, as the server counts it for its clocks. */

import type { GameEvent } from "./events";
import table from "./pace.json";

/** How heavy a taken row is: a trot, a canter, a stampede. */
export type Grade = 1 | 2 | 3;

export const BEFORE = table.before;
const BULL = 15;
/** So many players are waited for at normal speed; with more, everything goes faster, up to twice as fast. */
const FEW = 5;
const FASTEST = 2;

/** How much faster a table of so many players is shown, so that a trick of ten is not ten times as long. */
export const haste = (players: number): number => Math.max(1, Math.min(FASTEST, players / FEW));

/** Events that are shown together, as the deal of all hands is. */
export function beats(events: readonly GameEvent[]): GameEvent[][] {
  const found: GameEvent[][] = [];
  for (const event of events) {
    const last = found.at(-1);
    if (last?.[0]?.type === event.type && table.together.includes(event.type)) last.push(event);
    else found.push([event]);
  }
  return found;
}

export function gradeOf(bullheads: number): Grade {
  return Math.max(1, table.grades.filter((grade) => grade.from <= bullheads).length) as Grade;
}

/** How long each card of a herd runs, and how long after the one before it starts. */
export function gait(bullheads: number): { run: number; step: number } {
  return table.grades[gradeOf(bullheads) - 1]!;
}

/** Whether a take is so bad that a bull crosses the table. */
export const bringsBull = (bullheads: number): boolean => bullheads >= BULL;

/** How long a beat is shown; facts with nothing to show take no time. */
export function lengthOf(beat: readonly GameEvent[]): number {
  const [event] = beat;
  if (!event) return 0;
  if (event.type === "Took" || event.type === "Shared") {
    const { run, step } = gait(event.bullheads);
    return table.before + run + step * Math.max(0, event.cards.length - 1) + table.after;
  }
  if (event.type === "RoundEnded") return table.roundEnd.first + table.roundEnd.seat * event.points.length;
  return (table.milliseconds as Record<string, number>)[event.type] ?? 0;
}
