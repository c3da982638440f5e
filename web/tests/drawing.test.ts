import { expect, test } from "vitest";
import { drawing } from "../src/core/drawing";

test("a pen has stalls, gates and signs", () => {
  expect(drawing("pens", "12 +19 47/47 Cow > 40 | even\n5: 63 < 66\n")).toEqual({
    kind: "pens",
    pens: [
      {
        number: 1,
        stalls: [
          { cards: [12], cow: false, fresh: false },
          { cards: [19], cow: false, fresh: true },
          { cards: [47, 47], cow: false, fresh: false },
          { cards: [], cow: true, fresh: false },
        ],
        gate: { cards: [40], cow: false, fresh: false },
        left: null,
        signs: ["even"],
      },
      {
        number: 5,
        stalls: [{ cards: [66], cow: false, fresh: false }],
        gate: null,
        left: { cards: [63], cow: false, fresh: false },
        signs: [],
      },
    ],
  });
});

test("cards have owners, and a hand has one for all of it", () => {
  const found = drawing("cards", "26>62 Anna, 5 49 Ben, ?\nDie Herde: 1, stop");
  if (found.kind !== "cards") throw new Error(found.kind);
  expect(found.lines[0]!.groups.map((group) => group.owner)).toEqual(["Anna", "Ben", ""]);
  expect(found.lines[0]!.groups[0]!.items[0]).toMatchObject({ kind: "card", card: 26, as: 62 });
  expect(found.lines[0]!.groups[1]!.items.map((item) => item.card)).toEqual([5, 49]);
  expect(found.lines[0]!.groups[2]!.items[0]).toMatchObject({ kind: "back" });
  expect(found.lines[1]!.owner).toBe("Die Herde");
  expect(found.lines[1]!.groups[1]!.items[0]).toMatchObject({ kind: "special", name: "stop" });
});

test("a board has tiles and spaces", () => {
  expect(drawing("board", "[+9*3] [16] . -ox2 +3 take")).toEqual({
    kind: "board",
    rows: [
      [
        { tile: { card: 9, oxen: 3, fresh: true }, name: "" },
        { tile: { card: 16, oxen: 1, fresh: false }, name: "" },
        { tile: null, name: "blank" },
        { tile: null, name: "red2" },
        { tile: null, name: "+3" },
        { tile: null, name: "take_ox" },
      ],
    ],
  });
});

test("what cannot be drawn is named", () => {
  expect(() => drawing("pens", "12 twelve")).toThrow("twelve");
  expect(() => drawing("board", "[9] swamp")).toThrow("swamp");
});
