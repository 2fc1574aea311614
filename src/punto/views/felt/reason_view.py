"""Why each hand has drawn a card or stood so far, by the book's table of play: for those who are learning."""

from __future__ import annotations

import msgspec

from punto.coup.coup import points
from punto.rules.facts import Hand
from punto.rules.play import STOOD, Draw
from punto.table.state import Table, shown_cards
from punto.views.labels import LabelView, hand_labels


class ReasonView(msgspec.Struct, frozen=True):
    """Why a hand drew a third card or stood."""

    hand: Hand
    draws: bool
    points: int
    """What its first two cards count."""
    third: int | None
    """The points of Player's third card, where that decided."""
    label: LabelView
    clause: str


def reason_views(table: Table) -> tuple[ReasonView, ...]:
    """Why the hands of this round drew or stood, as far as the cards that lie open decide it."""
    play, state = table.book.play, table.state
    player, banker = shown_cards(state.player[:2]), shown_cards(state.banker[:2])
    if player is None or banker is None or len(player) < 2 or len(banker) < 2:
        return ()
    mine, other = points(player), points(banker)
    if play.ends[mine * 10 + other]:
        hand, count = (Hand.PLAYER, mine) if mine in play.naturals else (Hand.BANKER, other)
        label = _counted(_label(table, hand, *_NATURAL), count)
        return (ReasonView(hand, False, count, None, label, play.naturals_clause),)
    first = play.player[mine]
    assert first is not None, "every count that is not a natural has a row"
    reasons = [_reason(table, Hand.PLAYER, mine, None, first)]
    if not first.draws:
        return (*reasons, _banker(table, other, STOOD))
    third = shown_cards(state.player[2:3])
    if third:
        reasons.append(_banker(table, other, third[0].points))
    return tuple(reasons)


def _banker(table: Table, count: int, third: int) -> ReasonView:
    row = table.book.play.banker[third][count]
    assert row is not None
    return _reason(table, Hand.BANKER, count, None if third == STOOD else third, row)


def _reason(table: Table, hand: Hand, count: int, third: int | None, row: Draw) -> ReasonView:
    label = _counted(_label(table, hand, *(_DRAWS if row.draws else _STANDS)), count)
    if third is not None:
        player = hand_labels(table.book, Hand.PLAYER)
        label = LabelView(
            f"{label.en}, beside {player.en}'s third card of {third}",
            f"{label.zh_hans}（{player.zh_hans}第三张{third}点）",
            f"{label.zh_hant}（{player.zh_hant}第三張{third}點）",
        )
    return ReasonView(hand, row.draws, count, third, label, row.clause)


_DRAWS = ("{hand} has {count} and draws", "{hand}{count}点，补牌", "{hand}{count}點，補牌")
_STANDS = ("{hand} has {count} and stands", "{hand}{count}点，不补牌", "{hand}{count}點，不補牌")
_NATURAL = ("{hand} has a natural {count}", "{hand}例牌{count}点", "{hand}例牌{count}點")


def _label(table: Table, hand: Hand, en: str, zh_hans: str, zh_hant: str) -> LabelView:
    names = hand_labels(table.book, hand)
    return LabelView(
        en.replace("{hand}", names.en),
        zh_hans.replace("{hand}", names.zh_hans),
        zh_hant.replace("{hand}", names.zh_hant),
    )


def _counted(label: LabelView, count: int) -> LabelView:
    return LabelView(
        *(text.replace("{count}", str(count)) for text in (label.en, label.zh_hans, label.zh_hant))
    )
