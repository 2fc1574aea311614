// Packs every script and style of the build once and well, so that the server has only to send it.
// Each such file is in the wheel a second time, so what gains almost nothing over the server's own gzip is left to that, and
// so is the page that people keep: hardly anybody fetches it, and it is the largest file of all.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const PAGES = new URL("../../src/punto/server/pages/", import.meta.url);
const LEAST_GAIN = 400; // bytes

for (const name of readdirSync(PAGES, { recursive: true })) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const text = readFileSync(new URL(name, PAGES));
  const packed = brotliCompressSync(text); // tightest by itself
  if (gzipSync(text).length - packed.length >= LEAST_GAIN) writeFileSync(new URL(`${name}.br`, PAGES), packed);
}
