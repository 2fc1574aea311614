"""What a page is told of an offer of insurance is what settlement does, for every offer and every end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from punto.cards.card import Card
from punto.rules.authority import Role
from punto.rules.outcome import Hand, Result, Winner
from punto.table import Table
from punto.table.dealing import DealCard
from punto.table.insurance import TakeInsurance
from punto.table.settlement import settlement_due
from punto.table.state import Phase
from punto.views.deal_view import DisplayedOdds, OfferEnd, insurance_view
from punto.views.viewer import Viewer
from tests.table.scenes import Scene

RANKS = ("10", "A", "2", "3", "4", "5", "6", "7", "8", "9")
"""A rank for every number of points."""
Seen = tuple[OfferEnd, Result, str | None, str]
PLAYER = Viewer("Ann", Role.PLAYER)
SAID = {
    Result.WIN: ("pays", "派彩", "派彩"),
    Result.PUSH: ("returned", "退回", "退回"),
    Result.LOSE: ("is lost", "输掉", "輸掉"),
}


def card(points: int, suit: str = "S") -> str:
    return RANKS[points] + suit


@cache
def closed(hand: Hand) -> Table:
    """A table where Ann has bet on a hand, and no card is out."""
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", hand.value, 100_000)
    scene.close()
    return scene.table


def at(table: Table) -> Scene:
    scene = Scene("insurance", load=False)
    scene.table = table
    return scene


def windows(hand: Hand) -> Iterator[tuple[DisplayedOdds, Table]]:
    """Every way to an open offer on this hand, by points: what is displayed, and the table once it is taken."""
    for player in range(10):
        for banker in range(10):
            scene = at(closed(hand))
            scene.deal(f"{card(0)} {card(0)} {card(player)} {card(banker)}")
            yield from taken(scene, hand)
            for third in range(10):
                later = at(scene.table)
                if (
                    later.state.phase is not Phase.DEALING
                    or not later.table.book.play.player_draws[player * 10 + banker]
                ):
                    break
                later.deal(card(third, "H"))
                yield from taken(later, hand)


def taken(scene: Scene, hand: Hand) -> Iterator[tuple[DisplayedOdds, Table]]:
    view = insurance_view(scene.table, PLAYER)
    assert view is not None
    shown = [one for one in view.odds if one.hand is hand]
    if not any(offer.mine and offer.most for offer in view.offers):
        return
    insured = at(scene.table)
    insured.do(TakeInsurance, "Ann", box=1, hand=hand, amount=100)
    yield shown[0], insured.table


def endings(table: Table, suit: str = "D") -> Iterator[Table]:
    """Every end of a round, by points of the cards that come."""
    if table.state.phase is Phase.FINISHED:
        yield table
        return
    for points in range(10):
        scene = at(table)
        scene.do(DealCard, card=Card.parse(card(points, suit)))
        yield from endings(scene.table, "C")


def settled(table: Table, hand: Hand) -> set[Seen]:
    """What settlement makes of the insurance of a finished round."""
    winner = table.state.winner
    assert winner is not None
    end = {Winner.TIE: OfferEnd.TIES, Winner(hand.value): OfferEnd.WINS}.get(winner, OfferEnd.LOSES)
    lines = [line for line in settlement_due(table) if line.area in table.book.insurance_areas]
    return {(end, line.result, line.odds, line.clause) for line in lines}


@pytest.mark.parametrize("hand", Hand)
def test_every_offer_says_what_settlement_does_at_every_end(hand: Hand) -> None:
    told: dict[tuple[int, int, int], set[Seen]] = {}
    done: dict[tuple[int, int, int], set[Seen]] = {}
    for shown, table in windows(hand):
        insured = table.state.insured[0]
        cell = (insured.window, *insured.totals)
        told[cell] = {(one.end, one.result, one.odds, one.clause) for one in shown.ends}
        done.setdefault(cell, set()).update(*(settled(end, hand) for end in endings(table)))
        assert sum(one.chance for one in shown.ends) == pytest.approx(1)
        for one in shown.ends:
            for said, mark in zip((one.label.en, one.label.zh_hans, one.label.zh_hant), SAID[one.result], strict=True):
                assert mark in said and (one.odds is None or one.odds in said)
    assert len(told) > 20
    assert told == done


def test_insurance_on_a_nine_pays_on_the_tie_and_says_so() -> None:
    scene = at(closed(Hand.PLAYER))
    scene.deal("2S 6H 2D 5H 5D")
    view = insurance_view(scene.table, PLAYER)
    assert view is not None
    ties, wins = view.odds[0].ends
    assert (ties.label.en, ties.clause) == ("On a tie, it pays 8:1", "4.2.1")
    assert wins.label.zh_hans == "若闲赢，输掉注码"
    assert view.odds[0].edge is not None and -1 < view.odds[0].edge < 1


def test_what_it_brings_on_average_follows_from_its_ends() -> None:
    scene = at(closed(Hand.BANKER))
    scene.deal("KS KH 3D 6C")
    view = insurance_view(scene.table, PLAYER)
    assert view is not None
    [shown] = view.odds
    pays = {Result.WIN: 3, Result.PUSH: 0, Result.LOSE: -1}
    assert shown.edge == pytest.approx(-sum(one.chance * pays[one.result] for one in shown.ends))
