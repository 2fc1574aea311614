"""What a language says for conditions and remedies: sentences with gaps and the words that fill them, in
English and in simplified and traditional Chinese.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.cards.card import Rank
from punto.rules.book_text import Options, Remedy
from punto.rules.condition import Alike, Colour, Compared, ComparedBy, PokerClass, SuitName


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


# The phrasebook of English.


_ORDINALS = {1: "first", 2: "second", 3: "third"}
_RANKS = [rank.notation for rank in Rank]
_NAMES = {"player": "Player", "banker": "Banker"}

ENGLISH = Phrasebook(
    comma=", ",
    alternatives="; or ",
    listed=", ",
    either=" or ",
    both=" and ",
    run="{first}-{last}",
    counts={2: "two", 3: "three", 4: "four", 5: "five", 6: "six"},
    otherwise="anything else",
    no_row_above=", and no row above",
    names=_NAMES,
    has={
        "player": "Player has",
        "banker": "Banker has",
        "winning": "the winner has",
        "losing": "the loser has",
        "either": "either hand has",
        "both": "both hands have",
    },
    tie="tie",
    no_tie="no tie",
    wins="{who} wins{how}{natural}",
    on=" on {points}",
    with_cards=" with {cards} cards",
    on_with_cards=" on {points} with {cards} cards",
    with_natural=" with a natural",
    without_natural=" without a natural",
    by_one="by {points} point",
    by="by {points} points",
    margin="the margin is {points}",
    points="{has} {points}",
    points_in="{has} {points} in {cards} cards",
    cards="{has} {cards} cards",
    natural="{has} a natural",
    no_natural="{has} no natural",
    points_sum="both hands together have {points}",
    cards_in_all="{cards} cards in all",
    any_natural="a natural",
    never_natural="no natural",
    pair="{has} a pair",
    no_pair="{has} no pair",
    suited_pair="{has} a suited pair",
    no_suited_pair="{has} no suited pair",
    pair_of="{has} a pair of {ranks}",
    number_of_hands={0: "no hand", 1: "one hand", 2: "both hands"},
    pairs_in="a pair in {hands}",
    suited_pairs_in="a suited pair in {hands}",
    same_pair="a pair of the same rank in both hands",
    no_same_pair="not a pair of the same rank in both hands",
    places={
        f"{hand}_{number}": f"{name}'s {ordinal} card"
        for hand, name in _NAMES.items()
        for number, ordinal in _ORDINALS.items()
    },
    place_is="{place} is {card}",
    groups={
        "player_two": "Player's first two cards",
        "banker_two": "Banker's first two cards",
        "player_hand": "Player's cards",
        "banker_hand": "Banker's cards",
        "first_four": "the first four cards",
        "round": "the cards of the round",
    },
    two_points="{group} make {points}",
    card_order=("colour", "card", "rank", "face", "points", "suit"),
    card_join=" ",
    any_card="",
    colours={Colour.RED: "red", Colour.BLACK: "black"},
    a_coloured="a {card}",
    a_rank={rank: f"{'an' if rank in ('A', '8') else 'a'} {rank}" for rank in _RANKS},
    ranks={rank: f"{rank}s" for rank in _RANKS},
    a_face="a picture card",
    not_a_face="not a picture card",
    faces="picture cards",
    no_faces="not picture cards",
    worth="worth {points}",
    suits={suit: suit.value for suit in SuitName},
    of_suit="of {suits}",
    all_are="{group} are all {card}",
    none_is="none of {group} is {card}",
    one_is="{number} of {group} is {card}",
    some_are="{number} of {group} are {card}",
    identical="{group} are identical",
    not_identical="{group} are not identical",
    alike="{group} are of one {what}",
    not_alike="{group} are not of one {what}",
    alikes={Alike.RANK: "rank", Alike.SUIT: "suit", Alike.COLOUR: "colour"},
    ranks_are="{group} are {ranks}",
    makes="{group} make {what}",
    poker={
        PokerClass.MINI_ROYAL: "a mini royal",
        PokerClass.STRAIGHT_FLUSH: "a straight flush",
        PokerClass.FOUR_OF_A_KIND: "four of a kind",
        PokerClass.THREE_OF_A_KIND: "three of a kind",
        PokerClass.FLUSH: "a flush",
        PokerClass.STRAIGHT: "a straight",
        PokerClass.TWO_PAIR: "two pair",
        PokerClass.PAIR: "a pair",
        PokerClass.HIGH_CARD: "nothing",
    },
    comparison="{first} is {how} {second}{by}",
    compared={Compared.HIGHER: "higher than", Compared.LOWER: "lower than", Compared.EQUAL: "equal to"},
    compared_by={
        ComparedBy.RANK: "",
        ComparedBy.RANK_ACE_HIGH: " (ace high)",
        ComparedBy.POINTS: " in points",
        ComparedBy.CARD: " in rank and suit",
    },
    bet_wins="{bets} wins",
    remedies={
        Remedy.VOID: "the round is void",
        Remedy.VOID_UNLESS_RECONSTRUCTED: "the round is void, unless the cards can be put right",
        Remedy.RECONSTRUCT: "the cards are put right, or played as they lie where that cannot be done",
        Remedy.PLAY_ON: "the round goes on and its result stands",
        Remedy.ORDER_CARDS: "the order of the cards is decided, and the round goes on",
        Remedy.COMPLETE_OR_VOID: "the round is completed if some bet is decided, otherwise void",
        Remedy.NO_EFFECT: "later rounds stand as they are",
        Remedy.RETURN_BETS: "the bets of those concerned are returned",
        Remedy.RULING: "a ruling decides",
    },
    options={
        Options.NEVER: "",
        Options.ALWAYS: "every player may have the bets back instead",
        Options.NO_OUTCOME: "while no bet is decided, every player may have the bets back instead",
        Options.UNLESS_OUTCOME_AND_RECONSTRUCTED: (
            "every player may have the bets back instead, unless a bet is decided and the cards can be put right"
        ),
    },
)
