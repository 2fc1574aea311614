from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.cards.source import seeded_bytes
from punto.cli.play_commands import DEMO_ROUNDS, demo_slip
from punto.dealer.dealer import deal_shoe
from punto.refusal import Refusal
from punto.table.slip import settle_slip
from tests.cli.called import answer


def test_every_book_is_shown_in_80_columns() -> None:
    shown = answer("demo").out
    assert max(map(len, shown.splitlines())) <= 80
    for name in NAMES:
        assert load(name).title in shown
    assert "\x1b" not in shown
    assert answer("demo").out == shown


def test_programs_get_the_same_shoes() -> None:
    shoes = answer("demo", "--json").json["shoes"]
    assert [shoe["book"] for shoe in shoes] == list(NAMES)
    assert {len(shoe["rounds"]) for shoe in shoes} == {DEMO_ROUNDS}
    dealt = answer("deal", "ez", "--seed", str(shoes[2]["seed"]), "--rounds", str(DEMO_ROUNDS), "--json").json
    assert dealt == shoes[2]


def test_it_is_coloured_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in answer("demo").out


@pytest.mark.parametrize("name", NAMES)
def test_no_book_refuses_the_slip_of_the_demonstration(name: str) -> None:
    book = load(name)
    for coup in deal_shoe(8, seeded_bytes(5)).rounds(book.play):
        assert not isinstance(settle_slip(book, coup, demo_slip(book, coup)), Refusal)
