"""Pledging bytes for a shuffle, opening them, and opening the seed when nothing can depend on it any more."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.table.draft import Draft
from punto.table.shuffling import commands as c
from punto.table.shuffling import events as e
from punto.table.shuffling.pledge import MOST_PLEDGES, Committed, Pledge, digest_of_bytes, is_digest
from punto.table.state import Phase, State, Table
from punto.table.verb import Verb, Verbs


def refuse_pledge(table: Table, command: c.PledgeBytes) -> Refusal | None:
    state = table.state
    if refusal := _refuse_begun(state):
        return refusal
    if state.pledges_closed:
        return Refusal(Reason.PLEDGES_CLOSED, None)
    if _pledge_of(state, command.actor) is not None:
        return Refusal(Reason.ALREADY_PLEDGED, None, {"player": command.actor})
    if any(pledge.digest == command.digest for pledge in state.pledges):
        # Whoever repeats another's digest could later open the same bytes after the other has.
        return Refusal(Reason.WRONG_BYTES, None, {"problem": "another player pledged the same bytes"})
    if not is_digest(command.digest):
        return Refusal(Reason.WRONG_BYTES, None, {"problem": "a pledge is a SHA-256: 64 digits 0-9 a-f"})
    if len(state.pledges) >= MOST_PLEDGES:
        return Refusal(Reason.WRONG_BYTES, None, {"problem": f"a shoe takes {MOST_PLEDGES} pledges"})
    return None


def refuse_close(table: Table, _: c.ClosePledges) -> Refusal | None:
    state = table.state
    if refusal := _refuse_begun(state):
        return refusal
    if not state.pledges or state.pledges_closed:
        return Refusal(Reason.NOTHING_PLEDGED, None)
    return None


def refuse_open_bytes(table: Table, command: c.OpenBytes) -> Refusal | None:
    state = table.state
    if refusal := _refuse_begun(state):
        return refusal
    pledge = _pledge_of(state, command.actor)
    if pledge is None or pledge.opened is not None:
        return Refusal(Reason.NOTHING_PLEDGED, None)
    if not state.pledges_closed:
        return Refusal(Reason.PLEDGES_OPEN, None)
    if digest_of_bytes(command.value) != pledge.digest:
        return Refusal(Reason.WRONG_BYTES, None, {"problem": "these are not the bytes that were pledged"})
    return None


def refuse_open_seed(table: Table, command: c.OpenSeed) -> Refusal | None:
    """A seed stays closed while a round of its shoe can be opened again: until the next shoe is called."""
    state = table.state
    if _committed(state, command.shoe) is None:
        return Refusal(Reason.NO_COMMITMENT, None, {"shoe": command.shoe})
    if state.phase is not Phase.CLOSED and state.round_shoe <= command.shoe:
        return Refusal(Reason.SEED_NOT_DUE, None, {"shoe": command.shoe})
    return None


def _refuse_begun(state: State) -> Refusal | None:
    """Whether the order of the shoe in play is already fixed, or the house never bound itself to one."""
    shoe = state.shoe
    if shoe is None or _committed(state, state.shoe_number) is None:
        return Refusal(Reason.NO_COMMITMENT, None, {"shoe": state.shoe_number})
    if shoe.cards_left < shoe.size or state.round_shoe == state.shoe_number or state.phase is not Phase.IDLE:
        return Refusal(Reason.SHUFFLE_FIXED, None)
    return None


def _committed(state: State, number: int) -> Committed | None:
    return next((shoe for shoe in state.committed if shoe.shoe == number), None)


def _pledge_of(state: State, player: str) -> Pledge | None:
    return next((pledge for pledge in state.pledges if pledge.player == player), None)


def pledge(draft: Draft, command: c.PledgeBytes) -> None:
    draft.add(e.BytesPledged(*draft.stamp, player=command.actor, digest=command.digest))


def open_bytes(draft: Draft, command: c.OpenBytes) -> None:
    draft.add(e.BytesOpened(*draft.stamp, player=command.actor, value=command.value))


def open_seed(draft: Draft, command: c.OpenSeed) -> None:
    shoe = _committed(draft.state, command.shoe)
    assert shoe is not None
    draft.add(
        e.SeedOpened(
            *draft.stamp,
            shoe=shoe.shoe,
            seed=command.seed,
            algorithm=shoe.algorithm,
            contributions=shoe.contributions,
        )
    )


VERBS: Verbs = {
    c.PledgeBytes: Verb(refuse=refuse_pledge, carry_out=pledge, in_a_pause=True),
    c.ClosePledges: Verb(
        refuse=refuse_close,
        carry_out=lambda draft, _: draft.add(e.PledgesClosed(*draft.stamp)),
        in_a_pause=True,
    ),
    c.OpenBytes: Verb(refuse=refuse_open_bytes, carry_out=open_bytes, in_a_pause=True),
    c.OpenSeed: Verb(refuse=refuse_open_seed, carry_out=open_seed, in_a_pause=True, after_close=True),
}
