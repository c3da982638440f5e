/** Who stands on the podium, and who sits in the mud. */

export interface Place {
  seat: number;
  name: string;
  rank: number;
  score: number;
}

const PLACES = 3;
/** The width of the podium, and of the room that a bale takes where three of them stand. */
const WIDE = 705;
const BALE = 235;
const MIDDLE = 350;

/** Give everybody who came first, second or third a bale, the best in the middle and the next beside them. */
export function standing(places: readonly Place[]): (Place & { x: number; size: number })[] {
  const found = places.filter(({ rank }) => rank <= PLACES);
  const step = Math.min(BALE, WIDE / found.length);
  const middle = (Math.max(found.length, PLACES) - 1) / 2;
  const slots = [...Array(Math.max(found.length, PLACES)).keys()].sort(
    (one, other) => Math.abs(one - middle) - Math.abs(other - middle) || one - other,
  );
  return found.map((place, index) => ({
    ...place,
    x: MIDDLE + (slots[index]! - middle) * step,
    size: step / BALE,
  }));
}

/** Who came last, alone and behind those on the podium. */
export function muddy(places: readonly Place[]): Place | undefined {
  const last = places.at(-1);
  const alone = places.filter(({ rank }) => rank === last?.rank).length === 1;
  return last && last.rank > PLACES && alone ? last : undefined;
}
