/** The events by a name that does not collide with the browser's own. */

import type { Event } from "../protocol";

export type GameEvent = Event;
export type Told<T extends GameEvent["type"]> = Extract<GameEvent, { type: T }>;
