"""Addresses of databases: what is read, and the sentence where it is not one."""

from __future__ import annotations

import traceback
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.store.connection import Address, DatabaseKind, parse_address
from punto.store.errors import BadAddress, StoreError
from punto.store.store import open_store


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("house.db", "house.db"),
        ("/var/punto/house.db", "/var/punto/house.db"),
        ("sqlite:///house.db", "house.db"),
        ("sqlite:////var/punto/house.db", "/var/punto/house.db"),
        ("SQLite:///a%20house.db", "a house.db"),
        ("a house #1.db", "a house #1.db"),
    ],
)
def test_a_file(text: str, path: str) -> None:
    assert parse_address(text) == Address(DatabaseKind.SQLITE, path)


@pytest.mark.parametrize("text", ["postgresql://u:secret@host:5432/punto", "postgres:///punto?password=secret"])
def test_a_server_is_shown_without_its_password(text: str) -> None:
    address = parse_address(text)
    assert address.kind is DatabaseKind.POSTGRESQL and address.place == text
    assert "secret" not in str(address)


MARK = "Zq7"
"""Stands in every part of a password here, and nowhere else."""
PASSWORDS = st.lists(st.sampled_from("@:/?#%&=[] ,.;\\'\"$!+~ä"), max_size=4).map(
    lambda signs: MARK + "".join(f"{sign}{MARK}" for sign in signs)
)
PLACES = (
    *("postgresql://u:{}@host/punto", "postgresql://u:{}@host:5432/punto?sslmode=require", "postgres://:{}@h"),
    *("postgresql:///punto?password={}", "postgresql://u@h/punto?host=h&password={}", "postgresql:u:{}@h/punto"),
    *("postgresql:/u:{}@h", "mysql://u:{}@host/punto", "sqlite://u:{}@host/punto", "host=h password={}"),
    *("postgresql://h/punto?sslpassword={}&host=h", "postgresql://u:{}@[::1/punto", "postgresql=//u:{}@h"),
    *("postgresql://h/punto?passw%6Frd={}", "user=u password = '{}' host=h"),
)


@given(PASSWORDS, st.sampled_from(PLACES))
def test_a_password_is_in_no_sentence_whatever_signs_it_has(password: str, place: str) -> None:
    text = place.format(password)
    told = [text]
    try:
        address = parse_address(text)
        told = [str(address), repr(address)]
    except BadAddress as error:
        told = traceback.format_exception(error)
    assert MARK not in "".join(told)


@pytest.mark.parametrize("password", [MARK, f"{MARK}%2F", f"{MARK}%zz", f"a@{MARK}", f"{MARK}/b"])
def test_a_server_that_cannot_be_reached_is_named_without_the_password(password: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(f"postgresql://u:{password}@127.0.0.1:1/punto?connect_timeout=2", create=False)
    told = "".join(traceback.format_exception(caught.value, limit=-1)) + repr(caught.value.args)
    assert MARK not in told


def test_what_is_shown_of_a_server_leads_there_again() -> None:
    for text in (
        "postgresql://punto@db.example:5432/house",
        "postgresql:///house?host=/run/postgresql&port=5433",
        "postgresql://a.example,b.example:5433/house?sslmode=require",
        "postgresql://[::1]:5432/house",
    ):
        assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "sqlite://house.db", "sqlite:///", "sqlite:house.db", ":memory:", "sqlite:///:memory:"),
        *("mysql://host/punto", "postgresql:punto", "folder/", "postgresql://u:secret@host:port/punto", "a\0b"),
        *("postgresql://[::1/punto", "sqlite:///a.db?mode=ro"),
    ],
)
def test_what_is_not_an_address_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


@given(st.text())
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    for given_text in (text, f"sqlite:///{text}", f"postgresql://{text}"):
        with suppress(BadAddress):
            address = parse_address(given_text)
            assert str(address) and address.place
