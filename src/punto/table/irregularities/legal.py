"""What may be reported, and done about it, now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.facts import Hand
from punto.rules.text.irregularity import Irregular, Remedy
from punto.table.asking import Asking, Legal
from punto.table.irregularities import commands as c


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    yield asking.offer(c.ReplaceCards)
    if asking.may(c.Report):
        yield from _reports(asking)
    yield asking.offer(c.DismissReport, reason="-", free=("reason",))
    for possible in (True, False):
        yield asking.offer(c.JudgeReconstruction, possible=possible)
    if asking.state.case is not None:
        yield asking.offer(c.OrderCards, cards=asking.state.case.cards, free=("cards",))
    yield asking.offer(c.VoidRound, free=("reason",))
    for option in c.Option:
        yield asking.offer(c.ChooseOption, option=option)
    yield asking.offer(c.CloseOptions)
    yield asking.offer(c.ReturnBets)
    for effect in c.Effect:
        players = asking.state.bettors if effect is c.Effect.RETURN else ()
        yield asking.offer(c.Rule, effect=effect, reason="-", players=players, free=("reason", "players"))


def _reports(asking: Asking) -> Iterator[Legal]:
    evidence = ("cards", "placed", "hand", "number", "note", "round")
    for kind in Irregular:
        if asking.state.round > 1:
            earlier = asking.state.round - 1
            yield asking.offer(c.Report, kind=kind, round=earlier, free=evidence)
        entry = asking.table.book.irregularity(kind)
        if entry is None:
            continue
        if entry.remedy is Remedy.PLAY_ON:
            for hand in Hand:
                for number, slot in enumerate(asking.state.slots(hand), start=1):
                    cards = (asking.card_left(),) if slot.card is None else ()
                    free = ("cards", "placed", "note", "round")
                    yield asking.offer(c.Report, kind=kind, hand=hand, number=number, cards=cards, free=free)
        else:
            needed = 2 if entry.remedy is Remedy.ORDER_CARDS else 0
            yield asking.offer(c.Report, kind=kind, cards=(asking.card_left(),) * needed, free=evidence)
