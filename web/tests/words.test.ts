import { beforeAll, describe, expect, test, vi } from "vitest";
import { headsOn, PLAIN } from "../src/core/furniture";
import type { GameEvent } from "../src/core/events";
import type { AskInfo, Furniture, Question } from "../src/protocol";

type Words = typeof import("../src/core/words");
let words: Words;
let speak: (language: string) => Promise<void>;
beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  ({ speak } = await import("../src/i18n/speak.svelte"));
  words = await import("../src/core/words");
});

const special = (name: string, loose = false): Furniture["specials"][number] => ({
  name, title: name, says: "", aims: [], marks: false, loose,
}); // prettier-ignore
const buffalo: Furniture = { ...PLAIN, specials: [special("stop"), special("lift", true)] };
const board: Furniture = {
  ...PLAIN,
  board: { kinds: [], least: -44, most: 44, printed: "", spaces: "", heads: "", clovers: "" },
};
const use = (name: string) => ({ type: "UseSpecial" as const, name, targets: [1], notation: "" });
const go = { type: "Pass" as const, notation: "-" };
const window = (...names: string[]): AskInfo =>
  ({ kind: "team_window", about: [38], prompt: "", options: [go, ...names.map(use)] }) as unknown as AskInfo;
const speakOf = (furniture: Furniture, questions: Record<string, Question> = {}): void =>
  words.speakOf({ furniture, questions, events: {} });

describe("what the team is asked", () => {
  test.each([
    ["en", "lift a Stop", "special card"],
    ["de", "Stopp aufheben", "Sonderkarte"],
    ["fr", "lever un Stop", "carte spéciale"],
  ])("%s names what is offered and nothing else", async (language, stop, card) => {
    await speak(language);
    speakOf(buffalo);
    const [cards, lifts, both] = [window("stop"), window("lift"), window("stop", "lift")].map(words.question);
    expect(cards).toContain(card);
    expect(cards).not.toContain(stop);
    expect(lifts).toContain(stop);
    expect(lifts).not.toContain(card);
    expect(both).toContain(stop);
    expect(both).toContain(card);
    for (const asked of [cards, lifts, both]) expect(asked).toContain("38");
  });
  test("going on is said in the reader's language, whatever the game calls it", async () => {
    await speak("de");
    speakOf(buffalo, { team_window: { passing: "Go on" } as Question });
    expect(words.answer(window("stop"), go)).toBe("Weiter");
  });
});

test("why a game ended begins a sentence", async () => {
  await speak("fr");
  expect(words.capital(words.reason("every hand was played by everybody"))).toMatch(/^[A-ZÉÀ]/);
  expect(words.capital("2 rounds were played")).toBe("2 rounds were played");
});

describe("the log", () => {
  const told = (event: object, me: number | null = null): string | null =>
    words.tell({ id: 1, event: event as GameEvent, card: 38 }, (seat) => ["Ann", "Ben"][seat] ?? "?", me);
  const moved = { type: "MarkerMoved", marker: "even-odd", side: "odd", place: 2 };
  const took = { type: "Took", seat: 1, row: 1, cards: [1, 2, 3, 4, 5], bullheads: 6, why: "full" };
  const placed = { type: "Placed", seat: 0, card: 38, row: 2, place: 3 };

  test.each([
    ["en", "Pen 3 now takes odd cards only.", "Ben’s 38 is the sixth card: Ben takes pen 2, 6 bullheads."],
    ["de", "Pferch 3 nimmt jetzt nur ungerade Karten.", "38 von Ben ist die sechste Karte: Ben nimmt Pferch 2, 6 Hornochsen."],
    ["fr", "L’enclos 3 ne prend plus que des cartes impaires.", "Le 38 de Ben est la sixième carte\u00a0: Ben prend l’enclos 2, 6 têtes de bœuf."],
  ])("%s tells what a sign and a sixth card mean", async (language, sign, sixth) => {
    await speak(language);
    speakOf(PLAIN);
    expect(told(moved)).toBe(sign);
    expect(told(took)).toBe(sixth);
  }); // prettier-ignore

  test("a sixth card that goes along with the row is still the sixth", async () => {
    await speak("en");
    speakOf(PLAIN);
    const along = { ...took, cards: [1, 2, 3, 4, 5, 38], bullheads: 7 };
    expect(told(along)).toBe("Ben’s 38 is the sixth card: Ben takes pen 2, 7 bullheads.");
  });

  test("a board has rows and spaces, a table pens and places, and I am spoken to", async () => {
    await speak("en");
    speakOf(board);
    expect(told(placed)).toBe("Ann’s 38 goes to row 3, space 4.");
    expect(told(placed, 0)).toBe("Your 38 goes to row 3, space 4.");
    expect(words.bullheads(2)).toBe("2 oxen");
    speakOf(PLAIN);
    expect(told(placed)).toBe("Ann’s 38 goes to pen 3, place 4.");
    expect(told(placed, 0)).toBe("Your 38 goes to pen 3, place 4.");
    expect(words.bullheads(2)).toBe("2 bullheads");
  });
});

describe("what lies at a row", () => {
  const declared = (name: string, title: string, sides = {}): Furniture["markers"][number] =>
    ({ name, title, sides, says: "", at: "row", field: name, holds: "names", fills: false, side: "", during: "" }) as never; // prettier-ignore
  test.each([
    ["de", "Stopp", "7. Karte", "5. Pferch"],
    ["fr", "Stop", "7e carte", "5e enclos"],
  ])("is called in %s as the card in the hand is", async (language, stop, seventh, fifth) => {
    await speak(language);
    const markers = [declared("stop", "Stop"), declared("seven", "7th card"), declared("fifth-row", "5th row")];
    speakOf({ ...PLAIN, markers });
    expect(["stop", "seven", "fifth-row"].map((name) => words.markerName(name, ""))).toEqual([stop, seventh, fifth]);
  }); // prettier-ignore
  test("keeps the game's own name where nobody has another", async () => {
    await speak("de");
    speakOf({ ...PLAIN, markers: [declared("slow-lane", "Slow lane", { wet: "Wet lane" })] });
    expect(words.markerName("slow-lane", "")).toBe("Slow lane");
    expect(words.markerName("slow-lane", "wet")).toBe("Wet lane");
  });
});

describe("the button of a special card says what it would do", () => {
  const aimed = (name: string, ...at: string[]): Furniture["specials"][number] => ({
    ...special(name), aims: at.map((one) => ({ at: one, says: "" })),
  }); // prettier-ignore
  const furniture = {
    ...PLAIN,
    specials: [
      aimed("stop", "rows"), aimed("shift", "row-cards", "rows"), aimed("replace", "played"),
      aimed("positive-ox", "row-cards", "row-cards"), aimed("last-card", "played", "words"), aimed("sort"),
    ],
  }; // prettier-ignore
  const button = (name: string, ...targets: number[]): string =>
    words.answer({ kind: "use_special" }, { type: "UseSpecial", name, targets, notation: "" });
  test.each([
    ["en", "Shift 97 to pen 2", "Use Stop on pen 2", "Use Replace with 38", "Use Sort"],
    ["de", "Verschieben: 97 in Pferch 2", "Stopp für Pferch 2 nutzen", "Ersetzen mit 38 nutzen", "Sortieren nutzen"],
    ["fr", "Déplacer : 97 dans l’enclos 2", "Utiliser Stop sur l’enclos 2", "Utiliser Remplacer avec 38", "Utiliser Trier"],
  ])("in %s", async (language, shift, stop, replace, sort) => {
    await speak(language);
    speakOf(furniture);
    expect(button("shift", 97, 2).replaceAll("\u00a0", " ")).toBe(shift);
    expect(button("stop", 2)).toBe(stop);
    expect(button("replace", 38)).toBe(replace);
    expect(button("sort")).toBe(sort);
    const all = [button("positive-ox", 12, 31), button("last-card", 38, 1)];
    for (const says of all) expect(says).not.toContain("·");
    expect(all[0]).toMatch(/12 \S+ 31/);
  }); // prettier-ignore
  test("in few words where there is little room", async () => {
    await speak("en");
    speakOf(furniture);
    const short = (name: string, ...targets: number[]): string =>
      words.shortAnswer(window(), { type: "UseSpecial", name, targets, notation: "" });
    expect(short("stop", 2)).toBe("Stop pen 2");
    expect(short("shift", 97, 2)).toBe("Shift 97, pen 2");
    expect(short("sort")).toBe("Use Sort");
  });
});

describe("the opponent of a team", () => {
  const against = (opponent: string): Furniture => ({
    ...PLAIN,
    team: { opponent, opponent_seat: -1, cards: "pack", silent: false },
  });
  test.each([
    ["en", "Buffalo", "Buffalo", "The buffalo is beaten: 3 bullheads against 9!"],
    ["de", "Buffalo", "Büffel", "Der Büffel ist besiegt: 3 Hornochsen gegen 9!"],
    ["en", "Wolf", "Wolf", "Wolf is beaten: 3 bullheads against 9!"],
    ["de", "Wolf", "Wolf", "Wolf ist besiegt: 3 Hornochsen gegen 9!"],
  ])("in %s, %s is called by its own name", async (language, opponent, called, beaten) => {
    await speak(language);
    words.speakOf({ furniture: against(opponent), questions: {}, events: {} });
    expect(words.opponentName()).toBe(called);
    expect(words.teamResult(true, 3, 9)).toBe(beaten);
    words.speakOf(null);
    await speak("en");
  });
});

test.each([
  ["en", "The buffalo wins: 3 bullheads against your 9."],
  ["de", "Der Büffel gewinnt: 3 Hornochsen gegen eure 9."],
  ["fr", "Le bison gagne : 3 têtes de bœuf, et ton équipe en a 9."],
])("a team that lost reads a whole sentence in %s", async (language, says) => {
  await speak(language);
  const team = { opponent: "Buffalo", opponent_seat: -1, cards: "pack" as const, silent: false };
  words.speakOf({ furniture: { ...PLAIN, team }, questions: {}, events: {} });
  expect(words.teamResult(false, 9, 3).replaceAll("\u00a0", " ")).toBe(says);
  words.speakOf(null);
  await speak("en");
});

test("cards show what is printed in the game that is spoken of", () => {
  expect(headsOn(55)).toBe(7);
  words.speakOf({ furniture: PLAIN, questions: {}, events: {}, heads: Array.from({ length: 105 }, () => 9) });
  expect(headsOn(55)).toBe(9);
  words.speakOf(null);
  expect(headsOn(55)).toBe(7);
});
