/** Reasons: what analysis found, said in the language being spoken. */

import { language, number, or, t } from "../i18n/speak.svelte";
import type { Foreseen, Review, Worth, Why } from "../protocol";
import { bullheads, capital } from "./words";

/** Where something stands that is being worked out. */
export interface Standing {
  place: number;
  done: number;
  /** What works may have to be made ready first: so many parts of it are; null once the work itself goes on. */
  parts: number | null;
}

/** How long it will take, in words. */
export function standing({ place, done, parts }: Standing): string {
  if (place > 0) return t("analysis.place", { n: place });
  if (parts !== null) return parts ? t("analysis.parts", { n: parts }) : t("analysis.ready");
  return t("analysis.done", { percent: percent(done) });
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** An amount with one digit behind the point, with its sign where that matters. */
export function amount(value: number, signed = false): string {
  const tenths = Math.round(value * 10) / 10;
  const written = new Intl.NumberFormat(language(), {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(tenths === 0 ? 0 : tenths);
  return written.replace("-", "−");
}

const of = (worth: Worth, kind: string): Why | undefined => worth.reasons.find((why) => why.kind === kind);
const at = (why: Why, name: string): number => why.numbers[name] ?? 0;

/** The reason that says most about an answer; a server may know kinds that we have no words for. */
export function mainReason(worth: Worth): Why | undefined {
  const [between, room] = [of(worth, "between"), of(worth, "room")];
  // What can come in between matters only as far as it could fill the row.
  if (between && (at(between, "count") === 0 || !room || at(between, "count") < at(room, "room")))
    return between;
  return ["full", "lowest", "costs", "room", "between"].map((kind) => of(worth, kind)).find(Boolean);
}

/** A reason in words; nothing for one that there are no words for. */
export function because(why: Why | undefined): string {
  if (!why) return "";
  const numbers = Object.fromEntries(Object.entries(why.numbers).map(([name, n]) => [name, String(n)]));
  const heads: Record<string, string> =
    "bullheads" in why.numbers ? { heads: bullheads(at(why, "bullheads")) } : {};
  const n = at(why, why.kind === "room" ? "room" : "count");
  const none = why.kind === "between" && n === 0 ? ".none" : "";
  return or(`because.${why.kind}${none}`, { ...numbers, ...heads, n }, "");
}

/** What an answer is expected to come to, in what the game counts. */
export function expected(worth: Worth, { unit, better }: Pick<Review, "unit" | "better">): string {
  if (unit === "margin")
    return t(worth.mean > 0 ? "hint.behind" : "hint.ahead", { amount: amount(Math.abs(worth.mean)) });
  return t(better === "more" ? "hint.brings" : "hint.costs", { amount: amount(worth.mean) });
}

/** Whether an answer may take a row in this trick, or that is settled, or has nothing to do with it. */
export function mayTake(worth: Worth): boolean {
  const plays = worth.answer.type === "PlayCard" || worth.answer.type === "PlayPair";
  return plays || (worth.take_chance > 0 && worth.take_chance < 1 && worth.take_cost > 0);
}

/** How likely an answer takes a row in this trick; nothing where that is no question. */
export function chance(worth: Worth): string {
  if (!mayTake(worth)) return "";
  const sixth = Boolean(of(worth, "room") ?? of(worth, "full"));
  return t(sixth ? "hint.sixth" : "hint.takes", { percent: percent(worth.take_chance) });
}

/** One reason for or against an answer: of its row, else where a card would go, else how it compares. */
export function reasonFor(worth: Worth, better: Review["better"]): string {
  // Going to a row is no taking of it, so that its price is no reason.
  const own = worth.answer.type === "JoinRow" ? "" : because(mainReason(worth));
  return own || leading(worth.goes) || comparing(worth, better);
}

function leading(goes: readonly Foreseen[]): string {
  const [one] = goes;
  if (!one) return "";
  if (one.row === null) return one.takes ? t("because.low", { card: String(one.card) }) : "";
  const facts = { card: String(one.card), row: one.row + 1 };
  if (one.takes) return t("because.takes", { ...facts, heads: bullheads(one.bullheads) });
  if (one.points === null) return t("because.goes", facts);
  return t("because.points", { ...facts, points: number(one.points, true) });
}

function comparing(worth: Worth, better: Review["better"]): string {
  const which = worth.cost > 0 ? "behind" : "best";
  return t(`because.${which}.${better}`, { amount: amount(worth.cost) });
}

/** How likely an answer takes a row in this trick, as far as that is a question, and why. */
export function risk(worth: Worth, better: Review["better"]): string {
  const [likely, why] = [chance(worth), reasonFor(worth, better)];
  if (likely) return t("hint.why", { chance: likely, why });
  return capital(why);
}
