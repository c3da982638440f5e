/** Flights: where cards lay before something happened, and where they lie now. */

/** A place on the screen, by its middle. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Photograph = Map<string, { place: Place; node: HTMLElement }>;

/** A card that lies elsewhere now; `from` is missing where it was not seen before. */
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

/** Where every card lies now. */
export function photograph(root: ParentNode): Photograph {
  const cards: Photograph = new Map();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const card = node.dataset["card"]!;
    if (!cards.has(card)) cards.set(card, { place: placeOf(node), node });
  }
  return cards;
}

/** The cards that lie elsewhere now than in the photograph, or that it does not show. */
export function flights(before: Photograph, after: Photograph): Flight[] {
  const found: Flight[] = [];
  for (const [card, { place: to, node }] of after) {
    const from = before.get(card)?.place ?? null;
    const moved = !from || Math.abs(from.x - to.x) >= 1 || Math.abs(from.y - to.y) >= 1;
    if (to.width && moved) found.push({ card, node, from, to });
  }
  return found;
}

/** The frame that shows something that lies at `to` where it was. */
export function frameAt(from: Place, to: Place, turn = 0): string {
  const scale = Math.max(0.3, Math.min(2.5, from.width / to.width));
  const x = (from.x - to.x).toFixed(1);
  const y = (from.y - to.y).toFixed(1);
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale.toFixed(3)})`;
}
