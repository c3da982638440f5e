/** A hint at the table: asked for, waited for, shown until the question is another one. */

import { refusal } from "../i18n/refusals";
import type { Hint } from "../protocol";
import { hintFor } from "./analysis";
import type { Standing } from "./reasons";

export class Hints {
  found = $state.raw<Hint | null>(null);
  /** How far the hint is that was asked for. */
  standing = $state.raw<Standing | null>(null);
  problem = $state("");
  #asked = 0;

  /** Whether a hint is shown, or waited for. */
  get open(): boolean {
    return this.found !== null || this.standing !== null;
  }

  constructor(private readonly code: string) {}

  /** Ask for a hint to the question of that number; what was asked before is not waited for any more. */
  async ask(number: number): Promise<Hint | null> {
    this.clear();
    this.#asked = number;
    this.standing = { place: 0, done: 0, parts: null };
    const gone = (): boolean => this.#asked !== number;
    try {
      const found = await hintFor(
        this.code,
        number,
        (state) => (gone() ? undefined : (this.standing = state)),
        gone,
      );
      if (gone()) return null;
      this.found = found;
    } catch (error) {
      if (gone()) return null;
      this.problem = refusal(error as Error);
    }
    this.standing = null;
    return this.found;
  }

  clear(): void {
    this.#asked = 0;
    this.found = this.standing = null;
    this.problem = "";
  }
}
