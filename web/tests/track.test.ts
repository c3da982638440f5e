import { expect, test } from "vitest";
import { apart, huddle } from "../src/core/track";

/** A space of the trail, and the most that a group may cover of its neighbours. */
const WIDE = 34;
const HIGH = 56;

test.each([1, 2, 3, 4, 5, 7, 9, 10])("%i tokens on a space stay there, and each is seen", (count) => {
  const spots = huddle(count);
  expect(spots).toHaveLength(count);
  for (const { x, y, size } of spots) {
    expect(Math.abs(x) + size / 2).toBeLessThanOrEqual(WIDE);
    expect(Math.abs(y) + size / 2).toBeLessThanOrEqual(HIGH * 0.6);
  }
  for (const [index, one] of spots.entries())
    for (const other of spots.slice(index + 1))
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.size / 2);
});

test("on the ruler tokens make room for each other, and no more than they must", () => {
  expect(apart([10, 50, 90], 16, 0, 100)).toEqual([10, 50, 90]);
  expect(apart([50, 50], 16, 0, 100)).toEqual([42, 58]);
  expect(apart([58, 42, 50], 16, 0, 100)).toEqual([66, 34, 50]);
  expect(apart([0, 0], 16, 0, 100)).toEqual([0, 16]);
  const ten = apart(Array<number>(10).fill(200), 17, 12, 388);
  expect(new Set(ten).size).toBe(10);
  expect(Math.max(...ten) - Math.min(...ten)).toBe(9 * 17);
});
