import { expect, test } from "vitest";
import { blocks, spans } from "../src/core/markdown";

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
    { kind: "text", text: " d <i>" },
  ]);
});

const PAGES = import.meta.glob<string>("../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("the rules pages are found", () => expect(Object.keys(PAGES).length).toBeGreaterThanOrEqual(20));

test.each(Object.entries(PAGES))("%s leaves no mark behind", (_, page) => {
  for (const block of blocks(page)) {
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
