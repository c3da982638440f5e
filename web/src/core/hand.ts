/** The places of a hand: a card that is played leaves a gap, so that no other card moves. */

/** Return what lies in each place (0: nothing), given what lay there and what is held now. */
export function keepPlaces(before: readonly number[], hand: readonly number[]): number[] {
  const left = [...hand];
  const stayed = before.map((card) => {
    const place = card ? left.indexOf(card) : -1;
    if (place < 0) return 0;
    left.splice(place, 1);
    return card;
  });
  // A new deal lies anew; a card that comes back finds a gap, or the hand is sorted.
  if (!stayed.some(Boolean)) return [...hand];
  for (const card of left) {
    const gap = gapFor(stayed, card);
    if (gap < 0) return [...hand];
    stayed[gap] = card;
  }
  return stayed;
}

/** Find the gap in which a card would lie in order, or -1. */
function gapFor(places: readonly number[], card: number): number {
  return places.findIndex(
    (held, place) =>
      !held &&
      places.slice(0, place).every((other) => other <= card) &&
      places.slice(place + 1).every((other) => !other || other >= card),
  );
}

/** Where a place of a hand lies: its line, and how many half cards it stands from the left. */
export interface Spot {
  line: number;
  halves: number;
}

/** Spread a hand over its lines: evenly, each line in the middle, the lowest line first.
 *
 * Lines that cover each other keep to columns, so that every number is seen above the one before it.
 */
export function spread(count: number, columns: number, lines: number, covering = false): Spot[] {
  const used = Math.max(1, Math.ceil(count / columns));
  const most = Math.ceil(count / used);
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / most);
    const here = Math.min(most, count - line * most);
    const first = covering ? 2 * Math.floor((columns - here) / 2) : columns - here;
    return { line: Math.max(0, lines - used) + line, halves: first + 2 * (index % most) };
  });
}
