"""The front door: its names work before anything is loaded, do what they say, and are documented."""

from __future__ import annotations

import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

import punto
from punto import front_door
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table.terms import BetLimits, Faces

PAGE = Path(__file__).parents[1] / "docs/reference/python.md"
NAMES = [name for name in punto.__all__ if name not in ("PuntoError", "Refusal", "Role", "books", "format_money")]


def test_the_examples_of_the_docstrings_are_true() -> None:
    result = doctest.testmod(front_door, optionflags=doctest.ELLIPSIS)
    assert result.attempted > len(NAMES)
    assert result.failed == 0


def test_the_examples_of_the_page_are_true() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > len(NAMES)
    assert result.failed == 0


def test_nothing_is_loaded_before_a_name_is_used() -> None:
    code = "import punto, sys; print(dir(punto)); print([m for m in sys.modules if m.startswith('punto.')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, loaded = told.stdout.splitlines()
    assert set(NAMES) <= set(eval(names))
    assert loaded == "[]"


@pytest.mark.parametrize("package", ["odds", "table", "roads", "simulation", "cards", "coup", "books"])
def test_no_name_hides_a_package(package: str) -> None:
    names = "[getattr(punto, name) for name in punto.__all__]"
    code = f"import punto; {names}; import punto.{package} as m; print(m.__name__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"punto.{package}"


@pytest.mark.parametrize("name", ["commission", "easy-six", "ez", "insurance", "knockout"])
def test_what_a_notebook_prints_is_short(name: str) -> None:
    table = punto.open_table(name)
    step = punto.act(table, "Ann as dealer: load the shoe")
    assert not isinstance(step, Refusal)
    result, roads = punto.simulate(name, 1_000, seed=1), punto.roads_of("BPT" * 20)
    bets = punto.odds_of(name).bets
    shown = (punto.load(name), table, step, punto.odds_of(name), *bets, result, roads, punto.load(name).play)
    assert all(len(repr(value)) < 200 for value in shown)
    coup = punto.deal(name, "2S KH 3D 2C KD 5S")
    assert repr(coup) == "<Coup P 2S 3D KD B KH 2C 5S: Player 5, Banker 7, banker>"
    settled = punto.settle(name, coup, {"player": "1,000", "tie": "10"})
    assert repr(settled) == "<SettledBets player -1,000, tie -10; net -1,010>"
    assert repr(punto.settle(name, coup, {})) == "<SettledBets none; net 0>"


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    punto.simulate("ez", 3_000, seed=1, progress=lambda done, rounds: told.append((done, rounds)))
    assert told[-1] == (3_000, 3_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_simulation_is_the_same_for_its_seed() -> None:
    one, other = (punto.simulate("ez", 5_000, seed=3, workers=workers) for workers in (1, 2))
    assert [bet.result.mean for bet in one.bets] == [bet.result.mean for bet in other.bets]


def test_what_is_wrong_is_said_in_a_sentence() -> None:
    table = punto.open_table("ez")
    with pytest.raises(ValueError, match="decks cannot be 5 at a table"):
        punto.open_table("ez", decks=5)
    with pytest.raises(ValueError, match="is not a command"):
        punto.act(table, "KS 3H")
    with pytest.raises(ValueError, match="amount"):
        punto.settle("ez", "2S KH 3D 2C KD 5S", {"banker": "many"})


DEAL = "2S KH 3D 2C KD 5S"


def test_names_take_what_the_others_give() -> None:
    coup = punto.deal("ez", DEAL)
    lines = punto.settle("ez", DEAL, {"banker": "100", "dragon-7": "5"})
    ways: list[Any] = [coup, coup.cards, list(coup.cards), DEAL.split(), (DEAL[:2], *coup.cards[1:])]
    for cards in ways:
        assert punto.deal("ez", cards) == coup
        assert punto.settle("ez", cards, {"banker": 100_00, "dragon-7": Decimal("5.00")}) == lines
    table = punto.open_table("ez", burn="none")
    step = punto.act(table, "Ann as dealer: load the shoe")
    assert not isinstance(step, Refusal)
    session = punto.play_session("Pia as pit-supervisor: open ez house burn=none\nAnn as dealer: load the shoe\n")
    for made_by_the_book in (table, step, session, punto.load("ez")):
        assert punto.load(made_by_the_book).name == "ez"
        assert punto.settle(made_by_the_book, coup, {"banker": 100_00, "dragon-7": 5_00}) == lines
    for opened in (step, step.table):
        call = next(one for one in punto.legal_commands(opened, "Ann", "dealer") if one.command.name() == "call-bets")
        called = punto.act(opened, call)
        assert called == punto.act(opened, call.command) and not isinstance(called, Refusal)
        assert punto.legal_commands(called, "Ann", Role.DEALER) == punto.legal_commands(called.table, "Ann", "dealer")
    first, others = coup.cards[0], coup.cards[1:]
    assert punto.odds_of("ez", seen=first) == punto.odds_of(table, seen="2S")
    assert punto.odds_of("ez", seen=coup) == punto.odds_of("ez", seen=(first, *others))
    shoe, rounds = punto.shoe("ez", seed=7), punto.rounds("ez", 50, seed=7)
    assert punto.load(shoe) is punto.load(rounds) is punto.load(punto.odds_of("ez")) is punto.load("ez")
    one, two = shoe.rounds[:2]
    assert [shoe[0], shoe[1]] == [one, two] and shoe[-1] is shoe.rounds[-1]
    assert punto.odds_of(shoe, seen=shoe.rounds[:2]) == punto.odds_of("ez", seen=[*one.cards, two])
    assert str(punto.roads_of(shoe)) == str(punto.roads_of(list(shoe)))
    dealt = [punto.deal(rounds, rounds.cards(row)) for row in range(len(rounds))]
    assert str(punto.roads_of(dealt)) == str(punto.roads_of(rounds["result"])) == str(punto.roads_of(rounds))
    winners, without_pairs = [each.winner for each in shoe], str.maketrans("", "", "bp")
    by_winner = [punto.roads_of(winners), punto.roads_of([winner.value for winner in winners])]
    assert {str(roads) for roads in by_winner} == {str(punto.roads_of(shoe)).translate(without_pairs)}
    assert str(punto.roads_of(rounds["winner"])) == str(punto.roads_of(rounds)).translate(without_pairs)
    roads = punto.roads_of([coup, *punto.roads_of("PTb").results])
    assert str(roads) == "BPTb" and punto.roads_of(roads) is roads
    text, number = punto.simulate("ez", "1e3", seed=1), punto.simulate("ez", 1e3, seed=1)
    assert text.bets == number.bets and text.tally.rounds == 1000


def test_pairs_of_a_deal_are_marked_on_the_roads() -> None:
    assert str(punto.roads_of([punto.deal("ez", "9S KH 9D KD")])) == "Pbp"
    assert str(punto.roads_of([punto.deal("ez", "9S KH 9D QD")])) == "Pp"


def test_terms_are_written_as_text_too() -> None:
    written, meant = (
        punto.open_table("ez", minimum="25", faces="down"),
        punto.open_table("ez", minimum=25_00, faces=Faces.DOWN),
    )
    assert written.terms == meant.terms and written.terms.faces is Faces.DOWN
    limits = {"Tie": {"minimum": "5", "maximum": Decimal(100)}}
    typed = punto.open_table("ez", decks="6", burn=5, boxes=np.int64(7), bet_limits=limits).terms
    assert (typed.decks, typed.burn, typed.boxes) == (6, "5", 7)
    assert typed.bet_limits == {"tie": BetLimits(5_00, 100_00)}


class Own:
    """A strategy as a class."""

    def bets(self, _view: object) -> dict[str, str]:
        return {"Banker": "10"}


door: Any = punto
"""The front door as a program without types sees it."""


@pytest.mark.parametrize(
    ("call", "reason", "sentence"),
    [
        (lambda: door.load("exx"), "unreadable", "there is no book exx"),
        (lambda: door.load(7), "unreadable", "int is not a book; a book is its name, the path of its file"),
        (lambda: door.deal("ez", "2S KH"), "unreadable", "too few"),
        (lambda: door.deal("ez", 7), "unreadable", "cards cannot be read from int"),
        (lambda: door.settle("ez", DEAL, {"banker": 1.5}), "unreadable", "1.5 is not an amount"),
        (lambda: door.settle("ez", DEAL, {"banker": True}), "unreadable", "True is not an amount"),
        (lambda: door.settle("ez", DEAL, ["banker"]), "unreadable", "such as {'banker': '100'}"),
        (lambda: door.settle("ez", DEAL, {"banker": -5}), "unreadable", "not a positive amount"),
        (lambda: door.settle("ez", DEAL, {"banker": Decimal("0.001")}), "unreadable", "finer than a cent"),
        (lambda: door.odds_of("ez", seen="2S " * 9), "unreadable", "2S"),
        (lambda: door.open_table("ez", minimun=3), "unreadable", "did you mean minimum"),
        (lambda: door.open_table("ez", faces="sideways"), "unreadable", "it is 'up' or 'down'"),
        (
            lambda: door.open_table("ez", decks="six"),
            "unreadable",
            "'six' is not a value of decks; give a whole number",
        ),
        (lambda: door.open_table("ez", private="x"), "unreadable", "private cannot be 'x'; it is True or False"),
        (lambda: door.open_table("ez", bet_limits={"tie": 5}), "unreadable", "bet_limits cannot be {'tie': 5}"),
        (lambda: door.open_table("ez", decks=5), "wrong-terms", "decks cannot be 5"),
        (lambda: door.act(punto.open_table("ez"), "Ann as deler: burn"), "unreadable", "did you mean dealer"),
        (lambda: door.legal_commands(punto.open_table("ez"), None), "unreadable", "NoneType is not a name"),
        (lambda: door.act(7, "Ann as dealer: load the shoe"), "unreadable", "int is not a table"),
        (lambda: door.legal_commands(punto.open_table("ez"), "Ann", "dealr"), "unreadable", "did you mean dealer"),
        (lambda: door.play_session("nonsense"), "unreadable", "line 1"),
        (lambda: door.simulate("ez", "many"), "unreadable", "'many' is not a number of rounds"),
        (lambda: door.simulate("ez", float("inf")), "unreadable", "inf is not a number of rounds"),
        (lambda: door.simulate("ez", 10, seed=-1), "unreadable", "-1 is not a seed"),
        (lambda: door.simulate("ez", 10, workers=0), "unreadable", "workers must be from 1 to 1024"),
        (lambda: door.simulate("ez", 10, strategy="martingal"), "unreadable", "did you mean martingale"),
        (lambda: door.simulate("ez", 10, strategy=lambda _one, _two: {}), "unreadable", "takes 2 parameters"),
        (
            lambda: door.simulate("ez", 10, strategy=3),
            "unreadable",
            "an object of the type int is not a strategy; give",
        ),
        (lambda: door.simulate("ez", 10, strategy=Own()), "unreadable", "give the class Own, not an object of it"),
        (lambda: door.simulate("ez", 10, strategy=min), "unreadable", "takes unknown parameters; it takes one, a view"),
        (lambda: door.strategy("martingal"), "unreadable", "did you mean martingale"),
        (lambda: door.strategy("flat", ["banker"]), "unreadable", "such as {'banker': '100'}"),
        (lambda: door.strategy("flat", {"banker": "x"}), "unreadable", "the bet on banker is not taken: 'x'"),
        (lambda: door.strategy("flat", shoes="two"), "unreadable", "'two' is not a number of shoes"),
        (lambda: door.strategy("count", tags="abcdefghij"), "unreadable", "'a' is not a tag; give a whole number"),
        (lambda: door.strategy("count", trigger="high"), "unreadable", "'high'"),
        (
            lambda: door.simulate("ez", 10, strategy=door.strategy("flat", trigger=2)),
            "unreadable",
            "a trigger is a true count: give tags too",
        ),
        (lambda: door.strategy("flat", bankroll=1.5), "unreadable", "1.5 is not an amount"),
        (lambda: door.strategy(int), "unreadable", "the class int has no method bets"),
        (lambda: door.shoe("ez", "x"), "unreadable", "'x' is not a seed"),
        (lambda: door.rounds("ez", "1e9"), "unreadable", "give a whole number from 1 to 1e8"),
        (lambda: door.roads_of("XYZ"), "unreadable", "'X'"),
        (lambda: door.roads_of(["B", 7]), "unreadable", "results are text"),
        (lambda: door.roads_of(7), "unreadable", "results are text"),
        (
            lambda: door.roads_of(door.rounds("ez", 100)),
            "unreadable",
            "these rounds are of 2 shoes, and roads are of one",
        ),
    ],
)
def test_errors_are_one_type_with_the_refusal_in_it(call: Callable[[], Any], reason: str, sentence: str) -> None:
    with pytest.raises(punto.PuntoError) as raised:
        call()
    assert isinstance(raised.value, ValueError)
    assert raised.value.refusal.reason.value == reason
    assert sentence in str(raised.value) and str(raised.value) == raised.value.refusal.sentence


ASKED_WITH_DECKS: list[Callable[..., Any]] = [
    punto.odds_of,
    lambda book, decks: punto.simulate(book, 10, decks=decks),
    lambda book, decks: punto.rounds(book, 10, decks=decks),
    lambda book, decks: punto.shoe(book, decks=decks),
]


@pytest.mark.parametrize("ask", ASKED_WITH_DECKS)
def test_decks_are_those_of_the_book(ask: Any) -> None:
    with pytest.raises(punto.PuntoError, match="ez is not played with 5 decks but with 6 or 8"):
        ask("ez", decks=5)


def test_a_bet_that_is_not_there_is_a_key_error_with_the_nearest_name() -> None:
    with pytest.raises(KeyError, match="commission has no bet 'bankr' \\(did you mean banker\\?\\)"):
        punto.odds_of("commission").bet("bankr")
    odds: Any = punto.odds_of("ez")
    assert odds.bet("Banker") is odds.bet("banker") and odds.bet("Dragon 7").area == "dragon-7"
    for book, area, where in (("knockout", "Ante Player", "ante"), ("insurance", "insurance-banker-5", "insurance")):
        named = area.lower().replace(" ", "-")
        with pytest.raises(KeyError, match=rf"of {named} depend on what the player decides; punto.odds.{where}_odds"):
            punto.odds_of(book).bet(area)
    for wrong in (None, 3, ["banker"]):
        with pytest.raises(KeyError, match=r"ez has no bet .*; it has player, banker, tie, dragon-7, panda-8"):
            odds.bet(wrong)


def test_results_have_a_bet_by_its_name_with_and_without_a_strategy() -> None:
    plain, flat = punto.simulate("ez", 2_000, seed=1), punto.simulate("ez", 2_000, seed=1, strategy="flat")
    for result in (plain, flat):
        banker = result.bet("Banker")
        assert banker in result.record().bets and result.rounds == 2_000
        assert (banker.bet, banker.exact) == ("banker", float(punto.odds_of("ez").bet("banker").ev))
        with pytest.raises(KeyError, match="ez has no bet 'bankr' \\(did you mean banker\\?\\); it has "):
            result.bet("bankr")
    with pytest.raises(KeyError, match="tie is a bet of ez, but not one of these: banker"):
        flat.bet("tie")
    assert plain.bet("banker").mean == flat.bet("banker").mean and flat.bet("banker").made == 2_000


def test_a_refusal_shows_its_sentence() -> None:
    refusal = punto.settle("ez", "2S KH 3D 2C KD 5S", {"player-pair": "5"})
    assert repr(refusal).startswith("<Refusal unknown-area: this book has no betting area player-pair")
    with pytest.raises(
        AttributeError, match="no attribute 'net'; this was refused: this book has no betting area play"
    ):
        refusal.net  # type: ignore[union-attr]  # noqa: B018
    assert not hasattr(refusal, "_ipython_display_") and copy.deepcopy(refusal) == pickle.loads(pickle.dumps(refusal))


def test_the_books_are_called_and_imported_by_one_name() -> None:
    from punto import books

    assert punto.books() == books.NAMES and all(punto.load(name).name == name for name in punto.books())
    uses = ("print(punto.books(), punto.books.load('ez'))", "import punto.books.catalogue as c", "print(c.__name__)")
    code = "; ".join(("import punto", *uses))
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == f"{books.NAMES} <Book ez: EZ Baccarat, 5 bets>\npunto.books.catalogue\n"


SESSION = """\
Pia as pit-supervisor: open ez house burn=none
Ann as dealer: load the shoe
Lee: sit 1
Ann as dealer: place your bets
Lee: bet 1 banker 100
2S KH 3D 2C KD 5S
Ann as dealer: settle
"""


def test_a_session_has_rounds_and_roads() -> None:
    session = punto.play_session(SESSION)
    [ended] = session.rounds
    assert ended.winner is not None and ended.winner.value == "banker" and ended.banker_points == 7
    assert str(punto.roads_of(session)) == "B"


def shown(value: Any) -> str:
    """What a notebook shows, after a look at whether all that is opened is closed."""
    html: str = value._repr_html_()
    fromstring(f"<div>{html}</div>".replace("<br>", "<br/>").replace("&nbsp;", " "))
    return html


def test_a_notebook_shows_every_value() -> None:
    session = punto.play_session(SESSION)
    assert all(word in shown(punto.load("ez")) for word in ("EZ Baccarat (ez)", "dragon-7", "40:1", "6 or 8 decks"))
    assert "House edge" in shown(punto.odds_of("ez"))
    settled = punto.settle("commission", DEAL, {"banker": "100", "tie": "10"})
    assert all(word in shown(settled) for word in ("commission", "+95", "-10", "+85"))
    assert all(word in shown(session.table) for word in ("EZ Baccarat", "K♥", "Lee", "Banker"))
    assert "“" not in shown(session) and "Lee, Banker, box 1: 100" in shown(session)
    step = punto.act(punto.open_table("ez"), "Ann as dealer: load the shoe")
    assert "Events: shoe-loaded." in shown(step)
    assert "<svg" in shown(punto.roads_of("BPT"))
    assert "million rounds a second" in shown(punto.simulate("ez", 1_000))
    assert "seed 7" in shown(punto.shoe("ez", 7))
    assert "net_banker" in shown(punto.rounds("ez", 100))


def test_cards_that_lie_face_down_are_not_shown() -> None:
    down = SESSION.replace("burn=none", "burn=none faces=down").replace("3D 2C KD 5S\nAnn as dealer: settle", "")
    table = punto.play_session(down).table
    assert [slot.face_up for slot in (*table.state.player, *table.state.banker)] == [False, False]
    assert "▯" in shown(table) and "2♠" not in shown(table)


def martingale_in_python(view: Any) -> dict[str, int]:
    """Twice as much after each loss on Banker, by the winners of this shoe."""
    lost = len(view.results) - len(view.results.rstrip("PT"))
    return {"banker": 1000 << min(lost, 5)}


def test_strategies_are_simulated() -> None:
    plain = punto.simulate("commission", 20_000, seed=3, strategy="martingale")
    assert plain.name == "martingale" and plain.tally.bets()[0].bet == "banker" and plain.tally.rounds == 20_000
    limited = punto.strategy("martingale", {"Player": "10"}, maximum="500", bankroll="1,000", shoes=2)
    assert [bet.bet for bet in punto.simulate("commission", 5_000, strategy=limited).tally.bets()] == ["player"]
    own = punto.simulate("commission", 2_000, strategy=martingale_in_python)
    assert own.name == "martingale_in_python" and own.tally.bets()[0].staked > 2_000 * 1000
    assert "martingale_in_python" in shown(own) and repr(own).startswith("<SessionResults commission: martingale")


def test_a_strategy_names_areas_as_everybody_does() -> None:
    assert punto.simulate("ez", 200, strategy=Own).bet("banker").staked == 200 * 10
    with pytest.raises(punto.PuntoError, match="the strategy bets on banker more than once"):
        punto.simulate("ez", 10, strategy=lambda _view: {"Banker": "10", "banker": 5_00})


def test_a_function_that_means_another_thing_now_is_played_anew() -> None:
    def betting_on(area: str) -> Callable[[Any], dict[str, int]]:
        return lambda _view: {area: 1000}

    for area in ("tie", "player"):
        bets = punto.simulate("ez", 200, strategy=betting_on(area)).tally.bets()
        assert [bet.bet for bet in bets if bet.made] == [area]


def test_what_is_no_table_command_session_or_area_is_told_in_a_sentence() -> None:
    anything: Any = punto
    table = punto.open_table("ez", burn="none")
    refused = punto.act(table, "Lee: bet 1 banker 100")
    assert isinstance(refused, Refusal)
    calls: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: anything.act(refused, "Lee: sit 4"), "what was refused before: bets are not open"),
        (lambda: anything.act(table, 5), "int is not a command; write for example"),
        (lambda: anything.play_session(Path("x.punto")), "is not the text of a session; read its file"),
        (lambda: anything.settle("ez", "2S KH 3D 2C KD 5S", {1: 100}), "1 is not a betting area"),
        (lambda: anything.format_money("12"), "'12' is text; give minor units as a number"),
    )
    for call, told in calls:
        with pytest.raises(ValueError, match=told):
            call()


SAME_WITH_TEXT = {("punto.coup", "deal"), ("punto.table", "act"), ("punto.table", "legal_commands")}
"""What the front door does by the same name as the core, with text where that has values."""


def test_a_name_means_one_thing_wherever_it_is_exported() -> None:
    packages = [import_module(each.name) for each in iter_modules(punto.__path__, "punto.") if each.ispkg]
    shared = {
        (each.__name__, name) for each in packages for name in getattr(each, "__all__", ()) if name in punto.__all__
    }
    other = {
        (package, name) for package, name in shared if getattr(import_module(package), name) != getattr(punto, name)
    }
    assert other == SAME_WITH_TEXT
