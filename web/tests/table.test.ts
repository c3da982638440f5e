import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FromClient, FromServer } from "../src/protocol";
import type { Table } from "../src/core/table.svelte";

/** A socket without a network: what was sent can be read, what arrives is told. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: FromClient[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }
  close(): void {
    this.readyState = 3;
  }
  opened(): void {
    this.readyState = Socket.OPEN;
    this.onopen();
  }
  tell(message: FromServer | object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  lost(): void {
    this.readyState = 3;
    this.onclose({ code: 1006 });
  }
  of<T extends FromClient["type"]>(type: T): Extract<FromClient, { type: T }>[] {
    return this.sent.filter((message) => message.type === type) as Extract<FromClient, { type: T }>[];
  }
}

const position = {
  rows: [[10]],
  hands: [[44]],
  piles: [[]],
  table: [],
  points: [0],
  scores: [0],
  round: 1,
  trick: 1,
};
const snapshot = {
  type: "snapshot",
  number: 5,
  you: { seat: 0, host: true },
  table: {
    seats: [{ name: "Ann", connected: true }],
    settings: {},
    phase: "playing",
    fair: { next: 2, commitment: "aa", revealed: [] },
  },
  view: { seat: 0, position, piles: [[]] },
  ask: {
    number: 5,
    kind: "commit",
    about: [],
    secret: true,
    seats: [0],
    options: [{ notation: "44", type: "PlayCard", card: 44, flipped: false }],
  },
  mine: null,
  waiting: [0],
  votes: {},
  clock: null,
  watching: 0,
};
const nothing = { addEventListener: () => undefined, removeEventListener: () => undefined };
/** Who listens to what happens to the window and the document. */
let listening: Map<string, () => void>;
const listens = {
  addEventListener: (event: string, hear: () => void) => listening.set(event, hear),
  removeEventListener: (event: string) => listening.delete(event),
};
const wake = (event: string): void => listening.get(event)?.();
let seen: "visible" | "hidden";
let table: Table;
let kept: Map<string, string>;
const socket = (): Socket => Socket.all.at(-1)!;

beforeEach(async () => {
  vi.useFakeTimers();
  Socket.all = [];
  vi.stubGlobal("WebSocket", Socket);
  listening = new Map();
  seen = "visible";
  vi.stubGlobal("document", {
    ...listens,
    get visibilityState() {
      return seen;
    },
    documentElement: {},
  });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  vi.stubGlobal("localStorage", { getItem: () => '{"preview":false,"speed":0}', setItem: () => undefined });
  kept = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  vi.stubGlobal("window", { ...listens, matchMedia: () => ({ ...nothing, matches: true }) });
  const { Table: Kind } = await import("../src/core/table.svelte");
  table = new Kind("ABCD");
  socket().opened();
  socket().tell(snapshot);
});
afterEach(() => {
  table.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Lift the card and play it. */
function play(): void {
  table.tap("card:44");
  table.tap("card:44");
}

test("the first message asks for everything", () => {
  expect(socket().url).toBe("ws://here/ws/ABCD");
  expect(socket().sent[0]).toMatchObject({ type: "resume", last: 0 });
  expect(table.shown?.number).toBe(5);
  expect(table.wire).toBe("open");
});

test("a choice is sent once and stays pending until it is shown", () => {
  play();
  play();
  expect(socket().of("choose")).toHaveLength(1);
  const [choice] = socket().of("choose");
  socket().tell({ type: "ack", id: choice!.id, number: 6 });
  expect(table.pending).toBe("44");
  socket().tell({ type: "update", since: 5, number: 6, events: [], waiting: [], mine: "44" });
  expect(table.pending).toBeNull();
  expect(table.shown?.mine).toBe("44");
});

test("a refused choice is taken back with a sentence", () => {
  play();
  socket().tell({ type: "error", id: socket().of("choose")[0]!.id, code: "illegal", says: "No." });
  expect(table.pending).toBeNull();
  expect(table.problem).toBe("No.");
});

test("a lost connection comes back, resumes at the last number and repeats what nobody confirmed", () => {
  play();
  const [choice] = socket().of("choose");
  socket().lost();
  expect(table.wire).toBe("lost");
  vi.advanceTimersByTime(2000);
  expect(Socket.all).toHaveLength(2);
  socket().opened();
  expect(socket().sent[0]).toMatchObject({ type: "resume", last: 5 });
  expect(socket().of("choose")).toEqual([choice]);
  socket().tell({ type: "ack", id: choice!.id, number: 6 });
  socket().lost();
  vi.advanceTimersByTime(2000);
  socket().opened();
  expect(socket().of("choose")).toEqual([]);
});

test("a gap makes the client resume, once, and what follows closes it", () => {
  socket().tell({ type: "update", since: 7, number: 8, events: [], waiting: [] });
  socket().tell({ type: "update", since: 8, number: 9, events: [], waiting: [] });
  expect(socket().of("resume").map((message) => message.last)).toEqual([0, 5]); // prettier-ignore
  socket().tell({ type: "update", since: 5, number: 9, events: [], waiting: [0] });
  expect(table.shown?.number).toBe(9);
});

/** Let time pass in small steps while the server answers every ping at once, or after a while. */
function answered(milliseconds: number, delay = 0): void {
  const heard = new Set(
    socket()
      .of("ping")
      .map(({ id }) => id),
  );
  for (let passed = 0; passed < milliseconds; passed += 50) {
    vi.advanceTimersByTime(50);
    for (const { id } of socket().of("ping")) {
      if (heard.has(id)) continue;
      heard.add(id);
      const line = socket();
      if (delay) setTimeout(() => line.tell({ type: "pong", id }), delay);
      else line.tell({ type: "pong", id });
    }
  }
}

/** How long until something is so, in milliseconds. */
function until(holds: () => boolean): number {
  for (let passed = 0; passed < 60_000; passed += 50) {
    if (holds()) return passed;
    vi.advanceTimersByTime(50);
  }
  return Infinity;
}

test("a line that falls silent is said to be lost within two seconds, whenever it does", () => {
  for (const before of [0, 100, 500, 900, 1400]) {
    answered(3000 + before);
    expect(table.wire).toBe("open");
    expect(until(() => table.wire === "lost")).toBeLessThan(2000);
    socket().lost();
    until(() => socket().readyState === 0);
    socket().opened();
    socket().tell(snapshot);
    expect(table.wire).toBe("open");
  }
});

test("a line that stays silent is given up, and nobody waits more than three seconds for the next try", () => {
  answered(3000);
  const lines = Socket.all.length;
  expect(until(() => Socket.all.length > lines)).toBeLessThan(5000);
  for (let tries = 0; tries < 8; tries += 1) {
    const before = Socket.all.length;
    socket().lost();
    expect(table.wire).toBe("lost");
    expect(until(() => Socket.all.length > before)).toBeLessThanOrEqual(3000);
  }
});

test("a try that leads nowhere is given up as well", () => {
  socket().lost();
  until(() => Socket.all.length === 2);
  expect(until(() => Socket.all.length === 3)).toBeLessThan(6000);
});

test("a line that answers late is not called lost again and again", () => {
  answered(1000);
  let lost = 0;
  let before = "open";
  const heard = new Set<string>();
  for (let passed = 0; passed < 20_000; passed += 50) {
    vi.advanceTimersByTime(50);
    for (const { id } of socket().of("ping"))
      if (!heard.has(id) && heard.add(id)) setTimeout(() => socket().tell({ type: "pong", id }), 1200);
    if (table.wire === "lost" && before === "open") lost += 1;
    before = table.wire;
  }
  expect(lost).toBeLessThan(2);
  expect(Socket.all).toHaveLength(1);
});

test("only a quiet line is asked: whatever the server says is a sign of life", () => {
  answered(2000);
  const before = socket().of("ping").length;
  for (let number = 6; number < 36; number += 1) {
    answered(600);
    socket().tell({ type: "update", since: number - 1, number, events: [] });
  }
  expect(socket().of("ping").length).toBe(before);
  expect(until(() => table.wire === "lost")).toBeLessThan(2000);
});

test("a page that nobody looks at asks seldom, and is not called lost because it slept", () => {
  answered(2000);
  seen = "hidden";
  const before = socket().of("ping").length;
  answered(60_000);
  expect(socket().of("ping").length - before).toBeLessThan(14);
  // The browser holds its timers back for a minute.
  vi.setSystemTime(Date.now() + 60_000);
  answered(10_000);
  expect(table.wire).toBe("open");
  expect(Socket.all).toHaveLength(1);
});

test.each(["online", "focus", "visibilitychange"])("at %s a lost line is tried at once", (event) => {
  for (let tries = 0; tries < 5; tries += 1) {
    socket().lost();
    until(() => socket().readyState === 0);
  }
  socket().lost();
  const before = Socket.all.length;
  wake(event);
  expect(Socket.all.length).toBe(before + 1);
});

test("without a network the line is doubted at once, and stands if the server answers", () => {
  answered(1500);
  const asked = socket().of("ping").length;
  wake("offline");
  expect(socket().of("ping").length).toBe(asked + 1);
  socket().tell({ type: "pong", id: "" });
  answered(1500);
  expect(table.wire).toBe("open");
  wake("offline");
  expect(until(() => table.wire === "lost")).toBeLessThan(1000);
});

test("a table that does not exist is not tried again", () => {
  socket().onclose({ code: 4404 });
  vi.advanceTimersByTime(60_000);
  expect(table.wire).toBe("closed");
  expect(Socket.all).toHaveLength(1);
});

test("events are played before the new question is shown", async () => {
  const after = { ...position, rows: [[10, 44]], hands: [[]] };
  const events = [
    { type: "Revealed", plays: [{ card: 44, seat: 0, value: 44 }] },
    { type: "Placed", seat: 0, card: 44, row: 0, place: 1 },
  ];
  socket().tell({ type: "update", since: 5, number: 6, events, waiting: [], view: { seat: 0, position: after, piles: [[]] }, ask: null }); // prettier-ignore
  expect(table.ask).toBeNull();
  await vi.advanceTimersByTimeAsync(500);
  expect(table.stage.position?.rows).toEqual([[10, 44]]);
  expect(table.stage.lines.map((line) => line.event.type)).toEqual(["Revealed", "Placed"]);
  expect(table.shown?.number).toBe(6);
});

test("a promise is answered with a nonce, and a refusal of it is no matter of the player's", () => {
  const [mix] = socket().of("mix");
  expect(mix).toMatchObject({ commitment: "aa" });
  socket().tell({ type: "error", id: mix!.id, code: "closed", says: "You have mixed this deal already." });
  expect(table.problem).toBe("");
  expect(socket().of("mix")).toHaveLength(1);
});

/** The page is left and loaded anew. */
async function reload(told: object): Promise<void> {
  table.end();
  const { Table: Kind } = await import("../src/core/table.svelte");
  table = new Kind("ABCD");
  socket().opened();
  socket().tell({ ...snapshot, ...told });
}

test("a reload brings back the log, the last trick and the lifted card", async () => {
  const events = [
    { type: "TrickStarted", trick: 1 },
    { type: "Revealed", plays: [{ card: 44, seat: 0, value: 44 }] },
    { type: "Placed", seat: 0, card: 44, row: 0, place: 1 },
  ];
  socket().tell({ type: "update", since: 5, number: 6, events, waiting: [0], view: snapshot.view, ask: { ...snapshot.ask, number: 6 } }); // prettier-ignore
  await vi.advanceTimersByTimeAsync(500);
  table.tap("card:44");
  await reload({ number: 6, ask: { ...snapshot.ask, number: 6 } });
  expect(table.stage.lines.map((line) => line.event.type)).toEqual(["TrickStarted", "Revealed", "Placed"]);
  expect(table.stage.last?.events).toHaveLength(3);
  expect(table.selection).toEqual(["card:44"]);
  expect(socket().of("resume").map((message) => message.last)).toEqual([0]); // prettier-ignore
});

test("what happened during a reload is asked for, and goes to the log only", async () => {
  table.tap("card:44");
  await reload({ number: 8, ask: { ...snapshot.ask, number: 8 } });
  expect(table.selection).toEqual([]);
  expect(socket().of("resume").map((message) => message.last)).toEqual([0, 5]); // prettier-ignore
  const events = [{ type: "TrickStarted", trick: 2 }];
  socket().tell({ type: "update", since: 5, number: 8, events, waiting: [0] });
  expect(table.stage.lines.map((line) => line.event.type)).toEqual(["TrickStarted"]);
  expect(table.stage.playing).toBe(false);
  expect(table.shown?.number).toBe(8);
});

test("what somebody else saw at this table is not brought back", async () => {
  table.tap("card:44");
  await reload({ you: { seat: null, host: false }, ask: null });
  expect(table.selection).toEqual([]);
});

test("who watches sees who has chosen, also when only one is still to choose", () => {
  const three = { ...position, hands: [[0], [0], [0]] };
  const watching = { ...snapshot, you: { seat: null, host: false }, ask: null, waiting: [0, 1, 2], secret: true, view: { seat: null, position: three, piles: [[]] } }; // prettier-ignore
  socket().tell({ ...watching, number: 6, table: { ...snapshot.table, seats: [] } });
  const tell = (number: number, waiting: number[], secret = true): void =>
    socket().tell({ type: "update", since: number - 1, number, events: [], waiting, secret });
  tell(7, [1, 2]);
  expect(table.asked).toEqual([0, 1, 2]);
  tell(8, [2]);
  expect(table.asked).toEqual([0, 1, 2]);
  // Once the cards were turned up, a question for one is none that the others have answered.
  tell(9, [1], false);
  expect(table.asked).toEqual([]);
});
