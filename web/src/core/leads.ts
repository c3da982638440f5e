/** Where an answer leads on the drawn table: what is ringed, and arrows from one thing to another. */

import type { AskOption, Foreseen, SpecialCard, Worth } from "../protocol";
import { tokensOf } from "./choosing";
import { lyingFor, markersAt, places, type Shown } from "./furniture";

/** A thing on the drawn table by name: `own:44` in the hand, `lying:44` anywhere else, `special:stop`, `stall:2:3`,
 * `gate:2`, `row:2` (all counted from 0), or the `deed`: words, where there is nothing to see. */
export type Spot = string;

export interface Arrow {
  from: Spot;
  to: Spot;
}

export interface Lead {
  rings: Spot[];
  arrows: Arrow[];
}

/** What an answer does, to be drawn over the position that it is given in. */
export function leadOf(worth: Worth | undefined, position: Shown, seat: number): Lead {
  if (!worth) return { rings: [], arrows: [] };
  const { answer, goes } = worth;
  switch (answer.type) {
    case "PlayCard":
      return played([answer.card], goes, position, seat);
    case "PlayPair":
      return played([answer.low, answer.high], goes, position, seat);
    case "TakeRow":
    case "JoinRow":
    case "StartRow":
      return toRow(answer, goes, position, seat);
    case "Draft":
      return { rings: [`lying:${answer.card}`], arrows: [] };
    case "Keep":
      return {
        rings: answer.cards.length ? answer.cards.map((card) => `lying:${card}`) : ["deed"],
        arrows: [],
      };
    case "PlaceFirst":
      return { rings: [`lying:${answer.card}`], arrows: arrowsOf(goes, position, seat) };
    case "UseSpecial":
      return used(answer, goes, position, seat);
    case "Pass":
      return { rings: ["deed"], arrows: [] };
  }
}

/** Where a card would lie: a stall, or the gate that it breaks; nowhere while its owner has yet to choose. */
export function targetOf(one: Foreseen, position: Shown): Spot | null {
  if (one.row === null) return null;
  if (position.board) return `stall:${one.row}:${one.place}`;
  if (one.takes) return `gate:${one.row}`;
  const row = position.rows[one.row] ?? [];
  const lying = places(row);
  if (position.furniture.both_ends && one.place === 0 && row.length) return `stall:${one.row}:0`;
  if (position.furniture.twins && row.at(-1) === one.card) return `stall:${one.row}:${lying.length - 1}`;
  const filled = markersAt(position, one.row).filter((marker) => marker.fills).length;
  return `stall:${one.row}:${lying.length + filled}`;
}

/** Whether an answer is seen to be one: else it has to be said. */
export function needsWords(answer: AskOption): boolean {
  return answer.type === "Pass" || (answer.type === "Keep" && !answer.cards.length);
}

/** A card where it lies now: in the hand of the one who chooses, or somewhere on the table. */
const where = (card: number, position: Shown, seat: number): Spot =>
  position.hands[seat]?.includes(card) ? `own:${card}` : `lying:${card}`;

function arrowsOf(goes: readonly Foreseen[], position: Shown, seat: number): Arrow[] {
  return goes.flatMap((one) => {
    const to = targetOf(one, position);
    return to ? [{ from: where(one.card, position, seat), to }] : [];
  });
}

function played(cards: readonly number[], goes: readonly Foreseen[], position: Shown, seat: number): Lead {
  const arrows = arrowsOf(
    goes.filter((one) => cards.includes(one.card)),
    position,
    seat,
  );
  return { rings: cards.map((card) => `own:${card}`), arrows };
}

/** A row is chosen for the card that waits on the table. */
function toRow(
  answer: Extract<AskOption, { row: number }>,
  goes: readonly Foreseen[],
  position: Shown,
  seat: number,
): Lead {
  const ring = `row:${answer.row}`;
  const card = goes[0]?.card ?? (position.table.find((one) => one.seat === seat) ?? position.table[0])?.card;
  if (card === undefined) return { rings: [ring], arrows: [] };
  const to = (goes[0] && targetOf(goes[0], position)) ?? `gate:${answer.row}`;
  return { rings: [ring], arrows: [{ from: where(card, position, seat), to }] };
}

/** A special card points at what it is used on, and shows what it makes of the card that comes next. */
function used(
  answer: Extract<AskOption, { type: "UseSpecial" }>,
  goes: readonly Foreseen[],
  position: Shown,
  seat: number,
): Lead {
  const special = `special:${answer.name}`;
  const next = goes.slice(0, 1);
  const rings: Spot[] = [special];
  const arrows: Arrow[] = [];
  for (const token of tokensOf(answer, position.furniture.specials).slice(1)) {
    const [kind, value] = token.split(":");
    const spot = kind === "card" ? where(Number(value), position, seat) : token;
    // A card of the own hand lies beside it, and a row that a card is seen to go to need not be pointed at.
    if (spot.startsWith("own:")) rings.push(spot);
    else if (kind === "card" || (kind === "row" && !next.some((one) => one.row === Number(value))))
      arrows.push({ from: special, to: spot });
  }
  return { rings, arrows: [...arrows, ...arrowsOf(next, position, seat)] };
}

/** The cards that lie apart from rows and hands, in a place of their own: turned up, to be picked, or taken. */
export function laidOut(position: Shown): { card: number; seat: number }[] {
  const apart = [...lyingFor(position, "taken")].map((card) => ({ card, seat: -1 }));
  return apart.length ? apart : position.table.map(({ card, seat }) => ({ card, seat }));
}

/** The special cards that an answer or two name: those have to be seen, whoever holds them. */
export function specialsIn(answers: readonly AskOption[], known: readonly SpecialCard[]): string[] {
  const named = answers.flatMap((answer) => (answer.type === "UseSpecial" ? [answer.name] : []));
  return [...new Set(named)].filter((name) => known.some((one) => one.name === name));
}
