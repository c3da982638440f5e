import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Module = typeof import("../src/core/identity");
let identity: Module;
let prefs: { name: string; known: boolean };
let asked: { path: string; body: unknown }[];
let answer: object;

beforeEach(async () => {
  vi.resetModules();
  asked = [];
  const nothing = { addEventListener: () => undefined };
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("window", { ...nothing, matchMedia: () => ({ ...nothing, matches: false }) });
  vi.stubGlobal("fetch", (path: string, request: { body?: string }) => {
    asked.push({ path, body: JSON.parse(request.body ?? "null") as unknown });
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
  identity = await import("../src/core/identity");
  ({ prefs } = await import("../src/core/prefs.svelte"));
});
afterEach(() => vi.unstubAllGlobals());

test("a key is found in an address and nowhere else", () => {
  expect(identity.keyIn("key=a1.b2.c3")).toBe("a1.b2.c3");
  expect(identity.keyIn("move=3")).toBeNull();
  expect(identity.keyIn("")).toBeNull();
});

test("looking at a link changes nothing", async () => {
  answer = { name: "Ann", you: "Ben", same: false };
  expect(await identity.lookAtKey("k")).toEqual(answer);
  expect(asked).toEqual([{ path: "/api/me/key", body: { key: "k" } }]);
  expect(prefs.known).toBe(false);
});

test("whoever becomes somebody else is called by that name, and by the old one again on the way back", async () => {
  answer = { name: "Ann", link: "", tables: [], before: "Ben" };
  await identity.becomeAgain("k");
  expect(asked[0]).toEqual({ path: "/api/me", body: { key: "k", replace: true } });
  expect(prefs).toMatchObject({ known: true, name: "Ann" });
  answer = { name: "Guest", link: "", tables: [], before: "Ann" };
  await identity.goBack();
  expect(asked[1]).toEqual({ path: "/api/me", body: { back: true } });
  expect(prefs.name).toBe("");
});

test("a device is turned away by its id", async () => {
  answer = { devices: [] };
  expect(await identity.revoke({ device: "d" })).toEqual(answer);
  expect(asked[0]).toEqual({ path: "/api/me/revoke", body: { device: "d" } });
});
