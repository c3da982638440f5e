/** The lesson: a recorded game in place of a server, told beat by beat, each tip waiting for the learner. */

import type { FromClient, FromServer, Looks } from "../protocol";
import type { Line, Listener, Message } from "./connection";

/** What a tip points at: the hand, the rows, one row, or nothing in particular. */
export type Spot = "hand" | "rows" | "heads" | "result" | `row:${number}`;

export type Beat =
  | { beat: "show"; message: FromServer; looks: Looks }
  | { beat: "say"; tip: string; at: Spot }
  | { beat: "lift"; tip: string; at: Spot; card: number }
  | { beat: "do"; tip: string; at: Spot; choice: string };

export type Tip = Exclude<Beat, { beat: "show" }>;

export class Lesson {
  /** What is being said, while it waits. */
  tip = $state.raw<Tip | null>(null);
  /** The learner has tried something else. */
  wrong = $state(false);
  over = $state(false);
  #at = -1;
  #number = 0;
  #ids = 0;
  #looks: Looks = { goes: {}, unseen: [], limits: null };
  #listener: Listener | undefined;

  constructor(
    private readonly beats: readonly Beat[],
    private readonly name: string,
  ) {}

  /** Stand in for a connection to a server. */
  readonly line = (listener: Listener): Line => {
    this.#listener = listener;
    queueMicrotask(() => {
      listener.wire("open");
      this.#next();
    });
    return { send: (message) => this.#hear(message), resume: () => {}, reconnect: () => {}, end: () => {} };
  };

  readonly look = (): Promise<Looks> => Promise.resolve(this.#looks);

  /** The table has shown everything up to this number. */
  arrived(number: number): void {
    if (this.#beat?.beat === "show" && number >= this.#number) this.#next();
  }

  /** The learner has read the tip. */
  seen(): void {
    if (this.#beat?.beat === "say") this.#next();
  }

  /** The learner has lifted these cards. */
  lifted(tokens: readonly string[]): void {
    const beat = this.#beat;
    if (beat?.beat === "lift" && tokens.includes(`card:${beat.card}`)) this.#next();
  }

  get #beat(): Beat | undefined {
    return this.beats[this.#at];
  }

  #next(): void {
    this.#at += 1;
    this.wrong = false;
    const beat = this.#beat;
    this.tip = beat && beat.beat !== "show" ? beat : null;
    if (!beat) this.over = true;
    if (beat?.beat !== "show") return;
    this.#looks = beat.looks;
    const message = this.#named(beat.message);
    if (message.type === "snapshot" || message.type === "update") this.#number = message.number;
    this.#listener?.message(message);
  }

  /** The recording leaves the learner's seat without a name. */
  #named(message: FromServer): FromServer {
    if ((message.type !== "snapshot" && message.type !== "update") || !message.table) return message;
    const seats = message.table.seats.map((seat, place) => (place ? seat : { ...seat, name: this.name }));
    return { ...message, table: { ...message.table, seats } };
  }

  #hear(message: Message): string {
    const id = `lesson-${++this.#ids}`;
    if (message.type === "choose") queueMicrotask(() => this.#judge(id, message));
    return id;
  }

  #judge(id: string, message: Extract<Message, Omit<Extract<FromClient, { type: "choose" }>, "id">>): void {
    const beat = this.#beat;
    if (beat?.beat === "do" && beat.choice === message.choice) {
      this.#listener?.message({ type: "ack", id, number: this.#number + 1 });
      this.#next();
      return;
    }
    this.wrong = true;
    // A refusal that is about nothing: the card goes back, and the tip says why.
    this.#listener?.message({ type: "error", code: "too-late", says: "", id });
  }
}
