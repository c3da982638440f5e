import { beforeAll, expect, test, vi } from "vitest";
import type { FromServer, TableInfo } from "../src/protocol";

type Module = typeof import("../src/core/company.svelte");
let company: Module;
beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  const { speak } = await import("../src/i18n/speak.svelte");
  await speak("en");
  company = await import("../src/core/company.svelte");
});

const seat = (name: string, kind: "person" | "bot" | "open" = "person", away = false, named = true) => ({
  name, kind, away, named, level: "", connected: true,
}); // prettier-ignore
const info = (seats: object[], more: object = {}): TableInfo =>
  ({ phase: "playing", seats, settings: { take_over: true }, ...more }) as unknown as TableInfo;
const three = info([seat("Ann"), seat("Ben"), seat("Otto", "bot")]);

test("whoever has no name is called by the animal of the seat, in the reader's language", () => {
  expect(company.nameOf(seat("Ann"), 3)).toBe("Ann");
  expect(company.nameOf(seat("Goose", "person", false, false), 1)).toBe("Goose");
  expect(company.nameOf(seat("Fox 2", "person", false, false), 0)).toBe("Fox 2");
  expect(company.nameOf(seat("", "open"), 0)).toBe("");
});

test("a bot is offered after half a minute, to the others, and not for bots or those who left", () => {
  const here = new company.Company();
  const heard: FromServer = { type: "presence", connected: [], watching: 0, absent: [null, 10_000, null] };
  here.hear(heard, 50_000);
  expect(here.missed).toEqual([null, 40_000, null]);
  expect(here.absent(three, 0, 69_999)).toEqual([]);
  expect(here.absent(three, 0, 70_000)).toEqual([1]);
  expect(here.absent(three, 1, 70_000)).toEqual([]);
  expect(here.absent(three, null, 70_000)).toEqual([]);
  expect(here.absent(info([seat("Ann"), seat("Ben", "person", true)]), 0, 70_000)).toEqual([]);
  expect(here.absent(info(three.seats, { phase: "over" }), 0, 70_000)).toEqual([]);
});

test("people who are waited for can be reminded, once I have answered", () => {
  expect(company.slow(three, [1, 2], 0)).toEqual([1]);
  expect(company.slow(three, [0, 1], 0)).toEqual([]);
  expect(company.slow(three, [1], null)).toEqual([]);
});

test("a spectator may take a bot's seat where the table allows it", () => {
  expect(company.free(three, null)).toEqual([2]);
  expect(company.free(three, 0)).toEqual([]);
  expect(company.free(info(three.seats, { settings: { take_over: false } }), null)).toEqual([]);
});

test("what people did is told with their names, but not to whoever did it", () => {
  const names = ["Ann", "Ben", "Cy"];
  const told = { kind: "stood_in", seat: 1, by: 0, before: "" } as const;
  expect(company.says(told, names, 2)).toBe("Ann lets a bot play for Ben.");
  expect(company.says(told, names, 0)).toBe("");
  expect(company.says({ ...told, kind: "back", by: null }, names, 2)).toBe("Ben is back.");
  expect(company.says({ kind: "taken_over", seat: 2, by: 2, before: "Otto" }, names, 0)).toBe(
    "Cy plays on for Otto.",
  );
  expect(company.says({ type: "nudged", seat: 1, by: 0 }, names, 1)).toBe("Ann nudges you: everybody waits.");
});

test("every kind of notice has words in every language", async () => {
  const { speak, t } = await import("../src/i18n/speak.svelte");
  const kinds = [
    "left",
    "removed",
    "removed.by",
    "timed_out",
    "stand_in_asked.by",
    "stood_in",
    "stood_in.by",
  ];
  for (const language of ["en", "de", "fr"]) {
    await speak(language);
    for (const kind of [...kinds, "back", "taken_over", "host", "host.by"])
      expect(t(`company.${kind}`)).not.toBe(`company.${kind}`);
  }
  await speak("en");
});

test("a message is heard once, in its order", () => {
  const here = new company.Company();
  here.hear({ type: "nudged", seat: 1, by: 0 });
  const notices = [{ kind: "back", seat: 1, by: null, before: "" } as const];
  here.hear({ type: "update", since: 1, number: 2, events: [], waiting: [], notices });
  expect(here.told).toHaveLength(2);
});

test("animals in lists and records are called in the reader's language, names that were chosen are not", async () => {
  const { speak } = await import("../src/i18n/speak.svelte");
  await speak("de");
  expect(company.nameInList("Fox", 0)).toBe("Fuchs");
  expect(company.nameInList("Goose 2", 1)).toBe("Gans 2");
  expect(company.nameInList("Fox", 3)).toBe("Fox");
  expect(company.nameInList("Fox", null)).toBe("Fuchs");
  expect(company.nameInList("Otto", null)).toBe("Otto");
  await speak("en");
});

test("a level that cannot play here is told of once, with who plays instead", () => {
  const here = new company.Company();
  const heard: FromServer = {
    type: "presence", connected: [], watching: 0, absent: [], unready: { hard: "preparing", expert: "failed" },
  }; // prettier-ignore
  here.hear(heard);
  here.hear(heard);
  expect(here.told.map((one) => company.says(one, [], null))).toEqual([
    "Level expert cannot play on this server now; level medium plays instead.",
  ]);
});
