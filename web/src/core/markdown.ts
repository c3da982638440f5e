/** The Markdown of our rules pages: headings, paragraphs, lists, tables, fenced blocks; strong, emphasis, code and links within a line. */

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "fence"; language: string; text: string };

export interface Span {
  kind: "text" | "strong" | "em" | "code" | "link";
  text: string;
  /** Where a link leads, as it is written. */
  to?: string;
}

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
const FENCE = /^```(\w*)[^\n]*\n([\s\S]*?)^```\s*$/gm;

/** Cut a page into its blocks. */
export function blocks(page: string): Block[] {
  const text = page.replaceAll("\r", "");
  const found: Block[] = [];
  let at = 0;
  for (const fence of text.matchAll(FENCE)) {
    found.push(...plain(text.slice(at, fence.index)));
    found.push({ kind: "fence", language: fence[1]!, text: fence[2]!.replace(/\n$/, "") });
    at = fence.index + fence[0].length;
  }
  return [...found, ...plain(text.slice(at))];
}

function plain(text: string): Block[] {
  return text.split(/\n{2,}|\n(?=#)/).flatMap((part) => block(part.replace(/^\n+|\s+$/g, "")));
}

function block(part: string): Block[] {
  if (!part) return [];
  const heading = /^(#+)\s+(.*?)(?:\n([\s\S]*))?$/.exec(part);
  if (heading) {
    return [{ kind: "heading", level: heading[1]!.length, text: heading[2]! }, ...block(heading[3] ?? "")];
  }
  if (part.startsWith("|")) return [table(part.split("\n"))];
  if (ITEM.test(part)) return [list(part)];
  return [{ kind: "paragraph", text: joined(part) }];
}

function joined(lines: string): string {
  return lines.replace(/\s*\n\s*/g, " ");
}

function list(part: string): Block {
  const items = part.split(/\n(?=\s*(?:[-*]|\d+\.)\s+)/).map((item) => joined(item.replace(ITEM, "")));
  return { kind: "list", ordered: /^\s*\d/.test(part), items };
}

function cells(line: string): string[] {
  return line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()); // prettier-ignore
}

function table(lines: string[]): Block {
  const [head = "", , ...rows] = lines;
  return { kind: "table", head: cells(head), rows: rows.map(cells) };
}

const MARKED = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]*)\]\(([^)]*)\)/g;

/** Cut a line into its spans. */
export function spans(line: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const match of line.matchAll(MARKED)) {
    if (match.index > at) found.push({ kind: "text", text: line.slice(at, match.index) });
    const [whole, strong, em, code, text, to] = match;
    if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (em !== undefined) found.push({ kind: "em", text: em });
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else found.push({ kind: "link", text: text!, to: to! });
    at = match.index + whole.length;
  }
  if (at < line.length) found.push({ kind: "text", text: line.slice(at) });
  return found;
}

export interface Pictured {
  language: string;
  text: string;
  caption: string;
}

/** The drawings of a page's first section, each with the sentence under it: what is different in three pictures. */
export function pictures(page: string): Pictured[] {
  const found: Pictured[] = [];
  let sections = 0;
  for (const one of blocks(page)) {
    if (one.kind === "heading" && one.level === 2) sections += 1;
    if (sections !== 1) continue;
    const last = found.at(-1);
    if (one.kind === "fence") found.push({ language: one.language, text: one.text, caption: "" });
    else if (one.kind === "paragraph" && last) last.caption ||= one.text;
  }
  return found;
}
