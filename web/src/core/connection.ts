/** A socket that comes back by itself: resumes where it was and sends again what nobody confirmed. */

import type { FromClient, FromServer } from "../protocol";

export type Wire = "connecting" | "open" | "lost" | "closed";

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
export type Message = Unnumbered<FromClient>;

/** A line in use is asked after a second without a word, one that nobody looks at now and then. */
const PING_EVERY = 1000;
const PING_UNSEEN = 5000;
/** So long a question may go unanswered before the person is told, and before the line is given up. */
const LOST_AFTER = 850;
const DEAD_AFTER = 3000;
/** A line that was just opened is given longer: while its table is looked for, it says every 3 s that it stands. */
const FIRST_WORD = 4000;
/** How long opening a line may take; now and then longer, for lines on which that is too short. */
const OPEN_WITHIN = 3000;
const OPEN_SLOWLY = 8000;
const SLOW_EVERY = 4;
/** Waits before the next try, as long as nothing else says that the network is back; they vary by a quarter. */
const SOONEST = 300;
const LATEST = 2400;
const UNKNOWN_TABLE = 4404;
/** What tells that the network, or the person, is back. */
const WAKING = ["online", "focus"] as const;

/** What a table talks through: a socket, or whatever stands in for one. */
export interface Line {
  send: (message: Message) => string;
  resume: (last?: number) => void;
  reconnect: () => void;
  end: () => void;
}

export interface Listener {
  /** The number of the last message that was applied. */
  last: () => number;
  message: (message: FromServer) => void;
  wire: (wire: Wire) => void;
}

export class Connection implements Line {
  #socket: WebSocket | undefined;
  #tries = 0;
  #ids = 0;
  /** When opening the line began, when it spoke last, since when a question is open, and whether it ever spoke. */
  #begun = 0;
  #heard = 0;
  #asked: number | null = null;
  #spoke = false;
  /** How late an answer may be; more for a line that was found to be slow. */
  #patience = LOST_AFTER;
  #wire: Wire = "connecting";
  #retrying: ReturnType<typeof setTimeout> | undefined;
  #watching: ReturnType<typeof setTimeout> | undefined;
  #unconfirmed = new Map<string, FromClient>();
  #ended = false;
  readonly #name = Math.random().toString(36).slice(2, 10);

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    document.addEventListener("visibilitychange", this.#woken);
    for (const event of WAKING) window.addEventListener(event, this.#woken);
    window.addEventListener("offline", this.#doubt);
    this.#connect();
  }

  /** Send something; it is repeated under the same id until it is confirmed or refused. */
  send(message: Message): string {
    const id = `${this.#name}-${++this.#ids}`;
    const full = { ...message, id } as FromClient;
    this.#unconfirmed.set(id, full);
    this.#post(full);
    return id;
  }

  /** Ask again for everything since a number, the last one unless another is wanted. */
  resume(last = this.listener.last()): void {
    this.#post({ type: "resume", id: `${this.#name}-r${++this.#ids}`, last });
  }

  /** Open the socket anew. */
  reconnect(): void {
    this.#drop();
    this.#connect();
  }

  /** Leave for good. */
  end(): void {
    this.#ended = true;
    document.removeEventListener("visibilitychange", this.#woken);
    for (const event of WAKING) window.removeEventListener(event, this.#woken);
    window.removeEventListener("offline", this.#doubt);
    this.#drop();
  }

  #post(message: FromClient): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #is(wire: Wire): void {
    if (wire !== this.#wire) this.listener.wire(wire);
    this.#wire = wire;
  }

  #connect(): void {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#spoke = false;
    this.#asked = null;
    this.#begun = Date.now();
    const within = this.#tries % SLOW_EVERY === SLOW_EVERY - 1 ? OPEN_SLOWLY : OPEN_WITHIN;
    this.#watching = setTimeout(() => this.#retry(), within);
    socket.onopen = () => {
      this.resume();
      for (const message of this.#unconfirmed.values()) this.#post(message);
      this.#asked = Date.now();
      this.#watch();
    };
    socket.onmessage = (event) => {
      if (this.#socket === socket) this.#take(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.#socket !== socket || this.#ended) return;
      if (event.code !== UNKNOWN_TABLE) {
        this.#retry();
        return;
      }
      this.end();
      this.#is("closed");
    };
  }

  #take(message: FromServer): void {
    if (message.type === "ack" || message.type === "error") {
      if (message.id) this.#unconfirmed.delete(message.id);
    }
    // Whatever the server says is a sign of life: only a quiet line is asked.
    this.#heard = Date.now();
    const late = this.#asked === null ? 0 : this.#heard - this.#asked;
    this.#asked = null;
    if (this.#spoke && late > this.#patience) this.#patience = late * 1.5;
    if (message.type === "snapshot" || message.type === "update" || message.type === "ack") {
      this.#spoke = true;
      this.#tries = 0;
    }
    if (this.#spoke) this.#is("open");
    this.listener.message(message);
  }

  /** Look whether the last question was answered in time, and ask the next one.
   *
   * A page that sleeps does not ask, and so misses no answer.
   */
  #watch(): void {
    clearTimeout(this.#watching);
    const now = Date.now();
    if (this.#asked === null) {
      const every = document.visibilityState === "hidden" ? PING_UNSEEN : PING_EVERY;
      const due = this.#heard + every - now;
      if (due <= 0) this.#ping();
      this.#again(due > 0 ? due : this.#patience);
      return;
    }
    const silent = now - this.#asked;
    const dead = this.#spoke ? Math.max(DEAD_AFTER, 2 * this.#patience) : FIRST_WORD;
    if (silent >= dead) {
      this.#retry();
      return;
    }
    if (silent >= this.#patience && this.#spoke) this.#is("lost");
    this.#again((silent < this.#patience ? this.#patience : dead) - silent);
  }

  #again(wait: number): void {
    this.#watching = setTimeout(() => this.#watch(), wait);
  }

  #ping(): void {
    this.#post({ type: "ping", id: `${this.#name}-p${++this.#ids}` });
    this.#asked = Date.now();
  }

  #retry(): void {
    this.#drop();
    this.#is("lost");
    const wait = Math.min(LATEST, SOONEST * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#tries += 1;
    this.#retrying = setTimeout(() => this.#connect(), wait);
  }

  #drop(): void {
    clearTimeout(this.#retrying);
    clearTimeout(this.#watching);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** A phone that wakes, or a network that is back: look at once instead of waiting. */
  #woken = (): void => {
    if (this.#ended || document.visibilityState === "hidden") return;
    const stuck = this.#wire === "lost" || Date.now() - this.#begun > OPEN_WITHIN / 3;
    const open = this.#socket?.readyState === WebSocket.OPEN;
    if (open && this.#wire !== "lost") this.#doubt();
    else if (stuck) {
      this.#tries = 0;
      this.reconnect();
    }
  };

  /** The browser thinks that there is no network: ask, for the server may be on this machine. */
  #doubt = (): void => {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.#asked !== null) return;
    this.#ping();
    this.#watch();
  };
}
