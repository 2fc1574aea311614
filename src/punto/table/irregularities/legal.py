"""What may be reported, and done about it, now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.table.asking import Asking, Legal
from punto.table.irregularities import commands as c
from punto.table.irregularities.hands import names_together
from punto.table.irregularities.sighting import Seen

_EVIDENCE = ("cards", "seen", "order", "note")


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    state, case = asking.state, asking.state.case
    yield asking.offer(c.ReplaceCards)
    for seen in Seen:
        yield asking.offer(c.Report, seen=(seen,), free=_EVIDENCE)
    if state.round > 1:
        yield asking.offer(
            c.Report, seen=(Seen.UNCOVERED,), round=state.round - 1, free=(*_EVIDENCE, "round")
        )
    if case is not None:
        for seen in case.evidence.seen:
            yield asking.offer(c.WithdrawEvidence, seen=(seen,), free=("cards", "seen"))
        for number in range(1, len(case.evidence.cards) + 1):
            yield asking.offer(c.WithdrawEvidence, cards=(number,), free=("cards", "seen"))
        group = names_together(asking.table.state.round_terms, case.evidence)
        yield asking.offer(c.OrderCards, cards=group, free=("cards",))
    yield asking.offer(c.DismissReport, reason="-", free=("reason",))
    for possible in (True, False):
        yield asking.offer(c.JudgeReconstruction, possible=possible)
    yield asking.offer(c.VoidRound, free=("reason",))
    for option in c.Option:
        yield asking.offer(c.ChooseOption, option=option, free=("round",))
    yield asking.offer(c.CloseOptions)
    yield asking.offer(c.ExpireOptions)
    yield asking.offer(c.ReturnBets)
    for effect in c.Effect:
        players = state.bettors if effect is c.Effect.RETURN else ()
        yield asking.offer(c.Rule, effect=effect, reason="-", players=players, free=("reason", "players"))
