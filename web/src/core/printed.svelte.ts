/** What is printed on the cards of the game that is shown, where nobody says otherwise. */

import { HEADS } from "../protocol";

let heads = $state.raw<readonly number[]>(HEADS);

/** Show the cards of a game from now on; one that says nothing of them has those of the family. */
export function printOn(found: readonly number[] = []): void {
  heads = found.length ? found : HEADS;
}

/** The bullheads by card. */
export const printedHeads = (): readonly number[] => heads;
