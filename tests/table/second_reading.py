"""A second reading of the irregularities, written from reading.md's numbered order and not from the program.

Cards are plain text, hands are lists, and every question is asked in the plainest way: cards that nobody has
seen are tried with every value, and what does not come out the same each time is not known. It says what a
table comes to under the insurance book, and in the other books by what they speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from tests.agreement.oracle_deal import CHART, worth

HANDS = ("player", "banker")
SOME_OF_EACH = ["KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]


@dataclass(frozen=True)
class OnTable:
    """A card of the round, in the order in which they left the shoe."""

    name: str | None
    """None where nobody knows it."""
    lies: str
    up: bool
    was_up: bool | None = None
    """Which side showed on record; None for a card that a report brought up."""
    together: bool = False
    foreign: bool = False
    renamed: bool = False
    moved: bool = False
    put_at: str | None = None
    """The hand to which it was put on record; None for a card that a report brought up."""

    @property
    def face(self) -> str | None:
        """What everybody can see."""
        return self.name if self.up else None

    @property
    def is_new(self) -> bool:
        return self.was_up is None


@dataclass(frozen=True)
class Described:
    """A table as the reports describe it."""

    cards: tuple[OnTable, ...]
    face_down_table: bool
    facts: frozenset[str] = frozenset()
    order_seen: bool = False
    settled: bool = False
    """It had been settled when the error was found."""
    before_the_call: bool = False
    """Bets were open, at a table where a call closes them."""
    shown_at_once: int = 0
    """Cards that are dealt face up all the same, and by which open antes are decided."""
    antes_open: bool = False

    @property
    def left(self) -> tuple[OnTable, ...]:
        """The cards of the set that really left the shoe."""
        return tuple(card for card in self.cards if card.lies != "shoe" and not card.foreign)

    @property
    def has_slip(self) -> bool:
        """A card was put on record that never left the shoe."""
        return any(card.lies == "shoe" and not card.foreign for card in self.cards)

    @property
    def group(self) -> tuple[OnTable, ...]:
        return tuple(card for card in self.left if card.together)


# ── The table of play ───────────────────────────────────────────────────────────────────────────────────


def deal_again(names: Sequence[str]) -> list[str]:
    """Where each card of an order was due: player, banker, or nowhere."""
    due = ["player", "banker", "player", "banker"][: len(names)]
    if len(names) <= 4:
        return due
    player = (worth(names[0]) + worth(names[2])) % 10
    banker = (worth(names[1]) + worth(names[3])) % 10
    more: list[str] = []
    if max(player, banker) < 8:
        if player <= 5:
            more = ["player", *(["banker"] if CHART[banker, worth(names[4])] else [])]
        elif banker <= 5:
            more = ["banker"]
    due += more[: len(names) - 4]
    return due + ["nowhere"] * (len(names) - len(due))


def places_due(cards: Sequence[OnTable]) -> list[str]:
    """Where each card was due, `unknown` where a draw hangs on a face that nobody has seen."""
    if len(cards) <= 4:
        return deal_again(["KS"] * len(cards))  # by order alone
    seen = tuple(None if card.face is None else SOME_OF_EACH[worth(card.face)] for card in cards[:5])
    return list(_tried(seen, len(cards)))


@cache
def _tried(seen: tuple[str | None, ...], number: int) -> tuple[str, ...]:
    """Every card that nobody has seen is tried with every value."""
    found: list[set[str]] = [set() for _ in range(number)]
    for names in product(*(SOME_OF_EACH if name is None else [name] for name in seen)):
        for i, where in enumerate(deal_again([*names, *["KS"] * (number - 5)])):
            found[i].add(where)
    return tuple(places.pop() if len(places) == 1 else "unknown" for places in found)


def hand_as_it_lies(cards: Sequence[OnTable], hand: str) -> list[OnTable]:
    return [card for card in cards if card.lies == hand]


def cards_given(cards: Sequence[OnTable]) -> tuple[int, int]:
    """How many cards the table of play gives Player and Banker, as they lie, at this moment."""
    player, banker = (hand_as_it_lies(cards, hand) for hand in HANDS)
    first = [*player[:2], *banker[:2]]
    if len(cards) < 4:
        return (len(cards) + 1) // 2, len(cards) // 2  # the first four come in turn
    if len(first) < 4 or any(card.face is None for card in first):
        return 2, 2  # third cards are due when the first four lie open
    p, b = ((worth(hand[0].face or "") + worth(hand[1].face or "")) % 10 for hand in (player, banker))
    if max(p, b) >= 8:
        return 2, 2
    if p > 5:
        return 2, 3 if b <= 5 else 2
    if len(player) < 3:
        return 3, 2
    thirds = [player[2].face] if player[2].face is not None else SOME_OF_EACH
    return 3, 3 if all(CHART[b, worth(third)] for third in thirds) else 2


def has_wrong_number(table: Described) -> bool:
    """More cards than the table of play gives at that moment, or, once the round is settled, fewer."""
    sizes = [len(hand_as_it_lies(table.left, hand)) for hand in HANDS]
    given = cards_given(table.left)
    too_many = any(size > number for size, number in zip(sizes, given, strict=True))
    return too_many or is_one_short(table)


def is_one_short(table: Described) -> bool:
    sizes = [len(hand_as_it_lies(table.left, hand)) for hand in HANDS]
    if table.has_slip:
        return False  # the card is still to come: the record was wrong, not the deal
    return table.settled and any(size < number for size, number in zip(sizes, cards_given(table.left), strict=True))


def with_true_places(table: Described) -> Described:
    """Cards on record after one that never left the shoe lie where they were due: nobody saw otherwise."""
    if not table.has_slip:
        return table
    due = places_due(table.left)
    cards, is_after = [], False
    for card in table.cards:
        is_after = is_after or (card.lies == "shoe" and not card.foreign)
        if card.lies != "shoe" and not card.foreign:
            place = due.pop(0)
            if is_after and card.lies == card.put_at and place in HANDS:
                card = replace(card, lies=place)
        cards.append(card)
    return replace(table, cards=tuple(cards))


# ── The numbered order ──────────────────────────────────────────────────────────────────────────────────


def findings(table: Described, *, house_says_no: bool = False) -> list[str]:
    """Everything that fits, in the order of reading.md; nothing where the table is lawful."""
    table = with_true_places(table)
    found: list[str] = []
    # 1. 5.5
    if "foreign-card" in table.facts or any(card.foreign for card in table.cards):
        found.append("foreign-card")
    found += [fact for fact in ("wrong-set", "not-shuffled", "cards-run-out") if fact in table.facts]
    if house_says_no and has_wrong_number(table):
        found.append("wrong-number")
    # 2. 5.10
    if len(table.group) >= 2:
        found.append("drawn-together")
    due = places_due(table.left)
    # 3. 5.8: a card of one hand lies with the other
    if any(
        card.lies in HANDS and where in HANDS and card.lies != where
        for card, where in zip(table.left, due, strict=True)
    ):
        found.append("wrong-side")
    # 4. 5.9: it was due and lies in its place, but face up, at a face-down table
    if any(_is_face_up_too_early(table, i, where) for i, where in enumerate(due)):
        found.append("face-up")
    # 5. 5.7: too many, or exposed and not due
    for i, (card, where) in enumerate(zip(table.left, due, strict=True)):
        is_before_antes = table.antes_open and i >= table.shown_at_once and card.is_new
        if where == "nowhere":
            found.append("excess")
        elif where == "unknown" or is_before_antes:
            found.append("exposed" if card.up else "excess")
    # 6. 5.12: any other dealing error
    if _is_some_other_error(table):
        found.append("dealing-error")
    if has_wrong_number(table):  # not yet judged: only a book without the clauses above looks this far
        found.append("wrong-number")
    if table.has_slip and not found:
        found.append("record-slip")  # nothing was dealt wrongly
    found += [fact for fact in ("interruption", "insurance-neglected", "uncovered") if fact in table.facts]
    return list(dict.fromkeys(found))


def _is_face_up_too_early(table: Described, place: int, where: str) -> bool:
    card = table.left[place]
    if not table.face_down_table or not card.up or card.lies != where:
        return False
    return not card.was_up if card.was_up is not None else place >= table.shown_at_once


def _is_some_other_error(table: Described) -> bool:
    if is_one_short(table):
        return True
    if table.before_the_call and any(card.is_new for card in table.left):
        return True
    for card in table.cards:
        if card.foreign or card.lies == "shoe":
            continue
        if card.lies not in HANDS or card.renamed or card.moved or card.together:
            return True
        if not table.face_down_table and not card.up and card.was_up is not False:
            return True
    return False


SPOKEN_OF: dict[str, dict[str, str | None]] = {
    "insurance": {
        "foreign-card": "5.5.1",
        "wrong-set": "5.5.2",
        "wrong-number": "5.5.3",
        "cards-run-out": "5.5.4",
        "not-shuffled": "5.5.5",
        "drawn-together": "5.10",
        "wrong-side": "5.8",
        "face-up": "5.9",
        "excess": "5.7",
        "exposed": "5.7",
        "dealing-error": "5.12",
        "insurance-neglected": "5.13",
        "uncovered": "5.18",
    },
    "commission": {"foreign-card": "5.1.1", "wrong-number": "5.1.2", "cards-run-out": "5.1.3"},
    "easy-six": {"foreign-card": "5.1.1", "wrong-number": "5.1.2", "cards-run-out": "5.1.3"},
    "knockout": {"foreign-card": "5.1.1", "wrong-number": "5.1.2", "cards-run-out": "5.1.3"},
    "ez": {"cards-run-out": None},
}
"""What each document has a remedy for; anything else is for a ruling."""


def verdict(book: str, table: Described, *, house_says_no: bool = False) -> tuple[str, str | None] | None:
    """Finding and clause by this book; None for a lawful table."""
    found = findings(table, house_says_no=house_says_no)
    if not found:
        return None
    clauses = SPOKEN_OF[book]
    first = next((finding for finding in found if finding in clauses or finding == "record-slip"), found[0])
    return first, clauses.get(first)


# ── What follows, by the insurance book ─────────────────────────────────────────────────────────────────


def hands_put_right(table: Described) -> list[list[str]] | None:
    """Both hands and what is left over, `??` for a face nobody sees; None where it cannot be known."""
    due = places_due(table.left)
    if "unknown" in due:
        return None
    dealt = list(zip(table.left, due, strict=True))
    hands = [[_in_hand(table, card) for card, where in dealt if where == to] for to in HANDS]
    return [*hands, [card.face or "??" for card, where in dealt if where == "nowhere"]]


def _in_hand(table: Described, card: OnTable) -> str:
    """What is seen of a card in a hand: at a face-up table one that was recovered lies open there."""
    is_turned = not table.face_down_table and card.lies not in HANDS
    return (card.name if is_turned else card.face) or "??"


def hands_as_they_lie(table: Described) -> list[list[str]]:
    table = with_true_places(table)
    return [[_in_hand(table, card) for card in hand_as_it_lies(table.left, hand)] for hand in HANDS]


def is_established(hands: list[list[str]]) -> bool:
    """A pair bet is decided once both first cards of a hand are seen; nothing is decided before."""
    return any(len(hand) >= 2 and "??" not in hand[:2] for hand in hands[:2])


def has_options(finding: str, hands: list[list[str]], *, put_right: bool) -> bool:
    """Whether 5.12 gives the players their choice."""
    if finding == "record-slip":
        return False
    if finding in ("excess", "exposed", "face-up"):
        return not is_established(hands)
    if finding == "wrong-side":
        return not (is_established(hands) and put_right)
    return True
