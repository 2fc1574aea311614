"""Addresses of databases: what is read, and the sentence where it is not one."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.store.address import Address, DatabaseKind, parse_address
from punto.store.errors import BadAddress


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


@pytest.mark.parametrize(
    "text", ["postgresql://u:secret@host:5432/punto", "postgres:///punto?password=secret"]
)
def test_a_server_is_shown_without_its_password(text: str) -> None:
    address = parse_address(text)
    assert address.kind is DatabaseKind.POSTGRESQL and address.place == text
    assert "secret" not in str(address)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "sqlite://house.db", "sqlite:///", "sqlite:house.db", ":memory:", "sqlite:///:memory:"),
        *(
            "mysql://host/punto",
            "postgresql:punto",
            "folder/",
            "postgresql://u:secret@host:port/punto",
            "a\0b",
        ),
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
