/** Playing by keyboard: digits choose a card by its number, R and a digit a row, Enter plays, H gives a hint.
 *
 * Where only a row can be chosen, its digit is enough.
 */

import type { Table } from "./table.svelte";

const TYPING = 900;

export class Keys {
  /** Whether the keyboard has been used; then the focus is looked after. */
  used = false;
  #digits = "";
  #row = false;
  #at = 0;

  constructor(private readonly table: Table) {}

  press(event: KeyboardEvent): void {
    this.used = true;
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog"))
      return;
    if (/^\d$/.test(event.key)) this.#digit(event.key);
    else if (event.key === "Enter" || event.key === " ") this.#enter(event, target);
    else this.#letter(event);
  }

  /** On a button Enter is the button's own business, unless the card there is lifted already: then it plays. */
  #enter(event: KeyboardEvent, target: HTMLElement): void {
    if (event.key === " " || target.closest("a, button, summary")) return;
    if (!this.table.chosen) return;
    event.preventDefault();
    this.table.choose(this.table.chosen);
  }

  #digit(key: string): void {
    const now = Date.now();
    if (now - this.#at > TYPING) this.#digits = "";
    this.#at = now;
    if (this.#row || this.#onlyRows) {
      this.#row = false;
      // The tenth row is called by 0.
      this.#choose(`row:${(Number(key) || 10) - 1}`);
      return;
    }
    this.#digits = (this.#digits + key).slice(-3);
    // 4 then 4 is 44; a digit that leads nowhere starts a new number.
    if (!this.#choose(`card:${Number(this.#digits)}`) && !this.#leadsOn(this.#digits)) {
      this.#digits = key;
      this.#choose(`card:${key}`);
    }
  }

  /** Whether what is asked for is a row, and no card could be meant. */
  get #onlyRows(): boolean {
    const { choices, selection } = this.table;
    const all = choices ? [...choices.tappable(selection)] : [];
    return all.some((token) => token.startsWith("row:")) && !all.some((token) => token.startsWith("card:"));
  }

  #leadsOn(digits: string): boolean {
    return [...(this.table.choices?.all ?? [])].some((token) => token.startsWith(`card:${digits}`));
  }

  #choose(token: string): boolean {
    const { table } = this;
    if (!table.choices?.tappable(table.selection).has(token)) return false;
    // Typing on replaces the card that the first digit chose: 4 and then 44.
    const shorter = table.selection.find((other) => token.startsWith(other) && other !== token);
    if (shorter) table.selection = table.selection.filter((other) => other !== shorter);
    if (!table.selection.includes(token)) table.tap(token);
    document.querySelector<HTMLElement>(`[data-token="${token}"]`)?.focus();
    return true;
  }

  #letter(event: KeyboardEvent): void {
    const { table } = this;
    const key = event.key.toLowerCase();
    const pass = table.ask?.options.find((option) => option.type === "Pass");
    if (key === "r") this.#row = true;
    else if (key === "p" && pass && table.choices) table.choose(pass);
    else if (key === "f" && table.choices?.next(table.selection).has("flip")) table.tap("flip");
    else if (key === "f" && table.selection.includes("flip")) table.tap("flip");
    else if (key === "t" && table.shown?.mine) table.takeBack();
    else if (key === "s" && table.stage.playing) table.stage.skip();
    else if (key === "h" && table.mayHint) table.toggleHint();
    else if (key === "escape") table.clear();
    else if (key.startsWith("arrow")) this.#arrow(event);
  }

  /** Arrows walk through the cards that can be reached. */
  #arrow(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    const spots = [...document.querySelectorAll<HTMLElement>("[data-token]:not([aria-disabled='true'])")];
    const place = spots.indexOf(document.activeElement as HTMLElement);
    if (place < 0) return;
    event.preventDefault();
    spots[(place + step + spots.length) % spots.length]?.focus();
  }
}
