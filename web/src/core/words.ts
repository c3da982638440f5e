/** Words: events, questions and things on the table, said in the language being spoken. */

import { language, list, number, or, speakAs, t, t as say } from "../i18n/speak.svelte";
import type { AskInfo, AskOption, Furniture, GameInfo, Question, SpecialCard } from "../protocol";
import { tokensOf, type Token } from "./choosing";
import type { GameEvent } from "./events";
import { PLAIN, type Shown } from "./furniture";
import { printOn } from "./printed.svelte";

/** A line of the log: an event, and what it needs from the moment it happened in. */
export interface Line {
  id: number;
  event: GameEvent;
  /** The card that was being placed. */
  card?: number;
}

/** Note an event with the card it is about, before the scene moves on. */
export function lineOf(id: number, event: GameEvent, position: Pick<Shown, "table"> | null): Line {
  if (event.type === "Took" || event.type === "Shared") {
    const seat = event.type === "Took" ? event.seat : event.seats[0];
    const played =
      position?.table[0]?.seat === seat ? position?.table[0] : position?.table.find((p) => p.seat === seat);
    return played ? { id, event, card: played.card } : { id, event };
  }
  return { id, event };
}

export const bullheads = (n: number): string => t("bullheads", { n });
export const gameName = (id: string, otherwise: string): string => or(`game.${id}.name`, {}, otherwise);

/** What the game itself calls its things, in English: what a language has no words for is said so. */
let declared: Furniture = PLAIN;
let sentences: Readonly<Record<string, Question>> = {};
let ownEvents: Readonly<Record<string, string>> = {};

/** Speak of a game from now on. */
export function speakOf(
  game: (Pick<GameInfo, "furniture" | "questions" | "events"> & Partial<Pick<GameInfo, "heads">>) | null,
): void {
  declared = game?.furniture ?? PLAIN;
  sentences = game?.questions ?? {};
  ownEvents = game?.events ?? {};
  speakAs(declared.board ? "onBoard" : "");
  printOn(game?.heads);
}

/** What the opponent of a team is called. */
export const opponentName = (): string => {
  const { team } = declared;
  return team ? or(`opponent.${team.opponent.toLowerCase()}`, {}, team.opponent) : "";
};
/** Whether there is a picture of the opponent; others show the first letter of their name. */
export const opponentPictured = (): boolean => declared.team?.opponent === "Buffalo";

/** How a game against an opponent has ended: in words for this one, or for any. */
export function teamResult(won: boolean, team: number, other: number): string {
  const facts = { who: opponentName(), team: number(team), other: number(other) };
  const name = declared.team?.opponent.toLowerCase();
  return won
    ? or(`result.teamWon.${name}`, facts, t("result.teamWon", facts))
    : or(`result.teamLost.${name}`, facts, t("result.teamLost", facts));
}

const specialCard = (name: string): SpecialCard | undefined =>
  declared.specials.find((special) => special.name === name);

export const specialName = (name: string): string =>
  or(`special.${name}`, {}, specialCard(name)?.title ?? name);
/** The name of a special card where there is little room. */
export const shortName = (name: string): string => or(`special.${name}.short`, {}, specialName(name));
/** One sentence about a special card. */
export const specialSays = (name: string): string =>
  or(`special.${name}.does`, { n: 0 }, specialCard(name)?.says ?? "");
export const markerName = (name: string, side: string): string =>
  or(
    side ? `marker.${name}.${side}` : `marker.${name}`,
    {},
    // A special card that lies at a row is called there what it is called in a hand.
    or(`special.${name}`, {}, declaredMarker(name, side) ?? specialName(name)),
  );

function declaredMarker(name: string, side: string): string | undefined {
  const marker = declared.markers.find((one) => one.name === name);
  return marker && (marker.sides[side] ?? marker.title);
}
/** One sentence about what lies at a row or a seat. */
export const markerSays = (name: string): string =>
  or(`marker.${name}.says`, {}, declared.markers.find((one) => one.name === name)?.says ?? "");

/** A card and what it costs, for those who hear the table. */
export function cardName(card: number, heads: number): string {
  return card > 0 ? t("card.name", { card: String(card), heads: bullheads(heads) }) : t("card.back");
}

function cards(found: readonly number[]): string {
  if (!found.length) return t("nothing");
  return found.every((card) => card === 0) ? t("cards", { n: found.length }) : list(found.map(String));
}

function specials(names: readonly string[]): string {
  if (names.every((name) => name === "?")) return t("special.cards", { n: names.length });
  return list(names.map(specialName));
}

/** Why a game ended: the server's sentence, translated where we know it. */
export function reason(says: string): string {
  const found = /\d+/.exec(says)?.[0] ?? "";
  return or(`reason.${says.replace(/\d+/, "#")}`, { n: Number(found) }, says);
}

/** Words that begin a sentence. */
export function capital(says: string): string {
  return says.charAt(0).toLocaleUpperCase(language()) + says.slice(1);
}

/** The seat that an event is about, if it is one. */
export function seatOf(event: GameEvent): number | null {
  if (event.type === "Committed" || event.type === "Chose") return null;
  return "seat" in event && typeof event.seat === "number" ? event.seat : null;
}

/** Say what happened, or nothing where the next line says it better; `me` is spoken to. */
export function tell(line: Line, who: (seat: number) => string, me: number | null = null): string | null {
  const { event, card } = line;
  const t = (key: string, facts: Record<string, string | number> = {}): string =>
    me !== null && seatOf(event) === me ? or(`you.${key}`, facts, say(key, facts)) : say(key, facts);
  const facts = { card: String(card ?? "") };
  switch (event.type) {
    case "RoundStarted":
      return t("log.round", { n: event.round });
    case "TrickStarted":
      return t("log.trick", { n: event.trick });
    case "RowsStarted":
      return t("log.rows", { cards: list(event.rows.flatMap((row) => row.slice(-1).map(String))) });
    case "Revealed":
      return t("log.revealed", {
        plays: list(
          event.plays.map((p) => played(p.seat === me ? say("you") : who(p.seat), p.card, p.value)),
        ),
      });
    case "Reordered":
      return t("log.reordered", { cards: list(event.plays.map((p) => String(p.card))) });
    case "Laid":
      return t("log.laid", { who: who(event.seat), card: String(event.card) });
    case "Drafted":
      return t("log.drafted", { who: who(event.seat), card: String(event.card) });
    case "Placed":
      return t("log.placed", {
        who: who(event.seat), card: String(event.card), row: event.row + 1, place: event.place + 1,
      }); // prettier-ignore
    case "Took":
      // Where five rows lie the card that overflows a row goes along: it is not one of those it met.
      return took(t, event.why, event.cards.filter((taken) => taken !== card).length, {
        ...facts,
        who: who(event.seat),
        row: event.row + 1,
        heads: bullheads(event.bullheads),
      });
    case "Shared":
      return t("log.shared", {
        who: list(event.seats.map(who)), row: event.row + 1, heads: bullheads(event.charged),
      }); // prettier-ignore
    case "Kept":
      return t("log.kept", { who: who(event.seat), hand: cards(event.to_hand), pile: cards(event.to_pile) });
    case "MarkerMoved":
      return marked(event.marker, event.side, event.place, who, me);
    case "MarkerGone":
      return t("log.markerGone", { marker: markerName(event.marker, ""), row: event.row + 1 });
    case "StopsRemoved":
      return t("log.stopsRemoved");
    case "Used":
      return t("log.used", { who: who(event.seat), special: specialName(event.special) });
    case "SpecialsDrawn":
      return t("log.drew", { who: who(event.seat), names: specials(event.names) });
    case "SpecialsShown":
      return t("log.faceUp", { names: specials(event.names) });
    case "LuckDrawn":
      return t("log.drew", { who: who(event.seat), names: specialName(event.card) });
    case "ActionsShuffled":
      return t("log.actionsShuffled", { n: event.count });
    case "Cancelled":
      return t("log.cancelled", {
        who: who(event.seat),
        cards: cards([event.turned, ...event.cards]),
        n: event.bullheads,
      });
    case "Moved":
      return t("log.moved", { card: String(event.card), row: event.row + 1, place: event.place + 1 });
    case "ReturnedToHand":
      return t("log.returned", { who: who(event.seat), cards: cards(event.cards) });
    case "RowRemoved":
      return t("log.rowRemoved", { row: event.row + 1 });
    case "Scored":
      return t("log.scored", {
        who: who(event.seat),
        change: number(event.change, true),
        total: number(event.total),
      });
    case "SheetsPassed":
      return t("log.sheets");
    case "RoundEnded":
      return t("log.roundEnded", { n: event.round });
    case "GameEnded":
      return t("log.gameEnded", { why: reason(event.result.reason) });
    case "TookBack":
      return t("log.tookBack", { who: who(event.seat) });
    default: {
      const sentence = ownEvents[(event as GameEvent).type];
      return sentence === undefined ? null : filled(sentence, event, who);
    }
  }
}

/** A sentence of the game's own about an event that we have no words for. */
function filled(sentence: string, event: GameEvent, who: (seat: number) => string): string {
  const facts = event as unknown as Record<string, unknown>;
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const fact = facts[name];
    if (fact === undefined) return braces;
    return name === "seat"
      ? who(fact as number)
      : Array.isArray(fact)
        ? list(fact.map(String))
        : String(fact);
  });
}

/** A marker has a new place, said by what that means where we know it. */
function marked(
  name: string,
  side: string,
  place: number,
  who: (seat: number) => string,
  me: number | null,
): string {
  if (declared.markers.some((one) => one.name === name && one.at === "seat")) {
    return say(place === me ? "you.log.first" : "log.first", { who: who(place) });
  }
  const facts = { marker: markerName(name, side), row: place + 1 };
  return or(`log.marker.${name}${side ? `.${side}` : ""}`, facts, say("log.marker", facts));
}

function played(who: string, card: number, value: number): string {
  const key = card === value ? "log.play" : "log.playAs";
  return t(key, { who, card: String(card), value: String(value) });
}

type Say = (key: string, facts?: Record<string, string | number>) => string;

function took(t: Say, why: string, count: number, facts: Record<string, string | number>): string {
  if (why === "full" && facts["card"] && count >= 5) {
    return t("log.tookFull", { ...facts, nth: or(`nth.${count + 1}`, {}, String(count + 1)) });
  }
  if ((why === "full" || why === "low") && facts["card"]) return t(`log.took.${why}`, facts);
  return t("log.took", { ...facts, why: or(`why.${why}`, {}, specialName(why)) });
}

/** Which of special cards and loose acts a question offers, if not both: it names no other. */
function only(ask: AskInfo): string {
  const uses = ask.options.flatMap((option) => (option.type === "UseSpecial" ? [option.name] : []));
  const loose = uses.filter((name) => specialCard(name)?.loose).length;
  if (!uses.length || (loose && loose < uses.length)) return "";
  return loose ? ".acts" : ".cards";
}

/** The question as this person should read it. */
export function question(ask: AskInfo): string {
  const facts: Record<string, string | number> = {};
  ask.about.forEach((fact, place) => (facts[String(place)] = fact));
  facts["n"] = typeof ask.about[0] === "number" ? ask.about[0] : 0;
  const asked = or(`ask.${ask.kind}${only(ask)}`, facts, or(`ask.${ask.kind}`, facts, ask.prompt));
  const plain = ask.about.length ? or(`ask.${ask.kind}.n`, facts, asked) : asked;
  return ask.about.length ? plain : or(`ask.${ask.kind}.${ask.options[0]?.type ?? ""}`, facts, plain);
}

/** The same where there is little room. */
export function shortAnswer(ask: AskInfo, option: AskOption): string {
  if ("row" in option) return t("row.short", { row: option.row + 1 });
  if (option.type === "UseSpecial" && option.targets.length) {
    const aims = tokensOf(option, declared.specials).slice(1).map(shortToken);
    const facts = { special: shortName(option.name), aim: aims[0]!, where: aims[1] ?? "" };
    return t(aims.length > 1 ? "do.use.shortMove" : "do.use.short", facts);
  }
  return answer(ask, option);
}

/** A thing that can be tapped, in few words. */
function shortToken(token: Token): string {
  const [kind, value] = token.split(":");
  return kind === "row" ? t("row.short", { row: Number(value) + 1 }) : tokenName(token);
}

/** What a special card would do, and with what: its targets tell which sentence fits. */
function using(option: Extract<AskOption, { type: "UseSpecial" }>, special: string): string {
  const aims = tokensOf(option, declared.specials).slice(1);
  const of = (kind: string): Token[] => aims.filter((token) => token.startsWith(`${kind}:`));
  const [row] = of("row");
  const [word] = of("word");
  const cards = list(aims.filter((token) => token !== row && token !== word).map(tokenName));
  const facts = {
    special,
    cards,
    row: row ? Number(row.slice(4)) + 1 : 0,
    word: word ? tokenName(word) : "",
  };
  if (word) return t("do.use.word", facts);
  if (row) return t(cards ? "do.use.move" : "do.use.rows", facts);
  return t(cards ? "do.use.cards" : "do.use", facts);
}

/** What the button says that gives this answer. */
export function answer(ask: Pick<AskInfo, "kind">, option: AskOption): string {
  switch (option.type) {
    case "PlayCard":
      return option.flipped
        ? t("do.playFlipped", { card: String(option.card) })
        : t("do.play", { card: String(option.card) });
    case "PlayPair":
      return t("do.playTwo", { low: String(option.low), high: String(option.high) });
    case "TakeRow":
      return t("do.takeRow", { row: option.row + 1 });
    case "JoinRow":
    case "StartRow":
      return t("do.toRow", { row: option.row + 1 });
    case "Draft":
      return t("do.draft", { card: String(option.card) });
    case "PlaceFirst":
      return t("do.first", { card: String(option.card) });
    case "Keep":
      return option.cards.length ? t("do.keep", { cards: cards(option.cards) }) : t("do.keepNothing");
    case "UseSpecial": {
      const does = sentences[ask.kind]?.does ?? "use";
      if (does === "use") return using(option, specialName(option.name));
      return t(does === "draw" ? "do.drawSpecial" : "do.swap", { special: specialName(option.name) });
    }
    case "Pass":
      return or(`do.pass.${ask.kind}`, {}, sentences[ask.kind]?.passing || t("do.pass"));
  }
}

/** How an answer is spoken of: cards are played, rows are taken, and everything else is done. */
export function answerKind(option: AskOption): "card" | "row" | "other" {
  if (option.type === "PlayCard") return option.flipped ? "other" : "card";
  if (option.type === "PlayPair") return "card";
  return option.type === "TakeRow" ? "row" : "other";
}

/** An answer as a thing that was chosen: cards by number, rows by name, everything else as on its button. */
export function answerName(ask: Pick<AskInfo, "kind">, option: AskOption): string {
  if (answerKind(option) === "other") return answer(ask, option);
  if (option.type === "PlayPair") return list([String(option.low), String(option.high)]);
  if (option.type === "TakeRow") return t("row", { row: option.row + 1 });
  return option.type === "PlayCard" ? String(option.card) : answer(ask, option);
}

/** A trick of a game, by name; where there are several rounds, with its round. Before the first one cards are picked. */
export function placeName({ round, trick }: { round: number; trick: number }, whole: boolean): string {
  const key = `review.where${whole ? "" : ".trick"}${trick ? "" : ".first"}`;
  return t(key, { round: number(round), trick: number(trick) });
}

const isPoints = (name: string): boolean => /^[+-]\d+$/.test(name);

/** A space of a board, by name; one that is a number says so. */
export function spaceName(name: string): string {
  if (isPoints(name)) return t("space.points", { points: name.replace("-", "−") });
  if (name === "points") return t("space.any");
  return or(`space.${name}`, {}, declared.board?.kinds.find((kind) => kind.name === name)?.title ?? name);
}

/** What a space does. */
export function spaceSays(name: string): string {
  const kind = isPoints(name) ? "points" : name;
  return or(`space.${kind}.does`, {}, declared.board?.kinds.find((one) => one.name === kind)?.says ?? "");
}

/** A thing that can be tapped, by name. */
export function tokenName(token: Token): string {
  const [kind = "", value = "", more] = token.split(":");
  if (kind === "row") return t("row", { row: Number(value) + 1 });
  if (kind === "card") return value;
  if (kind === "special") return specialName(value);
  if (kind === "word") return or(`word.${value}`, {}, specialCard(value)?.aims[Number(more)]?.says ?? value);
  if (kind === "target") return more ?? value;
  return t(`token.${kind}`);
}
