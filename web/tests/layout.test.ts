import { describe, expect, test } from "vitest";
import { keepPlaces, spread } from "../src/core/hand";
import { displayFit, layout, shapeOf, type Needs } from "../src/core/layout";
import { zooms } from "../src/core/zoom";

const SIZES = [
  [1920, 1080], [1440, 900], [1366, 650], [1024, 768], [768, 1024], [844, 390], [720, 450], [390, 844], [360, 640],
  [320, 640],
] as const; // prettier-ignore
const BASE: Needs = {
  players: 4,
  rows: 4,
  stalls: 5,
  lane: 4,
  hand: 10,
  specials: 0,
  board: false,
  tall: 1.4,
  drawer: false,
  opponent: false,
};
const KINDS: Record<string, Partial<Needs>> = {
  base: {},
  "two-halves for two": { players: 2, lane: 2, hand: 25 },
  "ten players": { players: 10, lane: 10 },
  anniversary: { hand: 12, specials: 4, rows: 5 },
  "board, expert": {
    board: true,
    hand: 15,
    specials: 3,
    rows: 10,
    stalls: 8,
    lane: 12,
    players: 6,
    tall: 0.92,
  },
};

describe.each(Object.entries(KINDS))("%s", (_, more) => {
  test.each(SIZES)("fits %d × %d", (width, height) => {
    const plan = layout(width, height, { ...BASE, ...more });
    const { hand } = plan;
    expect(hand.card).toBeGreaterThanOrEqual(40);
    expect(hand.columns * hand.lines).toBeGreaterThanOrEqual(more.hand ?? BASE.hand);
    expect(hand.columns * hand.card + hand.specials * hand.special).toBeLessThanOrEqual(width);
    expect(hand.height).toBeLessThan(height * 0.42);
    expect(plan.pen).toBeGreaterThan(20);
  });
});

test("a window has one of three shapes", () => {
  expect(shapeOf(1440, 900)).toBe("desk");
  expect(shapeOf(390, 844)).toBe("upright");
  expect(shapeOf(844, 390)).toBe("low");
});

test("a board can be seen whole, read, and looked at closely", () => {
  expect(zooms(18, 30)).toEqual([18, 30, 40.5, expect.closeTo(54.7, 1), expect.closeTo(73.8, 1)]);
  expect(zooms(40, 40)[0]).toBe(40);
});

describe("a hand", () => {
  test("keeps its places when a card is played", () => {
    const dealt = keepPlaces([], [3, 7, 9]);
    expect(dealt.slice(0, 3)).toEqual([3, 7, 9]);
    expect(keepPlaces(dealt, [3, 9]).slice(0, 3)).toEqual([3, 0, 9]);
  });
  test("is sorted anew when a card comes", () => {
    const gap = keepPlaces(keepPlaces([], [3, 7, 9]), [3, 9]);
    expect(keepPlaces(gap, [3, 5, 9]).slice(0, 3)).toEqual([3, 5, 9]);
  });
  test("takes a card back into its gap, and lies anew where there is none", () => {
    expect(keepPlaces([3, 0, 9, 0], [3, 9, 12])).toEqual([3, 0, 9, 12]);
    expect(keepPlaces([3, 0, 9], [1, 3, 9])).toEqual([1, 3, 9]);
    expect(keepPlaces([3, 0, 9], [20])).toEqual([20]);
  });
  test("lies in the middle of its lines, the lowest line first", () => {
    expect(spread(3, 5, 1).map(({ halves }) => halves)).toEqual([2, 4, 6]);
    expect(spread(4, 5, 2)).toEqual([1, 3, 5, 7].map((halves) => ({ line: 1, halves })));
    expect(spread(7, 5, 2).map(({ line, halves }) => `${line}:${halves}`)).toEqual([
      "0:1", "0:3", "0:5", "0:7", "1:2", "1:4", "1:6",
    ]); // prettier-ignore
    expect(spread(7, 5, 2, true).map(({ halves }) => halves)).toEqual([0, 2, 4, 6, 2, 4, 6]);
  });
});

describe("the display of a draft", () => {
  test.each([
    [378, 450, 104], [308, 250, 104], [378, 450, 44], [308, 258, 24], [640, 300, 104], [900, 560, 104], [600, 250, 64],
  ])("in %i by %i pixels %i cards can be read and tapped", (width, height, count) => {
    const { columns, card, step, scrolls } = displayFit(width, height, count, 2);
    const lines = Math.ceil(count / columns);
    expect(card).toBeGreaterThanOrEqual(39.9);
    expect(columns * (card + 2) - 2).toBeLessThanOrEqual(width + 0.1);
    expect(step).toBeGreaterThanOrEqual(0.73 * card);
    if (!scrolls) expect(step * (lines - 1) + card * 1.4).toBeLessThanOrEqual(height + 1);
  }); // prettier-ignore
  test("covers no card where there is room", () => {
    const { card, step, scrolls } = displayFit(900, 560, 24, 5);
    expect([card, scrolls]).toEqual([92, false]);
    expect(step).toBeGreaterThanOrEqual(card * 1.4);
  });
});
