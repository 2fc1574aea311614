// Whether a shoe was dealt as it was promised, computed here from what was published of it: the steps of
// docs/concepts/shuffle.md. Nothing is asked for, so the same code is the page of a shoe and a file that anybody keeps.

export interface PledgeOfShoe {
  readonly player: string;
  readonly digest: string;
  /** The bytes in hexadecimal digits, if they were opened. */
  readonly opened?: string | null;
}

export interface DealtCard {
  /** In the shoe, from 1 on. */
  readonly place: number;
  readonly card: string;
  readonly round: number;
}

/** What was published of a shoe, as `punto audit shoe --json` prints it. */
export interface ShoeOnRecord {
  readonly table: string;
  readonly shoe: number;
  readonly decks: number;
  readonly source?: string;
  /** Empty where nothing was promised. */
  readonly commitment: string;
  /** None as long as it is not opened. */
  readonly seed: string | null;
  readonly algorithm: string;
  readonly contributions?: readonly string[];
  readonly pledges?: readonly PledgeOfShoe[];
  readonly dealt?: readonly DealtCard[];
  /** Cards after an irregularity are not in `dealt`: a log alone does not say where they lay. */
  readonly stopped?: boolean;
}

export interface CheckedPledge extends PledgeOfShoe {
  /** The digest of the bytes that were opened; none where they were not. */
  readonly computed: string | null;
  readonly fits: boolean;
}

export interface CheckedCard extends DealtCard {
  /** The card that the order has there; none where the shoe has no such place. */
  readonly due: string | null;
  readonly fits: boolean;
}

export interface Proof {
  /** Whether everything fits. */
  readonly ok: boolean;
  readonly isSeed: boolean;
  readonly isKnown: boolean;
  /** The text whose digest is the commitment. */
  readonly bound: string;
  readonly commitment: string;
  readonly fitsCommitment: boolean;
  readonly pledges: readonly CheckedPledge[];
  /** Whether the bytes that were told with the seed are those that players opened. */
  readonly fitsContributions: boolean;
  readonly key: string;
  readonly stream: string;
  readonly order: readonly string[];
  readonly cards: readonly CheckedCard[];
}

/** Why a shoe cannot be checked. */
export type Closed = "not-promised" | "not-opened";

export const ALGORITHM = "chacha20-fisher-yates-1";
const SEED_BYTES = 32;
const MOST_DECKS = 1_000;

export function whyClosed(shoe: ShoeOnRecord): Closed | null {
  return !shoe.commitment ? "not-promised" : shoe.seed === null ? "not-opened" : null;
}

/** Check a shoe whose seed is opened. */
export async function prove(shoe: ShoeOnRecord): Promise<Proof> {
  const secret = bytesOf(shoe.seed ?? "");
  const isSeed = secret?.length === SEED_BYTES;
  const isKnown = shoe.algorithm === ALGORITHM;
  // Step 1: the house was bound to this seed, for this shoe of this table.
  const bound = boundText(shoe);
  const commitment = isSeed ? hex(await sha256(utf8(bound))) : "";
  const fitsCommitment = isSeed && commitment === shoe.commitment;
  // Step 2: the bytes of players are those that they pledged.
  const pledges = await Promise.all((shoe.pledges ?? []).map(checkedPledge));
  const opened = pledges.flatMap((pledge) => (typeof pledge.opened === "string" ? [pledge.opened] : []));
  const told = shoe.contributions ?? [];
  const fitsContributions = told.join() === opened.join();
  // Steps 3 to 5: from seed and bytes to the order.
  const key = isSeed ? await shuffleKey(secret, told.map((value) => bytesOf(value) ?? new Uint8Array())) : new Uint8Array();
  const order = isSeed && isKnown ? orderOf(key, shoe.decks) : [];
  // Step 6: every card that was dealt is the one at its place.
  const cards = (order.length ? (shoe.dealt ?? []) : []).map((one) => ({ ...one, due: order[one.place - 1] ?? null, fits: order[one.place - 1] === one.card }));
  const ok = isSeed && isKnown && fitsCommitment && pledges.every((pledge) => pledge.fits) && fitsContributions && cards.every((one) => one.fits);
  return { ok, isSeed, isKnown, bound, commitment, fitsCommitment, pledges, fitsContributions, key: hex(key), stream: order.length ? hex(take(keystream(key), 16)) : "", order, cards };
}

/** The JSON object whose digest is the commitment: sorted keys, no blanks. */
export function boundText({ algorithm, decks, seed, shoe, table }: ShoeOnRecord): string {
  return JSON.stringify({ algorithm, decks, seed: (seed ?? "").toLowerCase(), shoe, table });
}

async function checkedPledge(pledge: PledgeOfShoe): Promise<CheckedPledge> {
  const isOpened = typeof pledge.opened === "string";
  const bytes = isOpened ? bytesOf(pledge.opened!) : null;
  const computed = bytes && hex(await sha256(bytes));
  return { ...pledge, computed, fits: !isOpened || computed === pledge.digest };
}

/** The key of the keystream: the seed, or an HMAC with the seed over the bytes of players, each behind its length. */
export async function shuffleKey(seed: Uint8Array, added: readonly Uint8Array[]): Promise<Uint8Array> {
  if (!added.length) return seed;
  return hmacSha256(seed, joined(added.flatMap((value) => [Uint8Array.of(value.length >> 8, value.length & 255), value])));
}

/** ChaCha20 of zeros under a key: a block counter of 64 bits from 0 on, a nonce of 8 zero bytes. */
export function* keystream(key: Uint8Array): Generator<number> {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const start = new Uint32Array(16);
  start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  for (let i = 0; i < 8; i++) start[4 + i] = words.getUint32(4 * i, true);
  for (let block = 0; ; block++) {
    start[12] = block % 2 ** 32;
    start[13] = Math.floor(block / 2 ** 32);
    const state = start.slice();
    for (let turn = 0; turn < 20; turn++) {
      // Columns and diagonals in turn.
      for (let i = 0; i < 4; i++) {
        const [a, b, c, d] = [0, 1, 2, 3].map((row) => 4 * row + ((i + row * (turn % 2)) % 4)) as [number, number, number, number];
        for (const [x, y, z, by] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]] as const) {
          state[x] = state[x]! + state[y]!;
          const mixed = state[z]! ^ state[x]!;
          state[z] = (mixed << by) | (mixed >>> (32 - by));
        }
      }
    }
    for (let i = 0; i < 16; i++) {
      const word = (state[i]! + start[i]!) >>> 0;
      yield word & 255;
      yield (word >>> 8) & 255;
      yield (word >>> 16) & 255;
      yield word >>> 24;
    }
  }
}

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** The cards of a new deck, each as often as there are decks, exchanged as Fisher and Yates do it, without bias. */
export function orderOf(key: Uint8Array, decks: number): string[] {
  const order = [..."SHDC"].flatMap((suit) => RANKS.flatMap((rank) => Array<string>(decks).fill(rank + suit)));
  const stream = keystream(key);
  const next = () => stream.next().value as number;
  for (let last = order.length - 1; last > 0; last--) {
    let word: number;
    do word = (next() << 8) | next();
    while (word >= 65536 - (65536 % (last + 1))); // else some places would come up more often
    const chosen = word % (last + 1);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

// ── Reading what somebody has ────────────────────────────────────────────────────────────────────

export class WrongRecord extends Error {}

/** The shoes in a text: the record of one, as `punto audit shoe --json` prints it, or a log of a table, line by line. */
export function shoesIn(text: string): ShoeOnRecord[] {
  const whole = parsed(text);
  if (isShoe(whole)) return [withPledges(whole)];
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean).map(parsed) as (Logged | null)[];
  const records = lines.filter((line): line is Logged => typeof line?.event?.type === "string");
  if (!records.length) throw new WrongRecord("neither a record of a shoe nor a log");
  return shoesOfLog(records);
}

interface Logged {
  table: string;
  event: { type: string } & Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isShoe(value: unknown): value is ShoeOnRecord {
  const shoe = value as Partial<ShoeOnRecord> | null;
  return typeof shoe === "object" && shoe !== null && typeof shoe.commitment === "string" && typeof shoe.table === "string" && Number.isInteger(shoe.decks) && shoe.decks! >= 1 && shoe.decks! <= MOST_DECKS;
}

/** Where only what was mixed in is told, whether it was pledged cannot be asked. */
function withPledges(shoe: ShoeOnRecord): ShoeOnRecord {
  return shoe.pledges ? shoe : { ...shoe, pledges: [], contributions: shoe.contributions ?? [] };
}

/** What happens to cards then, the log alone does not say; the server follows it. */
const IRREGULAR = new Set(["case-opened", "evidence-added", "evidence-withdrawn", "cards-reconstructed"]);

interface Gathered {
  record: ShoeOnRecord;
  pledges: Map<string, { player: string; digest: string; opened: string | null }>;
  dealt: DealtCard[];
  left: number;
  stopped: boolean;
}

function shoesOfLog(records: readonly Logged[]): ShoeOnRecord[] {
  const shoes = new Map<number, Gathered>();
  let current: Gathered | undefined;
  let round = 0;
  for (const { table, event } of records) {
    if (event.type === "shoe-loaded") {
      const shoe = Number(event.number);
      const record = { table, shoe, decks: Number(event.decks), commitment: String(event.commitment ?? ""), seed: null, algorithm: String(event.algorithm ?? "") };
      current = { record, pledges: new Map(), dealt: [], left: 0, stopped: false };
      shoes.set(shoe, current);
    } else if (event.type === "seed-opened") {
      const found = shoes.get(Number(event.shoe));
      if (found) found.record = { ...found.record, seed: String(event.seed), contributions: (event.contributions as string[] | undefined) ?? [] };
    } else if (event.type === "bets-called") round = Number(event.round);
    else if (current) gather(current, event, round);
  }
  return [...shoes.values()].map(({ record, pledges, dealt, stopped }) => ({ ...record, pledges: [...pledges.values()], dealt, stopped }));
}

function gather(shoe: Gathered, event: Logged["event"], round: number): void {
  const player = String(event.player);
  if (event.type === "bytes-pledged") shoe.pledges.set(player, { player, digest: String(event.digest), opened: null });
  else if (event.type === "bytes-opened") shoe.pledges.get(player)!.opened = String(event.value);
  else if (IRREGULAR.has(event.type)) shoe.stopped = true;
  else if (shoe.stopped) return;
  else if (event.type === "cards-burned") {
    if (event.shown) shoe.dealt.push({ place: shoe.left + 1, card: String(event.shown), round });
    shoe.left += Number(event.count);
  } else if (event.type === "card-dealt" && !event.carried) {
    shoe.left += 1;
    if (event.card) shoe.dealt.push({ place: shoe.left, card: String(event.card), round });
  }
}

// ── Bytes and digests ────────────────────────────────────────────────────────────────────────────

/** Bytes from hexadecimal digits; none where it is something else. */
export function bytesOf(digits: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function take(stream: Generator<number>, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => stream.next().value as number);
}

/** WebCrypto; browsers lend it to pages over HTTPS, on this machine and from a file only. */
function webCrypto(): SubtleCrypto | undefined {
  return globalThis.crypto?.subtle;
}

export function hasWebCrypto(): boolean {
  return webCrypto() !== undefined;
}

export async function sha256(bytes: Uint8Array, subtle: SubtleCrypto | undefined = webCrypto()): Promise<Uint8Array> {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes as BufferSource)) : ownSha256(bytes);
}

export async function hmacSha256(key: Uint8Array, bytes: Uint8Array, subtle: SubtleCrypto | undefined = webCrypto()): Promise<Uint8Array> {
  if (subtle) {
    const kept = await subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await subtle.sign("HMAC", kept, bytes as BufferSource));
  }
  const padded = (by: number) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ by);
  return ownSha256(joined([padded(0x5c), ownSha256(joined([padded(0x36), bytes]))]));
}

/** The first 32 bits of what lies behind the point of the roots of the first primes: square roots begin, cube roots mix. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && Array.from({ length: Math.floor(Math.sqrt(n)) }, (_, i) => i + 1).every((d) => d === 1 || n % d));
const ROUND_WORDS = Uint32Array.from(PRIMES, (prime) => fraction(prime, 3));
const FIRST_WORDS = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(prime, 2));

/** The first 32 bits behind the point of a root, exactly: in whole numbers. */
function fraction(prime: number, root: 2 | 3): number {
  const wanted = BigInt(prime) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/** SHA-256 by itself, for a page that a browser lends no WebCrypto. */
export function ownSha256(bytes: Uint8Array): Uint8Array {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, (bytes.length << 3) >>> 0);
  const digest = FIRST_WORDS.slice();
  const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));
  const words = new Uint32Array(64);
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        words[i] = view.getUint32(at + 4 * i);
        continue;
      }
      const [early, late] = [words[i - 15]!, words[i - 2]!];
      words[i] = words[i - 16]! + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) + words[i - 7]! + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = digest as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_WORDS[i]! + words[i]!) >>> 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (digest[i] = digest[i]! + word));
  }
  const found = new DataView(new ArrayBuffer(32));
  digest.forEach((word, i) => found.setUint32(4 * i, word));
  return new Uint8Array(found.buffer);
}
