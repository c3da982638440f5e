/** The ways to a table: at once, to learn, or by its code. */

import type { Games, NewTable } from "../protocol";
import { allGames, newTable } from "./api";
import { prefer, prefs } from "./prefs.svelte";
import { go } from "./route.svelte";

/** The name that others see; a visitor who has given none is called what the language calls a guest. */
export function myName(guest: string): string {
  return prefs.name || guest;
}

/** The level of a first opponent: what was chosen last, or the middle of what there is. */
export function usualLevel({ levels }: Games): string {
  if (levels.includes(prefs.level)) return prefs.level;
  return levels[Math.floor((levels.length - 1) / 2)] ?? "random";
}

/** Sit down at a table of the base game with three bots and deal. */
export async function playNow(guest: string): Promise<void> {
  const level = usualLevel(await allGames());
  await open({ game: "base", players: 4, name: myName(guest), bots: [level, level, level], start: true });
}

/** Make a table and go there. */
export async function open(wish: NewTable): Promise<void> {
  const { table } = await newTable({ settings: { privacy: "private" }, ...wish });
  if (wish.bots?.[0]) prefer({ level: wish.bots[0] });
  go(`/t/${table.code}`);
}
