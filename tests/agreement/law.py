"""A second reading of what the documents say when something goes wrong: clauses, due places, outcomes.

It shares nothing with the table it checks. Cards are plain text, hands are "player" and "banker", and what
nobody can see is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tests.agreement import oracle, oracle_deal

# ── What each document says ─────────────────────────────────────────────────────────────────────────────


class Rule(NamedTuple):
    """What a document says of a finding: clause, what is waited for first, who decides, who has options."""

    clause: str | None
    awaits: str
    decider: str
    is_named: bool
    """Whether the document names who decides."""
    options: str = "never"
    options_clause: str | None = None


# finding | clause | waits for | who decides (* where the document names nobody) | options | their clause
INSURANCE = """
foreign-card         5.5.1  void         pit-supervisor*
wrong-set            5.5.2  void         pit-supervisor*
not-shuffled         5.5.5  void         pit-supervisor*
cards-run-out        5.5.4  void         pit-supervisor*
wrong-number         5.5.3  void         pit-supervisor*
drawn-together       5.10   order        pit-supervisor   always          5.10.1
wrong-side           5.8    judgement    pit-supervisor*  unless-put-right  5.8
face-up              5.9    options      pit-supervisor*  no-outcome      5.9
excess               5.7    judgement    pit-supervisor*  no-outcome      5.7.1
exposed              5.7    judgement    pit-supervisor*  no-outcome      5.7.1
dealing-error        5.12   judgement    pit-supervisor*  always          5.12
interruption         5.4.1  nothing      dealer*
insurance-neglected  5.13   return-bets  pit-manager
uncovered            5.18   ruling       shift-manager
"""
THREE_BOOKS = """
foreign-card         5.1.1  void         pit-supervisor*
cards-run-out        5.1.3  void         pit-supervisor*
wrong-number         5.1.2  judgement    pit-supervisor*
"""
EZ = """
cards-run-out        -      void         pit-supervisor*
"""


def _rules(text: str) -> dict[str, Rule]:
    rules = {}
    for line in text.strip().splitlines():
        finding, clause, awaits, decider, *options = line.split()
        rules[finding] = Rule(
            None if clause == "-" else clause, awaits, decider.rstrip("*"), not decider.endswith("*"), *options
        )
    return rules


RECORD_SLIP = """record-slip          -      judgement    pit-supervisor*
"""
RULES = {
    "insurance": _rules(INSURANCE + RECORD_SLIP),
    "commission": _rules(THREE_BOOKS + RECORD_SLIP),
    "easy-six": _rules(THREE_BOOKS + RECORD_SLIP),
    "knockout": _rules(THREE_BOOKS + RECORD_SLIP),
    "ez": _rules(EZ + RECORD_SLIP),
}
SILENT = Rule(None, "ruling", "shift-manager", is_named=False)
"""Where a document says nothing, a ruling of the shift manager decides."""


def rule_on(book: str, finding: str) -> Rule:
    return RULES[book].get(finding, SILENT)


# ── The table of play, with cards that nobody has seen ──────────────────────────────────────────────────

Face = str | None
"""A card that everybody can see, or None."""
ANY = tuple(range(10))
POINTS = ("10S", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
"""A card of every number of points."""


def two_card_points(first: Face, second: Face) -> tuple[int, ...]:
    """What two cards can come to; with one of them unseen, anything."""
    return ANY if first is None or second is None else (oracle_deal.total((first, second)),)


def third_points(card: Face) -> tuple[int, ...]:
    return ANY if card is None else (oracle_deal.worth(card),)


def thirds(p: int, b: int, third: int) -> tuple[str, ...]:
    """The hands that draw at these points of two cards; `third` is the card that Player gets if it draws."""
    if p >= 8 or b >= 8:
        return ()
    if p <= 5:
        return ("player", "banker") if oracle_deal.CHART[b, third] else ("player",)
    return ("banker",) if b <= 5 else ()


def possible_hands(player: Sequence[Face], banker: Sequence[Face]) -> set[str | None]:
    """The hands that the next card may be due; None for no hand, and several where a draw is not known."""
    if len(player) < 2 or len(banker) < 2:
        return {"player" if len(player) <= len(banker) else "banker"}
    if len(banker) > 2:
        return {None}
    came = ("player",) * (len(player) - 2)
    third = player[2] if len(player) > 2 else POINTS[0]
    return {
        (*draws, None)[len(came)] if draws[: len(came)] == came else None
        for p in two_card_points(player[0], player[1])
        for b in two_card_points(banker[0], banker[1])
        for draws in {thirds(p, b, points) for points in third_points(third)}
    }


def known_places(order: Sequence[Face], homes: Sequence[str | None] = ()) -> list[str | None]:
    """Where cards were due that left the shoe in this order, as far as no draw hangs on a card not seen.

    None is a card that no hand was due. A card that has a home is in that hand whatever its order.
    """
    hands: dict[str, list[Face]] = {"player": [], "banker": []}
    for face, home in zip(order, homes, strict=False):
        if home is not None:
            hands[home].append(face)
    places: list[str | None] = []
    for number, face in enumerate(order):
        if number < len(homes) and homes[number] is not None:
            places.append(homes[number])
            continue
        due = possible_hands(hands["player"], hands["banker"])
        if len(due) > 1:
            break
        (place,) = due
        places.append(place)
        if place is not None:
            hands[place].append(face)
    return places


def next_hand(player: Sequence[Face], banker: Sequence[Face]) -> str | None:
    """The hand that the next card goes to: "player", "banker", "" when none is, None when it is not known."""
    if len(player) < 2 or len(banker) < 2:
        return "player" if len(player) <= len(banker) else "banker"
    if None in player or None in banker:
        return None
    if len(banker) == 3:
        return ""
    third = oracle_deal.worth(str(player[2])) if len(player) == 3 else 0
    draws = thirds(oracle_deal.total([*map(str, player[:2])]), oracle_deal.total([*map(str, banker)]), third)
    if len(player) == 2:
        return draws[0] if draws else ""
    return "banker" if draws == ("player", "banker") else ""


def has_too_many(player: Sequence[Face], banker: Sequence[Face], *, due: Sequence[str | None]) -> bool:
    """Whether a hand, as it lies, has more cards than the table of play gives it at that moment.

    `due` is where each card that left the shoe was due, as far as that is known.
    """
    numbers = len(player), len(banker)
    if max(numbers) <= 2:
        return any(
            number > sum(place == hand for place in due)
            for number, hand in zip(numbers, ("player", "banker"), strict=True)
        )
    if min(numbers) < 2 or max(numbers) > 3:
        return True
    return any(
        not _is_given(draws, *numbers)
        for p in two_card_points(player[0], player[1])
        for b in two_card_points(banker[0], banker[1])
        for draws in {thirds(p, b, t) for t in (third_points(player[2]) if len(player) == 3 else (0,))}
    )


def _is_given(draws: tuple[str, ...], player: int, banker: int) -> bool:
    """Whether hands of so many cards have been given no card but those they draw, each in its turn."""
    came = ("player",) * (player - 2) + ("banker",) * (banker - 2)
    return draws[: len(came)] == came


def is_short(player: Sequence[Face], banker: Sequence[Face]) -> bool:
    """Whether a hand certainly lacks a card when all should be out."""
    return None not in possible_hands(player, banker)


# ── Outcomes ────────────────────────────────────────────────────────────────────────────────────────────


def is_established(player: Sequence[Face], banker: Sequence[Face]) -> bool:
    """Whether a bet on the layout of the insurance book has certainly won or lost, by exposed cards.

    A pair bet is decided as soon as both cards of its hand show, and never before.
    """
    for hand in (player, banker):
        if len(hand) >= 2 and hand[0] is not None and hand[1] is not None:
            return True
    return _is_decided(*(hand[2] if len(hand) > 2 else None for hand in (player, banker)))


@cache
def _is_decided(player_third: Face, banker_third: Face) -> bool:
    """Whether another bet is decided while neither pair is: each hand can still start with any points."""
    for area in ("player", "banker", "tie", "super-six-plus"):
        nets = {oracle.net_of_unit("insurance", area, deal, {}) for deal in _deals(player_third, banker_third)}
        if all(net < 0 for net in nets) or all(net > 0 for net in nets):
            return True
    return False


def _deals(player_third: Face, banker_third: Face) -> Iterator[oracle_deal.Deal]:
    for p in ANY:
        for b in ANY:
            start = (["10H", POINTS[p]], ["10H", POINTS[b]])
            for third in [player_third] if player_third else POINTS:
                draws = thirds(p, b, oracle_deal.worth(third))
                player = [*start[0], third] if "player" in draws else start[0]
                for fourth in [banker_third] if banker_third else POINTS:
                    banker = [*start[1], fourth] if "banker" in draws else start[1]
                    yield oracle_deal.Deal(player, banker)
