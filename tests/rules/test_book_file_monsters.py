"""Texts that would keep a reader busy: each is refused, and what reading it costs grows with its length only.

The work is counted, not timed: a regular expression or a search that starts over for every line shows itself
in the number of steps that the interpreter takes.
"""

import sys
from types import FrameType
from typing import Any

import pytest

from punto.rules import BookError, read_book
from tests.rules.small_book import TEXT

REPEATED = '[[clauses]]\nnumber = "1"\nkind = "behaviour"\nsense = "x"\n'


def problems(text: str) -> list[str]:
    with pytest.raises(BookError) as raised:
        read_book(text, "m.toml")
    return raised.value.lines


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"a = 1{' ' * 100_000}\n{TEXT}", "line 1: this line has more than 100,000 characters"),
        (f"{'.'.join('a' * 100_000)} = 1\n{TEXT}", "line 1: this line has more than 100,000 characters"),
        (f"{'.'.join('a' * 1000)} = 1\n{TEXT}", "line 1: a key has 20 steps or more"),
        (f"{'.'.join(['x'] * 900)} = 1\n".replace("x", '"a"') + TEXT, "line 1: a key has 20 steps or more"),
        (f"[{' . '.join('a' * 900)}]\n{TEXT}", "line 1: a key has 20 steps or more"),
        (f"{TEXT}{REPEATED * 3000}", "clauses: at most 1,000 entries are allowed here, not 3,004"),
        (f"x.a.b.c.d.e.f.g.h.i.j.k.l = 1\n{TEXT}", "x.a.b.c.d.e.f.g.h.i.j: this is nested too deeply for a book"),
        (
            f"bets = [{{ each = {{ a = [0x{'F' * 6000}] }}, area = 'q{{a}}' }}]\n",
            "bets[0].each.a[0]: it is nested too deeply, or",
        ),
        (f"[[insurance.offers]]\nplayer_points = [0x{'F' * 6000}]\n", "player_points[0]: it is nested too deeply, or"),
        ("".join(f"k{i} = 1\n" for i in range(40_000)), "at most 1,000 entries are allowed here, not 40,000"),
    ],
)
def test_what_no_book_needs(text: str, what: str) -> None:
    found = problems(text)
    assert len(found) == 1
    assert what in found[0]


def calls(text: str) -> int:
    """How many functions are called while a text is refused."""
    count = 0

    def counted(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        problems(text)
    finally:
        sys.setprofile(before)
    return count


def test_lines_are_looked_up_once_for_all_problems() -> None:
    few, many = (calls(f"{TEXT}{REPEATED * count}") for count in (100, 400))
    assert many < 4.5 * few


def test_blanks_in_a_text_are_read_once() -> None:
    """A pattern with two ways to read blanks took a minute for one such line, and would not end here."""
    blanks = f'a = """\n[{" " * 3900}\n[a{" " * 3900}\na{" " * 3900}\n"""\n'
    assert problems(f"{blanks}{TEXT}") == ["m.toml: line 1: a: there is no such key in a book"]
