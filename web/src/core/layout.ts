/** The layout: how large everything is, from the window's width and height and what a game lays on the table.
 *
 * The state of a trick never enters, so nothing moves that no card moved. Lengths are pixels.
 */

/** What a table has to find room for. */
export interface Needs {
  players: number;
  /** Rows, and the places of the longest. */
  rows: number;
  stalls: number;
  /** The most cards that wait to be placed at a time. */
  lane: number;
  /** The most cards in one's hand, 0 for a spectator. */
  hand: number;
  /** Special cards of one's own or the team's: the kinds that may lie beside the hand. */
  specials: number;
  /** Whether there is a board with its track. */
  board: boolean;
  /** The height of a hand card by its width: 1.4 for a card, 0.92 for a tile. */
  tall: number;
  /** Whether the drawer stands open beside the table. */
  drawer: boolean;
  /** Whether there is an opponent who needs a place among the seats. */
  opponent: boolean;
}

/** Three ways to share a window: a desktop, a phone upright, a phone sideways. */
export type Shape = "desk" | "upright" | "low";

export interface Hand {
  columns: number;
  lines: number;
  card: number;
  /** From one line to the next. */
  step: number;
  /** A special card's width, how many lie side by side, and from one line of them to the next. */
  special: number;
  specials: number;
  specialStep: number;
  /** Between the cards of a line. */
  gap: number;
  height: number;
}

export interface Layout {
  shape: Shape;
  yard: number;
  side: number;
  ask: number;
  hand: Hand;
  /** How the seats are set: columns and lines, and the height of a line where they stand on top. */
  seatColumns: number;
  seatLines: number;
  seatHeight: number;
  /** The width of a pen; for a board, of a space. */
  pen: number;
  /** The width of a card in the lane, its columns and lines. */
  lane: number;
  laneColumns: number;
  laneLines: number;
  /** The lane's own width (beside the pens) or height (below them). */
  laneRoom: number;
  /** For a board: the space with which all of it is seen, and the lane's box (0: as wide as there is room). */
  whole: number;
  laneWide: number;
  laneHigh: number;
  /** The track: a trail beside the board with this width, or a ruler above it. */
  trail: number;
}

const PEN = 782;
const PEN_HEIGHT = 164;
const GAP = 6;
const LEAST_TAP = 40;
const LIFT = 10;
/** How much of a covered card shows: all of its number. */
const SHOWS = 0.6;

export function shapeOf(width: number, height: number): Shape {
  if (height > width) return "upright";
  return height <= 520 ? "low" : "desk";
}

/** Lay everything out. */
export function layout(width: number, height: number, needs: Needs): Layout {
  const shape = shapeOf(width, height);
  const hand = handFit(width, height, shape, needs);
  if (shape === "desk") return desk(width, height, needs, hand);
  return shape === "low" ? low(width, height, needs, hand) : upright(width, height, needs, hand);
}

/** Find the lines of a hand: as few as leave every card large enough to be read and tapped. */
export function handFit(width: number, height: number, shape: Shape, needs: Needs): Hand {
  const { hand: count, tall, specials } = needs;
  const share = shape === "upright" ? 0.125 : shape === "low" ? 0.22 : 0.18;
  const largest = Math.min((height * share) / Math.max(tall, 1.15), shape === "upright" ? 104 : 150);
  const liked = shape === "upright" ? 54 : shape === "low" ? 44 : 62;
  let best: Hand | null = null;
  for (let lines = 1; lines <= 5; lines += 1) {
    const found = inLines(width, height, lines, Math.max(count, 1), largest, needs);
    best = found;
    const enough = lines === 1 ? liked : LEAST_TAP;
    if (found.card >= Math.min(enough, largest)) break;
  }
  const fit = best!;
  return count || specials ? fit : { ...fit, height: 0 };
}

function inLines(
  width: number,
  height: number,
  lines: number,
  count: number,
  largest: number,
  needs: Needs,
): Hand {
  const columns = Math.ceil(count / lines);
  const tight = width < 600;
  const gap = tight ? (columns > 8 ? 0 : columns > 6 || width < 340 ? 1 : 4) : GAP;
  const pad = tight ? (columns > 8 ? 0 : 3) : 14;
  const free = width - 2 * pad;
  // Special cards lie beside the hand in as many lines, or in two where tiles are low.
  const low = needs.tall < 1.2;
  const stacks = low ? Math.min(lines, 2) : lines;
  const across = Math.ceil(needs.specials / stacks);
  const room = needs.specials ? (tight ? 12 : 28) : 0;
  const share = (card: number): number =>
    Math.min(Math.max(card, 44), 120, Math.max(44, (card * needs.tall * lines) / stacks / 1.4));
  let card = Math.min(largest, (free - gap * (columns - 1)) / columns);
  let each = 0;
  for (let turn = 0; needs.specials && turn < 6; turn += 1) {
    each = share(card);
    card = Math.min(largest, (free - room - across * (each + gap) - gap * (columns - 1)) / columns);
  }
  const high = card * needs.tall;
  const roomy = lines === 1 || (lines * (high + 5) + LIFT) / height < (height > 740 ? 0.27 : 0.2);
  const step = roomy ? high + 5 : Math.max(high * SHOWS, Math.min(high, 31));
  const own = high + (lines - 1) * step;
  const apart = stacks < 2 || (roomy && !low);
  const specialStep = apart ? each * 1.4 + 5 : each * 1.4 * SHOWS;
  const piled = each * 1.4 + (stacks - 1) * specialStep;
  return {
    columns,
    lines,
    card: floor(card),
    step: floor(step),
    special: floor(each),
    specials: across,
    specialStep: floor(specialStep),
    gap,
    height: Math.ceil(Math.max(own, needs.specials ? piled : 0) + LIFT + 4),
  };
}

const floor = (n: number): number => Math.floor(n * 10) / 10;
const within = (least: number, n: number, most: number): number => Math.min(most, Math.max(least, n));

function desk(width: number, height: number, needs: Needs, hand: Hand): Layout {
  const seats = needs.players + (needs.opponent ? 1 : 0);
  const twoWide = seats > 6;
  const yard = twoWide ? within(188, width * 0.2, 330) : within(150, width * 0.16, 250);
  const side = needs.drawer ? (width >= 1700 ? 330 : width >= 1360 ? 292 : 268) : 0;
  const ask = 56;
  const mid = { width: width - yard - side - 30, height: height - ask - hand.height - 14 };
  const middle = needs.board ? boardBeside(mid, needs) : pensBeside(mid, needs);
  const columns = twoWide ? 2 : 1;
  return {
    shape: "desk",
    yard,
    side,
    ask,
    hand,
    seatColumns: columns,
    seatLines: Math.ceil(needs.players / columns),
    seatHeight: 0,
    ...middle,
  };
}

function low(width: number, height: number, needs: Needs, hand: Hand): Layout {
  const narrow = width / height < 1.9;
  const columns = needs.players > 5 || narrow || needs.opponent ? 2 : 1;
  const yard = narrow ? 196 : columns === 2 ? within(150, width * 0.21, 200) : within(112, width * 0.17, 150);
  const side = narrow ? 0 : within(150, width * 0.22, 210);
  const mid = { width: width - yard - side - 26, height: height - hand.height - 10 };
  const middle = needs.board ? boardBeside(mid, needs) : pensBeside(mid, needs);
  return {
    shape: "low",
    yard,
    side,
    ask: narrow ? 138 : 0,
    hand,
    seatColumns: columns,
    seatLines: Math.ceil(needs.players / columns),
    seatHeight: 0,
    ...middle,
  };
}

function upright(width: number, height: number, needs: Needs, hand: Hand): Layout {
  const wide = width >= 600;
  const most = needs.opponent ? 3 : wide ? 6 : needs.players > 8 ? 5 : 4;
  const lines = Math.ceil(needs.players / most);
  const columns = Math.ceil(needs.players / lines);
  const seatHeight = wide ? within(60, height * 0.076, 84) : within(lines > 1 ? 41 : 44, height * 0.058, 64);
  const ask = wide ? 104 : 92;
  const bar = 46;
  const seats = Math.max(lines * seatHeight + (lines - 1) * 5, needs.opponent ? 96 : 0);
  const mid = { width: width - 12, height: height - bar - seats - ask - hand.height - 16 };
  const middle = needs.board ? boardBelow(mid, needs) : pensAbove(mid, needs);
  return {
    shape: "upright",
    yard: seats,
    side: 0,
    ask,
    hand,
    seatColumns: columns,
    seatLines: lines,
    seatHeight,
    ...middle,
  };
}

interface Box {
  width: number;
  height: number;
}
type Middle = Pick<
  Layout,
  "pen" | "whole" | "lane" | "laneColumns" | "laneLines" | "laneRoom" | "laneWide" | "laneHigh" | "trail"
>;
const NO_BOARD = { whole: 0, laneWide: 0, laneHigh: 0, trail: 0 };

const penHeight = (pen: number, rows: number): number => (pen * (rows * PEN_HEIGHT + (rows - 1) * 6)) / PEN;
const penFor = (height: number, rows: number): number =>
  (height * PEN) / (rows * PEN_HEIGHT + (rows - 1) * 6);

/** The lane stands beside the pens, along their gates. */
function pensBeside({ width, height }: Box, needs: Needs): Middle {
  const tallest = penFor(height, needs.rows);
  let best: Middle | null = null;
  for (let columns = 1; columns <= 4; columns += 1) {
    const lines = Math.ceil(Math.max(1, needs.lane) / columns);
    let pen = Math.min(tallest, width * 0.9);
    let lane = 0;
    let laneRoom = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      lane = Math.min(pen * 0.105, (penHeight(pen, needs.rows) / lines - 7) / 1.4);
      laneRoom = columns * (lane + 9) + 12;
      pen = Math.min(tallest, width - laneRoom - 10);
    }
    if (!best || lane > best.lane * 1.12) {
      best = { pen: floor(pen), lane: floor(lane), laneColumns: columns, laneLines: lines, laneRoom: floor(laneRoom), ...NO_BOARD };
    }
  }
  return best!;
} // prettier-ignore

/** The lane lies below the pens. */
function pensAbove({ width, height }: Box, needs: Needs): Middle {
  let best: Middle | null = null;
  for (let lines = 1; lines <= 3; lines += 1) {
    const columns = Math.ceil(Math.max(1, needs.lane) / lines);
    const most = within(44, height * 0.15, 110);
    const lane = Math.min((width - 16) / columns - 4, (most / lines - 5) / 1.4);
    const laneRoom = lines * (lane * 1.4 + 5) + 6;
    const pen = Math.min(width, penFor(height - laneRoom - 8, needs.rows));
    if (!best || lane > best.lane * 1.15) {
      best = { pen: floor(pen), lane: floor(lane), laneColumns: columns, laneLines: lines, laneRoom: floor(laneRoom), ...NO_BOARD };
    }
  }
  return best!;
} // prettier-ignore

/** How wide a space is when a whole board fills a box; a marker may stand at the end of its longest row. */
function spaceFor(width: number, height: number, needs: Needs): number {
  return Math.min((width - 8) / (needs.stalls * 1.05 + 0.95), (height - 6) / (needs.rows * 1.015));
}

const READABLE_SPACE = 30;
const TILE = 0.92;
/** The trail's height by its width. */
const TRAIL = 534 / 368;

/** The board on the left; beside it the trail and the lane. */
function boardBeside(box: Box, needs: Needs): Middle {
  const { width, height } = box;
  if (width <= 700 || height <= 420) return boardBesideLane(box, needs);
  const lane = within(34, width / 20, 48);
  let trail = Math.min(within(230, width * 0.37, 440), (height - 2 * lane - 30) / TRAIL);
  const pen = Math.max(READABLE_SPACE, spaceFor(width - trail - 24, height, needs));
  const columns = Math.min(needs.lane, Math.floor((trail - 4) / (lane + 7)));
  const lines = Math.ceil(needs.lane / columns);
  const laneHigh = lines * (lane * TILE + 7) + 8;
  trail = Math.min(trail, (height - laneHigh - 14) / TRAIL);
  return {
    ...{ pen: floor(pen), whole: floor(pen), lane: floor(lane), laneColumns: columns, laneLines: lines },
    ...{ laneRoom: floor(laneHigh), laneWide: floor(trail), laneHigh: floor(laneHigh), trail: floor(trail) },
  };
}

/** A low window: a ruler above the board, the lane beside it. */
function boardBesideLane({ width, height }: Box, needs: Needs): Middle {
  const lines = Math.min(needs.lane, Math.max(3, Math.floor(height / 46)));
  const columns = Math.ceil(needs.lane / lines);
  const lane = within(26, (height / lines - 8) / TILE, 40);
  const laneRoom = columns * (lane + 8) + 10;
  const whole = spaceFor(width - laneRoom - 14, height - 46, needs);
  return {
    ...{ pen: floor(Math.max(READABLE_SPACE, whole)), whole: floor(whole), lane: floor(lane), trail: 0 },
    ...{ laneColumns: columns, laneLines: lines, laneRoom: floor(laneRoom) },
    ...{ laneWide: floor(laneRoom), laneHigh: floor(Math.min(height, lines * (lane * TILE + 8) + 8)) },
  };
}

/** A ruler above the board, the lane below it. */
function boardBelow({ width, height }: Box, needs: Needs): Middle {
  const lane = within(20, (width - 16) / Math.max(1, needs.lane) - 3, 44);
  const laneRoom = lane * TILE + 10;
  const whole = spaceFor(width, height - laneRoom - 60, needs);
  return {
    ...{ pen: floor(Math.max(READABLE_SPACE, whole)), whole: floor(whole), lane: floor(lane), trail: 0 },
    ...{ laneColumns: needs.lane, laneLines: 1, laneRoom: floor(laneRoom) },
    ...{ laneWide: 0, laneHigh: floor(laneRoom) },
  };
}

/** Where the cards of a draft lie: so many in a line, each so wide, and from one line to the next. */
export interface Picks {
  columns: number;
  card: number;
  step: number;
  /** Whether there is no room for all of them at a size that can be tapped. */
  scrolls: boolean;
}

const LARGEST_PICK = 92;
/** How much of a covered card shows, by its width: all of its number. */
const PICK_SHOWS = 0.74;

/** As large as lets all cards of a display lie in a box; never too small to be tapped, rather one over the other. */
export function displayFit(width: number, height: number, count: number, gap: number): Picks {
  let best: Picks = { columns: 4, card: 0, step: 0, scrolls: false };
  for (let columns = 4; columns <= 24; columns += 1) {
    const lines = Math.ceil(count / columns);
    const card = Math.min((width + gap) / columns - gap, (height / lines - gap) / 1.4, LARGEST_PICK);
    if (card > best.card)
      best = { columns, card: floor(card), step: floor(card * 1.4 + gap), scrolls: false };
  }
  if (best.card >= LEAST_TAP) return best;
  const columns = Math.floor((width + gap) / (LEAST_TAP + gap));
  const card = Math.min((width + gap) / columns - gap, LARGEST_PICK);
  const lines = Math.ceil(count / columns);
  const step = Math.max(PICK_SHOWS * card, (height - card * 1.4) / Math.max(1, lines - 1));
  const scrolls = step * (lines - 1) + card * 1.4 > height + 0.5;
  return { columns, card: floor(card), step: floor(step), scrolls };
}
