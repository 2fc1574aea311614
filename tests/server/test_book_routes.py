"""Live odds and advice: by the terms of a table, else by the profile of the house, some may ask or nobody; and the
tables of a book as the rules page shows them.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from punto.books import NAMES, load
from punto.client import Refused, Stream
from punto.floor import loaded_table
from punto.floor.book_shelf import read_text
from punto.floor.loaded_table import read_document
from punto.floor.people import Author
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.outcome import Hand
from punto.server.book_routes import book_answer
from punto.store.record import state_hash
from punto.table.house import TableOpened
from punto.table.terms import Audience, Terms
from tests.server.running_floor import RunningFloor
from tests.store.sessions import state_after
from tests.store.test_record_kept import FILES, log_of

STAFF, PLAYERS, OTHERS = ("Dan", "Sue", "Mia", "Rob", "Aud"), ("Lee", "Kim"), ("Cas", "Ada")


def set_profile(floor: RunningFloor, **fields: Any) -> None:
    changed = floor.client("Ada").http.put("/house/rules", json={"rules": {"profile": {"name": "own", **fields}}})
    assert changed.status_code == 200


def may_ask(floor: RunningFloor, name: str, table: str) -> bool:
    """Whether somebody may ask for live odds, advice, and is told so; all of them alike."""
    client = floor.client(name)
    odds = client.http.get(f"/tables/{table}/odds?shoe=live")
    advice = client.http.post(f"/tables/{table}/advice", json={"cards": []})
    fresh_advice = client.http.post(f"/tables/{table}/advice", json={"cards": [], "shoe": "fresh"})
    statuses = {odds.status_code, advice.status_code, fresh_advice.status_code}
    assert statuses in ({200}, {403})
    if statuses == {403}:
        assert {each.json()["refusal"]["reason"] for each in (odds, advice, fresh_advice)} == {"not-allowed-here"}
    assert client.http.get(f"/tables/{table}/odds").status_code == 200, "odds of a full shoe are public"
    seen = client.table(table)
    assert not isinstance(seen, Refused) and seen.view["advice"] is (statuses == {200})
    return statuses == {200}


@pytest.mark.gli("4.18.2")
@pytest.mark.gli("4.10.6")
@pytest.mark.gli("A.8.1")
@pytest.mark.parametrize("by_terms", [True, False], ids=["term", "profile"])
@pytest.mark.parametrize("audience", Audience)
def test_who_may_ask_for_live_odds_and_advice(floor: RunningFloor, audience: Audience, by_terms: bool) -> None:
    if by_terms:
        set_profile(floor, advice="nobody" if audience is Audience.EVERYBODY else "everybody")
        table = floor.new_table(advice=audience)
    else:
        set_profile(floor, advice=audience.value)
        table = floor.new_table()
    expected = {Audience.EVERYBODY: (True, True), Audience.STAFF: (True, False), Audience.NOBODY: (False, False)}
    staff, others = expected[audience]
    for name in STAFF:
        assert may_ask(floor, name, table) is staff, name
    for name in (*PLAYERS, *OTHERS):
        assert may_ask(floor, name, table) is others, name


@pytest.mark.gli("4.18.2")
def test_who_plays_at_a_table_is_a_player_there_in_whatever_roles(floor: RunningFloor) -> None:
    set_profile(floor)
    table, max_ = floor.new_table(advice=Audience.STAFF), floor.client("Max")
    assert max_.http.get(f"/tables/{table}/odds?shoe=live").status_code == 200
    assert not isinstance(max_.give(table, {"type": "take-seat", "box": 1}), Refused)
    assert max_.http.get(f"/tables/{table}/odds?shoe=live").status_code == 403
    elsewhere = floor.new_table(advice=Audience.STAFF)
    assert max_.http.get(f"/tables/{elsewhere}/odds?shoe=live").status_code == 200


@pytest.mark.gli("4.18.2")
def test_a_stream_says_at_once_that_advice_is_over(floor: RunningFloor) -> None:
    set_profile(floor)
    table = floor.new_table()
    stream = floor.client("Lee").stream(table, views=True)
    assert isinstance(stream, Stream)
    with stream:
        while (frame := stream.next(30))["type"] != "snapshot":
            pass
        assert frame["view"]["advice"] is True
        set_profile(floor, advice="nobody")
        while (frame := stream.next(30))["type"] != "view" or frame["view"]["advice"]:
            pass
    set_profile(floor)


def test_a_term_that_is_changed_holds_from_then_on(floor: RunningFloor) -> None:
    table, rob = floor.new_table(), floor.client("Rob")
    seen = rob.table(table)
    assert not isinstance(seen, Refused) and seen.terms is not None and may_ask(floor, "Lee", table)
    terms = msgspec.to_builtins(msgspec.structs.replace(seen.terms, advice=Audience.NOBODY))
    changed = rob.give(table, {"type": "change-terms", "terms": terms}, Role.SHIFT_MANAGER)
    assert not isinstance(changed, Refused), changed
    assert not may_ask(floor, "Lee", table)


@pytest.mark.gli("A.5.1")
def test_old_logs_replay_unchanged_with_the_new_term() -> None:
    old = Terms(book="ez", layout="house")
    assert "advice" not in msgspec.json.encode(old).decode()
    assert msgspec.json.decode(b'{"book":"ez","layout":"house"}', type=Terms) == old
    logs = [log_of(path) for path in FILES]
    opened = [record.event.terms for _, records in logs for record in records if isinstance(record.event, TableOpened)]
    assert opened and all(terms.advice is None for terms in opened)
    for head, records in logs:
        assert state_hash(state_after(tuple(record.event for record in records))) == head["state"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_page_has_the_tables_of_its_book(name: str) -> None:
    """Every cell says what the compiled book does: who draws, what insurance pays, and by which clause."""
    book = load(name)
    answer, play, clauses = book_answer(book), book.play, {clause.number for clause in book.clauses}
    for mine in (count for count in range(10) if count not in play.naturals):
        cell = answer.drawing.player[mine]
        assert cell is not None and cell.draws is play.player_draws[mine * 10] and cell.clause in clauses
        for third, column in enumerate(play.banker_draws):
            row = answer.drawing.banker[mine][third]
            assert row is not None and row.draws is column[mine] and row.clause in clauses
    assert set(answer.drawing.naturals) == play.naturals
    assert all(answer.drawing.player[count] is None for count in play.naturals)
    offered = {
        (offer.cards, player, banker, offer.hand, offer.pays)
        for offer in (answer.insurance.offers if answer.insurance else ())
        for player in offer.player_points
        for banker in offer.banker_points
    }
    cells = ((key, offer) for key, offers in book.offers.cells.items() for offer in offers)
    assert offered == {(*key, offer.hand, f"{offer.odds.numerator}:{offer.odds.denominator}") for key, offer in cells}
    assert bool(offered) is (book.insurance is not None)
    if name == "insurance":
        assert answer.insurance is not None
        nine = [one for one in answer.insurance.offers if one.hand is Hand.PLAYER and 9 in one.player_points]
        assert {(one.tie.value, one.tie_clause) for one in nine} == {("win", "4.2.1")}
    if name == "commission":
        assert next(bet.odds for bet in answer.bets if bet.area == "banker") == ("0.95:1",)


def test_a_house_with_many_books_compiles_none_to_list_or_to_find_one(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More are kept than have room in memory: whoever asked for the list had all of them compiled, again and again."""
    texts = [f'extends = "ez"\nname = "many-{number}"\ntitle = "Many {number}"\n' for number in range(4)]
    kept = [floor.app_state.book_shelf.keep(read_text(text), "a test", Author("Ada")) for text in texts]
    compiled: list[str] = []

    def compile_again(document: str) -> Book:
        compiled.append(document)
        return read_document.__wrapped__(document)

    monkeypatch.setattr(loaded_table, "MOST_BOOKS", 1)
    monkeypatch.setattr(loaded_table, "read_document", compile_again)
    lee = floor.client("Lee").http
    first = lee.get("/books").json()["books"]
    assert set(kept) <= {one["digest"] for one in first} and len({one["name"] for one in first}) == len(first)
    compiled.clear()
    assert lee.get("/books").json()["books"] == first and not compiled
    assert lee.get("/books/nothing").status_code == 404 and not compiled
    assert lee.get(f"/books/{kept[0]}").json()["name"] == "many-0" and len(compiled) <= 1


def test_a_wrong_file_is_not_compared_and_what_is_wrong_is_told(floor: RunningFloor) -> None:
    asked = {"book": "ez", "source": "name = 'x'\nextends = '../other.toml'\n", "file": "x.toml"}
    answer = floor.client("Ada").http.post("/books/compare", json=asked, timeout=60)
    refused = answer.json()["refusal"]
    assert (answer.status_code, refused["reason"], refused["params"]["file"]) == (409, "wrong-book", "x.toml")
    assert refused["params"]["problem"].startswith("line 2: a book that is sent can extend"), refused
