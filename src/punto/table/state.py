"""The state of a table: what its events have added up to, and simple questions about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import msgspec

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.coup.coup import points
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.text.irregularity import Irregular
from punto.table.command import SqueezeKind
from punto.table.event import OfferMade, SettledBet, Stake
from punto.table.terms import Terms


class Phase(Enum):
    """Where a table stands in its round."""

    NEW = "new"
    """Not opened yet."""
    IDLE = "idle"
    """Between rounds."""
    BETTING = "betting"
    DEALING = "dealing"
    """Bets are closed, cards are coming."""
    ANTES = "antes"
    """A card is shown, antes are being decided."""
    FINISHED = "finished"
    """All cards are out, nothing is paid yet."""
    CLOSED = "closed"
    """The table is closed for good."""


class AnteState(Enum):
    """What became of an ante so far."""

    OPEN = "open"
    WAGERED = "wagered"
    GIVEN_UP = "given-up"


class LaidBet(msgspec.Struct, frozen=True):
    """A bet as it lies on the layout."""

    box: int
    player: str
    area: str
    stake: int
    is_seated: bool
    is_advised: bool = False
    """The dealer noticed that it is under the minimum and said so."""
    ante: AnteState = AnteState.OPEN

    @property
    def spot(self) -> tuple[int, str, str]:
        return self.box, self.player, self.area


class LaidInsurance(msgspec.Struct, frozen=True):
    """Insurance as it was taken."""

    box: int
    player: str
    hand: Hand
    window: int
    amount: int
    odds: str

    @property
    def area(self) -> str:
        return f"insurance-{self.hand.value}-{self.window}"


class Wish(msgspec.Struct, frozen=True):
    """A player's wish to insure that met no offer."""

    box: int
    player: str
    hand: Hand
    window: int


class Slot(msgspec.Struct, frozen=True):
    """A card on the table; None where it is not known yet."""

    card: Card | None
    face_up: bool


class SqueezeState(msgspec.Struct, frozen=True):
    """A squeeze that was asked for, and what was said to it."""

    kind: SqueezeKind
    player: str
    hand: Hand | None
    number: int | None
    consent: bool | None = None


class Awaits(Enum):
    """What an open case is waiting for."""

    ORDER = "order"
    JUDGEMENT = "judgement"
    VOID = "void"
    OPTIONS = "options"
    RETURN_BETS = "return-bets"
    RULING = "ruling"


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with; the round stands still."""

    kind: Irregular
    awaits: Awaits
    cards: tuple[Card, ...] = ()
    undecided: tuple[str, ...] = ()
    """Players whose choice is still to come."""
    is_reconstructed: bool = False


class State(msgspec.Struct, frozen=True):
    """Everything a table knows of itself."""

    terms: Terms | None = None
    phase: Phase = Phase.NEW
    is_paused: bool = False
    round: int = 0
    shoe_number: int = 0
    shoe: Shoe | None = None
    burn_due: bool = False
    round_shoe: int = 0
    """The shoe from which the current round, or the one just over, was dealt."""
    last_round: int | None = None
    """Once the cut card is out: the last round of this shoe."""
    seats: dict[int, str] = {}
    away: frozenset[str] = frozenset()
    bets: tuple[LaidBet, ...] = ()
    """In the order in which they were first placed."""
    antes_open: tuple[tuple[int, str, str], ...] = ()
    """Antes that are not decided yet: box, player and area of each."""
    player: tuple[Slot, ...] = ()
    banker: tuple[Slot, ...] = ()
    carried: tuple[Card, ...] = ()
    """Cards of an earlier round that come before those of the shoe."""
    window: int | None = None
    """The insurance window that is open, by number of cards."""
    offers: tuple[OfferMade, ...] = ()
    windows_seen: tuple[int, ...] = ()
    """Windows that were offered in this round."""
    neglected: tuple[int, ...] = ()
    insured: tuple[LaidInsurance, ...] = ()
    forgone: frozenset[str] = frozenset()
    is_waived: bool = False
    wishes: tuple[Wish, ...] = ()
    squeezes: tuple[SqueezeState, ...] = ()
    case: Case | None = None
    last_case: Irregular | None = None
    """What last went wrong in the current round, or in the round just over."""
    settled: tuple[SettledBet, ...] | None = None
    """How the round just finished was settled, until the next one begins."""
    winner: Winner | None = None

    def slots(self, hand: Hand) -> tuple[Slot, ...]:
        return self.player if hand is Hand.PLAYER else self.banker

    @property
    def cards_out(self) -> int:
        """Cards of this round on the table."""
        return len(self.player) + len(self.banker)

    @property
    def order(self) -> tuple[Slot, ...]:
        """The cards of this round in the order in which they left the shoe."""
        dealt: list[Slot] = []
        for player, banker in zip(self.player[:2], (*self.banker[:2], None, None), strict=False):
            dealt += [player] if banker is None else [player, banker]
        return (*dealt, *self.player[2:], *self.banker[2:])

    def bet(self, box: int, player: str, area: str) -> LaidBet | None:
        for bet in self.bets:
            if bet.area == area and bet.player == player and bet.box == box:
                return bet
        return None

    def box_of(self, player: str) -> int | None:
        """The box at which a player sits."""
        return next((box for box, seated in self.seats.items() if seated == player), None)

    @property
    def bettors(self) -> tuple[str, ...]:
        """Everybody with a bet in this round, in the order of their first bets."""
        return tuple(dict.fromkeys(bet.player for bet in self.bets))

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """Everything that lies on the layout, insurance too."""
        bets = [Stake(bet.box, bet.player, bet.area, bet.stake) for bet in self.bets]
        return (*bets, *(Stake(taken.box, taken.player, taken.area, taken.amount) for taken in self.insured))

    @property
    def are_cards_in_play(self) -> bool:
        """Whether the cards of the round still belong to the set on the table."""
        return self.shoe is not None and self.shoe_number == self.round_shoe

    def draws_reported(self, awaits: Awaits) -> bool:
        """Whether cards that a report names have left the shoe in play.

        What voids the round is evidence and may be no card of the set at all; cards of an earlier set have
        left the table with it.
        """
        return self.are_cards_in_play and awaits is not Awaits.VOID

    @property
    def is_in_round(self) -> bool:
        return self.phase in (Phase.BETTING, Phase.DEALING, Phase.ANTES, Phase.FINISHED)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the book it is ruled by, and its state."""

    book: Book
    state: State = field(default_factory=State)

    @property
    def terms(self) -> Terms:
        assert self.state.terms is not None, "the table has been opened"
        return self.state.terms


def shown_cards(slots: tuple[Slot, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand if all of them are exposed, else None."""
    cards = tuple(slot.card for slot in slots if slot.face_up and slot.card is not None)
    return cards if len(cards) == len(slots) else None


def shown_points(slots: tuple[Slot, ...]) -> int | None:
    """Points of a hand if all of it is exposed."""
    cards = shown_cards(slots)
    return None if cards is None else points(cards)
