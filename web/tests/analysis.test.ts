import { beforeAll, describe, expect, test, vi } from "vitest";
import { PLAIN, type Shown } from "../src/core/furniture";
import { leadOf, needsWords } from "../src/core/leads";
import { amount, because, expected, mainReason, mayTake, percent, risk, standing } from "../src/core/reasons";
import {
  choiceAt,
  choiceIn,
  curveOf,
  dearest,
  luckOf,
  marksBetween,
  mistakesOf,
  originsOf,
  placeOf,
  pointsOf,
  roundsOf,
  turningPointsOf,
  WHOLE,
  worthOf,
} from "../src/core/review";
import { answerKind, answerName } from "../src/core/words";
import { speak } from "../src/i18n/speak.svelte";
import type { AskOption, Foreseen, Judged, Review, TurningPoint, Why, Worth } from "../src/protocol";

/** The answers of these tests as the server tells them. */
const answerOf = (choice: string): AskOption => {
  if (choice === "-") return { notation: choice, type: "Pass" };
  if (choice.startsWith("r")) return { notation: choice, type: "TakeRow", row: Number(choice.slice(1)) - 1 };
  return { notation: choice, type: "PlayCard", card: Number(choice), flipped: false };
};
const worth = (choice: string, reasons: Why[] = [], more: Partial<Worth> = {}): Worth => ({
  choice,
  answer: answerOf(choice),
  goes: [],
  mean: 3,
  cost: 0,
  take_chance: 0.07,
  take_cost: 5,
  win_chance: 0.5,
  reasons,
  ...more,
});
const goes = (card: number, row: number | null, more: Partial<Foreseen> = {}): Foreseen => ({
  card,
  row,
  place: 0,
  takes: false,
  bullheads: 0,
  points: null,
  ...more,
});
const turn = (round: number, trick: number, seat: number, change: number, moment = 0): TurningPoint => ({
  round,
  trick,
  seat,
  amount: change,
  moment,
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
    {
      seat: 0,
      result: 27,
      par: 26000,
      deal: -2800,
      others: 3200,
      own: 600,
      accuracy: 80,
      words: {},
      luckiest: turn(1, 2, 0, -3, 4),
      unluckiest: turn(2, 1, 0, 2.5, 30),
    },
    {
      seat: 1,
      result: 0,
      par: 26000,
      deal: 0,
      others: 0,
      own: 0,
      accuracy: 100,
      words: {},
      luckiest: turn(1, 1, 1, 0, 2),
      unluckiest: null,
    },
  ],
  shares: [
    { round: 1, trick: 1, seat: 0, deal: -2800, others: 0, own: 3600 },
    { round: 1, trick: 2, seat: 0, deal: 0, others: 3200, own: 0 },
    { round: 1, trick: 1, seat: 1, deal: 99, others: 0, own: 0 },
    { round: 2, trick: 1, seat: 0, deal: 0, others: 0, own: -3000 },
  ],
  turning_points: [
    turn(1, 1, 1, -0.4, 2),
    turn(1, 2, 0, 0.01),
    turn(1, 3, 0, 0.2),
    turn(1, 4, 0, -0.1),
    turn(2, 1, 0, 0.3, 30),
  ],
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
    expect(risk(free, "less")).toBe("7% to be the sixth: nothing lies between 89 and 90");
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
    const row = worth("r2", [why("costs", { row: 2, bullheads: 1, cards: 1 })], { take_chance: 1 });
    expect(risk(row, "less")).toBe("Pen 2 costs 1 bullhead");
    expect(risk(worth("3", [why("lowest", { card: 3, bullheads: 4 })]), "less")).toBe(
      "7% to take something: 3 fits no pen, and the cheapest costs 4 bullheads",
    );
  });
  test("always with a reason: of the row, where the card would go, or how it compares", () => {
    expect(because(why("moonlight", { phase: 3 }))).toBe("");
    const told = (one: Partial<Worth>): string =>
      risk(worth("-", [why("moonlight", { phase: 3 })], { take_chance: 0, ...one }), "less");
    expect(told({ goes: [goes(19, 2)] })).toBe("19 would go to pen 3");
    expect(told({ goes: [goes(19, 2, { takes: true, bullheads: 8 })] })).toBe(
      "19 would take pen 3, 8 bullheads",
    );
    expect(told({ goes: [goes(6, 1, { points: -3 })] })).toBe("6 would go to pen 2: −3");
    expect(told({ goes: [goes(3, null, { takes: true })] })).toBe("3 fits no pen");
    expect(told({ goes: [goes(3, null)] })).toBe("Nothing costs less");
    expect(told({ cost: 1.3 })).toBe("1.3 more than the best");
    expect(risk(worth("6", [], { cost: 3.26 }), "more")).toBe(
      "7% to take something: 3.3 fewer than the best",
    );
  });
  test("a row that a card only joins is not said to cost anything", () => {
    const join: AskOption = { notation: "j1", type: "JoinRow", row: 0 };
    const one = worth("j1", [why("costs", { row: 1, bullheads: 4, cards: 3 })], {
      answer: join, goes: [goes(21, 0)], take_chance: 1, take_cost: 0,
    }); // prettier-ignore
    expect(mayTake(one)).toBe(false);
    expect(risk(one, "less")).toBe("21 would go to pen 1");
  });
  test("tells what it comes to in what the game counts", () => {
    const one = worth("44", [], { mean: -6.2 });
    expect(expected(one, { unit: "bullheads", better: "less" })).toBe("costs about −6.2");
    expect(expected(one, { unit: "points", better: "more" })).toBe("brings about −6.2");
    expect(expected(one, { unit: "margin", better: "less" })).toBe("about 6.2 ahead of the other side");
    expect(expected(worth("44"), { unit: "margin", better: "less" })).toBe("about 3.0 behind the other side");
  });
  test("numbers are written as the language does", () => {
    expect([amount(2.14), amount(0.04, true), amount(-2.8, true)]).toEqual(["2.1", "0.0", "−2.8"]);
    expect(percent(0.256)).toBe("26%");
  });
  test("whoever waits is told the place, then what is made ready, then how much is done", () => {
    expect(standing({ place: 2, done: 0, parts: 0 })).toBe("In the queue, place 2.");
    expect(standing({ place: 0, done: 0, parts: 0 })).toBe("Getting ready.");
    expect(standing({ place: 0, done: 0, parts: 7 })).toContain("for the first time: 7 parts so far");
    expect(standing({ place: 0, done: 0.4, parts: null })).toBe("Being worked out: 40%.");
  });
});

describe("a review", () => {
  test("adds up to the result of a round, and of the game", () => {
    expect(roundsOf(REVIEW)).toEqual([1, 2]);
    const { par, deal, others, own, result } = originsOf(REVIEW, 0, 1);
    expect([par, deal, others, own, result]).toEqual([13, -2.8, 3.2, 3.6, 17]);
    expect(originsOf(REVIEW, 0, WHOLE).result).toBe(27);
  });
  test("draws a line from the deal to the result, straight on where nothing was decided", () => {
    expect(curveOf(REVIEW, 0, 1)).toEqual([11, 12, 13, 14, 14, 17]);
    expect(curveOf(REVIEW, 1, 1)[0]).toBe(11);
  });
  test("draws the whole game, each round on top of those before", () => {
    const points = pointsOf(REVIEW, WHOLE);
    expect(points.map(({ round, trick }) => `${round}:${trick}`)).toEqual([
      "1:0", "1:1", "1:2", "1:3", "1:4", "1:5", "2:0", "2:1",
    ]); // prettier-ignore
    expect(points.map((point) => point.values[0])).toEqual([11, 12, 13, 14, 14, 17, 28, 27]);
    expect(pointsOf(REVIEW, 2).map((point) => point.values[0])).toEqual([11, 10]);
    expect(placeOf(points, { round: 2, trick: 1 })).toBe(7);
    expect(placeOf(points, { round: 3, trick: 1 })).toBe(-1);
  });
  test("names the three dearest choices of a seat in their order", () => {
    expect(mistakesOf(REVIEW, 0, 1).map((one) => one.trick)).toEqual([1, 2, 4]);
    expect(mistakesOf(REVIEW, 0, WHOLE)[2]?.round).toBe(2);
    expect(dearest(REVIEW, 0, 1)?.trick).toBe(2);
    expect(dearest(REVIEW, 1, 2)).toBeNull();
    expect(choiceIn(REVIEW, 0, 1, 3)?.moment).toBe(6);
    expect(choiceIn(REVIEW, 0, 1, 5)).toBeNull();
  });
  test("names the turning points that turned most, and no trick that turned nothing", () => {
    expect(turningPointsOf(REVIEW, WHOLE).map((one) => one.amount)).toEqual([0.2, -0.4, 0.3]);
    expect(turningPointsOf(REVIEW, 1).map((one) => one.trick)).toEqual([3, 4, 1]);
    expect(choiceAt(REVIEW, turn(1, 1, 1, -0.4, 2))?.cost).toBe(9);
    expect(choiceAt(REVIEW, turn(1, 3, 0, 0.2, 99))?.trick).toBe(3);
    expect(choiceAt(REVIEW, turn(1, 5, 0, 0.2, 10))).toBeNull();
  });
  test("names the luckiest and the unluckiest trick, where there was luck", () => {
    expect(luckOf(REVIEW, 0, WHOLE).map(({ kind, point }) => [kind, point.trick])).toEqual([
      ["luckiest", 2],
      ["unluckiest", 1],
    ]);
    expect(luckOf(REVIEW, 0, 1).map(({ kind }) => kind)).toEqual(["luckiest"]);
    expect(luckOf(REVIEW, 1, WHOLE)).toEqual([]);
    expect(luckOf({ ...REVIEW, better: "more" }, 0, WHOLE)).toEqual([]);
  });
  test("finds what an answer was worth", () => {
    const one = judged(1, 1, { options: [worth("85")] });
    expect(worthOf(one, "85")?.choice).toBe("85");
    expect(worthOf(one, "81")).toBeUndefined();
  });
  test("speaks of an answer as of a thing", () => {
    const said = (option: AskOption): string[] => [
      answerKind(option),
      answerName({ kind: "use_special" }, option),
    ];
    expect(said(answerOf("44"))).toEqual(["card", "44"]);
    expect(said({ notation: "1+2", type: "PlayPair", low: 1, high: 2 })).toEqual(["card", "1 and 2"]);
    expect(said(answerOf("r2"))).toEqual(["row", "pen 2"]);
    expect(said(answerOf("-"))).toEqual(["other", "Go on"]);
    expect(said({ notation: "14*", type: "PlayCard", card: 14, flipped: true })).toEqual([
      "other",
      "Play 14 with swapped digits",
    ]);
  });
  test("lines behind the curve lie at round numbers", () => {
    expect(marksBetween(0, 32)).toEqual([0, 10, 20, 30]);
    expect(marksBetween(-4, 4)).toEqual([-4, -2, 0, 2, 4]);
  });
});

describe("what an answer does on the table", () => {
  const position = (more: object = {}): Shown =>
    ({
      rows: [[12], [41, 44, 50], [58, 59, 61, 64, 70]],
      hands: [[3, 81, 85], [90]],
      table: [{ seat: 1, card: 7, value: 7 }, { seat: 0, card: 2, value: 2 }],
      furniture: PLAIN,
      ...more,
    }) as unknown as Shown; // prettier-ignore
  const lead = (answer: AskOption, told: Foreseen[] = [], more: object = {}) =>
    leadOf(worth("x", [], { answer, goes: told }), position(more), 0);

  test("a card walks to its stall, or to the gate that it breaks", () => {
    expect(leadOf(undefined, position(), 0)).toEqual({ rings: [], arrows: [] });
    expect(lead(answerOf("81"), [goes(81, 1, { place: 3 })])).toEqual({
      rings: ["own:81"],
      arrows: [{ from: "own:81", to: "stall:1:3" }],
    });
    expect(lead(answerOf("81"), [goes(81, 2, { takes: true })]).arrows[0]?.to).toBe("gate:2");
    expect(lead(answerOf("3"), [goes(3, null, { takes: true })])).toEqual({ rings: ["own:3"], arrows: [] });
  });
  test("in pens with two gates, with twins, and with somebody in the way", () => {
    const at = (furniture: object, one: Foreseen, more: object = {}): string | undefined =>
      lead(answerOf("81"), [one], { furniture: { ...PLAIN, ...furniture }, ...more }).arrows[0]?.to;
    expect(at({ both_ends: true }, goes(81, 1))).toBe("stall:1:0");
    expect(at({ twins: true }, goes(81, 0), { rows: [[12, 81]] })).toBe("stall:0:1");
    const cow = { name: "cow", field: "cow", holds: "place", at: "row", fills: true, side: "", during: "" };
    expect(at({ markers: [cow] }, goes(81, 1, { place: 3 }), { cow: 1 })).toBe("stall:1:4");
  });
  test("two cards have an arrow each; on a board they lead to spaces", () => {
    const pair: AskOption = { notation: "81+85", type: "PlayPair", low: 81, high: 85 };
    expect(lead(pair, [goes(81, 1), goes(85, 1)]).arrows.map(({ from }) => from)).toEqual([
      "own:81",
      "own:85",
    ]);
    expect(lead(answerOf("81"), [goes(81, 1, { place: 6 })], { board: [[], []] }).arrows[0]?.to).toBe(
      "stall:1:6",
    );
  });
  test("a row is chosen for the card that waits", () => {
    expect(lead(answerOf("r2"), [goes(2, 1, { takes: true })])).toEqual({
      rings: ["row:1"],
      arrows: [{ from: "lying:2", to: "gate:1" }],
    });
    expect(lead(answerOf("r2")).arrows).toEqual([{ from: "lying:2", to: "gate:1" }]);
    expect(lead(answerOf("r2"), [], { table: [] })).toEqual({ rings: ["row:1"], arrows: [] });
  });
  test("what is picked or kept is ringed, and what is nothing is said", () => {
    expect(lead({ notation: "d17", type: "Draft", card: 17 })).toEqual({ rings: ["lying:17"], arrows: [] });
    expect(lead({ notation: "k2,7", type: "Keep", cards: [2, 7] }).rings).toEqual(["lying:2", "lying:7"]);
    const nothing: AskOption = { notation: "k", type: "Keep", cards: [] };
    expect(lead(nothing)).toEqual({ rings: ["deed"], arrows: [] });
    expect([nothing, answerOf("-"), answerOf("81")].map(needsWords)).toEqual([true, true, false]);
    expect(lead({ notation: "f2", type: "PlaceFirst", card: 2 }, [goes(2, 0, { place: 1 })])).toEqual({
      rings: ["lying:2"],
      arrows: [{ from: "lying:2", to: "stall:0:1" }],
    });
  });
  test("a special card points at what it is used on, and shows what it makes of the next card", () => {
    const aim = (at: string) => ({ at, says: "" });
    const furniture = {
      ...PLAIN,
      specials: [
        { name: "stop", aims: [aim("rows")] },
        { name: "push", aims: [aim("lying"), aim("rows")] },
      ],
    };
    const use = (name: string, targets: number[]): AskOption => ({
      notation: `${name}:${targets}`, type: "UseSpecial", name, targets,
    }); // prettier-ignore
    expect(lead(use("stop", [2]), [goes(7, 0, { place: 1 })], { furniture })).toEqual({
      rings: ["special:stop"],
      arrows: [
        { from: "special:stop", to: "row:1" },
        { from: "lying:7", to: "stall:0:1" },
      ],
    });
    expect(lead(use("push", [50, 1]), [goes(50, 0, { place: 1 })], { furniture }).arrows).toEqual([
      { from: "special:push", to: "lying:50" },
      { from: "lying:50", to: "stall:0:1" },
    ]);
    expect(lead(use("push", [81, 1]), [], { furniture })).toEqual({
      rings: ["special:push", "own:81"],
      arrows: [{ from: "special:push", to: "row:0" }],
    });
    expect(lead(use("sort", []), [], { furniture })).toEqual({ rings: ["special:sort"], arrows: [] });
  });
});
