import { describe, expect, test } from "vitest";
import { foreseenRow, goesTo } from "../src/core/preview";
import type { Foreseen } from "../src/protocol";

const to = (card: number, row: number | null, place = 0, more: Partial<Foreseen> = {}): Foreseen => ({
  card, row, place, takes: false, bullheads: 0, points: null, ...more,
}); // prettier-ignore
/** A row as it is drawn: cards by number, those that would come in brackets. */
function drawn(cards: number[], row: number, ...goes: Foreseen[]): string {
  const lying = cards.map((card) => [card]);
  return foreseenRow(lying, row, goes).map(({ stack, ghost }) => (ghost ? `(${ghost.card})` : stack.join("/"))).join(" "); // prettier-ignore
}

describe("a card that would come", () => {
  test("stands behind the last one", () => expect(drawn([10, 20], 1, to(54, 1, 2))).toBe("10 20 (54)"));
  test("stands where it would lie, in the middle too", () =>
    expect(drawn([10, 30], 0, to(20, 0, 1))).toBe("10 (20) 30"));
  test("is not shown where it would take the row, or go elsewhere", () => {
    expect(drawn([10, 20], 0, to(54, 0, 5, { takes: true }))).toBe("10 20");
    expect(drawn([10, 20], 0, to(54, 1, 1))).toBe("10 20");
  });
});

describe("after Shift or Push", () => {
  test("the card played starts the pen that was emptied", () => {
    const goes = [to(97, 1, 1), to(54, 0, 0)];
    expect(drawn([97], 0, ...goes)).toBe("(54)");
    expect(drawn([47], 1, ...goes)).toBe("47 (97)");
  });
  test("the others close up", () => {
    const goes = [to(1, 2, 0), to(38, 1, 1)];
    expect(drawn([1, 28], 1, ...goes)).toBe("28 (38)");
    expect(drawn([75], 2, ...goes)).toBe("(1) 75");
  });
  test("both may come to the same pen", () =>
    expect(drawn([47], 1, to(97, 1, 1), to(98, 1, 2))).toBe("47 (97) (98)"));
});

test("a twin is shown although it has no stall of its own", () =>
  expect(drawn([10, 20], 0, to(20, 0, 1))).toBe("10 20 (20)"));

test("nothing is foreseen for an answer that was not looked at", () =>
  expect(goesTo(null, null)).toBeUndefined());
