"""Very many shuffles at once: ours, and bad ones that people have really written.

Cards are numbered as they lie in a new shoe, 0 to 415, so that more can be seen than in the faces alone. Each
shuffle is a column of an array, and all of them go through the same step together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

Words = npt.NDArray[np.uint16]
"""Random words: place in the stream × shuffle."""
Orders = npt.NDArray[np.int16]
"""Cards: place in the shoe × shuffle."""
Shuffle = Callable[[Words, int], Orders]

DECKS = 8
CARDS = 52 * DECKS
WORDS = 480
"""More than any shuffle of 416 cards throws away."""
END = 16
"""Cards at the end of a shoe that tell one shuffle from another: they are drawn first."""


# ── Seeds ────────────────────────────────────────────────────────────────────────────────────────


def honest(name: str, number: int) -> list[bytes]:
    """Seeds of 256 bits, the same in every run."""
    return [sha256(f"{name}/{i}".encode()).digest() for i in range(number)]


def short(name: str, number: int) -> list[bytes]:
    """Seeds that look like 256 bits and are made from 32."""
    return [sha256(seed[:4]).digest() for seed in honest(name, number)]


def reused(name: str, number: int) -> list[bytes]:
    """One seed of them all is used a second time."""
    seeds = honest(name, number)
    seeds[number // 2] = seeds[7]
    return seeds


def streams(seeds: Iterable[bytes], words: int = WORDS) -> Words:
    """The words that a shuffle draws from, from each seed."""
    blank = bytes(2 * words)
    ciphers = (Cipher(algorithms.ChaCha20(seed, bytes(16)), mode=None) for seed in seeds)
    stream = b"".join(cipher.encryptor().update(blank) for cipher in ciphers)
    return np.ascontiguousarray(np.frombuffer(stream, ">u2").reshape(-1, words).T.astype(np.uint16))


# ── Shuffles ─────────────────────────────────────────────────────────────────────────────────────


def ours(words: Words, cards: int = CARDS, steps: int | None = None) -> Orders:
    """Fisher and Yates by rejection, from the last place down, as `punto.cards.shuffle` does it."""
    draw, order = _Draw(words), _fresh(words, cards)
    for last in range(cards - 1, 0 if steps is None else cards - 1 - steps, -1):
        _swap(order, last, draw.below(last + 1))
    return order


def naive(words: Words, cards: int = CARDS) -> Orders:
    """Every place is exchanged with any place: n^n ways for n! orders."""
    draw, order = _Draw(words), _fresh(words, cards)
    for place in range(cards):
        _swap(order, place, draw.below(cards))
    return order


def sattolo(words: Words, cards: int = CARDS) -> Orders:
    """Off by one: no card can stay where it is, and only cycles come out."""
    draw, order = _Draw(words), _fresh(words, cards)
    for last in range(cards - 1, 0, -1):
        _swap(order, last, draw.below(last))
    return order


def modulo(words: Words, cards: int = CARDS) -> Orders:
    """No word is thrown away, so low numbers come up more often: by one word in 157 at most."""
    order = _fresh(words, cards)
    for step, last in enumerate(range(cards - 1, 0, -1)):
        _swap(order, last, (words[step] % np.uint16(last + 1)).astype(np.intp))
    return order


class _Draw:
    """Numbers without bias, for all shuffles at once; each goes through its own words."""

    def __init__(self, words: Words) -> None:
        self._words, self._at = words, np.zeros(words.shape[1], np.intp)
        self._columns = np.arange(words.shape[1])

    def below(self, n: int) -> npt.NDArray[np.intp]:
        drawn = self._words[self._at, self._columns].astype(np.intp)
        self._at += 1
        limit = 65536 - 65536 % n
        again = np.flatnonzero(drawn >= limit)
        while again.size:
            drawn[again] = self._words[self._at[again], again]
            self._at[again] += 1
            again = again[drawn[again] >= limit]
        return drawn % n


def _fresh(words: Words, cards: int) -> Orders:
    return np.repeat(np.arange(cards, dtype=np.int16)[:, None], words.shape[1], axis=1)


def _swap(order: Any, place: int, chosen: npt.NDArray[np.intp]) -> None:
    columns = np.arange(order.shape[1])
    kept = order[place].copy()
    order[place] = order[chosen, columns]
    order[chosen, columns] = kept


def draws_of(order: Orders) -> Orders:
    """The numbers that Fisher and Yates must have drawn to come to these orders: place × shuffle."""
    cards, shuffles = order.shape
    columns = np.arange(shuffles)
    lying = np.repeat(np.arange(cards, dtype=np.int16)[:, None], shuffles, axis=1)
    where, draws = lying.copy(), np.zeros_like(lying)
    for last in range(cards - 1, 0, -1):
        label = order[last]
        chosen = where[label, columns]
        draws[last] = chosen
        moved = lying[last].copy()
        lying[chosen, columns] = moved
        where[moved, columns] = chosen
    return draws
