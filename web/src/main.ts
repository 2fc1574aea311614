import { mount } from "svelte";

import App from "./App.svelte";
import "./look/theme.css";
import "./fonts/slices.css";
import { startTheme } from "./state/preferences.svelte";
import { startRouter } from "./state/router.svelte";
import { language, speak } from "./words/language.svelte";

void speak(language.code);
startTheme();
startRouter();

export default mount(App, { target: document.getElementById("app")! });
