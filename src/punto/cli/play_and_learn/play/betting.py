"""A player's bets of one round: from a typed line to commands, with what can be undone.

A line says what the player wants; the commands are the difference between that and what lies on the layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from punto.cli.play_and_learn.play.bet_line import BetLine, NotUnderstood
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.money import format_money
from punto.rules.labels import label_of
from punto.rules.role import Role
from punto.table import command as c

Spot = tuple[int, str]
"""A box and a betting area."""


class BetPlacing:
    """The bets of the player at a table, while bets are open."""

    def __init__(self, solo: SoloTable, in_hand: Callable[[], int]) -> None:
        self.solo, self.in_hand = solo, in_hand
        self._before: list[dict[Spot, int]] = []
        self._wanted: dict[Spot, int] = {}

    def begin(self) -> None:
        """A round begins: there is nothing to undo yet."""
        self._before = []

    def laid(self) -> dict[Spot, int]:
        """What the player has on the layout."""
        return {(bet.box, bet.area): bet.stake for bet in self.solo.state.bets if bet.player == PLAYER}

    def commands(self, line: BetLine) -> list[c.Command]:
        """The commands that carry out a line; `NotUnderstood` where it makes no sense now."""
        self._wanted = self._after(line)
        laid = self.laid()
        needy = {bet.area for bet in self.solo.book.bets if bet.needs}
        spots = dict.fromkeys((*laid, *self._wanted))
        # Bets come off first, and what may not lie alone comes off first and is placed last.
        down = sorted(spots, key=lambda spot: spot[1] not in needy)
        up = sorted(spots, key=lambda spot: spot[1] in needy)
        off = [self._lower(spot, laid.get(spot, 0), self._wanted.get(spot, 0)) for spot in down]
        on = [self._raise(spot, self._wanted.get(spot, 0) - laid.get(spot, 0)) for spot in up]
        return [command for command in (*off, *on) if command is not None]

    def remember(self, line: BetLine) -> None:
        """A line was carried out: `undo` takes it back."""
        if line.undo:
            self._before.pop()
        else:
            self._before.append(self._at_start)

    def cost(self, commands: Iterable[c.Command]) -> tuple[int, int]:
        """What these commands stake, and what they take off the layout."""
        wanted = freed = 0
        laid = self.laid()
        for command in commands:
            if isinstance(command, c.PlaceBet):
                wanted += command.amount
            elif isinstance(command, c.ReduceBet):
                freed += command.amount
            elif isinstance(command, c.WithdrawBet):
                freed += laid[command.box, command.area]
        return wanted, freed

    def short_for_wagers(self, commands: Iterable[c.Command], left: int) -> str:
        """A warning, where the antes would need wagers that what is left in hand cannot pay."""
        ante = self.solo.book.ante
        if ante is None or not any(isinstance(command, c.PlaceBet) for command in commands):
            return ""
        antes = {pair.ante for pair in ante.pairs}
        laid = {spot: stake for spot, stake in self._wanted.items() if spot[1] in antes and stake}
        needed = sum(laid.values()) * ante.multiple
        if needed <= left:
            return ""
        names = " and ".join(dict.fromkeys(label_of(self.solo.book, area) for _, area in laid))
        return (
            f"{names}: the wager will be {format_money(needed)}, and you will have {format_money(left)} in "
            f"hand. Without {format_money(needed - left)} more you can only give up; type buy "
            f"{format_money(needed - left).replace(',', '')} for chips."
        )

    # ── What a line wants ────────────────────────────────────────────────────────────────────────

    def _after(self, line: BetLine) -> dict[Spot, int]:
        """What is to lie on the layout after a line."""
        laid = self._at_start = self.laid()
        if line.undo:
            if not self._before:
                raise NotUnderstood("there is nothing to undo in this round")
            return self._before[-1]
        if line.clear and not laid and line == BetLine(clear=True):
            raise NotUnderstood("there are no bets to take off")
        box = self.solo.box if line.box is None else line.box
        wanted = {} if line.clear else dict(laid)
        for area, amount in line.off:
            self._take_off(wanted, (box, area), amount)
        if line.same:
            if not self.solo.last_bets:
                raise NotUnderstood("there is no earlier round with bets to repeat")
            for spot, stake in self.solo.last_bets.items():
                wanted[spot] = wanted.get(spot, 0) + stake
        if line.double:
            if not any(wanted.values()):
                raise NotUnderstood(
                    "there are no bets to double; same double doubles those of the last round"
                )
            wanted = {spot: 2 * stake for spot, stake in wanted.items()}
        for area, amount in line.bets:
            spot = (box, area)
            more = self._greatest(spot, wanted, laid) if amount is None else amount
            wanted[spot] = wanted.get(spot, 0) + more
        return wanted

    def _take_off(self, wanted: dict[Spot, int], spot: Spot, amount: int | None) -> None:
        stake = wanted.get(spot, 0)
        if not stake:
            raise NotUnderstood(f"you have no bet on {spot[1]} in box {spot[0]}")
        if amount is not None and amount > stake:
            raise NotUnderstood(f"the bet on {spot[1]} is only {format_money(stake)}")
        wanted[spot] = 0 if amount is None else stake - amount

    def _greatest(self, spot: Spot, wanted: dict[Spot, int], laid: dict[Spot, int]) -> int:
        """The most that can be put on a spot: by the table, and by the chips that are left in hand."""
        in_hand = self.in_hand() + sum(laid.values()) - sum(wanted.values())
        legal = self.solo.bets(spot[0]).get(spot[1])
        added = wanted.get(spot, 0) - laid.get(spot, 0)
        room = in_hand if legal is None or legal.most is None else min(in_hand, legal.most - added)
        most = room - room % self.solo.table.terms.chip
        if most <= 0:
            raise NotUnderstood(f"nothing more can be put on {spot[1]}")
        return most

    def _lower(self, spot: Spot, stake: int, wanted: int) -> c.Command | None:
        box, area = spot
        if wanted >= stake:
            return None
        if not wanted:
            return c.WithdrawBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area)
        return c.ReduceBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area, amount=stake - wanted)

    def _raise(self, spot: Spot, more: int) -> c.Command | None:
        box, area = spot
        if more <= 0:
            return None
        return c.PlaceBet(actor=PLAYER, role=Role.PLAYER, box=box, area=area, amount=more)
