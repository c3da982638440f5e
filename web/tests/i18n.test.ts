import { describe, expect, test, vi } from "vitest";
import { fill, look, speak, speakAs, t, type Catalogue } from "../src/i18n/speak.svelte";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import fr from "../src/i18n/fr.json";

const ALL: Record<string, Catalogue> = { en, de, fr };
/** How a key starts whose words are for games on a printed board. */
const ON_BOARD = /^onBoard\./;

function texts(entry: Catalogue[string]): string[] {
  return typeof entry === "string" ? [entry] : Object.values(entry);
}
function braces(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}
const FILES = import.meta.glob<string>(["../src/**/*.{ts,svelte}", "!../src/protocol.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const source = Object.values(FILES).join("\n");

describe.each(["de", "fr"])("%s", (language) => {
  test("has every key of English and no other", () => {
    expect(Object.keys(ALL[language]!).sort()).toEqual(Object.keys(en).sort());
  });
  test("says the same facts", () => {
    for (const [key, entry] of Object.entries(en as Catalogue)) {
      const facts = new Set(texts(entry).flatMap(braces));
      const told = new Set(texts(ALL[language]![key]!).flatMap(braces));
      expect([...told].sort(), key).toEqual([...facts].sort());
    }
  });
  test("leaves nothing empty", () => {
    for (const [key, entry] of Object.entries(ALL[language]!)) {
      for (const text of texts(entry)) expect(text.trim(), key).not.toBe("");
    }
  });
});

describe("every language", () => {
  test.each(Object.keys(ALL))("%s has a text for every plural it needs", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(ALL[language]!)) {
      if (typeof entry === "string") continue;
      for (const form of forms) {
        // Millions of cards are nobody's worry: French may leave "many" to "other".
        expect(entry[form] ?? (form === "many" ? entry.other : undefined), `${key} ${form}`).toBeTruthy();
      }
    }
  });
});

test("every key written in the source is in the catalogue", () => {
  const found = source.matchAll(/\b(?:t|or)\(\s*"([^"]+)"/g);
  const keys = [...found].map((match) => match[1]!);
  expect(keys.length).toBeGreaterThan(100);
  for (const key of keys) expect(en, key).toHaveProperty([key]);
});

test("every key in the catalogue is used in the source", () => {
  const built = [...source.matchAll(/`([\w.-]*)\$\{/g)]
    .map((match) => match[1]!)
    .filter((start) => start.includes("."));
  for (const key of Object.keys(en)) {
    const plain = key.replace(ON_BOARD, "");
    const used = source.includes(`"${plain}"`) || built.some((start) => plain.startsWith(start));
    expect(used, key).toBe(true);
  }
});

describe("one word for one thing", () => {
  const ROW: Record<string, RegExp> = { en: /\brows?\b/i, de: /\bReihen?\b/, fr: /rangée/i };
  const PEN: Record<string, RegExp> = { en: /\bpens?\b/i, de: /Pferch/, fr: /\benclos\b/i };
  /** What is only ever said at a printed board, and the keys of the keyboard, which serve both. */
  const BOARD =
    /^(space\.|game\.board-|ask\.choose_two_tiles|ask\.choose_empty_row|special\.(start|ascending|positive-ox)\.|keys\.row)/;

  test.each(Object.keys(ALL))("%s: a pen is a pen with cards, a row is a row on a board", (language) => {
    for (const [key, entry] of Object.entries(ALL[language]!)) {
      const said = texts(entry)
        .join(" ")
        .replace(/\{\w+\}/g, "");
      if (ON_BOARD.test(key)) expect(said, key).not.toMatch(PEN[language]!);
      else if (!BOARD.test(key)) expect(said, key).not.toMatch(ROW[language]!);
    }
  });
  test("what is said on a board has its counterpart with cards, and the same facts", () => {
    const found = Object.keys(en).filter((key) => ON_BOARD.test(key));
    expect(found.length).toBeGreaterThan(10);
    for (const key of found) {
      const plain = (en as Catalogue)[key.replace(ON_BOARD, "")];
      expect(plain, key).toBeDefined();
      expect(braces(texts((en as Catalogue)[key]!).join(" ")), key).toEqual(braces(texts(plain!).join(" ")));
    }
  });
  test("the table decides which of them is said", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    await speak("de");
    expect(t("do.takeRow", { row: 2 })).toBe("Pferch 2 nehmen");
    speakAs("onBoard");
    expect(t("do.takeRow", { row: 2 })).toBe("Reihe 2 nehmen");
    expect(t("do.pass")).toBe("Weiter");
    speakAs("");
    vi.unstubAllGlobals();
  });
});

describe("a friend is spoken to", () => {
  test("in French by tu", () => {
    for (const [key, entry] of Object.entries(fr as Catalogue)) {
      for (const text of texts(entry))
        expect(text, key).not.toMatch(/\b(vous|votre|vos)\b|\b(?!assez|chez)[a-zé]{2,}ez\b/i);
    }
  });
  test("in German by du", () => {
    for (const [key, entry] of Object.entries(de as Catalogue)) {
      // At the start of a sentence it may be she, or they.
      for (const text of texts(entry)) {
        expect(text, key).not.toMatch(/[^.:!?…] (Sie|Ihnen|Ihr|Ihre[mnrs]?)\b/);
      }
    }
  });
});

describe("the lines break where they may", () => {
  test("in French no sign stands alone at the start of a line", () => {
    for (const [key, entry] of Object.entries(fr as Catalogue)) {
      for (const text of texts(entry)) expect(text, key).not.toMatch(/ [:;?!»]|« /);
    }
  });
  test.each(Object.keys(ALL))("%s sets its apostrophes and dots well", (language) => {
    for (const [key, entry] of Object.entries(ALL[language]!)) {
      for (const text of texts(entry)) expect(text, key).not.toMatch(/'| …|\.\.\./);
    }
  });
});

test("plurals and numbers follow the language", () => {
  expect(look(en, "en", "bullheads", { n: 1 })).toBe("1 bullhead");
  expect(look(en, "en", "bullheads", { n: 0 })).toBe("0 bullheads");
  expect(look(fr, "fr", "bullheads", { n: 0 })).toBe("0 tête de bœuf");
  expect(look(de, "de", "bullheads", { n: 2 })).toBe("2 Hornochsen");
  expect(fill("{n}", { n: 1234.5 }, "de")).toBe("1.234,5");
  expect(fill("{n} {missing}", { n: 1 }, "en")).toBe("1 {missing}");
});

test("in French the opponent is one animal", () => {
  expect(
    Object.values(fr as Catalogue)
      .flatMap(texts)
      .filter((text) => /buffle/i.test(text)),
  ).toEqual([]);
});

test("in English a date is written with the day before the month", async () => {
  const { moment } = await import("../src/i18n/speak.svelte");
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
  expect(moment(Date.UTC(2026, 10, 9, 12))).toMatch(/^9 Nov 2026/);
});
