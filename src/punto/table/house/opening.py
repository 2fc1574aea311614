"""Opening, changing, pausing and closing a table, and putting cards into play."""

from __future__ import annotations

from punto.cards.burn import Burn, burn_count
from punto.cards.source import SourceKind
from punto.refusal import Reason, Refusal
from punto.rules.digest import digest_of
from punto.table.draft import Draft
from punto.table.house import commands as c
from punto.table.house import events as e
from punto.table.irregularities.events import CaseClosed, RoundVoided
from punto.table.shuffling.pledge import is_digest
from punto.table.shuffling.question import refuse_pledges_open
from punto.table.state import Phase, State, Table
from punto.table.terms import boxes_of, wrong_terms
from punto.table.verb import Verb, Verbs


def refuse_open(table: Table, command: c.OpenTable) -> Refusal | None:
    if table.state.phase is not Phase.NEW:
        return Refusal(Reason.ALREADY_OPENED, None)
    return wrong_terms(table.book, command.terms)


def open_table(draft: Draft, command: c.OpenTable) -> None:
    draft.add(e.TableOpened(*draft.stamp, terms=command.terms, digest=digest_of(draft.table.book)))


def refuse_change(table: Table, command: c.ChangeTerms) -> Refusal | None:
    wrong = refuse_between_rounds(table) or wrong_terms(table.book, command.terms)
    if wrong is not None:
        return wrong
    if command.terms.currency != table.terms.currency:
        problem = f"the table was opened in {table.terms.currency}, and what it pays is held in that"
        params: dict[str, str | int] = {"term": "currency", "value": command.terms.currency}
        return Refusal(Reason.WRONG_TERMS, None, {**params, "problem": problem})
    boxes = boxes_of(table.book, command.terms)
    taken = next((box for box in sorted(table.state.seats) if box > boxes), None)
    if taken is not None:
        return Refusal(Reason.SEAT_TAKEN, None, {"box": taken, "player": table.state.seats[taken]})
    for player in table.state.seats.values():
        held = table.state.boxes_of(player)
        if len(held) > command.terms.boxes_each:
            return Refusal(Reason.ALREADY_SEATED, None, {"box": held[-1], "player": player})
    return None


def change_terms(draft: Draft, command: c.ChangeTerms) -> None:
    old, new = draft.terms, command.terms
    fits = (old.decks, old.behind_cut, old.source) == (new.decks, new.behind_cut, new.source)
    draft.add(e.TermsChanged(*draft.stamp, terms=new, needs_shoe=not fits))


def refuse_between_rounds(table: Table) -> Refusal | None:
    return None if table.state.phase is Phase.IDLE else Refusal(Reason.BETWEEN_ROUNDS, None)


def refuse_pause(table: Table, _: c.PauseTable) -> Refusal | None:
    return refuse_between_rounds(table)


def refuse_resume(table: Table, _: c.ResumeTable) -> Refusal | None:
    return None if table.state.is_paused else Refusal(Reason.NOT_PAUSED, None)


def refuse_close(table: Table, _: c.CloseTable) -> Refusal | None:
    return refuse_between_rounds(table)


def refuse_load(table: Table, command: c.LoadShoe) -> Refusal | None:
    """A shoe is changed when it is finished, never because somebody would like other cards."""
    is_shuffled, case = table.terms.source is SourceKind.SHUFFLED, table.state.case
    if table.state.is_paused and not command.instead:
        return Refusal(Reason.PAUSED, None)
    if case is not None and case.found is not None and not command.instead:
        return Refusal(Reason.CASE_OPEN, case.found.clause, {"kind": case.found.finding.value})
    if command.commitment and not (is_shuffled and is_digest(command.commitment)):
        return Refusal(Reason.NO_COMMITMENT, None, {"shoe": table.state.shoe_number + 1})
    if command.instead:
        is_given = table.terms.source is not SourceKind.ENTERED and table.state.shoe is not None
        return None if is_given and command.actor == c.FLOOR else Refusal(Reason.NO_REPLACEMENT, None)
    if refusal := refuse_between_rounds(table):
        return refusal
    if table.state.shoe is not None and not is_shoe_finished(table.state):
        return Refusal(Reason.SHOE_IN_PLAY, None)
    return None


def is_shoe_finished(state: State) -> bool:
    """Whether the last round that the shoe is played for is over, or too few cards are left for any."""
    if state.shoe is None:
        return True
    if state.last_round is not None and state.round >= state.last_round:
        return True
    return state.shoe.cards_left + len(state.carried) < 4


def load_shoe(draft: Draft, command: c.LoadShoe) -> None:
    terms = draft.terms
    if command.instead and draft.state.phase is not Phase.IDLE:
        _void(draft, command.instead)
    continuous = terms.source is SourceKind.CONTINUOUS
    burn = Burn.parse(terms.burn)
    draft.add(
        e.ShoeLoaded(
            *draft.stamp,
            number=draft.state.shoe_number + 1,
            decks=terms.decks,
            behind_cut=0 if continuous else terms.behind_cut,
            burn_due=not continuous and (burn.by_first_card or burn.fixed > 0),
            commitment=command.commitment,
            algorithm=command.algorithm,
            instead=command.instead,
        )
    )


def _void(draft: Draft, reason: str) -> None:
    """Nobody bets, or is dealt to, on cards that may be known: every bet of the round goes back."""
    case, state = draft.state.case, draft.state
    if case is not None and case.found is not None:
        finding = case.found.finding
        draft.add(CaseClosed(*draft.stamp, case=case.number, finding=finding, resolution="void", clause=None))
    draft.add(RoundVoided(*draft.stamp, round=state.round, clause=None, returned=state.stakes, reason=reason))


def refuse_burn(table: Table, command: c.BurnCards) -> Refusal | None:
    if table.state.shoe is None:
        why = "the cards were replaced" if table.state.replaced_by is not None else "no shoe is in play"
        return Refusal(Reason.NO_SHOE, table.state.replaced_by or None, {"why": why})
    if not table.state.burn_due:
        return Refusal(Reason.NO_BURN_DUE, None)
    if refusal := refuse_pledges_open(table.state):
        return refusal
    if Burn.parse(table.terms.burn).by_first_card and command.card is None:
        return Refusal(Reason.CARD_NEEDED, None)
    return None


def burn_cards(draft: Draft, command: c.BurnCards) -> None:
    burn = Burn.parse(draft.terms.burn)
    shown = command.card if burn.by_first_card else None
    draft.add(
        e.CardsBurned(
            *draft.stamp, shown=shown, count=burn.fixed if shown is None else burn_count(burn, shown)
        )
    )


VERBS: Verbs = {
    c.OpenTable: Verb(refuse=refuse_open, carry_out=open_table),
    c.ChangeTerms: Verb(refuse=refuse_change, carry_out=change_terms, in_a_pause=True),
    c.PauseTable: Verb(
        refuse=refuse_pause, carry_out=lambda draft, _: draft.add(e.TablePaused(*draft.stamp))
    ),
    c.ResumeTable: Verb(
        refuse=refuse_resume,
        carry_out=lambda draft, _: draft.add(e.TableResumed(*draft.stamp)),
        in_a_pause=True,
    ),
    c.CloseTable: Verb(
        refuse=refuse_close,
        carry_out=lambda draft, _: draft.add(e.TableClosed(*draft.stamp)),
        in_a_pause=True,
    ),
    c.LoadShoe: Verb(refuse=refuse_load, carry_out=load_shoe, in_a_case=True, in_a_pause=True),
    c.BurnCards: Verb(refuse=refuse_burn, carry_out=burn_cards),
}
