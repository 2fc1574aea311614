"""What the table decided for a player who did not: an ante given up by the clock, options that continue, insurance
that is forgone, a draw or a card that the dealer took, a bet that went back without the player's doing.

Each follows from an event and the table before it, so the log of any version tells it. Histories say it to the player,
with the reason and the clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from punto.money import Money
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.outcome import Hand
from punto.table.antes import AnteGivenUp
from punto.table.betting import BetReturned, ReturnReason
from punto.table.dealing import CardRevealed, DrawTaken, may_open_card
from punto.table.event import Event
from punto.table.insurance import InsuranceClosed, InsuranceDeclined, InsuranceOffered
from punto.table.irregularity_events import BetsReturned, Effect, OptionChosen, Ruled
from punto.table.state import Stake, State


class Decided(Enum):
    """What was decided."""

    ANTE_GIVEN_UP = "ante-given-up"
    CONTINUED = "continued"  # After an irregularity, where the bets could have gone back.
    INSURANCE_FORGONE = "insurance-forgone"
    DRAW_TAKEN = "draw-taken"  # The dealer draws the other cards of the round.
    CARD_OPENED = "card-opened"  # A card that the player could have opened.
    BET_RETURNED = "bet-returned"


class DecidedBecause(Enum):
    """Why the player did not decide it."""

    TIME = "time"  # The time was over, or the next card came.
    AWAY = "away"  # The player was not at the table.
    RULE = "rule"  # The book or the limits of the table leave no choice.
    STAFF = "staff"  # Somebody of the house did it.


class DefaultDecision(msgspec.Struct, frozen=True):
    """One decision that was taken for a player."""

    seq: int  # The event.
    time: int
    player: str
    what: Decided
    why: DecidedBecause
    by: str  # Whose act led to it.
    clause: str | None  # None where the book is silent: it is a term of the house.
    box: int | None = None
    area: str | None = None
    amount: Money = 0  # What lay there, or went back.


def default_decisions(book: Book, before: State, event: Event, seq: int) -> Iterator[DefaultDecision]:
    """What an event decided for players; `before` is the table before it."""

    def made(player: str, what: Decided, why: DecidedBecause, clause: str | None) -> DefaultDecision:
        return DefaultDecision(seq, event.time, player, what, why, event.by, clause)

    def by_default(player: str, what: Decided, clause: str | None) -> DefaultDecision:
        why = DecidedBecause.TIME if before.is_here(player) else DecidedBecause.AWAY
        return made(player, what, why, clause)

    match event:
        case AnteGivenUp() if not _is_own(event, event.player):
            ante = before.bet(event.box, event.player, event.area)
            decision = by_default(event.player, Decided.ANTE_GIVEN_UP, event.clause)
            yield _at(decision, Stake(event.box, event.player, event.area, ante.stake if ante else 0))
        case OptionChosen() if not _is_own(event, event.player):
            yield by_default(event.player, Decided.CONTINUED, event.clause)
        case InsuranceClosed():
            for player in event.forgone:
                yield by_default(player, Decided.INSURANCE_FORGONE, event.clause)
        case InsuranceDeclined() if not _is_own(event, event.player):
            clause = book.insurance.forgone_clause if book.insurance else None
            yield made(event.player, Decided.INSURANCE_FORGONE, DecidedBecause.STAFF, clause)
        case InsuranceOffered() if not before.windows_seen:
            clause = book.insurance.forgone_clause if book.insurance else None
            for player in _not_asked(book, before, event):
                yield made(player, Decided.INSURANCE_FORGONE, DecidedBecause.AWAY, clause)
        case DrawTaken():
            yield by_default(event.player, Decided.DRAW_TAKEN, event.clause)
        case CardRevealed() if event.role is not Role.PLAYER:
            clause = book.squeeze.clause if book.squeeze else None
            for player in before.bettors:
                if may_open_card(before, player, event.hand, event.number):
                    yield by_default(player, Decided.CARD_OPENED, clause)
        case BetReturned() if not _is_own(event, event.player):
            is_for = event.why in (ReturnReason.WITHDRAWN, ReturnReason.REDUCED)
            why = DecidedBecause.STAFF if is_for else DecidedBecause.RULE
            stake = Stake(event.box, event.player, event.area, event.amount)
            yield _at(made(event.player, Decided.BET_RETURNED, why, event.clause), stake)
        case Ruled() if event.effect is Effect.RETURN:
            for stake in event.returned:
                why = DecidedBecause.STAFF
                yield _at(made(stake.player, Decided.BET_RETURNED, why, event.clause), stake)
        case BetsReturned():
            for stake in event.bets:
                yield _at(made(stake.player, Decided.BET_RETURNED, DecidedBecause.RULE, event.clause), stake)
        case _:
            return


def _is_own(event: Event, player: str) -> bool:
    return event.role is Role.PLAYER and event.by == player


def _at(decision: DefaultDecision, stake: Stake) -> DefaultDecision:
    return msgspec.structs.replace(decision, box=stake.box, area=stake.area, amount=stake.amount)


def _not_asked(book: Book, before: State, event: InsuranceOffered) -> list[str]:
    """Who walked away from a bet of this round, and would have been offered insurance on it."""
    areas = {book.main_area(Hand(hand)) for hand in event.odds}
    held = (bet.player for bet in before.bets if bet.area in areas)
    return [player for player in dict.fromkeys(held) if player in before.walked_off]
