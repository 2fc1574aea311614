"""How an answer may be written: one of several words, the winnings, or an offer of insurance.

Reading an answer gives one exact form, and the answer is right if the right one has the same. What cannot be
read is neither right nor wrong: the question is asked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from punto.money import format_amount, format_money, parse_amount
from punto.rules.outcome import format_odds, parse_odds

_ODDS = re.compile(r"(\d+(?:\.\d+)?)\s*(?::|-|to)\s*(\d+(?:\.\d+)?)", re.ASCII)
_BACK = ("push", "returned", "return", "back", "nothing")
_LOST = ("lost", "lose", "loses", "l", "taken")
NONE = "none"
_NONE = (NONE, "no", "n", "nothing", "0")
LONGEST = 40
"""Characters of an answer that are read; none needs more."""


class UnreadableAnswer(ValueError):
    """An answer that cannot be read; the sentence says how to write one."""


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """One of several words; each may stand for a longer phrase."""

    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()

    @property
    def hint(self) -> str:
        return f"1 to {len(self.words)}" if self.phrases else ", ".join(self.words)

    def read(self, text: str) -> str:
        """The word that is meant: by itself, by its first letters, or by its number."""
        said = text.strip().lower().replace(" ", "-")
        if said.isascii() and said.isdecimal() and len(said) < 3 and 1 <= int(said) <= len(self.words):
            return self.words[int(said) - 1]
        found = [word for word in self.words if word == said] or [
            word for word in self.words if said and word.startswith(said)
        ]
        if len(found) != 1:
            raise UnreadableAnswer(f"answer with {self.hint}")
        return found[0]

    def show(self, answer: str) -> str:
        """A right answer in words."""
        return self.phrases[self.words.index(answer)] if self.phrases else answer


@dataclass(frozen=True, slots=True)
class WinningsAnswer:
    """What a bet of this stake wins: an amount, 0 if it is returned, or that it is lost."""

    stake: int

    @property
    def hint(self) -> str:
        return "the winnings, 0 if it goes back, or lost"

    def read(self, text: str) -> str:
        said = text.strip().lower().replace(",", "").removeprefix("+")
        if said in _LOST:
            return format_amount(-self.stake)
        if said in _BACK:
            return format_amount(0)
        try:
            return format_amount(parse_amount(said[:LONGEST], allow_zero=True, allow_negative=True))
        except ValueError:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        won = parse_amount(answer, allow_zero=True, allow_negative=True)
        return "lost" if won == -self.stake else format_money(won) if won else "0, it goes back"


@dataclass(frozen=True, slots=True)
class OfferAnswer:
    """Odds and the greatest stake of insurance, or that none is offered."""

    @property
    def hint(self) -> str:
        return "odds and greatest stake, such as 3:1 50, or none"

    def read(self, text: str) -> str:
        said = text.strip().lower()[:LONGEST]
        if said in _NONE:
            return NONE
        match = _ODDS.match(said)
        rest = said[match.end() :].strip(" ,;") if match else ""
        try:
            if match is None:
                raise ValueError
            return offered(
                format_odds(parse_odds(f"{match[1]}:{match[2]}")), parse_amount(rest.replace(",", ""))
            )
        except ValueError:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        if answer == NONE:
            return "nothing"
        odds, most = answer.split()
        return f"{odds} {format_money(parse_amount(most))}"


class AnswerForm(Protocol):
    """How the answer to a question is written and read."""

    @property
    def hint(self) -> str:
        """How to write it."""

    def read(self, text: str) -> str:
        """The exact form of an answer; raises `UnreadableAnswer`."""

    def show(self, answer: str) -> str:
        """A right answer for people."""


def offered(odds: str, most: int) -> str:
    """The exact form of an offer."""
    return f"{odds} {format_amount(most)}"
