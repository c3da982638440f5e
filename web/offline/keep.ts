/** Tells the worker which files make up the client, once they are built. */

import type { Plugin } from "vite";

/** What the worker's source says where the built one has its list and its version. */
const LIST = "__FILES";
const VERSION = "__VERSION";
const WORKER = "sw.js";
/** Files of `public/`, whose names carry no hash. */
const PUBLIC = ["/favicon.svg", "/manifest.webmanifest", "/icons/icon-192.png", "/icons/icon-512.png"];

/** A short name for a text; another text has another one. */
export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0)!)) * 0x100000001b3n);
  return hash.toString(36);
}

/** Write the list of files into the worker, as the last thing that is done. */
export function keep(): Plugin {
  return {
    name: "bullpen-keep",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const worker = bundle[WORKER];
        if (worker?.type !== "chunk") throw new Error(`${WORKER} was not built`);
        const names = Object.keys(bundle).filter((name) => name !== WORKER && !name.endsWith(".map"));
        const document = bundle["index.html"];
        const page = document?.type === "asset" ? String(document.source) : "";
        const files = [...names.sort().map((name) => `/${name}`), ...PUBLIC];
        worker.code = worker.code
          .replace(LIST, () => JSON.stringify(files))
          .replace(VERSION, () => JSON.stringify(fingerprint(page + files.join())));
      },
    },
  };
}
