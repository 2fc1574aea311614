"""Up the Ante: a card is shown, then each ante is given up or followed by its wager."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules import holdings
from punto.rules.role import Role
from punto.rules.text.ante import AntePair
from punto.table.antes import commands as c
from punto.table.antes import events as e
from punto.table.dealing.decisions import proceed
from punto.table.draft import Draft
from punto.table.header import subject
from punto.table.layout import LaidBet
from punto.table.state import Table
from punto.table.verb import Verb, Verbs


def pair_with(table: Table, area: str) -> AntePair | None:
    """The ante and wager that a betting area belongs to."""
    pairs = table.book.ante.pairs if table.book.ante else ()
    return next((pair for pair in pairs if area in (pair.ante, pair.wager)), None)


def refuse_wager(table: Table, command: c.PlaceWager) -> Refusal | None:
    pair = pair_with(table, command.area)
    rules = table.book.ante
    if pair is None or rules is None or command.area != pair.wager:
        return _refuse_area(table, command, pair)
    bet = _open_ante(table, command.box, subject(command), pair.ante)
    return holdings.refuse_wager(table.book, command.area, command.amount, bet.stake if bet else None)


def _refuse_area(table: Table, command: c.PlaceWager, pair: AntePair | None) -> Refusal:
    """A wager where none goes: on the ante itself, on another bet, or on nothing of this book."""
    rules, params = table.book.ante, dict[str, str | int](area=command.area)
    if refusal := holdings.refuse_area(table.book, command.area):
        return refusal
    if rules is None:
        return Refusal(Reason.NO_ANTE_OPEN, None, {"area": command.area})
    params["wagers"] = pair.wager if pair else ", ".join(each.wager for each in rules.pairs)
    return Refusal(Reason.NOT_A_WAGER, rules.wager_clause, params)


def _open_ante(table: Table, box: int, player: str, ante: str) -> LaidBet | None:
    return table.state.bet(box, player, ante) if (box, player, ante) in table.state.antes_open else None


def place_wager(draft: Draft, command: c.PlaceWager) -> None:
    pair = pair_with(draft.table, command.area)
    assert pair is not None
    draft.add(
        e.WagerPlaced(
            *draft.stamp,
            box=command.box,
            player=subject(command),
            area=pair.wager,
            amount=command.amount,
            ante=pair.ante,
        )
    )
    proceed(draft)


def refuse_give_up(table: Table, command: c.GiveUpAnte) -> Refusal | None:
    """Staff give up an ante only for a player who has left."""
    player = subject(command)
    bet = _open_ante(table, command.box, player, command.area)
    if refusal := holdings.refuse_ante(table.book, command.area, bet.stake if bet else None):
        return refusal
    if command.role is not Role.PLAYER and player not in table.state.away:
        rules = table.book.ante
        return Refusal(Reason.PLAYERS_PRESENT, rules.clause if rules else None, {"players": player})
    return None


def give_up_ante(draft: Draft, command: c.GiveUpAnte) -> None:
    _give_up(draft, command.box, subject(command), command.area)
    proceed(draft)


def _give_up(draft: Draft, box: int, player: str, area: str) -> None:
    rules = draft.book.ante
    assert rules is not None
    draft.add(e.AnteGivenUp(*draft.stamp, box=box, player=player, area=area, clause=rules.give_up_clause))


def refuse_expire(table: Table, _: c.ExpireAntes) -> Refusal | None:
    if table.state.antes_open:
        return None
    rules = table.book.ante
    return Refusal(Reason.NO_CASE, rules.clause if rules else None, {"why": "no ante is open"})


def expire_antes(draft: Draft, _: c.ExpireAntes) -> None:
    for box, player, area in draft.state.antes_open:
        _give_up(draft, box, player, area)
    proceed(draft)


VERBS: Verbs = {
    c.PlaceWager: Verb(refuse=refuse_wager, carry_out=place_wager, names_player=True, in_person=True),
    c.GiveUpAnte: Verb(refuse=refuse_give_up, carry_out=give_up_ante, names_player=True),
    c.ExpireAntes: Verb(refuse=refuse_expire, carry_out=expire_antes),
}
