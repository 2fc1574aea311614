"""Check a shoe from its published record alone: python check_shoe.py LOG SHOE

LOG is the log of a table as JSON Lines (punto table log ID), SHOE the number of the shoe. This script needs
nothing but Python 3.10 or newer. The steps are explained in docs/concepts/shuffle.md.
"""

import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path

IRREGULAR = {"case-opened", "evidence-added", "evidence-withdrawn", "cards-reconstructed"}


def keystream(key):
    """Step 4: ChaCha20 (RFC 7539) of zeros, with a 64-bit block counter from 0 and a nonce of zeros."""
    first = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key)]
    block = 0
    while True:
        start = [*first, block & 0xFFFFFFFF, block >> 32, 0, 0]
        words = list(start)
        for turn in range(20):  # columns and diagonals in turn
            for i in range(4):
                a, b, c, d = (4 * row + (i + row * (turn % 2)) % 4 for row in range(4))
                for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    words[x] = (words[x] + words[y]) & 0xFFFFFFFF
                    mixed = words[z] ^ words[x]
                    words[z] = (mixed << by | mixed >> (32 - by)) & 0xFFFFFFFF
        yield from struct.pack("<16I", *((w + s) & 0xFFFFFFFF for w, s in zip(words, start, strict=True)))
        block += 1


def order_of(key, decks):
    """Step 5: the cards of a new deck, each as often as there are decks, shuffled by Fisher and Yates."""
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    order = [rank + suit for suit in "SHDC" for rank in ranks for _ in range(decks)]
    stream = keystream(key)
    for last in range(len(order) - 1, 0, -1):
        while True:
            word = next(stream) << 8 | next(stream)
            if word < 65536 - 65536 % (last + 1):  # else some places would come up more often
                break
        chosen = word % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def main(log, shoe):
    records = [json.loads(line) for line in Path(log).read_bytes().splitlines()]
    loaded = opened = table = None
    pledges, dealt, place, compares, current = {}, [], 0, True, 0
    for record in records:
        event = record.get("event", {})
        kind = event.get("type")
        current = event["number"] if kind == "shoe-loaded" else current
        if kind == "shoe-loaded" and current == shoe:
            loaded, table = event, record["table"]
        elif kind == "seed-opened" and event["shoe"] == shoe:
            opened = event
        elif current != shoe:
            continue
        elif kind == "bytes-pledged":
            pledges[event["player"]] = [event["digest"], None]
        elif kind == "bytes-opened":
            pledges[event["player"]][1] = bytes.fromhex(event["value"])
        elif kind in IRREGULAR:
            compares = False  # what an error does to places is for punto audit shoe to follow
        elif compares and kind == "cards-burned":
            dealt.append((place, event.get("shown")))
            place += event["count"]
        elif compares and kind == "card-dealt" and not event.get("carried"):
            dealt.append((place, event.get("card")))
            place += 1
    if loaded is None or not loaded.get("commitment") or opened is None:
        sys.exit(f"shoe {shoe} was not promised, or its seed is not opened yet")
    # Step 1: the commitment binds the house to this seed for this shoe of this table.
    bound = {key: value for key, value in loaded.items() if key in ("decks", "algorithm")}
    bound.update(seed=opened["seed"], shoe=shoe, table=table)
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    good = hashlib.sha256(text.encode()).hexdigest() == loaded["commitment"]
    print("commitment:", "fits the seed" if good else "DOES NOT FIT THE SEED")
    # Step 2: players' bytes fit their pledges. Step 3: they are mixed into the key, in the order of pledges.
    added = [(digest, value) for digest, value in pledges.values() if value is not None]
    fits = all(hashlib.sha256(value).hexdigest() == digest for digest, value in added)
    print(f"contributions: {len(added)} of {len(pledges)}", "fit their pledges" if fits else "DO NOT FIT")
    mixed = b"".join(len(value).to_bytes(2, "big") + value for _, value in added)
    seed = bytes.fromhex(opened["seed"])
    order = order_of(hmac.new(seed, mixed, "sha256").digest() if added else seed, loaded["decks"])
    # Step 6: every card that was dealt is the one at its place.
    wrong = [place + 1 for place, card in dealt if card is not None and order[place] != card]
    print(f"cards: {len(dealt)} compared,", f"WRONG at {wrong}" if wrong else "all in their places")
    print("order:", " ".join(order))
    sys.exit(0 if good and fits and not wrong else 1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else sys.exit("write: check_shoe.py LOG SHOE")
