"""What other rooms ask about the shuffle."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.table.state import State


def refuse_pledges_open(state: State) -> Refusal | None:
    """No card leaves a shoe and no bet is called while bytes can still be pledged for its order."""
    if state.pledges and not state.pledges_closed:
        return Refusal(Reason.PLEDGES_OPEN, None)
    return None
