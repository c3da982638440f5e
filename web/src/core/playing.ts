/** The ways to a table: at once, to learn, or by its code. */

import type { Games, NewTable } from "../protocol";
import { allGames, newTable } from "./api";
import { prefer, prefs } from "./prefs.svelte";
import { go } from "./route.svelte";

/** The name that others see; "" for a visitor who has given none and is called by the animal of the seat. */
export function myName(): string {
  return prefs.name;
}

/** The level of a first opponent: what was chosen last, or the middle of what there is. */
export function usualLevel({ levels }: Games): string {
  if (levels.includes(prefs.level)) return prefs.level;
  return levels[Math.floor((levels.length - 1) / 2)] ?? "random";
}

/** Sit down at a table of the base game with three bots and deal; nobody waits for a bot that is not ready. */
export async function playNow(unready: readonly string[] = []): Promise<void> {
  const games = await allGames();
  const level = usualLevel({ ...games, levels: games.levels.filter((one) => !unready.includes(one)) });
  await open({ game: "base", players: 4, name: myName(), bots: [level, level, level], start: true });
}

/** Make a table and go there. */
export async function open(wish: NewTable): Promise<void> {
  const { table } = await newTable({ settings: { privacy: "private" }, ...wish });
  if (wish.bots?.[0]) prefer({ level: wish.bots[0] });
  go(`/t/${table.code}`);
}
