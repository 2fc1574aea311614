"""Settlement in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from punto.money import format_amount, format_exact
from punto.table.settlement import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    fact,
    fields,
)


def _round_settled_facts(event: e.RoundSettled) -> Iterator[FactLine]:
    yield fact("ended", event.round, event.winner.value)
    for bet in event.bets:
        exact = ("exact", format_exact(Fraction(bet.exact))) if bet.exact is not None else ()
        amount = format_amount(bet.net)
        yield fact("settled", bet.box, bet.player, bet.area, bet.result.value, amount, *exact, bet.clause)


def _tell_settled(_: Telling, event: e.RoundSettled) -> Iterator[Told]:
    yield Told(About.SETTLED, f"round {event.round} is settled")


def _tell_reversed(_: Telling, event: e.SettlementReversed) -> Iterator[Told]:
    yield Told(About.CASE, f"the settlement of round {event.round} is taken back")


WORDS = {
    e.RoundSettled: Words(("ended", "settled"), _round_settled_facts, _tell_settled),
    e.SettlementReversed: Words(("reversed",), fields("reversed", "round"), _tell_reversed),
}
