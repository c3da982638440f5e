import { expect, test, vi } from "vitest";
import { refusal } from "../src/i18n/refusals";
import { speak } from "../src/i18n/speak.svelte";

vi.stubGlobal("document", { documentElement: {} });

test("English tells the case, as the server does", async () => {
  await speak("en");
  expect(refusal({ code: "closed", says: "2 of 4 seats are still open." })).toBe(
    "2 of 4 seats are still open.",
  );
  expect(refusal({ code: "storage", message: "disk" })).toMatch(/cannot save/);
});

test("other languages never fall back to English", async () => {
  await speak("de");
  expect(refusal({ code: "closed", says: "2 of 4 seats are still open." })).toMatch(/^Das geht/);
  await speak("fr");
  expect(refusal({ code: "illegal", message: "You have no hidden choice." })).toMatch(/^Ce n’est/);
  await speak("en");
});

test("what is not a refusal is told as it is", () => {
  expect(refusal(new Error("A cow sat on the cable."))).toBe("A cow sat on the cable.");
});
