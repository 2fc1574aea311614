"""Opening, pausing, changing and closing a table; its shoe, the burn and the cut card."""

import pytest

from punto import books
from punto.cards import parse_cards
from punto.cards.source import SourceKind
from punto.refusal import Refusal
from punto.rules.authority import Authority, Role
from punto.rules.book import digest_of
from punto.table import Table, decide
from punto.table.betting import CallBets
from punto.table.header import Person
from punto.table.house import (
    BurnCards,
    ChangeTerms,
    CloseTable,
    LeaveSeat,
    LoadShoe,
    OpenTable,
    PauseTable,
    ResumeTable,
    TableOpened,
    TakeSeat,
)
from punto.table.state import Phase
from tests.table.scenes import DEALER, SUPERVISOR, Scene, names, terms_of

KING = parse_cards("KS")[0]


def test_nothing_happens_at_a_table_that_is_not_open() -> None:
    scene = Scene("ez")
    scene.table = Table(books.load("ez"))
    assert scene.refuse(CallBets) == "not-opened"
    assert scene.refuse(OpenTable, DEALER, terms=terms_of("ez")) == "not-allowed"
    assert scene.refuse(OpenTable, SUPERVISOR, terms=terms_of("ez", decks=7)) == "wrong-terms intro-2"
    scene.do(OpenTable, SUPERVISOR, terms=terms_of("ez"))
    assert scene.refuse(OpenTable, SUPERVISOR, terms=terms_of("ez")) == "already-opened"


def test_a_closed_table_stays_closed() -> None:
    scene = Scene("ez")
    scene.do(CloseTable, SUPERVISOR)
    assert scene.state.phase is Phase.CLOSED
    for command in (CallBets, ResumeTable, LoadShoe):
        assert scene.refuse(command) == "table-closed"
    assert scene.refuse(OpenTable, SUPERVISOR, terms=terms_of("ez")) == "table-closed"


def test_a_paused_table_takes_people_and_new_terms_but_no_rounds() -> None:
    scene = Scene("ez")
    scene.do(PauseTable)
    assert scene.refuse(PauseTable) == "paused"
    assert scene.refuse(CallBets) == "paused"
    scene.seat("Ann", 1)
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("ez", minimum=2000))
    assert scene.refuse(CallBets) == "paused"
    scene.do(ResumeTable)
    assert scene.refuse(ResumeTable) == "not-paused"
    scene.call()
    assert scene.refuse(PauseTable) == "between-rounds"
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=terms_of("ez")) == "between-rounds"


def test_a_paused_table_may_be_closed() -> None:
    scene = Scene("ez")
    scene.do(PauseTable)
    scene.do(CloseTable, SUPERVISOR)


def test_fewer_boxes_only_where_nobody_sits() -> None:
    scene = Scene("ez")
    scene.seat("Ann", 5)
    smaller = terms_of("ez", boxes=4)
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=smaller) == "seat-taken"
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("ez", boxes=5))
    scene.do(LeaveSeat, "Ann")
    scene.do(ChangeTerms, SUPERVISOR, terms=smaller)
    assert scene.refuse(TakeSeat, "Ann", box=5) == "unknown-box"


@pytest.mark.parametrize(
    ("changed", "needs"),
    [
        ({"minimum": 2000}, False),
        ({"decks": 6}, True),
        ({"behind_cut": 20}, True),
        ({"source": SourceKind.ENTERED}, True),
    ],
)
def test_other_cards_need_another_shoe(changed: dict[str, object], needs: bool) -> None:
    scene = Scene("ez")
    (event,) = scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("ez", **changed))
    assert event.needs_shoe is needs
    if needs:
        assert scene.refuse(CallBets) == "no-shoe"
        scene.do(LoadShoe)
    scene.call()


def test_a_shoe_in_play_is_not_changed() -> None:
    scene = Scene("ez", load=False)
    assert scene.refuse(CallBets) == "no-shoe"
    assert scene.refuse(BurnCards, card=KING) == "no-shoe"
    scene.do(LoadShoe)
    assert scene.refuse(LoadShoe) == "shoe-in-play"


@pytest.mark.parametrize(("card", "count"), [("KS", 11), ("10H", 11), ("AS", 2), ("7D", 8)])
def test_the_first_card_is_shown_and_as_many_burned_as_it_counts(card: str, count: int) -> None:
    scene = Scene("ez", burn="first-card")
    assert scene.refuse(CallBets) == "burn-first"
    assert scene.refuse(BurnCards) == "card-needed"
    (burned,) = scene.do(BurnCards, card=parse_cards(card)[0])
    assert (str(burned.shown), burned.count) == (card, count)
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 8 * 52 - count
    assert scene.state.shoe.out == parse_cards(card)
    assert scene.refuse(BurnCards, card=KING) == "no-burn-due"
    scene.call()


def test_a_fixed_burn_shows_nothing() -> None:
    scene = Scene("ez", burn="5")
    (burned,) = scene.do(BurnCards, card=KING)
    assert (burned.shown, burned.count) == (None, 5)
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 8 * 52 - 5


def test_a_burn_due_under_terms_that_have_changed() -> None:
    scene = Scene("ez", burn="5")
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("ez", burn="none"))
    (burned,) = scene.do(BurnCards, card=KING)
    assert (burned.shown, burned.count) == (None, 0)
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 8 * 52


def test_a_continuous_shuffler_burns_nothing_and_never_ends() -> None:
    scene = Scene("ez", source=SourceKind.CONTINUOUS, burn="first-card", behind_cut=400)
    for _ in range(30):
        scene.start(Ann="player=1000")
        scene.deal("KS KS 9S 7S")
        scene.settle()
        assert scene.state.shoe is not None
        assert scene.state.shoe.cards_left == 8 * 52
    assert scene.refuse(LoadShoe) == "shoe-in-play"


@pytest.mark.parametrize("more", [0, 1, 2])
def test_the_shoe_is_finished_some_rounds_after_the_cut_card(more: int) -> None:
    """Twenty cards in front of the cut card; it comes out in the fifth round of four cards."""
    scene = Scene("ez", burn="none", behind_cut=8 * 52 - 18, rounds_after_cut=more)
    for number in range(1, 6 + more):
        scene.start(Ann="player=1000")
        told = names(scene.deal("KS 2H 9S 5D"))
        assert ("cut-card-came-out" in told) == (number == 5)
        scene.settle()
    assert scene.state.last_round == 5 + more
    assert scene.refuse(CallBets) == "shoe-finished"
    (loaded,) = scene.do(LoadShoe)
    assert loaded.number == 2
    scene.call()  # the new shoe is not finished


def test_no_cut_card_no_end_but_too_few_cards() -> None:
    scene = Scene("ez", decks=6, burn=str(6 * 52 - 9), behind_cut=0)
    scene.do(BurnCards)
    scene.start(Ann="player=1000")
    scene.deal("KS 2H 9S 5D")
    scene.settle()
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 5
    scene.start(Ann="player=1000")
    scene.deal("KS 2H 9S 5D")
    scene.settle()
    assert scene.refuse(CallBets) == "shoe-finished"


def test_a_command_may_need_a_second_person() -> None:
    rule = Authority("load-shoe", (Role.DEALER,), second=Role.PIT_SUPERVISOR)
    scene = Scene("ez", load=False, authority=(rule,))
    assert scene.refuse(LoadShoe) == "second-person"
    for name, role in (("Dan", Role.PIT_MANAGER), ("Don", Role.DEALER), ("Ada", Role.ADMINISTRATOR)):
        assert scene.refuse(LoadShoe, second=Person(name, role)) == "second-person"
    scene.do(LoadShoe, second=Person("Sue", Role.PIT_SUPERVISOR))
    assert scene.refuse(LoadShoe, SUPERVISOR) == "not-allowed"


@pytest.mark.gli("2.8.3")
@pytest.mark.gli("A.5.1")
def test_an_opening_names_the_digest_of_its_book() -> None:
    table = Table(books.load("ez"))
    opening = OpenTable(actor="Pia", role=Role.PIT_SUPERVISOR, terms=terms_of("ez"))
    events = decide(table, opening)
    assert not isinstance(events, Refusal)
    (opened,) = events
    assert isinstance(opened, TableOpened)
    assert opened.digest == digest_of(books.load("ez").text)
    assert opened.digest != digest_of(books.load("commission"))


def test_a_table_keeps_its_currency() -> None:
    """What it has paid could still be taken back, and that has to be the same money."""
    scene = Scene("ez", currency="EUR")
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=terms_of("ez")) == "wrong-terms"
    scene.do(ChangeTerms, SUPERVISOR, terms=terms_of("ez", currency="EUR", minimum=2000))
