"""Odds of a book without some cards, as `punto odds` has them; how far bets can be counted; PAR sheet and catalogue."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from punto.books import load
from punto.books.catalogue import SECTIONS, catalogue
from punto.rules.book import digest_of
from tests.cli.called import answer
from tests.server.running_floor import RunningFloor

SHARED = ("ev", "edge", "sd", "win", "push", "lose")


def by_command(book: str, decks: int, seen: str) -> dict[str, Any]:
    found: dict[str, Any] = answer("odds", book, "--decks", str(decks), "--seen", seen, "--json").json
    return found


def explored(floor: RunningFloor, book: str, decks: int = 8, removed: str = "", by: str = "Lee") -> dict[str, Any]:
    query: dict[str, str | int] = {"decks": decks, "removed": removed}
    told = floor.client(by).http.get(f"/books/{book}/odds", params=query)
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()
    return found


@pytest.mark.parametrize(
    ("book", "decks", "removed"),
    [
        ("commission", 8, ""),
        ("insurance", 8, "9H,9S,8D,KC,2H"),
        ("knockout", 6, "4S,4H,5D"),
        ("ez", 8, "8S,8H,9D,9C,10S"),
        ("easy-six", 8, "6S,AH"),
    ],
)
def test_figures_are_those_of_the_command_line(floor: RunningFloor, book: str, decks: int, removed: str) -> None:
    told, ours = by_command(book, decks, removed.replace(",", " ")), explored(floor, book, decks, removed)
    assert (ours["digest"], ours["cards"], ours["total"]) == (told["digest"], told["cards"], told["total"])
    assert [{name: bet[name] for name in ("bet", *SHARED)} for bet in ours["bets"]] == told["bets"]
    for bet in ours["bets"]:
        exact = [Fraction(bet[f"exact_{name}"]) for name in ("win", "push", "lose")]
        assert sum(exact) == 1 and [float(each) for each in exact] == [bet[name] for name in ("win", "push", "lose")]
        assert float(Fraction(bet["variance"])) ** 0.5 == pytest.approx(bet["sd"])
        assert sum(int(row["ways"]) for row in bet["rows"]) == int(bet["total"])
        assert all(Fraction(row["chance"]) == Fraction(int(row["ways"]), int(bet["total"])) for row in bet["rows"])
    kept = ("window", "hand", "player_points", "banker_points", "odds", "reach", "ev")
    assert [{name: one[name] for name in kept} for one in ours["insurance"]] == told.get("insurance", [])
    assert all(one["favours"] == ("player" if Fraction(one["ev"]) > 0 else "house") for one in ours["insurance"])
    assert ours["ante"] == told.get("ante", [])


def test_a_card_without_its_suit_counts_by_rank(floor: RunningFloor) -> None:
    by_rank, by_card = explored(floor, "ez", removed="9,8,k"), explored(floor, "ez", removed="9H,8S,KD")
    assert by_rank["bets"] == by_card["bets"] and by_rank["removed"] == ["9", "8", "K"]
    assert explored(floor, "ez", removed="9,8S,KD")["bets"] == by_card["bets"], "one makes all unknown"


def test_what_cannot_be_is_refused_in_words(floor: RunningFloor) -> None:
    http = floor.client("Lee").http
    wrong: tuple[tuple[str, dict[str, str | int], int], ...] = (
        ("ez", {"decks": 8, "removed": "9H," * 9}, 409),
        ("ez", {"decks": 8, "removed": "9," * 33}, 409),
        ("ez", {"decks": 8, "removed": "11X"}, 409),
        ("ez", {"decks": 7}, 409),
        ("ez", {"decks": 8, "removed": "9," * 126}, 409),
        ("nonesuch", {}, 404),
    )
    for book, query, status in wrong:
        told = http.get(f"/books/{book}/odds", params=query)
        assert told.status_code == status and told.json()["refusal"]["sentence"], (book, query, told.text)


def test_the_effect_of_every_card_and_the_best_tags(floor: RunningFloor) -> None:
    told = floor.client("Kim").http.get("/books/ez/removals", params={"decks": 8})
    assert told.status_code == 200, told.text
    bets = {one["bet"]: one for one in told.json()["bets"]}
    assert list(bets) == [bet.area for bet in load("ez").bets]
    dragon = bets["dragon-7"]
    full, less = (explored(floor, "ez", removed=removed)["bets"] for removed in ("", "8S"))
    ev = {one["bet"]: Fraction(one["ev"]) for one in full}, {one["bet"]: Fraction(one["ev"]) for one in less}
    assert dragon["effects"][7] == pytest.approx(float(ev[1]["dragon-7"] - ev[0]["dragon-7"]), rel=1e-9)
    assert dragon["cards"][0] == "A" and sum(dragon["tags"]) == 0 and dragon["correlation"] > 0.9


@pytest.mark.slow
def test_the_par_sheet_is_a_file(floor: RunningFloor) -> None:
    book = load("ez")
    told = floor.client("Lee").http.get(
        f"/books/{digest_of(book)}/par-sheet", params={"decks": 8, "format": "json"}, timeout=300
    )
    assert told.status_code == 200, told.text
    assert 'filename="ez-8-decks.json"' in told.headers["content-disposition"]
    assert told.json()["digest"] == digest_of(book)


def test_the_catalogue_has_every_published_bet(floor: RunningFloor) -> None:
    http = floor.client("Lee").http
    listed = http.get("/catalogue").json()["sections"]
    assert [one["section"] for one in listed] == list(SECTIONS)
    assert [bet["bet"] for one in listed for bet in one["bets"]] == list(catalogue())
    assert all(bet["source"] and bet["name"] for one in listed for bet in one["bets"])
    priced = http.get("/catalogue/each-total", params={"decks": 8}, timeout=300).json()
    first = priced["bets"][0]
    assert (first["bet"], f"{first['edge']['decimal'] * 100:.4f}") == ("egalite-0", "12.4527")
    assert float(Fraction(first["edge"]["exact"])) == first["edge"]["decimal"]
    assert http.get("/catalogue/nonesuch").status_code == 404
