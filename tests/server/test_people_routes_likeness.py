"""Nobody takes a name that looks like another one, like one of the house, or like nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punto.floor.people import HOUSE_NAMES, is_readable, likeness
from tests.server.running_floor import PEOPLE, RunningFloor

UNREADABLE = (
    *("a\u00adb", "a\u034fb", "\u3164", "\u2800", "a\u180eb", "a\ufe0fb", "a\U000e0041b", "a\u2003b", "\u00a0x"),
    *("x\u3000", "\ue000", "a\u2066b", "a\u202eb", "\u200b", ".", "..", "\U000e0100"),
)
ALIKE = (
    *(("Lee", "lee"), ("Lee", "ＬＥＥ"), ("Lee", "L ee"), ("e\u0301", "\u00e9"), ("ﬁn", "fin"), ("ß", "SS")),
    # Cyrillic and Greek letters that are drawn like ours
    *(
        ("Ada", "\u0410da"),
        ("Ada", "\u0430d\u0430"),
        ("Tom", "\u03a4\u043em"),
        ("Zoë", "Zo\u0451"),
        ("Bob", "\u0412\u043eb"),
    ),
)
APART = (("Анна", "Иван"), ("Νίκος", "Μαρία"), ("李小龙", "李小龍"), ("Ada", "Ida"), ("Zoe", "Zoë"))


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_seen_is_no_name(floor: RunningFloor, name: str) -> None:
    assert not is_readable(name)
    answer = floor.client("Ada").http.post("/people", json={"name": name, "password": "something long"})
    is_odd = answer.status_code == 400  # some are odd in every text
    assert is_odd or (answer.status_code, answer.json()["refusal"]["reason"]) == (409, "unseen-name")


@pytest.mark.parametrize("name", ["Lee W.", "李小龙", "Zoë", "O'Brien", "أحمد", "Ann-Marie 2", "...a"])
def test_names_of_people_are_names(name: str) -> None:
    assert is_readable(name)


@pytest.mark.parametrize("pair", ALIKE)
def test_names_that_look_alike_are_alike(pair: tuple[str, str]) -> None:
    assert likeness(pair[0]) == likeness(pair[1])
    assert likeness(pair[0]) != likeness(f"{pair[1]}x")


@pytest.mark.parametrize("pair", APART)
def test_names_that_look_different_are_different(pair: tuple[str, str]) -> None:
    assert likeness(pair[0]) != likeness(pair[1])


@given(st.text(max_size=12))
@example("T\u00a8")
def test_likeness_is_the_same_again(name: str) -> None:
    assert likeness(likeness(name)) == likeness(name)


@pytest.mark.parametrize("name", sorted(HOUSE_NAMES))
@pytest.mark.gli("A.2.5")
def test_nobody_looks_like_the_house(floor: RunningFloor, name: str) -> None:
    for taken in (name, name.upper(), name.replace(" ", "  ")):
        answer = floor.client("Ada").http.post("/people", json={"name": taken, "password": "something long"})
        assert (answer.status_code, answer.json()["refusal"]["reason"]) == (409, "house-name")


@pytest.mark.parametrize("name", PEOPLE)
def test_nobody_looks_like_somebody_else(floor: RunningFloor, name: str) -> None:
    answer = floor.client("Ada").http.post("/people", json={"name": name.upper(), "password": "something long"})
    assert (answer.status_code, answer.json()["refusal"]["reason"]) == (409, "account-exists")
    assert answer.json()["refusal"]["params"] == {"player": name}
