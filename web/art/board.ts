/** The printed spaces of the boards: plus has a flat band, minus has thorns, a space that takes is a gate. */

import { path, plank, use, type Symbol } from "./lino.ts";
import { gateLeaf } from "./pens.ts";

const W = 66;
const H = 61;

const mini = (x: number, y: number, turn = 0): string =>
  `<rect x="${x}" y="${y}" width="23" height="24" rx="4" fill="var(--cutp)" stroke="var(--k)" stroke-width="3" transform="rotate(${turn} ${x + 11} ${y + 12})"/>`;

function ground(fill: string, dashed = false): string {
  const edge = dashed ? 'stroke="var(--edge)" stroke-dasharray="5 5"' : 'stroke="var(--k)"';
  return path(plank(1, 1, W - 2, H - 2, 1.2), fill, `${edge} stroke-width="2.6"`);
}
const plus =
  ground("var(--plus-s)") +
  path(`M1 ${H - 9}L${W - 1} ${H - 9}L${W - 1} ${H - 2}L1 ${H - 2}Z`, "var(--plus)");
const minus =
  ground("var(--minus-s)") +
  path(
    [0, 1, 2, 3, 4, 5]
      .map((i) => `M${2 + i * 10.4} ${H - 2}L${7 + i * 10.4} ${H - 11}L${12 + i * 10.4} ${H - 2}Z`)
      .join(""),
    "var(--minus)",
  );
const sign = (text: string, fill: string): string =>
  `<text class="display" x="13" y="37" font-size="26" text-anchor="middle" fill="${fill}">${text}</text>`;
const one = (inks: string): string => use("pip5", 26, 10, 33, 32, inks);
const two = (inks: string): string => use("pip5", 21, 14, 23, 23, inks) + use("pip5", 42, 14, 23, 23, inks);
const taking =
  `<g transform="translate(0 -2) scale(.59 .4)">${gateLeaf()}</g>` +
  '<circle cx="33" cy="30" r="22" fill="var(--cutp)" stroke="var(--k)" stroke-width="3"/>';

const SPACES: Record<string, string> = {
  blank: ground("var(--straw)", true),
  plus,
  minus,
  green1: plus + sign("+", "var(--plus)") + one("plus-ox"),
  green2: plus + sign("+", "var(--plus)") + two("plus-ox"),
  red1: minus + sign("−", "var(--minus)") + one("minus-ox"),
  red2: minus + sign("−", "var(--minus)") + two("minus-ox"),
  double: ground("var(--cutp)") + mini(11, 12, -8) + mini(31, 22, 6),
  draw_tile: ground("var(--cutp)") + mini(27, 18, 5) + sign("+", "var(--k)"),
  draw_action:
    ground("var(--cutp)") +
    `<g transform="rotate(5 44 30)">${
      path("M32 9L53 9L57 13L57 47L53 51L32 51L28 47L28 13Z", "var(--k)") +
      path("M33 13L52 13L53 14L53 36L32 36L32 14Z", "var(--fc)") +
      use("hoof", 34, 14, 17, 20)
    }</g>` +
    sign("+", "var(--k)"),
  take_ox: taking + use("head5", 17, 14, 33, 32),
  take_tiles:
    taking +
    mini(16, 20, -10) +
    mini(27, 22, 8) +
    path(
      "M22 14L34 7L46 14L38 14L38 20L30 20L30 14Z",
      "var(--plus)",
      'stroke="var(--cutp)" stroke-width="1.5"',
    ),
};

export const board: Symbol[] = [
  ...Object.entries(SPACES).map(([name, body]) => ({ id: `space-${name}`, box: `0 0 ${W} ${H}`, body })),
  {
    id: "board-sign",
    box: "0 -23 32 46",
    body: path(
      "M2 -19L30 -21L31 10L17 22L1 10Z",
      "var(--sign,var(--cutp))",
      'stroke="var(--outline)" stroke-width="3"',
    ),
  },
];
