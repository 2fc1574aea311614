"""Bots at the other boxes of a table: table, seat and random bytes give a command, and nothing is remembered.

A bot bets in its own manner, insures and decides antes by simple habits, and gives only commands that the
table accepts. Its manner goes with its name, so whoever seats a bot chooses both. A person who plays in a
terminal and a floor that runs tables by the clock can seat the same bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from punto.rules.authority import Role
from punto.rules.book_text import Area
from punto.rules.outcome import Hand
from punto.table.acting import refusal_of
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.betting import PlaceBet
from punto.table.command import Command
from punto.table.insurance import TakeInsurance, greatest_stake, open_offer
from punto.table.state import Phase, Table

MOST_UNITS = 8  # A bot stakes 1 to this many minimum bets.


class Manner(Enum):
    """How a bot bets."""

    STEADY = "steady"  # The minimum on Banker, every round.
    LOYAL = "loyal"  # Some units on Player, every round.
    RESTLESS = "restless"  # Either side, any stake, and now and then nothing.
    HOPEFUL = "hopeful"  # A main bet, and a side bet beside it.
    CAREFUL = "careful"  # The minimum on either side; insures to the cap.
    BOLD = "bold"  # Many units on Banker; goes on with every ante.


BOTS: dict[str, Manner] = {
    "Amber": Manner.STEADY,
    "Birch": Manner.LOYAL,
    "Cedar": Manner.RESTLESS,
    "Dune": Manner.HOPEFUL,
    "Ember": Manner.CAREFUL,
    "Fjord": Manner.BOLD,
    "Grove": Manner.STEADY,
    "Heron": Manner.RESTLESS,
}
"""The bots that can be seated, by name."""


def next_bot(table: Table, seat: int, random: Iterable[int]) -> Command | None:
    """What the bot in this seat does now; None where it has nothing more to do.

    `random` are bytes; the same ones give the same command. Asked again after its command, a bot goes on
    until it is done.
    """
    name = table.state.seats.get(seat)
    if name is None or name not in BOTS or name in table.state.away:
        return None
    command = _Bot(table, seat, name, BOTS[name], iter(random)).decide()
    return command if command is not None and refusal_of(table, command) is None else None


@dataclass(frozen=True, slots=True)
class _Bot:
    """A bot that looks at a table once."""

    table: Table
    seat: int
    name: str
    manner: Manner
    bytes: Iterator[int]

    def decide(self) -> Command | None:
        state = self.table.state
        if state.phase is Phase.BETTING:
            return self._bet()
        if state.phase is Phase.ANTES:
            return self._ante()
        return self._insurance() if state.phase is Phase.DEALING and state.window is not None else None

    def _bet(self) -> Command | None:
        """A main bet first, then whatever the manner puts beside it."""
        book, mine = self.table.book, {bet.area for bet in self.table.state.bets if bet.player == self.name}
        beside: list[str] = []
        if not mine:
            return self._main()
        if self.manner is Manner.HOPEFUL and len(mine) == 1:
            beside = [bet.area for bet in book.bets if bet.kind is Area.SIDE]
        antes = sorted(bet.area for bet in book.bets if bet.kind is Area.ANTE)
        if self.manner is Manner.BOLD and not mine.intersection(antes):
            beside = antes
        return self._place(beside[self._below(len(beside))], 1) if beside else None

    def _main(self) -> Command | None:
        hand, units = Hand.PLAYER if self._below(2) else Hand.BANKER, 1  # one byte in any case
        match self.manner:
            case Manner.STEADY:
                hand = Hand.BANKER
            case Manner.BOLD:
                hand, units = Hand.BANKER, MOST_UNITS
            case Manner.LOYAL:
                hand, units = Hand.PLAYER, 1 + self._below(4)
            case Manner.RESTLESS:
                units = self._below(MOST_UNITS + 1)
        return self._place(self.table.book.main_area(hand), units) if units else None

    def _ante(self) -> Command | None:
        """Bold bots go on; the others give up now and then."""
        ante = self.table.book.ante
        mine = [area for _, player, area in self.table.state.antes_open if player == self.name]
        if ante is None or not mine:
            return None
        laid = self.table.state.bet(self.seat, self.name, mine[0])
        pair = next(pair for pair in ante.pairs if pair.ante == mine[0])
        assert laid is not None
        if self.manner is not Manner.BOLD and not self._below(3):
            return GiveUpAnte(actor=self.name, role=Role.PLAYER, box=self.seat, area=mine[0])
        amount = laid.stake * ante.multiple
        return PlaceWager(actor=self.name, role=Role.PLAYER, box=self.seat, area=pair.wager, amount=amount)

    def _insurance(self) -> Command | None:
        """Careful bots insure to the cap, restless ones sometimes; the others take none."""
        state = self.table.state
        taken = any(laid.player == self.name and laid.window == state.window for laid in state.insured)
        if taken or self.manner not in (Manner.CAREFUL, Manner.RESTLESS):
            return None
        for made in (made for made in state.offers if made.player == self.name):
            offer = open_offer(self.table, made.box, made.player, made.hand)
            most = greatest_stake(self.table, made.box, made.player, offer) if offer is not None else 0
            if most > 0 and (self.manner is Manner.CAREFUL or self._below(2)):
                return TakeInsurance(actor=self.name, role=Role.PLAYER, box=made.box, hand=made.hand, amount=most)
        return None

    def _place(self, area: str, units: int) -> Command:
        """A stake of this many minimum bets on an area, or as many as its maximum allows."""
        limits = self.table.terms.limits_of(area)
        most = units if limits.maximum is None else max(1, min(units, limits.maximum // limits.minimum))
        return PlaceBet(actor=self.name, role=Role.PLAYER, box=self.seat, area=area, amount=most * limits.minimum)

    def _below(self, n: int) -> int:
        """A number below n, which is small; bytes that would favour some numbers are passed over."""
        while (byte := next(self.bytes)) >= 256 - 256 % n:
            pass
        return byte % n
