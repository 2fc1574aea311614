"""No terms let anybody do what the book does not: not in role, not without the second person it asks for."""

from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punto import books
from punto.refusal import Reason, Refusal
from punto.rules.authority import HOUSE_AUTHORITY, LADDER, Authority, Role, authority_over
from punto.rules.book import Book, compile_book
from punto.table import Table, act, evolved
from punto.table.acting import Step, refusal_of
from punto.table.command import Command
from punto.table.header import CommandHeader, Person
from punto.table.house import ChangeTerms, OpenTable, TableOpened
from punto.table.terms import Terms
from tests.table.scenes import terms_of

roles = st.lists(st.sampled_from(Role), max_size=4).map(tuple)
authorities = st.builds(
    Authority, st.sampled_from(sorted(HOUSE_AUTHORITY)), roles, st.none() | st.sampled_from(Role), st.none()
)
entries = st.lists(authorities, max_size=6).map(tuple)
AUTHORITY = (Reason.NOT_ALLOWED, Reason.SECOND_PERSON)


def book_with(authority: tuple[Authority, ...]) -> Book:
    return compile_book(msgspec.structs.replace(books.load("commission").text, authority=authority))


def commands(terms: object, named: str | None = None) -> Iterator[CommandHeader]:
    """One of every command, or of the one named, in every role, alone and with every second person, its fields filled
    somehow."""
    for kind in get_args(Command):
        if named not in (None, kind.name()):
            continue
        fields = {
            field.name: terms if field.name == "terms" else None
            for field in msgspec.structs.fields(kind)
            if field.required and field.name not in ("actor", "role")
        }
        for role in Role:
            for rank in (None, *Role):
                second = Person("Sid", rank) if rank else None
                yield kind(actor="Ann", role=role, second=second, **fields)


def demands(entry: Authority, command: CommandHeader) -> bool:
    """Whether an entry lets somebody give a command; read here once more, apart from the table."""
    ladder = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
    if command.role not in entry.roles:
        return False
    if entry.second is None:
        return True
    rank = command.second.role.value if command.second else ""
    return rank in ladder and ladder.index(rank) >= ladder.index(entry.second.value)


def is_in_order(authority: tuple[Authority, ...]) -> bool:
    names = [entry.command for entry in authority]
    ladder = (None, Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)
    return len(set(names)) == len(names) and all(e.roles and e.second in ladder for e in authority)


@pytest.mark.slow
@given(entries.filter(is_in_order), entries)
@example((Authority("rule", (Role.SHIFT_MANAGER,)),), (Authority("rule", (Role.PLAYER,)),))
@example(
    (Authority("rule", (Role.SHIFT_MANAGER,), Role.PIT_MANAGER),),
    (Authority("rule", (Role.SHIFT_MANAGER,), Role.DEALER),),
)
@example((), (Authority("change-terms", (Role.PLAYER,)),))
def test_terms_never_lower_what_the_book_demands(
    of_book: tuple[Authority, ...], of_terms: tuple[Authority, ...]
) -> None:
    book = book_with(of_book)
    terms = msgspec.structs.replace(terms_of("commission"), authority=of_terms)
    entry = next((entry for entry in of_book if entry.command == "open-table"), HOUSE_AUTHORITY["open-table"])
    opening = OpenTable(
        actor="Sue", role=entry.roles[0], terms=terms, second=Person("Sid", entry.second) if entry.second else None
    )
    opened = act(Table(book), opening)
    demanded = {entry.command: entry for entry in of_book}
    if isinstance(opened, Refusal):
        assert opened.reason is Reason.WRONG_TERMS
        return
    for command in commands(terms):
        refusal = refusal_of_authority(opened.table, command)
        book_entry = demanded.get(command.name())
        if book_entry is not None and not demands(book_entry, command):
            assert refusal, f"{command} is allowed, and the book does not allow it"
        if command.name() == "change-terms":
            assert refusal == (not demands(book_entry or HOUSE_AUTHORITY["change-terms"], command))


def refusal_of_authority(table: Table, command: CommandHeader) -> bool:
    """Whether a command is refused for who gives it; what it says otherwise is not looked at."""
    try:
        refusal = refusal_of(table, command)  # type: ignore[arg-type]
    except (AttributeError, TypeError, AssertionError):
        return False  # past the question of authority, and then stopped by what it was filled with
    return refusal is not None and refusal.reason in AUTHORITY


@given(entries)
@example((Authority("open-table", (Role.PLAYER,)),))
def test_nobody_lets_himself_in(of_terms: tuple[Authority, ...]) -> None:
    terms = msgspec.structs.replace(terms_of("ez"), authority=of_terms)
    for role in (Role.PLAYER, Role.DEALER, Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR):
        answer = act(Table(books.load("ez")), OpenTable(actor="Ann", role=role, terms=terms))
        assert isinstance(answer, Refusal)
        assert answer.reason is Reason.NOT_ALLOWED


def test_terms_may_ask_for_more_than_the_book_and_differ_from_the_house() -> None:
    stricter = Authority("return-bets", (Role.SHIFT_MANAGER,), Role.PIT_MANAGER)
    for book, entry in (("insurance", stricter), ("ez", Authority("rule", (Role.PIT_MANAGER,)))):
        terms = msgspec.structs.replace(terms_of(book), authority=(entry,))
        answer = act(Table(books.load(book)), OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
        assert isinstance(answer, Step)


OUTSIDE = tuple(role for role in Role if role not in LADDER)


@pytest.mark.parametrize("role", OUTSIDE)
@pytest.mark.parametrize("name", books.NAMES)
def test_terms_move_powers_within_the_staff_only(name: str, role: Role) -> None:
    """Whatever book and house do not let somebody outside the staff do, no terms do; nor did older ones."""
    book = books.load(name)
    for command in HOUSE_AUTHORITY:
        usual = authority_over(command, book.authority, ())
        entry = Authority(command, (role, *usual.roles) if role not in usual.roles else usual.roles)
        terms = msgspec.structs.replace(terms_of(name), authority=(entry,))
        answer = act(Table(book), OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
        if role in usual.roles and command not in ("open-table", "change-terms"):
            assert isinstance(answer, Step)
            continue
        assert isinstance(answer, Refusal) and answer.reason is Reason.WRONG_TERMS
        older = TableOpened(by="Sue", role=Role.PIT_SUPERVISOR, time=0, terms=terms)
        table = evolved(Table(book), [older])
        alone = msgspec.structs.replace(entry, roles=(role,))
        only = evolved(Table(book), [msgspec.structs.replace(older, terms=terms_with(name, alone))])
        given = list(commands(terms, command))
        assert given, "there is such a command"
        for tried in given:
            if tried.role is role:
                assert refusal_of_authority(table, tried) and refusal_of_authority(only, tried)
        left = [one for one in given if one.role is usual.roles[0]]
        assert not all(refusal_of_authority(only, one) for one in left), "nobody is left who may"


def terms_with(name: str, *authority: Authority) -> Terms:
    return msgspec.structs.replace(terms_of(name), authority=authority)


TWO = Authority("void-round", LADDER[1:], Role.PIT_MANAGER)


@pytest.mark.parametrize(
    "after",
    [
        (),
        (Authority("void-round", LADDER[1:]),),
        (Authority("void-round", LADDER[1:], Role.PIT_SUPERVISOR),),
        (Authority("void-round", LADDER, Role.DEALER), Authority("rule", LADDER[2:])),
    ],
)
def test_nobody_alone_takes_the_second_person_away(after: tuple[Authority, ...]) -> None:
    table = evolved(Table(books.load("ez")), [opened_with(TWO)])
    change = ChangeTerms(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms_with("ez", *after))
    alone = act(table, change)
    assert isinstance(alone, Refusal) and alone.reason is Reason.SECOND_PERSON
    assert alone.params["rank"] == "pit-manager"
    for second in (Person("Sue", Role.PIT_MANAGER), Person("Dan", Role.DEALER), Person("Pat", Role.PIT_SUPERVISOR)):
        assert isinstance(act(table, msgspec.structs.replace(change, second=second)), Refusal)
    agreed = msgspec.structs.replace(change, second=Person("Mae", Role.PIT_MANAGER))
    assert isinstance(act(table, agreed), Step)


@pytest.mark.parametrize("after", [(TWO,), (Authority("void-round", LADDER[2:], Role.SHIFT_MANAGER),)])
def test_asking_for_as_much_or_more_takes_no_second_person(after: tuple[Authority, ...]) -> None:
    table = evolved(Table(books.load("ez")), [opened_with(TWO)])
    terms = msgspec.structs.replace(terms_with("ez", *after), minimum=2_000)
    change = ChangeTerms(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms)
    assert isinstance(act(table, change), Step)


def opened_with(*authority: Authority) -> TableOpened:
    return TableOpened(by="Sue", role=Role.PIT_SUPERVISOR, time=0, terms=terms_with("ez", *authority))
