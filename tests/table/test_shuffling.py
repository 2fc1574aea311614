"""Pledges, opened bytes and opened seeds: who may do what, and when nothing can depend on it any more."""

from hashlib import sha256

import pytest

from punto.cards.source import SourceKind
from punto.table.betting import CallBets
from punto.table.house import BurnCards, ChangeTerms, CloseTable, LoadShoe
from punto.table.settlement import SettleRound
from punto.table.shuffling import ClosePledges, OpenBytes, OpenSeed, PledgeBytes, SeedOpened
from tests.table.scenes import DEALER, SUPERVISOR, Scene, terms_of

COMMITMENT = "c" * 64
ANN, BOB = b"ann's bytes", b"bob's bytes"


def digest(value: bytes) -> str:
    return sha256(value).hexdigest()


def fresh(**terms: object) -> Scene:
    scene = Scene("insurance", load=False, **terms)
    scene.do(LoadShoe, commitment=COMMITMENT, algorithm="some-1")
    return scene


def play_round(scene: Scene, cards: str = "KS 2H 9D 5C") -> None:
    scene.call()
    scene.close()
    scene.deal(cards)
    scene.do(SettleRound)


@pytest.mark.gli("3.3.2")
def test_bytes_are_pledged_then_closed_then_opened_and_stand_in_the_order_of_their_pledges() -> None:
    scene = fresh()
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    scene.do(PledgeBytes, "Bob", digest=digest(BOB))
    assert scene.refuse(OpenBytes, "Ann", value=ANN.hex()) == "pledges-open"
    scene.do(ClosePledges)
    scene.do(OpenBytes, "Bob", value=BOB.hex())
    scene.do(OpenBytes, "Ann", value=ANN.hex())
    (shoe,) = scene.state.committed
    assert (shoe.commitment, shoe.contributions) == (COMMITMENT, (ANN.hex(), BOB.hex()))


def test_bytes_that_are_not_opened_are_left_out() -> None:
    scene = fresh()
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    scene.do(PledgeBytes, "Bob", digest=digest(BOB))
    scene.do(ClosePledges)
    scene.do(OpenBytes, "Bob", value=BOB.hex())
    scene.call()
    assert scene.refuse(OpenBytes, "Ann", value=ANN.hex()) == "shuffle-fixed"
    assert scene.state.committed[0].contributions == (BOB.hex(),)


def test_no_card_and_no_bet_while_the_list_is_open() -> None:
    scene = fresh(burn="2")
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    assert scene.refuse(BurnCards) == "pledges-open"
    scene.do(ClosePledges)
    scene.do(BurnCards)
    assert scene.refuse(OpenBytes, "Ann", value=ANN.hex()) == "shuffle-fixed"
    other = fresh()
    other.do(PledgeBytes, "Ann", digest=digest(ANN))
    assert other.refuse(CallBets) == "pledges-open"


def test_nobody_pledges_twice_or_what_another_has_pledged_or_too_late() -> None:
    scene = fresh()
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    assert scene.refuse(PledgeBytes, "Ann", digest=digest(BOB)) == "already-pledged"
    assert scene.refuse(PledgeBytes, "Bob", digest=digest(ANN)) == "wrong-bytes"
    assert scene.refuse(PledgeBytes, "Bob", digest="abc") == "wrong-bytes"
    assert scene.refuse(PledgeBytes, "Bob", digest=digest(BOB).upper()) == "wrong-bytes"
    scene.do(ClosePledges)
    assert scene.refuse(PledgeBytes, "Bob", digest=digest(BOB)) == "pledges-closed"
    assert scene.refuse(ClosePledges) == "nothing-pledged"
    assert scene.refuse(PledgeBytes, DEALER, digest=digest(BOB)) == "not-allowed"


@pytest.mark.parametrize("value", ["", "zz", "abc", BOB.hex(), ANN.hex().upper(), "00" * 65])
def test_only_the_pledged_bytes_open_a_pledge(value: str) -> None:
    scene = fresh()
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    scene.do(ClosePledges)
    assert scene.refuse(OpenBytes, "Ann", value=value) == "wrong-bytes"
    assert scene.refuse(OpenBytes, "Bob", value=BOB.hex()) == "nothing-pledged"
    scene.do(OpenBytes, "Ann", value=ANN.hex())
    assert scene.refuse(OpenBytes, "Ann", value=ANN.hex()) == "nothing-pledged"


def test_a_seed_is_opened_at_the_first_call_of_the_next_shoe_and_not_before() -> None:
    scene = fresh()
    assert scene.refuse(OpenSeed, shoe=1, seed="ab") == "seed-not-due"
    play_round(scene)
    assert scene.refuse(OpenSeed, shoe=1, seed="ab") == "seed-not-due"
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("insurance", behind_cut=30))
    scene.do(LoadShoe, commitment="d" * 64, algorithm="some-1")
    assert scene.refuse(OpenSeed, shoe=1, seed="ab") == "seed-not-due"
    scene.call()
    (opened,) = scene.do(OpenSeed, shoe=1, seed="ab")
    assert isinstance(opened, SeedOpened)
    assert scene.refuse(OpenSeed, shoe=1, seed="ab") == "no-commitment"
    assert scene.refuse(OpenSeed, shoe=2, seed="ab") == "seed-not-due"


def test_at_the_close_of_the_table_every_seed_may_be_opened() -> None:
    scene = fresh()
    play_round(scene)
    scene.do(CloseTable, SUPERVISOR)
    scene.do(OpenSeed, shoe=1, seed="ab")
    assert scene.state.committed == ()
    assert scene.refuse(LoadShoe) == "table-closed"


def test_a_shoe_without_a_commitment_takes_no_pledge() -> None:
    scene = Scene("insurance")
    assert scene.refuse(PledgeBytes, "Ann", digest=digest(ANN)) == "no-commitment"
    assert scene.refuse(OpenSeed, shoe=1, seed="ab") == "no-commitment"


@pytest.mark.parametrize("source", [SourceKind.ENTERED, SourceKind.CONTINUOUS])
def test_only_a_shoe_that_the_system_shuffles_has_a_commitment(source: SourceKind) -> None:
    scene = Scene("insurance", load=False, source=source)
    assert scene.refuse(LoadShoe, commitment=COMMITMENT, algorithm="some-1") == "no-commitment"
    scene.do(LoadShoe)


def test_a_new_shoe_begins_with_no_pledges() -> None:
    scene = fresh()
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
    scene.do(ClosePledges)
    play_round(scene)
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("insurance", behind_cut=30))
    scene.do(LoadShoe, commitment="d" * 64, algorithm="some-1")
    assert (scene.state.pledges, scene.state.pledges_closed) == ((), False)
    scene.do(PledgeBytes, "Ann", digest=digest(ANN))
