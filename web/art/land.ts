/** The land that the pages around the table look out on, and the fence in front of it. */

import { gouge as g, path, straight as s, wood, type Symbol } from "./lino.ts";
import { barn, cloud, hill, sun, tree } from "./scenery.ts";

const WIDTH = 1440;

/** Stars over the right half of the sky; by day nobody sees them. */
function stars(): string {
  const all = Array.from({ length: 40 }, (_, i) => {
    const [x, y, size] = [590 + ((i * 233) % 850), (i * 97) % 330, 3 + (i % 4)];
    return s(x - size, y, x + size, y, 1) + s(x, y - size, x, y + size, 1);
  });
  return path(all.join(""), "var(--sun)");
}

const box = `0 0 ${WIDTH} 660`;
const whole = (id: string): string => `<use href="#${id}" width="${WIDTH}" height="660"/>`;

const sky: Symbol = {
  id: "sky",
  box,
  body:
    `<g opacity="var(--by-day,1)">${sun(960, 250, 120, 40, 4.2)}${cloud(660, 70, 1.3)}${cloud(1130, 300, 1)}</g>` +
    `<g opacity="var(--by-night,0)"><circle cx="880" cy="160" r="92" fill="var(--sun)"/>` +
    `<circle cx="842" cy="136" r="79" fill="var(--sky)"/>${stars()}</g>`,
};

/** Hills and a barn under an empty sky, where something else is to shine. */
const meadow: Symbol = {
  id: "meadow",
  box,
  body:
    hill(680, 230, 900, 330, "var(--hill)", "var(--field-cut)", 15, 3) +
    barn(1190, 292, 1.5) +
    tree(1100, 400, 0.9) +
    tree(1394, 396, 1.15) +
    hill(-320, 330, 1180, 260, "var(--hill-2)", "var(--hill)", 19, 8) +
    tree(70, 505, 0.9) +
    path(
      "M-4 520C400 490 900 500 1444 516L1444 664L-4 664Z",
      "var(--field)",
      'stroke="var(--outline)" stroke-width="4"',
    ),
};

const land: Symbol = {
  id: "land",
  box,
  body: `<rect width="${WIDTH}" height="660" fill="var(--sky)"/>${whole("sky")}${whole("meadow")}`,
};

/** The rays behind whoever has won. */
const rays: Symbol = { id: "rays", box: "0 0 800 800", body: sun(400, 400, 122, 26, 1.85) };

function post(x: number): string {
  return (
    path(`M${x - 15} 18L${x - 2} 2L${x + 14} 16L${x + 15} 120L${x - 15} 120Z`, "var(--wood)", 'stroke="var(--outline)" stroke-width="3"') +
    path(g(x - 5, 24, x - 8, 58, x - 4, 98, 2) + g(x + 6, 48, x + 4, 78, x + 7, 108, 1.6), "var(--wood-cut)")
  );
} // prettier-ignore

const fence: Symbol = {
  id: "fence",
  box: `0 0 ${WIDTH} 118`,
  body:
    wood(-20, 24, 1480, 26) +
    wood(-20, 70, 1480, 24) +
    Array.from({ length: 16 }, (_, i) => post(30 + i * 95)).join(""),
};

/** The last one of a game sits in the mud. */
const mud: Symbol = {
  id: "mud",
  box: "0 0 140 60",
  body:
    path("M8 34C22 8 102 2 132 22C164 42 102 62 60 58C28 58 -2 52 8 34Z", "var(--straw-dark)", 'stroke="var(--outline)" stroke-width="4"') +
    path(g(28, 42, 52, 34, 82, 42, 2) + g(60, 26, 80, 20, 104, 26, 2), "var(--straw-cut)"),
}; // prettier-ignore

export const lands: Symbol[] = [sky, meadow, land, rays, fence, mud];
