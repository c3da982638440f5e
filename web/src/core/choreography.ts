/** Choreography: what a beat of the game looks and sounds like, as cues for the timeline. */

import { flushSync } from "svelte";
import type { GameEvent } from "./events";
import { flights, frameAt, photograph, placeOf, type Place } from "./flight";
import { lengthOf } from "./pace";
import type { Stage } from "./stage.svelte";
import type { Cue } from "./timeline";

/** A beat that is about to be shown. */
export interface Scene {
  stage: Stage;
  beat: readonly GameEvent[];
  /** Whether nothing shall fly. */
  still: boolean;
  /** What the log says of it. */
  says: string;
  /** Change the position as the beat says. */
  commit: () => void;
}

const EASE = "cubic-bezier(.22,.8,.3,1)";

export function direct(scene: Scene): Cue[] {
  return [{ at: 0, run: () => glide(scene) }];
}

/** Change the position, and let every card that lies elsewhere now glide there. */
function glide({ stage, beat, still, commit }: Scene): void {
  const { root, timeline } = stage;
  const [event] = beat;
  if (!root || !event || still) {
    commit();
    return;
  }
  const before = photograph(root);
  flushSync(commit);
  timeline.drop();
  for (const { card, node, from, to } of flights(before, photograph(root))) {
    const start = from ?? ownerPlace(root, event, Number(card));
    if (!start?.width) continue;
    timeline.animate(node, [{ transform: frameAt(start, to) }, { transform: "none" }], {
      duration: lengthOf(beat) * 0.85,
      easing: EASE,
    });
  }
}

/** The place at the table that a card comes from with this event. */
function ownerPlace(root: ParentNode, event: GameEvent, card: number): Place | null {
  const seat = seatOf(event, card);
  const node = seat === undefined ? null : root.querySelector(`[data-seat="${seat}"]`);
  return node && placeOf(node);
}

function seatOf(event: GameEvent, card: number): number | undefined {
  switch (event.type) {
    case "Revealed":
      return event.plays.find((played) => played.card === card)?.seat;
    case "Laid":
    case "Drafted":
    case "Kept":
    case "ReturnedToHand":
    case "Dealt":
      return event.seat;
    default:
      return undefined;
  }
}
