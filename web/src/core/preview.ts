/** Second sight: where a card would go now and what is unseen, as the server says; the client could not tell. */

import type { AskOption, Goes, Looks } from "../protocol";

/** What was said about an option, if anything was. */
export function goesTo(looks: Looks | null, option: AskOption | null): Goes | undefined {
  return option ? looks?.goes[option.notation] : undefined;
}
