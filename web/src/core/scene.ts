/** The scene: a position on the way from one view to the next, changed by one event after another.
 *
 * Nothing is decided here; an event says what lies where. Whatever this leaves out is put right by the view that comes
 * with the events, once they have been shown.
 */

import type { GameEvent } from "./events";
import { fieldFor, without, type Shown } from "./furniture";
import type { Marker } from "../protocol";

const FACE_DOWN = 0;

/** Change a shown position as an event says. */
export function advance(position: Shown, event: GameEvent): void {
  switch (event.type) {
    case "RoundStarted":
      startRound(position, event.round);
      break;
    case "Dealt":
      if (position.hands[event.seat]) {
        position.hands[event.seat] = sorted([...position.hands[event.seat]!, ...event.cards]);
      }
      break;
    case "RowsStarted":
      position.rows = event.rows.map((row) => [...row]);
      if (position.spaces) position.spaces = event.rows.map((row) => row.map((_, place) => place));
      fill(position, fieldFor(position, "display"), []);
      break;
    case "TrickStarted":
      position.trick = event.trick;
      break;
    case "Revealed":
    case "Reordered":
      for (const played of event.plays) fromHand(position, played.seat, played.card);
      position.table = [...event.plays];
      break;
    case "Laid":
      fromHand(position, event.seat, event.card);
      position.table = [...position.table, { card: event.card, seat: event.seat, value: event.card }];
      break;
    case "Drafted":
      pick(position, fieldFor(position, "display"), event.card);
      position.hands[event.seat] = sorted([...(position.hands[event.seat] ?? []), event.card]);
      break;
    case "Placed":
      lift(position, event.card);
      lay(position, event.row, event.card, event.place);
      break;
    case "Took":
      takeFrom(position, event.row, event.cards);
      charge(position, [event.seat], event.bullheads, event.cards);
      break;
    case "Shared":
      takeFrom(position, event.row, event.cards);
      charge(position, event.seats, event.charged, []);
      break;
    case "Kept":
      position.hands[event.seat] = sorted([...(position.hands[event.seat] ?? []), ...event.to_hand]);
      fill(position, fieldFor(position, "taken"), []);
      break;
    case "Moved":
      takeFrom(position, event.source, [event.card]);
      lay(position, event.row, event.card, event.place);
      break;
    case "ReturnedToHand":
      for (const card of event.cards) lift(position, card);
      position.hands[event.seat] = sorted([...(position.hands[event.seat] ?? []), ...event.cards]);
      break;
    case "RowRemoved":
      position.rows.splice(event.row, 1);
      for (const names of namesAtRows(position)) names.splice(event.row, 1);
      break;
    case "MarkerMoved":
      mark(position, event.marker, event.place, event.side);
      break;
    case "MarkerGone":
      unmark(position, event.marker, event.row);
      break;
    case "StopsRemoved":
      for (const row of event.rows) unmark(position, "stop", row);
      break;
    case "FlipsHeld":
      for (const marker of position.furniture.markers.filter((one) => one.holds === "flags")) {
        position[marker.field] = position.hands.map((_, seat) => event.seats.includes(seat));
      }
      break;
    case "Scored":
      position.scores[event.seat] = event.total;
      break;
    case "Cancelled":
      position.points[event.seat] = (position.points[event.seat] ?? 0) - event.bullheads;
      break;
    case "SpecialsShown":
      offers(position)?.push(...event.names);
      break;
    case "SpecialsGone":
      for (const name of event.names) drop(offers(position), name);
      break;
    case "RoundEnded":
      position.score_sheet = [...position.score_sheet, event.points];
      position.scores = [...event.totals];
      // What was taken in the round is part of the total now, and not told beside it once more.
      position.points = position.points.map(() => 0);
      break;
    case "GameEnded":
      position.result = event.result;
      break;
    default:
      break;
  }
}

function startRound(position: Shown, round: number): void {
  position.round = round;
  position.trick = 0;
  position.rows = position.rows.map(() => []);
  if (position.spaces) position.spaces = position.spaces.map(() => []);
  for (const marker of position.furniture.markers.filter((one) => one.at === "row")) {
    if (marker.holds === "place") position[marker.field] = undefined;
    else fill(position, marker.field, marker.holds === "names" ? position.rows.map(() => []) : []);
  }
  position.hands = position.hands.map(() => []);
  position.piles = position.piles.map(() => []);
  position.points = position.points.map(() => 0);
  position.table = [];
}

function sorted(cards: number[]): number[] {
  return cards.sort((one, other) => one - other);
}

function fromHand(position: Shown, seat: number, card: number): void {
  const hand = position.hands[seat];
  if (!hand) return;
  const already = position.table.some((played) => played.card === card && played.seat === seat);
  if (already) return;
  position.hands[seat] = without(hand, hand.includes(card) ? card : FACE_DOWN);
}

function lift(position: Shown, card: number): void {
  const place = position.table.findIndex((played) => played.card === card);
  if (place >= 0) position.table = position.table.toSpliced(place, 1);
}

function lay(position: Shown, row: number, card: number, place: number): void {
  while (position.rows.length <= row) {
    position.rows.push([]);
    for (const names of namesAtRows(position)) names.push([]);
  }
  const cards = position.rows[row]!;
  if (position.spaces) {
    const spaces = position.spaces[row] ?? [];
    const at = spaces.filter((space) => space < place).length;
    cards.splice(at, 0, card);
    position.spaces[row] = spaces.toSpliced(at, 0, place);
    return;
  }
  cards.splice(indexOfPlace(cards, place), 0, card);
}

/** Where a place begins in the list of a row, in which equal cards share a place. */
function indexOfPlace(cards: readonly number[], place: number): number {
  let seen = -1;
  for (const [index, card] of cards.entries()) {
    if (card !== cards[index - 1]) seen += 1;
    if (seen === place) return index;
  }
  return cards.length;
}

function takeFrom(position: Shown, row: number, cards: readonly number[]): void {
  const lying = position.rows[row];
  if (!lying) return;
  const spaces = position.spaces?.[row];
  if (position.spaces && spaces) {
    position.spaces[row] = spaces.filter((_, index) => !cards.includes(lying[index]!));
  }
  position.rows[row] = without(lying, ...cards);
}

/** Charge a take to whom the game says: the taker, the whole team, or nobody yet. */
function charge(position: Shown, seats: readonly number[], heads: number, cards: readonly number[]): void {
  const { charges, piles } = position.furniture.scoring;
  const charged = charges === "team" ? position.points.map((_, seat) => seat) : charges === "taker" ? seats : [];
  const ours = seats.some((seat) => seat >= 0);
  for (const seat of charges === "team" && !ours ? [] : charged) {
    if (position.points[seat] !== undefined) position.points[seat]! += heads;
  }
  if (piles === "none" || charges === "nobody") return;
  for (const owner of piles === "sides" ? [ours ? 0 : 1] : seats) {
    const pile = position.piles[owner];
    if (pile) position.piles[owner] = [...pile, ...cards];
  }
} // prettier-ignore

const markerNamed = (position: Shown, name: string): Marker | undefined =>
  position.furniture.markers.find((marker) => marker.name === name);

/** The lists of names by row, of every marker that is kept so; several markers may share one. */
function namesAtRows(position: Shown): string[][][] {
  const fields = position.furniture.markers
    .filter((marker) => marker.at === "row" && marker.holds === "names")
    .map((marker) => marker.field);
  return [...new Set(fields)].flatMap((field) => (position[field] ? [position[field] as string[][]] : []));
}

/** Lay a marker where an event says, in the field that the game keeps it in. */
function mark(position: Shown, name: string, place: number, side: string): void {
  const marker = markerNamed(position, name);
  if (!marker) return;
  if (marker.side) position[marker.side] = side;
  if (marker.holds === "place") position[marker.field] = place;
  else if (marker.holds === "places") {
    position[marker.field] = [...((position[marker.field] as number[] | undefined) ?? []), place];
  } else if (marker.holds === "names") {
    const lists = (position[marker.field] ??= []) as string[][];
    while (lists.length <= place) lists.push([]);
    lists[place]!.push(name);
  }
}

function unmark(position: Shown, name: string, place: number): void {
  const marker = markerNamed(position, name);
  if (!marker) return;
  if (marker.holds === "names") drop((position[marker.field] as string[][] | undefined)?.[place], name);
  else if (marker.holds === "places") {
    position[marker.field] = ((position[marker.field] as number[] | undefined) ?? []).filter(
      (one) => one !== place,
    );
  }
}

/** The special cards that lie open for everybody. */
function offers(position: Shown): string[] | undefined {
  const field = position.furniture.holdings.find((one) => one.specials && one.role === "offer")?.field;
  return field === undefined ? undefined : (position[field] as string[] | undefined);
}

function fill(position: Shown, field: string | undefined, value: unknown): void {
  if (field !== undefined && position[field] !== undefined) position[field] = value;
}

function pick(position: Shown, field: string | undefined, card: number): void {
  if (field !== undefined) fill(position, field, without((position[field] as number[]) ?? [], card));
}

function drop(names: string[] | undefined, name: string): void {
  const place = names?.indexOf(name) ?? -1;
  if (place >= 0) names!.splice(place, 1);
}
