import type { Say } from "../protocol";

export type Phrase = Say["phrase"];
export const PHRASES: readonly Phrase[] = [
  "hello", "good-luck", "well-played", "thanks", "sorry", "ouch", "moo", "laugh", "think", "hurry", "wait", "bye",
]; // prettier-ignore
