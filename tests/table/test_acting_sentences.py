"""What a refusal tells people: the sentence with its amounts, names and clause, as it is read out."""

from typing import Any

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.table import Refusal
from punto.table.antes import PlaceWager
from punto.table.betting import AdviseMinimum, CloseBets, PlaceBet, ReduceBet, RejectExcess, WithdrawBet
from punto.table.dealing import AskSqueeze, DealCard, RevealCard
from punto.table.header import CommandHeader
from punto.table.house import ChangeTerms, TakeSeat
from punto.table.insurance import DeclineInsurance, TakeInsurance
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import ChooseOption, CloseOptions, Effect, Option, OrderCards, Report, Rule
from punto.table.terms import Drawing, Faces, Noticing
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, P, Scene, made, terms_of


def told(scene: Scene, what: type[CommandHeader], by: str = DEALER, /, **fields: Any) -> str:
    answer = scene.give(made(what, by, **fields))
    assert isinstance(answer, Refusal)
    return answer.sentence


def betting(book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.seat("Ann", 1)
    scene.call()
    return scene


def test_of_stakes() -> None:
    scene = betting(minimum=1500, differential=5000)
    bet = {"box": 1, "area": "player"}
    assert told(scene, PlaceBet, "Ann", amount=1400, **bet) == (
        "the minimum on player is 15; this bet would be 14 (clause 5.2)"
    )
    assert told(scene, PlaceBet, "Ann", amount=1550, **bet) == ("15.50 must be a positive whole number of chips of 1")
    scene.bet("Ann", "player", 2000)
    assert told(scene, ReduceBet, "Ann", amount=600, **bet) == (
        "the minimum on player is 15; this bet would be 14 (clause 5.2)"
    )
    assert told(scene, ReduceBet, "Ann", amount=2100, **bet) == "the bet is only 20"
    scene.bet("Ann", "player", 3000)
    assert told(scene, PlaceBet, "Ann", amount=100, **bet) == (
        "box 1 is full: Banker and Player may differ by at most 50 (clause 5.1)"
    )
    scene.bet("Ann", "banker", 2000)
    scene.bet("Ann", "player", 2000)
    assert told(scene, WithdrawBet, "Ann", box=1, area="banker") == (
        "withdrawing this would put box 1 over the differential of 50 (clause 5.1)"
    )
    assert told(scene, WithdrawBet, "Ann", box=1, area="tie") == "Ann has no bet on tie in box 1"


def test_of_the_maximum() -> None:
    scene = betting("ez", maximum=3000)
    scene.bet("Ann", "player", 2500)
    assert told(scene, PlaceBet, "Ann", box=1, area="player", amount=600) == (
        "the maximum on player is 30; this bet would be 31 (clause intro-3)"
    )


def test_of_boxes_and_areas() -> None:
    scene = betting("ez")
    assert told(scene, PlaceBet, "Ann", box=8, area="tie", amount=1000) == ("the table has boxes 1 to 7, not 8")
    assert told(scene, PlaceBet, "Ann", box=1, area="moon", amount=1000) == (
        "this book has no betting area moon; it has player, banker, tie, dragon-7, panda-8 (clause intro-5)"
    )
    assert told(scene, PlaceBet, "Ben", box=1, area="tie", amount=1000) == (
        "a standing player may only bet behind a seated player's bet, and box 1 has none"
    )
    assert told(scene, TakeSeat, "Ben", box=1) == "box 1 is taken by Ann"
    assert told(scene, TakeSeat, "Ann", box=2) == "Ann already sits at box 1"


def test_of_antes_and_totals() -> None:
    scene = betting("knockout")
    assert told(scene, PlaceBet, "Ann", box=1, area="winning-total-7", amount=1000) == (
        "winning-total-7 may only be bet together with player or banker (clause 3.3)"
    )
    scene.bet("Ann", "ante-player", 1000)
    scene.close()
    scene.deal("6S")
    assert told(scene, PlaceWager, "Ann", box=1, area="wager-player", amount=1000) == (
        "wager-player must be exactly 2 times ante-player, that is 20 (clause 3.4.2)"
    )
    assert told(scene, PlaceWager, "Ann", box=1, area="tie", amount=1000) == (
        "tie does not take a wager; wager-player, wager-banker does (clause 3.4.2)"
    )
    assert told(scene, PlaceWager, "Ann", box=1, area="ante-player", amount=2000) == (
        "ante-player does not take a wager; wager-player does (clause 3.4.2)"
    )
    unknown = told(scene, PlaceWager, "Ann", box=1, area="wager", amount=2000)
    assert unknown.startswith("this book has no betting area wager; it has player, banker, ")
    assert unknown.endswith(" (clause 2.1.3)")
    assert told(scene, DealCard, card=Card("KS")) == "Ann must decide an ante first (clause 3.4)"


def test_of_insurance() -> None:
    scene = betting()
    scene.bet("Ann", "player", 5000)
    scene.close()
    scene.deal("KS KH 6D 5C")
    assert told(scene, TakeInsurance, "Ann", box=1, hand=P, amount=1700) == (
        "the greatest insurance stake is 16 (clause 3.12.2)"
    )
    assert told(scene, TakeInsurance, "Ben", box=1, hand=P, amount=100) == (
        "there is no bet on player to insure (clause 3.11)"
    )
    scene.do(DeclineInsurance, "Ann")
    assert told(scene, TakeInsurance, "Ann", box=1, hand=P, amount=100) == (
        "insurance is forgone for this round: an offer was not taken (clause 5.3)"
    )


def test_of_people_and_ranks() -> None:
    scene = betting()
    scene.bet("Ann", "player", 5000)
    assert told(scene, PlaceBet, SHIFT, box=1, area="tie", amount=1000, player="Ann") == (
        "shift-manager may not give the command place-bet; "
        "it takes player, dealer, pit-supervisor, pit-manager (clause 5.17)"
    )
    assert told(scene, PlaceBet, DEALER, box=1, area="tie", amount=1000) == (
        "dealer must name a player with the command place-bet"
    )
    assert told(scene, WithdrawBet, "Ben", box=1, area="player", player="Ann") == "Ben may not act for Ann"
    scene.close()
    scene.report(seen="uncovered")
    assert told(scene, Rule, MANAGER, effect=Effect.CONTINUE, reason="x") == (
        "pit-manager may not give the command rule; it takes shift-manager (clause 5.18)"
    )
    assert told(scene, DealCard, card=Card("KS")) == (
        "the round is stopped until the case of uncovered is resolved (clause 5.18)"
    )
    assert told(scene, Rule, SHIFT, effect=Effect.STAND, reason="x") == (
        "a ruling of stand has no effect here (clause 5.18)"
    )


def test_of_cards() -> None:
    scene = Scene("insurance", decks=4)
    scene.start(Ann="player=1000")
    scene.deal("KS KS KS KS")
    assert told(scene, DealCard, card=Card("KS")) == "all 4 KS of this shoe are already out (clause 2.2.1)"
    assert told(scene, RevealCard, hand=P, number=3) == "there is no such card: player 3"
    scene.report("4S:player:together 9H:player:together")
    assert told(scene, OrderCards, SUPERVISOR, cards=parse_cards("4S 4S")) == (
        "the cards to be ordered are 4S 9H (clause 5.10)"
    )
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    assert told(scene, CloseOptions) == "players at the table must still choose: Ann (clause 5.10.1)"
    assert told(scene, ChooseOption, "Ben", option=Option.RETURN) == ("Ben has no choice to make (clause 5.10.1)")


def test_of_rounds_and_drawers() -> None:
    scene = Scene("insurance", drawing=Drawing.PLAYERS, faces=Faces.DOWN)
    scene.start(Ann="player=2000", Ben="banker=1000")
    assert told(scene, DealCard, card=Card("KS")) == "Ann draws the cards of this round"
    assert told(scene, AskSqueeze, "Ben", hand=P, number=1) == (
        "only the seated player with the highest bet may ask: Ann (clause 3.9)"
    )
    assert told(scene, Report, seen=(Seen.UNCOVERED,), round=7) == "round 7 is not an earlier round"


def test_of_terms() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 8)
    assert told(scene, ChangeTerms, SUPERVISOR, terms=terms_of("insurance", decks=9)) == (
        "decks cannot be 9 at a table: the book allows 4, 5, 6, 7, 8 (clause 2.2.1)"
    )
    assert told(scene, ChangeTerms, SUPERVISOR, terms=terms_of("insurance", layout="mini-7")) == (
        "box 8 is taken by Ann"
    )


def test_of_what_the_dealer_noticed() -> None:
    scene = betting(noticing=Noticing.DEALER)
    scene.bet("Ann", "player", 100)
    scene.do(AdviseMinimum, box=1, area="player", player="Ann")
    assert told(scene, CloseBets) == (
        "Ann's bet on player is under the minimum: raise, withdraw or rule on it first (clause 5.18)"
    )
    assert told(scene, RejectExcess, box=1) == "box 1 is not over its limits (clause 5.1)"
