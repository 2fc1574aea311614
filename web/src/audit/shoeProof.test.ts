import { describe, expect, it } from "vitest";

import vectors from "../../../docs/examples/shoe-vectors.json";
import log from "../../../docs/examples/checked-table.jsonl?raw";
import { boundText, bytesOf, hex, hmacSha256, keystream, orderOf, ownSha256, prove, sha256, shoesIn, shuffleKey, whyClosed, WrongRecord } from "./shoeProof";

describe("the published vectors", () => {
  it.each(vectors.orders)("$table/$shoe: from the seed to commitment, key, stream and order", async (vector) => {
    const bound = new TextEncoder().encode(boundText(vector));
    expect(hex(await sha256(bound))).toBe(vector.commitment);
    expect(hex(ownSha256(bound))).toBe(vector.commitment);
    const seed = bytesOf(vector.seed)!;
    const key = await shuffleKey(seed, vector.contributions.map((value) => bytesOf(value)!));
    expect(hex(key)).toBe(vector.key);
    const stream = keystream(key);
    expect(hex(Uint8Array.from({ length: 64 }, () => stream.next().value as number))).toBe(vector.stream);
    expect(orderOf(key, vector.decks).join(" ")).toBe(vector.order);
  });

  it.each(vectors.records)("$name", async ({ record, matches }) => {
    const closed = whyClosed(record);
    expect(closed === null ? (await prove(record)).ok : null).toBe(matches);
  });
});

describe("without WebCrypto", () => {
  it("digests are the same, whatever the length", async () => {
    for (const length of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255);
      const key = bytes.slice(0, 32);
      expect(hex(ownSha256(bytes))).toBe(hex(await sha256(bytes)));
      if (key.length) expect(hex(await hmacSha256(key, bytes, undefined))).toBe(hex(await hmacSha256(key, bytes)));
    }
  });
});

describe("what somebody has", () => {
  it("a log of a table holds its shoes, and a changed card is found", async () => {
    const shoes = shoesIn(log);
    expect(shoes.length).toBeGreaterThan(0);
    const shoe = shoes.find((one) => whyClosed(one) === null)!;
    const proof = await prove(shoe);
    expect([proof.ok, proof.cards.length > 4]).toEqual([true, true]);
    const { card } = shoe.dealt![3]!;
    const other = card === "AS" ? "KD" : "AS";
    const changed = { ...shoe, dealt: shoe.dealt!.map((one, i) => (i === 3 ? { ...one, card: other } : one)) };
    const found = await prove(changed);
    expect(found.ok).toBe(false);
    expect(found.cards.filter((one) => !one.fits)).toEqual([{ ...changed.dealt[3], due: card, fits: false }]);
  });

  it.each(["", "cards", "[1]", "{\"a\":1}", "{\"commitment\":\"\",\"table\":\"t\",\"decks\":100000}"])("%j is neither", (text) => {
    expect(() => shoesIn(text)).toThrow(WrongRecord);
  });
});
