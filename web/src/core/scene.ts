/** The scene: a position on the way from one view to the next, changed by one event after another.
 *
 * Nothing is decided here; an event says what lies where. Whatever this leaves out is put right by the view that comes
 * with the events, once they have been shown.
 */

import type { GameEvent } from "./events";
import { without, type Shown } from "./furniture";

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
      position.display = position.display && [];
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
      position.display = position.display?.filter((card) => card !== event.card);
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
      position.taken = position.taken && [];
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
      position.markers?.splice(event.row, 1);
      break;
    case "MarkerMoved":
      mark(position, event.marker, event.place, event.side);
      break;
    case "MarkerGone":
      drop(position.markers?.[event.row], event.marker);
      break;
    case "StopsRemoved":
      position.stops = [];
      break;
    case "FlipsHeld":
      position.has_flip = position.hands.map((_, seat) => event.seats.includes(seat));
      break;
    case "Scored":
      position.scores[event.seat] = event.total;
      break;
    case "Cancelled":
      position.points[event.seat] = (position.points[event.seat] ?? 0) - event.bullheads;
      break;
    case "SpecialsShown":
      position.face_up = position.face_up && [...position.face_up, ...event.names];
      break;
    case "SpecialsGone":
      for (const name of event.names) drop(position.face_up, name);
      break;
    case "RoundEnded":
      position.score_sheet = [...position.score_sheet, event.points];
      position.scores = [...event.totals];
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
  if (position.markers) position.markers = position.rows.map(() => []);
  position.hands = position.hands.map(() => []);
  position.piles = position.piles.map(() => []);
  position.points = position.points.map(() => 0);
  position.table = [];
  position.marked = position.cow = undefined;
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
    position.markers?.push([]);
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

function charge(position: Shown, seats: readonly number[], heads: number, cards: readonly number[]): void {
  if (position.board) return;
  for (const seat of seats) {
    if (position.points[seat] !== undefined) position.points[seat]! += heads;
    const pile = position.piles[seat];
    if (pile) position.piles[seat] = [...pile, ...cards];
  }
}

function mark(position: Shown, marker: string, place: number, side: string): void {
  if (marker === "even-odd") Object.assign(position, { marked: place, side });
  else if (marker === "mountain") Object.assign(position, { marked: place, arrow: side });
  else if (marker === "cow") position.cow = place;
  else if (marker === "first") Object.assign(position, { first: place, picker: place });
  else if (position.markers) {
    while (position.markers.length <= place) position.markers.push([]);
    position.markers[place]!.push(marker);
  }
}

function drop(names: string[] | undefined, name: string): void {
  const place = names?.indexOf(name) ?? -1;
  if (place >= 0) names!.splice(place, 1);
}
