/** Where a bubble lies that speaks of something on the table: beside it, never on the question. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Beside {
  x: number;
  y: number;
  /** Where it lies seen from what it speaks of, where it can point there. */
  side: "" | "above" | "below";
}

const EDGE = 8;
/** How bad it is to cover a pixel of the question, of what is spoken of, and of what else is needed. */
const QUESTION = 1000;
const SPOKEN_OF = 10;
const NEEDED = 3;

function common(one: Box, other: Box): number {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, wide) * Math.max(0, high);
}

/** Find the place of a bubble in a window: above or below where that is free, else where it covers least. */
export function beside(
  spots: readonly Box[],
  size: { width: number; height: number },
  window: { width: number; height: number },
  question: readonly Box[],
  needed: readonly Box[],
): Beside {
  const { width, height } = size;
  const within = (at: number, most: number): number => Math.max(EDGE, Math.min(at, most - EDGE));
  const placed = (x: number, y: number, side: Beside["side"] = ""): Beside => ({
    x: within(x, window.width - width),
    y: within(y, window.height - height),
    side,
  });
  if (!spots.length) return placed((window.width - width) / 2, window.height);
  const left = Math.min(...spots.map((spot) => spot.left));
  const right = Math.max(...spots.map((spot) => spot.right));
  const top = Math.min(...spots.map((spot) => spot.top));
  const bottom = Math.max(...spots.map((spot) => spot.bottom));
  const middle = (left + right - width) / 2;
  const half = (top + bottom - height) / 2;
  const tried = [
    placed(middle, top - height - EDGE, "above"),
    placed(middle, bottom + EDGE, "below"),
    placed(right + EDGE, half),
    placed(left - width - EDGE, half),
    placed(middle, 0),
    placed(middle, window.height),
  ];
  const cost = ({ x, y }: Beside): number => {
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    const over = (boxes: readonly Box[]): number => boxes.reduce((sum, other) => sum + common(box, other), 0);
    return QUESTION * over(question) + SPOKEN_OF * over(spots) + NEEDED * over(needed);
  };
  const best = tried.reduce((found, other) => (cost(other) < cost(found) ? other : found));
  const covers = spots.some((spot) => common({ left: best.x, top: best.y, right: best.x + width, bottom: best.y + height }, spot)); // prettier-ignore
  return covers ? { ...best, side: "" } : best;
}
