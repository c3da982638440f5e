/** Special cards: a frame for each family and a picture for each kind, named as the rules name them. */

import {
  arrow,
  digits as num,
  disc as c,
  gouge as g,
  hatch,
  path as P,
  plank,
  r,
  straight as s,
  use,
  wood,
  type Symbol,
} from "./lino.ts";
import { gateLeaf } from "./pens.ts";

const K = "var(--k)";
const W = "var(--cutp)";
const RED = "var(--h5)";
const RED_CUT = "var(--red-cut)";
const TIMBER = "var(--timber)";
const TIMBER_CUT = "var(--timber-cut)";
const GREEN = "var(--plus)";
const EDGE = 'stroke="var(--k)" stroke-width="2.6" stroke-linejoin="round"';
const DASHED = 'stroke="var(--k)" stroke-width="2.6" stroke-dasharray="4 3"';

const rail = (x: number, y: number, w: number, h = 7): string => wood(x, y, w, h, TIMBER, TIMBER_CUT);

/** A card or a tile inside a picture. */
function little(
  kind: "face" | "tile" | "back",
  n: number,
  heads: number,
  x: number,
  y: number,
  w: number,
  turn = 0,
): string {
  const high = kind === "tile" ? 92 : 140;
  const h = (w * high) / 100;
  const symbol = kind === "face" ? `face${heads}s` : kind === "tile" ? `tile${heads}` : "back";
  const text =
    kind === "back" ? "" : num(String(n), 50, kind === "face" ? 72 : 50, kind === "face" ? 68 : 52, "var(--card-ink)");
  return (
    `<g transform="rotate(${turn} ${r(x + w / 2)} ${r(y + h / 2)})"><svg class="h${heads}" x="${x}" y="${y}" width="${w}" height="${r(h)}" viewBox="0 0 100 ${high}">` +
    `<use href="#${symbol}" width="100" height="${high}"/>${text}</svg></g>`
  );
} // prettier-ignore
const headsOf = (n: number): number =>
  n === 55 ? 7 : n % 11 === 0 ? 5 : n % 10 === 0 ? 3 : n % 5 === 0 ? 2 : 1;
const fc = (n: number, x: number, y: number, w: number, turn = 0): string =>
  little("face", n, headsOf(n), x, y, w, turn);
const bk = (x: number, y: number, w: number, turn = 0): string => little("back", 0, 1, x, y, w, turn);
const tl = (n: number, heads: number, x: number, y: number, w: number, turn = 0): string =>
  little("tile", n, heads, x, y, w, turn);
const buffalo = (mood: string, x: number, y: number, w: number): string =>
  use(`buf-${mood}`, x, y, w, (w * 110) / 148);

const sevenAtGate =
  `<g transform="translate(12 -4) scale(.64 .6)">${gateLeaf()}</g>` +
  P(plank(18, 22, 64, 46, 1.4), W, EDGE) +
  P(c(24, 28, 1.8) + c(76, 28, 1.8), K) +
  num("7", 50, 62, 48);
const crossed = `<g transform="rotate(-8 50 60)">${wood(-6, 46, 112, 17, RED, RED_CUT)}</g><g transform="rotate(6 50 66)">${wood(-6, 62, 112, 15, RED, RED_CUT)}</g>`;

/** Each picture is 100 wide and 86 high. */
const PICTURES: Record<string, string> = {
  "fifth-row":
    P(g(-4, 84, 30, 79, 60, 83, 1.6) + g(40, 85, 74, 80, 106, 84, 1.6), K) +
    [14, 36, 58, 80]
      .map((x, i) => {
        const top = (i % 2) * 3;
        return (
          P(`M${x - 7} ${12 + top}L${x - 1} ${2 + top}L${x + 7} ${13 + top}L${x + 7.5} 82L${x - 7.5} 82Z`, TIMBER, EDGE) +
          P(g(x - 2, 18, x - 4, 40, x - 2, 60, 1.6) + g(x + 3, 44, x + 2, 60, x + 3, 78, 1.4), TIMBER_CUT) +
          P(hatch(x + 7, 24, 52, -7, 8, i + 2, 1.3, 2), K)
        );
      })
      .join("") +
    `<g transform="rotate(-27 48 44)">${wood(-6, 36, 108, 17, RED, RED_CUT)}</g>`,
  seven:
    sevenAtGate +
    [0, 1, 2, 3, 4, 5]
      .map((i) => {
        const x = 17 + i * 13.6;
        const y = (i % 2) * 1.5;
        return (
          P(plank(x, y - 1, 11.5, 17, 0.5), W, 'stroke="var(--k)" stroke-width="2.2"') +
          P(`M${r(x + 1.3)} ${9.5 + y}h9v5.500h-9z`, RED)
        );
      })
      .join(""),
  "take-7":
    buffalo("sly", 4, -8, 92) +
    `<g transform="rotate(-4 50 66)">${P(plank(24, 46, 52, 42, 1.4), W, EDGE)}${P(c(30, 52, 1.8) + c(70, 52, 1.8), K)}${num("7", 50, 82, 42)}</g>`,
  insert: fc(41, 3, 24, 40, -5) + fc(66, 57, 24, 40, 5) + fc(52, 31, 2, 38) + arrow(50, 58, 50, 66, 50, 80, 4.2),
  replace:
    bk(9, 16, 40, -10) + fc(12, 51, 16, 40, 9) + arrow(30, 14, 50, -6, 70, 10, 3) + arrow(70, 76, 50, 94, 30, 77, 3),
  shift:
    rail(2, 34, 96, 8) +
    rail(2, 78, 96, 8) +
    fc(17, 70, 3, 26) +
    P(plank(40, 5, 25, 31, 1), "none", DASHED) +
    fc(31, 66, 47, 26) +
    fc(22, 4, 47, 26) +
    fc(24, 34, 40, 29, -5) +
    arrow(44, 12, 18, 20, 36, 42, 3.8),
  stop: use("head5", 17, -2, 66, 64, "on-tint") + crossed,
  lock:
    rail(-4, 22, 108, 11) +
    rail(-4, 62, 108, 11) +
    [16, 84]
      .map(
        (x) =>
          P(`M${x - 7} 14L${x} 6L${x + 7} 15L${x + 7} 86L${x - 7} 86Z`, TIMBER, EDGE) +
          P(g(x - 1, 20, x - 3, 44, x, 70, 1.6), TIMBER_CUT),
      )
      .join("") +
    P("M34 44C32 14 68 14 66 44L58 44C59 26 41 26 42 44Z", K, `stroke="${W}" stroke-width="2"`) +
    P(plank(26, 40, 48, 42, 1.6), RED, EDGE) +
    P(g(32, 47, 46, 45, 62, 48, 1.8) + g(34, 76, 50, 73, 66, 76, 1.6), RED_CUT) +
    P(`${c(50, 56, 6)}M47 58L53 58L55 72L45 72Z`, "var(--h5i)"),
  lift:
    P("M34 48C32 8 68 8 66 30L58 30C59 20 41 20 42 48Z", K, `stroke="${W}" stroke-width="2"`) +
    P(plank(26, 44, 48, 38, 1.6), RED, EDGE) +
    P(`${c(50, 58, 6)}M47 60L53 60L55 74L45 74Z`, "var(--h5i)") +
    arrow(86, 60, 88, 40, 84, 14, 3.6),
  "negative-positive":
    P("M6 4L50 4L50 84L6 84Z", K) +
    P("M50 4L94 4L94 84L50 84Z", W, EDGE) +
    `<svg x="10" y="4" width="40" height="80" viewBox="-2 -2 52 101" preserveAspectRatio="xMaxYMid meet">${use("head5", -2, -2, 104, 101, "on-dark")}</svg>` +
    `<svg x="50" y="4" width="40" height="80" viewBox="50 -2 52 101" preserveAspectRatio="xMinYMid meet">${use("head5", -2, -2, 104, 101)}</svg>` +
    num("−", 20, 30, 28, W) +
    num("+", 81, 30, 28, GREEN),
  push: buffalo("cross", -30, 6, 92) + fc(38, 57, 12, 40, 12) + arrow(58, 78, 74, 84, 94, 76, 3.4),
  "first-card":
    fc(46, 38, -2, 34, -16) +
    use("hare", 0, 26, 100, 66) +
    P(g(0, 50, 8, 48, 16, 50, 1.6) + g(-2, 60, 6, 58, 12, 60, 1.4), K) +
    P("M84 2L86 2L86 34L84 34Z", K) +
    P("M86 3L99 8L86 15Z", RED, 'stroke="var(--k)" stroke-width="1.8"'),
  "last-card": fc(88, 20, -4, 32, 10) + use("snail", 2, 24, 96, 64) + P(g(-2, 84, 20, 82, 46, 84, 1.2), K),
  sort:
    fc(9, -1, 36, 34, -7) +
    fc(97, 67, 36, 34, 7) +
    fc(61, 33, 40, 34) +
    use("a-dog", 30, -6, 42, 44) +
    arrow(70, 26, 90, 16, 88, 36, 3) +
    arrow(30, 26, 10, 16, 12, 36, 3),
  "stop-sign":
    P("M46 54L54 54L55 86L45 86Z", TIMBER, EDGE) +
    P("M34 3L66 3L88 22L88 44L66 62L34 62L12 44L12 22Z", RED, EDGE) +
    P(
      "M36.500 8L63.500 8L82.500 24L82.500 42L63.500 57L36.500 57L17.500 42L17.500 24Z",
      "none",
      `stroke="${W}" stroke-width="2.4"`,
    ) +
    use("hoof", 32, 13, 36, 40, "in-white") +
    P(g(20, 78, 28, 76, 38, 80, 1.4) + g(62, 80, 74, 76, 84, 79, 1.4), K),
  exchange:
    tl(23, 5, 4, 30, 42, -8) + tl(64, 1, 54, 20, 42, 7) + arrow(24, 24, 44, -4, 70, 15, 3.2) + arrow(76, 66, 56, 90, 28, 72, 3.2),
  skip:
    P(plank(0, 68, 100, 12, 1), "var(--straw)", EDGE) +
    P(plank(36, 50, 28, 22, 0.8), "none", DASHED) +
    tl(38, 3, 3, 46, 28) +
    tl(41, 1, 69, 46, 28) +
    use("run-calf", 12, -10, 78, 50),
  start:
    P(plank(0, 76, 102, 9, 1), "var(--straw)", EDGE) +
    P(plank(3, 49, 28, 25, 0.8), "none", DASHED) +
    tl(33, 1, 36, 48, 30) +
    tl(38, 3, 69, 48, 30) +
    tl(25, 2, 36, 2, 38, 7) +
    arrow(38, 26, 16, 22, 17, 50, 3.8),
  ascending:
    P("M2 84L2 70L34 70L34 54L66 54L66 36L98 36L98 84Z", TIMBER, EDGE) +
    P(
      g(6, 76, 20, 73, 32, 77, 1.3) +
        g(38, 62, 52, 59, 64, 63, 1.3) +
        g(70, 46, 84, 43, 96, 47, 1.3) +
        g(38, 76, 60, 72, 92, 77, 1.3) +
        g(70, 60, 82, 57, 94, 61, 1.3),
      TIMBER_CUT,
    ) +
    tl(18, 1, 3, 42, 28) +
    tl(45, 2, 36, 26, 28) +
    tl(72, 1, 69, 8, 28) +
    arrow(6, 32, 26, 4, 58, 6, 3.2),
  another: tl(47, 1, 4, 8, 50, -7) + tl(83, 5, 46, 32, 50, 6) + num("+", 18, 82, 40, GREEN, W, 6),
  "plus-five":
    [0, 90, 180, 270]
      .map(
        (a) =>
          `<g transform="rotate(${a + 45} 50 42)">${
            P("M50 42C40 34 24 26 30 10C34 0 46 2 50 10C54 2 66 0 70 10C76 26 60 34 50 42Z", GREEN, EDGE) +
            P(g(44, 10, 40, 20, 48, 34, 1.8) + g(58, 9, 62, 18, 54, 30, 1.6), "var(--tint2)")
          }</g>`,
      )
      .join("") +
    P(g(50, 42, 58, 70, 66, 88, 3), GREEN) +
    num("+5", 50, 56, 44, K, W, 8),
  "positive-ox":
    use("head3", 16, 8, 68, 66, "on-tint2") +
    use("clover", 62, -4, 30, 30, "in-green") +
    P(c(20, 66, 15), GREEN, EDGE) +
    num("+", 20, 78, 34, W),
  flip:
    fc(24, 4, 22, 42, -6) + fc(42, 55, 18, 42, 7) + arrow(24, 18, 48, -12, 76, 12, 3.6),
  unknown: use("head5", 18, 8, 64, 62, "on-tint"),
}; // prettier-ignore

/** The ground of a family: `--tint` and its rays `--tint2`. */
const RAYS = Array.from({ length: 11 }, (_, i) => {
  const a = Math.PI * (1 + i / 10);
  const q = i % 2 ? 42 : 54;
  const at = (dx: number, dy: number): [number, number] => [50 + dx * Math.cos(a), 54 + dy * Math.sin(a)];
  return g(...at(30, 30), ...at(44, 42), ...at(q + 6, q), 2.4);
}).join("");

/** Family signs in the corner: told apart without colour. */
const EMBLEMS: Record<string, string> = {
  a: P(
    Array.from({ length: 8 }, (_, i) => {
      const a = (i * Math.PI) / 4;
      const at = (q: number): [number, number] => [12 + q * Math.cos(a), 12 + q * Math.sin(a)];
      return g(12, 12, ...at(3), ...at(8), 2.2);
    }).join(""),
    K,
  ),
  b: P(
    "M12 9C8 7 5 9 4 12C3 15 1 15 0 12C0 19 7 18 9 14L11 18L13 18L15 14C17 18 24 19 24 12C23 15 21 15 20 12C19 9 16 7 12 9Z",
    K,
  ),
  c: P("M3 5L12 3L21 5L20 14L12 21L4 14ZM12 6L7 8L7 13L12 17Z", K, 'fill-rule="evenodd"'),
  d: use("clover", 3, 2, 18, 19),
};

/** The frame is dark; its window is clipped by its own box. */
const frames: Symbol[] = [
  {
    id: "special",
    box: "0 0 100 140",
    body:
      P("M10 2L90 2L98 10L98 130L90 138L10 138L2 130L2 10Z", "var(--special)", 'stroke="var(--special-edge)" stroke-width="1.5"') +
      P("M11 6L89 6L94 11L94 98L6 98L6 11Z", "var(--tint)") +
      P(RAYS, "var(--tint2)") +
      P(g(10, 94, 30, 91, 48, 94, 1) + g(60, 93, 76, 90, 92, 94, 1), "var(--tint2)"),
  },
  ...Object.entries(EMBLEMS).map(([family, body]) => ({
    id: `emblem-${family}`,
    box: "0 0 28 26",
    body:
      P("M4 9L10 3L25 4L23 21L5 23Z", "var(--tint2)", 'stroke="var(--special)" stroke-width="2.4" stroke-linejoin="round"') +
      `<g transform="translate(5.500 5) scale(.7)">${body}</g>`,
  })),
]; // prettier-ignore

export const specials: Symbol[] = [
  ...frames,
  ...Object.entries(PICTURES).map(([name, body]) => ({ id: `pic-${name}`, box: "0 0 100 86", body })),
  { id: "underline", box: "0 0 64 3", body: P(s(0, 1.5, 64, 1.5, 0.8), "var(--tint)") },
];
