/** Rows are pens: floor, stalls, posts, rails, gates, and everything that can be fixed to them. */

import {
  arrow,
  chance,
  gouge as g,
  hatch,
  OUTLINE,
  path,
  plank,
  seedWith,
  straight as s,
  wood,
  type Symbol,
} from "./lino.ts";

const RED = "var(--gate)";
const LIGHT = "var(--gate-cut)";

/** The floor of one stall: straw, and the shade of its two walls. */
function stall(kind: number): Symbol {
  seedWith(kind * 97 + 11);
  let straw = "";
  let dark = "";
  for (let i = 0; i < 20; i++) {
    const x = 8 + chance() * 92;
    const y = 18 + chance() * 122;
    const l = 9 + chance() * 13;
    const turn = (chance() - 0.5) * 9;
    straw += g(x, y, x + l / 2, y + turn / 2 - 2, x + l, y + turn, 1.7);
    if (i % 3 === 0) dark += g(x + 8, y + 7, x + 12, y + 9, x + 18, y + 7, 0.9);
  }
  const shade = hatch(3, 28, 102, 24, 8, kind + 3, 1.4, 2) + hatch(115, 34, 92, -13, 11, kind + 9, 1.1, -2);
  return {
    id: `stall${kind}`,
    box: "0 0 122 164",
    stretch: true,
    body:
      path(straw, "var(--straw-cut)") +
      path(dark, "var(--straw-dark)") +
      path(shade, "var(--outline)", 'opacity=".78"'),
  };
}

const floor: Symbol = {
  id: "floor",
  box: "0 0 744 164",
  stretch: true,
  body: path(plank(3, 6, 738, 152, 1.5), "var(--floor,var(--straw))", OUTLINE),
};

const slope: Symbol = {
  id: "slope",
  box: "0 0 782 44",
  stretch: true,
  body:
    path("M4 4L782 32L782 40L2 40Z", "var(--hill-2)", OUTLINE) +
    path(
      Array.from({ length: 9 }, (_, i) =>
        g(50 + i * 66, 28 + i, 70 + i * 66, 24 + i * 1.3, 96 + i * 62, 31 + i * 0.8, 1.6),
      ).join(""),
      "var(--field-cut)",
    ),
};

const post: Symbol = {
  id: "post",
  box: "-7 -2 14 168",
  body:
    path(
      "M-5 5L-1 0L5 6L5.6 163L-5.6 163Z",
      "var(--wood)",
      'stroke="var(--outline)" stroke-width="2.4" stroke-linejoin="round"',
    ) + path(g(-1.5, 14, -2.5, 60, -1, 100, 1.2) + g(1.8, 80, 1, 120, 2, 160, 1), "var(--wood-cut)"),
};

const rail: Symbol = { id: "rail", box: "-2 -2 644 13", stretch: true, body: wood(0, 0, 640, 9) };

/** A gate, 112 wide: four bars, two uprights and a brace. */
export function gateLeaf(): string {
  const brace = path(
    "M9 142L97 18L107 22L19 148Z",
    RED,
    'stroke="var(--outline)" stroke-width="2.4" stroke-linejoin="round"',
  );
  const bars = [14, 38, 62, 132].map((y) => wood(5, y, 102, 14, RED, LIGHT)).join("");
  return (
    brace +
    path(s(21, 134, 97, 28, 1.3), LIGHT) +
    bars +
    wood(6, 8, 12, 144, RED, LIGHT) +
    wood(93, 8, 12, 144, RED, LIGHT)
  );
}

const turned = (angle: number, x: number, y: number, board: string): string =>
  `<g transform="rotate(${angle} ${x} ${y})">${board}</g>`;

const gates: Symbol[] = [
  { id: "gate", box: "0 0 112 164", stretch: true, body: gateLeaf() },
  {
    id: "gate-broken",
    box: "-20 0 152 164",
    body:
      turned(-24, 35, 30, wood(-9, 16, 92, 15, RED, LIGHT)) +
      turned(31, 75, 60, wood(23, 48, 86, 15, RED, LIGHT)) +
      turned(-12, 65, 130, wood(1, 128, 98, 15, RED, LIGHT)) +
      turned(68, 95, 110, wood(67, 112, 70, 14, RED, LIGHT)) +
      turned(-58, 15, 96, wood(-25, 96, 66, 14, RED, LIGHT)),
  },
  {
    id: "gate-heat",
    box: "0 0 120 164",
    stretch: true,
    body:
      path(plank(2, 9, 116, 146, 1), "var(--hot-soft)") +
      path(
        [0, 1, 2, 3, 4]
          .map(
            (i) =>
              g(4, 18 + i * 30, 18, 12 + i * 31, 28, 20 + i * 30, 2) +
              g(116, 18 + i * 30, 106, 12 + i * 31, 94, 22 + i * 30, 2),
          )
          .join(""),
        "var(--hot)",
      ),
  },
  {
    id: "gate-stir",
    box: "0 0 120 20",
    body: path(
      g(4, 16, 14, 9, 30, 12, 2.2) + g(14, 9, 24, 3, 38, 6, 2) + g(88, 12, 104, 10, 114, 18, 2.2),
      "var(--hot)",
    ),
  },
  {
    id: "plate",
    box: "-2 -2 88 52",
    stretch: true,
    body:
      path(plank(0, 0, 84, 48, 1.5), "var(--cutp)", 'stroke="var(--outline)" stroke-width="3"') +
      '<circle cx="7" cy="6" r="2" fill="var(--k)"/><circle cx="77" cy="6" r="2" fill="var(--k)"/>',
  },
  { id: "gate-plank", box: "-2 -2 106 18", body: wood(0, 0, 102, 14, RED, LIGHT) },
  {
    id: "gate-bars",
    box: "-4 0 148 110",
    body:
      turned(-14, 70, 55, wood(0, 41, 140, 20, "var(--bar)", "var(--bar-cut)")) +
      turned(13, 70, 55, wood(0, 47, 140, 20, "var(--bar)", "var(--bar-cut)")),
  },
];

/** What hangs at a gate or on the sign of a pen. */
const boards: Symbol[] = [
  {
    id: "pen-sign",
    box: "0 0 40 76",
    body: path("M4 6L34 2L36 56L20 72L3 56Z", "var(--sign,var(--cutp))", OUTLINE),
  },
  {
    id: "sign-even",
    box: "0 -8 114 80",
    body:
      path(s(30, -6, 24, 10, 2) + s(82, -6, 88, 10, 2), "var(--outline)") +
      path("M2 2L110 0L111 68L1 70Z", "var(--h2)", OUTLINE) +
      path(g(14, 7, 40, 4, 66, 8, 1.2) + g(60, 63, 80, 60, 98, 63, 1.2), "var(--h2i)", 'opacity=".5"') +
      [[45, 16], [67, 16], [45, 33], [67, 33]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="6.5" fill="var(--h2i)"/>`).join(""),
  },
  {
    id: "sign-odd",
    box: "-2 -8 118 80",
    body:
      path(s(30, -6, 24, 10, 2) + s(82, -6, 88, 10, 2), "var(--outline)") +
      path("M12 1L100 0L114 36L98 69L14 70L-2 36Z", "var(--gold)", OUTLINE) +
      path(g(24, 7, 44, 4, 66, 8, 1.2) + g(60, 63, 76, 60, 92, 63, 1.2), "var(--k)", 'opacity=".5"') +
      [[56, 15], [44, 33], [68, 33]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="6.5" fill="var(--k)"/>`).join(""),
  },
  {
    id: "sign-downhill",
    box: "0 0 112 70",
    body:
      path("M4 2L108 8L106 66L6 66Z", "var(--cutp)", OUTLINE) +
      path("M8 62L34 18L48 36L58 26L102 62Z", "var(--hill-2)") +
      path("M34 18L26 33L33 30L38 35L43 30Z", "var(--cutp)") +
      arrow(56, 12, 80, 16, 96, 44, 3.4, "var(--minus)", "var(--cutp)"),
  },
  {
    id: "sign-up",
    box: "0 0 42 24",
    body: path("M2 22L21 3L40 22Z", "var(--gold)", OUTLINE),
  },
  {
    id: "sign-down",
    box: "0 0 42 24",
    body: path("M2 2L21 21L40 2Z", "var(--gold)", OUTLINE),
  },
  {
    id: "ribbon",
    box: "-4 6 128 54",
    stretch: true,
    body: path("M-2 20L118 10L112 30L120 46L0 56Z", "var(--gold)", OUTLINE),
  },
  {
    id: "downward",
    box: "0 0 44 34",
    body: path("M0 0L22 18L44 0L44 14L22 34L0 14Z", "var(--straw-dark)", 'opacity=".8"'),
  },
  {
    id: "dust",
    box: "-22 -18 48 34",
    body:
      path(
        "M-16 8c-8-12 6-20 13-12c4-12 21-9 20 2c11-4 15 9 6 13z",
        "var(--straw-cut)",
        'stroke="var(--outline)" stroke-width="2.6"',
      ) + path("M-8 4q6-6 10 0", "none", 'stroke="var(--outline)" stroke-width="1.8"'),
  },
]; // prettier-ignore

export const pens: Symbol[] = [...[0, 1, 2, 3, 4].map(stall), floor, slope, post, rail, ...gates, ...boards];
