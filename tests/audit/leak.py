"""Looking for a shoe's secrets in whatever a house gives out: its seed, and cards that are not dealt yet.

Secrets are looked for in every form in which a program might let them slip: bytes and numbers in several
spellings, cards in every notation, forwards and backwards.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from punto.audit.shuffle import CHACHA20, WHOLE_SHOE, random_bytes, shuffle_key
from punto.cards.card import DECK, Card

WINDOW = 7
"""Cards in a row that are no accident: among a million cards once in two thousand searches."""
_BY_SYMBOL = {card.symbol: card for card in DECK} | {card.value: card for card in DECK}
_BY_NAME = {card.name: card for card in DECK}
_CARD = re.compile(r"(?<![0-9A-Za-z])(?:10|[2-9AJQK])[SHDC♠♥♦♣](?![0-9A-Za-z])")
_NAME = re.compile(r"(?<![0-9A-Za-z])[SHDC](?:10|[2-9AJQK])(?![0-9A-Za-z])")
_NUMBER = re.compile(r"(?<![0-9A-Za-z.])[0-9]{1,2}(?![0-9A-Za-z.])")


def leaks(content: bytes, secret: bytes, undealt: Sequence[Card], added: Sequence[bytes] = ()) -> list[str]:
    """What of the seed, and of the cards that are not dealt, can be found in something that was given out."""
    key = shuffle_key(secret, added)
    stream = random_bytes(CHACHA20, key, WHOLE_SHOE, 0)
    values = {"seed": secret, "key": key, "stream": bytes(next(stream) for _ in range(32))}
    found = [
        f"the {what} as {form}"
        for what, value in values.items()
        for form, spelled in _spellings(value)
        if spelled in content
    ]
    windows = {tuple(undealt[start : start + WINDOW]) for start in range(len(undealt) - WINDOW + 1)}
    windows |= {window[::-1] for window in windows}
    for cards in (undealt, undealt[::-1]):
        # Twice as many cards in a row hold one of these.
        pieces = (cards[start : start + WINDOW] for start in range(0, len(cards) - WINDOW + 1, WINDOW))
        if any(bytes(card.index for card in piece) in content for piece in pieces):
            found.append("cards as bytes")
    text = content.decode("utf-8", "replace")
    for what, cards in _cards_in(text):
        rows = zip(*(cards[start:] for start in range(WINDOW)), strict=False)
        if any(row in windows for row in rows):
            found.append(f"cards as {what}")
    return found


def _spellings(value: bytes) -> Iterator[tuple[str, bytes]]:
    yield "bytes", value
    yield "hexadecimal digits", value.hex().encode()
    yield "capital digits", value.hex().upper().encode()
    yield "a text of bytes", repr(value)[2:-1].encode()
    for shift in range(3):  # wherever it begins in what was encoded
        inside = base64.b64encode(bytes(shift) + value)[4:-4]
        yield "base64", inside
        yield "base64", inside.translate(bytes.maketrans(b"+/", b"-_"))
    for order in ("big", "little"):
        yield "a number", str(int.from_bytes(value, order)).encode()
    for between in (", ", ","):
        yield "a list", between.join(map(str, value)).encode()


def _cards_in(text: str) -> Iterator[tuple[str, list[Card]]]:
    yield "cards", [_BY_SYMBOL[found] for found in _CARD.findall(text)]
    yield "names", [_BY_NAME[found] for found in _NAME.findall(text)]
    yield "numbers", [DECK[int(found) % 52] for found in _NUMBER.findall(text)]
