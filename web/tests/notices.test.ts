import { afterEach, beforeEach, expect, test, vi } from "vitest";

const nothing = { addEventListener: () => undefined };
const RESTING = "/resting.svg";
let seen: "visible" | "hidden";
let icon: string;
let notes: { title: string; closed: boolean }[];
let permission: string;

class FakeNotification {
  static get permission(): string {
    return permission;
  }
  readonly note: { title: string; closed: boolean };
  constructor(title: string) {
    this.note = { title, closed: false };
    notes.push(this.note);
  }
  close(): void {
    this.note.closed = true;
  }
}

beforeEach(() => {
  seen = "hidden";
  icon = RESTING;
  notes = [];
  permission = "granted";
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("localStorage", { getItem: () => "{}", setItem: () => undefined });
  vi.stubGlobal("window", { ...nothing, matchMedia: () => ({ ...nothing, matches: true }) });
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("document", {
    get visibilityState() {
      return seen;
    },
    querySelector: () => ({
      getAttribute: () => icon,
      setAttribute: (_: string, path: string) => {
        // A browser fetches it again even where nothing changes.
        expect(path).not.toBe(icon);
        icon = path;
      },
    }),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});
const notices = () => import("../src/core/notices");

test("a tab that nobody sees rings once, and is quiet when somebody looks", async () => {
  const { Bell } = await notices();
  const bell = new Bell();
  bell.ring("Your turn", "ABCD");
  bell.ring("Your turn", "ABCD");
  expect(icon).toBe("/favicon-turn.svg");
  expect(notes).toEqual([{ title: "Your turn", closed: false }]);
  bell.rest();
  expect(icon).toBe(RESTING);
  expect(notes[0]!.closed).toBe(true);
  expect(bell.rings).toBe(false);
});

test("nobody is called who looks at the table", async () => {
  const { Bell } = await notices();
  seen = "visible";
  const bell = new Bell();
  bell.ring("Your turn", "ABCD");
  expect([bell.rings, icon, notes]).toEqual([false, RESTING, []]);
});

test("without leave there is no notification, but the icon", async () => {
  const { Bell, mayOfferToCall } = await notices();
  permission = "default";
  expect(mayOfferToCall()).toBe(true);
  new Bell().ring("Your turn", "ABCD");
  expect(notes).toEqual([]);
  expect(icon).toBe("/favicon-turn.svg");
  permission = "denied";
  expect(mayOfferToCall()).toBe(false);
});
