/** What this client knows of a table, brought up to date by numbered messages. Pure: old state in, new out. */

import type {
  AskInfo,
  Clock,
  Event,
  FromServer,
  Snapshot,
  TableInfo,
  Update,
  ViewInfo,
  You,
} from "../protocol";

export interface Ledger {
  number: number;
  you: You;
  table: TableInfo;
  view: ViewInfo | null;
  ask: AskInfo | null;
  mine: string | null;
  waiting: number[];
  /** Whether what they are asked is answered in secret. */
  secret: boolean;
  votes: Record<string, string>;
  clock: Clock | null;
  connected: boolean[];
  watching: number;
  /** The levels of bots that cannot decide in this game yet, or that another one stands in for. */
  unready: Readonly<Record<string, "preparing" | "failed">>;
}

/** What a message means: show this at once, play these events, ask for what is missing, or nothing. */
export type Outcome =
  | { kind: "jump"; ledger: Ledger }
  | { kind: "play"; ledger: Ledger; events: Event[] }
  | { kind: "gap" }
  | { kind: "same"; ledger: Ledger | null };

/** Apply a message of the server to what is known so far. */
export function receive(ledger: Ledger | null, message: FromServer): Outcome {
  switch (message.type) {
    case "snapshot":
      return { kind: "jump", ledger: fromSnapshot(message, ledger?.unready ?? {}) };
    case "update":
      return update(ledger, message);
    case "presence":
      return {
        kind: "same",
        ledger: ledger && {
          ...ledger,
          connected: message.connected,
          watching: message.watching,
          unready: message.unready ?? {},
        },
      };
    default:
      return { kind: "same", ledger };
  }
}

function fromSnapshot(message: Snapshot, unready: Ledger["unready"]): Ledger {
  return {
    number: message.number,
    you: message.you,
    table: message.table,
    view: message.view,
    ask: message.ask,
    mine: message.mine,
    waiting: message.waiting,
    secret: message.secret ?? false,
    votes: message.votes,
    clock: message.clock,
    connected: message.table.seats.map((seat) => seat.connected),
    watching: message.watching,
    unready,
  };
}

function update(ledger: Ledger | null, message: Update): Outcome {
  // A repeated message changes nothing; one that does not follow on the last tells of a gap.
  if (ledger && message.number <= ledger.number) return { kind: "same", ledger };
  if (!ledger || message.since !== ledger.number) return { kind: "gap" };
  const table = message.table ?? ledger.table;
  const next: Ledger = {
    number: message.number,
    you: message.you ?? ledger.you,
    table,
    view: message.view === undefined ? ledger.view : message.view,
    ask: message.ask === undefined ? ledger.ask : message.ask,
    mine: message.mine === undefined ? ledger.mine : message.mine,
    waiting: message.waiting ?? [],
    secret: message.secret ?? false,
    votes: message.votes ?? ledger.votes,
    clock: message.clock === undefined ? ledger.clock : message.clock,
    connected: message.table ? table.seats.map((seat) => seat.connected) : ledger.connected,
    watching: ledger.watching,
    unready: ledger.unready,
  };
  const events = message.events ?? [];
  return { kind: "play", ledger: next, events };
}
