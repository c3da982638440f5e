/** Presence: who comes to a table, and who loses the line and has it back. */

import type { SeatInfo } from "../protocol";

/** What is worth telling of a seat's person. */
export interface Change {
  what: "joined" | "gone" | "back";
  seat: number;
}

type Sitting = Pick<SeatInfo, "kind" | "away">;
/** Whoever changes pages is back within this time, and was never gone. */
const GRACE = 4000;

/** Who sits down, who is offline for longer than it takes to change pages, and who is back from there. */
export class Presence {
  #people: readonly boolean[] | null = null;
  readonly #missed = new Map<number, number>();
  readonly #told = new Set<number>();

  /** Look at the table now; what has changed is told once. */
  look(seats: readonly Sitting[], connected: readonly boolean[], me: number | null, now: number): Change[] {
    const before = this.#people;
    this.#people = seats.map(({ kind }) => kind === "person");
    return seats.flatMap((seat, index): Change[] => {
      if (index === me || seat.kind !== "person") {
        this.#forget(index);
        return [];
      }
      if (before && !before[index]) {
        this.#forget(index);
        return [{ what: "joined", seat: index }];
      }
      const what = this.#line(index, !seat.away && connected[index] === false, !before, now);
      // What somebody does with the seat the server tells, with who did it.
      return what && !seat.away ? [{ what, seat: index }] : [];
    });
  }

  #line(seat: number, missing: boolean, first: boolean, now: number): "gone" | "back" | null {
    if (!missing) {
      this.#missed.delete(seat);
      return this.#told.delete(seat) ? "back" : null;
    }
    if (this.#told.has(seat)) return null;
    const since = this.#missed.get(seat) ?? now;
    this.#missed.set(seat, since);
    if (!first && now - since < GRACE) return null;
    this.#told.add(seat);
    // Whoever was gone when I came is seen to be.
    return first ? null : "gone";
  }

  #forget(seat: number): void {
    this.#missed.delete(seat);
    this.#told.delete(seat);
  }
}
