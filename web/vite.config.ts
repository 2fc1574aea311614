// The pages are built into the Python package, so that the wheel carries them and the server shows them.
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Writes down whose code the scripts contain, for the bill of materials of the wheel. */
function bundled(): Plugin {
  return {
    name: "punto-bundled",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
      const names = modules.flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
      this.emitFile({ type: "asset", fileName: ".bundled.json", source: JSON.stringify([...new Set(names)].sort()) });
    },
  };
}

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() }), bundled()],
  json: { namedExports: false }, // words are read as whole files
  build: {
    outDir: "../src/punto/server/pages",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // our pages forbid data: addresses for scripts and fonts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["src/**/*.test.ts"], css: { include: [/(slices|house)\.css/] } }, // the test of the fonts reads its ranges
});
