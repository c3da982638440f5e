/** What is worth telling of a finished game, read from its replay: no rule is needed for that. */

import type { Moment, PositionInfo, Result } from "../protocol";
import type { GameEvent, Told } from "./events";

export interface Highlight {
  kind: "biggest" | "unluckiest" | "decided";
  /** The moment of the replay to be shown: the one before it, so that it can be seen to happen. */
  at: number;
  seat: number;
  card: number;
  round: number;
  trick: number;
  row: number;
  heads: number;
  /** Whose card came in between, and which. */
  other: number | null;
  otherCard: number;
}

interface Taking {
  at: number;
  event: Told<"Took">;
  card: number;
  position: PositionInfo;
  /** Cards of the same trick that lay in the row already. */
  came: { seat: number; card: number }[];
}

/** The best stories of a game, one of each kind at most; `me` is the reader's seat, if any. */
export function highlights(moments: readonly Moment[], result: Result, me: number | null): Highlight[] {
  const takings = takingsOf(moments);
  const found: Highlight[] = [];
  const biggest = best(takings);
  if (biggest) found.push(told("biggest", biggest));
  const unlucky = best(takings.filter((taking) => taking.event.seat === me && taking.came.length > 0));
  if (unlucky && unlucky !== biggest) found.push(told("unluckiest", unlucky));
  const decided = decision(moments, result, takings);
  if (decided) found.push(decided);
  return found;
}

function best(takings: readonly Taking[]): Taking | undefined {
  return takings.reduce<Taking | undefined>(
    (most, taking) => (!most || taking.event.bullheads > most.event.bullheads ? taking : most),
    undefined,
  );
}

function told(kind: Highlight["kind"], taking: Taking): Highlight {
  const last = taking.came.at(-1);
  return {
    kind,
    at: Math.max(0, taking.at - 1),
    seat: taking.event.seat,
    card: taking.card,
    round: taking.position.round,
    trick: taking.position.trick,
    row: taking.event.row,
    heads: taking.event.bullheads,
    other: last?.seat ?? null,
    otherCard: last?.card ?? 0,
  };
}

/** Every take, with the card that took and the cards of its trick that were there before it. */
function takingsOf(moments: readonly Moment[]): Taking[] {
  const found: Taking[] = [];
  let trick: { seat: number; card: number }[] = [];
  for (const [at, moment] of moments.entries()) {
    for (const event of moment.events as GameEvent[]) {
      if (event.type === "TrickStarted") trick = [];
      if (event.type === "Placed") trick.push({ seat: event.seat, card: event.card });
      const taking = event.type === "Took" && event.seat >= 0 ? event : null;
      if (!taking) continue;
      const came = trick.filter(
        (played) => played.seat !== taking.seat && taking.cards.includes(played.card),
      );
      found.push({ at, event: taking, card: cardOf(moment, taking), position: moment.view.position, came });
    }
  }
  return found;
}

/** The card that took: the next one that its owner lays. */
function cardOf(moment: Moment, taking: Told<"Took">): number {
  const events = moment.events as GameEvent[];
  for (const event of events.slice(events.indexOf(taking))) {
    if (event.type === "Placed" && event.seat === taking.seat) return event.card;
  }
  return taking.cards.at(-1) ?? 0;
}

/** The take from which on the winner was in front, alone, until the end. */
function decision(
  moments: readonly Moment[],
  result: Result,
  takings: readonly Taking[],
): Highlight | undefined {
  const winners = result.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (winners.length !== 1 || result.won !== null || result.ranks.length < 2) return undefined;
  const [winner] = winners;
  // Where the winner has the most, points are won; else they are lost.
  const sign = result.scores[winner!] === Math.max(...result.scores) ? -1 : 1;
  let since = moments.length;
  while (since > 0 && inFront(moments[since - 1]!.view.position, winner!, sign)) since -= 1;
  const taking = takings.find((one) => one.at >= since && one.event.seat !== winner) ?? takings.at(-1);
  return taking && since > 0 && since < moments.length ? told("decided", taking) : undefined;
}

function inFront(position: PositionInfo, seat: number, sign: number): boolean {
  const counted = position.score_sheet.length >= position.round;
  const totals = position.scores.map(
    (score, one) => sign * (score + (counted ? 0 : (position.points[one] ?? 0))),
  );
  return totals.every((total, one) => one === seat || total > totals[seat]!);
}
