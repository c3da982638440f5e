import { expect, test } from "vitest";
import { muddy, standing } from "../src/core/podium";

const places = (...ranks: number[]) => ranks.map((rank, seat) => ({ seat, name: "", rank, score: 0 }));
const seats = (...ranks: number[]): number[] => standing(places(...ranks)).map(({ seat }) => seat);

test("three stand on bales, the best in the middle, and the last sits in the mud", () => {
  const found = standing(places(1, 2, 3, 4));
  expect(found.map(({ x, size }) => [x, size])).toEqual([[350, 1], [115, 1], [585, 1]]); // prettier-ignore
  expect(muddy(places(1, 2, 3, 4))?.seat).toBe(3);
});

test("whoever shares the third place stands too", () => {
  expect(seats(1, 2, 3, 3)).toEqual([0, 1, 2, 3]);
  expect(muddy(places(1, 2, 3, 3))).toBeUndefined();
  expect(muddy(places(1, 2, 3, 3, 5))?.seat).toBe(4);
  expect(muddy(places(1, 2, 3, 4, 4))).toBeUndefined();
});

test("more bales are smaller and stand beside each other", () => {
  for (const count of [4, 5, 10]) {
    const found = standing(places(...Array<number>(count).fill(1)));
    const room = found[0]!.size * 230;
    const middles = found.map(({ x }) => x).sort((one, other) => one - other);
    for (let next = 1; next < count; next += 1)
      expect(middles[next]! - middles[next - 1]!).toBeGreaterThan(room - 1);
    expect(middles[0]! - room / 2).toBeGreaterThanOrEqual(-5);
    expect(middles.at(-1)! + room / 2).toBeLessThanOrEqual(705);
  }
});

test("two players stand where they stood with three", () => {
  expect(standing(places(1, 2)).map(({ x }) => x)).toEqual([350, 115]);
});
