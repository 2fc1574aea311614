"""What somebody may do now: every command that the table would accept, with amounts and odds.

Possible commands are tried on `refusal_of`, the same question that `decide` asks, so the list and the
decision cannot differ. A card that lies face down takes no part in either.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, cast

import msgspec

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.authority import Authority, authority_over
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.irregularity import Irregular, Remedy
from punto.table import command as c
from punto.table.antes import pair_with
from punto.table.decision import refusal_of
from punto.table.insuring import due_offers, greatest_stake, open_offer
from punto.table.limits import room
from punto.table.people import subject
from punto.table.state import Phase, Table
from punto.table.terms import Noticing, boxes_of, default_terms


class Legal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: c.Command
    """With the least amount, any card that fits, and a second person of the rank that is needed."""
    free: tuple[str, ...] = ()
    """Fields that may be filled otherwise."""
    most: int | None = None
    """The greatest amount that would be taken whole."""
    odds: tuple[str, ...] = ()
    """What the bet can pay."""


def legal_commands(table: Table, actor: str, role: Role) -> tuple[Legal, ...]:
    """Everything that this person may do in this role now."""
    asking = _Asking(table, actor, role)
    return tuple(legal for legal in asking.candidates() if refusal_of(table, legal.command) is None)


_PLAIN: tuple[type[c.CommandHeader], ...] = (
    c.PauseTable,
    c.ResumeTable,
    c.CloseTable,
    c.LoadShoe,
    c.CallBets,
    c.CloseBets,
    c.SettleRound,
    c.ReplaceCards,
)
"""Commands of the house that say nothing but themselves."""


class _Asking:
    """One person asking what a table allows."""

    def __init__(self, table: Table, actor: str, role: Role) -> None:
        self.table, self.state, self.actor, self.role = table, table.state, actor, role
        known = dict.fromkeys((*self.state.seats.values(), *self.state.bettors, *sorted(self.state.away)))
        self.players: list[str | None] = [None] if role is Role.PLAYER else list(known)
        self._authorities: dict[type[c.CommandHeader], Authority] = {}
        self.newcomer = next(name for name in _newcomers() if name not in known)
        """Stands for a player whom the table does not know yet."""
        self.newcomers: list[str | None] = [] if role is Role.PLAYER else [self.newcomer]

    def candidates(self) -> Iterator[Legal]:
        """Every command worth trying, each in its smallest form."""
        if self.state.phase is Phase.CLOSED:
            return
        if self.state.terms is None:
            yield self._try(c.OpenTable, terms=default_terms(self.table.book), free=("terms",))
            return
        yield from self._house()
        yield from self._people()
        yield from self._betting()
        yield from self._dealing()
        yield from self._insurance()
        yield from self._squeezes()
        yield from self._cases()

    def _try(
        self,
        command: type[c.CommandHeader],
        *,
        free: tuple[str, ...] = (),
        most: int | None = None,
        odds: tuple[str, ...] = (),
        **fields: Any,
    ) -> Legal:
        rank = self._authority(command).second
        second = c.Person("somebody else", rank) if rank else None
        made = cast("c.Command", command(actor=self.actor, role=self.role, second=second, **fields))
        return Legal(made, free, most, odds)

    def _authority(self, command: type[c.CommandHeader]) -> Authority:
        if command not in self._authorities:
            of_terms = self.state.terms.authority if self.state.terms else ()
            of_book = self.table.book.authority
            self._authorities[command] = authority_over(command.name(), of_book, of_terms)
        return self._authorities[command]

    def _may(self, command: type[c.CommandHeader]) -> bool:
        """Whether the role may give such a command at all: there are many to try of some."""
        return self.role in self._authority(command).roles

    def _house(self) -> Iterator[Legal]:
        yield self._try(c.ChangeTerms, terms=self.table.terms, free=("terms",))
        yield self._try(c.BurnCards, card=self._card_left(), free=("card",))
        for command in _PLAIN:
            yield self._try(command)

    def _people(self) -> Iterator[Legal]:
        for player in (*self.players, *self.newcomers):
            for box in range(1, boxes_of(self.table.book, self.table.terms) + 1):
                yield self._try(c.TakeSeat, box=box, player=player, free=self._any_name(player))
        for player in self.players:
            for command in (c.LeaveSeat, c.WalkAway, c.ComeBack):
                yield self._try(command, player=player)

    def _any_name(self, player: str | None) -> tuple[str, ...]:
        return ("player",) if player == self.newcomer else ()

    def _betting(self) -> Iterator[Legal]:
        if self.state.phase is Phase.BETTING and self._may(c.PlaceBet):
            for player in (*self.players, *self.newcomers):
                for box in range(1, boxes_of(self.table.book, self.table.terms) + 1):
                    for bet in self.table.book.bets:
                        yield self._place(player, box, bet.area)
        for lying in self.state.bets:
            player = None if self.role is Role.PLAYER else lying.player
            if self.role is Role.PLAYER and lying.player != self.actor:
                continue
            yield self._try(c.WithdrawBet, box=lying.box, area=lying.area, player=player)
            terms = self.table.terms
            strict = terms.noticing is Noticing.STRICT and self.state.phase is Phase.BETTING
            yield self._try(
                c.ReduceBet,
                box=lying.box,
                area=lying.area,
                player=player,
                amount=terms.chip,
                most=lying.stake - terms.limits_of(lying.area).minimum if strict else lying.stake,
                free=("amount",),
            )
            yield self._try(
                c.ReduceBet,
                box=lying.box,
                area=lying.area,
                player=player,
                amount=lying.stake,
                most=lying.stake,
            )
        for box in sorted({lying.box for lying in self.state.bets}):
            yield self._try(c.RejectExcess, box=box)
        for lying in self.state.bets:
            yield self._try(c.AdviseMinimum, box=lying.box, area=lying.area, player=lying.player)

    def _place(self, player: str | None, box: int, area: str) -> Legal:
        """The least bet that would lie there lawfully, and the greatest that would be taken whole."""
        terms, name = self.table.terms, player or self.actor
        lying = self.state.bet(box, name, area)
        stake, limits = lying.stake if lying else 0, terms.limits_of(area)
        strict = terms.noticing is Noticing.STRICT
        least = max(terms.chip, limits.minimum - stake) if strict else terms.chip
        least += -least % terms.chip
        is_seated = self.state.seats.get(box) == name
        bounds = [room(self.table, box, area, is_seated=is_seated)] if strict else []
        bounds.append(limits.maximum - stake if strict and limits.maximum is not None else None)
        known = [bound for bound in bounds if bound is not None]
        return self._try(
            c.PlaceBet,
            box=box,
            area=area,
            amount=least,
            player=player,
            free=("amount", *self._any_name(player)),
            most=min(known) if known else None,
            odds=self._odds(area),
        )

    def _odds(self, area: str) -> tuple[str, ...]:
        bet = self.table.book.bet(area)
        return tuple(row.odds for row in bet.pays if row.odds) if bet else ()

    def _dealing(self) -> Iterator[Legal]:
        yield self._try(c.DealCard)
        yield self._try(c.DealCard, card=self._next_card(), free=("card",))
        for hand in Hand:
            for number, slot in enumerate(self.state.slots(hand), start=1):
                if slot.card is None:
                    yield self._try(
                        c.RevealCard, hand=hand, number=number, card=self._card_left(), free=("card",)
                    )
                else:
                    yield self._try(c.RevealCard, hand=hand, number=number)
                    yield from self._corrections(hand, number, slot.face_up)
        for box, player, area in self.state.antes_open:
            pair, ante = pair_with(self.table, area), self.state.bet(box, player, area)
            rules = self.table.book.ante
            if pair is None or ante is None or rules is None:
                continue
            if self.role is Role.PLAYER and player != self.actor:
                continue
            named = None if self.role is Role.PLAYER else player
            yield self._try(c.GiveUpAnte, box=box, area=area, player=named)
            yield self._try(
                c.PlaceWager,
                box=box,
                area=pair.wager,
                amount=rules.multiple * ante.stake,
                player=named,
                odds=self._odds(pair.wager),
            )
        yield self._try(c.ExpireAntes)

    def _corrections(self, hand: Hand, number: int, face_up: bool) -> Iterator[Legal]:
        if not face_up or self.table.terms.source is not SourceKind.ENTERED or not self._may(c.CorrectCard):
            return
        for card in DECK:
            legal = self._try(c.CorrectCard, hand=hand, number=number, card=card, free=("card",))
            if refusal_of(self.table, legal.command) is None:
                yield legal
                return

    def _insurance(self) -> Iterator[Legal]:
        yield self._try(c.OfferInsurance)
        mains = {self.table.book.main_area(hand): hand for hand in Hand}
        for bet in self.state.bets:
            hand = mains.get(bet.area)
            if hand is None or (self.role is Role.PLAYER and bet.player != self.actor):
                continue
            named = None if self.role is Role.PLAYER else bet.player
            offer = open_offer(self.table, bet.box, bet.player, hand)
            if offer is not None:
                yield self._try(
                    c.TakeInsurance,
                    box=bet.box,
                    hand=hand,
                    amount=self.table.terms.chip,
                    player=named,
                    free=("amount",),
                    most=greatest_stake(self.table, bet.box, bet.player, offer),
                    odds=(f"{offer.odds.numerator}:{offer.odds.denominator}",),
                )
            if due_offers(self.table):
                yield self._try(c.WishInsurance, box=bet.box, hand=hand, player=named)
        for player in self.players:
            yield self._try(c.DeclineInsurance, player=player)

    def _squeezes(self) -> Iterator[Legal]:
        for hand in Hand:
            for number in (1, 2, 3):
                yield self._try(c.AskSqueeze, hand=hand, number=number)
        for kind in c.SqueezeKind:
            if kind is not c.SqueezeKind.CARD:
                yield self._try(c.AskSqueeze, kind=kind, free=("hand", "number"))
        for consent in (True, False):
            yield self._try(c.AnswerSqueeze, consent=consent)

    def _cases(self) -> Iterator[Legal]:
        if self._may(c.Report):
            yield from self._reports()
        yield self._try(c.DismissReport, reason="-", free=("reason",))
        for possible in (True, False):
            yield self._try(c.JudgeReconstruction, possible=possible)
        if self.state.case is not None:
            yield self._try(c.OrderCards, cards=self.state.case.cards, free=("cards",))
        yield self._try(c.VoidRound, free=("reason",))
        for option in c.Option:
            yield self._try(c.ChooseOption, option=option)
        yield self._try(c.CloseOptions)
        yield self._try(c.ReturnBets)
        for effect in c.Effect:
            players = self.state.bettors if effect is c.Effect.RETURN else ()
            yield self._try(c.Rule, effect=effect, reason="-", players=players, free=("reason", "players"))

    def _reports(self) -> Iterator[Legal]:
        evidence = ("cards", "placed", "hand", "number", "note", "round")
        for kind in Irregular:
            if self.state.round > 1:
                earlier = self.state.round - 1
                yield self._try(c.Report, kind=kind, round=earlier, free=evidence)
            entry = self.table.book.irregularity(kind)
            if entry is None:
                continue
            if entry.remedy is Remedy.PLAY_ON:
                for hand in Hand:
                    for number, slot in enumerate(self.state.slots(hand), start=1):
                        cards = (self._card_left(),) if slot.card is None else ()
                        free = ("cards", "placed", "note", "round")
                        yield self._try(c.Report, kind=kind, hand=hand, number=number, cards=cards, free=free)
            else:
                needed = 2 if entry.remedy is Remedy.ORDER_CARDS else 0
                yield self._try(c.Report, kind=kind, cards=(self._card_left(),) * needed, free=evidence)

    def _next_card(self) -> Card | None:
        return self.state.carried[0] if self.state.carried else self._card_left()

    def _card_left(self) -> Card | None:
        """Some card that the shoe can still hold, the likeliest one: of it most are left."""
        if self.state.shoe is None:
            return DECK[0]
        out = self.state.shoe.out
        return min(DECK, key=out.count)


def _newcomers() -> Iterator[str]:
    yield "somebody new"
    yield from (f"somebody new ({number})" for number in count(2))


def covers(legal: Legal, command: c.Command) -> bool:
    """Whether a command is one of those that an entry of the list stands for."""
    listed = legal.command
    if type(listed) is not type(command):
        return False
    if subject(listed) != subject(command) and "player" not in legal.free:
        return False
    header = set(c.CommandHeader.__struct_fields__) | {"player"}
    fields = [name for name in command.__struct_fields__ if name not in header and name not in legal.free]
    return all(getattr(listed, name) == getattr(command, name) for name in fields)
