"""Rounds in columns: every cell is what the round itself says, and the rounds are those that a simulation counts."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars
import pytest

from punto.books import load
from punto.coup.coup import Coup, deal_exactly
from punto.extras import ExtraNeeded, install
from punto.rules.book import Book
from punto.simulation import ShoeTerms, Tally, Threads, deals_of, sums
from punto.simulation.dealt_rounds import BATCH, DealtRounds

CARD_BETS = Path(__file__).parents[2] / "docs/examples/card-bets.toml"
ROUNDS, SEED = 700, 5


def dealt(book: Book, rounds: int = ROUNDS, **terms: Any) -> DealtRounds:
    return DealtRounds.of(book, ShoeTerms(**terms), SEED, rounds)


@pytest.fixture(scope="module")
def card_bets() -> tuple[Book, DealtRounds, list[Coup]]:
    """A book with bets on points, pairs, suits and single cards, and its rounds told by the table of play."""
    book = load(str(CARD_BETS))
    rounds = dealt(book)
    return book, rounds, [deal_exactly(book.play, rounds.cards(row)) for row in range(len(rounds))]


def test_every_cell_is_what_the_round_says(card_bets: tuple[Book, DealtRounds, list[Coup]]) -> None:
    book, rounds, coups = card_bets
    table = rounds.to_numpy()
    assert table.dtype.names == rounds.columns and len(table) == len(coups) == ROUNDS
    for row, coup in zip(table, coups, strict=True):
        for hand, cards in (("player", coup.player), ("banker", coup.banker)):
            assert [row[f"{hand}_{number}"] for number in (1, 2, 3)] == [*map(str, cards), ""][:3]
        assert (row["player_points"], row["banker_points"]) == (coup.player_points, coup.banker_points)
        assert (row["winner"], row["natural"]) == (coup.winner.value, coup.is_natural(book))
        pairs = bool(coup.facts.banker_pair), bool(coup.facts.player_pair)
        assert (row["banker_pair"], row["player_pair"]) == pairs
        assert row["result"] == coup.winner.label[0] + "b" * pairs[0] + "p" * pairs[1]
        for area in book.outright_areas:
            outcome = book.pay_tables[area].outcome_of_deal(coup.facts, coup.player, coup.banker)
            assert row[f"net_{area}"] == float(outcome.net), area


def test_shoes_and_rounds_are_numbered(card_bets: tuple[Book, DealtRounds, list[Coup]]) -> None:
    _, rounds, _ = card_bets
    lengths = Counter(rounds["shoe"].tolist())
    assert [*lengths] == [*range(1, len(lengths) + 1)]
    assert rounds["round"].tolist() == [number for length in lengths.values() for number in range(1, length + 1)]
    assert all(70 < lengths[shoe] < 95 for shoe in [*lengths][:-1])


@pytest.mark.parametrize("name", ["commission", "knockout"])
def test_they_are_the_rounds_that_a_simulation_counts(name: str) -> None:
    """Bets on points and pairs; of suits a simulation draws only those that it needs, and so others."""
    book = load(name)
    with closing(Threads(1)) as threads:
        *_, tally = sums(Tally.empty(deals_of(book, ShoeTerms(decks=6), SEED)), 5_000, threads)
    rounds = dealt(book, 5_000, decks=6)
    for bet in tally.bets(book):
        if not book.pay_tables[bet.bet].reads_suits:
            assert rounds[f"net_{bet.bet}"].mean() == pytest.approx(bet.mean, abs=1e-12)
    assert int(rounds["shoe"].max()) == tally.next_shoe


def test_no_card_is_dealt_more_often_than_the_decks_hold_it() -> None:
    rounds = dealt(load("ez"), 2_000, decks=6)
    for shoe in np.unique(rounds["shoe"]):
        of_shoe = rounds["shoe"] == shoe
        places = [rounds[f"{hand}_{number}"][of_shoe] for hand in ("player", "banker") for number in (1, 2, 3)]
        cards = Counter(np.concatenate(places).tolist())
        del cards[""]
        assert max(cards.values()) <= 6


def test_a_polars_frame_says_the_same(card_bets: tuple[Book, DealtRounds, list[Coup]]) -> None:
    _, rounds, _ = card_bets
    columns = {name: [None if cell == "" else cell for cell in rounds[name].tolist()] for name in rounds.columns}
    polars = rounds.to_polars()
    assert polars.columns == [*rounds.columns] and polars.to_dict(as_series=False) == columns
    assert rounds.to_polars(["winner"]).columns == ["winner"]


def test_one_column_is_named_by_itself(card_bets: tuple[Book, DealtRounds, list[Coup]]) -> None:
    _, rounds, _ = card_bets
    assert rounds.to_polars("winner").equals(rounds.to_polars(["winner"]))


@pytest.mark.parametrize(
    ("library", "method", "wanted"),
    [
        ("polars", "to_polars", install("[report]")),
        ("pandas", "to_pandas", "pip install pandas"),
        ("pyarrow", "to_arrow", "pip install pyarrow"),
    ],
)
def test_without_a_library_one_sentence_says_what_to_install(
    library: str,
    method: str,
    wanted: str,
    card_bets: tuple[Book, DealtRounds, list[Coup]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, rounds, _ = card_bets
    monkeypatch.setitem(sys.modules, library, None)  # As if it were not installed, whether or not it is.
    sentence = f"this needs {library}, which is not installed; run: {wanted}"
    with pytest.raises(ExtraNeeded, match=re.escape(sentence)):
        getattr(rounds, method)()


def test_pandas_and_arrow_are_given_what_a_polars_frame_says(
    card_bets: tuple[Book, DealtRounds, list[Coup]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests have neither library, so stand-ins read what each is given as its own reference says: pandas has -1
    for what is missing, Arrow a mask."""
    _, rounds, _ = card_bets
    said = rounds.to_polars().to_dict(as_series=False)

    def from_codes(codes: Any, labels: Any) -> list[str | None]:
        assert codes.dtype == np.int8 and codes.min() >= -1
        return [labels[code] if code >= 0 else None for code in codes.tolist()]

    def from_arrays(places: list[int | None], labels: list[str]) -> list[str | None]:
        return [None if place is None else labels[place] for place in places]

    def masked(codes: Any, mask: Any) -> list[int | None]:
        return [None if is_null else code for code, is_null in zip(codes.tolist(), mask.tolist(), strict=True)]

    def frame(columns: dict[str, Any]) -> dict[str, list[Any]]:
        return {name: column if isinstance(column, list) else column.tolist() for name, column in columns.items()}

    pandas = SimpleNamespace(DataFrame=frame, Categorical=SimpleNamespace(from_codes=from_codes))
    arrow = SimpleNamespace(table=frame, array=masked, DictionaryArray=SimpleNamespace(from_arrays=from_arrays))
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    assert rounds.to_pandas() == said and rounds.to_arrow() == said
    assert [*rounds.to_pandas(["winner"])] == [*rounds.to_arrow(["winner"])] == ["winner"]


def test_frames_are_made_of_rounds_by_the_protocol_of_arrow(
    card_bets: tuple[Book, DealtRounds, list[Coup]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, rounds, _ = card_bets
    assert polars.DataFrame(rounds).to_dict(as_series=False) == rounds.to_polars().to_dict(as_series=False)
    monkeypatch.setitem(sys.modules, "polars", None)
    stream = SimpleNamespace(__arrow_c_stream__=lambda schema: ("by PyArrow", schema))
    monkeypatch.setattr(rounds, "to_arrow", lambda: stream)
    assert rounds.__arrow_c_stream__(7) == ("by PyArrow", 7)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    book = load("ez")
    whole = dealt(book, 400)
    monkeypatch.setattr("punto.simulation.dealt_rounds.BATCH", 2)
    assert BATCH > 2 and np.array_equal(dealt(book, 400).to_numpy(), whole.to_numpy())
    assert np.array_equal(whole.head(90).to_numpy(), whole.to_numpy()[:90]) and len(whole.head(1)) == 1


def test_a_column_that_is_not_there_is_a_key_error() -> None:
    rounds = dealt(load("ez"), 3)
    with pytest.raises(KeyError, match=r"there is no column 'winer' \(did you mean winner\?\)"):
        rounds["winer"]
    anything: Any = rounds
    for wrong in (0, ["winner"], slice(5)):
        with pytest.raises(KeyError, match=r"a column is taken by its name, not by .*; head\(n\) has the first rounds"):
            anything[wrong]
    with pytest.raises(KeyError, match="there is no column 'net_bankr'"):
        rounds.to_polars(["net_bankr"])
    assert repr(rounds) == f"<DealtRounds of ez: 3 rounds, {len(rounds.columns)} columns>"
    for row in (3, -4):
        with pytest.raises(IndexError, match=f"there is no round {row}: there are 3, and the first is 0"):
            rounds.cards(row)
    assert rounds.cards(-1) == rounds.cards(2)


def test_terms_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="cards behind the cut card"):
        dealt(load("ez"), 3, behind_cut=9999)
