/** A board file as it is sent: the server takes little, so remarks and empty space are left out. */

const PARTS = ["tiles", "board_basic", "board_expert", "track", "cards"];

/** The parts of a file that the rules read, on one line; what is no object is sent as it is, for the server to judge. */
export function slim(text: string): string {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(read).filter(([part]) => PARTS.includes(part))));
  } catch {
    return text;
  }
}
