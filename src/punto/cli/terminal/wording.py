"""The values of a book in words: conditions and numbers.

A condition lists facts; people read sentences: `{ winner = "banker", banker_points = 6, banker_cards = 2 }`
becomes "Banker wins on 6 with two cards".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from punto.rules.facts import Winner
from punto.rules.text.bet import PayRow
from punto.rules.text.when import When

_SUBJECTS = {"player": "Player", "banker": "Banker", "winning": "the winner", "losing": "the loser"}
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_HANDS = {0: "no hand", 1: "one hand", 2: "both hands"}


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 deck`, `8 decks`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def numbers(values: int | tuple[int, ...]) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    ordered = sorted({values} if isinstance(values, int) else set(values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(ordered), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run)
    return either(pieces)


def row_words(row: PayRow) -> str:
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
    if when.margin is not None:
        yield f"by {numbers(when.margin)} points" if single else f"the margin is {numbers(when.margin)}"
    if when.points_sum is not None:
        yield f"both hands together have {numbers(when.points_sum)}"
    if when.cards is not None:
        yield f"{_counts(when.cards)} cards in all"
    if when.natural is not None:
        yield "a natural" if when.natural else "no natural"
    yield from _pair_phrases(when)


def _winner_words(winners: tuple[Winner, ...]) -> str:
    if set(winners) == {Winner.PLAYER, Winner.BANKER}:
        return "no tie"
    return either(["tie" if winner is Winner.TIE else f"{winner.value.title()} wins" for winner in winners])


def _hand_phrases(when: When, name: str, subject: str, *, is_winner: bool) -> Iterator[str]:
    points = getattr(when, f"{name}_points")
    cards = getattr(when, f"{name}_cards")
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
    for count, what in ((when.pairs, "pair"), (when.suited_pairs, "suited pair")):
        if count is not None:
            hands = either([_HANDS[n] for n in ((count,) if isinstance(count, int) else count)])
            yield f"a {what} in {hands}"
    if when.same_pair is not None:
        yield f"{'a' if when.same_pair else 'not a'} pair of the same rank in both hands"


def _a_or_no(holds: bool) -> str:
    return "a" if holds else "no"


def _counts(values: int | tuple[int, ...]) -> str:
    return either([_COUNTS[value] for value in ((values,) if isinstance(values, int) else values)])
