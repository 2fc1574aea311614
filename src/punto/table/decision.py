"""Deciding: a table and a command make events, or a refusal. Pure, and never half done.

`refusal_of` is the one legality of every command. `decide` asks it, and `legal_commands` asks it, so what a
page offers is what the table accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from punto.rules.authority import authority_over
from punto.rules.role import Role
from punto.table import (
    antes,
    betting,
    cases,
    dealing,
    insuring,
    opening,
    people,
    ruling,
    settling,
    squeezing,
)
from punto.table import command as c
from punto.table import event as e
from punto.table.draft import Draft
from punto.table.event import Event
from punto.table.refusal import Reason, Refusal
from punto.table.state import Phase, Table


@dataclass(frozen=True, slots=True)
class Verb:
    """How one kind of command is judged and carried out."""

    refuse: Callable[[Table, Any], Refusal | None]
    carry_out: Callable[[Draft, Any], None]
    in_a_case: bool = False
    """Whether it may be given while a case is open."""
    in_a_pause: bool = False
    names_player: bool = False
    """Whether staff who give it must say for which player."""


def decide(table: Table, command: c.Command) -> tuple[Event, ...] | Refusal:
    """The events that a command causes, or why it is refused."""
    refusal = refusal_of(table, command)
    if refusal is not None:
        return refusal
    draft = Draft(table, command)
    VERBS[type(command)].carry_out(draft, command)
    return tuple(draft.events)


def refusal_of(table: Table, command: c.Command) -> Refusal | None:
    """Why a command is refused; None if it is legal. Every legality is asked through here."""
    verb, state = VERBS[type(command)], table.state
    if state.phase is Phase.CLOSED:
        return Refusal(Reason.TABLE_CLOSED, None)
    if state.phase is Phase.NEW and not isinstance(command, c.OpenTable):
        return Refusal(Reason.NOT_OPENED, None)
    if refusal := _refuse_authority(table, command):
        return refusal
    if state.is_paused and not verb.in_a_pause:
        return Refusal(Reason.PAUSED, None)
    if state.case is not None and not verb.in_a_case:
        return Refusal(Reason.CASE_OPEN, None, {"kind": state.case.kind.value})
    if verb.names_player and (refusal := people.refuse_subject(command)):
        return refusal
    return verb.refuse(table, command)


def _refuse_authority(table: Table, command: c.Command) -> Refusal | None:
    """Who may give a command is for book and terms to say, and whether a second person must agree."""
    of_terms = table.state.terms.authority if table.state.terms else ()
    if isinstance(command, c.OpenTable):
        of_terms = command.terms.authority
    name = command.name()
    authority = authority_over(name, table.book.authority, of_terms)
    if command.role not in authority.roles:
        roles = ", ".join(role.value for role in authority.roles)
        params: dict[str, str | int] = {"role": command.role.value, "command": name, "roles": roles}
        return Refusal(Reason.NOT_ALLOWED, authority.clause, params)
    if authority.second is not None and not _is_seconded(command, authority.second):
        rank: dict[str, str | int] = {"command": name, "rank": authority.second.value}
        return Refusal(Reason.SECOND_PERSON, authority.clause, rank)
    return None


def _is_seconded(command: c.CommandHeader, rank: Role) -> bool:
    second = command.second
    return second is not None and second.name != command.actor and second.role.is_at_least(rank)


def _simply(event: type[e.EventHeader]) -> Callable[[Draft, c.CommandHeader], None]:
    return lambda draft, _: draft.add(event)


VERBS: dict[type[c.CommandHeader], Verb] = {
    c.OpenTable: Verb(opening.refuse_open, opening.open_table),
    c.ChangeTerms: Verb(opening.refuse_change, opening.change_terms, in_a_pause=True),
    c.PauseTable: Verb(opening.refuse_pause, _simply(e.TablePaused)),
    c.ResumeTable: Verb(opening.refuse_resume, _simply(e.TableResumed), in_a_pause=True),
    c.CloseTable: Verb(opening.refuse_close, _simply(e.TableClosed), in_a_pause=True),
    c.LoadShoe: Verb(opening.refuse_load, opening.load_shoe),
    c.BurnCards: Verb(opening.refuse_burn, opening.burn_cards),
    c.TakeSeat: Verb(people.refuse_seat, people.take_seat, True, True, True),
    c.LeaveSeat: Verb(people.refuse_leave, people.leave_seat, True, True, True),
    c.WalkAway: Verb(
        people.refuse_walk_away,
        lambda draft, command: draft.add(e.WalkedAway, player=people.subject(command)),
        True,
        True,
        True,
    ),
    c.ComeBack: Verb(
        people.refuse_come_back,
        lambda draft, command: draft.add(e.CameBack, player=people.subject(command)),
        True,
        True,
        True,
    ),
    c.CallBets: Verb(betting.refuse_call, betting.call_bets),
    c.PlaceBet: Verb(betting.refuse_place, betting.place_bet, names_player=True),
    c.ReduceBet: Verb(betting.refuse_take_off, betting.take_off, names_player=True),
    c.WithdrawBet: Verb(betting.refuse_take_off, betting.take_off, names_player=True),
    c.RejectExcess: Verb(betting.refuse_reject, betting.reject_excess),
    c.AdviseMinimum: Verb(betting.refuse_advise, betting.advise_minimum),
    c.CloseBets: Verb(betting.refuse_close, betting.close_bets),
    c.DealCard: Verb(dealing.refuse_deal, dealing.deal_card),
    c.RevealCard: Verb(dealing.refuse_reveal, dealing.reveal_card, in_a_case=True),
    c.CorrectCard: Verb(dealing.refuse_correct, dealing.correct_card),
    c.SettleRound: Verb(settling.refuse_settle, settling.settle_round),
    c.PlaceWager: Verb(antes.refuse_wager, antes.place_wager, names_player=True),
    c.GiveUpAnte: Verb(antes.refuse_give_up, antes.give_up_ante, names_player=True),
    c.ExpireAntes: Verb(antes.refuse_expire, antes.expire_antes),
    c.OfferInsurance: Verb(insuring.refuse_offer, insuring.offer_insurance),
    c.TakeInsurance: Verb(insuring.refuse_take, insuring.take_insurance, names_player=True),
    c.DeclineInsurance: Verb(
        insuring.refuse_decline,
        lambda draft, command: draft.add(e.InsuranceDeclined, player=people.subject(command)),
        names_player=True,
    ),
    c.WishInsurance: Verb(insuring.refuse_wish, insuring.wish_insurance, names_player=True),
    c.AskSqueeze: Verb(squeezing.refuse_ask, squeezing.ask_squeeze),
    c.AnswerSqueeze: Verb(squeezing.refuse_answer, squeezing.answer_squeeze),
    c.Report: Verb(cases.refuse_report, cases.report),
    c.DismissReport: Verb(cases.refuse_dismiss, cases.dismiss_report, in_a_case=True),
    c.JudgeReconstruction: Verb(cases.refuse_judge, cases.judge_reconstruction, in_a_case=True),
    c.OrderCards: Verb(cases.refuse_order, cases.order_cards, in_a_case=True),
    c.VoidRound: Verb(cases.refuse_void, cases.void_round, in_a_case=True),
    c.ReplaceCards: Verb(cases.refuse_replace, cases.replace_cards),
    c.ChooseOption: Verb(cases.refuse_choose, cases.choose_option, in_a_case=True),
    c.CloseOptions: Verb(cases.refuse_close_options, cases.close_options, in_a_case=True),
    c.ReturnBets: Verb(cases.refuse_return, cases.return_bets, in_a_case=True),
    c.Rule: Verb(ruling.refuse_rule, ruling.rule, in_a_case=True),
}
"""Every command there is."""
