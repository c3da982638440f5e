/** The events as the client reads them: those of the protocol, and the ones that single games add. */

import type { Event as Generated, Played } from "../protocol";

type Own =
  | { type: "Reordered"; plays: Played[] }
  | { type: "MarkerGone"; marker: string; row: number; why: string }
  | { type: "Cancelled"; seat: number; turned: number; cards: number[]; bullheads: number }
  | { type: "FlipsHeld"; seats: number[] }
  | { type: "StopsRemoved"; rows: number[] }
  | { type: "LuckDrawn"; seat: number; card: string }
  | { type: "ActionsShuffled"; count: number };

export type GameEvent = Generated | Own;
export type Told<T extends GameEvent["type"]> = Extract<GameEvent, { type: T }>;
