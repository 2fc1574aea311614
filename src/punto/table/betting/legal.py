"""What may be bet now, and the least and the most of it."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.role import Role
from punto.table.asking import Asking, Legal
from punto.table.betting import commands as c
from punto.table.betting.limits import most_taken_off, room
from punto.table.state import Phase
from punto.table.terms import Noticing, boxes_of


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    yield asking.offer(c.CallBets)
    yield asking.offer(c.CloseBets)
    if asking.state.phase is Phase.BETTING and asking.may(c.PlaceBet):
        for player in (*asking.players, *asking.newcomers):
            for box in range(1, boxes_of(asking.table.book, asking.table.terms) + 1):
                for bet in asking.table.book.bets:
                    yield _place(asking, player, box, bet.area)
    for lying in asking.state.bets:
        player = None if asking.role is Role.PLAYER else lying.player
        if asking.role is Role.PLAYER and lying.player != asking.actor:
            continue
        yield asking.offer(c.WithdrawBet, box=lying.box, area=lying.area, player=player)
        terms = asking.table.terms
        yield asking.offer(
            c.ReduceBet,
            box=lying.box,
            area=lying.area,
            player=player,
            amount=terms.chip,
            most=most_taken_off(asking.table, lying),
            free=("amount",),
        )
        yield asking.offer(
            c.ReduceBet,
            box=lying.box,
            area=lying.area,
            player=player,
            amount=lying.stake,
            most=lying.stake,
        )
    for box in sorted({lying.box for lying in asking.state.bets}):
        yield asking.offer(c.RejectExcess, box=box)
    for lying in asking.state.bets:
        yield asking.offer(c.AdviseMinimum, box=lying.box, area=lying.area, player=lying.player)


def _place(asking: Asking, player: str | None, box: int, area: str) -> Legal:
    """The least bet that would lie there lawfully, and the greatest that would be taken whole."""
    terms, name = asking.table.terms, player or asking.actor
    lying = asking.state.bet(box, name, area)
    stake, limits = lying.stake if lying else 0, terms.limits_of(area)
    strict = terms.noticing is Noticing.STRICT
    least = max(terms.chip, limits.minimum - stake) if strict else terms.chip
    least += -least % terms.chip
    is_seated = asking.state.seats.get(box) == name
    bounds = [room(asking.table, box, area, is_seated=is_seated)] if strict else []
    bounds.append(limits.maximum - stake if strict and limits.maximum is not None else None)
    known = [bound for bound in bounds if bound is not None]
    return asking.offer(
        c.PlaceBet,
        box=box,
        area=area,
        amount=least,
        player=player,
        free=("amount", *asking.any_name(player)),
        most=min(known) if known else None,
        odds=asking.odds(area),
    )
