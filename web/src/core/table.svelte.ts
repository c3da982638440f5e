/** A table as this person sits at it: what the server says, what is on the stage, and what is being chosen. */

import type { AskOption, FromServer, GameInfo, Games, Looks, Said } from "../protocol";
import { refusal } from "../i18n/refusals";
import { allGames, gameOf, looksAt } from "./api";
import { prefs } from "./prefs.svelte";
import { Choices, tokensOf, type Token } from "./choosing";
import { Company, nameOf } from "./company.svelte";
import { Connection, type Line, type Listener, type Message, type Wire } from "./connection";
import type { GameEvent } from "./events";
import { answered, answerTo } from "./fair";
import { headsIn } from "./furniture";
import { Hints } from "./hints.svelte";
import { receive, type Ledger } from "./ledger";
import { keep, recall, type Memory } from "./memory";
import { Stage } from "./stage.svelte";
import { speakOf } from "./words";

const SAID_FOR = 5000;

function address(code: string): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/${encodeURIComponent(code)}`;
}

export class Table {
  /** What is shown: the ledger as of the last event that was played. */
  shown = $state.raw<Ledger | null>(null);
  wire = $state<Wire>("connecting");
  problem = $state("");
  /** Why the server said no last, in its own word. */
  refused = $state("");
  /** What the host of the server tells everybody; and whether the server restarts. */
  announced = $state("");
  restarts = $state(false);
  selection = $state.raw<Token[]>([]);
  pending = $state<string | null>(null);
  said = $state.raw<Said[]>([]);
  deadline = $state<number | null>(null);
  /** What the view tells on second sight, fetched for the question that is open. */
  looks = $state.raw<Looks | null>(null);
  /** What the game has declared about its table; nothing is drawn before that is known. */
  game = $state.raw<GameInfo | null>(null);
  levels = $state.raw<readonly string[]>([]);
  /** Whether the server gives hints and reviews. */
  analysis = $state(false);
  readonly stage = new Stage();
  readonly company = new Company();
  readonly hints: Hints;

  readonly ask = $derived(this.stage.playing ? null : (this.shown?.ask ?? null));
  readonly choices = $derived(
    this.ask && !this.shown?.mine ? new Choices(this.ask.options, this.game?.furniture.specials) : null,
  );
  readonly chosen = $derived(this.choices?.complete(this.selection) ?? null);
  readonly me = $derived(this.shown?.you.seat ?? null);
  /** Whether a hint may be asked for now. */
  readonly mayHint = $derived(
    this.analysis &&
      this.shown?.table.hints === true &&
      this.choices !== null &&
      (this.ask?.options.length ?? 0) > 1,
  );
  /** The seats that were asked together, where all answer one hidden question; else nobody is shown to have answered. */
  readonly asked = $derived.by<readonly number[]>(() => {
    const position = this.stage.position;
    if (!position || position.table.length || position.furniture.in_turn) return [];
    // Those who watch are told no question, and a lesson tells only the question.
    const together = this.shown?.ask?.secret ?? this.shown?.secret;
    return together ? position.hands.map((_, seat) => seat) : [];
  });
  readonly names = $derived(this.shown?.table.seats.map(nameOf) ?? []);

  #ledger: Ledger | null = null;
  #games: Games | null = null;
  #connection: Line;
  #resuming = false;
  #waitingFor: string | null = null;
  #doneAt: number | null = null;
  #lookedAt: number | undefined;
  /** What was on the screen before the page was loaded anew, until it is there again. */
  #kept: Memory | null;
  /** Which deal each nonce that is on its way is for. */
  #mixing = new Map<string, number>();

  /** `open` and `look` are the ways to the server, unless something stands in for it. */
  constructor(
    readonly code: string,
    open: (listener: Listener) => Line = (listener) => new Connection(address(code), listener),
    private readonly look: (code: string) => Promise<Looks> = looksAt,
  ) {
    allGames().then((games) => this.#furnish(games), () => undefined); // prettier-ignore
    this.hints = new Hints(code);
    this.#kept = recall(code);
    window.addEventListener("pagehide", this.#keep);
    this.#connection = open({
      last: () => this.#ledger?.number ?? 0,
      message: (message) => this.#receive(message),
      wire: (wire) => {
        // What still stands is announced again on the next line.
        if (wire === "lost") this.announced = "";
        else this.restarts = false;
        this.wire = wire;
      },
    });
  }

  end(): void {
    this.#keep();
    window.removeEventListener("pagehide", this.#keep);
    this.#connection.end();
    this.stage.end();
  }

  /** Tap something on the table; tapping the only thing that is lifted again plays it. */
  tap(token: Token): void {
    if (!this.choices || this.pending) return;
    if (this.chosen && this.selection.length === 1 && this.selection[0] === token) {
      this.choose(this.chosen);
      return;
    }
    this.selection = this.choices.tap(this.selection, token);
  }

  clear(): void {
    this.selection = [];
  }

  /** Give an answer. */
  choose(option: AskOption): void {
    if (!this.ask || this.pending) return;
    this.problem = "";
    this.pending = option.notation;
    this.#waitingFor = this.send({
      type: "choose",
      ask: this.ask.number,
      choice: option.notation,
    });
  }

  /** Ask for a hint, or put away the one that is there. */
  toggleHint(): void {
    if (this.pending) return;
    if (this.hints.open) this.hints.clear();
    else void this.hint();
  }

  /** Ask for a hint, and lift what it thinks best, unless something is lifted already. */
  async hint(): Promise<void> {
    if (!this.ask) return;
    const found = await this.hints.ask(this.ask.number);
    const best = found?.options[0]?.choice;
    if (found && best && found.ask === this.ask?.number && !this.selection.length && !this.pending)
      this.lift(best);
  }

  /** Lift what belongs to an answer. */
  lift(notation: string): void {
    const option = this.ask?.options.find((one) => one.notation === notation);
    if (!option || !this.choices || this.pending) return;
    const { all } = this.choices;
    this.selection = tokensOf(option, this.game?.furniture.specials).filter((token) => all.has(token));
  }

  takeBack(): void {
    if (this.ask) this.send({ type: "take_back", ask: this.ask.number });
  }

  /** Come in again, as whoever one is by now: what was told to somebody else does not count. */
  reconnect(): void {
    this.#ledger = null;
    this.#connection.reconnect();
  }

  send(message: Message): string {
    return this.#connection.send(message);
  }

  /** What a row would cost now. */
  headsIn(row: number): number {
    const { position } = this.stage;
    return headsIn(position?.rows[row] ?? [], position?.oxen ?? position?.printed);
  }

  /** Take up what is known of the games, as soon as it is known which one is played. */
  #furnish(games: Games | null): void {
    this.#games = games ?? this.#games;
    const wanted = this.#ledger?.table;
    if (!this.#games || !wanted || this.game?.id === wanted.game) return;
    const game = this.#games.games.find((one) => one.id === wanted.game);
    if (!game) return;
    this.levels = this.#games.levels;
    this.analysis = this.#games.analysis;
    this.#speakOf(game);
    if (game.behaviour === wanted.behaviour) return;
    // The table goes on under earlier rules than new games are played by.
    gameOf(wanted).then((then) => then && this.#speakOf(then), () => undefined); // prettier-ignore
  }

  #speakOf(game: GameInfo): void {
    this.stage.furnish(game.furniture, game.heads);
    speakOf(game);
    this.game = game;
  }

  #receive(message: FromServer): void {
    if (message.type === "said") this.#hear(message);
    this.company.hear(message);
    if (message.type === "announcement") {
      this.announced = message.says ?? "";
      this.restarts = message.restarts ?? false;
    }
    if ((message.type === "ack" || message.type === "error") && this.#mixed(message.type, message.id)) return;
    if (message.type === "error") {
      this.refused = message.code;
      this.#settle(message.id ?? null);
      if (message.code !== "too-late") this.problem = refusal(message);
    }
    if (message.type === "ack") {
      this.#resuming = false;
      this.#confirm(message.id, message.number ?? 0);
    }
    this.#apply(message);
  }

  /** Keep the promise of the next deal, and mix a nonce of ours into it. */
  #mix({ table, you }: Ledger): void {
    if ([...this.#mixing.values()].includes(table.fair.next)) return;
    const nonce = answerTo(table.id, table.fair, you.seat);
    if (nonce === null) return;
    const id = this.send({ type: "mix", commitment: table.fair.commitment, nonce });
    this.#mixing.set(id, table.fair.next);
  }

  /** Whether this was the answer to a nonce; nothing on the screen waits for it. */
  #mixed(kind: "ack" | "error", id: string | null | undefined): boolean {
    const deal = this.#mixing.get(id ?? "");
    if (deal === undefined || !this.#ledger) return false;
    this.#mixing.delete(id!);
    answered(this.#ledger.table.id, deal, kind === "ack");
    return true;
  }

  #settle(id: string | null): void {
    if (id !== null && id === this.#waitingFor) {
      this.#waitingFor = null;
      this.pending = null;
    }
  }

  /** A choice is done; it stays pending until what it brought is shown. */
  #confirm(id: string, number: number): void {
    if (id !== this.#waitingFor) return;
    if (number <= (this.shown?.number ?? 0)) this.#settle(id);
    else this.#doneAt = number;
  }

  #apply(message: FromServer): void {
    const outcome = receive(this.#ledger, message);
    if (outcome.kind === "gap") {
      if (!this.#resuming) this.#connection.resume();
      this.#resuming = true;
      return;
    }
    const before = this.#ledger;
    const left = outcome.ledger?.clock?.left ?? null;
    const deadline = left === null ? null : Date.now() + left;
    this.#ledger = outcome.ledger;
    this.#furnish(null);
    const ledger = outcome.ledger;
    if (message.type === "update" && message.since === this.#kept?.number) this.#catchUp(message.events);
    if (!ledger || ledger === before) return;
    if (ledger.table !== before?.table) this.#mix(ledger);
    if (outcome.kind === "jump") {
      this.stage.jump(ledger.view?.position ?? null);
      this.#show(ledger, deadline);
      this.#remember(ledger);
    } else if (outcome.kind === "play") {
      const position = ledger.view === before?.view ? null : (ledger.view?.position ?? null);
      if (!this.stage.position && position) this.stage.jump(position);
      this.stage.play(outcome.events as GameEvent[], position, () => this.#show(ledger, deadline));
    } else if (this.shown) {
      const { connected, watching, unready } = ledger;
      this.shown = { ...this.shown, connected, watching, unready };
    }
  }

  #show(ledger: Ledger, deadline: number | null): void {
    if (ledger.ask?.number !== this.shown?.ask?.number || ledger.mine !== this.shown?.mine) {
      this.selection = [];
      this.pending = null;
      this.hints.clear();
    }
    if (this.#doneAt !== null && ledger.number >= this.#doneAt) {
      this.#doneAt = null;
      this.#settle(this.#waitingFor);
    }
    // Who is there, and which bots are ready, is not part of what is played.
    const { connected, unready } = this.#ledger ?? ledger;
    this.shown = { ...ledger, connected, unready };
    this.deadline = deadline;
    this.#look();
  }

  #keep = (): void => {
    if (!this.#ledger) return;
    keep(this.code, {
      number: this.#ledger.number,
      seat: this.#ledger.you.seat,
      lines: this.stage.lines,
      last: this.stage.last,
      asked: this.ask?.number ?? null,
      selection: this.selection,
    });
  };

  /** Put back what was on the screen, and ask for what has happened since. */
  #remember(ledger: Ledger): void {
    const kept = this.#kept;
    if (!kept || kept.seat !== ledger.you.seat || kept.number > ledger.number) {
      this.#kept = null;
      return;
    }
    this.stage.restore(kept.lines, kept.last);
    if (kept.asked === (ledger.ask?.number ?? null)) this.selection = [...kept.selection];
    if (kept.number < ledger.number) this.#connection.resume(kept.number);
    else this.#kept = null;
  }

  /** What happened while the page was loaded: only the log was still to learn of it. */
  #catchUp(events: readonly GameEvent[]): void {
    this.#kept = null;
    this.stage.append(events);
  }

  /** Have a second look when a card is asked for, if the person likes to be shown where it would go. */
  #look(): void {
    const number = this.shown?.ask?.number;
    if (number === this.#lookedAt) return;
    this.#lookedAt = number;
    if (!prefs.preview || number === undefined) return;
    this.look(this.code).then(
      (looks) => number === this.shown?.ask?.number && (this.looks = looks),
      // Without it the game goes on as well.
      () => undefined,
    );
  }

  #hear(message: Said): void {
    this.said = [...this.said, message];
    setTimeout(() => (this.said = this.said.filter((other) => other !== message)), SAID_FOR);
  }
}
