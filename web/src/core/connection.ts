/** A socket that comes back by itself: resumes where it was and sends again what nobody confirmed. */

import type { FromClient, FromServer } from "../protocol";

export type Wire = "connecting" | "open" | "lost" | "closed";

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
export type Message = Unnumbered<FromClient>;

const PING_EVERY = 5000;
const SILENCE = 10000;
const SOONEST = 300;
const LATEST = 8000;
const UNKNOWN_TABLE = 4404;

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
  #heard = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #unconfirmed = new Map<string, FromClient>();
  #ended = false;
  readonly #name = Math.random().toString(36).slice(2, 10);

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    document.addEventListener("visibilitychange", this.#woken);
    window.addEventListener("online", this.#woken);
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
    window.removeEventListener("online", this.#woken);
    this.#drop();
  }

  #post(message: FromClient): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    this.listener.wire(this.#tries ? "lost" : "connecting");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#heard = Date.now();
      this.resume();
      for (const message of this.#unconfirmed.values()) this.#post(message);
      this.#watch(socket);
    };
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#take(JSON.parse(event.data as string) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.#socket !== socket || this.#ended) return;
      if (event.code !== UNKNOWN_TABLE) {
        this.#retry();
        return;
      }
      this.end();
      this.listener.wire("closed");
    };
  }

  #take(message: FromServer): void {
    if (message.type === "ack" || message.type === "error") {
      if (message.id) this.#unconfirmed.delete(message.id);
    }
    if (message.type === "snapshot" || message.type === "update" || message.type === "ack") {
      this.listener.wire("open");
    }
    this.listener.message(message);
  }

  /** A connection that says nothing for ten seconds is dead, whatever the browser thinks. */
  #watch(socket: WebSocket): void {
    const timer = setTimeout(() => {
      if (this.#socket !== socket || this.#ended) return;
      if (Date.now() - this.#heard > SILENCE) {
        this.#retry();
      } else {
        this.#post({ type: "ping", id: `${this.#name}-p${++this.#ids}` });
        this.#watch(socket);
      }
    }, PING_EVERY);
    this.#timers.push(timer);
  }

  #retry(): void {
    this.#drop();
    this.listener.wire("lost");
    const wait = Math.min(LATEST, SOONEST * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#tries += 1;
    this.#timers.push(setTimeout(() => this.#connect(), wait));
  }

  #drop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** A phone that wakes, or a network that is back: look at once instead of waiting. */
  #woken = (): void => {
    if (this.#ended || document.visibilityState === "hidden") return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#post({ type: "ping", id: `${this.#name}-p${++this.#ids}` });
    } else if (!this.#socket) {
      this.#drop();
      this.#connect();
    }
  };
}
