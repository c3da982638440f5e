/** The stage: shows a position, and plays events on it one by one at the speed that the person likes.
 *
 * However it is interrupted, it ends in the newest position, and nothing is left moving.
 */

import type { Furniture, Played, PositionInfo } from "../protocol";
import { Beat } from "./beat";
import { direct } from "./choreography";
import type { GameEvent, Told } from "./events";
import { PLAIN, showing, type Shown } from "./furniture";
import { beats, haste, lengthOf } from "./pace";
import { device, prefs } from "./prefs.svelte";
import { advance } from "./scene";
import { sound } from "./sound";
import { Timeline } from "./timeline";
import { lineOf, tell, type Line } from "./words";

const KEPT_LINES = 400;
/** How much faster the rest of a scene is shown to somebody who has no patience. */
const HURRY = 3;

/** A trick that can be seen again: what lay there before it, and what happened. */
export interface Trick {
  from: Shown;
  events: GameEvent[];
}

interface Act {
  events: readonly GameEvent[];
  position: PositionInfo | null;
  done: () => void;
  /** Where a trick begins that is shown again. */
  from?: Shown;
}

/** What a gate looks like while its pen is being emptied. */
export type Gate = "hit" | "broken" | "open";

export class Stage {
  position = $state.raw<Shown | null>(null);
  lines = $state.raw<Line[]>([]);
  playing = $state(false);
  /** The round whose score sheet lies on the table until somebody goes on. */
  sheet = $state.raw<Told<"RoundEnded"> | null>(null);
  /** What is being shown this moment. */
  event = $state.raw<GameEvent | null>(null);
  /** The last whole trick, to be seen again. */
  last = $state.raw<Trick | null>(null);
  /** Whether a trick is being shown again. */
  again = $state(false);
  /** By seat, what has been taken but has not arrived yet. */
  owed = $state.raw<Readonly<Record<number, number>>>({});
  /** The gates that are not as they should be, by row. */
  gates = $state.raw<Readonly<Record<number, Gate>>>({});
  /** The seat that everybody should look at. */
  lit = $state<number | null>(null);
  /** Whether the cards that were chosen in secret have been turned up. */
  revealed = $state(false);
  /** The cards of the trick in the order in which they were turned up; what was placed has left its place there. */
  lane = $state.raw<readonly Played[]>([]);
  /** What is said at a row while it happens there. */
  remark = $state.raw<{ row: number; text: string } | null>(null);
  root: HTMLElement | null = null;
  /** Whose eyes see the table, and what they call the others. */
  me: number | null = null;
  who: (seat: number) => string = String;
  readonly timeline = new Timeline();

  #furniture: Furniture = PLAIN;
  #printed: readonly number[] = [];
  #acts: Act[] = [];
  #now: Act | null = null;
  #ids = 0;
  #skipping = false;
  #hurried = false;
  #goOn: (() => void) | null = null;
  /** Whatever was begun under an older number does nothing when it wakes up. */
  #turn = 0;
  #trick: Trick | null = null;

  /** Learn what lies on the table of a game, and show it from now on. */
  furnish(furniture: Furniture, printed: readonly number[]): void {
    this.#furniture = furniture;
    this.#printed = printed;
    if (this.position) this.position = showing(this.position, furniture, printed);
  }

  /** Show a position at once and forget what was still to be played. */
  jump(position: PositionInfo | null): void {
    this.#halt();
    this.position = position && showing(position, this.#furniture, this.#printed);
  }

  /** Let the log say what led to the position that is shown. */
  recall(told: readonly { event: GameEvent; position: PositionInfo | null }[]): void {
    this.lines = told.map(({ event, position }) => lineOf(++this.#ids, event, position));
  }

  /** Put back what was on the screen before the page was loaded anew. */
  restore(lines: readonly Line[], last: Trick | null): void {
    this.lines = lines.map((line) => ({ ...line, id: ++this.#ids }));
    this.last = last;
  }

  /** Let the log say what was not seen. */
  append(events: readonly GameEvent[]): void {
    this.lines = [...this.lines, ...events.map((event) => lineOf(++this.#ids, event, null))];
  }

  /** Play events, then show the position they lead to. */
  play(events: readonly GameEvent[], position: PositionInfo | null, done: () => void): void {
    const act = { events, position, done };
    if (!this.playing && !beats(events).some(lengthOf)) {
      this.#settle(act);
      return;
    }
    this.#acts.push(act);
    if (!this.playing) void this.#run();
  }

  /** Show the last trick once more, then what there was. */
  replay(): void {
    if (!this.last || !this.position || this.playing) return;
    const { from, events } = this.last;
    this.#acts.push({ events, position: this.position, done: () => undefined, from });
    void this.#run();
  }

  /** Show the outcome of everything that is still to be played. */
  skip(): void {
    if (!this.playing) return;
    this.#skipping = true;
    sound.hush();
    this.timeline.cut();
  }

  /** Follow the person's speed, also in the middle of a scene. */
  pace(speed: number): void {
    if (speed) this.timeline.pace(this.#rate(speed));
    else this.skip();
  }

  /** Show the rest of what is being played faster. */
  hurry(): void {
    if (!this.playing || this.#hurried) return;
    this.#hurried = true;
    this.pace(prefs.speed);
  }

  #rate(speed: number): number {
    return speed * haste(this.position?.players ?? 0) * (this.#hurried ? HURRY : 1);
  }

  /** Put the score sheet away. */
  goOn(): void {
    this.sheet = null;
    this.#goOn?.();
    this.#goOn = null;
  }

  /** The page is left. */
  end(): void {
    this.#acts = [];
    this.#now = null;
    this.#halt();
  }

  /** Let go of everything that is being played or waits for it, as if it had been shown. */
  #halt(): void {
    this.#turn += 1;
    const acts = this.#now ? [this.#now, ...this.#acts] : this.#acts;
    this.#acts = [];
    if (this.playing) sound.hush();
    this.timeline.cut();
    this.goOn();
    this.#rest();
    for (const act of acts) act.done();
  }

  #rest(): void {
    this.#now = null;
    this.#skipping = this.#hurried = false;
    this.event = null;
    this.playing = this.again = this.revealed = false;
    this.#tidy();
  }

  /** Everything that only a scene needs. */
  #tidy(): void {
    this.timeline.drop();
    this.owed = {};
    this.gates = {};
    this.lit = this.remark = null;
  }

  /** Show at once what has nothing to be looked at. */
  #settle({ events, position, done }: Act): void {
    for (const event of events) {
      this.#note([event]);
      this.#advance([event]);
    }
    if (position) this.position = showing(position, this.#furniture, this.#printed);
    done();
  }

  async #run(): Promise<void> {
    const turn = this.#turn;
    this.playing = true;
    for (let act = this.#acts.shift(); act; act = this.#acts.shift()) {
      this.#now = act;
      await this.#perform(act, turn);
      if (turn !== this.#turn) return;
      this.#now = null;
      act.done();
      if (turn !== this.#turn) return;
    }
    this.#rest();
  }

  async #perform(act: Act, turn: number): Promise<void> {
    const over = act.events.some((event) => event.type === "GameEnded");
    this.again = Boolean(act.from);
    if (act.from) this.position = structuredClone(act.from);
    for (const beat of beats(act.events)) {
      if (!act.from) this.#note(beat);
      await this.#show(beat, turn);
      if (turn !== this.#turn) return;
      const [event] = beat;
      if (event?.type === "RoundEnded" && !over && !act.from) await this.#showSheet(event);
      if (turn !== this.#turn) return;
    }
    this.#tidy();
    if (act.position) this.position = showing(act.position, this.#furniture, this.#printed);
  }

  /** Write the log, and remember the trick. */
  #note(beat: readonly GameEvent[]): void {
    const lines = beat.map((event) => lineOf(++this.#ids, event, this.position));
    this.lines = [...this.lines.slice(-KEPT_LINES), ...lines];
    for (const event of beat) {
      const begins = event.type === "TrickStarted" || (event.type === "Revealed" && !this.#trick);
      if (event.type === "RoundStarted") this.#trick = null;
      if (begins && this.position) this.#trick = { from: structuredClone(this.position), events: [] };
      this.#trick?.events.push(event);
      if (event.type === "Placed" && this.#trick) this.last = this.#trick;
    }
  }

  async #show(beat: readonly GameEvent[], turn: number): Promise<void> {
    const [event] = beat;
    if (!event) return;
    this.event = event;
    const rate = this.#skipping || document.visibilityState === "hidden" ? 0 : this.#rate(prefs.speed);
    let done = false;
    const commit = (): void => {
      if (done || turn !== this.#turn) return;
      done = true;
      this.#advance(beat);
    };
    const length = lengthOf(beat);
    if (rate && length) {
      const says = tell(lineOf(0, event, this.position), this.who, this.me) ?? "";
      await this.timeline.play(direct(new Beat(this, beat, device.still, says, commit)), length, rate);
    }
    commit();
  }

  #advance(beat: readonly GameEvent[]): void {
    if (!this.position) return;
    const next = structuredClone(this.position);
    for (const event of beat) {
      advance(next, event);
      this.#turnUp(event);
    }
    this.position = next;
  }

  #turnUp(event: GameEvent): void {
    if (event.type === "Revealed") this.revealed = true;
    if (event.type === "TrickStarted" || event.type === "RoundStarted") this.lane = [];
    else if (event.type === "Revealed") this.lane = event.plays;
    else if (event.type === "Reordered") {
      const placed = this.lane.filter((one) => !event.plays.some((other) => other.card === one.card));
      this.lane = [...placed, ...event.plays];
    } else if (event.type === "Laid") {
      this.lane = [...this.lane, { card: event.card, seat: event.seat, value: event.card }];
    }
  }

  #showSheet(event: Told<"RoundEnded">): Promise<void> {
    this.#skipping = false;
    this.sheet = event;
    return new Promise((resolve) => (this.#goOn = resolve));
  }
}
