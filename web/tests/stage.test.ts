import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GameEvent } from "../src/core/events";
import type { Stage } from "../src/core/stage.svelte";
import type { PositionInfo } from "../src/protocol";

const nothing = { addEventListener: () => undefined, removeEventListener: () => undefined };
let stage: Stage;
let hidden: boolean;

function position(rows: number[][], more: Partial<PositionInfo> = {}): PositionInfo {
  return {
    players: 2, rows, hands: [[44, 60], [0, 0]], piles: [[], []], table: [], deck: [], aside: [], known: [[], []],
    points: [0, 0], scores: [0, 0], score_sheet: [], round: 1, trick: 1, result: null, ...more,
  }; // prettier-ignore
}
const FIRST = position([[10], [20]]);
const SECOND = position([[10], [20, 44]], { hands: [[60], [0]] });
const NEWEST = position([[99], [98]], { trick: 7 });
const placed: GameEvent = { type: "Placed", seat: 0, card: 44, row: 1, place: 1 };
const trick: GameEvent[] = [
  { type: "TrickStarted", trick: 1 },
  { type: "Revealed", plays: [{ card: 44, seat: 0, value: 44 }] },
  placed,
];
const ended: GameEvent = { type: "RoundEnded", round: 1, points: [3, 4], totals: [3, 4] };

beforeEach(async () => {
  vi.useFakeTimers();
  hidden = false;
  vi.stubGlobal("document", {
    ...nothing,
    documentElement: {},
    get visibilityState() {
      return hidden ? "hidden" : "visible";
    },
  });
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("localStorage", { getItem: () => '{"speed":1}', setItem: () => undefined });
  vi.stubGlobal("window", { ...nothing, matchMedia: () => ({ ...nothing, matches: true }) });
  const { Stage: Kind } = await import("../src/core/stage.svelte");
  stage = new Kind();
  stage.jump(FIRST);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Nothing moves, nothing waits, and no timer will wake anything up. */
async function atRest(rows: number[][]): Promise<void> {
  expect(stage.position?.rows).toEqual(rows);
  await vi.runAllTimersAsync();
  expect(stage.position?.rows).toEqual(rows);
  expect(stage.playing).toBe(false);
  expect(stage.event).toBeNull();
  expect(stage.timeline.left).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  expect([stage.owed, stage.gates, stage.lit, stage.remark]).toEqual([{}, {}, null, null]);
}

test("a trick takes its time and ends in its position", async () => {
  const done = vi.fn();
  stage.play(trick, SECOND, done);
  expect(stage.playing).toBe(true);
  await vi.advanceTimersByTimeAsync(600 + 330);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toHaveBeenCalledOnce();
  await atRest([[10], [20, 44]]);
});

test.each([0, 1, 300, 599, 601, 900])(
  "a jump after %d ms of a trick ends in the newest position",
  async (ms) => {
    const done = [vi.fn(), vi.fn()];
    stage.play(trick, SECOND, done[0]!);
    stage.play([{ type: "TrickStarted", trick: 2 }], FIRST, done[1]!);
    await vi.advanceTimersByTimeAsync(ms);
    stage.jump(NEWEST);
    expect(done[0]).toHaveBeenCalledOnce();
    expect(done[1]).toHaveBeenCalledOnce();
    await atRest([[99], [98]]);
  },
);

test.each([0, 300, 601])("skip after %d ms shows the outcome of everything at once", async (ms) => {
  const done = [vi.fn(), vi.fn()];
  stage.play(trick, SECOND, done[0]!);
  stage.play(trick, NEWEST, done[1]!);
  await vi.advanceTimersByTimeAsync(ms);
  stage.skip();
  await vi.advanceTimersByTimeAsync(0);
  expect(done[0]).toHaveBeenCalledOnce();
  expect(done[1]).toHaveBeenCalledOnce();
  expect(stage.lines).toHaveLength(6);
  await atRest([[99], [98]]);
});

test("what comes after a skip takes its time again", async () => {
  stage.play(trick, SECOND, () => undefined);
  stage.skip();
  await vi.advanceTimersByTimeAsync(0);
  stage.play(trick, NEWEST, () => undefined);
  await vi.advanceTimersByTimeAsync(100);
  expect(stage.playing).toBe(true);
  await vi.advanceTimersByTimeAsync(2000);
  await atRest([[99], [98]]);
});

test("a new play from within a jump's done does not bring the old one back", async () => {
  stage.play(trick, SECOND, () => stage.play([placed], NEWEST, () => undefined));
  await vi.advanceTimersByTimeAsync(100);
  stage.jump(FIRST);
  await vi.runAllTimersAsync();
  await atRest([[99], [98]]);
});

test("the score sheet waits for somebody, and a jump puts it away", async () => {
  stage.play([ended], SECOND, () => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stage.sheet).toEqual(ended);
  stage.jump(NEWEST);
  expect(stage.sheet).toBeNull();
  await atRest([[99], [98]]);
});

test("skip stops at the score sheet, and going on plays what follows", async () => {
  stage.play([ended], SECOND, () => undefined);
  stage.play([placed], NEWEST, () => undefined);
  stage.skip();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.sheet).toEqual(ended);
  stage.goOn();
  await vi.advanceTimersByTimeAsync(100);
  expect(stage.playing).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  await atRest([[99], [98]]);
});

test("nobody waits for motion in a tab that nobody sees", async () => {
  hidden = true;
  stage.play(trick, SECOND, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  await atRest([[10], [20, 44]]);
});

test("the last trick is shown again, without new lines, and ends where the table is", async () => {
  stage.play(trick, SECOND, () => undefined);
  await vi.runAllTimersAsync();
  stage.replay();
  expect(stage.again).toBe(true);
  expect(stage.position?.rows).toEqual([[10], [20]]);
  await vi.advanceTimersByTimeAsync(600 + 400);
  expect(stage.again).toBe(false);
  expect(stage.lines).toHaveLength(3);
  await atRest([[10], [20, 44]]);
});

test("news in the middle of the last trick are shown after it", async () => {
  stage.play(trick, SECOND, () => undefined);
  await vi.runAllTimersAsync();
  stage.replay();
  await vi.advanceTimersByTimeAsync(200);
  stage.play([placed], NEWEST, () => undefined);
  stage.skip();
  await vi.advanceTimersByTimeAsync(0);
  await atRest([[99], [98]]);
});

test("a page that is left stays as it was", async () => {
  const done = vi.fn();
  stage.play(trick, SECOND, done);
  await vi.advanceTimersByTimeAsync(100);
  stage.end();
  expect(done).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(stage.timeline.left).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

/** How long a trick is shown to so many players. */
async function lastsFor(players: number, before: () => void = () => undefined): Promise<number> {
  const done = vi.fn();
  stage.jump({ ...FIRST, players });
  stage.play(trick, { ...SECOND, players }, done);
  before();
  for (let passed = 0; passed < 5000; passed += 10) {
    if (done.mock.calls.length) return passed;
    await vi.advanceTimersByTimeAsync(10);
  }
  return Infinity;
}

test("the more players there are, the faster each card goes", async () => {
  const few = await lastsFor(4);
  expect(few).toBeGreaterThan(900);
  expect(await lastsFor(10)).toBeLessThanOrEqual(few / 2 + 20);
  expect(await lastsFor(7)).toBeLessThan(few);
});

test("a tap hurries what is being played, and nothing that comes after it", async () => {
  const whole = await lastsFor(4);
  expect(await lastsFor(4, () => stage.hurry())).toBeLessThan(whole / 2);
  stage.hurry();
  expect(await lastsFor(4)).toBe(whole);
});
