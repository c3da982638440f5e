/** Small signs: ticks, hooves, clovers, and the icons of buttons. */

import { gouge as g, ink, path, type Symbol } from "./lino.ts";

const icon = (id: string, d: string): Symbol => ({
  id: `i-${id}`,
  box: "0 0 24 24",
  body: path(d, "currentColor", 'fill-rule="evenodd"'),
});

export const signs: Symbol[] = [
  { id: "tick", box: "0 0 24 24", body: ink("M3 13L7 9L11 13L20 3L23 6L11 21Z") },
  {
    id: "hoof",
    box: "0 0 24 24",
    body: ink("M11 3C4 5 3 14 6 21C9 21 11 19 11 17ZM13 3C20 5 21 14 18 21C15 21 13 19 13 17Z"),
  },
  {
    id: "clover",
    box: "0 0 24 24",
    body: ink(
      "M12 12C4 14 1 8 5 5C6 1 12 2 12 9C12 2 18 1 19 5C23 8 20 14 12 12ZM12 12C8 20 3 18 4 15C5 12 9 12 12 12C16 12 20 12 20 15C21 18 16 20 12 12ZM11 13L13 13L15 23L12 23Z",
    ),
  },
  {
    id: "daisy",
    box: "0 0 24 24",
    body:
      path(
        Array.from({ length: 6 }, (_, i) => {
          const a = (i * Math.PI) / 3;
          return g(12, 12, 12 + 6 * Math.cos(a), 12 + 6 * Math.sin(a), 12 + 11 * Math.cos(a), 12 + 11 * Math.sin(a), 4);
        }).join(""),
        "var(--cutp)",
      ) + '<circle cx="12" cy="12" r="3.2" fill="var(--gold)"/>',
  }, // prettier-ignore
  icon("menu", "M3 5h18v3H3zM3 11h18v3H3zM3 17h18v3H3z"),
  icon(
    "sound",
    "M3 9h4l6-6v18l-6-6H3zM16 8l2-2c3 3 3 9 0 12l-2-2c2-2 2-6 0-8z",
  ),
  icon("mute", "M3 9h4l6-6v18l-6-6H3zM15 9l2-2 2.500 2.500L22 7l2 2-2.500 2.500L24 14l-2 2-2.500-2.500L17 16l-2-2 2.500-2.500z"),
  icon("book", "M2 4c4-1 7 0 9 2v15c-2-2-5-3-9-2zM22 4c-4-1-7 0-9 2v15c2-2 5-3 9-2z"),
  icon("moon", "M15 2a10 10 0 1 0 7 14A9 9 0 0 1 15 2z"),
  icon("close", "M4 7l3-3 5 5 5-5 3 3-5 5 5 5-3 3-5-5-5 5-3-3 5-5z"),
  icon("log", "M4 3h16v18l-3-2-2 2-3-2-3 2-2-2-3 2zM7 7h10v2H7zM7 11h10v2H7z"),
  icon("gear", "M10 2h4l.6 3 2 .9 2.600-1.600 2.800 2.800-1.600 2.600.9 2 3 .6v3.400l-3 .6-.9 2 1.600 2.600-2.800 2.800-2.600-1.600-2 .9-.6 3h-4l-.6-3-2-.9-2.600 1.600L2 19l1.600-2.600-.9-2-3-.6v-3.400l3-.6.9-2L2 5.200 4.800 2.400 7.400 4l2-.9zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"),
  icon("talk", "M2 4h20v13H12l-6 5v-5H2z"),
  icon("wait", "M3 12a2.200 2.200 0 1 0 4.400 0A2.200 2.200 0 1 0 3 12M9.800 12a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 1 0-4.400 0M16.600 12a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 1 0-4.400 0"),
  icon("legend", "M4 3h16v18H4zM7 6h4v4H7zM13 7h5v2h-5zM7 13h4v4H7zM13 14h5v2h-5z"),
  icon("counter", "M1 12C5 5 19 5 23 12C19 19 5 19 1 12zM12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10zM12 9.500a2.500 2.500 0 1 1 0 5a2.500 2.500 0 0 1 0-5z"),
  icon("sheet", "M3 3h18v18H3zM6 6v3h3V6zM11 6v3h7V6zM6 11v2h3v-2zM11 11v2h7v-2zM6 15v3h3v-3zM11 15v3h7v-3z"),
  icon("whole", "M3 3h7v3H6v4H3zM21 3h-7v3h4v4h3zM3 21h7v-3H6v-4H3zM21 21h-7v-3h4v-4h3z"),
  icon("more", "M10 4h4v6h6v4h-6v6h-4v-6H4v-4h6z"),
  icon("less", "M4 10h16v4H4z"),
]; // prettier-ignore
