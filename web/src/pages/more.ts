/** The pages besides home and the table, in one file: each alone is smaller than what fetching it costs. */

export { default as KeyDialog } from "../ui/KeyDialog.svelte";
export { default as About } from "./About.svelte";
export { default as Gallery } from "./Gallery.svelte";
export { default as LessonPage } from "./LessonPage.svelte";
export { default as Mine } from "./Mine.svelte";
export { default as NewTable } from "./NewTable.svelte";
export { default as Nowhere } from "./Nowhere.svelte";
export { default as ReplayPage } from "./ReplayPage.svelte";
export { default as ReviewPage } from "./ReviewPage.svelte";
export { default as RulesPage } from "./RulesPage.svelte";
