/** Faces without their numbers, backs, and the tiles of the boards.
 *
 * Danger has a shape: the edge of the field is flat (1), waves (2), hills (3), thorns (5), and a whole dark card (7).
 */

import { gouge as g, OUTLINE, path, r, type Symbol } from "./lino.ts";

const BOTTOM = "L98 130Q98 138 91 138L9 138Q2 138 2 130Z";
const FIELD: Record<number, string> = {
  1: `M2 91L98 90${BOTTOM}`,
  2: `M2 90Q14 83 26 90Q38 97 50 90Q62 83 74 90Q86 97 98 90${BOTTOM}`,
  3: `M2 95L18 84L34 95L50 84L66 95L82 84L98 95${BOTTOM}`,
  5: `M2 91L8 79L16 90L25 79L33 90L42 79L50 90L58 79L67 90L75 79L84 90L92 79L98 91${BOTTOM}`,
  7: `M9 2L91 2Q98 2 98 9${BOTTOM.replace("Z", "L2 9Q2 2 9 2Z")}`,
};
/** Where each head is, and how large. */
const SPOTS: Record<number, readonly (readonly [number, number, number])[]> = {
  1: [[50, 114, 45]],
  2: [[28, 114, 41], [72, 114, 41]],
  3: [[19, 115, 32], [50, 115, 32], [81, 115, 32]],
  5: [[20, 104, 27], [50, 104, 27], [80, 104, 27], [35, 126, 27], [65, 126, 27]],
  7: [[15, 102, 24], [38.5, 102, 24], [61.5, 102, 24], [85, 102, 24], [26.5, 125, 24], [50, 125, 24], [73.5, 125, 24]],
}; // prettier-ignore
const EDGE =
  "M9 2.500L92 1.800Q98 2 98 9L97.400 131Q97.600 138 91 138L9 137.600Q2 138 2.400 131L1.900 9Q2 2.600 9 2.500Z";

function face(heads: number, small: boolean): Symbol {
  const field = FIELD[heads]!;
  const size = (z: number): number => z * (small ? (heads < 3 ? 1.12 : heads === 5 ? 0.95 : 1) : 1);
  const spots = SPOTS[heads]!.map(([x, y, z]) => {
    const q = size(z);
    return `<use href="#${small ? "pip" : "head"}${heads}" x="${r(x - q / 2)}" y="${r(y - q * 0.47)}" width="${r(q)}" height="${r(q * 0.97)}"/>`;
  });
  const scratches =
    heads === 7
      ? path(
          g(6, 8, 30, 6, 44, 10, 1.2) +
            g(58, 7, 76, 10, 94, 6, 1.2) +
            g(6, 84, 24, 82, 40, 86, 1.2) +
            g(60, 85, 78, 82, 94, 85, 1.2),
          "var(--h7i)",
          'opacity=".55"',
        )
      : path(g(8, 9, 20, 7, 30, 10, 0.9) + g(74, 10, 84, 7, 93, 9, 0.9), "var(--card-ink)", 'opacity=".22"');
  return {
    id: `face${heads}${small ? "s" : ""}`,
    box: "0 0 100 140",
    body:
      path(EDGE, "var(--card)") +
      path(field, `var(--h${heads})`) +
      scratches +
      spots.join("") +
      path(EDGE, "none", `stroke="${heads === 7 ? "var(--h7-edge)" : "var(--card-ink)"}" stroke-width="3"`),
  };
}

function back(): Symbol {
  let rays = "";
  for (let i = 0; i < 20; i++) {
    const a = (i * Math.PI) / 10;
    const far = i % 2 ? [42, 50] : [40, 62];
    rays += g(
      50 + 27 * Math.cos(a),
      70 + 27 * Math.sin(a),
      50 + 40 * Math.cos(a),
      70 + 48 * Math.sin(a),
      50 + far[0]! * Math.cos(a),
      70 + far[1]! * Math.sin(a),
      i % 2 ? 1.5 : 2.4,
    );
  }
  const hooves = [
    [11, 11, 0],
    [75, 11, 0],
    [11, 113, 180],
    [75, 113, 180],
  ].map(
    ([x, y, turn]) =>
      `<use class="back-light" href="#hoof" x="${x}" y="${y}" width="14" height="16" transform="rotate(${turn} ${x! + 7} ${y! + 8})"/>`,
  );
  return {
    id: "back",
    box: "0 0 100 140",
    body:
      path(EDGE, "var(--back)") +
      path(rays, "var(--back-i)") +
      '<circle cx="50" cy="70" r="25" fill="var(--back-i)"/>' +
      '<use class="back-dark" href="#head5" x="30" y="51" width="40" height="39"/>' +
      hooves.join("") +
      path(
        "M10 7L90 7L93 10L93 130L90 133L10 133L7 130L7 10Z",
        "none",
        'stroke="var(--back-i)" stroke-width="1.8"',
      ) +
      path(EDGE, "none", 'stroke="var(--card-ink)" stroke-width="3"'),
  };
}

const TILE = "M11 2L89 2Q98 2 98 11L98 81Q98 90 89 90L11 90Q2 90 2 81L2 11Q2 2 11 2Z";
const TILE_BOTTOM = "L98 81Q98 90 89 90L11 90Q2 90 2 81Z";
const TILE_FIELD: Record<number, string> = {
  1: `M2 61L98 60${TILE_BOTTOM}`,
  2: `M2 61Q13 55 25 61Q38 67 50 61Q62 55 75 61Q88 67 98 61${TILE_BOTTOM}`,
  3: `M2 63L17 56L33 64L50 56L67 64L83 56L98 63${TILE_BOTTOM}`,
  5: `M2 63L8 53L17 62L25 53L33 62L42 53L50 62L58 53L67 62L75 53L83 62L92 53L98 62${TILE_BOTTOM}`,
  7: TILE,
};

function tile(oxen: number): Symbol {
  const z = oxen > 5 ? 13 : oxen > 3 ? 17 : oxen > 2 ? 24 : 29;
  const spots = Array.from(
    { length: oxen },
    (_, i) =>
      `<use href="#pip${oxen}" x="${r(50 + (i - (oxen - 1) / 2) * (z + 1.5) - z / 2)}" y="${r(75 - z / 2)}" width="${z}" height="${z}"/>`,
  );
  return {
    id: `tile${oxen}`,
    box: "0 0 100 92",
    body:
      path(TILE, "var(--card)") +
      path(TILE_FIELD[oxen]!, `var(--h${oxen})`) +
      spots.join("") +
      path(TILE, "none", 'stroke="var(--card-ink)" stroke-width="4"'),
  };
}

const tileBack: Symbol = {
  id: "tile-back",
  box: "0 0 100 92",
  body:
    path(TILE, "var(--back)") +
    '<circle cx="50" cy="46" r="24" fill="var(--back-i)"/><use class="back-dark" href="#head5" x="31" y="28" width="38" height="37"/>' +
    path(TILE, "none", 'stroke="var(--card-ink)" stroke-width="4"'),
};

/** Two golden tokens: what a card counts as, and that two lie on one place. */
const tokens: Symbol[] = [
  {
    id: "coin",
    box: "0 0 64 60",
    body:
      path(
        "M28 2C50 0 64 16 62 34C60 52 44 60 26 58C10 54 0 42 2 26C4 12 14 2 28 2Z",
        "var(--gold)",
        OUTLINE.replace("--outline", "--k"),
      ) + path(g(10, 16, 16, 8, 28, 6, 1.6) + g(54, 44, 48, 53, 36, 55, 1.6), "var(--cutp)"),
  },
  {
    id: "turned",
    box: "0 0 60 30",
    body: path("M4 26Q28 -14 50 14L56 8L58 29L38 26L45 20Q28 0 10 27Z", "var(--minus)"),
  },
];

export const cards: Symbol[] = [
  ...[1, 2, 3, 5, 7].flatMap((heads) => [face(heads, false), face(heads, true)]),
  back(),
  ...[1, 2, 3, 5, 7].map(tile),
  tileBack,
  ...tokens,
];
