from punto.rules import Role
from punto.rules.authority import LADDER


def test_the_order_of_rank() -> None:
    assert [role.value for role in LADDER] == ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
    for i, lower in enumerate(LADDER):
        for j, higher in enumerate(LADDER):
            assert higher.is_at_least(lower) == (j >= i)


def test_an_administrator_is_above_nobody_at_the_table() -> None:
    for role in (Role.ADMINISTRATOR, Role.PLAYER, Role.CASHIER, Role.AUDITOR):
        assert not any(role.is_at_least(rank) for rank in Role)
        assert not any(rank.is_at_least(role) for rank in Role)
