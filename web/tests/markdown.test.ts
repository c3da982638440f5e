import { expect, test } from "vitest";
import { drawing, isDrawing } from "../src/core/drawing";
import { blocks, pictures, spans } from "../src/core/markdown";

test("a page is cut into its blocks", () => {
  const found = blocks("# Title\n\nTwo\nlines.\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
  expect(found).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", text: "Two lines." },
    { kind: "list", ordered: false, items: ["one more", "two"] },
    { kind: "table", head: ["a", "b"], rows: [["1", "2"]] },
  ]);
});

test("a line is cut into its spans, and nothing in it is HTML", () => {
  expect(spans("**a** *b* `c` [d](e.md) <i>")).toEqual([
    { kind: "strong", text: "a" },
    { kind: "text", text: " " },
    { kind: "em", text: "b" },
    { kind: "text", text: " " },
    { kind: "code", text: "c" },
    { kind: "text", text: " " },
    { kind: "link", text: "d", to: "e.md" },
    { kind: "text", text: " <i>" },
  ]);
});

test("a fenced block is kept as it is, blank lines and marks included", () => {
  const found = blocks("One.\n\n```pens\n1 2\n\n# 3\n```\n\n- two\n");
  expect(found).toEqual([
    { kind: "paragraph", text: "One." },
    { kind: "fence", language: "pens", text: "1 2\n\n# 3" },
    { kind: "list", ordered: false, items: ["two"] },
  ]);
});

const PAGES = import.meta.glob<string>("../../docs/rules/**/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

const PLAYED = Object.entries(PAGES).filter(([path]) => path.includes("/play/"));

test("the rules pages are found", () => {
  expect(Object.keys(PAGES).length).toBeGreaterThanOrEqual(40);
  expect(PLAYED.length).toBeGreaterThanOrEqual(20);
});

test.each(PLAYED)("%s opens with three pictures and can be drawn", (_, page) => {
  const found = pictures(page);
  expect(found).toHaveLength(3);
  for (const { caption } of found) expect(caption).toMatch(/[.!]$/);
  for (const block of blocks(page)) {
    if (block.kind !== "fence") continue;
    expect(isDrawing(block.language), block.language).toBe(true);
    expect(() => drawing(block.language, block.text)).not.toThrow();
  }
});

test.each(PLAYED)("%s is for players: no notation, no option, no ruling", (_, page) => {
  const told = blocks(page).map((block) => JSON.stringify(block));
  for (const block of told) expect(block).not.toMatch(/`|[A-Z]{3,4}-\d|\b[a-z]+\.[a-z]+[A-Z]\w*/);
});

test.each(PLAYED)("%s draws what the English page draws", (path, page) => {
  const english = PAGES[path.replace(/play\/\w\w\//, "play/en/")]!;
  // Names may be translated, cards may not.
  const cards = (text: string): string[] =>
    blocks(text).flatMap((block) =>
      block.kind === "fence" ? [block.text.replace(/\p{Lu}\p{L}+/gu, "")] : [],
    );
  expect(cards(page)).toEqual(cards(english));
});

test.each(Object.entries(PAGES))("%s leaves no mark behind", (_, page) => {
  for (const block of blocks(page)) {
    if (block.kind === "fence") continue;
    const cells = block.kind === "table" ? [...block.head, ...block.rows.flat()] : [];
    const lines = block.kind === "list" ? block.items : block.kind === "table" ? cells : [block.text];
    for (const line of lines) {
      const plain = spans(line)
        .map((span) => span.text)
        .join("");
      expect(plain).not.toMatch(/\*\*|\]\(|^#|^\|/);
    }
  }
});
