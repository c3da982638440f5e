import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  answered,
  answerTo,
  checkDeal,
  checkRecord,
  command,
  mix,
  promise,
  remembered,
  verdict,
  type FairRecord,
  type Memory,
} from "../src/core/fair";
import { hex, hmac, sha256, unhex } from "../src/core/sha256";
import type { FairDeal } from "../src/protocol";
import written from "./fair.vectors.json";

const records = written as unknown as FairRecord[];
const copy = (record: FairRecord): FairRecord => structuredClone(record);
const deals = (record: FairRecord): FairDeal[] => record.fair as FairDeal[];

/** What somebody on seat 1 has kept of a whole game. */
const kept = (record: FairRecord): Memory =>
  Object.fromEntries(
    deals(record).map((deal) => [
      deal.number,
      { commitment: deal.commitment, nonce: deal.nonces[1]!, seat: 1, sent: true },
    ]),
  );

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
    key: (place: number) => [...kept.keys()][place] ?? null,
    get length() {
      return kept.size;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test("our SHA-256 and HMAC are those of others, at every length around a block", async () => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (let length = 1; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 7 + length) % 256);
    expect(sha256(bytes)).toEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
    expect(hmac(bytes, bytes)).toEqual(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)));
  }
  expect(hex(sha256(new Uint8Array()))).toMatch(/^e3b0c44298fc1c14/);
  expect(unhex("00ff10")).toEqual(Uint8Array.of(0, 255, 16));
});

test("what Python deals is found fair, with numbers and special cards", () => {
  for (const record of records) {
    const checks = checkRecord(record, kept(record));
    expect(checks).toHaveLength(deals(record).length);
    expect(verdict(checks)).toBe("fair");
  }
});

test("a promise is bound to table and number", () => {
  const [deal] = deals(records[0]!);
  expect(promise(deal!.table, deal!.number, deal!.seed)).toBe(deal!.commitment);
  expect(promise("other", deal!.number, deal!.seed)).not.toBe(deal!.commitment);
  expect(promise(deal!.table, deal!.number + 1, deal!.seed)).not.toBe(deal!.commitment);
});

test.each<[string, (record: FairRecord) => void]>([
  ["a name", (record) => (record.names![0] = "Zoe")],
  ["an option", (record) => (record.options!["end.value"] = 3)],
  ["the game", (record) => (record.game = "tactics")],
  ["the number of a deal", (record) => (record.fair![0]!.number = 7)],
  ["a nonce", (record) => (record.fair![0]!.nonces = ["", "ff"])],
  ["a seed", (record) => (record.fair![0]!.seed = "00".repeat(32))],
  ["a pile's name", (record) => (record.fair![0]!.piles = ["other"])],
  ["a deal that is left out", (record) => record.fair!.pop()],
  [
    "two cards that change places",
    (record) => {
      const pile = record.rounds[0]!.deals![0]!;
      const cards = pile[1].split(" ");
      pile[1] = [...cards.slice(0, -2), cards.at(-1), cards.at(-2)].join(" ");
    },
  ],
])("%s cannot be altered unnoticed", (_, forge) => {
  const record = copy(records[0]!);
  forge(record);
  expect(verdict(checkRecord(record, {}))).toBe("broken");
});

test("a record that is sound in itself is compared with what was kept", () => {
  const record = records[0]!;
  const memory = kept(record);
  expect(verdict(checkRecord(record, {}))).toBe("partly");
  expect(verdict(checkRecord(record, { ...memory, 1: { ...memory[1]!, commitment: "00" } }))).toBe("broken");
  const without = checkRecord(record, { ...memory, 1: { ...memory[1]!, nonce: "ab".repeat(8) } });
  expect(without[0]!.mixed).toBe("missing");
  expect(verdict(without)).toBe("partly");
});

test("a record of the first scheme is not called broken, nor proven", () => {
  const record = copy(records[0]!);
  record.fair = record.fair!.map(({ number, commitment, seed, nonces, piles }) => ({
    number: number!, commitment: commitment!, seed: seed!, nonces: nonces!, piles: piles!,
  })); // prettier-ignore
  const checks = checkRecord(record, kept(record));
  expect(checks[0]!.follows).toBe("older");
  expect(verdict(checks)).toBe("partly");
  expect(verdict([])).toBe("none");
});

test("a promise is answered once, and what was seen first counts", () => {
  const fair = { next: 1, commitment: "aa" };
  expect(answerTo("t", fair, null)).toBeNull();
  const nonce = answerTo("t", fair, 2);
  expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(answerTo("t", fair, 2)).toBe(nonce);
  answered("t", 1, true);
  expect(answerTo("t", fair, 2)).toBeNull();
  expect(answerTo("t", { next: 1, commitment: "bb" }, 2)).toBeNull();
  expect(remembered("t")).toEqual({ 1: { commitment: "aa", nonce, seat: 2, sent: true } });
  const deal = {
    number: 1,
    commitment: "bb",
    seed: "",
    nonces: ["", "", nonce!],
    piles: [],
    scheme: 1,
    table: "",
  };
  expect(checkDeal(deal, remembered("t")).promised).toBe("broken");
});

test("a nonce that another device gave in our place is not missed", () => {
  answerTo("t", { next: 1, commitment: "aa" }, 0);
  answered("t", 1, false);
  expect(remembered("t")).toEqual({ 1: { commitment: "aa" } });
});

test("what was kept of the oldest tables is forgotten", () => {
  vi.useFakeTimers();
  for (let table = 0; table < 60; table += 1) {
    vi.setSystemTime(1000 * (table + 1));
    answerTo(`t${table}`, { next: 1, commitment: "aa" }, null);
  }
  expect(remembered("t0")).toEqual({});
  expect(remembered("t59")).not.toEqual({});
  expect(localStorage.length).toBe(50);
  vi.useRealTimers();
});

test("the words to check it elsewhere hold all that was kept", () => {
  const record = records[0]!;
  const memory = kept(record);
  const says = command("r-1", memory, checkRecord(record, memory));
  expect(says).toContain("bullpen record verify bullpen-r-1.json --commitment 1:");
  expect(says).toContain(`--nonce 1:${memory[1]!.nonce}`);
});

test("cards of one kind are sorted before they are mixed", () => {
  const key = unhex("00");
  expect(mix(key, 0, "deck", [10, 9, 100])).toEqual(mix(key, 0, "deck", [100, 10, 9]));
});
