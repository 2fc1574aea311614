// Who works at tables: the roles of a floor by rank.

import type { Role } from "./schema";

/** Rank at the table, the lowest first. */
export const LADDER: readonly Role[] = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"];
/** Those of them who look after several tables. */
export const PIT: readonly Role[] = LADDER.slice(1);

/** Who may look at any table without playing there. */
export const WATCHERS: readonly Role[] = ["auditor", ...LADDER];

/** The highest role of the pit among these; null where there is none. */
export function pitRole(roles: readonly Role[]): Role | null {
  return PIT.findLast((role) => roles.includes(role)) ?? null;
}

/** Every role that a person can have. */
export const PEOPLE_ROLES: readonly Role[] = ["player", ...LADDER, "cashier", "auditor", "administrator"];
