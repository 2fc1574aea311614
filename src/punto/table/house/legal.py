"""What the house and its people may ask now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.table.asking import Asking, Legal
from punto.table.house import commands as c
from punto.table.terms import boxes_of


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    yield asking.offer(c.ChangeTerms, terms=asking.table.terms, free=("terms",))
    yield asking.offer(c.BurnCards, card=asking.card_left(), free=("card",))
    for plain in (c.PauseTable, c.ResumeTable, c.CloseTable, c.LoadShoe):
        yield asking.offer(plain)
    for player in (*asking.players, *asking.newcomers):
        for box in range(1, boxes_of(asking.table.book, asking.table.terms) + 1):
            yield asking.offer(c.TakeSeat, box=box, player=player, free=asking.any_name(player))
    for player in asking.players:
        for command in (c.LeaveSeat, c.WalkAway, c.ComeBack):
            yield asking.offer(command, player=player)
