"""Which cards a command computes with: a number of decks or counts from a file, less the cards seen."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from punto.cli.files import once_each, read_text
from punto.cli.options import option, read_as
from punto.cli.output import refuse
from punto.inputs import USUAL_DECKS, cards_of, decks_of

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.odds.known_cards import Undealt
    from punto.rules.book import Book

LARGEST_COMPOSITION = 64 * 1024  # Bytes of a composition: 52 cards and their counts fit many times.
LONGEST_COUNT = 30  # Digits of a count: exact at any size, but a longer one is a slip of the finger.

DECKS_HELP = f"Decks in the shoe; default: {USUAL_DECKS}, or the most the book allows."
COMPOSITION_HELP = 'A JSON object of rank or card to count, such as {"A": 32, "10": 31} or {"AS": 8}.'
DecksOption = Annotated[int | None, option("--decks", "N", DECKS_HELP)]
CompositionOption = Annotated[str | None, option("--composition", "FILE", COMPOSITION_HELP)]
SeenOption = Annotated[str, option("--seen", "CARDS", "Cards already out of the shoe.")]


class UnseenCards(NamedTuple):
    """The cards to compute with, and the number of decks if that is how they were given."""

    decks: int | None
    undealt: Undealt


def open_shoe(book: Book, decks: int | None, composition: str | None, seen: str) -> UnseenCards:
    """The shoe that a command line asks for; the command ends if there cannot be one."""
    from punto.odds.known_cards import Undealt

    if decks is not None and composition is not None:
        refuse("give --decks or --composition, not both")
    if composition is not None:
        undealt = Undealt.of_counts(_read_counts(composition))
    else:
        decks = allowed_decks(book, decks)
        undealt = Undealt.of_decks(decks)
    return UnseenCards(decks, undealt.less(read_cards(seen)))


def allowed_decks(book: Book, decks: int | None = None) -> int:
    """The decks asked for, where the book allows them; by default eight, or the most that it allows."""
    return read_as(partial(decks_of, book), decks)


def read_cards(text: str) -> tuple[Card, ...]:
    return read_as(cards_of, text)


def _read_counts(name: str) -> dict[str, object]:
    import json

    text = read_text(Path(name), LARGEST_COMPOSITION)
    try:
        counts = json.loads(text, object_pairs_hook=partial(once_each, twice="is counted twice"), parse_int=_read_count)
    except RecursionError:
        refuse(f"{name} is nested too deeply")
    except ValueError as error:
        refuse(f"{name} is not a JSON object of counts: {error}")
    if not isinstance(counts, dict):
        refuse(f'{name} is not a JSON object of counts; write for example {{"A": 32, "2": 31}}')
    return counts


def _read_count(digits: str) -> int:
    if len(digits) > LONGEST_COUNT:
        raise ValueError(f"a count has {len(digits)} digits")
    return int(digits)
