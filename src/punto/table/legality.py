"""What somebody may do now: every command worth trying, room by room, and those of them that would be accepted.

Each is tried in its smallest form. `refusal_of` decides, so what a page offers is what the table accepts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.authority import Authority, Role, authority_over
from punto.rules.outcome import Hand, format_odds
from punto.table import betting, dealing, house, insurance
from punto.table import irregularity_events as events
from punto.table.acting import refusal_of
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager, pair_with
from punto.table.command import Command
from punto.table.header import CommandHeader, Person, subject
from punto.table.irregularity_case import Seen
from punto.table.irregularity_findings import names_together
from punto.table.settlement import SettleRound
from punto.table.shuffling import ClosePledges, PledgeBytes
from punto.table.state import Phase, SqueezeKind, Table
from punto.table.terms import Noticing, boxes_of, default_terms


class Legal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: Command  # With the least amount, any card that fits, and a second person of the rank that is needed.
    free: tuple[str, ...] = ()  # Fields that may be filled otherwise.
    most: int | None = None  # The greatest amount that would be taken whole.
    odds: tuple[str, ...] = ()  # What the bet can pay.


class Asking:
    """One person asking what a table allows."""

    def __init__(self, table: Table, actor: str, role: Role) -> None:
        self.table, self.state, self.actor, self.role = table, table.state, actor, role
        known = dict.fromkeys((*self.state.seats.values(), *self.state.bettors, *sorted(self.state.away)))
        self.players: list[str | None] = [None] if role is Role.PLAYER else list(known)
        self._authorities: dict[type[CommandHeader], Authority] = {}
        names = ("somebody new", *(f"somebody new ({number})" for number in range(2, len(known) + 2)))
        self.newcomer = next(name for name in names if name not in known)  # For a player not known to the table.
        self.newcomers: list[str | None] = [] if role is Role.PLAYER else [self.newcomer]

    def offer(
        self,
        command: type[CommandHeader],
        *,
        free: tuple[str, ...] = (),
        most: int | None = None,
        odds: tuple[str, ...] = (),
        **fields: Any,
    ) -> Legal:
        """A command worth trying, with a second person of the rank that is needed."""
        rank = self._authority(command).second
        second = Person("somebody else", rank) if rank else None
        made = cast("Command", command(actor=self.actor, role=self.role, second=second, **fields))
        return Legal(made, free, most, odds)

    def _authority(self, command: type[CommandHeader]) -> Authority:
        if command not in self._authorities:
            of_terms = self.table.terms.authority if self.state.terms else ()
            of_book = self.table.book.authority
            self._authorities[command] = authority_over(command.name(), of_book, of_terms)
        return self._authorities[command]

    def may(self, command: type[CommandHeader]) -> bool:
        """Whether the role may give such a command at all: there are many to try of some."""
        return self.role in self._authority(command).roles

    def is_for(self, player: str) -> bool:
        """Whether something of this player is for whoever asks to decide."""
        return self.role is not Role.PLAYER or player == self.actor

    def named(self, player: str) -> str | None:
        """The player as a command names him or her: players name nobody, they act for themselves."""
        return None if self.role is Role.PLAYER else player

    def any_name(self, player: str | None) -> tuple[str, ...]:
        """The name of a newcomer may be any other."""
        return ("player",) if player == self.newcomer else ()

    def odds(self, area: str) -> tuple[str, ...]:
        """What a bet on this area can pay, as the book writes it."""
        bet = self.table.book.bet(area)
        return tuple(row.odds for row in bet.pays if row.odds) if bet else ()

    def card_left(self) -> Card | None:
        """Some card that the shoe can still hold, the likeliest one: of it most are left."""
        shoe = self.state.shoe
        return DECK[0] if shoe is None else min(DECK, key=shoe.count_out)


def house_candidates(asking: Asking) -> Iterator[Legal]:
    yield asking.offer(house.ChangeTerms, terms=asking.table.terms, free=("terms",))
    yield asking.offer(house.BurnCards, card=asking.card_left(), free=("card",))
    for plain in (house.PauseTable, house.ResumeTable, house.CloseTable, house.LoadShoe):
        yield asking.offer(plain)
    for player in (*asking.players, *asking.newcomers):
        for box in range(1, boxes_of(asking.table.book, asking.table.terms) + 1):
            yield asking.offer(house.TakeSeat, box=box, player=player, free=asking.any_name(player))
    for player in asking.players:
        for command in (house.LeaveSeat, house.WalkAway, house.ComeBack):
            yield asking.offer(command, player=player)


def betting_candidates(asking: Asking) -> Iterator[Legal]:
    yield asking.offer(betting.CallBets)
    yield asking.offer(betting.CloseBets)
    yield asking.offer(betting.ReopenBets)
    if asking.state.phase is Phase.BETTING and asking.may(betting.PlaceBet):
        for player in (*asking.players, *asking.newcomers):
            for box in range(1, boxes_of(asking.table.book, asking.table.terms) + 1):
                for bet in asking.table.book.bets:
                    yield _least_bet(asking, player, box, bet.area)
    for lying in asking.state.bets:
        if not asking.is_for(lying.player):
            continue
        spot: dict[str, Any] = {"box": lying.box, "area": lying.area, "player": asking.named(lying.player)}
        yield asking.offer(betting.WithdrawBet, **spot)
        most = betting.most_taken_off(asking.table, lying)
        yield asking.offer(betting.ReduceBet, **spot, amount=asking.table.terms.chip, most=most, free=("amount",))
        yield asking.offer(betting.ReduceBet, **spot, amount=lying.stake, most=lying.stake)
    for box in sorted({lying.box for lying in asking.state.bets}):
        yield asking.offer(betting.RejectExcess, box=box)
    for lying in asking.state.bets:
        yield asking.offer(betting.AdviseMinimum, box=lying.box, area=lying.area, player=lying.player)


def _least_bet(asking: Asking, player: str | None, box: int, area: str) -> Legal:
    """The least bet that would lie there lawfully, and the greatest that would be taken whole."""
    terms, name = asking.table.terms, player or asking.actor
    lying = asking.state.bet(box, name, area)
    stake, limits = lying.stake if lying else 0, terms.limits_of(area)
    strict = terms.noticing is Noticing.STRICT
    least = max(terms.chip, limits.minimum - stake) if strict else terms.chip
    least += -least % terms.chip
    is_seated = asking.state.seats.get(box) == name
    bounds = [betting.room_in_box(asking.table, box, area, is_seated=is_seated)] if strict else []
    bounds.append(limits.maximum - stake if strict and limits.maximum is not None else None)
    known = [bound for bound in bounds if bound is not None]
    free, most = ("amount", *asking.any_name(player)), min(known) if known else None
    bet: dict[str, Any] = {"box": box, "area": area, "amount": least, "player": player}
    return asking.offer(betting.PlaceBet, **bet, free=free, most=most, odds=asking.odds(area))


def dealing_candidates(asking: Asking) -> Iterator[Legal]:
    carried = asking.state.carried[0].card if asking.state.carried else None
    yield asking.offer(dealing.DealCard)
    yield asking.offer(dealing.DealCard, card=carried or asking.card_left(), free=("card",))
    yield asking.offer(dealing.TakeDraw)
    for hand in Hand:
        for number, slot in enumerate(asking.state.slots(hand), start=1):
            place: dict[str, Any] = {"hand": hand, "number": number}
            if slot.card is None:
                yield asking.offer(dealing.RevealCard, **place, card=asking.card_left(), free=("card",))
            else:
                yield asking.offer(dealing.RevealCard, **place)
                yield from _corrections(asking, hand, number, slot.face_up)
    for hand in Hand:
        for number in (1, 2, 3):
            yield asking.offer(dealing.AskSqueeze, hand=hand, number=number)
    for kind in SqueezeKind:
        if kind is not SqueezeKind.CARD:
            yield asking.offer(dealing.AskSqueeze, kind=kind, free=("hand", "number"))
    for consent in (True, False):
        yield asking.offer(dealing.AnswerSqueeze, consent=consent)


def _corrections(asking: Asking, hand: Hand, number: int, face_up: bool) -> Iterator[Legal]:
    if not face_up or asking.table.terms.source is not SourceKind.ENTERED or not asking.may(dealing.CorrectCard):
        return
    for card in DECK:
        command = dealing.CorrectCard(actor=asking.actor, role=asking.role, hand=hand, number=number, card=card)
        if dealing.refuse_correct(asking.table, command) is None:
            yield asking.offer(dealing.CorrectCard, hand=hand, number=number, card=card, free=("card",))
            return


def ante_candidates(asking: Asking) -> Iterator[Legal]:
    for box, player, area in asking.state.antes_open:
        pair, ante = pair_with(asking.table, area), asking.state.bet(box, player, area)
        rules = asking.table.book.ante
        if pair is None or ante is None or rules is None or not asking.is_for(player):
            continue
        amount, named = rules.multiple * ante.stake, asking.named(player)
        yield asking.offer(GiveUpAnte, box=box, area=area, player=named)
        odds = asking.odds(pair.wager)
        yield asking.offer(PlaceWager, box=box, area=pair.wager, amount=amount, player=named, odds=odds)
    yield asking.offer(ExpireAntes)


def insurance_candidates(asking: Asking) -> Iterator[Legal]:
    yield asking.offer(insurance.OfferInsurance)
    mains = {asking.table.book.main_area(hand): hand for hand in Hand}
    for bet in asking.state.bets:
        hand = mains.get(bet.area)
        if hand is None or not asking.is_for(bet.player):
            continue
        on: dict[str, Any] = {"box": bet.box, "hand": hand, "player": asking.named(bet.player)}
        offer = insurance.open_offer(asking.table, bet.box, bet.player, hand)
        if offer is not None:
            most, odds = insurance.greatest_stake(asking.table, bet.box, bet.player, offer), (format_odds(offer.odds),)
            chip = asking.table.terms.chip
            yield asking.offer(insurance.TakeInsurance, **on, amount=chip, free=("amount",), most=most, odds=odds)
        if insurance.due_offers(asking.table):
            yield asking.offer(insurance.WishInsurance, **on)
    for player in asking.players:
        yield asking.offer(insurance.DeclineInsurance, player=player)


_FREE_EVIDENCE = ("cards", "seen", "order", "note")


def irregularity_candidates(asking: Asking) -> Iterator[Legal]:
    state, case = asking.state, asking.state.case
    yield asking.offer(events.ReplaceCards)
    for seen in Seen:
        yield asking.offer(events.Report, seen=(seen,), free=_FREE_EVIDENCE)
    if state.round > 1:
        free = (*_FREE_EVIDENCE, "round")
        yield asking.offer(events.Report, seen=(Seen.UNCOVERED,), round=state.round - 1, free=free)
    if case is not None:
        for seen in case.evidence.seen:
            yield asking.offer(events.WithdrawEvidence, seen=(seen,), free=("cards", "seen"))
        for number in range(1, len(case.evidence.cards) + 1):
            yield asking.offer(events.WithdrawEvidence, cards=(number,), free=("cards", "seen"))
        group = names_together(asking.table.state.round_terms, case.evidence)
        yield asking.offer(events.OrderCards, cards=group, free=("cards",))
    yield asking.offer(events.DismissReport, reason="-", free=("reason",))
    for possible in (True, False):
        yield asking.offer(events.JudgeReconstruction, possible=possible)
    yield asking.offer(events.VoidRound, free=("reason",))
    for option in events.Option:
        yield asking.offer(events.ChooseOption, option=option, free=("round",))
    yield asking.offer(events.CloseOptions)
    yield asking.offer(events.ExpireOptions)
    yield asking.offer(events.ReturnBets)
    for effect in events.Effect:
        players = state.bettors if effect is events.Effect.RETURN else ()
        yield asking.offer(events.Rule, effect=effect, reason="-", players=players, free=("reason", "players"))


def shuffling_candidates(asking: Asking) -> Iterator[Legal]:
    """Opening a seed is left to whoever keeps it."""
    yield asking.offer(PledgeBytes, digest="0" * 64, free=("digest",))
    yield asking.offer(ClosePledges)


def legal_commands(table: Table, actor: str, role: Role) -> tuple[Legal, ...]:
    """Everything that this person may do in this role now."""
    asking = Asking(table, actor, role)
    # Most commands are not for the role at all, whatever they say: those need no judging.
    given = (legal for legal in _all_candidates(asking) if asking.may(type(legal.command)))
    return tuple(legal for legal in given if refusal_of(table, legal.command) is None)


def _all_candidates(asking: Asking) -> Iterator[Legal]:
    if asking.state.phase is Phase.CLOSED:
        return
    if asking.state.terms is None:
        yield asking.offer(house.OpenTable, terms=default_terms(asking.table.book), free=("terms",))
        return
    for candidates in (house_candidates, betting_candidates, dealing_candidates, ante_candidates, insurance_candidates):
        yield from candidates(asking)
    yield asking.offer(SettleRound)
    yield from irregularity_candidates(asking)
    yield from shuffling_candidates(asking)


def covers(legal: Legal, command: Command) -> bool:
    """Whether a command is one of those that an entry of the list stands for.

    An entry is for the round and the window of now, whether or not a command names them.
    """
    listed = legal.command
    if type(listed) is not type(command):
        return False
    if subject(listed) != subject(command) and "player" not in legal.free:
        return False
    header = set(CommandHeader.__struct_fields__) | {"player", "round", "window"}
    fields = [name for name in command.__struct_fields__ if name not in header and name not in legal.free]
    return all(getattr(listed, name) == getattr(command, name) for name in fields)
