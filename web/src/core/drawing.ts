/** The drawings of a rules page: fenced blocks of a few words, read into what is drawn.
 *
 * `pens`: a pen a line. `12` a card, `+12` one just laid, `12/12` twins, `Cow` the Cow; `> 40` a card at the gate
 * (`63 <` at the left one); `| even` what stands at the gate; `5:` in front numbers the pen.
 * `cards`: cards with their owners, `3 Anna, 26>62 Ben, ? Cleo`; special cards by name, `stop`; `Anna: 1, 3` a hand.
 * `tiles`: the same with tiles, `9*3` having three oxen. `board`: a row a line, `[9*3]` a tile, other words spaces.
 */

export interface Stall {
  /** One card, or two twins; the Cow has none. */
  cards: number[];
  cow: boolean;
  fresh: boolean;
}
export interface Pen {
  number: number;
  stalls: Stall[];
  /** What lands at the gate on the right, or on the left. */
  gate: Stall | null;
  left: Stall | null;
  signs: string[];
}
export interface Shown {
  kind: "card" | "back" | "special";
  card: number;
  /** The number it counts as. */
  as: number | null;
  oxen: number;
  name: string;
}
export interface Group {
  items: Shown[];
  owner: string;
}
export interface Space {
  tile: { card: number; oxen: number; fresh: boolean } | null;
  name: string;
}
export type Drawing =
  | { kind: "pens"; pens: Pen[] }
  | { kind: "cards"; tiles: boolean; lines: { owner: string; groups: Group[] }[] }
  | { kind: "board"; rows: Space[][] };

const KINDS = ["pens", "cards", "tiles", "board"];
export const isDrawing = (language: string): boolean => KINDS.includes(language);

/** Read a fenced block; what cannot be read is an error that names it. */
export function drawing(language: string, text: string): Drawing {
  const lines = text.split("\n").filter((line) => line.trim());
  if (language === "pens") return { kind: "pens", pens: lines.map(pen) };
  if (language === "board") return { kind: "board", rows: lines.map((line) => words(line).map(space)) };
  return { kind: "cards", tiles: language === "tiles", lines: lines.map(hand) };
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`not a card: ${text}`);
  return Number(text);
}

function pen(line: string, index: number): Pen {
  const [, number, rest] = /^(?:(\d+):)?(.*)$/.exec(line)!;
  const [stand = "", signs = ""] = rest!.split("|");
  const [first = "", second] = stand.split("<");
  const [inside = "", gate] = (second ?? first).split(">");
  return {
    number: number ? Number(number) : index + 1,
    stalls: words(inside).map(stall),
    gate: gate ? stall(gate.trim()) : null,
    left: second === undefined ? null : stall(first.trim()),
    signs: words(signs),
  };
}

function stall(word: string): Stall {
  if (word === "Cow") return { cards: [], cow: true, fresh: false };
  return {
    cards: word.split("/").map((part) => whole(part.replace("+", ""))),
    cow: false,
    fresh: word.includes("+"),
  };
}

function hand(line: string): { owner: string; groups: Group[] } {
  const [, owner, rest] = /^(?:([^:,]+):)?(.*)$/.exec(line)!;
  return { owner: owner?.trim() ?? "", groups: rest!.split(",").map(group) };
}

function group(text: string): Group {
  const items: Shown[] = [];
  const owner: string[] = [];
  for (const word of words(text)) {
    const found = owner.length ? null : item(word);
    if (found) items.push(found);
    else owner.push(word);
  }
  return { items, owner: owner.join(" ") };
}

function item(word: string): Shown | null {
  const none = { card: 0, as: null, oxen: 1, name: "" };
  if (word === "?") return { ...none, kind: "back" };
  const card = /^(\d+)(?:>(\d+))?(?:\*(\d))?$/.exec(word);
  if (card) {
    const [, number, as, oxen] = card;
    return {
      ...none,
      kind: "card",
      card: Number(number),
      as: as ? Number(as) : null,
      oxen: Number(oxen ?? 1),
    };
  }
  // The names of special cards are written small; everything else is somebody's name.
  return /^[a-z][a-z0-9-]*$/.test(word) ? { ...none, kind: "special", name: word } : null;
}

const SPACES: Record<string, string> = {
  ".": "blank",
  ox: "green1",
  ox2: "green2",
  "-ox": "red1",
  "-ox2": "red2",
  two: "double",
  take: "take_ox",
  tiles: "take_tiles",
  tile: "draw_tile",
  action: "draw_action",
  clover: "clover",
};

function space(word: string): Space {
  const tile = /^\[(\+?)(\d+)(?:\*(\d))?\]$/.exec(word);
  if (!tile) {
    if (!(word in SPACES) && !/^[+-]\d+$/.test(word)) throw new Error(`not a space: ${word}`);
    return { tile: null, name: SPACES[word] ?? word };
  }
  const [, fresh, card, oxen] = tile;
  return { tile: { card: Number(card), oxen: Number(oxen ?? 1), fresh: Boolean(fresh) }, name: "" };
}
