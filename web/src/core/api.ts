/** The plain HTTP calls of the client. */

import type {
  About,
  Agreed,
  GameInfo,
  Games,
  Handbook,
  Invitation,
  Lobby,
  Looks,
  Me,
  NewMe,
  NewTable,
  Records,
  Refusal,
  Replay,
  Rules,
  Seated,
} from "../protocol";
import { answered, answerTo, newNonce, type FairRecord } from "./fair";
import { prefer, prefs } from "./prefs.svelte";

/** The server said no: `code` is for us, the message is its English sentence. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    says: string,
  ) {
    super(says);
  }
}

/** Ask the server for something. */
export async function call<T>(path: string, body?: unknown): Promise<T> {
  const request: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Refused("offline", "The server cannot be reached.");
  }
  const content: unknown = await response.json().catch(() => null);
  if (response.ok) return content as T;
  const refusal = content as Refusal | null;
  throw new Refused(refusal?.code ?? "internal", refusal?.says ?? response.statusText);
}

let games: Promise<Games> | undefined;

/** Every game and the bots' levels; asked for once. */
export function allGames(): Promise<Games> {
  games ??= call<Games>("/api/games").catch((error: unknown) => {
    games = undefined;
    throw error;
  });
  return games;
}

/** What is known of a game under the behaviour of its rules that a table or a replay follows. */
export async function gameOf(played: { game: string; behaviour: number }): Promise<GameInfo | undefined> {
  const { games } = await allGames();
  const today = games.find((one) => one.id === played.game);
  if (!today || today.behaviour === played.behaviour) return today;
  return call<GameInfo>(`/api/games/${encodeURIComponent(played.game)}?behaviour=${played.behaviour}`);
}

/** Ask whether options can be agreed on, before a table is made. */
export const agreeOn = (game: string, players: number, options: Agreed["options"]) =>
  call<Agreed>(`/api/games/${encodeURIComponent(game)}/options`, { players, options });

/** The rules of a game in a language; without a network, from the handbook that was kept for that. */
export async function rulesOf(game: string, language: string): Promise<Rules> {
  const search = new URLSearchParams({ language });
  try {
    return await call<Rules>(`/api/games/${encodeURIComponent(game)}/rules?${search}`);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "offline") throw error;
    const { rules } = await call<Handbook>(`/api/rules?${search}`);
    const page = rules.find((one) => one.game === game);
    if (!page) throw error;
    return page;
  }
}
export const lobby = () => call<Lobby>("/api/tables");
export const aboutHere = () => call<About>("/api/about");
export const myRecords = () => call<Records>("/api/records");
export const tableNamed = (code: string) => call<Seated>(`/api/tables/${encodeURIComponent(code)}`);
export const invitationTo = (code: string) =>
  call<Invitation>(`/api/tables/${encodeURIComponent(code)}/invitation`);
export const looksAt = (code: string) => call<Looks>(`/api/tables/${encodeURIComponent(code)}/looks`);

/** A whole finished game, put together from the parts in which it comes. */
export async function replayOf(record: string, seat: string): Promise<Replay> {
  const path = `/api/records/${encodeURIComponent(record)}/replay?seat=${encodeURIComponent(seat)}`;
  const part = async (from: number): Promise<Replay> => {
    try {
      return await call<Replay>(`${path}&from=${from}`);
    } catch (error) {
      // A very long game has more parts than may be asked for at once.
      if (!from || !(error instanceof Refused) || error.code !== "too-fast") throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return part(from);
    }
  };
  const replay = await part(0);
  const moments = [...replay.moments];
  while (moments.length < replay.total) {
    const { moments: more } = await part(moments.length);
    if (!more.length) break;
    moments.push(...more);
  }
  return { ...replay, moments };
}

/** Who I am here, or null for somebody who has never sat down. */
export async function me(): Promise<Me | null> {
  if (!prefs.known) return null;
  try {
    return await call<Me>("/api/me");
  } catch (error) {
    if (error instanceof Refused && error.code === "no-identity") return null;
    throw error;
  }
}

async function identify(wish: NewMe): Promise<Me> {
  const person = await call<Me>("/api/me", wish);
  prefer({ known: true });
  return person;
}

/** Who I am, under the name given; a visitor without an identity gets one. */
export async function knownAs(name: string): Promise<Me> {
  const person = await me();
  if (person && (!name || person.name === name)) return person;
  return identify(name ? { name } : {});
}

/** Take a seat at somebody's table. */
export async function sitDown(code: string, name: string, seat: number | null = null): Promise<Seated> {
  await knownAs(name);
  return call<Seated>(`/api/tables/${encodeURIComponent(code)}/seat`, { name, seat });
}

/** Give the password of a table, as whom one is. */
export async function enterTable(code: string, name: string, password: string): Promise<Seated> {
  await knownAs(name);
  return call<Seated>(`/api/tables/${encodeURIComponent(code)}/enter`, { password });
}

/** A table of one's own. */
export async function newTable(wish: NewTable): Promise<Seated> {
  if (wish.name != null) await knownAs(wish.name);
  const { start, ...rest } = wish;
  const made = await call<Seated>("/api/tables", rest);
  return start ? begin(made) : made;
}

/** Deal at once: first comes the server's promise, then a nonce of ours, then the deal. */
async function begin({ table, seat }: Seated): Promise<Seated> {
  const { next, commitment } = table.fair;
  const nonce = answerTo(table.id, table.fair, seat) ?? newNonce();
  const dealt = await call<Seated>(`/api/tables/${table.code}/start`, { commitment, nonce });
  answered(table.id, next, true);
  return dealt;
}

/** Leave a table for good: it is off my list until I come back to it. */
export const forget = (code: string) => call<Seated>(`/api/tables/${encodeURIComponent(code)}/forget`, {});

/** A finished game as a file, for its deals to be checked. */
export const recordOf = (record: string) => call<FairRecord>(`/api/records/${encodeURIComponent(record)}`);
