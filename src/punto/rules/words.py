"""The values of a book in words: remedies, what players may choose, and people."""

from __future__ import annotations

from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Options, Remedy

REMEDIES: dict[Remedy, str] = {
    Remedy.VOID: "the round is void",
    Remedy.VOID_UNLESS_RECONSTRUCTED: "the round is void, unless the cards can be put right",
    Remedy.RECONSTRUCT: "the cards are put right, and those left over begin the next round",
    Remedy.PLAY_ON: "the round goes on and its result stands",
    Remedy.ORDER_CARDS: "the order of the cards is decided, and the round goes on",
    Remedy.COMPLETE_OR_VOID: "the round is completed if some bet is decided, otherwise void",
    Remedy.NO_EFFECT: "later rounds stand as they are",
    Remedy.RETURN_BETS: "the bets of those concerned are returned",
    Remedy.RULING: "a ruling decides",
}

OPTIONS: dict[Options, str] = {
    Options.NEVER: "",
    Options.ALWAYS: "every player may have the bets back instead",
    Options.NO_OUTCOME: "while no bet is decided, every player may have the bets back instead",
    Options.UNLESS_OUTCOME_AND_RECONSTRUCTED: (
        "every player may have the bets back instead, unless a bet is decided and the cards can be put right"
    ),
}


def rank_name(role: Role) -> str:
    """A role as people write it: `Pit Supervisor`."""
    return role.value.replace("-", " ").title()


def rank_words(role: Role) -> str:
    """A role and, unless it is the highest, those above it: `Pit Supervisor or above`."""
    name = rank_name(role)
    return name if role not in LADDER or role is LADDER[-1] else f"{name} or above"
