import { beforeAll, describe, expect, test, vi } from "vitest";
import { amount, because, mainReason, percent, risk, standing } from "../src/core/reasons";
import {
  cardsIn,
  curveOf,
  dearest,
  marksBetween,
  mistakesOf,
  originsOf,
  path,
  roundsOf,
  rowIn,
  targetOf,
  worthOf,
} from "../src/core/review";
import { speak } from "../src/i18n/speak.svelte";
import type { Judged, Review, Why, Worth } from "../src/protocol";

const worth = (choice: string, reasons: Why[] = [], more: Partial<Worth> = {}): Worth => ({
  choice,
  mean: 3,
  cost: 0,
  take_chance: 0.07,
  take_cost: 5,
  win_chance: 0.5,
  reasons,
  ...more,
});
const why = (kind: string, numbers: Record<string, number>): Why => ({ kind, numbers });
const judged = (trick: number, cost: number, more: Partial<Judged> = {}): Judged => ({
  moment: trick * 2,
  round: 1,
  trick,
  seat: 0,
  kind: "commit",
  choice: "81",
  best: "85",
  cost,
  win_cost: 0,
  word: cost > 2.5 ? "blunder" : cost > 1.2 ? "mistake" : cost > 0.5 ? "inaccuracy" : "best",
  expected: 10 + trick,
  win_chance: 0.3,
  options: [],
  ...more,
});
const REVIEW: Review = {
  version: 1,
  game: "base",
  unit: "bullheads",
  better: "less",
  decisions: [
    judged(1, 0.9),
    judged(1, 9, { seat: 1 }),
    judged(2, 2.1),
    judged(3, 0.6),
    judged(4, 0.7),
    judged(5, 0, { word: "forced", expected: 0 }),
    judged(1, 3, { round: 2, moment: 30 }),
  ],
  players: [
    { seat: 0, result: 27, par: 26000, deal: -2800, others: 3200, own: 600, accuracy: 80, words: {} },
    { seat: 1, result: 0, par: 26000, deal: 0, others: 0, own: 0, accuracy: 100, words: {} },
  ],
  shares: [
    { round: 1, trick: 1, seat: 0, deal: -2800, others: 0, own: 3600 },
    { round: 1, trick: 2, seat: 0, deal: 0, others: 3200, own: 0 },
    { round: 1, trick: 1, seat: 1, deal: 99, others: 0, own: 0 },
    { round: 2, trick: 1, seat: 0, deal: 0, others: 0, own: -3000 },
  ],
  turning_points: [],
};

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
});

describe("a hint in words", () => {
  test("says the chance and the reason that matters", () => {
    const free = worth("90", [
      why("room", { row: 4, room: 3 }),
      why("between", { row: 4, end: 89, card: 90, count: 0 }),
    ]);
    expect(risk(free)).toBe("7% to be the sixth: nothing lies between 89 and 90");
    const tight = worth("55", [
      why("room", { row: 2, room: 1 }),
      why("between", { row: 2, end: 52, card: 55, count: 2 }),
    ]);
    expect(because(mainReason(tight))).toBe("one stall is free in pen 2");
    const roomy = worth("55", [
      why("room", { row: 2, room: 3 }),
      why("between", { row: 2, end: 52, card: 55, count: 2 }),
    ]);
    expect(because(mainReason(roomy))).toBe("2 unseen cards lie between 52 and 55");
  });
  test("of rows and low cards, too", () => {
    expect(because(why("costs", { row: 2, bullheads: 1, cards: 1 }))).toBe("pen 2 costs 1 bullhead");
    expect(risk(worth("3", [why("lowest", { card: 3, bullheads: 4 })]))).toBe(
      "7% to take something: 3 fits no pen, and the cheapest costs 4 bullheads",
    );
  });
  test("nothing of what there are no words for", () => {
    expect(because(why("moonlight", { phase: 3 }))).toBe("");
    expect(risk(worth("-", [why("moonlight", { phase: 3 })]))).toBe("7% to take something");
  });
  test("numbers are written as the language does", () => {
    expect([amount(2.14), amount(0.04, true), amount(-2.8, true)]).toEqual(["2.1", "0.0", "−2.8"]);
    expect(percent(0.256)).toBe("26%");
  });
  test("whoever waits is told the place, then how much is done", () => {
    expect(standing({ place: 2, done: 0 })).toBe("In the queue, place 2.");
    expect(standing({ place: 0, done: 0.4 })).toBe("Being worked out: 40%.");
  });
});

describe("a review", () => {
  test("adds up to the result of the round", () => {
    expect(roundsOf(REVIEW)).toEqual([1, 2]);
    const { par, deal, others, own, result } = originsOf(REVIEW, 0, 1);
    expect([par, deal, others, own, result]).toEqual([13, -2.8, 3.2, 3.6, 17]);
  });
  test("draws a line from the deal to the result, straight on where nothing was decided", () => {
    expect(curveOf(REVIEW, 0, 1)).toEqual([11, 12, 13, 14, 14, 17]);
    expect(curveOf(REVIEW, 1, 1)[0]).toBe(11);
  });
  test("names the three dearest choices of a seat in their order", () => {
    expect(mistakesOf(REVIEW, 0, 1).map((one) => one.trick)).toEqual([1, 2, 4]);
    expect(mistakesOf(REVIEW, 0, null)[2]?.round).toBe(2);
    expect(dearest(REVIEW, 0, 1)?.trick).toBe(2);
    expect(dearest(REVIEW, 1, 2)).toBeNull();
  });
  test("shows where an answer leads", () => {
    const position = { rows: [[12], [41, 44, 50], [58, 59, 61, 64, 70]] };
    expect(targetOf(worth("52", [why("room", { row: 2, room: 2 })]), position)).toEqual({ row: 1, stall: 3 });
    expect(targetOf(worth("81", [why("full", { row: 3 })]), position)).toEqual({ row: 2, stall: null });
    expect(targetOf(worth("r1", [why("costs", { row: 1 })]), position)).toEqual({ row: 0, stall: null });
    expect(targetOf(worth("3", [why("lowest", { card: 3 })]), position)).toBeNull();
    expect(targetOf(worth("3", [why("room", { row: 9 })]), position)).toBeNull();
    expect(targetOf(undefined, position)).toBeNull();
  });
  test("reads notation", () => {
    expect(["44", "44*", "12+44", "d9", "k12,15", "r2", "stop:2", "-"].map(cardsIn)).toEqual([
      [44], [44], [12, 44], [9], [12, 15], [], [], [],
    ]); // prettier-ignore
    expect(["r2", "j10", "44", "-"].map(rowIn)).toEqual([2, 10, 0, 0]);
    const one = judged(1, 1, { options: [worth("85")] });
    expect([worthOf(one, "85")?.choice, worthOf(one, "81")]).toEqual(["85", undefined]);
  });
  test("draws its lines at round numbers", () => {
    expect(marksBetween(0, 33)).toEqual([0, 10, 20, 30]);
    expect(marksBetween(-4, 4)).toEqual([-4, -2, 0, 2, 4]);
    expect(path([1, 2], (at) => at * 10, (value) => value)).toBe("M0.0 1.0L10.0 2.0"); // prettier-ignore
  });
});
