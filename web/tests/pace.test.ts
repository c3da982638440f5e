import { expect, test } from "vitest";
import type { GameEvent } from "../src/core/events";
import { beats, bringsBull, gradeOf, lengthOf } from "../src/core/pace";

const dealt = (seat: number): GameEvent => ({ type: "Dealt", seat, cards: [0] });
const took = (cards: number[], bullheads: number): GameEvent => ({
  type: "Took", seat: 0, row: 0, cards, bullheads, why: "full",
}); // prettier-ignore

test("hands are dealt together, and rows after them", () => {
  const rows: GameEvent = { type: "RowsStarted", rows: [[1]] };
  const found = beats([dealt(0), dealt(1), dealt(2), rows]);
  expect(found.map((beat) => beat.length)).toEqual([3, 1]);
  expect(found.map(lengthOf)).toEqual([450, 450]);
});

test("what is taken one after the other is shown one after the other", () => {
  expect(beats([took([5], 2), took([6], 1)])).toHaveLength(2);
});

test("a worse take is shown longer, in three grades", () => {
  expect([1, 7, 8, 12, 13, 40].map(gradeOf)).toEqual([1, 1, 2, 2, 3, 3]);
  expect([14, 15].map(bringsBull)).toEqual([false, true]);
  const five = [1, 2, 3, 4, 6];
  // The same figures as the server's doctest.
  expect(lengthOf([took([5, 6, 7, 8, 9], 6)])).toBe(2060);
  expect(lengthOf([took([55, 66], 12)])).toBe(1910);
  expect(lengthOf([took(five, 8)])).toBeGreaterThan(lengthOf([took(five, 7)]));
  expect(lengthOf([took(five, 13)])).toBeGreaterThan(lengthOf([took(five, 12)]));
});

test("facts with nothing to show take no time", () => {
  expect(lengthOf([{ type: "Committed", seat: 0 }])).toBe(0);
  expect(lengthOf([])).toBe(0);
});

test("each seat's pile is counted at the end of a round", () => {
  const ended = (players: number): GameEvent => ({
    type: "RoundEnded", round: 1, points: Array<number>(players).fill(0), totals: Array<number>(players).fill(0),
  }); // prettier-ignore
  expect(lengthOf([ended(4)])).toBe(600 + 4 * 350);
});
