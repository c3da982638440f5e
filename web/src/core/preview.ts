/** Second sight: where a card would go now and what is unseen, as the server says; the client could not tell. */

import type { AskOption, Foreseen, Looks } from "../protocol";

/** What was said about an option: one card after another, in the order in which they would be placed. */
export function foreseen(looks: Looks | null, option: AskOption | null): readonly Foreseen[] {
  return (option && looks?.goes[option.notation]) ?? [];
}

/** What was said about the first card of an option, if anything was. */
export function goesTo(looks: Looks | null, option: AskOption | null): Foreseen | undefined {
  return foreseen(looks, option)[0];
}

/** What would stand in a stall: the cards that lie there, or one that would come. */
export interface Stall {
  stack: readonly number[];
  ghost?: Foreseen;
}

/** The places of a row as they would be: a card that would go elsewhere is gone, one that would come is there. */
export function foreseenRow(
  lying: readonly (readonly number[])[],
  row: number,
  goes: readonly Foreseen[],
): Stall[] {
  const stalls: Stall[] = lying.map((stack) => ({ stack }));
  for (const one of goes) {
    const from = stalls.findIndex(({ stack }) => stack.length === 1 && stack[0] === one.card);
    if (from >= 0 && one.row !== null && one.row !== row) stalls.splice(from, 1);
    if (one.row !== row || one.takes) continue;
    // A twin that comes to lie on its like is shown behind the row, as there is no stall for it.
    const twin = stalls.some(({ stack }) => stack.includes(one.card));
    stalls.splice(twin ? stalls.length : one.place, 0, { stack: [], ghost: one });
  }
  return stalls;
}
