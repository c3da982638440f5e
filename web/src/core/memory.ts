/** What was on the screen, kept for as long as the tab lives: a page that is loaded anew shows it again. */

import type { Token } from "./choosing";
import type { Trick } from "./stage.svelte";
import type { Line } from "./words";

/** What the server does not tell again: the log, the last trick, and what was lifted at which question. */
export interface Memory {
  number: number;
  seat: number | null;
  lines: readonly Line[];
  last: Trick | null;
  asked: number | null;
  selection: readonly Token[];
}

const KEPT_LINES = 120;
const keyOf = (code: string): string => `bullpen.table.${code}`;

/** Keep what is on the screen of a table. */
export function keep(code: string, memory: Memory): void {
  try {
    const short = { ...memory, lines: memory.lines.slice(-KEPT_LINES) };
    sessionStorage.setItem(keyOf(code), JSON.stringify(short));
  } catch {
    // Storage may be closed or full: then a reload starts with an empty log.
  }
}

/** Return what was kept of a table, if anything was. */
export function recall(code: string): Memory | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(code)) ?? "null") as Memory | null;
  } catch {
    return null;
  }
}
