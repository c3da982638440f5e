import { expect, test } from "vitest";
import { highlights } from "../src/core/highlights";
import type { Moment, Result } from "../src/protocol";

/** A moment with these events, after which the points stand so. */
function moment(events: object[], points: number[], more: object = {}): Moment {
  const position = {
    round: 1,
    trick: 1,
    scores: points.map(() => 0),
    points,
    score_sheet: [],
    rows: [],
    ...more,
  };
  return {
    seat: null,
    choice: null,
    events,
    waiting: [],
    view: { seat: null, position, piles: [] },
  } as unknown as Moment;
}
const took = (seat: number, row: number, cards: number[], bullheads: number): object => ({
  type: "Took", seat, row, cards, bullheads, why: "full",
}); // prettier-ignore
const placed = (seat: number, card: number): object => ({ type: "Placed", seat, card, row: 0, place: 0 });
const result = (scores: number[], ranks: number[]): Result => ({
  scores,
  ranks,
  reason: "",
  won: null,
  against: null,
});

const GAME = [
  moment([], [0, 0, 0]),
  moment([took(0, 0, [10, 11], 8), placed(0, 12)], [8, 0, 0]),
  moment(
    [{ type: "TrickStarted", trick: 2 }, placed(1, 80), took(0, 3, [70, 75, 80], 6), placed(0, 81)],
    [14, 0, 0],
  ),
  moment([took(1, 2, [55, 66], 12), placed(1, 67)], [14, 12, 0]),
  moment([took(2, 1, [5], 2), placed(2, 6)], [14, 12, 2]),
];

test("the biggest take, the unluckiest trick and the decision are found", () => {
  const found = highlights(GAME, result([14, 12, 2], [3, 2, 1]), 0);
  expect(found.map(({ kind, at, seat, card, heads }) => ({ kind, at, seat, card, heads }))).toEqual([
    { kind: "biggest", at: 2, seat: 1, card: 67, heads: 12 },
    { kind: "unluckiest", at: 1, seat: 0, card: 81, heads: 6 },
    { kind: "decided", at: 2, seat: 1, card: 67, heads: 12 },
  ]);
  expect(found[1]).toMatchObject({ other: 1, otherCard: 80 });
});

test("somebody else's bad luck is not mine, and a shared win was never decided", () => {
  const found = highlights(GAME, result([14, 2, 2], [3, 1, 1]), null);
  expect(found.map(({ kind }) => kind)).toEqual(["biggest"]);
});

test("a game without a take has nothing to tell", () => {
  expect(highlights([moment([], [0, 0])], result([0, 0], [1, 1]), 0)).toEqual([]);
});
