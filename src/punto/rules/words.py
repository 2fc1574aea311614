"""The values of a book in words: conditions, numbers, outcomes, remedies, what players may choose, people.

A condition lists facts; people read sentences: `{ winner = "banker", banker_points = 6, banker_cards = 2 }`
becomes "Banker wins on 6 with two cards". Every page that shows a book says it in these words.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.facts import Winner
from punto.rules.hands.phrases import card_phrases
from punto.rules.hands.phrases import either as either
from punto.rules.hands.phrases import numbers as numbers
from punto.rules.outcome import Outcome, format_odds
from punto.rules.pay_table import CompiledRow, PayTable
from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Irregularity, Options, Remedy
from punto.rules.text.when import When

HOUSE_TERM = "house term; the document names nobody"
"""What stands beside a decision that is the house's own: nothing of ours is shown as the document's word."""
SILENT = "house term; the document is silent"
"""What stands beside a remedy that is the house's own."""

REMEDIES: dict[Remedy, str] = {
    Remedy.VOID: "the round is void",
    Remedy.VOID_UNLESS_RECONSTRUCTED: "the round is void, unless the cards can be put right",
    Remedy.RECONSTRUCT: "the cards are put right, or played as they lie where that cannot be done",
    Remedy.PLAY_ON: "the round goes on and its result stands",
    Remedy.ORDER_CARDS: "the order of the cards is decided, and the round goes on",
    Remedy.COMPLETE_OR_VOID: "the round is completed if some bet is decided, otherwise void",
    Remedy.NO_EFFECT: "later rounds stand as they are",
    Remedy.RETURN_BETS: "the bets of those concerned are returned",
    Remedy.RULING: "a ruling decides",
}

OPTIONS: dict[Options, str] = {
    Options.NEVER: "",
    Options.ALWAYS: "every player may have the bets back instead",
    Options.NO_OUTCOME: "while no bet is decided, every player may have the bets back instead",
    Options.UNLESS_OUTCOME_AND_RECONSTRUCTED: (
        "every player may have the bets back instead, unless a bet is decided and the cards can be put right"
    ),
}

_SUBJECTS = {"player": "Player", "banker": "Banker", "winning": "the winner", "losing": "the loser"}
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_HANDS = {0: "no hand", 1: "one hand", 2: "both hands"}


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 deck`, `8 decks`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def rank_name(role: Role) -> str:
    """A role as people write it: `Pit Supervisor`."""
    return role.value.replace("-", " ").title()


def rank_words(role: Role) -> str:
    """A role and, unless it is the highest, those above it: `Pit Supervisor or above`."""
    name = rank_name(role)
    return name if role not in LADDER or role is LADDER[-1] else f"{name} or above"


_AT_ONCE = (Remedy.PLAY_ON, Remedy.COMPLETE_OR_VOID, Remedy.NO_EFFECT)


def decider_words(entry: Irregularity) -> str:
    """Who orders a remedy, marked where the document does not say so; empty where nobody has to."""
    if entry.remedy in _AT_ONCE:
        return ""
    by = rank_words(entry.orders)
    return by if entry.orders_clause else f"{by} ({HOUSE_TERM})"


def outcome_words(outcome: Outcome) -> str:
    """What an outcome pays: `12:1`, `push` or `lose`."""
    return outcome.result.value if outcome.odds is None else format_odds(outcome.odds)


def rows_words(table: PayTable, outcome: Outcome) -> str:
    """When a bet comes to an outcome: the rows that have it, one after the other."""
    return "; ".join(row_words(row) for row in table.rows if row.outcome == outcome)


def row_words(row: CompiledRow) -> str:
    """When a row of a pay table holds."""
    return "anything else" if row.when is None else condition_words(row.when)


def condition_words(when: When | tuple[When, ...]) -> str:
    """A condition in words, alternatives one after the other."""
    return "; or ".join(", ".join(_phrases(one)) for one in (when if isinstance(when, tuple) else (when,)))


def _phrases(when: When) -> Iterator[str]:
    winners = when.winner if isinstance(when.winner, tuple) else (when.winner,) if when.winner else ()
    single = winners[0].value if len(winners) == 1 and winners[0] is not Winner.TIE else None
    if winners and single is None:
        yield _winner_words(winners)
    for name, subject in _SUBJECTS.items():
        yield from _hand_phrases(when, name, subject, is_winner=name == single)
    for name, hands in (("either", "either hand has"), ("both", "both hands have")):
        if getattr(when, f"{name}_points") is not None:
            yield f"{hands} {numbers(when.number_of(f'{name}_points'))}"
        if getattr(when, f"{name}_cards") is not None:
            yield f"{hands} {_counts(when.number_of(f'{name}_cards'))} cards"
    if when.margin is not None:
        margin = numbers(when.number_of("margin"))
        yield f"by {margin} {'point' if margin == '1' else 'points'}" if single else f"the margin is {margin}"
    if when.points_sum is not None:
        yield f"both hands together have {numbers(when.number_of('points_sum'))}"
    if when.cards is not None:
        yield f"{_counts(when.number_of('cards'))} cards in all"
    if when.natural is not None:
        yield "a natural" if when.natural else "no natural"
    yield from _pair_phrases(when)
    yield from card_phrases(when)


def _winner_words(winners: tuple[Winner, ...]) -> str:
    if set(winners) == {Winner.PLAYER, Winner.BANKER}:
        return "no tie"
    return either(["tie" if winner is Winner.TIE else f"{winner.value.title()} wins" for winner in winners])


def _hand_phrases(when: When, name: str, subject: str, *, is_winner: bool) -> Iterator[str]:
    points = _numbers_of(when, f"{name}_points")
    cards = _numbers_of(when, f"{name}_cards")
    natural = getattr(when, f"{name}_natural", None)
    if is_winner:
        on = f" on {numbers(points)}" if points is not None else ""
        how = f" with {_counts(cards)} cards" if cards is not None else ""
        with_natural = "" if natural is None else " with a natural" if natural else " without a natural"
        yield f"{subject} wins{on}{how}{with_natural}"
        return
    if points is not None:
        yield f"{subject} has {numbers(points)}{f' in {_counts(cards)} cards' if cards is not None else ''}"
    elif cards is not None:
        yield f"{subject} has {_counts(cards)} cards"
    if natural is not None:
        yield f"{subject} has {_a_or_no(natural)} natural"


def _pair_phrases(when: When) -> Iterator[str]:
    for name in ("player", "banker"):
        subject = _SUBJECTS[name]
        if (has := getattr(when, f"{name}_pair")) is not None:
            yield f"{subject} has {_a_or_no(has)} pair"
        if (ranks := getattr(when, f"{name}_pair_of")) is not None:
            yield f"{subject} has a pair of {either((ranks,) if isinstance(ranks, str) else ranks)}"
        if (suited := getattr(when, f"{name}_pair_suited")) is not None:
            yield f"{subject} has {_a_or_no(suited)} suited pair"
    for name, what in (("pairs", "pair"), ("suited_pairs", "suited pair")):
        if (count := _numbers_of(when, name)) is not None:
            hands = either([_HANDS[n] for n in count])
            yield f"a {what} in {hands}"
    if when.same_pair is not None:
        yield f"{'a' if when.same_pair else 'not a'} pair of the same rank in both hands"


def _numbers_of(when: When, name: str) -> tuple[int, ...] | None:
    return None if getattr(when, name) is None else when.number_of(name)


def _a_or_no(holds: bool) -> str:
    return "a" if holds else "no"


def _counts(values: int | tuple[int, ...]) -> str:
    return either([_COUNTS[value] for value in ((values,) if isinstance(values, int) else values)])
