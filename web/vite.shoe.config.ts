// The file that checks a shoe anywhere: the same code as the page of a shoe, written out whole and readable in one HTML file.
// @ts-expect-error The types of Node are not among our packages.
import { readFileSync } from "node:fs";

import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const TEMPLATE = "src/audit/shoeFile.html";
const PROGRAM = "/* the program */";

function oneFile(): Plugin {
  return {
    name: "one-file",
    generateBundle(_, bundle) {
      const [program] = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? [part] : []));
      for (const name of Object.keys(bundle)) Reflect.deleteProperty(bundle, name);
      const source = String(readFileSync(TEMPLATE, "utf8")).replace(PROGRAM, () => program!.code.replaceAll("</script", "<\\/script"));
      this.emitFile({ type: "asset", fileName: "shoe-check.html", source });
    },
  };
}

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess(), compilerOptions: { css: "injected" } }), oneFile()],
  json: { namedExports: false },
  publicDir: false,
  build: {
    outDir: "../src/punto/server/pages",
    emptyOutDir: false, // the pages are there already
    target: "es2022",
    minify: false, // whoever keeps it can read it
    reportCompressedSize: false,
    rollupOptions: { input: "src/audit/shoeFile.ts", output: { format: "iife", name: "shoe" } },
  },
});
