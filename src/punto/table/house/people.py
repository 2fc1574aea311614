"""Who sits where, who stands behind, who is away, and for whom somebody acts."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.table.draft import Draft
from punto.table.header import CommandHeader, subject
from punto.table.house import commands as c
from punto.table.house import events as e
from punto.table.state import Phase, Table
from punto.table.terms import boxes_of
from punto.table.verb import Verb, Verbs


def refuse_subject(command: CommandHeader) -> Refusal | None:
    """A player acts for nobody else; staff say for whom they act."""
    named = getattr(command, "player", None)
    if command.role is Role.PLAYER:
        if named not in (None, command.actor):
            return Refusal(Reason.NOT_YOURS, None, {"actor": command.actor, "player": str(named)})
    elif not named:
        params: dict[str, str | int] = {"command": command.name(), "role": command.role.value}
        return Refusal(Reason.NO_PLAYER, None, params)
    return None


def refuse_seat(table: Table, command: c.TakeSeat) -> Refusal | None:
    player = subject(command)
    boxes = boxes_of(table.book, table.terms)
    if not 1 <= command.box <= boxes:
        clause = table.book.betting.boxes_clause
        return Refusal(Reason.UNKNOWN_BOX, clause, {"box": command.box, "boxes": boxes})
    seated = table.state.seats.get(command.box)
    if seated is not None:
        clause = table.book.betting.boxes_clause
        return Refusal(Reason.SEAT_TAKEN, clause, {"box": command.box, "player": seated})
    boxes_held = table.state.boxes_of(player)
    if len(boxes_held) >= table.terms.boxes_each:
        return Refusal(Reason.ALREADY_SEATED, None, {"box": boxes_held[0], "player": player})
    # A further box has no bets in it yet, so nobody's bets change their rank.
    return None if boxes_held else _refuse_live_bets(table, player)


def take_seat(draft: Draft, command: c.TakeSeat) -> None:
    insurance = draft.book.insurance
    notice = insurance.notice_clause if insurance and not draft.terms.insurance else None
    draft.add(e.SeatTaken(*draft.stamp, box=command.box, player=subject(command), notice=notice))


def refuse_leave(table: Table, command: c.LeaveSeat) -> Refusal | None:
    player = subject(command)
    if table.state.box_of(player) is None:
        return Refusal(Reason.NOT_SEATED, None, {"player": player})
    return _refuse_live_bets(table, player)


def _refuse_live_bets(table: Table, player: str) -> Refusal | None:
    """Seats do not change while a player has bets: seated and standing bets rank differently."""
    if table.state.phase is not Phase.IDLE and player in table.state.bettors:
        return Refusal(Reason.BETS_LIE, None, {"player": player})
    return None


def leave_seat(draft: Draft, command: c.LeaveSeat) -> None:
    player = subject(command)
    for box in draft.state.boxes_of(player):
        draft.add(e.SeatLeft(*draft.stamp, box=box, player=player))


def refuse_walk_away(table: Table, command: c.WalkAway) -> Refusal | None:
    player = subject(command)
    state = table.state
    if player in state.away:
        return Refusal(Reason.ALREADY_AWAY, None, {"player": player})
    if player not in state.seats.values() and player not in state.bettors:
        return Refusal(Reason.NOT_AT_TABLE, None, {"player": player})
    return None


def refuse_come_back(table: Table, command: c.ComeBack) -> Refusal | None:
    player = subject(command)
    return None if player in table.state.away else Refusal(Reason.NOT_AWAY, None, {"player": player})


VERBS: Verbs = {
    c.TakeSeat: Verb(
        refuse=refuse_seat,
        carry_out=take_seat,
        in_a_case=True,
        in_a_pause=True,
        names_player=True,
        in_person=True,
    ),
    c.LeaveSeat: Verb(
        refuse=refuse_leave, carry_out=leave_seat, in_a_case=True, in_a_pause=True, names_player=True
    ),
    c.WalkAway: Verb(
        refuse=refuse_walk_away,
        carry_out=lambda draft, command: draft.add(e.WalkedAway(*draft.stamp, player=subject(command))),
        in_a_case=True,
        in_a_pause=True,
        names_player=True,
    ),
    c.ComeBack: Verb(
        refuse=refuse_come_back,
        carry_out=lambda draft, command: draft.add(e.CameBack(*draft.stamp, player=subject(command))),
        in_a_case=True,
        in_a_pause=True,
        names_player=True,
    ),
}
