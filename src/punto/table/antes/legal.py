"""Which antes may be decided now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.role import Role
from punto.table.antes import commands as c
from punto.table.antes.decisions import pair_with
from punto.table.asking import Asking, Legal


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    for box, player, area in asking.state.antes_open:
        pair, ante = pair_with(asking.table, area), asking.state.bet(box, player, area)
        rules = asking.table.book.ante
        if pair is None or ante is None or rules is None:
            continue
        if asking.role is Role.PLAYER and player != asking.actor:
            continue
        named = None if asking.role is Role.PLAYER else player
        yield asking.offer(c.GiveUpAnte, box=box, area=area, player=named)
        yield asking.offer(
            c.PlaceWager,
            box=box,
            area=pair.wager,
            amount=rules.multiple * ante.stake,
            player=named,
            odds=asking.odds(pair.wager),
        )
    yield asking.offer(c.ExpireAntes)
