"""The conditions of a pay table in words, for the pay tables of a report."""

from __future__ import annotations

from itertools import groupby

from punto.rules.outcome import Outcome, Result, format_odds, parse_odds
from punto.rules.text.bet import Bet, PayRow
from punto.rules.text.when import When

_WINNERS = {"player": "Player wins", "banker": "Banker wins", "tie": "tie"}


def rows_of(bet: Bet, outcome: Outcome) -> str:
    """In words, when a bet comes to an outcome."""
    return "; ".join(_when(row) for row in bet.pays if _is_of(row, outcome))


def result_of(outcome: Outcome) -> str:
    """What an outcome pays: `12:1`, `push` or `lose`."""
    return outcome.result.value if outcome.odds is None else format_odds(outcome.odds)


def _is_of(row: PayRow, outcome: Outcome) -> bool:
    if row.clause != outcome.clause:
        return False
    if row.odds is not None:
        return outcome.result is Result.WIN and outcome.odds == parse_odds(row.odds)
    return row.result is outcome.result


def _when(row: PayRow) -> str:
    if row.when is None:
        return "all else"
    whens = row.when if isinstance(row.when, tuple) else (row.when,)
    return " or ".join(_facts(when) for when in whens)


def _facts(when: When) -> str:
    facts = []
    for name in when.__struct_fields__:
        value = getattr(when, name)
        if value is not None:
            facts.append(_fact(name, value if isinstance(value, tuple) else (value,)))
    return ", ".join(facts)


def _fact(name: str, values: tuple[object, ...]) -> str:
    words = name.replace("_", " ")
    if name == "winner":
        return " or ".join(_WINNERS[str(getattr(value, "value", value))] for value in values)
    if isinstance(values[0], bool):
        return words if values[0] else f"no {words}"
    return f"{words} {_values(values)}"


def _values(values: tuple[object, ...]) -> str:
    """Values with runs of numbers drawn together: `1–5, 7`."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < len(values):
        return ", ".join(map(str, values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(sorted(numbers)), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run)
    return ", ".join(pieces)
