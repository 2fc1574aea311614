"""Which pages of the house a role opens: those whose calls it may make."""

from __future__ import annotations

import pytest

from punto.floor.house_pages import READERS, HousePage, pages_of
from punto.rules.authority import ROLES_OF_PEOPLE, Role


@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_a_role_finds_the_pages_that_it_may_read(role: Role) -> None:
    assert set(pages_of((role,))) == {page for page in HousePage if role in READERS[page]}


def test_players_and_dealers_find_none_and_a_device_neither() -> None:
    assert pages_of((Role.PLAYER, Role.DEALER, Role.DEVICE)) == ()


def test_roles_add_up_in_one_order() -> None:
    assert pages_of((Role.AUDITOR, Role.PIT_SUPERVISOR)) == (HousePage.PIT, HousePage.REPORTS, HousePage.AUDIT)
