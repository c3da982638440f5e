import { expect, test } from "vitest";
import type { Place } from "../src/core/flight";
import { strides } from "../src/core/run";

const place = (x: number, y: number): Place => ({ x, y, width: 105, height: 147 });

test.each([
  ["up to the left", { x: 100, y: 60 }],
  ["down to the left", { x: 100, y: 800 }],
  ["to the right", { x: 1300, y: 400 }],
  ["straight above", { x: 900, y: 20 }],
])("a run begins in the stall, passes the gate and ends %s", (_, seat) => {
  const stall = place(400, 420);
  const gate = place(900, 420);
  const way = strides(stall, gate, seat);
  expect(way[0]).toMatchObject({ x: 400, y: 420, size: 1 });
  expect(way.at(-1)!.x).toBeCloseTo(seat.x);
  expect(way.at(-1)!.y).toBeCloseTo(seat.y);
  expect(Math.max(...way.map((stride) => stride.x))).toBeGreaterThan(gate.x * 0.95);
  for (const { leans, size } of way) {
    expect(Math.abs(leans)).toBeLessThanOrEqual(24);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(1);
  }
});

test("an animal looks where it runs", () => {
  const way = strides(place(400, 420), place(900, 420), { x: 100, y: 60 });
  for (const [index, stride] of way.slice(1, -1).entries()) {
    const across = way[index + 2]!.x - way[index]!.x;
    if (Math.abs(across) > 1) expect(stride.looks).toBe(Math.sign(across));
  }
});
