from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.cards.card import Card
from punto.rules.authority import Role
from punto.table.betting import CallBets, PlaceBet
from punto.table.command import Command
from punto.table.header import CommandHeader, Person
from punto.table.house import OpenTable
from punto.table.irregularity_case import Face, Place, Seen, Sighting
from punto.table.irregularity_events import Report, WithdrawEvidence
from punto.table.notation import (
    PHRASES,
    CardsDealt,
    CommandGiven,
    FactExpected,
    Remark,
    WrongLines,
    format_command,
    format_line,
    format_session,
    parse_line,
    parse_session,
)
from punto.table.terms import BetLimits, Terms
from tests.table.any_line import COMMANDS, TERMS, commands, commands_of, lines
from tests.table.drawn import FEW


def test_the_strategies_fill_every_field() -> None:
    assert {field.name for field in msgspec.structs.fields(Terms)} == set(TERMS)


DEALER = CommandGiven(CallBets(actor="Ann", role=Role.DEALER))


def test_every_command_has_its_words() -> None:
    assert set(PHRASES) == set(COMMANDS)
    assert len(set(PHRASES.values())) == len(PHRASES)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_command_is_read_as_it_was_written(kind: type[CommandHeader]) -> None:
    @settings(max_examples=FEW * settings().max_examples // 100)
    @given(commands_of(kind))
    def check(command: Command) -> None:
        written = format_command(command)
        assert "\n" not in written
        assert parse_line(written) == CommandGiven(command)

    check()


@pytest.mark.slow
@given(st.lists(commands, max_size=6).map(tuple))
def test_a_session_of_commands_is_read_as_it_was_written(session: tuple[Command, ...]) -> None:
    given_lines = tuple(map(CommandGiven, session))
    assert parse_session(format_session(given_lines)) == given_lines


@given(st.lists(lines, max_size=8))
def test_a_session_keeps_its_comments_blank_lines_cards_and_expectations(session: list[Any]) -> None:
    whole = (DEALER, *session)
    written = format_session(whole)
    assert parse_session(written) == whole
    assert format_session(parse_session(written)) == written
    assert written.count("\n") == len(whole)


def test_the_usual_lines() -> None:
    text = """\
# A round.

Pia as pit-supervisor: open insurance bean-9 differential=5000.00 limit.tie=5.00..500.00 burn=none
Ann as dealer at 1500 key k-1: place your bets
Lee: sit 3
Lee: bet 3 banker 100.00  # a hundred
Ann as dealer: bet 3 tie 5.00 for Lee
Ann as dealer with "Pia N." as pit-supervisor: report cards=5H:banker,3:up:is-6D seen=uncovered note=fell
Ann as dealer: report cards=unseen:banker:down:together,6D:player:together order=seen round=2
Pia as pit-supervisor: take back cards=5,6 seen=foreign-card
KS 3H 9D 10C
> settled 3 Lee banker win 95.00 4.1.2
> no offered
Ann as dealer: deal
Ann as dealer: reveal player 3 KS
"""
    session = parse_session(text)
    assert format_session(session) == text
    assert session[0] == Remark("# A round.")
    assert session[1] == Remark()
    assert session[2] == CommandGiven(
        OpenTable(
            actor="Pia",
            role=Role.PIT_SUPERVISOR,
            terms=Terms(
                book="insurance",
                layout="bean-9",
                differential=500_000,
                bet_limits={"tie": BetLimits(500, 50_000)},
                burn="none",
            ),
        )
    )
    assert session[3] == CommandGiven(CallBets(actor="Ann", role=Role.DEALER, time=1500, key="k-1"))
    bet = PlaceBet(actor="Lee", role=Role.PLAYER, box=3, area="banker", amount=10_000)
    assert session[5] == CommandGiven(bet, "# a hundred")
    assert session[7] == CommandGiven(
        Report(
            actor="Ann",
            role=Role.DEALER,
            second=Person("Pia N.", Role.PIT_SUPERVISOR),
            cards=(Sighting(card=Card("5H"), lies=Place.BANKER), Sighting(nth=3, face=Face.UP, is_=Card("6D"))),
            seen=(Seen.UNCOVERED,),
            note="fell",
        )
    )
    assert session[9] == CommandGiven(
        WithdrawEvidence(actor="Pia", role=Role.PIT_SUPERVISOR, cards=(5, 6), seen=(Seen.FOREIGN_CARD,))
    )
    assert session[10] == CardsDealt((Card("KS"), Card("3H"), Card("9D"), Card("10C")))
    assert session[11] == FactExpected(("settled", "3", "Lee", "banker", "win", "95.00", "4.1.2"))


def test_what_people_write_otherwise_is_read_too() -> None:
    bet = parse_line("Lee: bet 3 banker 100.00")
    assert parse_line("Lee : bet 3 banker 100") == bet
    assert parse_line('  "Lee":  bet  3 banker 100.0') == bet
    assert parse_line("Lee: rule void x players=none") == parse_line("Lee as player: rule void x")
    assert parse_line("ks Th") == CardsDealt((Card("KS"), Card("10H")))
    assert format_line(parse_line("\tks  Th\r")) == "KS 10H"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Lee: bett 3 banker 100", "'bett 3 banker 100' is not a command; did you mean 'bet'?"),
        ("Lee: bet 3 banker", "'bet' has to be followed by box, area, amount"),
        ("Lee: bet 3 banker 1.234", "1.234 is finer than a cent"),
        ("Lee: bet three banker 100", "'three' is not a whole number for box"),
        ("Lee: bet 3 banker 100 200", "'200' does not belong after 'bet'"),
        ("Lee: bet 3 banker 100 for Kim for Kim", "player is said twice"),
        ("Lee: bet 3 banker 100 player=Kim", "'player=Kim' does not belong after 'bet'"),
        ("Lee: insure 3 dragon 100", "'dragon' is not a valid hand; write player, banker"),
        ("Lee: plase your bets", "'plase your bets' is not a command; did you mean 'place your bets'?"),
        ('"": sit 3', "a name must not be empty"),
        ('"  " as dealer: pause', "a name must not be empty"),
        ('Lee with "" as dealer: sit 3', "a name must not be empty"),
        ('Ann as dealer: bet 3 banker 100 for ""', "a name must not be empty"),
        ('Ann as dealer: rule return x players=""', "a name must not be empty"),
        ("Lee:", "nothing is said after the colon"),
        (": bet 3 banker 100", "nobody is named before the colon"),
        ("Lee W.: sit 3", "'W.' does not belong before the colon; a name of several words is quoted"),
        ("Lee as king: sit 3", "'king' is not a role"),
        ("Lee as player as dealer: sit 3", "'as' is said twice before the colon"),
        ("Lee at: sit 3", "something has to follow 'at'"),
        ("Lee at noon: sit 3", "'noon' is not a whole number for the time"),
        ("Lee with Kim: sit 3", "the second person needs a role: with NAME as ROLE"),
        ("Lee sit 3", "a colon is missing after the person, as in Lee: sit 3"),
        ("KS 3H 1X", "'1X' is not a card"),
        ("KX", "'KX' is not a card"),
        ('Lee: report note="open', "a quote is opened and not closed"),
        ("Lee: report wrong-side", "'wrong-side' does not belong after 'report'"),
        ("Lee: report cards=5X:banker", "'5X' is not a card"),
        ("Lee: report cards=5H:moon", "'moon' is not known in a report; write player, banker"),
        ("Lee: report cards=0:banker", "the cards of a round are numbered from 1"),
        ("Lee: report seen=rain", "'rain' is not a valid seen; write foreign-card, wrong-set"),
        ("Lee: report order=known", "'known' is not a valid order; write seen"),
        ("Lee: take back cards=5H", "'5H' is not a whole number for cards"),
        ("Ann as dealer: deal KX", "'KX' is not a card"),
        ("Ann as dealer: answer the squeeze maybe", "'maybe' is not a valid consent; write yes, no"),
        ("Pia: open ez house limit.tie=1.00 limit.tie=2.00", "the limits of tie are said twice"),
        ("Pia: open ez house may.rule=king", "'king' is not a role"),
        ("Pia: open ez house may.rule=dealer+dealer+dealer", "has to be roles, one +second person"),
        ("Pia: open ez house decks=8 decks=8", "decks is said twice"),
        ("Pia: open ez house deck=8", "'deck=8' does not belong after 'open'"),
        ("> settle", "'settle' is not a kind of fact; did you mean 'settled'?"),
        ("> no", "'no' is not a kind of fact"),
        (">", "the fact that is expected is missing"),
        ("Lee: walk away for for", "'for' has a meaning of its own: quote it where it is a name"),
        ("Lee: walk away for a%b", "'a%b' has to be quoted"),
    ],
)
def test_a_wrong_line_is_reported_with_its_number(line: str, sentence: str) -> None:
    with pytest.raises(WrongLines) as caught:
        parse_session(f"Ann as dealer: pause\n# fine\n{line}\nAnn as dealer: resume\n")
    ((number, said),) = caught.value.problems
    assert number == 3
    assert sentence in said
    assert str(caught.value) == f"line 3: {said}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Lee: hit 3", "'hit 3' is not a command"),
        ("Lee: draw", "'draw' is not a command"),
        ("Lee: split", "'split' is not a command"),
        ("Lee: dance the tango", "'dance the tango' is not a command"),
        ("> weather", "'weather' is not a kind of fact"),
    ],
)
def test_a_word_that_is_like_none_gets_no_suggestion(line: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        parse_line(line)


def test_all_wrong_lines_are_reported() -> None:
    with pytest.raises(WrongLines) as caught:
        parse_session("Lee: fly\nLee: sit 3\n\nLee: sit\n")
    assert [number for number, _ in caught.value.problems] == [1, 4]


def test_cards_need_a_dealer_and_facts_a_command() -> None:
    for text in ("> called 1\n", "Lee: sit 3\nKS\n", "KS\n"):
        with pytest.raises(WrongLines):
            parse_session(text)
    assert parse_session("") == ()
    assert format_session(()) == ""
