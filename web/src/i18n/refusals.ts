/** What the server says no with, in the language that is spoken. */
import { language, or } from "./speak.svelte";

/** Codes behind which several sentences stand: in English the server's own one says more than ours. */
const SEVERAL = new Set([
  "closed",
  "bad-request",
  "illegal",
  "too-large",
  "not-asked",
  "forbidden",
  "banned",
]);

/** Say why the server refused, or what else went wrong. */
export function refusal(error: { code?: string; message?: string; says?: string }): string {
  const code = error.code ?? "";
  const own = error.says ?? error.message ?? "";
  // Until when, and why, is the host's to say, in the host's words.
  if (code === "banned" && language() !== "en") return `${or("error.banned", {}, own)} (${own})`;
  return language() === "en" && SEVERAL.has(code) && own ? own : or(`error.${code}`, {}, own);
}
