/** Every word of the client comes from here: one catalogue a language, fetched when it is spoken. */

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, string | Plural>;
type Facts = Record<string, string | number>;

const CATALOGUES: Record<string, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en.json"),
  de: () => import("./de.json"),
  fr: () => import("./fr.json"),
};

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch", fr: "Français" };

let current = $state.raw<{ language: string; words: Catalogue }>({ language: "en", words: {} });

/** Speak a language from now on. */
export async function speak(language: string): Promise<void> {
  const known = language in CATALOGUES ? language : "en";
  const { default: words } = await CATALOGUES[known]!();
  current = { language: known, words };
  document.documentElement.lang = known;
}

/** Where other words are used for some things: on a board a row is a row, everywhere else it is a pen. */
export type Manner = "" | "onBoard";
let manner = $state.raw<Manner>("");

/** Use the words of a place from now on. */
export function speakAs(place: Manner): void {
  manner = place;
}

/** The language that is being spoken. */
export function language(): string {
  return current.language;
}

/** Make one of these for a language and keep it: making it takes longer than all it is asked at a table. */
function kept<T>(make: (locale: string) => T): (locale: string) => T {
  const made: Record<string, T> = {};
  return (locale) => (made[locale] ??= make(locale));
}
const plain = kept((locale) => new Intl.NumberFormat(locale));
const signs = kept((locale) => new Intl.NumberFormat(locale, { signDisplay: "exceptZero" }));
const plurals = kept((locale) => new Intl.PluralRules(locale));

/** Fill the braces of a text with facts; numbers are written as the language writes them. */
export function fill(text: string, facts: Facts, locale: string): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const fact = facts[name];
    if (fact === undefined) return braces;
    return typeof fact === "number" ? plain(locale).format(fact) : fact;
  });
}

/** Look a key up in a catalogue; the fact `n` decides between singular and plural. */
export function look(words: Catalogue, locale: string, key: string, facts: Facts = {}): string | undefined {
  const entry = words[key];
  if (entry === undefined) return undefined;
  if (typeof entry === "string") return fill(entry, facts, locale);
  const form = plurals(locale).select(Number(facts["n"] ?? 0));
  return fill(entry[form] ?? entry.other ?? "", facts, locale);
}

function said(key: string, facts: Facts): string | undefined {
  const { words, language } = current;
  const here = manner ? look(words, language, `${manner}.${key}`, facts) : undefined;
  return here ?? look(words, language, key, facts);
}

/** Say something. */
export function t(key: string, facts: Facts = {}): string {
  return said(key, facts) ?? key;
}

/** Say something if the catalogue has it, else what somebody else wrote. */
export function or(key: string, facts: Facts, otherwise: string): string {
  return said(key, facts) ?? otherwise;
}

/** A number as the language writes it; with its sign where that matters. */
export function number(value: number, signed = false): string {
  const writes = signed ? signs : plain;
  // A minus is as wide as a plus; a hyphen is not one.
  return writes(current.language).format(value).replace("-", "−");
}

/** Several things in a row, as the language joins them. */
export function list(parts: string[]): string {
  return new Intl.ListFormat(current.language, { type: "conjunction" }).format(parts);
}

/** A day and a time; in English as most of the world writes them, the day before the month. */
export function moment(milliseconds: number): string {
  const locale = current.language === "en" ? "en-GB" : current.language;
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}
