import { describe, expect, test } from "vitest";
import { Choices, tokensOf } from "../src/core/choosing";
import type { AskOption, SpecialCard } from "../src/protocol";

const special = (name: string, ...at: string[]): SpecialCard => ({
  name,
  title: name,
  says: "",
  aims: at.map((one) => ({ at: one, says: "" })),
  marks: false,
  loose: false,
});
const SPECIALS = [
  special("stop", "rows"),
  special("push", "row-cards", "rows"),
  special("shift", "row-cards", "rows"),
  special("insert", "rows"),
  special("replace", "hand"),
  special("exchange", "hand"),
  special("lift", "rows"),
  special("first-card", "played"),
  special("last-card", "played", "words"),
  special("negative-positive", "row-cards"),
  special("positive-ox", "row-cards", "row-cards"),
];

const play = (card: number, flipped = false): AskOption => ({
  notation: flipped ? `${card}*` : String(card),
  type: "PlayCard",
  card,
  flipped,
});
const pair = (low: number, high: number): AskOption => ({
  notation: `${low}+${high}`,
  type: "PlayPair",
  low,
  high,
});
const use = (name: string, ...targets: number[]): AskOption => ({
  notation: `${name}:${targets.join(",")}`,
  type: "UseSpecial",
  name,
  targets,
});
const keep = (...cards: number[]): AskOption => ({ notation: `k${cards.join(",")}`, type: "Keep", cards });
const PASS: AskOption = { notation: "-", type: "Pass" };

test("rows in targets are counted as people count", () => {
  expect(tokensOf(use("stop", 2), SPECIALS)).toEqual(["special:stop", "row:1"]);
  expect(tokensOf(use("push", 7, 1), SPECIALS)).toEqual(["special:push", "card:7", "row:0"]);
  expect(tokensOf(use("brand-new", 3), SPECIALS)).toEqual(["special:brand-new", "target:0:3"]);
});

describe("one card", () => {
  const choices = new Choices([play(7), play(44), play(44, true)], SPECIALS);
  test("is lifted, exchanged and put back", () => {
    expect(choices.complete([])).toBeNull();
    expect(choices.tap([], "card:7")).toEqual(["card:7"]);
    expect(choices.tap(["card:7"], "card:44")).toEqual(["card:44"]);
    expect(choices.tap(["card:44"], "card:44")).toEqual([]);
    expect(choices.complete(["card:7"])?.notation).toBe("7");
  });
  test("may be flipped where there is such an option, and loses the flip with the card", () => {
    expect(choices.next(["card:44"])).toEqual(new Set(["flip"]));
    expect(choices.next(["card:7"])).toEqual(new Set());
    expect(choices.complete(["card:44", "flip"])?.notation).toBe("44*");
    expect(choices.tap(["card:44", "flip"], "card:7")).toEqual(["card:7"]);
    expect(choices.tap(["card:44", "flip"], "card:44")).toEqual([]);
  });
  test("that is not among the options cannot be tapped", () => {
    expect(choices.tappable([]).has("card:8")).toBe(false);
    expect(choices.tap(["card:7"], "card:8")).toEqual(["card:7"]);
  });
});

describe("two cards", () => {
  const choices = new Choices([pair(1, 2), pair(1, 3), pair(2, 3)], SPECIALS);
  test("are complete in either order", () => {
    expect(choices.complete(["card:2"])).toBeNull();
    expect(choices.complete(choices.tap(["card:3"], "card:1"))?.notation).toBe("1+3");
  });
  test("a third takes the place of the first", () => {
    expect(choices.tap(["card:1", "card:2"], "card:3")).toEqual(["card:2", "card:3"]);
  });
});

describe("special cards", () => {
  const choices = new Choices(
    [PASS, use("stop", 1), use("stop", 2), use("push", 7, 1), use("push", 8, 1), use("sort")],
    SPECIALS,
  );
  test("come before their targets", () => {
    expect(choices.tappable([])).toEqual(new Set(["pass", "special:stop", "special:push", "special:sort"]));
    expect(choices.next(["special:stop"])).toEqual(new Set(["row:0", "row:1"]));
  });
  test("take their targets in any order", () => {
    const selection = choices.tap(choices.tap(["special:push"], "row:0"), "card:8");
    expect(choices.complete(selection)?.notation).toBe("push:8,1");
  });
  test("let a target be exchanged", () => {
    expect(choices.tap(["special:stop", "row:0"], "row:1")).toEqual(["special:stop", "row:1"]);
    expect(choices.tap(["special:push", "card:7"], "card:8")).toEqual(["special:push", "card:8"]);
  });
  test("are put back with their targets, or exchanged for another", () => {
    expect(choices.tap(["special:stop", "row:0"], "special:stop")).toEqual([]);
    expect(choices.tap(["special:stop", "row:0"], "special:sort")).toEqual(["special:sort"]);
    expect(choices.complete(["special:sort"])?.notation).toBe("sort:");
  });
});

test("keeping nothing is an answer from the start", () => {
  const choices = new Choices([keep(), keep(5), keep(9), keep(5, 9)], SPECIALS);
  expect(choices.complete([])?.notation).toBe("k");
  expect(choices.complete(choices.tap(["card:9"], "card:5"))?.notation).toBe("k5,9");
  expect(choices.tap(["card:9", "card:5"], "card:9")).toEqual(["card:5"]);
});

test("a special card that is settled needs no tap of its own", () => {
  const choices = new Choices([use("negative-positive", 7), use("negative-positive", 9)], SPECIALS);
  expect(choices.tappable([])).toEqual(new Set(["card:7", "card:9"]));
  expect(choices.complete(["card:9"])?.notation).toBe("negative-positive:9");
});

test("every option of any kind can be reached by tapping what can be tapped", () => {
  const options = [
    PASS, play(3), pair(4, 5), use("shift", 6, 2), use("last-card", 7), use("last-card", 7, 1), use("positive-ox", 8, 9),
    { notation: "r2", type: "TakeRow", row: 1 } as AskOption, { notation: "d9", type: "Draft", card: 9 } as AskOption,
  ]; // prettier-ignore
  const choices = new Choices(options);
  for (const option of options) {
    let selection: string[] = [];
    for (const token of tokensOf(option)) {
      expect(choices.tappable(selection).has(token) || choices.next(selection).has(token), token).toBe(true);
      selection = choices.tap(selection, token);
    }
    expect(choices.complete(selection)?.notation).toBe(option.notation);
  }
});

test("the digits of a card can be swapped once it is lifted", () => {
  const choices = new Choices([play(7), play(44), play(44, true)], SPECIALS);
  expect([...choices.next([])]).toEqual(["card:7", "card:44"]);
  expect(choices.tappable([])).not.toContain("flip");
  expect(choices.next(["card:44"])).toContain("flip");
  expect(choices.next(["card:7"])).not.toContain("flip");
});
