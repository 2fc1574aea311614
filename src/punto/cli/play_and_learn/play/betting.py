"""A player's bets of one round: from a typed line to commands, with what can be undone.

A line says what the player wants; the commands are the difference between that and what lies on the layout.
A bet in a box where nobody sits takes that box too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from punto.cli.play_and_learn.play.amount import typed
from punto.cli.play_and_learn.play.bet_line import BetLine, NotUnderstood
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.money import format_money
from punto.refusal import Refusal
from punto.rules.labels import label_of
from punto.rules.role import Role
from punto.table import act
from punto.table import command as c
from punto.table.terms import boxes_of

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

    def commands(self, lines: Sequence[BetLine]) -> list[c.Command]:
        """The commands that carry out a line; `NotUnderstood` where it makes no sense now."""
        self._wanted = self._after(lines)
        laid = self.laid()
        needy = {bet.area for bet in self.solo.book.bets if bet.needs}
        spots = dict.fromkeys((*laid, *self._wanted))
        # Bets come off first, and what may not lie alone comes off first and is placed last.
        down = sorted(spots, key=lambda spot: spot[1] not in needy)
        up = sorted(spots, key=lambda spot: spot[1] in needy)
        seats = [
            self._sit(box) for box in dict.fromkeys(box for box, _ in self._wanted) if self._is_free(box)
        ]
        off = [self._lower(spot, laid.get(spot, 0), self._wanted.get(spot, 0)) for spot in down]
        on = [self._raise(spot, self._wanted.get(spot, 0) - laid.get(spot, 0)) for spot in up]
        return [command for command in (*off, *seats, *on) if command is not None]

    def remember(self, lines: Sequence[BetLine]) -> None:
        """A line was carried out: `undo` takes it back."""
        if lines[0].undo:
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

    def too_dear(self, commands: Iterable[c.Command], in_hand: int, wanted: int) -> str:
        """Why these bets cannot be made: the table's own reason first, because more chips would not help."""
        table = self.solo.table
        for command in commands:
            step = act(table, command)
            if isinstance(step, Refusal):
                return refused(step)
            table = step.table
        return f"That is {format_money(wanted)}. {short_of(in_hand, wanted)}"

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

    def _after(self, lines: Sequence[BetLine]) -> dict[Spot, int]:
        """What is to lie on the layout after a line."""
        wanted = self._at_start = self.laid()
        if any(line.undo for line in lines):
            if len(lines) > 1 or replace(lines[0], deal=False) != BetLine(undo=True):
                raise NotUnderstood("type undo by itself: it takes back the last line")
            if not self._before:
                raise NotUnderstood("there is nothing to undo in this round")
            return self._before[-1]
        for line in lines:
            wanted = self._changed(wanted, line)
        return wanted

    def _changed(self, laid: dict[Spot, int], line: BetLine) -> dict[Spot, int]:
        """What is to lie after one part of a line, which is about one box or several."""
        boxes = self.solo.boxes if line.both else (self.solo.box if line.box is None else line.box,)
        # Words about all bets are about those of every box, where the line names none.
        is_meant = {spot: spot[0] in boxes or (line.box is None and not line.both) for spot in laid}
        is_all = line == BetLine(clear=True, box=line.box, both=line.both)
        if is_all and not any(is_meant[spot] and stake for spot, stake in laid.items()):
            raise NotUnderstood("there are no bets to take off")
        wanted = {spot: 0 if line.clear and is_meant[spot] else stake for spot, stake in laid.items()}
        for box in boxes:
            for area, amount in line.off:
                self._take_off(wanted, (box, area), amount)
        if line.same:
            self._repeat(wanted, None if line.box is None and not line.both else boxes)
        if line.double:
            meant = [spot for spot, stake in wanted.items() if stake and is_meant.get(spot, True)]
            if not meant:
                raise NotUnderstood(
                    "there are no bets to double; same double doubles those of the last round"
                )
            wanted |= {spot: 2 * wanted[spot] for spot in meant}
        for box in boxes:
            for area, amount in line.bets:
                more = self._greatest((box, area), wanted) if amount is None else amount
                wanted[box, area] = wanted.get((box, area), 0) + more
        return wanted

    def _repeat(self, wanted: dict[Spot, int], boxes: tuple[int, ...] | None) -> None:
        """The bets of the last round once more, those of some boxes or of all."""
        bets = {spot: stake for spot, stake in self.solo.last_bets.items() if not boxes or spot[0] in boxes}
        if not bets:
            raise NotUnderstood("there is no earlier round with bets to repeat")
        for spot, stake in bets.items():
            wanted[spot] = wanted.get(spot, 0) + stake

    def _take_off(self, wanted: dict[Spot, int], spot: Spot, amount: int | None) -> None:
        stake = wanted.get(spot, 0)
        if not stake:
            raise NotUnderstood(f"you have no bet on {spot[1]} in box {spot[0]}")
        if amount is not None and amount > stake:
            raise NotUnderstood(f"the bet on {spot[1]} is only {format_money(stake)}")
        wanted[spot] = 0 if amount is None else stake - amount

    def _greatest(self, spot: Spot, wanted: dict[Spot, int]) -> int:
        """The most that can be put on a spot: by the table, and by the chips that are left in hand."""
        laid = self.laid()
        in_hand = self.in_hand() + sum(laid.values()) - sum(wanted.values())
        legal = self.solo.bets(spot[0]).get(spot[1])
        limit = self.solo.table.terms.limits_of(spot[1]).maximum if legal is None else legal.most
        added = wanted.get(spot, 0) - laid.get(spot, 0)
        room = in_hand if limit is None else min(in_hand, limit - added)
        most = room - room % self.solo.table.terms.chip
        if most <= 0:
            raise NotUnderstood(f"nothing more can be put on {spot[1]}")
        return most

    def _is_free(self, box: int) -> bool:
        """Whether nobody sits at a box where the player wants to bet now."""
        is_wanted = any(stake for spot, stake in self._wanted.items() if spot[0] == box)
        is_there = 1 <= box <= boxes_of(self.solo.book, self.solo.table.terms)
        return is_wanted and is_there and box not in self.solo.state.seats

    def _sit(self, box: int) -> c.Command:
        if len(self.solo.boxes) >= self.solo.table.terms.boxes_each:
            raise NotUnderstood(f"at this table a player has one box, and yours is box {self.solo.box}")
        return c.TakeSeat(actor=PLAYER, role=Role.PLAYER, box=box)

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


def refused(refusal: Refusal) -> str:
    """A refusal as a sentence of its own."""
    return f"{refusal.sentence[:1].upper()}{refusal.sentence[1:]}."


def short_of(in_hand: int, wanted: int) -> str:
    """What is said to a player who wants to stake more than is in hand."""
    return f"You have {format_money(in_hand)} in hand; type buy {typed(wanted - in_hand)} for more chips."
