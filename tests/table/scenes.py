"""Scenes at a table, in few words: an opened table, its staff and its players.

    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.close()
    scene.deal("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=Hand.PLAYER, amount=1000)

Staff are known by their names; everybody else is a player. `do` insists that a command is accepted, `refuse`
that it is refused and that nothing changed. Amounts are minor units.
"""

from __future__ import annotations

from typing import Any

from punto import books
from punto.cards import parse_cards
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table import Refusal, Table, decide, default_terms, evolved
from punto.table.betting import BetReturned, CallBets, CloseBets, PlaceBet
from punto.table.dealing import DealCard, RevealCard
from punto.table.event import Event
from punto.table.header import CommandHeader
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.irregularity_case import Seen, parse_sighting
from punto.table.irregularity_events import BetsReturned, Report, VoidRound
from punto.table.settlement import SettleRound
from punto.table.state import SettledBet, State
from punto.table.terms import Terms

DEALER, SUPERVISOR, MANAGER, SHIFT = "Dan", "Sue", "Mae", "Shaw"
STAFF = {DEALER: Role.DEALER, SUPERVISOR: Role.PIT_SUPERVISOR, MANAGER: Role.PIT_MANAGER, SHIFT: Role.SHIFT_MANAGER}
P, B = Hand.PLAYER, Hand.BANKER


def terms_of(name: str, /, **terms: Any) -> Terms:
    """The default terms of a book with nothing burned, changed as said."""
    fields = {field: getattr(default_terms(books.load(name)), field) for field in Terms.__struct_fields__}
    return Terms(**{**fields, "burn": "none", **terms})


class Scene:
    """A table that is being played at."""

    def __init__(self, book: str = "insurance", *, load: bool = True, **terms: Any) -> None:
        self.table = Table(books.load(book))
        self.log: list[Event] = []
        self.do(OpenTable, SUPERVISOR, terms=terms_of(book, **terms))
        if load:
            self.do(LoadShoe)

    @property
    def state(self) -> State:
        return self.table.state

    def give(self, command: Any) -> tuple[Event, ...] | Refusal:
        """Give any command; what it causes is folded in."""
        answer = decide(self.table, command)
        if not isinstance(answer, Refusal):
            self.table = evolved(self.table, answer)
            self.log += answer
        return answer

    def do(self, what: type[CommandHeader], by: str = DEALER, /, **fields: Any) -> list[Any]:
        """Give a command that must be accepted; its events."""
        answer = self.give(made(what, by, **fields))
        assert not isinstance(answer, Refusal), f"{what.__name__}: {answer.sentence}"
        return list(answer)

    def refuse(self, what: type[CommandHeader], by: str = DEALER, /, **fields: Any) -> str:
        """Give a command that must be refused: the reason, and after a blank the clause if there is one."""
        before, length = self.table, len(self.log)
        answer = self.give(made(what, by, **fields))
        assert isinstance(answer, Refusal), f"{what.__name__} was accepted: {answer}"
        assert self.table is before and len(self.log) == length
        assert answer.sentence, "every reason has a sentence, and all its parameters"
        return f"{answer.reason.value} {answer.clause}" if answer.clause else answer.reason.value

    # ── What every round is made of ──────────────────────────────────────────────────────────────

    def seat(self, player: str, box: int) -> None:
        self.do(TakeSeat, player, box=box)

    def call(self) -> None:
        self.do(CallBets)

    def bet(self, player: str, area: str, amount: int, box: int | None = None) -> list[Any]:
        return self.do(PlaceBet, player, box=box or self.box(player), area=area, amount=amount)

    def box(self, player: str) -> int:
        box = self.state.box_of(player)
        assert box is not None, f"{player} stands: name the box"
        return box

    def close(self) -> None:
        self.do(CloseBets)

    def start(self, **bets: str) -> None:
        """Seat players at boxes 1, 2, …, take their bets (`Ann="player=1000 tie=500"`) and close."""
        for box, player in enumerate(bets, start=1):
            if self.state.box_of(player) is None:
                self.seat(player, box)
        self.call()
        for player, text in bets.items():
            for bet in text.split():
                area, amount = bet.split("=")
                self.bet(player, area, int(amount))
        if self.table.book.betting.closes.by.value == "call":
            self.close()

    def deal(self, cards: str) -> list[Any]:
        """Deal cards one by one; all events of them."""
        events = []
        for card in parse_cards(cards):
            events += self.do(DealCard, card=card)
        return events

    def open_all(self) -> list[Any]:
        """The dealer turns up everything that lies face down, Banker's third before Player's."""
        events: list[Any] = []
        for hand, number in ((P, 1), (B, 1), (P, 2), (B, 2), (B, 3), (P, 3)):
            slots = self.state.slots(hand)
            if len(slots) >= number and not slots[number - 1].face_up:
                events += self.do(RevealCard, hand=hand, number=number)
        return events

    def settle(self) -> list[str]:
        """Settle the round: each line as `Ann player win +1000 by 4.1.1`."""
        (settled,) = self.do(SettleRound)
        return [line(bet) for bet in settled.bets]

    def report(self, cards: str = "", seen: str = "", by: str = DEALER, **fields: Any) -> list[Any]:
        """Report what was seen: entries as a session writes them (`5H:banker 3:player`), and facts."""
        return self.do(Report, by, **evidence(cards, seen), **fields)

    def refuse_report(self, cards: str = "", seen: str = "", by: str = DEALER, **fields: Any) -> str:
        """Report what must be refused."""
        return self.refuse(Report, by, **evidence(cards, seen), **fields)

    def void(self) -> list[str]:
        """A supervisor voids the round that waits for it; what goes back."""
        return returned(self.do(VoidRound, SUPERVISOR))

    # ── What is to be seen ───────────────────────────────────────────────────────────────────────

    def hands(self) -> str:
        """Both hands: `KS 6D / KH 5C`; a card that lies face down is `??`."""
        return " / ".join(
            " ".join(str(slot.card) if slot.face_up else "??" for slot in slots)
            for slots in (self.state.player, self.state.banker)
        )

    def lying(self) -> list[str]:
        """Everything on the layout: `Ann player 1000`."""
        return [f"{stake.player} {stake.area} {stake.amount}" for stake in self.state.stakes]

    def found(self) -> str:
        """What the open case came to and waits for: `wrong-side awaits judgement 5.8`."""
        case = self.state.case
        assert case is not None and case.found is not None, "no case is open"
        clause = f" {case.found.clause}" if case.found.clause else ""
        return f"{case.found.finding.value} awaits {case.found.awaits.value}{clause}"

    def offers(self) -> list[str]:
        """Insurance offers that are open: `Ann player 3:1 up to 1000`."""
        return [f"{made.player} {made.hand.value} {made.odds} up to {made.most}" for made in self.state.offers]


def made(what: type[CommandHeader], by: str, /, **fields: Any) -> CommandHeader:
    """A command by somebody, in the role that the name tells."""
    role = fields.pop("role", STAFF.get(by, Role.PLAYER))
    return what(actor=by, role=role, **fields)


def evidence(cards: str = "", seen: str = "") -> dict[str, Any]:
    """The fields of a report that say what was seen, of words with blanks between them."""
    return {"cards": tuple(map(parse_sighting, cards.split())), "seen": tuple(map(Seen, seen.split()))}


def line(bet: SettledBet) -> str:
    net = f"{bet.net:+d}" if bet.net else "0"
    return f"{bet.player} {bet.area} {bet.result.value} {net} by {bet.clause}"


def returned(events: list[Any]) -> list[str]:
    """What the events give back, in their order: `Ann player 1000`."""
    found = []
    for event in events:
        if isinstance(event, BetReturned):
            found.append(f"{event.player} {event.area} {event.amount}")
        stakes = event.bets if isinstance(event, BetsReturned) else getattr(event, "returned", ())
        found += [f"{stake.player} {stake.area} {stake.amount}" for stake in stakes]
    return found


def names(events: list[Any]) -> list[str]:
    """The names of events, in their order."""
    return [event.name() for event in events]


PHYSICAL: dict[str, Any] = {"source": SourceKind.ENTERED}
"""Terms of a table whose cards a dealer names."""
