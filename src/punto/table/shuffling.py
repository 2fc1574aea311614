"""The shuffle that players share in: bytes are pledged, the list is closed, and bytes and seed are opened.

Commands, events, decisions and words. No bet is called while bytes can still be pledged.
"""

from __future__ import annotations

from msgspec.structs import replace

from punto.refusal import Reason, Refusal
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs
from punto.table.state import MOST_PLEDGES, Committed, Phase, Pledge, State, Table, digest_of_bytes, is_digest
from punto.table.words import Words, plain


class PledgeBytes(CommandHeader, frozen=True, kw_only=True):
    """Promise bytes for the shuffle of a fresh shoe, by their SHA-256."""

    digest: str


class ClosePledges(CommandHeader, frozen=True, kw_only=True):
    """Close the list of pledges: from now on bytes are opened."""


class OpenBytes(CommandHeader, frozen=True, kw_only=True):
    """Tell the bytes that were pledged, in hexadecimal digits."""

    value: str


class OpenSeed(CommandHeader, frozen=True, kw_only=True):
    """Tell the seed of a shoe that is out of play; at a stored table `kept` stands for the seed that the floor
    keeps.
    """

    shoe: int
    seed: str


ShufflingCommand = PledgeBytes | ClosePledges | OpenBytes | OpenSeed


class BytesPledged(EventHeader, frozen=True):
    """A player promised bytes for the shuffle."""

    player: str
    digest: str

    def fold(self, state: State) -> State:
        return replace(state, pledges=(*state.pledges, Pledge(self.player, self.digest)))


class PledgesClosed(EventHeader, frozen=True):
    """Nobody can pledge bytes for this shoe any more."""

    def fold(self, state: State) -> State:
        return replace(state, pledges_closed=True)


class BytesOpened(EventHeader, frozen=True):
    """A player's bytes are part of the shuffle."""

    player: str
    value: str  # The bytes, in hexadecimal digits.

    def fold(self, state: State) -> State:
        pledges = tuple(
            replace(pledge, opened=self.value) if pledge.player == self.player else pledge for pledge in state.pledges
        )
        *earlier, shoe = state.committed
        opened = tuple(pledge.opened for pledge in pledges if pledge.opened is not None)
        return replace(state, pledges=pledges, committed=(*earlier, replace(shoe, contributions=opened)))


class SeedOpened(EventHeader, frozen=True):
    """The seed of a shoe out of play: anybody can compute its order."""

    shoe: int
    seed: str
    algorithm: str
    contributions: tuple[str, ...] = ()

    def fold(self, state: State) -> State:
        return replace(state, committed=tuple(shoe for shoe in state.committed if shoe.shoe != self.shoe))


ShufflingEvent = BytesPledged | PledgesClosed | BytesOpened | SeedOpened


def refuse_pledges_open(state: State) -> Refusal | None:
    """No card leaves a shoe and no bet is called while bytes can still be pledged for its order."""
    return Refusal(Reason.PLEDGES_OPEN, None) if state.pledges and not state.pledges_closed else None


def refuse_pledge_bytes(table: Table, command: PledgeBytes) -> Refusal | None:
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


def refuse_close_pledges(table: Table, _: ClosePledges) -> Refusal | None:
    can_close = table.state.pledges and not table.state.pledges_closed
    return _refuse_begun(table.state) or (None if can_close else Refusal(Reason.NOTHING_PLEDGED, None))


def refuse_open_bytes(table: Table, command: OpenBytes) -> Refusal | None:
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


def refuse_open_seed(table: Table, command: OpenSeed) -> Refusal | None:
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


def open_seed(draft: Draft, command: OpenSeed) -> None:
    shoe = _committed(draft.state, command.shoe)
    assert shoe is not None
    draft.add(SeedOpened, shoe.shoe, command.seed, shoe.algorithm, shoe.contributions)


SHUFFLING_VERBS: Verbs = {
    PledgeBytes: Verb(
        "pledge",
        refuse_pledge_bytes,
        lambda draft, command: draft.add(BytesPledged, command.actor, command.digest),
        in_a_pause=True,
    ),
    ClosePledges: Verb(
        "close the pledges", refuse_close_pledges, lambda draft, _: draft.add(PledgesClosed), in_a_pause=True
    ),
    OpenBytes: Verb(
        "open bytes",
        refuse_open_bytes,
        lambda draft, command: draft.add(BytesOpened, command.actor, command.value),
        in_a_pause=True,
    ),
    OpenSeed: Verb("open the seed", refuse_open_seed, open_seed, in_a_pause=True, after_close=True),
}


SHUFFLING_WORDS: dict[type[EventHeader], Words] = {
    BytesPledged: plain("pledged player digest"),
    PledgesClosed: plain("pledges-closed"),
    BytesOpened: plain("bytes-opened player value"),
    SeedOpened: plain("seed-opened shoe seed"),
}
