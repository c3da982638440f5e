import { expect, test } from "vitest";
import { slim } from "../src/core/boards";

test("of a board file only what the rules read is sent, on one line", () => {
  const text = JSON.stringify({ remark: "long", tiles: { "1": 1 }, track: { min: -44 } }, null, 2);
  expect(slim(text)).toBe('{"tiles":{"1":1},"track":{"min":-44}}');
});

test.each(["", "own", "[1]", "{", "null", "7"])("what is no file is left to the server: %s", (text) => {
  expect(slim(text)).toBe(text);
});
