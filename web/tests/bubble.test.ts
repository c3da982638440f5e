import { expect, test } from "vitest";
import { beside, type Box } from "../src/core/bubble";

const box = (left: number, top: number, width: number, height: number): Box => ({
  left, top, right: left + width, bottom: top + height,
}); // prettier-ignore
const SIZE = { width: 380, height: 120 };
function lies(at: { x: number; y: number }): Box {
  return box(at.x, at.y, SIZE.width, SIZE.height);
}
const apart = (one: Box, other: Box): boolean =>
  one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;

test("a bubble lies above what it speaks of, or below, and points there", () => {
  const desk = { width: 1440, height: 900 };
  const hand = [box(100, 700, 1200, 180)];
  expect(beside(hand, SIZE, desk, [], [])).toMatchObject({ side: "above", y: 700 - 120 - 8 });
  const row = [box(260, 20, 780, 160)];
  expect(beside(row, SIZE, desk, [], [])).toMatchObject({ side: "below", y: 188 });
});

test("where it speaks of all pens it covers neither them nor the question", () => {
  const desk = { width: 1440, height: 900 };
  const rows = [0, 1, 2, 3].map((row) => box(260, 8 + row * 162, 780, 160));
  const question = [box(450, 675, 520, 44)];
  const found = beside(rows, SIZE, desk, question, [box(100, 735, 1200, 160)]);
  expect(found.side).toBe("");
  for (const other of [...rows, ...question]) expect(apart(lies(found), other)).toBe(true);
});

test("on a phone it rather lies over the seats than over the question", () => {
  const rows = [0, 1, 2, 3].map((row) => box(5, 112 + row * 82, 380, 80));
  const question = [box(5, 535, 380, 90)];
  const found = beside(rows, SIZE, { width: 390, height: 844 }, question, [box(0, 630, 390, 210)]);
  expect(apart(lies(found), question[0]!)).toBe(true);
  expect(found.y).toBeLessThan(20);
});

test("without anything to speak of it lies at the bottom", () =>
  expect(beside([], SIZE, { width: 390, height: 844 }, [], [])).toEqual({
    x: 8,
    y: 844 - 120 - 8,
    side: "",
  }));
