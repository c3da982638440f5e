/** Company: who is missed at a table, for how long, and what people have done with the seats. */

import type { FromServer, Notice, Nudged, SeatInfo, TableInfo } from "../protocol";
import { or, t } from "../i18n/speak.svelte";
import { Presence } from "./presence";
import { ANIMALS, type Animal } from "./seats";

/** After so long without a connection the server lets a bot play for a person, if anybody asks. */
export const ABSENT = 30_000;
/** Nobody is reminded before everybody has waited so long, nor again after a shorter while. */
export const PATIENCE = 15_000;

/** What a seat's person is called: by the own name, or by the seat's animal in the reader's language. */
export function nameOf(seat: Pick<SeatInfo, "name" | "named">, place: number): string {
  if (seat.named || !seat.name) return seat.name;
  // A number behind the animal keeps it apart from somebody who chose its name.
  const number = /\d+$/.exec(seat.name)?.[0];
  return t(`animal.${place}`) + (number ? ` ${number}` : "");
}

/** What a player is called where only names are kept: the animals of those without one are kept in English.
 *
 * An animal that is not the seat's own is a name that somebody chose; where seats are not known, none is.
 */
export function nameInList(name: string, place: number | null): string {
  const animal = ANIMALS.indexOf(name.replace(/ \d+$/, "").toLowerCase() as Animal);
  const named = animal < 0 || (place !== null && animal !== place % ANIMALS.length);
  return nameOf({ name, named }, animal);
}

/** A level of bots that another one stands in for, since what it needs could not be compiled. */
interface Failed {
  failed: string;
}
type Told = Notice | Nudged | Failed;

/** What the server tells about people beside the game. */
export class Company {
  /** Since when each seat's person is missed, by this device's clock; null where nobody is. */
  missed = $state.raw<readonly (number | null)[]>([]);
  /** What has been told, oldest first. */
  told = $state.raw<readonly Told[]>([]);
  readonly #failed = new Set<string>();
  /** Who is here, as it was seen last. */
  readonly presence = new Presence();
  #heard = 0;

  /** What has been told since this was asked last. */
  unheard(): readonly Told[] {
    const fresh = this.told.slice(this.#heard);
    this.#heard = this.told.length;
    return fresh;
  }

  hear(message: FromServer, now: number = Date.now()): void {
    if (message.type === "presence") {
      this.missed = message.absent.map((absent) => (absent === null ? null : now - absent));
      const failed = Object.entries(message.unready ?? {}).flatMap(([level, state]) =>
        state === "failed" && !this.#failed.has(level) ? [level] : [],
      );
      for (const level of failed) this.#failed.add(level);
      if (failed.length) this.told = [...this.told, ...failed.map((level) => ({ failed: level }))];
    } else if (message.type === "nudged") {
      this.told = [...this.told, message];
    } else if (message.type === "update" && message.notices) {
      this.told = [...this.told, ...message.notices];
    }
  }

  /** The seats whose people have been gone for so long that the others may let a bot play, the longest first. */
  absent(info: TableInfo, me: number | null, now: number): number[] {
    if (me === null || info.phase !== "playing") return [];
    const found = info.seats.flatMap((seat, place) => {
      const since = this.missed[place] ?? null;
      const gone = seat.kind === "person" && !seat.away && place !== me && since !== null;
      return gone && now - since >= ABSENT ? [{ place, since }] : [];
    });
    return found.sort((one, other) => one.since - other.since).map(({ place }) => place);
  }
}

/** The people that everybody waits for, who can be reminded. */
export function slow(info: TableInfo, waiting: readonly number[], me: number | null): number[] {
  if (me === null || info.phase !== "playing" || waiting.includes(me)) return [];
  return waiting.filter((seat) => info.seats[seat]?.kind === "person" && !info.seats[seat].away);
}

/** The seats of bots that somebody without a seat may take over. */
export function free(info: TableInfo, me: number | null): number[] {
  if (me !== null || info.phase !== "playing" || !info.settings.take_over) return [];
  return info.seats.flatMap((seat, place) => (seat.kind === "bot" ? [place] : []));
}

/** What people did, in words; "" for what concerns nobody but its doer. */
export function says(told: Told, names: readonly string[], me: number | null): string {
  if ("failed" in told)
    return t("company.failed", {
      level: or(`level.${told.failed}`, {}, told.failed),
      other: t("level.medium"),
    });
  const who = names[told.seat] ?? "";
  const by = told.by === null ? "" : (names[told.by] ?? "");
  if ("type" in told) return t(told.seat === me ? "company.nudgedYou" : "company.nudged", { who, by });
  if (told.by === me && me !== null) return "";
  const before = told.before || who;
  const passive = told.by === null || told.by === told.seat;
  return t(`company.${told.kind}${passive ? "" : ".by"}`, { who, by, before });
}
