import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Choices, type Token } from "../src/core/choosing";
import { Keys } from "../src/core/keys";
import type { Table } from "../src/core/table.svelte";
import type { AskOption } from "../src/protocol";

beforeEach(() => vi.stubGlobal("document", { querySelector: () => null }));
afterEach(() => vi.unstubAllGlobals());

const play = (card: number): AskOption => ({
  notation: String(card),
  type: "PlayCard",
  card,
  flipped: false,
});
const take = (row: number): AskOption => ({ notation: `r${row + 1}`, type: "TakeRow", row });
const stop = (row: number): AskOption => ({
  notation: `stop:${row + 1}`,
  type: "UseSpecial",
  name: "stop",
  targets: [row + 1],
});
const SPECIALS = [
  { name: "stop", title: "", says: "", aims: [{ at: "rows", says: "" }], marks: false, loose: false },
];

/** What is lifted after keys were pressed. */
function pressed(options: AskOption[], ...keys: string[]): readonly Token[] {
  const choices = new Choices(options, SPECIALS);
  const table = {
    choices,
    selection: [] as Token[],
    tap(token: Token) {
      this.selection = choices.tap(this.selection, token);
    },
  };
  const listening = new Keys(table as unknown as Table);
  const target = { closest: () => null };
  for (const key of keys) listening.press({ key, target } as unknown as KeyboardEvent);
  return table.selection;
}

test("a digit is enough where only a pen is asked for", () => {
  const rows = [0, 1, 2, 3].map(take);
  expect(pressed(rows, "2")).toEqual(["row:1"]);
  expect(pressed(rows, "r", "2")).toEqual(["row:1"]);
  expect(pressed([...Array(10).keys()].map(take), "0")).toEqual(["row:9"]);
  expect(pressed(rows, "7")).toEqual([]);
});

test("where cards may be meant, a digit is a card's", () => {
  expect(pressed([play(2), play(24), take(1)], "2")).toEqual(["card:2"]);
  expect(pressed([play(2), play(24)], "2", "4")).toEqual(["card:24"]);
  expect(pressed([stop(1), play(12)], "2")).toEqual([]);
});

test("a special card that has been chosen already wants its pen", () => {
  expect(pressed([stop(0), stop(1)], "2")).toEqual(["row:1"]);
});
