// The pages are built into the Python package, so that the wheel carries them and the server shows them.
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() })],
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
  test: { include: ["src/**/*.test.ts"], css: { include: [/slices\.css/] } }, // the test of the fonts reads its ranges
});
