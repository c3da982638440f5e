/** Who this browser is: private links that ask first, the way back, and the devices that can come as me. */

import type { Devices, KeyInfo, Me, NewMe, Revoke } from "../protocol";
import { call } from "./api";
import { prefer } from "./prefs.svelte";

/** What the server calls somebody who gave no name. */
const GUEST = "Guest";

/** The key of a private link in an address, if there is one. */
export function keyIn(hash: string): string | null {
  return new URLSearchParams(hash).get("key");
}

/** Whose a private link is; nothing is changed by looking. */
export const lookAtKey = (key: string): Promise<KeyInfo> => call<KeyInfo>("/api/me/key", { key });

async function become(wish: NewMe): Promise<Me> {
  const person = await call<Me>("/api/me", wish);
  // The name that this browser gives from now on is the one of whom it is.
  prefer({ known: true, name: person.name === GUEST ? "" : person.name });
  return person;
}

/** Become the person whose private link this is; the person has said yes to it. */
export const becomeAgain = (key: string): Promise<Me> => become({ key, replace: true });

/** Be again whom this browser was before it followed a private link. */
export const goBack = (): Promise<Me> => become({ back: true });

export const myDevices = (): Promise<Devices> => call<Devices>("/api/me/devices");

/** Leave this device, or all of them, and forget here whose it was. */
export async function signOut(everywhere: boolean): Promise<void> {
  await call<Devices>("/api/me/sign-out", { everywhere });
  prefer({ known: false, name: "" });
}

/** Turn a device or a bot away, or all other devices, or end the links made so far. */
export const revoke = (wish: Revoke): Promise<Devices> => call<Devices>("/api/me/revoke", wish);
