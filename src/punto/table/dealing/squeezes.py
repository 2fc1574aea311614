"""Squeezes: who may ask to open a card by hand, and what the house's consent waives."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.table.dealing import commands as c
from punto.table.dealing import events as e
from punto.table.draft import Draft
from punto.table.layout import LaidBet, SqueezeKind
from punto.table.state import Phase, State, Table, shown_points
from punto.table.terms import Faces
from punto.table.verb import Verb, Verbs

MOST_ASKED = 100
"""Times that a squeeze may be asked for in one round."""


def highest_bettor(table: Table) -> str | None:
    """The seated player with the highest main bet; of equal bets the one that was placed first."""
    mains = {table.book.main_area(hand) for hand in Hand}
    seated = [bet for bet in table.state.bets if bet.is_seated and bet.area in mains]
    return max(seated, key=_stake).player if seated else None


def _stake(bet: LaidBet) -> int:
    return bet.stake


def refuse_ask(table: Table, command: c.AskSqueeze) -> Refusal | None:
    squeeze, state = table.book.squeeze, table.state
    if squeeze is None:
        return Refusal(Reason.NO_SQUEEZE, None)
    if table.terms.faces is Faces.UP:
        return Refusal(Reason.FACE_UP_TABLE, squeeze.clause)
    if state.phase is not Phase.DEALING:
        return Refusal(Reason.NOT_DEALING, squeeze.clause)
    highest = highest_bettor(table)
    if highest != command.actor:
        return Refusal(Reason.NOT_HIGHEST, squeeze.clause, {"player": highest or "nobody"})
    if any(asked.consent is None for asked in state.squeezes):
        return Refusal(Reason.ASKED_ALREADY, squeeze.clause)
    if len(state.squeezes) >= MOST_ASKED:
        return Refusal(Reason.TOO_MANY, None, {"what": "squeezes asked for", "count": MOST_ASKED})
    if command.kind is SqueezeKind.CARD:
        return _refuse_card(state, command, squeeze.clause)
    return None if is_banker_certain(table) else Refusal(Reason.NOT_CERTAIN, squeeze.reorder_clause)


def _refuse_card(state: State, command: c.AskSqueeze, clause: str) -> Refusal | None:
    """A card may be asked for before it is dealt, and only once."""
    if command.hand is None or command.number is None:
        return Refusal(Reason.CARD_NEEDED, clause)
    if command.number not in (1, 2, 3):
        params: dict[str, str | int] = {"hand": command.hand.value, "number": command.number}
        return Refusal(Reason.NO_SUCH_CARD, clause, params)
    if len(state.slots(command.hand)) >= command.number:
        return Refusal(Reason.CARD_ALREADY_DEALT, clause)
    return None


def is_banker_certain(table: Table) -> bool:
    """Whether Player draws, and Banker draws whatever that card is, while it has not been opened."""
    state, play = table.state, table.book.play
    player, banker = shown_points(state.player[:2]), shown_points(state.banker)
    if len(state.banker) != 2 or len(state.player) < 2 or player is None or banker is None:
        return False
    if not play.player_draws[player * 10 + banker]:
        return False
    if len(state.player) == 3 and state.player[2].face_up:
        return False
    return not is_reordered(state) and all(play.banker_draws[third][banker] for third in range(10))


def ask_squeeze(draft: Draft, command: c.AskSqueeze) -> None:
    draft.add(
        e.SqueezeAsked(
            *draft.stamp, kind=command.kind, player=command.actor, hand=command.hand, number=command.number
        )
    )


def refuse_answer(table: Table, command: c.AnswerSqueeze) -> Refusal | None:
    """What was asked is answered while it can still be done; too late, it can only be declined."""
    squeeze, state = table.book.squeeze, table.state
    asked = state.squeezes[-1] if state.squeezes else None
    if squeeze is None or asked is None or asked.consent is not None or state.phase is not Phase.DEALING:
        return Refusal(Reason.NOTHING_ASKED, squeeze.clause if squeeze else None)
    if not command.consent:
        return None
    if asked.kind is not SqueezeKind.CARD:
        return None if is_banker_certain(table) else Refusal(Reason.NOT_CERTAIN, squeeze.reorder_clause)
    assert asked.hand is not None and asked.number is not None
    is_open = any(slot.face_up for slot in state.slots(asked.hand)[asked.number - 1 : asked.number])
    return Refusal(Reason.CARD_ALREADY_DEALT, squeeze.clause) if is_open else None


def answer_squeeze(draft: Draft, command: c.AnswerSqueeze) -> None:
    squeeze, asked = draft.book.squeeze, draft.state.squeezes[-1]
    assert squeeze is not None
    reorders = asked.kind is not SqueezeKind.CARD
    draft.add(
        e.SqueezeAnswered(
            *draft.stamp,
            consent=command.consent,
            waives=command.consent and reorders and draft.book.insurance is not None,
            clause=squeeze.reorder_clause if reorders else squeeze.clause,
        )
    )


def is_reordered(state: State) -> bool:
    """Whether the house consented that Banker's third card is opened before Player's third."""
    return any(asked.consent and asked.kind is not SqueezeKind.CARD for asked in state.squeezes)


def may_open(state: State, player: str, hand: Hand, number: int) -> bool:
    """Whether a player was permitted to open this card."""
    return any(
        asked.consent
        and asked.player == player
        and _card(asked.kind, asked.hand, asked.number) == (hand, number)
        for asked in state.squeezes
    )


def _card(kind: SqueezeKind, hand: Hand | None, number: int | None) -> tuple[Hand | None, int | None]:
    if kind is SqueezeKind.BANKER_THIRD_FIRST:
        return Hand.BANKER, 3
    if kind is SqueezeKind.BANKER_THIRD_SHOWN:
        return Hand.PLAYER, 3
    return hand, number


VERBS: Verbs = {
    c.AskSqueeze: Verb(refuse=refuse_ask, carry_out=ask_squeeze),
    c.AnswerSqueeze: Verb(refuse=refuse_answer, carry_out=answer_squeeze),
}
