/** The furniture of a position: the fields that only some games have, read without asking which game it is. */

import type { Played, PositionInfo } from "../protocol";

/** A position that we may change while its events play out. */
export interface Shown extends PositionInfo {
  spaces?: number[][];
  board?: string[][];
  oxen?: number[];
  clovers?: number[];
  stops?: number[];
  actions?: string[][];
  action_deck?: string[];
  action_discard?: string[];
  luck?: string[][];
  luck_piles?: string[];
  marked?: number;
  side?: string;
  arrow?: string;
  cow?: number;
  first?: number;
  picker?: number;
  display?: number[];
  taken?: number[];
  has_flip?: boolean[];
  markers?: string[][];
  specials?: string[][];
  special_deck?: string[];
  discards?: string[];
  face_up?: string[];
  spent?: string[];
  herd?: number[];
  must_fill?: number[];
}

/** Return a copy that can be changed. */
export function showing(position: PositionInfo): Shown {
  return structuredClone(position) as Shown;
}

/** Bullheads as they are printed: on our card faces by number, on a board's tiles by its data. */
export function headsOn(card: number, oxen?: readonly number[]): number {
  if (card <= 0) return 0;
  if (oxen?.length) return oxen[card] ?? 0;
  if (card === 55) return 7;
  if (card % 11 === 0) return 5;
  if (card % 10 === 0) return 3;
  return card % 5 === 0 ? 2 : 1;
}

export function headsIn(cards: readonly number[], oxen?: readonly number[]): number {
  return cards.reduce((sum, card) => sum + headsOn(card, oxen), 0);
}

/** The cards of a row by place: equal cards lie on each other and share one. */
export function places(row: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const card of row) {
    const last = found.at(-1);
    if (last && last[0] === card) last.push(card);
    else found.push([card]);
  }
  return found;
}

/** A thing that lies at a row: its name and, where it has two, the side it shows. */
export interface Marker {
  name: string;
  side: string;
}

/** What lies at each row, whatever the game calls it. */
export function markersAt(position: Shown, row: number): Marker[] {
  const found: Marker[] = [];
  if (position.marked === row && position.side) found.push({ name: "even-odd", side: position.side });
  if (position.marked === row && position.arrow) found.push({ name: "mountain", side: position.arrow });
  if (position.cow === row) found.push({ name: "cow", side: "" });
  for (const name of position.markers?.[row] ?? []) found.push({ name, side: "" });
  if (position.stops?.includes(row)) found.push({ name: "stop", side: "" });
  if (position.must_fill?.includes(row)) found.push({ name: "must-fill", side: "" });
  return found;
}

/** The special cards that a seat holds, of every kind. */
export function specialsOf(position: Shown, seat: number): string[] {
  return [
    ...(position.specials?.[seat] ?? []),
    ...(position.actions?.[seat] ?? []),
    ...(position.luck?.[seat] ?? []),
    ...(position.has_flip?.[seat] ? ["flip"] : []),
  ];
}

/** The seat that holds the first-player card, if there is one. */
export function firstSeat(position: Shown): number | undefined {
  if (position.display?.length) return position.picker;
  return position.first;
}

/** Take one card out of a list. */
export function without(cards: readonly number[], ...gone: number[]): number[] {
  const left = [...cards];
  for (const card of gone) {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

export function onTable(table: readonly Played[], card: number, seat: number): Played | undefined {
  return (
    table.find((played) => played.card === card && played.seat === seat) ?? table.find((p) => p.card === card)
  );
}
