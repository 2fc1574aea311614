from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import NAMES, load
from punto.cli.play_bets import BetLine, NotUnderstood, find_area, read_lines, short_names

EZ = load("ez").areas
KNOCKOUT = tuple(load("knockout").pay_tables)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("banker 100", BetLine((("banker", 10_000),))),
        ("b 100 t 10", BetLine((("banker", 10_000), ("tie", 1_000)))),
        ("BANKER=1,000", BetLine((("banker", 100_000),))),
        ("d7 2.50 panda 8 5", BetLine((("dragon-7", 250), ("panda-8", 500)))),
        ("p8 5 deal", BetLine((("panda-8", 500),), deal=True)),
        ("player 1k deal", BetLine((("player", 100_000),), deal=True)),
        ("same deal", BetLine(same=True, deal=True)),
        ("clear banker 10", BetLine((("banker", 1_000),), clear=True)),
        ("off tie banker", BetLine(off=(("tie", None), ("banker", None)))),
        ("off dragon 7", BetLine(off=(("dragon-7", None),))),
        ("off d7 deal", BetLine(off=(("dragon-7", None),), deal=True)),
        ("off b 10", BetLine(off=(("banker", 1_000),))),
        ("off b 10 tie", BetLine(off=(("banker", 1_000), ("tie", None)))),
        ("off panda 8 5", BetLine(off=(("panda-8", 500),))),
        ("p100", BetLine((("player", 10_000),))),
        ("b1k deal", BetLine((("banker", 100_000),), deal=True)),
        ("d725", BetLine((("dragon-7", 2_500),))),
        ("pan25", BetLine((("panda-8", 2_500),))),
        ("bet 100 on banker and 10 on tie", BetLine((("banker", 10_000), ("tie", 1_000)))),
        ("100 banker", BetLine((("banker", 10_000),))),
        ("100 banker 50 tie", BetLine((("banker", 10_000), ("tie", 5_000)))),
        ("5 panda 8 deal", BetLine((("panda-8", 500),), deal=True)),
        ("banker max tie 10", BetLine((("banker", None), ("tie", 1_000)))),
        ("max player", BetLine((("player", None),))),
        ("all on player please", BetLine((("player", None),))),
        ("$50 on tie", BetLine((("tie", 5_000),))),
        ("double deal", BetLine(double=True, deal=True)),
        ("undo", BetLine(undo=True)),
        ("box 2 banker 100", BetLine((("banker", 10_000),), box=2)),
        ("banker 100 in box 2", BetLine((("banker", 10_000),), box=2)),
        ("both b 100 deal", BetLine((("banker", 10_000),), deal=True, both=True)),
        ("b 100 both", BetLine((("banker", 10_000),), both=True)),
        ("box 2 clear", BetLine(clear=True, box=2)),
    ],
)
def test_a_line_of_bets(text: str, line: BetLine) -> None:
    assert read_lines(text, EZ) == (line,)


def test_a_line_may_be_about_several_boxes() -> None:
    first, second = BetLine((("banker", 10_000),)), BetLine((("tie", 1_000),), deal=True, box=5)
    assert read_lines("b 100 box 5 t 10 deal", EZ) == (first, second)
    off, same = BetLine(off=(("tie", None),), box=1), BetLine(same=True, box=12)
    assert read_lines("box 1 off tie box 12 same", EZ) == (off, same)
    assert read_lines("", EZ) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("banker", "how much on banker"),
        ("100", "100 on what. Write for example: banker 100"),
        ("max", "max on what"),
        ("banker ten", "'banker ten' is not understood here"),
        ("wager 10", "no betting area wager"),
        ("banker 0", "the amount is zero"),
        ("banker -5", "'-5' is not a positive amount"),
        ("all in", "all on what. Write for example: banker all"),
        ("banker 1e5", "'1e5' is not a positive amount"),
        ("off", "off what"),
        ("deal now", "'now' is not understood here"),
        ("bankr 100", "no betting area bankr here .did you mean banker"),
        ("doble", "'doble' is not understood here .did you mean double"),
        ("box two banker 100", "which box"),
        ("box", "which box"),
        ("box 5", "which bets. Write for example: box 5 banker 100"),
        ("box 5 box 6 b 10", "which bets"),
        ("both", "which bets. Write for example: both banker 100"),
    ],
)
def test_what_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(NotUnderstood, match=words.replace("?", r"\?")):
        read_lines(text, EZ)


@pytest.mark.parametrize("name", [*NAMES, "docs/examples/side-bets.toml"])
def test_every_area_has_a_short_name_of_its_own(name: str) -> None:
    areas = tuple(load(name).pay_tables)
    short = short_names(areas)
    assert tuple(short.values()) == areas
    assert [find_area(text, areas) for text in short] == list(areas)
    assert [find_area(area, areas) for area in areas] == list(areas)
    assert (short["p"], short["b"], short["t"]) == ("player", "banker", "tie")


def test_a_short_name_that_is_taken_grows() -> None:
    assert short_names(("tie", "tiger", "tiger-tie", "ten")) == {
        "t": "tie",
        "ti": "tiger",
        "tt": "tiger-tie",
        "te": "ten",
    }


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from([*EZ, "off", "deal", "same", "7", "10", "²", "1k", "max", "p10", "box", "both"])).map(
        " ".join
    )
)
def test_whatever_is_typed_is_read_or_answered(text: str) -> None:
    try:
        lines = read_lines(text, EZ)
    except NotUnderstood:
        return
    for area, amount in (bet for line in lines for bet in (*line.bets, *line.off)):
        assert area in EZ
        assert amount is None or amount > 0


def test_first_letters_do_as_far_as_they_go() -> None:
    assert find_area("dra", EZ) == "dragon-7"
    with pytest.raises(NotUnderstood, match="pl can be player, player-pair"):
        find_area("pl", tuple(load("commission").pay_tables))
