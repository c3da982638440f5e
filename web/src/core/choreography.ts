/** Choreography: what a beat of the game looks and sounds like, as cues for the timeline. */

import type { Beat } from "./beat";
import { endGame, endRound } from "./ending";
import { deal, follow, layRows, place, reveal } from "./placing";
import { take } from "./taking";
import type { Cue } from "./timeline";

export function direct(beat: Beat): Cue[] {
  const [event] = beat.events;
  if (!beat.root || !event) return [{ at: 0, run: beat.commit }];
  switch (event.type) {
    case "Dealt":
      return deal(beat);
    case "RowsStarted":
      return layRows(beat);
    case "Revealed":
    case "Reordered":
      return reveal(beat, event);
    case "Placed":
    case "Moved":
      return place(beat, event);
    case "Took":
    case "Shared":
      return take(beat, event);
    case "RoundEnded":
      return endRound(beat, event);
    case "GameEnded":
      return endGame(beat, event);
    default:
      return follow(beat, event);
  }
}
