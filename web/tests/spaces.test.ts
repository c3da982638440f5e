import { expect, test } from "vitest";
import { entrance, walk, type Free } from "../src/core/spaces";

const BOARD: Free = [[2, 3, 5], [], [0, 4], [1]];

test("Tab leads to the first free space, and back to the one that was left", () => {
  expect(entrance(BOARD, null)).toEqual({ row: 0, space: 2 });
  expect(entrance(BOARD, { row: 2, space: 4 })).toEqual({ row: 2, space: 4 });
  expect(entrance(BOARD, { row: 2, space: 3 })).toEqual({ row: 0, space: 2 });
  expect(entrance([[], []], null)).toBeNull();
});

test("arrows walk over tiles, and over rows without a free space to the nearest one", () => {
  expect(walk(BOARD, { row: 0, space: 3 }, "ArrowRight")).toEqual({ row: 0, space: 5 });
  expect(walk(BOARD, { row: 0, space: 5 }, "ArrowLeft")).toEqual({ row: 0, space: 3 });
  expect(walk(BOARD, { row: 0, space: 5 }, "ArrowDown")).toEqual({ row: 2, space: 4 });
  expect(walk(BOARD, { row: 3, space: 1 }, "ArrowUp")).toEqual({ row: 2, space: 0 });
});

test("the board ends at its edges, and other keys are not ours", () => {
  expect(walk(BOARD, { row: 0, space: 2 }, "ArrowLeft")).toBeNull();
  expect(walk(BOARD, { row: 0, space: 2 }, "ArrowUp")).toBeNull();
  expect(walk(BOARD, { row: 3, space: 1 }, "ArrowDown")).toBeNull();
  expect(walk(BOARD, { row: 0, space: 2 }, "Enter")).toBeNull();
});
