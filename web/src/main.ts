import { mount } from "svelte";

import App from "./App.svelte";
import "./look/theme.css";
import "./fonts/slices.css";
import { startRouter } from "./state/router.svelte";
import { language, speak } from "./words/language.svelte";

speak(language.code);
startRouter();

export default mount(App, { target: document.getElementById("app")! });
