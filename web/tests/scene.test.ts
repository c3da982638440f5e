import { describe, expect, test } from "vitest";
import { markersAt, places, PLAIN, type Shown } from "../src/core/furniture";
import { advance } from "../src/core/scene";
import type { Furniture, Marker } from "../src/protocol";

function position(more: Partial<Shown> = {}): Shown {
  return {
    players: 2,
    rows: [[10], [20], [30], [40]],
    hands: [
      [12, 33],
      [0, 0],
    ],
    piles: [[], []],
    table: [],
    deck: [],
    aside: [],
    known: [[], []],
    points: [0, 0],
    scores: [0, 0],
    score_sheet: [],
    round: 1,
    trick: 1,
    result: null,
    furniture: PLAIN,
    ...more,
  };
}
const marker = (name: string, field: string, more: Partial<Marker> = {}): Marker => ({
  name,
  title: name,
  field,
  at: "row",
  holds: "place",
  says: "",
  side: "",
  sides: {},
  during: "",
  fills: false,
  ...more,
});
const with_ = (...markers: Marker[]): Furniture => ({ ...PLAIN, markers });
const NAMED = with_(
  ...["stop", "seven", "fifth-row"].map((name) => marker(name, "markers", { holds: "names" })),
);
const played = (card: number, seat: number) => ({ card, seat, value: card });

describe("a trick", () => {
  test("turns cards up out of the hands and places them", () => {
    const shown = position();
    advance(shown, { type: "Revealed", plays: [played(12, 0), played(25, 1)] });
    expect(shown.hands).toEqual([[33], [0]]);
    advance(shown, { type: "Placed", seat: 0, card: 12, row: 0, place: 1 });
    expect(shown.rows[0]).toEqual([10, 12]);
    expect(shown.table).toEqual([played(25, 1)]);
  });
  test("charges a taken row and starts it again", () => {
    const shown = position({ rows: [[1, 2, 3, 4, 5]], table: [played(12, 0)] });
    advance(shown, { type: "Took", seat: 0, row: 0, cards: [1, 2, 3, 4, 5], bullheads: 6, why: "full" });
    advance(shown, { type: "Placed", seat: 0, card: 12, row: 0, place: 0 });
    expect(shown.rows[0]).toEqual([12]);
    expect(shown.points).toEqual([6, 0]);
    expect(shown.piles[0]).toEqual([1, 2, 3, 4, 5]);
  });
  test("laid cards are not taken from the hand twice", () => {
    const shown = position();
    advance(shown, { type: "Laid", seat: 1, card: 25 });
    advance(shown, { type: "Revealed", plays: [played(25, 1)] });
    expect(shown.hands[1]).toEqual([0]);
  });
});

test("a take that leaves a card leaves it", () => {
  const shown = position({ rows: [[1, 2, 3, 4, 9]] });
  advance(shown, { type: "Took", seat: 1, row: 0, cards: [1, 2, 3, 4], bullheads: 4, why: "cow" });
  expect(shown.rows[0]).toEqual([9]);
});

test("twins share a place", () => {
  const shown = position({ rows: [[7, 20]], table: [played(20, 0), played(31, 1)] });
  advance(shown, { type: "Placed", seat: 0, card: 20, row: 0, place: 1 });
  advance(shown, { type: "Placed", seat: 1, card: 31, row: 0, place: 2 });
  expect(shown.rows[0]).toEqual([7, 20, 20, 31]);
  expect(places(shown.rows[0]!)).toEqual([[7], [20, 20], [31]]);
});

test("rows may grow at the left", () => {
  const shown = position();
  advance(shown, { type: "Placed", seat: 0, card: 9, row: 0, place: 0 });
  expect(shown.rows[0]).toEqual([9, 10]);
});

const BOARD: Furniture = {
  ...PLAIN,
  scoring: { counts: "points", better: "more", charges: "nobody", piles: "none" },
};
describe("a board", () => {
  test("keeps tiles on their spaces", () => {
    const shown = position({
      board: [["blank", "blank", "blank", "take_ox"]],
      rows: [[5]],
      spaces: [[0]],
      furniture: BOARD,
    });
    advance(shown, { type: "Placed", seat: 0, card: 12, row: 0, place: 2 });
    expect(shown.rows[0]).toEqual([5, 12]);
    expect(shown.spaces).toEqual([[0, 2]]);
    advance(shown, { type: "Moved", seat: 0, card: 5, source: 0, row: 0, place: 1 });
    advance(shown, { type: "Placed", seat: 0, card: 3, row: 0, place: 0 });
    expect(shown.rows[0]).toEqual([3, 5, 12]);
    expect(shown.spaces).toEqual([[0, 1, 2]]);
    advance(shown, { type: "Took", seat: 0, row: 0, cards: [3, 5], bullheads: 2, why: "take_ox" });
    expect(shown.spaces).toEqual([[2]]);
    expect(shown.points).toEqual([0, 0]);
  });
});

describe("markers", () => {
  test("lie where the event says", () => {
    const shown = position({
      marked: 0,
      side: "odd",
      furniture: with_(marker("even-odd", "marked", { side: "side" })),
    });
    advance(shown, { type: "MarkerMoved", marker: "even-odd", place: 2, side: "even" });
    expect(markersAt(shown, 0)).toEqual([]);
    expect(markersAt(shown, 2)).toEqual([{ name: "even-odd", side: "even", fills: false, special: false }]);
  });
  test("go with the row that is gone", () => {
    const shown = position({ rows: [[1], [2], [3]], markers: [[], ["stop"], ["seven"]], furniture: NAMED });
    advance(shown, { type: "RowRemoved", row: 1 });
    expect(shown.rows).toEqual([[1], [3]]);
    expect(markersAt(shown, 1)).toEqual([{ name: "seven", side: "", fills: false, special: false }]);
    advance(shown, { type: "MarkerGone", marker: "seven", row: 1, why: "take" });
    expect(markersAt(shown, 1)).toEqual([]);
  });
  test("a fifth row comes with its card", () => {
    const shown = position({ markers: [[], [], [], []], furniture: NAMED });
    advance(shown, { type: "MarkerMoved", marker: "fifth-row", place: 4, side: "" });
    advance(shown, { type: "Placed", seat: 0, card: 3, row: 4, place: 0 });
    expect(shown.rows[4]).toEqual([3]);
    expect(markersAt(shown, 4)).toEqual([{ name: "fifth-row", side: "", fills: false, special: false }]);
  });
});

test("at the end of a round what was taken is part of the total, and stands nowhere else", () => {
  const shown = position({ points: [36, 0], scores: [10, 2] });
  advance(shown, { type: "RoundEnded", round: 2, points: [36, 0], totals: [46, 2] });
  expect(shown.scores).toEqual([46, 2]);
  expect(shown.points).toEqual([0, 0]);
});

test("a new round clears the table and keeps the scores", () => {
  const shown = position({
    points: [3, 4],
    piles: [[5], [0]],
    cow: 1,
    furniture: with_(marker("cow", "cow")),
  });
  advance(shown, { type: "RoundEnded", round: 1, points: [3, 4], totals: [3, 4] });
  advance(shown, { type: "RoundStarted", round: 2 });
  expect(shown.scores).toEqual([3, 4]);
  expect(shown.score_sheet).toEqual([[3, 4]]);
  expect(shown.points).toEqual([0, 0]);
  expect(shown.rows.flat()).toEqual([]);
  expect(shown["cow"]).toBeUndefined();
});

describe("a team", () => {
  const furniture: Furniture = {
    ...PLAIN,
    scoring: { counts: "bullheads", better: "less", charges: "team", piles: "sides" },
  };
  test("is charged as one, on one pile", () => {
    const shown = position({ rows: [[1, 2, 3, 4, 5]], furniture });
    advance(shown, { type: "Took", seat: 1, row: 0, cards: [1, 2], bullheads: 2, why: "full" });
    expect(shown.points).toEqual([2, 2]);
    expect(shown.piles).toEqual([[1, 2], []]);
  });
  test("is not charged for what its opponent takes", () => {
    const shown = position({ rows: [[1, 2, 3, 4, 5]], furniture });
    advance(shown, { type: "Took", seat: -1, row: 0, cards: [1, 2], bullheads: 2, why: "full" });
    expect(shown.points).toEqual([0, 0]);
    expect(shown.piles).toEqual([[], [1, 2]]);
  });
});

test("an event of a kind that is new to us changes nothing", () => {
  const shown = position();
  advance(shown, { type: "SomethingNew" } as never);
  expect(shown).toEqual(position());
});
