// Which chips a table shows, and how an amount is stacked from them. Values are minor units, like all money.

/** Chips of every house: one, two and a half, five, then the same again ten times over. */
const STEPS = [1, 2.5, 5] as const;

const COLOURS = ["#E8E3D5", "#C9463D", "#3A6FC4", "#2E8C63", "#2B2F33", "#7A4FA3", "#C77B2B", "#B0406F", "#2A8C99"] as const;

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

/** The six chips offered at a table: the first is enough for the minimum bet. */
export function chipsOf(smallest: number, minimum: number, count = 6): ChipValue[] {
  const all = values(smallest);
  const enough = all.findIndex((value) => value >= minimum);
  const from = Math.max(0, enough === -1 ? all.length - count : enough);
  return all.slice(from, from + count).map(chip);
}

/** An amount as a stack, large chips at the bottom; what no chip can make is left to the smallest. */
export function stackOf(amount: number, smallest: number, most = 5): ChipValue[] {
  const stack: ChipValue[] = [];
  let left = amount;
  for (const value of values(smallest).reverse()) {
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
