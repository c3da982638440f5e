/** Choosing: the options of an ask as things that can be tapped, whatever the game.
 *
 * An option is a set of tokens ("card:44", "row:1", "special:stop"); a selection is a set of tokens too. What can be
 * tapped is whatever brings the selection nearer to an option, and it is complete when it is one.
 */

import type { AskOption, SpecialCard } from "../protocol";

export type Token = string;

/** The tokens of an option; what a special card's numbers point at is declared by the game. */
export function tokensOf(option: AskOption, specials: readonly SpecialCard[] = []): Token[] {
  switch (option.type) {
    case "PlayCard":
      return option.flipped ? [`card:${option.card}`, "flip"] : [`card:${option.card}`];
    case "PlayPair":
      return [`card:${option.low}`, `card:${option.high}`];
    case "TakeRow":
    case "JoinRow":
    case "StartRow":
      return [`row:${option.row}`];
    case "Draft":
    case "PlaceFirst":
      return [`card:${option.card}`];
    case "Keep":
      return option.cards.map((card) => `card:${card}`);
    case "UseSpecial":
      return [
        `special:${option.name}`,
        ...option.targets.map((value, place) => target(specials, option.name, value, place)),
      ];
    case "Pass":
      return ["pass"];
  }
}

function target(specials: readonly SpecialCard[], name: string, value: number, place: number): Token {
  const at = specials.find((special) => special.name === name)?.aims[place]?.at;
  if (at === "rows") return `row:${value - 1}`;
  if (at === "seats") return `seat:${value}`;
  if (at === "words") return `word:${name}:${place}`;
  return at === undefined ? `target:${place}:${value}` : `card:${value}`;
}

/** An ask's options, ready to be tapped. */
export class Choices {
  readonly #options: { option: AskOption; tokens: Token[] }[];

  constructor(options: readonly AskOption[], specials: readonly SpecialCard[] = []) {
    const all = options.map((option) => ({ option, tokens: tokensOf(option, specials) }));
    // A special card that every option names has been chosen already: only its targets are left to be tapped.
    const [first] = all[0]?.tokens ?? [];
    const settled =
      first?.startsWith("special:") && all.every(({ tokens }) => tokens.length > 1 && tokens[0] === first);
    this.#options = settled ? all.map(({ option, tokens }) => ({ option, tokens: tokens.slice(1) })) : all;
  }

  /** Every token that occurs in some option. */
  get all(): Set<Token> {
    return new Set(this.#options.flatMap(({ tokens }) => tokens));
  }

  /** The tokens that can be added to a selection. */
  next(selection: readonly Token[]): Set<Token> {
    const found = new Set<Token>();
    for (const { tokens } of this.#reachable(selection)) {
      // Before a card is lifted there is nothing to be flipped.
      const left = tokens.filter(
        (token) => !selection.includes(token) && (token !== "flip" || selection.length > 0),
      );
      // A special card's targets make no sense before the card is chosen.
      const special = left.find((token) => token.startsWith("special:"));
      for (const token of special ? [special] : left) found.add(token);
    }
    return found;
  }

  /** What can be tapped now: what goes on with the selection, and what would begin another one. */
  tappable(selection: readonly Token[]): Set<Token> {
    const found = this.next(selection);
    for (const { tokens } of this.#options) {
      const [first] = tokens;
      if (first === undefined) continue;
      if (first.startsWith("special:") || first === "pass") found.add(first);
      else for (const token of tokens) if (token.includes(":")) found.add(token);
    }
    return found;
  }

  /** The option that a selection is, if it is one. */
  complete(selection: readonly Token[]): AskOption | null {
    const found = this.#options.find(
      ({ tokens }) =>
        tokens.length === selection.length && tokens.every((token) => selection.includes(token)),
    );
    return found?.option ?? null;
  }

  /** The selection after a tap: on, off, or another one begun. */
  tap(selection: readonly Token[], token: Token): Token[] {
    if (selection.includes(token)) {
      // Putting a special card back puts its targets back too.
      if (token.startsWith("special:")) return [];
      return selection.filter((other) => other !== token && other !== "flip");
    }
    for (let from = 0; from <= selection.length; from += 1) {
      const kept = selection.slice(from);
      if (token.startsWith("special:") && kept.length) continue;
      const tried = [...this.#without(kept, token), token];
      if (this.#reachable(tried).length) return tried;
    }
    return [...selection];
  }

  /** Drop what the new token takes the place of: with a special card chosen, an earlier target of its kind. */
  #without(selection: readonly Token[], token: Token): Token[] {
    if (this.#reachable([...selection, token]).length) return [...selection];
    const special = selection.find((other) => other.startsWith("special:"));
    if (!special) return [...selection];
    const kind = token.split(":")[0];
    return selection.filter((other) => other === special || other.split(":")[0] !== kind);
  }

  #reachable(selection: readonly Token[]): { option: AskOption; tokens: Token[] }[] {
    return this.#options.filter(({ tokens }) => selection.every((token) => tokens.includes(token)));
  }
}
