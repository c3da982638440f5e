/** Notices: how a table calls a person who looks elsewhere, and what it feels like in the hand. */

import { prefs } from "./prefs.svelte";

const CALLING = "/favicon-turn.svg";

export const canBuzz = (): boolean =>
  typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/** Shake the phone in the hand, if the person likes that and has touched the page before. */
export function buzz(pattern: number | number[]): void {
  if (prefs.buzz && navigator.userActivation?.hasBeenActive && canBuzz()) navigator.vibrate(pattern);
}

/** Whether the browser would ask the person, if we asked it to. */
export function mayOfferToCall(): boolean {
  return !prefs.askedToCall && typeof Notification !== "undefined" && Notification.permission === "default";
}

/** Call a person whose eyes are elsewhere: by the icon of the tab, and by a notification where that was allowed. */
export class Bell {
  #note: Notification | null = null;
  #rings = false;
  /** The icon of the tab before we rang. */
  #icon = "";

  ring(title: string, tag: string): void {
    if (this.#rings || document.visibilityState === "visible") return;
    this.#rings = true;
    this.#icon = showIcon(CALLING);
    if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
    try {
      this.#note = new Notification(title, { tag, icon: "/icons/icon-192.png" });
      this.#note.onclick = () => window.focus();
    } catch {
      // Some phones only let a service worker notify; the icon and the title have to do.
    }
  }

  /** The person has come back, or there is nothing to do any more. */
  rest(): void {
    if (!this.#rings) return;
    this.#rings = false;
    showIcon(this.#icon);
    this.#note?.close();
    this.#note = null;
  }

  get rings(): boolean {
    return this.#rings;
  }
}

/** Change the icon of the tab; return the one that was there. */
function showIcon(address: string): string {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const before = link?.getAttribute("href") ?? "";
  // Browsers fetch an icon whenever it is named, also one that they have.
  if (link && before !== address) link.setAttribute("href", address);
  return before;
}
