/** What this person likes, kept in this browser and shared by its tabs. */

const KEY = "bullpen";

export const SPEEDS = [0.5, 1, 2, 4, 0] as const;
/** How many times faster than stated; 0 shows the outcome at once. */
export type Speed = (typeof SPEEDS)[number];

export const THEMES = ["auto", "day", "night", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

interface Kept {
  name: string;
  language: string;
  speed: Speed;
  theme: Theme;
  level: string;
  learned: boolean;
  /** The games whose three pictures were shown; "*" for all. */
  seen: string[];
  /** Whether the drawer stands open where it has room beside the table. */
  drawer: boolean;
  /** Whether a lifted card shows where it would go. */
  preview: boolean;
  /** How loud the table is, of 1, and whether it is silent. */
  volume: number;
  muted: boolean;
  /** Whether a phone shakes at my turn and my takes. */
  buzz: boolean;
  /** Whether we have asked to call a person who looks elsewhere: once is enough. */
  askedToCall: boolean;
  /** Whether the server has given this browser an identity: its cookie is hidden from us. */
  known: boolean;
}

function first(): Kept {
  const language = navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag) => ["en", "de", "fr"].includes(tag));
  return {
    name: "",
    language: language ?? "en",
    speed: 1,
    theme: "auto",
    level: "",
    learned: false,
    seen: [],
    drawer: true,
    preview: true,
    volume: 0.7,
    muted: false,
    buzz: true,
    askedToCall: false,
    known: false,
  };
}

function read(): Kept {
  try {
    return { ...first(), ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    // Storage may be closed to us, or hold something that is not ours: start afresh.
    return first();
  }
}

export const prefs: Kept = $state(read());

/** Change some preferences and keep them. */
export function prefer(change: Partial<Kept>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Without storage they hold until the page is left.
  }
}

window.addEventListener("storage", (event) => {
  if (event.key === KEY) Object.assign(prefs, read());
});

const contrast = window.matchMedia("(prefers-contrast: more)");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
export const device = $state({
  contrast: contrast.matches,
  dark: dark.matches,
  still: still.matches,
});
contrast.addEventListener("change", () => (device.contrast = contrast.matches));
dark.addEventListener("change", () => (device.dark = dark.matches));
still.addEventListener("change", () => (device.still = still.matches));

/** The theme that is worn: the one that was chosen, or the one that suits the device. */
export function wornTheme(): Exclude<Theme, "auto"> {
  if (prefs.theme !== "auto" && THEMES.includes(prefs.theme)) return prefs.theme;
  return device.contrast ? "contrast" : device.dark ? "night" : "day";
}

/** Whether somebody knows what is different in a game; the base game has its lesson. */
export const hasSeen = (game: string): boolean =>
  game === "base" || prefs.seen.includes("*") || prefs.seen.includes(game);
