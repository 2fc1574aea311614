const LEAST_ROUNDS = 3;

/** Of fewer rounds nobody can say how fast somebody deals. */
export const saysPace = (rounds: number): boolean => rounds >= LEAST_ROUNDS;
