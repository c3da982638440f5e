/** Walking over the free spaces of a board by arrow keys: one of them is reached by Tab, the others from there. */

export interface Spot {
  row: number;
  space: number;
}
/** For every row the places that no tile lies on. */
export type Free = readonly (readonly number[])[];

/** The space that Tab leads to: the one that was looked at last, as long as it is free, or else the first. */
export function entrance(free: Free, last: Spot | null): Spot | null {
  if (last && free[last.row]?.includes(last.space)) return last;
  const row = free.findIndex((spaces) => spaces.length > 0);
  return row < 0 ? null : { row, space: free[row]![0]! };
}

/** Where a key leads from a space; nowhere if it is no arrow, or the board ends there. */
export function walk(free: Free, { row, space }: Spot, key: string): Spot | null {
  const here = free[row] ?? [];
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const next = key === "ArrowRight" ? here.find((one) => one > space) : here.findLast((one) => one < space);
    return next === undefined ? null : { row, space: next };
  }
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  for (let to = row + step; step && to >= 0 && to < free.length; to += step) {
    const near = [...free[to]!].sort((one, other) => Math.abs(one - space) - Math.abs(other - space))[0];
    if (near !== undefined) return { row: to, space: near };
  }
  return null;
}
