"""What a player is asked during the deal: an ante to go on with or give up, and insurance.

The choices, their amounts and their odds are those that the table would accept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cards.card import Card
from punto.cli.play_and_learn.play.amount import read_money, typed
from punto.cli.play_and_learn.play.betting import short_of
from punto.cli.play_and_learn.play.help import Moment
from punto.cli.play_and_learn.play.solo_table import PLAYER, Decision
from punto.cli.play_and_learn.play.squeeze import peeled
from punto.money import format_money
from punto.rules.facts import Hand
from punto.rules.outcome import Result
from punto.rules.role import Role
from punto.rules.words import either
from punto.table import command as c
from punto.table.asking import Legal
from punto.table.insurance.decisions import open_offer
from punto.table.state import Phase, shown_points

if TYPE_CHECKING:
    from punto.cli.play_and_learn.play.game import Game

YES = ("wager", "w", "yes", "y", "play")
NO = ("give up", "give", "g", "no", "n")
DECLINE = ("", "no", "n", "none", "decline", "0")
_TIES = {Result.WIN: "or on a tie.", Result.PUSH: "returned on a tie.", Result.LOSE: "lost on a tie."}
MOST = ("max", "most", "m")
_ORDINALS = {1: "first", 2: "second", 3: "third"}


class Questions:
    """Asks the player, until there is an answer that the table takes."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def ask(self) -> None:
        """Everything that is to be decided now."""
        if self.game.solo.state.phase is Phase.ANTES:
            self._ask_antes()
        elif (squeezed := self.game.solo.squeezed()) is not None:
            self._ask_squeeze(*squeezed)
        else:
            self._ask_insurance()

    # ── Antes ────────────────────────────────────────────────────────────────────────────────────

    def _ask_antes(self) -> None:
        while True:
            kinds = (c.PlaceWager, c.GiveUpAnte)
            open_now = [command for command, _ in self.game.solo.decisions() if isinstance(command, kinds)]
            give_up = next((command for command in open_now if isinstance(command, c.GiveUpAnte)), None)
            if give_up is None:
                return
            # Each ante is listed with its wager right behind it.
            wager = next(
                command
                for command in open_now[open_now.index(give_up) :]
                if isinstance(command, c.PlaceWager)
            )
            self._ask_ante(give_up, wager)

    def _ask_ante(self, give_up: c.GiveUpAnte, wager: c.PlaceWager) -> None:
        game = self.game
        ante = game.solo.state.bet(give_up.box, PLAYER, give_up.area)
        assert ante is not None
        name, where = game.screen.label(give_up.area), self._in_box(give_up.box)
        odds = _wager_odds(game.solo.decisions(), wager)
        more = f"wager {format_money(wager.amount)} more ({odds})"
        game.screen.say(f"  {name} {format_money(ante.stake)}{where}: {more}, or give it up.")
        if wager.amount > game.in_hand:
            game.screen.say(f"  {short_of(game.in_hand, wager.amount)}", "lose")
        while True:
            line = game.asked("wager or give up> ", Moment.ANTE)
            if line is None:
                continue
            if line.lower() in YES:
                if wager.amount > game.in_hand:
                    wanted = format_money(wager.amount)
                    game.screen.say(f"  The wager is {wanted}. {short_of(game.in_hand, wager.amount)}")
                elif game.give(wager) is not None:
                    return
            elif line.lower() in NO:
                if game.give(give_up) is not None:
                    return
            else:
                game.screen.say("  Write wager, or give up. odds shows what each is worth.")

    # ── Squeezes ─────────────────────────────────────────────────────────────────────────────────

    def _ask_squeeze(self, hand: Hand, number: int, card: Card) -> None:
        """Peel a card with Enter until it is open."""
        game = self.game
        opened = c.RevealCard(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number)
        steps = list(peeled(card))
        name = f"{hand.value.title()}'s {_ORDINALS[number]} card"
        while steps and game.round_opened != game.solo.state.round:
            line = game.asked(f"squeeze {name}> ", Moment.SQUEEZE)
            if line is None:
                continue
            if line.lower() in ("open all", "all"):
                game.round_opened = game.solo.state.round
            elif line.lower() in ("open", "o"):
                break
            elif line:
                game.screen.say("  Press Enter to peel, or type open.")
            else:
                game.screen.say(f"  {name}: {steps.pop(0)}.")
        game.give(opened)

    # ── Insurance ────────────────────────────────────────────────────────────────────────────────

    def _ask_insurance(self) -> None:
        offers = [
            (command, legal)
            for command, legal in self.game.solo.decisions()
            if isinstance(command, c.TakeInsurance)
        ]
        took = False
        for command, legal in offers:
            took = self._ask_offer(command, legal, took=took) or took
        if offers and not took:
            # Only now: whoever declines has no offer left, in any box.
            self.game.give(c.DeclineInsurance(actor=PLAYER, role=Role.PLAYER))

    def _in_box(self, box: int) -> str:
        """Which box a question is about, where the player has bets in several."""
        boxes = {bet.box for bet in self.game.solo.state.bets if bet.player == PLAYER}
        return f", box {box}" if len(boxes) > 1 else ""

    def _ask_offer(self, offer: c.TakeInsurance, legal: Legal, *, took: bool) -> bool:
        """The offer on one hand in one box; whether it was taken."""
        game, most = self.game, legal.most or 0
        insurance = game.solo.book.insurance
        assert insurance is not None
        hand = f"{offer.hand.value.title()}{self._in_box(offer.box)}"
        game.screen.say(
            f"  {insurance.labels.en} on {hand} at {legal.odds[0]}, up to {format_money(most)}: "
            f"paid if {_other(offer.hand)} wins, {self._on_tie(offer)} Enter for none."
        )
        if not took and self._gives_up_more():
            game.screen.say(
                f"  Taking none now gives up the offer after Player's third card, too (clause "
                f"{insurance.forgone_clause})."
            )
        while True:
            line = game.asked(f"insure {hand} (0-{typed(most)})> ", Moment.INSURANCE)
            if line is None:
                continue
            if line.lower() in DECLINE:
                return False
            amount = self._amount(line, most)
            if amount is None:
                continue
            if game.in_hand < amount <= most:
                game.screen.say(f"  {short_of(game.in_hand, amount)}")
                continue
            taken = c.TakeInsurance(
                actor=PLAYER, role=Role.PLAYER, box=offer.box, hand=offer.hand, amount=amount
            )
            if game.give(taken) is not None:
                game.screen.say(f"  {format_money(amount)} on {hand} at {legal.odds[0]}.", "dim")
                return True

    def _gives_up_more(self) -> bool:
        """Whether a later offer could come in this round, which whoever takes none now will not get."""
        solo, state = self.game.solo, self.game.solo.state
        player, banker = shown_points(state.player), shown_points(state.banker)
        if state.window is None or player is None or banker is None or state.cards_out > 4:
            return False
        mains = {bet.area for bet in state.bets if bet.player == PLAYER}
        if not solo.book.play.player_draws[player * 10 + banker]:
            return False
        return any(
            solo.book.main_area(offer.hand) in mains
            for third in range(10)
            for offer in solo.book.open_offers(5, (player + third) % 10, banker, third)
        )

    def _on_tie(self, offer: c.TakeInsurance) -> str:
        """What a tie does to this insurance."""
        found = open_offer(self.game.solo.table, offer.box, PLAYER, offer.hand)
        assert found is not None, "the table has just offered it"
        return _TIES[found.on_tie.result]

    def _amount(self, line: str, most: int) -> int | None:
        if line.lower() in MOST:
            return most
        try:
            return read_money(line.split()[-1])
        except ValueError:
            self.game.screen.say(f"  {line!r} is not an amount: write one, max, or no.")
            return None


def _other(hand: Hand) -> str:
    return hand.other.value.title()


def _wager_odds(decisions: list[tuple[Decision, Legal]], wager: c.PlaceWager) -> str:
    odds = next(legal.odds for command, legal in decisions if command == wager)
    return f"pays {either(tuple(dict.fromkeys(odds)))}"
