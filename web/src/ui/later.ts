/** What a table needs only later, in one file. */

export { default as HintPanel } from "./HintPanel.svelte";
export { default as Intro } from "./Intro.svelte";
export { default as Markdown } from "./Markdown.svelte";
export { default as Result } from "./Result.svelte";
