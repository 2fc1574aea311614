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

const target = document.getElementById("app")!;
target.replaceChildren(); // the name, which says over a slow network that something is on its way
export default mount(App, { target });
