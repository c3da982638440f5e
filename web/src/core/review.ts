/** What a review shows: lines, moments, and where a result came from, read from what the server found. */

import type { Judged, Review, TurningPoint, Worth } from "../protocol";

/** So much has to be given away before a choice is called dear. */
const DEAR = ["inaccuracy", "mistake", "blunder"];

/** What is looked at: a round by its number, or the whole game. */
export type Scope = number;
export const WHOLE: Scope = 0;
const within = (scope: Scope, round: number): boolean => scope === WHOLE || scope === round;

/** The rounds of a game, by number. */
export function roundsOf(review: Review): number[] {
  return [...new Set(review.shares.map((share) => share.round))].sort((one, other) => one - other);
}

/** What a seat's result came from, in what the game counts: the four parts add up to it. */
export interface Origins {
  par: number;
  deal: number;
  others: number;
  own: number;
  result: number;
}

export function originsOf(review: Review, seat: number, scope: Scope): Origins {
  const rounds = Math.max(1, roundsOf(review).length);
  const usual = (review.players[seat]?.par ?? 0) / (scope === WHOLE ? 1 : rounds);
  const sums = { deal: 0, others: 0, own: 0 };
  for (const share of review.shares) {
    if (share.seat !== seat || !within(scope, share.round)) continue;
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

/** A place of the graph: after a trick of a round (0: after the deal), with what each seat could expect then. */
export interface Point {
  round: number;
  trick: number;
  values: number[];
}

/** The places of the graph from left to right; over the whole game what earlier rounds brought is counted in. */
export function pointsOf(review: Review, scope: Scope): Point[] {
  const seats = review.players.map((player) => player.seat);
  const before = seats.map(() => 0);
  const found: Point[] = [];
  for (const round of roundsOf(review)) {
    if (!within(scope, round)) continue;
    const curves = seats.map((seat) => curveOf(review, seat, round));
    for (let trick = 0; trick <= tricksOf(review, round); trick += 1)
      found.push({ round, trick, values: curves.map((curve, seat) => before[seat]! + curve[trick]!) });
    if (scope === WHOLE) seats.forEach((seat) => (before[seat]! += originsOf(review, seat, round).result));
  }
  return found;
}

/** Where a trick lies on the graph; -1 where it does not. */
export const placeOf = (points: readonly Point[], one: Pick<Point, "round" | "trick">): number =>
  points.findIndex((point) => point.round === one.round && point.trick === one.trick);

/** The choices of a seat that gave most away, in their order. */
export function mistakesOf(review: Review, seat: number, scope: Scope, most = 3): Judged[] {
  return review.decisions
    .filter((one) => one.seat === seat && within(scope, one.round) && DEAR.includes(one.word))
    .sort((one, other) => other.cost - one.cost)
    .slice(0, most)
    .sort((one, other) => one.moment - other.moment);
}

/** The tricks that changed somebody's chance of winning most, in their order. */
export function turningPointsOf(review: Review, scope: Scope, most = 3): TurningPoint[] {
  return review.turning_points
    .filter((point) => within(scope, point.round) && Math.abs(point.amount) >= 0.05)
    .sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount))
    .slice(0, most)
    .sort((one, other) => one.moment - other.moment);
}

/** The luckiest and the unluckiest trick of a seat, where the others' cards changed anything. */
export function luckOf(
  review: Review,
  seat: number,
  scope: Scope,
): { kind: "luckiest" | "unluckiest"; point: TurningPoint }[] {
  const player = review.players[seat];
  const good = review.better === "more" ? 1 : -1;
  return (["luckiest", "unluckiest"] as const).flatMap((kind) => {
    const point = player?.[kind];
    const side = (kind === "luckiest" ? good : -good) * (point?.amount ?? 0);
    return point && side >= 0.05 && within(scope, point.round) ? [{ kind, point }] : [];
  });
}

/** The choice that a moment of the game is about; the first real one of that trick where the moment itself was none. */
export function choiceAt(review: Review, point: TurningPoint): Judged | null {
  const mine = review.decisions.filter((one) => one.seat === point.seat && one.word !== "forced");
  return (
    mine.find((one) => one.moment === point.moment) ??
    mine.find((one) => one.round === point.round && one.trick === point.trick) ??
    null
  );
}

/** A seat's choice in a trick: the dearest, if there were several. */
export function choiceIn(review: Review, seat: number, round: number, trick: number): Judged | null {
  return dearestOf(
    review.decisions.filter((one) => one.seat === seat && one.round === round && one.trick === trick),
  );
}

/** What is worth looking at first: the dearest mistake, else the first real choice. */
export function dearest(review: Review, seat: number, scope: Scope): Judged | null {
  return dearestOf(review.decisions.filter((one) => one.seat === seat && within(scope, one.round)));
}

function dearestOf(choices: readonly Judged[]): Judged | null {
  const real = choices.filter((one) => one.word !== "forced");
  return real.reduce<Judged | null>((most, one) => (!most || one.cost > most.cost ? one : most), null);
}

export const worthOf = (one: Judged, choice: string): Worth | undefined =>
  one.options.find((option) => option.choice === choice);

/** Round numbers between two values for the lines behind a curve, three to five of them. */
export function marksBetween(low: number, high: number): number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200];
  const step = steps.find((one) => (high - low) / one <= 4) ?? 500;
  const found: number[] = [];
  for (let mark = Math.ceil(low / step) * step; mark <= high; mark += step) found.push(mark);
  return found;
}
