/** What a finger may point at: handed down to everything on the table that can be tapped. */

import type { Token } from "./choosing";

export interface Pointer {
  tappable: ReadonlySet<Token>;
  selection: readonly Token[];
  tap: (token: Token) => void;
}

export const NOTHING: Pointer = { tappable: new Set(), selection: [], tap: () => undefined };
