/** Fair deals, checked here: what the server promised, what we mixed in, and whether the cards follow from both. */

import type { FairDeal, FairInfo } from "../protocol";
import { hex, hmac, sha256, unhex } from "./sha256";

export type Card = number | string;

/** A record as the server gives it out: what of it the deals hang on. */
export interface FairRecord {
  game: string;
  behaviour: number;
  players: number;
  options?: Record<string, boolean | number | string>;
  names?: string[];
  rounds: { deals?: [string, string][] }[];
  fair?: Partial<FairDeal>[];
}

/** What this browser has seen and given before a deal. */
export interface Kept {
  commitment: string;
  nonce?: string;
  seat?: number;
  /** Whether the server has confirmed that it has the nonce. */
  sent?: boolean;
}

/** What was kept of a table's deals, by number. */
export type Memory = Record<string, Kept>;

const encoder = new TextEncoder();

/** Texts as one, each with its length before it, so that no two lists look alike. */
function joined(parts: string[]): Uint8Array {
  const pieces = parts.flatMap((part) => {
    const bytes = encoder.encode(part);
    return [encoder.encode(`${bytes.length}:`), bytes, encoder.encode(",")];
  });
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** What the server publishes before a deal. */
export function promise(table: string, number: number, seed: string): string {
  return hex(sha256(joined(["bullpen promise", table, String(number), seed])));
}

/** The key of a deal: bound to its table, number, game, people and nonces. */
export function keyOf(deal: FairDeal, record: FairRecord): Uint8Array {
  const options = record.options ?? {};
  const names = record.names ?? [];
  const keys = Object.keys(options).sort();
  const parts = [
    "bullpen deal",
    deal.table,
    String(deal.number),
    record.game,
    String(record.behaviour),
    String(record.players),
    String(keys.length),
    ...keys.flatMap((key) => [key, JSON.stringify(options[key])]),
    String(names.length),
    ...names,
    ...deal.nonces,
  ];
  return hmac(unhex(deal.seed), joined(parts));
}

/** Numbers without bias from an HMAC-SHA256 stream. */
function* words(key: Uint8Array, label: string): Generator<number, never> {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView(hmac(key, encoder.encode(`${label}/${counter}`)).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

function below(numbers: Generator<number, never>, bound: number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = numbers.next();
    if (value < limit) return value % bound;
  }
}

const order = (one: Card, other: Card): number =>
  typeof one === "number" && typeof other === "number" ? one - other : String(one) < String(other) ? -1 : 1;

/** The cards in the order that the key gives to this pile, the `place`-th of its deal. */
export function mix(key: Uint8Array, place: number, pile: string, cards: readonly Card[]): Card[] {
  const numbers = words(key, `${place}/${pile}`);
  const mixed = [...cards].sort(order);
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = below(numbers, last + 1);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

const readCards = (text: string): Card[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((card) => (/^\d{1,4}$/.test(card) ? Number(card) : card));

/** What is known of one deal: `broken` is what no honest server can bring about. */
export interface DealCheck {
  number: number;
  /** Whether the promise that we saw before was held. */
  promised: "kept" | "unseen" | "broken";
  /** Whether our nonce is in it. */
  mixed: "yes" | "none" | "missing";
  /** Whether the cards in the record follow from seed and nonces. */
  follows: "yes" | "older" | "broken";
}

/** Check one opened deal against what we kept; its cards are looked at in `checkRecord`. */
export function checkDeal(deal: FairDeal, memory: Memory): DealCheck {
  const kept = memory[deal.number];
  const sound = deal.scheme === 1 || promise(deal.table, deal.number, deal.seed) === deal.commitment;
  const mine = kept?.nonce === undefined || kept.seat === undefined ? null : deal.nonces[kept.seat];
  return {
    number: deal.number,
    promised:
      kept && kept.commitment !== deal.commitment ? "broken" : !sound ? "broken" : kept ? "kept" : "unseen",
    mixed: mine === null ? "none" : mine === kept?.nonce ? "yes" : "missing",
    follows: deal.scheme === 1 ? "older" : "yes",
  };
}

/** Check every deal of a finished game: promises, nonces, and the order of every pile. */
export function checkRecord(record: FairRecord, memory: Memory): DealCheck[] {
  const piles = record.rounds.flatMap((round) => round.deals ?? []);
  let next = 0;
  const checks = (record.fair ?? []).map((written) => {
    const deal = { scheme: 1, table: "", ...written } as FairDeal;
    const check = checkDeal(deal, memory);
    if (deal.scheme === 1) return check;
    const key = keyOf(deal, record);
    const sound = deal.piles.every((pile, place) => {
      const [name, text] = piles[next++] ?? ["", ""];
      const cards = readCards(text);
      return name === pile && mix(key, place, pile, cards).join(" ") === cards.join(" ");
    });
    return sound ? check : { ...check, follows: "broken" as const };
  });
  const all = checks.every((check) => check.follows === "older") || next === piles.length;
  return all ? checks : checks.map((check) => ({ ...check, follows: "broken" as const }));
}

/** The verdict on all deals: fine, not to be told, or a broken promise. */
export function verdict(checks: readonly DealCheck[]): "fair" | "partly" | "broken" | "none" {
  if (!checks.length) return "none";
  const has = (test: (check: DealCheck) => boolean): boolean => checks.some(test);
  if (has((one) => one.promised === "broken" || one.follows === "broken")) return "broken";
  return has((one) => one.promised !== "kept" || one.mixed !== "yes" || one.follows !== "yes")
    ? "partly"
    : "fair";
}

/** The words for `bullpen record verify` by which somebody can check the same on a machine of their own. */
export function command(record: string, memory: Memory, checks: readonly DealCheck[]): string {
  const kept = checks.flatMap(({ number }) => {
    const { commitment, nonce } = memory[number] ?? {};
    return [
      ...(commitment ? [`--commitment ${number}:${commitment}`] : []),
      ...(nonce ? [`--nonce ${number}:${nonce}`] : []),
    ];
  });
  return ["bullpen record verify", `bullpen-${record}.json`, ...kept].join(" ");
}

// What is kept lies in this browser, table by table.

const PREFIX = "bullpen.deals.";
const MOST_TABLES = 50;

/** Random digits of our own that are mixed into a deal. */
export function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** What was kept of a table's deals. */
export function remembered(table: string): Memory {
  try {
    return (JSON.parse(localStorage.getItem(PREFIX + table) ?? "{}") as { deals?: Memory }).deals ?? {};
  } catch {
    // Without storage nothing was kept, and the check says so.
    return {};
  }
}

function keep(table: string, deals: Memory): void {
  try {
    localStorage.setItem(PREFIX + table, JSON.stringify({ at: Date.now(), deals }));
    forgetOldest();
  } catch {
    // Without storage it cannot be kept.
  }
}

function forgetOldest(): void {
  const mine = Array.from(
    { length: localStorage.length },
    (_, place) => localStorage.key(place) ?? "",
  ).filter((key) => key.startsWith(PREFIX));
  if (mine.length <= MOST_TABLES) return;
  const at = (key: string): number =>
    Number((JSON.parse(localStorage.getItem(key) ?? "{}") as { at?: number }).at ?? 0);
  for (const key of mine.sort((one, other) => at(one) - at(other)).slice(0, mine.length - MOST_TABLES))
    localStorage.removeItem(key);
}

type Promised = Pick<FairInfo, "next" | "commitment">;

/** Keep the promise of the next deal, and return the nonce that answers it; null if there is nothing to send.
 *
 * What was seen first counts: a server that changes a promise afterwards is found out.
 */
export function answerTo(table: string, fair: Promised, seat: number | null): string | null {
  const deals = remembered(table);
  const kept = deals[fair.next] ?? { commitment: fair.commitment };
  const mayMix = seat !== null && !kept.sent && kept.commitment === fair.commitment;
  const nonce = mayMix ? (kept.nonce ?? newNonce()) : null;
  const known = nonce === null ? kept : { ...kept, nonce, seat: seat! };
  keep(table, { ...deals, [fair.next]: known });
  return nonce;
}

/** The server has our nonce; or it has another one for our seat, of another device. */
export function answered(table: string, deal: number, taken: boolean): void {
  const deals = remembered(table);
  const kept = deals[deal];
  if (!kept) return;
  const { commitment } = kept;
  keep(table, { ...deals, [deal]: taken ? { ...kept, sent: true } : { commitment } });
}
