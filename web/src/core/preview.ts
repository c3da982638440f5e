/** Where a card would go now, as the server says; the client itself could not tell. */

import type { AskInfo, AskOption } from "../protocol";

export interface Goes {
  row: number | null;
  place: number;
  takes: boolean;
  bullheads: number;
}

/** What the ask says about an option, if it says anything. */
export function goesTo(ask: AskInfo | null, option: AskOption | null): Goes | undefined {
  if (!ask || !option) return undefined;
  const all = (ask as { goes?: Record<string, Goes> }).goes;
  return all?.[option.notation];
}
