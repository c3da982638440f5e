/** The sheet: every picture of the client, once a page, written into its document when it is built. */

import type { Plugin } from "vite";
import { animals } from "./animals.ts";
import { board } from "./board.ts";
import { cards } from "./cards.ts";
import { heads } from "./heads.ts";
import { herd } from "./herd.ts";
import { lands } from "./land.ts";
import { written } from "./lino.ts";
import { pens } from "./pens.ts";
import { pattern, scenery } from "./scenery.ts";
import { signs } from "./signs.ts";
import { specials } from "./special.ts";

export const symbols = [
  ...heads,
  ...animals,
  ...signs,
  ...herd,
  ...cards,
  ...pens,
  ...specials,
  ...board,
  ...scenery,
  ...lands,
];

/** Write the whole sheet as one hidden picture. */
export const sheet = (): string =>
  `<svg class="art" width="0" height="0" aria-hidden="true"><defs>${pattern}</defs>${symbols.map(written).join("")}</svg>`;

/** Put the sheet where the document asks for it, and the icon of the tab, which costs no request then. */
export function art(): Plugin {
  let icon = "";
  return {
    name: "bullpen-art",
    async buildStart() {
      icon = await this.fs.readFile("public/favicon.svg", { encoding: "utf8" });
    },
    transformIndexHtml: (html) =>
      html
        .replace("<!-- sheet -->", sheet())
        .replace("<!-- icon -->", `data:image/svg+xml,${encodeURIComponent(icon.trim())}`),
  };
}
