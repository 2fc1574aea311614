// What a person has chosen on this machine: keys, assist mode, the guide, the second language, sound, light or dark.

export const THEMES = ["system", "dark", "light"] as const;
export type Theme = (typeof THEMES)[number];

/** How tables of the pit's wall may be ordered. */
export const WALL_ORDERS = ["name", "alerts", "handle", "win", "largest"] as const;
export type WallOrder = (typeof WALL_ORDERS)[number];

interface Preferences {
  /** Keys of the table: 1–6, P, B, T and so on. */
  keys: boolean;
  /** Marks of the roads differ in thickness too. */
  assist: boolean;
  /** The round is explained in place. */
  guide: boolean;
  /** The second language of the felt by its code, "none", or null for the usual one. */
  second: string | null;
  /** How to play has been shown, or was not wanted. */
  hasSeenHowTo: boolean;
  /** Tables are heard, and felt where a machine can shake. */
  sound: boolean;
  /** Dark, light, or as the machine has it. */
  theme: Theme;
  /** The wall of the pit: a line for each table or a tile; null where their number decides. */
  wall: "list" | "tiles" | null;
  wallOrder: WallOrder;
}

const KEPT = "punto.preferences";
const FIRST: Preferences = { keys: true, assist: false, guide: true, second: null, hasSeenHowTo: false, sound: true, theme: "dark", wall: null, wallOrder: "name" };

function kept(): Preferences {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Preferences>) };
  } catch {
    return FIRST;
  }
}

export const preferences = $state<Preferences>(kept());

export function prefer(change: Partial<Preferences>): void {
  Object.assign(preferences, change);
  try {
    localStorage.setItem(KEPT, JSON.stringify(preferences));
  } catch {
    // Not kept; it holds until the page is closed.
  }
}

const GROUNDS = { dark: "#0C1412", light: "#EEF0EA" };

/** Shows the pages as they are chosen to be, from now on: also when the machine changes from day to night. */
export function startTheme(): void {
  const day = matchMedia("(prefers-color-scheme: light)");
  $effect.root(() => {
    let isDay = $state(day.matches);
    day.addEventListener("change", () => (isDay = day.matches));
    $effect(() => {
      const shown = preferences.theme === "light" || (preferences.theme === "system" && isDay) ? "light" : "dark";
      document.documentElement.dataset["theme"] = shown;
      document.querySelector("meta[name=theme-color]")?.setAttribute("content", GROUNDS[shown]);
      document.querySelector("meta[name=color-scheme]")?.setAttribute("content", shown);
    });
  });
}
