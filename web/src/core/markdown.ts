/** The Markdown of our rules pages: headings, paragraphs, lists, tables; strong, emphasis and code within a line. */

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] };

export interface Span {
  kind: "text" | "strong" | "em" | "code";
  text: string;
}

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;

/** Cut a page into its blocks. */
export function blocks(page: string): Block[] {
  return page
    .replaceAll("\r", "")
    .split(/\n{2,}|\n(?=#)/)
    .flatMap((part) => block(part.replace(/^\n+|\s+$/g, "")));
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

/** Cut a line into its spans; a link keeps its words. */
export function spans(line: string): Span[] {
  const plain = line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const found: Span[] = [];
  let at = 0;
  for (const match of plain.matchAll(/\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/g)) {
    if (match.index > at) found.push({ kind: "text", text: plain.slice(at, match.index) });
    if (match[1] !== undefined) found.push({ kind: "strong", text: match[1] });
    else if (match[2] !== undefined) found.push({ kind: "em", text: match[2] });
    else found.push({ kind: "code", text: match[3]! });
    at = match.index + match[0].length;
  }
  if (at < plain.length) found.push({ kind: "text", text: plain.slice(at) });
  return found;
}
