/** The furniture of a position: the fields that only some games have, read without asking which game it is. */

import type { Furniture, Marker, Played, PositionInfo } from "../protocol";
import { printedHeads } from "./printed.svelte";

/** Furniture where nothing was declared: rows and hands, and nothing beside them. */
export const PLAIN: Furniture = {
  specials: [],
  markers: [],
  holdings: [],
  team: null,
  scoring: { counts: "bullheads", better: "less", charges: "taker", piles: "seats" },
  board: null,
  both_ends: false,
  twins: false,
  pairs: false,
  in_turn: false,
};

/** A position that we may change while its events play out, and what its game has declared about it. */
export interface Shown extends PositionInfo {
  furniture: Furniture;
  /** Bullheads by card, where the game says what is printed on its cards. */
  printed?: readonly number[];
  /** On a board: the names of its spaces, the space of every tile, the oxen on each tile, the marks on the track. */
  board?: string[][];
  spaces?: number[][];
  oxen?: number[];
  clovers?: number[];
}

/** Return a copy that can be changed, with its furniture. */
export function showing(
  position: PositionInfo,
  furniture: Furniture = PLAIN,
  printed: readonly number[] = [],
): Shown {
  const shown = { ...structuredClone(position), furniture } as Shown;
  if (printed.length) shown.printed = printed;
  const { board } = furniture;
  if (!board) return shown;
  return {
    ...shown,
    board: position[board.printed] as string[][],
    spaces: shown[board.spaces] as number[][],
    oxen: position[board.heads] as number[],
    clovers: position[board.clovers] as number[],
  };
}

/** The picture for so many bullheads: a game with other counts gets the next higher one. */
export const kindOf = (heads: number): number => [1, 2, 3, 5, 7].find((count) => count >= heads) ?? 7;

/** Bullheads as they are printed: by what is said of these cards or tiles, else as in the game that is shown. */
export function headsOn(card: number, printed?: readonly number[]): number {
  return (printed?.length ? printed : printedHeads())[card] ?? 0;
}

export function headsIn(cards: readonly number[], printed?: readonly number[]): number {
  return cards.reduce((sum, card) => sum + headsOn(card, printed), 0);
}

/** The cards of a row by place: where a game has twins, equal cards lie on each other and share one. */
export function places(row: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const card of row) {
    const last = found.at(-1);
    if (last && last[0] === card) last.push(card);
    else found.push([card]);
  }
  return found;
}

/** A thing that lies at a row or a seat: its name, the side it shows, and whether it takes up a place. */
export interface MarkerHere {
  name: string;
  side: string;
  fills: boolean;
  /** Whether it is one of the special cards. */
  special: boolean;
}

/** What lies at a row, whatever the game calls it. */
export const markersAt = (position: Shown, row: number): MarkerHere[] => lyingAt(position, "row", row);

/** What lies at a seat. */
export const seatMarkers = (position: Shown, seat: number): MarkerHere[] => lyingAt(position, "seat", seat);

function lyingAt(position: Shown, at: Marker["at"], place: number): MarkerHere[] {
  return position.furniture.markers
    .filter((marker) => marker.at === at && isAt(position, marker, place))
    .map(({ name, side, fills }) => ({
      name,
      side: side ? String(position[side] ?? "") : "",
      fills,
      special: position.furniture.specials.some((one) => one.name === name),
    }));
}

function isAt(position: Shown, { name, field, holds, during }: Marker, place: number): boolean {
  if (during && !(position[during] as unknown[] | undefined)?.length) return false;
  const value = position[field];
  switch (holds) {
    case "place":
      return value === place;
    case "places":
      return (value as number[] | undefined)?.includes(place) ?? false;
    case "names":
      return (value as string[][] | undefined)?.[place]?.includes(name) ?? false;
    case "flags":
      return Boolean((value as boolean[] | undefined)?.[place]);
  }
}

/** The special cards that a seat holds, of every kind. */
export function specialsOf(position: Shown, seat: number): string[] {
  return position.furniture.holdings
    .filter((one) => one.specials && one.each_seat)
    .flatMap((one) => (position[one.field] as string[][] | undefined)?.[seat] ?? []);
}

/** The special cards that lie open for everybody to use, and those that may be drawn. */
export function offered(position: Shown, role: "offer" | "draw"): string[] {
  return position.furniture.holdings
    .filter((one) => one.specials && !one.each_seat && one.role === role && !one.counted)
    .flatMap((one) => (position[one.field] as string[] | undefined) ?? []);
}

/** The field of the number cards that lie for something: a display to pick from, cards taken and not yet divided. */
export function fieldFor(position: Shown, role: "display" | "taken"): string | undefined {
  return position.furniture.holdings.find((one) => !one.specials && one.role === role)?.field;
}

/** The number cards themselves. */
export function lyingFor(position: Shown, role: "display" | "taken"): number[] {
  const field = fieldFor(position, role);
  return field === undefined ? [] : ((position[field] as number[] | undefined) ?? []);
}

/** The family of a special card, which gives it its ground: by the field that holds cards like it. */
export function familyOf(furniture: Furniture, name: string): "a" | "b" | "c" | "d" {
  if (furniture.team) return "b";
  if (!furniture.board) return "a";
  return LUCK.has(name) ? "d" : "c";
}
const LUCK: ReadonlySet<string> = new Set(["plus-five", "positive-ox"]);

/** The picture of a special card: two games call different things by one name. */
export function pictureOf(furniture: Furniture, name: string): string {
  if (name !== "stop") return name;
  return furniture.team ? "lock" : furniture.board ? "stop-sign" : "stop";
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
