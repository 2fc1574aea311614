// What a person has chosen on this machine: keys, assist mode, the guide, the second language, sound.

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
}

const KEPT = "punto.preferences";
const FIRST: Preferences = { keys: true, assist: false, guide: true, second: null, hasSeenHowTo: false, sound: true };

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
