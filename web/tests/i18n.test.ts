import { describe, expect, test } from "vitest";
import { fill, look, type Catalogue } from "../src/i18n/speak.svelte";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import fr from "../src/i18n/fr.json";

const ALL: Record<string, Catalogue> = { en, de, fr };

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
    const used = source.includes(`"${key}"`) || built.some((start) => key.startsWith(start));
    expect(used, key).toBe(true);
  }
});

test("plurals and numbers follow the language", () => {
  expect(look(en, "en", "bullheads", { n: 1 })).toBe("1 bullhead");
  expect(look(en, "en", "bullheads", { n: 0 })).toBe("0 bullheads");
  expect(look(fr, "fr", "bullheads", { n: 0 })).toBe("0 tête de bœuf");
  expect(look(de, "de", "bullheads", { n: 2 })).toBe("2 Hornochsen");
  expect(fill("{n}", { n: 1234.5 }, "de")).toBe("1.234,5");
  expect(fill("{n} {missing}", { n: 1 }, "en")).toBe("1 {missing}");
});
