"""The phrasebook of English."""

from __future__ import annotations

from punto.cards.card import Rank
from punto.rules.text.card_test import Alike, Colour, Compared, ComparedBy, PokerClass, SuitName
from punto.rules.text.irregularity import Options, Remedy
from punto.rules.wording.phrasebook import Phrasebook

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
            "every player may have the bets back instead, "
            "unless a bet is decided and the cards can be put right"
        ),
    },
)
