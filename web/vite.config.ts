import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { art } from "./art/sheet.ts";
import { keep } from "./offline/keep.ts";

// Where `bullpen serve` listens while the client is worked on with `npm run dev`.
const SERVER = "http://127.0.0.1:8266";

export default defineConfig({
  plugins: [art(), svelte(), keep()],
  build: {
    outDir: "../src/bullpen/server/static",
    emptyOutDir: true,
    target: "es2022",
    // An inlined file would be a data: URL, which the Content-Security-Policy need not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sw: "src/worker.ts" },
      output: {
        // The worker's address must not change, for it is how a browser finds the next one.
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          groups: [
            // Two clicks lead from an empty cache to a card in hand, so home and the table come as one file.
            { name: "table", tags: ["$initial"], test: (id) => !id.endsWith("/worker.ts") },
          ],
        },
      },
      checks: { pluginTimings: false },
    },
  },
  server: {
    proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } },
  },
});
