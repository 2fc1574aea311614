// The beginning of the file that anybody can keep.

import { mount } from "svelte";

import ShoeFile from "./ShoeFile.svelte";

const place = document.getElementById("app")!;
place.replaceChildren();
const given = document.getElementById("record")?.textContent ?? "";
export default mount(ShoeFile, { target: place, props: { given, code: document.documentElement.lang || "en" } });
