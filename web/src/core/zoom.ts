/** How large a board may be seen, from all of it to single spaces. */

const MOST = 76;
const STEP = 1.35;

/** Return the sizes of a space to choose from, given the one that shows all and the one that can be read. */
export function zooms(whole: number, readable: number): number[] {
  const found = whole < readable - 1 ? [whole, readable] : [readable];
  for (let next = readable * STEP; next <= MOST; next *= STEP) found.push(next);
  return found;
}
