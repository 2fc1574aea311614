"""Write docs/examples/shoe-vectors.json: seeds, and the commitments, keys and orders that follow from them.

Usage: .venv/bin/python tools/shoe_vectors.py [--check]

Whoever writes a program that checks a shoe can try it on these; so do the tests of Punto itself, in Python and in the
pages. --check says whether the file in the repository is the one that this version gives.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from punto.audit.shuffle import (
    CHACHA20,
    WHOLE_SHOE,
    PlacedCard,
    ShoeRecord,
    check_shoe,
    commitment_of,
    order_of,
    random_bytes,
    shuffle_key,
)
from punto.cards.card import DECK
from punto.table.state import Pledge

FILE = Path(__file__).parents[1] / "docs/examples/shoe-vectors.json"
ABOUT = (
    "Test vectors for checking a shoe; the steps are those of docs/concepts/shuffle.md. "
    "`orders` go from a seed to an order, `records` are what is published of a shoe, with what a check of it must find."
)
SHUFFLES: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("main-1", 1, 8, ()),
    ("main-1", 2, 8, ("00ff10", "d2", "ab" * 32)),
    ("t12", 47, 6, ("",)),
    ("t12", 48, 4, ("01", "0100")),
    ("one", 1, 1, ()),
)
STREAMED = 64  # Bytes of the keystream that are shown.


def vectors() -> dict[str, Any]:
    """The whole file."""
    return {"about": ABOUT, "orders": [_order(*shuffle) for shuffle in SHUFFLES], "records": list(_records())}


def _seed(table: str, shoe: int) -> bytes:
    return sha256(f"a seed for {table}/{shoe}, in public".encode()).digest()


def _order(table: str, shoe: int, decks: int, added: tuple[str, ...]) -> dict[str, Any]:
    seed, contributions = _seed(table, shoe), [bytes.fromhex(value) for value in added]
    key = shuffle_key(seed, contributions)
    return {
        **{"table": table, "shoe": shoe, "decks": decks, "algorithm": CHACHA20, "seed": seed.hex()},
        "contributions": added,
        "commitment": commitment_of(table, shoe, decks, CHACHA20, seed),
        "key": key.hex(),
        "stream": bytes(islice(random_bytes(CHACHA20, key, WHOLE_SHOE, 0), STREAMED)).hex(),
        "order": " ".join(map(str, order_of(CHACHA20, seed, decks, contributions))),
    }


def _records() -> Any:
    table, shoe, decks, added = SHUFFLES[1]
    seed = _seed(table, shoe)
    order = order_of(CHACHA20, seed, decks, [bytes.fromhex(value) for value in added])
    players = ("Lee", "Kim", "Max")
    good = ShoeRecord(
        table=table,
        shoe=shoe,
        decks=decks,
        commitment=commitment_of(table, shoe, decks, CHACHA20, seed),
        seed=seed.hex(),
        algorithm=CHACHA20,
        contributions=added,
        pledges=(
            *(
                Pledge(who, sha256(bytes.fromhex(hex)).hexdigest(), hex)
                for who, hex in zip(players, added, strict=True)
            ),
            Pledge("Ann", sha256(b"kept back").hexdigest()),
        ),
        dealt=(PlacedCard(1, order[0], 0), *(PlacedCard(n, order[n - 1], 1 + n // 16) for n in range(12, 72))),
    )
    changed, replace = good.dealt, msgspec.structs.replace
    other = next(card for card in DECK if card is not changed[20].card)
    wrong_card = (*changed[:20], replace(changed[20], card=other), *changed[21:])
    wrong_bytes = (replace(good.pledges[0], opened="00ff11"), *good.pledges[1:])
    cases = {
        "good": good,
        "another card": replace(good, dealt=wrong_card),
        "another seed": replace(good, seed=_seed("t12", 1).hex()),
        "another table": replace(good, table="main-2"),
        "other bytes": replace(good, pledges=wrong_bytes),
        "bytes left out": replace(good, contributions=added[:2]),
        "a place that is not there": replace(good, dealt=(*changed, PlacedCard(417, order[0], 9))),
        "a seed that is too short": replace(good, seed="abcd"),
        "a way of later versions": replace(good, algorithm="chacha20-fisher-yates-2"),
        "not opened": replace(good, seed=None),
        "not promised": replace(good, commitment="", seed=None),
    }
    for name, record in cases.items():
        checked = check_shoe(record)
        yield {"name": name, "record": msgspec.to_builtins(record), "matches": checked.matches}


def main() -> int:
    text = json.dumps(vectors(), indent=1) + "\n"
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        print("docs/examples/shoe-vectors.json is out of date; type: .venv/bin/python tools/shoe_vectors.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
