// Which chips a table shows, and how an amount is stacked from them. Values are minor units, like all money.

/** Chips of every house: one, two and a half, five, then the same again ten times over. */
const STEPS = [1, 2.5, 5] as const;

const COLOURS = [
  "#E8E3D5", "#C9463D", "#3A6FC4", "#2E8C63", "#2B2F33", "#7A4FA3", "#C77B2B", "#B0406F", "#2A8C99", "#8A6A3B", "#5B6FD8", "#6B7A2E",
] as const;

export interface ChipValue {
  value: number;
  colour: string;
  /** Notches round the rim: another sign of the value beside its colour. */
  notches: number;
}

/** Every chip value that is a whole number of the table's smallest chip, from small to large. */
function values(smallest: number): number[] {
  const all: number[] = [];
  for (let power = 1; power <= 1e12; power *= 10) {
    for (const step of STEPS) {
      const value = step * power;
      if (Number.isInteger(value) && value >= smallest && value % smallest === 0) all.push(value);
    }
  }
  return all.length ? all : [smallest];
}

/** A chip of 25, 250 and so on: the first to go where there is no room for all. */
export function isQuarter(value: number): boolean {
  return stepOf(value) === 2.5;
}

function stepOf(value: number): number {
  return value / 10 ** Math.floor(Math.log10(value) + 1e-9);
}

/** The chips of a table's tray: from one that is enough for the minimum bet up to the limit, where there is one. */
export function chipsOf(smallest: number, minimum: number, maximum: number | null = null, most = 10): ChipValue[] {
  const enough = values(smallest).filter((value) => value >= minimum);
  let found = maximum === null ? enough.slice(0, 8) : enough.filter((value, i) => i === 0 || value <= maximum);
  for (const step of [2.5, 5]) {
    if (found.length > most) found = found.filter((value, i) => i === 0 || stepOf(value) !== step);
  }
  return [...found.slice(0, most - 1), ...found.slice(most - 1).slice(-1)].map(chip);
}

/** An amount as a stack, large chips at the bottom, in chips of the tray; what they cannot make is left to smaller ones. */
export function stackOf(amount: number, tray: readonly ChipValue[], smallest: number, most = 5): ChipValue[] {
  const least = tray[0]?.value ?? Infinity;
  const known = [...values(smallest).filter((value) => value < least), ...tray.map((one) => one.value)];
  const stack: ChipValue[] = [];
  let left = amount;
  for (const value of known.reverse()) {
    while (left >= value && stack.length < most) {
      stack.push(chip(value));
      left -= value;
    }
  }
  return stack;
}

export function chip(value: number): ChipValue {
  let power = 1;
  let rank = 0;
  while (power * 10 <= value) {
    power *= 10;
    rank++;
  }
  const place = rank * STEPS.length + STEPS.filter((step) => step * power <= value).length - 1;
  return { value, colour: COLOURS[place % COLOURS.length]!, notches: 4 + (place % 5) };
}
