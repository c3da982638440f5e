/** Analysis: hints and reviews are worked out by the server, which says how long it takes. */

import type { Hint, Hinting, Review, Reviewing, Seated, TryWish } from "../protocol";
import { call } from "./api";
import type { Standing } from "./reasons";

const AGAIN = 600;

/** Ask until there is an answer; `gone` says that nobody wants it any more. */
async function until<T extends Standing, R>(
  ask: () => Promise<T>,
  found: (state: T) => R | null | undefined,
  tell: (state: Standing) => void,
  gone: () => boolean,
): Promise<R | null> {
  while (!gone()) {
    const state = await ask();
    const answer = found(state);
    if (answer) return answer;
    tell(state);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
  return null;
}

/** A hint for the question of that number. */
export const hintFor = (
  code: string,
  ask: number,
  tell: (state: Standing) => void,
  gone: () => boolean,
): Promise<Hint | null> =>
  until(
    () => call<Hinting>(`/api/tables/${encodeURIComponent(code)}/hint`, { ask }),
    ({ hint }) => hint,
    tell,
    gone,
  );

/** The review of a finished game. */
export const reviewOf = (
  record: string,
  tell: (state: Standing) => void,
  gone: () => boolean,
): Promise<Review | null> =>
  until(
    () => call<Reviewing>(`/api/records/${encodeURIComponent(record)}/review`, {}),
    ({ review }) => review,
    tell,
    gone,
  );

/** A table of one's own that goes on from a moment of a finished game. */
export const tryFrom = (record: string, wish: TryWish): Promise<Seated> =>
  call<Seated>(`/api/records/${encodeURIComponent(record)}/try`, wish);
