/** Reasons: what analysis found, said in the language being spoken. */

import { language, or, t } from "../i18n/speak.svelte";
import type { Worth, Why } from "../protocol";
import { bullheads } from "./words";

/** Where something stands that is being worked out. */
export interface Standing {
  place: number;
  done: number;
}

/** How long it will take, in words. */
export function standing({ place, done }: Standing): string {
  if (place > 0) return t("analysis.place", { n: place });
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

/** How likely an answer takes a row in this trick, and why. */
export function risk(worth: Worth): string {
  const sixth = Boolean(of(worth, "room") ?? of(worth, "full"));
  const chance = t(sixth ? "hint.sixth" : "hint.takes", { percent: percent(worth.take_chance) });
  const why = because(mainReason(worth));
  return why ? t("hint.why", { chance, why }) : chance;
}
