/** Flights: where cards lay before something happened, and where they lie now. */

/** A place on the screen, by its middle. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Photograph = Map<string, { place: Place; node: HTMLElement }>;

/** A thing that lies elsewhere now; `from` is missing where it was not seen before. */
export interface Flight {
  card: string;
  node: HTMLElement;
  from: Place | null;
  to: Place;
}

export function placeOf(node: Element): Place {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
}

const THINGS = "[data-card], [data-marker], [data-token-of]";

/** Where everything lies now that may move: cards by number, markers by name, and the tokens of seats. */
export function photograph(root: ParentNode): Photograph {
  const found: Photograph = new Map();
  for (const node of root.querySelectorAll<HTMLElement>(THINGS)) {
    const { card, marker, tokenOf } = node.dataset;
    const key = card ?? (marker ? `marker:${marker}` : `token:${tokenOf}`);
    if (!found.has(key)) found.set(key, { place: placeOf(node), node });
  }
  return found;
}

/** The things that lie elsewhere now than in the photograph, or that it does not show. */
export function flights(before: Photograph, after: Photograph): Flight[] {
  const found: Flight[] = [];
  for (const [card, { place: to, node }] of after) {
    const from = before.get(card)?.place ?? null;
    const moved = !from || Math.abs(from.x - to.x) >= 1 || Math.abs(from.y - to.y) >= 1;
    if (to.width && moved) found.push({ card, node, from, to });
  }
  return found;
}
