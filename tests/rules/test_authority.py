"""Who may give which command: the house's reading, what books say, and what terms add."""

from typing import get_args

import pytest

from punto import books
from punto.rules.authority import (
    HOUSE_AUTHORITY,
    LADDER,
    Authority,
    Role,
    authority_complaint,
    authority_over,
    lowered_authority,
)
from punto.table.command import Command

COMMANDS = [command.name() for command in get_args(Command)]


def test_there_is_a_reading_for_every_command_and_for_no_other() -> None:
    assert sorted(HOUSE_AUTHORITY) == sorted(COMMANDS)
    assert all(entry.roles for entry in HOUSE_AUTHORITY.values())


@pytest.mark.parametrize("name", books.NAMES)
def test_books_speak_only_of_commands_that_there_are(name: str) -> None:
    assert {entry.command for entry in books.load(name).authority} <= set(COMMANDS)


def test_nobody_off_the_ladder_but_players_has_a_say_and_a_device_only_names_cards() -> None:
    allowed = {role for entry in HOUSE_AUTHORITY.values() for role in entry.roles}
    assert allowed == {Role.PLAYER, Role.DEVICE, *LADDER}
    assert [name for name, entry in HOUSE_AUTHORITY.items() if Role.DEVICE in entry.roles] == ["deal-card"]


@pytest.mark.parametrize(
    ("command", "roles"),
    [
        ("place-bet", "player dealer pit-supervisor pit-manager"),
        ("place-wager", "player dealer pit-supervisor pit-manager"),
        ("take-insurance", "player dealer pit-supervisor pit-manager"),
        ("report", "dealer pit-supervisor pit-manager shift-manager"),
        ("order-cards", "pit-supervisor pit-manager shift-manager"),
        ("replace-cards", "pit-supervisor pit-manager shift-manager"),
        ("void-round", "pit-supervisor pit-manager shift-manager"),
        ("return-bets", "pit-manager shift-manager"),
        ("rule", "shift-manager"),
        ("choose-option", "player"),
        ("ask-squeeze", "player"),
        ("call-bets", "dealer"),
        ("settle-round", "dealer"),
    ],
)
def test_the_reading(command: str, roles: str) -> None:
    assert [role.value for role in HOUSE_AUTHORITY[command].roles] == roles.split()


def test_terms_come_before_the_book_and_the_book_before_the_house() -> None:
    of_terms = Authority("rule", (Role.PIT_MANAGER,))
    of_book = Authority("rule", (Role.PIT_MANAGER, Role.SHIFT_MANAGER), clause="5")
    assert authority_over("rule", (of_book,), (of_terms,)) is of_terms
    assert authority_over("rule", (of_book,), ()) is of_book
    assert authority_over("rule", (), ()) is HOUSE_AUTHORITY["rule"]
    assert authority_over("report", (of_book,), (of_terms,)) is HOUSE_AUTHORITY["report"]


def test_terms_give_a_command_within_the_staff_where_the_book_is_silent_and_to_nobody_else() -> None:
    to_dealer, to_player = Authority("rule", (Role.DEALER,)), Authority("rule", (Role.PLAYER,))
    of_book = Authority("rule", (Role.SHIFT_MANAGER,), clause="5")
    assert authority_over("rule", (), (to_dealer,)) is to_dealer
    assert authority_over("rule", (of_book,), (to_dealer,)) is of_book
    assert authority_over("rule", (), (to_player,)) is HOUSE_AUTHORITY["rule"]


@pytest.mark.parametrize("command", ["open-table", "change-terms"])
def test_no_terms_say_who_chooses_the_terms(command: str) -> None:
    of_terms = Authority(command, (Role.PLAYER,))
    of_book = Authority(command, (Role.SHIFT_MANAGER,))
    assert authority_over(command, (), (of_terms,)) is HOUSE_AUTHORITY[command]
    assert authority_over(command, (of_book,), (of_terms,)) is of_book
    assert "not for terms" in (lowered_authority(of_terms, ()) or "")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (Authority("dance", (Role.DEALER,)), "there is no command dance"),
        (Authority("rule", ()), "nobody could give rule: name at least one role"),
        (Authority("rule", (Role.DEALER, Role.DEALER)), "a role is named twice for rule"),
        (Authority("report", (Role.DEALER,)), "report is listed twice"),
        (Authority("rule", (Role.DEALER,), Role.DEALER), None),
    ],
)
def test_what_is_wrong_with_an_entry(entry: Authority, sentence: str | None) -> None:
    assert authority_complaint(entry, (Authority("report", (Role.DEALER,)),)) == sentence


def test_a_second_person_stands_on_the_ladder() -> None:
    for role in Role:
        complaint = authority_complaint(Authority("rule", (Role.DEALER,), role), ())
        assert (complaint is None) == (role in LADDER)
