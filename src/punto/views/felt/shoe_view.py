"""The shoe in play: how far it has come, and what the house has promised of its order."""

from __future__ import annotations

import msgspec

from punto.cards.source import SourceKind
from punto.table.house.opening import is_shoe_finished
from punto.table.state import State


class PledgeView(msgspec.Struct, frozen=True):
    """Bytes that a player adds to the shuffle."""

    player: str
    digest: str
    opened: bool


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe in play."""

    number: int
    size: int
    """Cards in the full shoe."""
    cards_left: int
    decks: int
    source: SourceKind
    cut_card_out: bool
    last_round: int | None
    """Once the cut card is out: the last round of this shoe."""
    finished: bool
    """Whether a new shoe comes before the next round."""
    burn_due: bool
    commitment: str | None
    """The digest by which the house bound itself to the order of this shoe, where it did."""
    algorithm: str | None
    pledges: tuple[PledgeView, ...]
    pledges_closed: bool


def shoe_view(state: State) -> ShoeView | None:
    """The shoe in play; None where there is none."""
    shoe, terms = state.shoe, state.terms
    if shoe is None or terms is None:
        return None
    bound = next((each for each in state.committed if each.shoe == state.shoe_number), None)
    return ShoeView(
        number=state.shoe_number,
        size=shoe.size,
        cards_left=shoe.cards_left,
        decks=shoe.decks,
        source=terms.source,
        cut_card_out=shoe.behind_cut > 0 and shoe.is_cut_card_out,
        last_round=state.last_round,
        finished=is_shoe_finished(state),
        burn_due=state.burn_due,
        commitment=bound.commitment if bound else None,
        algorithm=bound.algorithm if bound else None,
        pledges=tuple(
            PledgeView(pledge.player, pledge.digest, pledge.opened is not None) for pledge in state.pledges
        ),
        pledges_closed=state.pledges_closed,
    )
