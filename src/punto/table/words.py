"""What an event says in words: fact lines for a session that expects them, and sentences for people.

A fact line is a row of short words: its kind, then names, boxes, areas, amounts and the clause in a fixed
order; what does not apply is left out (docs/reference/notation.md lists them all). The sentences stand in
`words/*/events.toml`, each with what it is about, so that a terminal can colour it and a page can style it; the
words alone say everything. A card that lies face down is never named. Each room has the words of its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec

from punto.cards.card import Card
from punto.money import format_amount, format_money
from punto.refusal import AMOUNTS
from punto.rules.book import Book, Naming, hand_label, label_of, own_name
from punto.rules.entry import Labels
from punto.rules.outcome import Hand, shown_odds
from punto.table.state import Stake, State, card_face
from punto.words import ENGLISH, Language, read_words

FactLine = tuple[str, ...]
MONEY = AMOUNTS | {"rejected"}  # Fields that are minor units.


class Theme(Enum):
    """What a sentence of a transcript is about."""

    ROUND = "round"  # A new round begins here.
    CALL = "call"  # Words that the dealer says.
    CARD = "card"
    NOTE = "note"
    OFFER = "offer"
    CASE = "case"  # Something went wrong, or is put right.
    RESULT = "result"
    SETTLED = "settled"  # The table of a settlement belongs here; its bets are in the event.


class Sentence(msgspec.Struct, frozen=True):
    """A line of a transcript."""

    about: Theme
    text: str


class Telling:
    """The table after an event, which is told to people in their language."""

    def __init__(self, book: Book, state: State, language: Language = ENGLISH, name_of: Naming = own_name) -> None:
        self.book, self.state, self.language, self._name_of = book, state, language, name_of

    def named(self, labels: Labels) -> str:
        """What the book calls something."""
        return self._name_of(labels, self.language)

    def hand(self, hand: Hand) -> str:
        if self.language == ENGLISH:
            return hand_name(hand)
        return hand_label(self.book, hand, self.language, self._name_of)

    def area(self, area: str) -> str:
        return label_of(self.book, area, self.language, self._name_of)

    def text(self, english: str) -> str:
        """A text that a book has in English only, where somebody has written it in this language beside the book."""
        return self.named(Labels(english))

    def listed(self, words: Iterable[str]) -> str:
        """Several words beside each other, as the language separates them."""
        return str(_catalogue(self.language)["comma"]["says"]).join(words)

    def say(self, name: str, thing: msgspec.Struct, about: Theme = Theme.NOTE, **more: object) -> list[Sentence]:
        """What the catalogue has under a name, sentence by sentence."""
        return [Sentence(about, text) for text in self.texts(name, thing, **more)]

    def stakes_back(self, stakes: Iterable[Stake]) -> list[Sentence]:
        return [sentence for stake in stakes for sentence in self.say("stake-returned", stake)]

    def texts(self, name: str, thing: msgspec.Struct | None, **more: object) -> list[str]:
        """The texts of the catalogue under a name, their gaps filled with fields of a thing, or with `more`."""
        entry = _catalogue(self.language)[name]
        values = {field: getattr(thing, field) for field in thing.__struct_fields__} | more if thing else more
        words = _Gaps(lambda gap: self._word(gap, values))

        def part(gap: str) -> str:
            return _form(entry[gap], values[gap]).format_map(words) if gap in entry else words[gap]

        gaps = _Gaps(part)
        return [text for line in entry["says"].split("\n") if (text := line.format_map(gaps))]

    def _word(self, gap: str, values: dict[str, Any]) -> str:
        """What stands in a gap, as people read it."""
        if gap == "by_clause":
            return (
                str(_catalogue(self.language)["by-clause"]["says"]).format_map(values) if values.get("clause") else ""
            )
        if gap == "bet":
            return self.texts("bet", None, **values | {"area": self.area(values["area"])})[0]
        value = values[gap]
        if gap in MONEY and isinstance(value, int):
            return format_money(value)
        if gap == "odds":
            return shown_odds(value)
        if isinstance(value, tuple):
            return self.listed(value) if gap == "players" else " ".join(map(card_face, value))
        if isinstance(value, Card):
            return value.symbol
        if isinstance(value, Hand):
            return self.hand(value)
        if isinstance(value, Enum):
            return str(_catalogue(self.language)["named"].get(gap, {}).get(value.value, value.value))
        return str(value)


class _Gaps(dict[str, str]):
    """The words of gaps, worked out for those that a sentence has."""

    def __init__(self, word: Callable[[str], str]) -> None:
        self._word = word

    def __missing__(self, gap: str) -> str:
        return self._word(gap)


@cache
def _catalogue(language: Language) -> dict[str, dict[str, Any]]:
    return read_words(language, "events.toml")


def _form(forms: dict[str, str], value: object) -> str:
    number = "one" if value == 1 else "many"
    key = str(value.value) if isinstance(value, Enum) else number
    return forms.get(key) or forms.get("yes" if value else "no", "")


def hand_name(hand: Hand) -> str:
    return hand.value.title()


Tell = Callable[[Telling, Any], Iterable[Sentence]]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one kind of event."""

    kinds: tuple[str, ...]  # The first words of its fact lines.
    facts: Callable[[Any], Iterable[FactLine]]
    tell: Tell


def say(about: Theme = Theme.NOTE, more: Callable[[Telling, Any], dict[str, object]] | None = None) -> Tell:
    """Tell what the catalogue has for an event; `more` are words that are not fields of it."""

    def tell(telling: Telling, event: Any) -> Iterable[Sentence]:
        return telling.say(event.name(), event, about, **more(telling, event) if more else {})

    return tell


NOTED = say()


def plain(pattern: str, tell: Tell = NOTED, *, back: str = "") -> Words:
    """The words of an event whose fact line is a kind and then fields of it, such as `left box player`.

    `burn_due?burn-due` is a word for a field that is true, `consent?yes/no` has another for one that is not;
    `shown:shown` has a word before what there is, `to=card` before it in any case. Where stakes go back with the
    event, a line and a sentence follow for each of them, with this reason.
    """
    kind, *parts = pattern.split()

    def facts(event: Any) -> list[FactLine]:
        first = fact(kind, *(word for part in parts for word in _fact_words(part, event)))
        returned = event.returned if back else ()
        return [first, *(stake_fact("returned", stake, back, event.clause) for stake in returned)]

    def tell_with_stakes(telling: Telling, event: Any) -> Iterable[Sentence]:
        return [*tell(telling, event), *telling.stakes_back(event.returned)]

    return Words((kind, "returned"), facts, tell_with_stakes) if back else Words((kind,), facts, tell)


def _fact_words(part: str, event: Any) -> Iterable[object]:
    field, is_choice, choice = part.partition("?")
    if is_choice:
        yes, _, no = choice.partition("/")
        return [(yes if getattr(event, field) else no) or None]
    word, mark, field = part.rpartition(":" if ":" in part else "=")
    value = attrgetter(field)(event)
    if mark == ":" and not value:
        return []
    if field in MONEY:
        value = format_amount(value)
    values = ("unseen" if one is None else one for one in value) if isinstance(value, tuple) else (value,)
    return [word or None, *values]


def fact(*words: object) -> FactLine:
    """A fact line of these words, without those that do not apply."""
    return tuple(str(word.value if isinstance(word, Enum) else word) for word in words if word is not None)


def stake_fact(kind: str, stake: Stake, *words: object) -> FactLine:
    return fact(kind, stake.box, stake.player, stake.area, format_amount(stake.amount), *words)
