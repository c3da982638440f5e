/** Tokens on the track: where they stand when several share a space, so that each is seen near its own. */

/** A token beside the middle of its space: its own middle, and how wide it is. */
export interface Spot {
  x: number;
  y: number;
  size: number;
}

const ALONE = 40;
/** Up to so many on a space stand in so many columns, each so wide. */
const CROWDS = [
  { most: 4, columns: 2, size: 27 },
  { most: 9, columns: 3, size: 21 },
  { most: Infinity, columns: 4, size: 18 },
];
/** How much of a token the next one leaves free. */
const SHOWS = 0.82;

/** Return the places of so many tokens on one space of the trail: one large, or a group of small ones. */
export function huddle(count: number): Spot[] {
  if (count === 1) return [{ x: 0, y: -12, size: ALONE }];
  const { columns, size } = CROWDS.find(({ most }) => count <= most)!;
  const lines = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, token) => {
    const line = Math.floor(token / columns);
    const across = Math.min(columns, count - line * columns);
    const x = ((token % columns) - (across - 1) / 2) * size * SHOWS;
    return { x, y: (line - (lines - 1) / 2) * size * SHOWS - 4, size };
  });
}

/** Tokens that push each other: where they want to be, added up, and who they are. */
interface Group {
  sum: number;
  seats: number[];
}

/** Move places on a line apart, so that neighbours have at least `step` between them, each as little as possible. */
export function apart(wanted: readonly number[], step: number, least: number, most: number): number[] {
  const order = [...wanted.keys()].sort((one, other) => wanted[one]! - wanted[other]! || one - other);
  // Those that push each other form a group, which stands around the middle of where they want to be.
  const groups: Group[] = [];
  for (const seat of order) {
    let group: Group = { sum: wanted[seat]!, seats: [seat] };
    for (
      let before = groups.at(-1);
      before && endOf(before, step) > startOf(group, step);
      before = groups.at(-1)
    ) {
      groups.pop();
      group = { sum: before.sum + group.sum, seats: [...before.seats, ...group.seats] };
    }
    groups.push(group);
  }
  const found: number[] = [];
  for (const group of groups) {
    const room = (group.seats.length - 1) * step;
    const start = Math.max(least, Math.min(most - room, startOf(group, step)));
    group.seats.forEach((seat, place) => (found[seat] = start + place * step));
  }
  return found;
}

const startOf = ({ sum, seats }: Group, step: number): number =>
  sum / seats.length - ((seats.length - 1) * step) / 2;
/** Where the next one may stand. */
const endOf = (group: Group, step: number): number => startOf(group, step) + group.seats.length * step;
