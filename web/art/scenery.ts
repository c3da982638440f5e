/** The land around the table: sun, hills, barn and trees, the field under everything and the ledge under the hand. */

import { chance, gouge as g, path, r, seedWith, straight as s, type Symbol } from "./lino.ts";

const EDGE = 'stroke="var(--outline)" stroke-width="3"';

/** A sun with cut rays. */
export function sun(x: number, y: number, q: number, n = 24, reach = 2.2): string {
  let d = "";
  for (let i = 0; i < n; i++) {
    const a = (i * 2 * Math.PI) / n;
    const l = i % 2 ? reach * 0.72 : reach;
    const at = (f: number): [number, number] => [x + q * f * Math.cos(a), y + q * f * Math.sin(a)];
    d += g(...at(1.16), ...at((1.16 + l) / 2), ...at(l), q * 0.075);
  }
  return path(d, "var(--sun)") + `<circle cx="${x}" cy="${y}" r="${q}" fill="var(--sun)"/>`;
}

/** A rounded hill with contour gouges, shaded on one side. */
export function hill(
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  light: string,
  n = 9,
  start = 5,
): string {
  seedWith(start);
  let lines = "";
  for (let i = 0; i < n; i++) {
    const t = (i + 0.5) / n;
    const top = y + h - Math.sin(t * Math.PI) * h;
    for (let m = 0; m < 4; m++) {
      const a = x + w * t + (m - 1) * 9;
      const b = top + 9 + m * h * 0.2 + chance() * 6;
      if (b < y + h - 3) {
        lines += g(a, b, a + (w / n) * 0.25, b + (t - 0.5) * 14 - 3, a + (w / n) * 0.55, b + (t - 0.5) * 26, 3);
      }
    }
  }
  const count = Math.round(w / 26);
  const shade = Array.from({ length: count }, (_, i) => {
    const t = 0.5 + (0.49 * (i + 1)) / count;
    const u = 1 - t;
    const px = u ** 3 * x + 3 * u * u * t * (x + w * 0.2) + 3 * u * t * t * (x + w * 0.8) + t ** 3 * (x + w);
    const py = (u ** 3 + t ** 3) * (y + h) + (3 * u * u * t + 3 * u * t * t) * (y - h * 0.33);
    const l = 14 + ((i * 37) % 19) + t * 12;
    return g(px, py, px - l * 0.4, py + l * 0.35, px - l * 0.75, py + l * 0.8, 2);
  }).join("");
  const outline = `M${x} ${y + h}C${r(x + w * 0.2)} ${r(y - h * 0.33)} ${r(x + w * 0.8)} ${r(y - h * 0.33)} ${x + w} ${y + h}Z`;
  return path(outline, fill, EDGE) + path(lines, light) + path(shade, "var(--outline)");
} // prettier-ignore

/** A red barn. */
export function barn(x: number, y: number, z = 1): string {
  return `<g transform="translate(${x} ${y}) scale(${z})">${
    path("M0 60L0 26L20 4L60 4L80 26L80 60Z", "var(--gate)", 'stroke="var(--outline)" stroke-width="4"') +
    path("M-5 27L18 1L62 1L85 27L78 29L58 8L22 8L2 29Z", "var(--outline)") +
    path("M28 60L28 34L52 34L52 60ZM33 18L47 18L47 27L33 27Z", "var(--cutp)", EDGE) +
    path(s(28, 34, 52, 60, 1.5) + s(52, 34, 28, 60, 1.5) + s(40, 18, 40, 27, 1), "var(--outline)") +
    path(
      s(8, 32, 8, 56, 1.2) + s(16, 30, 16, 56, 1.2) + s(64, 30, 64, 56, 1.2) + s(72, 32, 72, 56, 1.2),
      "var(--gate-cut)",
    )
  }</g>`;
}

/** A round tree. */
export function tree(x: number, y: number, z = 1): string {
  return `<g transform="translate(${x} ${y}) scale(${z})">${
    path("M-4 0L-3 -30L3 -30L5 0Z", "var(--outline)") +
    path(
      "M0 -92C22 -92 30 -72 26 -60C36 -52 30 -30 14 -28C4 -22 -8 -22 -15 -28C-32 -30 -34 -52 -24 -60C-30 -74 -20 -92 0 -92Z",
      "var(--hill-2)",
      EDGE,
    ) +
    path(
      g(-14, -78, -4, -86, 8, -82, 2) +
        g(-20, -62, -6, -70, 10, -64, 2) +
        g(-22, -46, -6, -54, 14, -47, 2) +
        g(-10, -34, 2, -40, 18, -36, 2),
      "var(--field-cut)",
    )
  }</g>`;
}

/** A flat cloud. */
export function cloud(x: number, y: number, z = 1): string {
  return `<g transform="translate(${x} ${y}) scale(${z})">${
    path("M0 20C-2 8 14 4 20 10C24 -4 48 -4 52 8C62 2 78 8 76 20Z", "var(--paper)", EDGE) +
    path(g(12, 15, 26, 10, 40, 15, 1.3) + g(44, 16, 56, 12, 66, 16, 1.3), "var(--outline)")
  }</g>`;
}

/** A bale of straw, of which podiums are made. */
function bale(w: number, h: number): string {
  seedWith(36);
  let straws = "";
  for (let i = 0; i < (w * h) / 260; i++) {
    const a = 8 + chance() * (w - 34);
    const b = 8 + chance() * (h - 16);
    const l = 12 + chance() * 16;
    straws += g(a, b, a + l / 2, b - 3, a + l, b + (chance() - 0.5) * 7, 1.7);
  }
  return (
    path(`M2 2L${w - 2} 3L${w - 2} ${h - 2}L3 ${h - 2}Z`, "var(--straw)", 'stroke="var(--outline)" stroke-width="4" stroke-linejoin="round"') +
    path(straws, "var(--straw-cut)") +
    path(g(w * 0.24, 0, w * 0.22, h / 2, w * 0.24, h, 2.5) + g(w * 0.76, 0, w * 0.78, h / 2, w * 0.76, h, 2.5), "var(--outline)")
  );
} // prettier-ignore

/** Night is told by the theme: `--by-day` and `--by-night` are 1 or 0. */
function sky(x: number, y: number): string {
  const stars = [[96, 20], [112, 40], [190, 16], [204, 40], [124, 14]]; // prettier-ignore
  return (
    `<g opacity="var(--by-day,1)">${sun(x, y + 12, 20)}</g>` +
    `<g opacity="var(--by-night,0)"><circle cx="${x}" cy="${y}" r="19" fill="var(--sun)"/><circle cx="${x - 8}" cy="${y - 5}" r="16" fill="var(--sky)"/>${path(
      stars.map(([a, b]) => s(a! - 4, b!, a! + 4, b!, 1) + s(a!, b! - 4, a!, b! + 4, 1)).join(""),
      "var(--sun)",
    )}</g>`
  );
}

/** Tufts, chips and cuts of the field, as a tile. */
function field(): string {
  seedWith(21);
  let light = "";
  let dark = "";
  for (let i = 0; i < 46; i++) {
    const x = chance() * 240;
    const y = chance() * 240;
    const l = 10 + chance() * 15;
    const turn = (chance() - 0.5) * 7;
    light += g(x, y, x + l / 2, y + turn - 2.5, x + l, y + turn, 1.5);
    if (i % 5 === 0) dark += g(x + 3, y + 9, x + 8, y + 10, x + 15, y + 8, 1.2);
  }
  const tufts = [[30, 52], [150, 24], [206, 128], [92, 150], [24, 214], [168, 210]] // prettier-ignore
    .map(
      ([x, y]) =>
        g(x!, y!, x! - 1, y! - 8, x! - 7, y! - 13, 1.3) +
        g(x! + 2, y!, x! + 2, y! - 9, x! + 2, y! - 17, 1.4) +
        g(x! + 4, y!, x! + 5, y! - 8, x! + 11, y! - 12, 1.3),
    )
    .join("");
  return path(light, "var(--field-cut)") + path(dark, "var(--field-dark)") + path(tufts, "var(--tuft)");
}

/** The field, to be laid as a pattern. */
export const pattern = `<pattern id="field" width="240" height="240" patternUnits="userSpaceOnUse">${field()}</pattern>`;

export const scenery: Symbol[] = [
  {
    id: "brand",
    box: "0 0 218 104",
    body:
      '<rect width="218" height="104" fill="var(--sky)"/>' +
      sky(160, 32) +
      hill(90, 40, 190, 64, "var(--hill)", "var(--field-cut)", 7, 9) +
      barn(108, 40, 0.5) +
      tree(186, 66, 0.42) +
      hill(-50, 56, 210, 60, "var(--hill-2)", "var(--hill)", 8, 4) +
      '<use class="on-paper" href="#head5" x="12" y="6" width="70" height="68"/>',
  },
  { id: "barn", box: "-8 -2 96 66", body: barn(0, 0) },
  { id: "tree", box: "-36 -96 72 98", body: tree(0, 0) },
  { id: "cloud", box: "-4 -6 84 30", body: cloud(0, 0) },
  { id: "sun", box: "-48 -48 96 96", body: sun(0, 0, 20) },
  { id: "bale", box: "0 0 160 90", stretch: true, body: bale(160, 90) },
  { id: "hill", box: "0 0 300 100", stretch: true, body: hill(0, 26, 300, 74, "var(--hill)", "var(--field-cut)", 9, 9) },
  {
    id: "ledge",
    box: "0 0 1440 54",
    stretch: true,
    body:
      path(
        Array.from({ length: 12 }, (_, i) =>
          g(i * 125 + 10, 12 + (i % 3) * 4, i * 125 + 50, 8 + (i % 2) * 6, i * 125 + 100, 14, 2) +
          g(i * 125 + 40, 36 - (i % 2) * 5, i * 125 + 90, 32, i * 125 + 130, 38, 2),
        ).join(""),
        "var(--wood-cut)",
      ) + path(s(0, 27, 1440, 26, 1.2), "var(--outline)"),
  },
]; // prettier-ignore
