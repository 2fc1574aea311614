"""What one language says for conditions and remedies: sentences with gaps, and the words that fill them.

The grammar in `condition` and `card_phrases` chooses sentences and fills their gaps; it has no words itself.
What a language does not need, such as an article or a plural, is the same in both places here, or empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.text.card_test import Alike, Colour, Compared, ComparedBy, PokerClass, SuitName
from punto.rules.text.irregularity import Options, Remedy


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """The words of one language."""

    # Lists and numbers
    comma: str
    """Between the facts of one condition."""
    alternatives: str
    """Between conditions of which one must hold."""
    listed: str
    """Between the things of a list, all but the last two."""
    either: str
    """Between the last two things, where one of them holds."""
    both: str
    """Between two things that hold together."""
    run: str
    """From {first} to {last}."""
    counts: dict[int, str]
    """Numbers of cards, 2 to 6."""
    otherwise: str
    no_row_above: str
    """After a condition that counts only where no row above it in the pay table holds."""

    # Who
    names: dict[str, str]
    """`player`, `banker`."""
    has: dict[str, str]
    """Who has something: `player`, `banker`, `winning`, `losing`, `either`, `both`."""

    # The result
    tie: str
    no_tie: str
    wins: str
    """{who} wins, with {how} and {natural} where they are asked for."""
    on: str
    """How: on these {points}."""
    with_cards: str
    """How: with so many {cards}."""
    on_with_cards: str
    """How: both together."""
    with_natural: str
    without_natural: str
    by_one: str
    """By {points} points, where that is one."""
    by: str
    margin: str
    points: str
    """{has} these {points}."""
    points_in: str
    """{has} these {points} in so many {cards}."""
    cards: str
    natural: str
    no_natural: str
    points_sum: str
    cards_in_all: str
    any_natural: str
    never_natural: str

    # Pairs
    pair: str
    no_pair: str
    suited_pair: str
    no_suited_pair: str
    pair_of: str
    number_of_hands: dict[int, str]
    pairs_in: str
    suited_pairs_in: str
    same_pair: str
    no_same_pair: str

    # Single cards
    places: dict[str, str]
    """`player_1` to `banker_3`."""
    place_is: str
    groups: dict[str, str]
    """The groups of cards that a condition can name."""
    two_points: str
    card_order: tuple[str, ...]
    """In which order `colour`, `card`, `rank`, `face`, `points` and `suit` of a card are said."""
    card_join: str
    any_card: str
    """What is said last where nothing of a card is named but its colour or its points."""
    colours: dict[Colour, str]
    a_coloured: str
    """A {card} of which colour and rank are named."""
    a_rank: dict[str, str]
    """A card of this rank."""
    ranks: dict[str, str]
    """Cards of this rank."""
    a_face: str
    not_a_face: str
    faces: str
    no_faces: str
    worth: str
    suits: dict[SuitName, str]
    of_suit: str

    # Groups of cards
    all_are: str
    none_is: str
    one_is: str
    some_are: str
    identical: str
    not_identical: str
    alike: str
    not_alike: str
    alikes: dict[Alike, str]
    ranks_are: str
    makes: str
    poker: dict[PokerClass, str]

    # Cards compared, other bets
    comparison: str
    compared: dict[Compared, str]
    compared_by: dict[ComparedBy, str]
    bet_wins: str

    # Irregularities
    remedies: dict[Remedy, str]
    options: dict[Options, str]
    """Whether players may have their bets back; empty where they never may."""
