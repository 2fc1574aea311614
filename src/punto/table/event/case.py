"""What happens when something goes wrong."""

from __future__ import annotations

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.rules.text.irregularity import Irregular
from punto.table.command import Effect, Option
from punto.table.event.header import EventHeader, Stake


class CaseOpened(EventHeader, frozen=True):
    kind: Irregular
    clause: str | None
    cards: tuple[Card, ...] = ()
    placed: tuple[Hand, ...] = ()
    hand: Hand | None = None
    number: int | None = None
    note: str = ""
    awaits: str = ""
    """What is to come: order, judgement, void, options, return-bets or ruling."""


class CaseClosed(EventHeader, frozen=True):
    kind: Irregular
    resolution: str
    """How it ended: dismissed, played-on, completed, continued, reconstructed, ordered, chosen, returned or
    ruled.
    """
    clause: str | None = None
    reason: str = ""


class ErrorFoundLate(EventHeader, frozen=True):
    """An error of an earlier round: noted, and without effect here."""

    kind: Irregular
    round: int
    clause: str | None
    note: str = ""


class ReconstructionJudged(EventHeader, frozen=True):
    possible: bool
    clause: str | None


class CardsOrdered(EventHeader, frozen=True):
    cards: tuple[Card, ...]
    clause: str | None


class CardsReconstructed(EventHeader, frozen=True):
    """The hands as the order of the cards makes them; what is over starts the next round."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    carried: tuple[Card, ...] = ()
    clause: str | None = None


class OptionsGiven(EventHeader, frozen=True):
    players: tuple[str, ...]
    is_reconstructed: bool
    """Continue means with the reconstructed hand."""
    clause: str | None


class OptionChosen(EventHeader, frozen=True):
    player: str
    option: Option
    clause: str | None
    returned: tuple[Stake, ...] = ()


class CardsReplaced(EventHeader, frozen=True):
    clause: str | None


class BetsReturned(EventHeader, frozen=True):
    """Original bets that go back because insurance was not offered."""

    bets: tuple[Stake, ...]
    clause: str | None


class Ruled(EventHeader, frozen=True):
    effect: Effect
    reason: str
    players: tuple[str, ...]
    clause: str | None
    returned: tuple[Stake, ...] = ()


class RoundVoided(EventHeader, frozen=True):
    """The round has no result: every bet of it goes back."""

    round: int
    clause: str | None
    returned: tuple[Stake, ...]
    reason: str = ""
