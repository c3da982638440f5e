/** The stage: shows a position, and plays events on it one by one at the speed that the person likes. */

import { tick } from "svelte";
import type { PositionInfo } from "../protocol";
import type { GameEvent, Told } from "./events";
import { fly, photograph } from "./flight";
import { showing, type Shown } from "./furniture";
import { timeFor } from "./pace";
import { device, prefs } from "./prefs.svelte";
import { advance } from "./scene";
import { lineOf, type Line } from "./words";

const KEPT_LINES = 400;

interface Act {
  events: readonly GameEvent[];
  position: PositionInfo | null;
  done: () => void;
}

export class Stage {
  position = $state.raw<Shown | null>(null);
  lines = $state.raw<Line[]>([]);
  playing = $state(false);
  /** The round whose score sheet lies on the table until somebody goes on. */
  sheet = $state.raw<Told<"RoundEnded"> | null>(null);
  /** What is being shown this moment. */
  event = $state.raw<GameEvent | null>(null);
  root: HTMLElement | null = null;

  #acts: Act[] = [];
  #ids = 0;
  #skipping = false;
  #wake: (() => void) | null = null;
  #goOn: (() => void) | null = null;
  #gone = false;

  /** Show a position at once and forget what was still to be played. */
  jump(position: PositionInfo | null): void {
    const acts = this.#acts.splice(0);
    this.#skipping = this.playing;
    this.goOn();
    this.#wake?.();
    for (const act of acts) act.done();
    this.position = position && showing(position);
  }

  /** Let the log say what led to the position that is shown. */
  recall(told: readonly { event: GameEvent; position: PositionInfo | null }[]): void {
    this.lines = told.map(({ event, position }) => lineOf(++this.#ids, event, position));
  }

  /** Play events, then show the position they lead to. */
  play(events: readonly GameEvent[], position: PositionInfo | null, done: () => void): void {
    this.#acts.push({ events, position, done });
    if (!this.playing) void this.#run();
  }

  /** Show the outcome of everything that is still to be played. */
  skip(): void {
    this.#skipping = true;
    this.#wake?.();
  }

  /** Put the score sheet away. */
  goOn(): void {
    this.sheet = null;
    this.#goOn?.();
    this.#goOn = null;
  }

  /** The page is left. */
  end(): void {
    this.#gone = true;
    this.#acts = [];
    this.skip();
    this.goOn();
  }

  async #run(): Promise<void> {
    this.playing = true;
    for (let act = this.#acts.shift(); act; act = this.#acts.shift()) {
      const over = act.events.some((event) => event.type === "GameEnded");
      for (const event of act.events) {
        if (this.#gone) return;
        await this.#show(event, over);
      }
      if (act.position) this.position = showing(act.position);
      act.done();
    }
    this.event = null;
    this.playing = false;
    this.#skipping = false;
  }

  async #show(event: GameEvent, over: boolean): Promise<void> {
    this.#ids += 1;
    this.lines = [...this.lines.slice(-KEPT_LINES), lineOf(this.#ids, event, this.position)];
    const ms = this.#skipping ? 0 : timeFor(event.type, prefs.speed);
    this.event = event;
    await this.#move(event, ms);
    if (ms) await this.#wait(ms);
    if (event.type === "RoundEnded" && !over) await this.#showSheet(event);
  }

  async #move(event: GameEvent, ms: number): Promise<void> {
    if (!this.position) return;
    const next = structuredClone(this.position);
    advance(next, event);
    const root = ms && !device.still ? this.root : null;
    const before = root && photograph(root);
    this.position = next;
    if (!root || !before) return;
    await tick();
    fly(root, before, ms * 0.85, (card) => ownerPlace(root, event, Number(card)));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(finish, ms);
      const stage = this as Stage;
      function finish(): void {
        clearTimeout(timer);
        stage.#wake = null;
        resolve();
      }
      this.#wake = finish;
    });
  }

  #showSheet(event: Told<"RoundEnded">): Promise<void> {
    if (this.#gone) return Promise.resolve();
    this.#skipping = false;
    this.sheet = event;
    return new Promise((resolve) => (this.#goOn = resolve));
  }
}

/** The place at the table that a card comes from or goes to with this event. */
function ownerPlace(root: ParentNode, event: GameEvent, card: number): Element | null {
  const seat = seatOf(event, card);
  return seat === undefined ? null : root.querySelector(`[data-seat="${seat}"]`);
}

function seatOf(event: GameEvent, card: number): number | undefined {
  switch (event.type) {
    case "Revealed":
      return event.plays.find((played) => played.card === card)?.seat;
    case "Took":
    case "Laid":
    case "Drafted":
    case "Kept":
    case "ReturnedToHand":
    case "Dealt":
      return event.seat;
    case "Shared":
      return event.seats[0];
    default:
      return undefined;
  }
}
