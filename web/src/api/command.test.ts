import { describe, expect, it } from "vitest";

import { Asking } from "./command";

describe("what is asked for until an answer comes", () => {
  it("keeps its key while nobody has answered", () => {
    const asking = new Asking();
    const first = asking.keyed("/cashier/correct", { amount: 500 });
    expect(asking.keyed("/cashier/correct", { amount: 500 })).toEqual(first);
    expect(first).toMatchObject({ amount: 500 });
    asking.answered();
    expect(asking.keyed("/cashier/correct", { amount: 500 }).key).not.toBe(first.key);
  });

  it("is another thing where something else is asked, or elsewhere", () => {
    const asking = new Asking();
    const keys = [asking.keyed("/tables/t1/rack", { kind: "fill" }), asking.keyed("/tables/t1/rack", { kind: "credit" }), asking.keyed("/tables/t2/rack", { kind: "credit" })].map((one) => one.key);
    expect(new Set(keys).size).toBe(3);
  });
});
