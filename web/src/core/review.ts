/** What a review shows: lines, mistakes, and where a result came from, read from what the server found. */

import type { Judged, PositionInfo, Review, Worth } from "../protocol";

/** So much has to be given away before a choice is called dear. */
const DEAR = ["inaccuracy", "mistake", "blunder"];

/** The rounds of a game, by number. */
export function roundsOf(review: Review): number[] {
  return [...new Set(review.shares.map((share) => share.round))].sort((one, other) => one - other);
}

/** What a seat's round came from, in what the game counts: these four add up to its result. */
export interface Origins {
  par: number;
  deal: number;
  others: number;
  own: number;
  result: number;
}

export function originsOf(review: Review, seat: number, round: number): Origins {
  const usual = (review.players[seat]?.par ?? 0) / Math.max(1, roundsOf(review).length);
  const sums = { deal: 0, others: 0, own: 0 };
  for (const share of review.shares) {
    if (share.seat !== seat || share.round !== round) continue;
    sums.deal += share.deal;
    sums.others += share.others;
    sums.own += share.own;
  }
  const result = usual + sums.deal + sums.others + sums.own;
  return {
    par: usual / 1000,
    deal: sums.deal / 1000,
    others: sums.others / 1000,
    own: sums.own / 1000,
    result: result / 1000,
  };
}

/** The tricks of a round in which anybody decided anything. */
export function tricksOf(review: Review, round: number): number {
  return Math.max(1, ...review.decisions.filter((one) => one.round === round).map((one) => one.trick));
}

/** What a seat could expect of a round: after the deal, after each trick, and what it came to. */
export function curveOf(review: Review, seat: number, round: number): number[] {
  const tricks = tricksOf(review, round);
  const mine = review.decisions.filter(
    (one) => one.seat === seat && one.round === round && one.word !== "forced",
  );
  const { par, deal, result } = originsOf(review, seat, round);
  const line: number[] = [];
  for (let trick = 1; trick <= tricks; trick += 1) {
    const first = mine.find((one) => one.trick === trick);
    line.push(first ? first.expected : (line.at(-1) ?? par + deal));
  }
  return [...line, result];
}

/** The choices of a seat that gave most away, in their order. */
export function mistakesOf(review: Review, seat: number, round: number | null, most = 3): Judged[] {
  return review.decisions
    .filter((one) => one.seat === seat && (round === null || one.round === round) && DEAR.includes(one.word))
    .sort((one, other) => other.cost - one.cost)
    .slice(0, most)
    .sort((one, other) => one.moment - other.moment);
}

/** What is worth looking at first: the dearest mistake, else the first real choice. */
export function dearest(review: Review, seat: number, round: number): Judged | null {
  const mine = review.decisions.filter((one) => one.seat === seat && one.round === round);
  const real = mine.filter((one) => one.word !== "forced");
  return real.reduce<Judged | null>((most, one) => (!most || one.cost > most.cost ? one : most), null);
}

export const worthOf = (one: Judged, choice: string): Worth | undefined =>
  one.options.find((option) => option.choice === choice);

/** Where an answer leads on the table: a stall of a row, or its gate; nowhere that can be shown. */
export interface Target {
  row: number;
  /** The stall, counted from 0; null for the gate. */
  stall: number | null;
}

export function targetOf(worth: Worth | undefined, position: Pick<PositionInfo, "rows">): Target | null {
  for (const why of worth?.reasons ?? []) {
    const row = (why.numbers["row"] ?? 0) - 1;
    if (!position.rows[row]) continue;
    if (why.kind === "full" || why.kind === "costs") return { row, stall: null };
    if (why.kind === "room") return { row, stall: new Set(position.rows[row]).size };
  }
  return null;
}

/** The cards of an answer in notation, such as `44`, `44*`, `12+15` or `d44`; none for a row or a special card. */
export function cardsIn(notation: string): number[] {
  return /^[dfk]?\d[\d+,*]*$/.test(notation) ? (notation.match(/\d+/g) ?? []).map(Number) : [];
}

/** The row that an answer in notation names, counted from 1; 0 for none. */
export function rowIn(notation: string): number {
  return Number(/^[rjs](\d+)$/.exec(notation)?.[1] ?? 0);
}

/** A curve as the path of an SVG. */
export function path(
  line: readonly number[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return line.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/** Round numbers between two values for the lines behind a curve, three to five of them. */
export function marksBetween(low: number, high: number): number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200];
  const step = steps.find((one) => (high - low) / one <= 4) ?? 500;
  const found: number[] = [];
  for (let mark = Math.ceil(low / step) * step; mark <= high; mark += step) found.push(mark);
  return found;
}
