/** The places of a hand: a card that is played leaves a gap, so that no other card moves. */

/** The least places of a hand, so that it lies as a whole one does when we come in late. */
const LEAST = 10;

/** Return what lies in each place (0: nothing), given what lay there and what is held now. */
export function keepPlaces(before: readonly number[], hand: readonly number[]): number[] {
  const left = [...hand];
  const stayed = before.map((card) => {
    const place = card ? left.indexOf(card) : -1;
    if (place < 0) return 0;
    left.splice(place, 1);
    return card;
  });
  if (!left.length && stayed.length) return stayed;
  // Something has come: the hand is sorted anew.
  const size = Math.max(LEAST, hand.length, before.length);
  return Array.from({ length: size }, (_, place) => hand[place] ?? 0);
}
