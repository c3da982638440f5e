import { describe, expect, test } from "vitest";
import { receive, type Ledger, type Outcome } from "../src/core/ledger";
import type { FromServer, Snapshot, Update } from "../src/protocol";

function snapshot(number: number): Snapshot {
  return {
    type: "snapshot",
    number,
    you: { seat: 0, host: true },
    table: { seats: [{ connected: true }, { connected: false }] },
    view: { seat: 0, position: { rows: [[1]] }, piles: [] },
    ask: { number: 7, kind: "commit", options: [] },
    mine: null,
    waiting: [0, 1],
    votes: {},
    clock: null,
    watching: 2,
  } as unknown as Snapshot;
}
function update(since: number, number: number, more: Partial<Update> = {}): Update {
  return { type: "update", since, number, events: [], waiting: [1], ...more };
}
function ledgerOf(outcome: Outcome): Ledger {
  if (outcome.kind === "gap" || !outcome.ledger) throw new Error(outcome.kind);
  return outcome.ledger;
}
const start = ledgerOf(receive(null, snapshot(10)));

describe("a snapshot", () => {
  test("replaces everything, also older knowledge", () => {
    expect(start.number).toBe(10);
    expect(start.connected).toEqual([true, false]);
    const again = receive(start, snapshot(4));
    expect(again.kind).toBe("jump");
    expect(ledgerOf(again).number).toBe(4);
  });
});

describe("an update", () => {
  test("changes what it names and leaves the rest", () => {
    const outcome = receive(start, update(10, 11, { mine: "44" }));
    const next = ledgerOf(outcome);
    expect(outcome.kind).toBe("play");
    expect(next.mine).toBe("44");
    expect(next.number).toBe(11);
    expect(next.waiting).toEqual([1]);
    expect(next.view).toBe(start.view);
    expect(next.ask).toBe(start.ask);
  });
  test("can take something away", () => {
    const next = ledgerOf(receive(start, update(10, 11, { ask: null, view: null })));
    expect(next.ask).toBeNull();
    expect(next.view).toBeNull();
  });
  test("that was seen already changes nothing", () => {
    const outcome = receive(start, update(9, 10, { mine: "44" }));
    expect(outcome).toEqual({ kind: "same", ledger: start });
  });
  test("that does not follow on the last one tells of a gap", () => {
    expect(receive(start, update(11, 12)).kind).toBe("gap");
    expect(receive(start, update(8, 12)).kind).toBe("gap");
    expect(receive(null, update(0, 1)).kind).toBe("gap");
  });
  test("that spans what was missed closes the gap", () => {
    const events = [{ type: "Committed", seat: 1 }] as Update["events"];
    const outcome = receive(start, update(10, 15, { events }));
    expect(outcome.kind).toBe("play");
    expect(outcome.kind === "play" && outcome.events).toEqual(events);
  });
  test("carries the connections of a table that it brings", () => {
    const table = { ...start.table, seats: [{ connected: false }, { connected: true }] } as Ledger["table"];
    expect(ledgerOf(receive(start, update(10, 11, { table }))).connected).toEqual([false, true]);
  });
});

test("presence is not numbered and only says who is there", () => {
  const next = ledgerOf(
    receive(start, { type: "presence", connected: [true, true], watching: 5, absent: [null, null] }),
  );
  expect(next).toEqual({ ...start, connected: [true, true], watching: 5 });
});

test("which bots are ready is told with who is there, and outlives whatever happens at the table", () => {
  const there = { type: "presence", connected: [true, true], watching: 5, absent: [null, null] } as const;
  const told = { ...there, connected: [...there.connected], absent: [...there.absent] };
  const one = ledgerOf(receive(start, { ...told, unready: { expert: "preparing" } }));
  expect(one.unready).toEqual({ expert: "preparing" });
  expect(ledgerOf(receive(one, update(10, 11))).unready).toEqual({ expert: "preparing" });
  expect(ledgerOf(receive(one, snapshot(14))).unready).toEqual({ expert: "preparing" });
  expect(ledgerOf(receive(one, told)).unready).toEqual({});
});

test("whatever comes in whatever order, the number never goes back but by a snapshot", () => {
  let ledger: Ledger | null = start;
  const messages: FromServer[] = [
    update(12, 13),
    update(10, 11),
    update(10, 11),
    update(11, 12),
    update(12, 13),
    update(11, 12),
  ];
  const numbers: number[] = [];
  for (const message of messages) {
    const outcome = receive(ledger, message);
    if (outcome.kind !== "gap") ledger = outcome.ledger;
    numbers.push(ledger!.number);
  }
  expect(numbers).toEqual([10, 11, 11, 12, 13, 13]);
});

test("acknowledgements and pongs change nothing", () => {
  expect(receive(start, { type: "ack", id: "1", number: 11 })).toEqual({ kind: "same", ledger: start });
  expect(receive(null, { type: "pong", id: "1" })).toEqual({ kind: "same", ledger: null });
});
