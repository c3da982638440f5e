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
