/** Flights: cards glide from where they lay to where they lie now. Only transforms, so that slow phones keep up. */

export interface Photograph {
  cards: Map<string, { rect: DOMRect; node: HTMLElement }>;
}

/** Where every card lies now. */
export function photograph(root: ParentNode): Photograph {
  const cards: Photograph["cards"] = new Map();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const card = node.dataset["card"]!;
    if (!cards.has(card)) cards.set(card, { rect: node.getBoundingClientRect(), node });
  }
  return { cards };
}

const EASE = "cubic-bezier(.22,.8,.3,1)";

/** Let every card that has moved glide; a new one comes from its owner's place, a taken one goes there. */
export function fly(
  root: ParentNode,
  before: Photograph,
  ms: number,
  owner: (card: string) => Element | null,
): void {
  const seen = new Set<string>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const card = node.dataset["card"]!;
    if (seen.has(card)) continue;
    seen.add(card);
    const from = before.cards.get(card)?.rect ?? owner(card)?.getBoundingClientRect();
    if (from) glide(node, from, ms);
  }
  for (const [card, { rect, node }] of before.cards) {
    const goal = seen.has(card) ? null : owner(card);
    if (goal) carryOff(node, rect, goal.getBoundingClientRect(), ms);
  }
}

function glide(node: HTMLElement, from: DOMRect, ms: number): void {
  const to = node.getBoundingClientRect();
  if (!to.width || !from.width) return;
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = Math.max(0.3, Math.min(2, from.width / to.width));
  node.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    { duration: ms, easing: EASE },
  );
}

function carryOff(node: HTMLElement, from: DOMRect, to: DOMRect, ms: number): void {
  const ghost = node.cloneNode(true) as HTMLElement;
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("data-card");
  Object.assign(ghost.style, {
    position: "fixed",
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    margin: "0",
    zIndex: "50",
    pointerEvents: "none",
  });
  document.body.append(ghost);
  const x = to.left + to.width / 2 - (from.left + from.width / 2);
  const y = to.top + to.height / 2 - (from.top + from.height / 2);
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${x}px, ${y}px) scale(.35)`, opacity: 0.15 },
    ],
    { duration: ms, easing: "ease-in" },
  );
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
