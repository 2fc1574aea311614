"""What happens around the shuffle of a shoe."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.header import EventHeader
from punto.table.shuffling.pledge import Pledge
from punto.table.state import State


class BytesPledged(EventHeader, frozen=True):
    player: str
    digest: str

    def fold(self, state: State) -> State:
        return replace(state, pledges=(*state.pledges, Pledge(self.player, self.digest)))


class PledgesClosed(EventHeader, frozen=True):
    """From here on bytes are opened."""

    def fold(self, state: State) -> State:
        return replace(state, pledges_closed=True)


class BytesOpened(EventHeader, frozen=True):
    player: str
    value: str
    """The bytes, in hexadecimal digits."""

    def fold(self, state: State) -> State:
        pledges = tuple(
            replace(pledge, opened=self.value) if pledge.player == self.player else pledge
            for pledge in state.pledges
        )
        *earlier, shoe = state.committed
        opened = tuple(pledge.opened for pledge in pledges if pledge.opened is not None)
        return replace(state, pledges=pledges, committed=(*earlier, replace(shoe, contributions=opened)))


class SeedOpened(EventHeader, frozen=True):
    """Anybody can compute the order of this shoe now."""

    shoe: int
    seed: str
    algorithm: str
    contributions: tuple[str, ...] = ()

    def fold(self, state: State) -> State:
        return replace(state, committed=tuple(shoe for shoe in state.committed if shoe.shoe != self.shoe))


ShufflingEvent = BytesPledged | PledgesClosed | BytesOpened | SeedOpened
