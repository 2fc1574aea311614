"""Money as the command line prints it."""

from __future__ import annotations

import msgspec

from punto.cli.database_options import with_amounts
from punto.money import Money


class _Counted(msgspec.Struct):
    free: Money
    held: dict[str, Money]
    owed: Money | None
    before: int
    lines: tuple[_Counted, ...] = ()


def test_what_a_struct_calls_money_is_an_amount_and_nothing_else() -> None:
    inner = _Counted(5, {}, 700, 3)
    assert with_amounts(_Counted(1250, {"t1": 5}, None, 12, (inner,))) == {
        "free": "12.50",
        "held": {"t1": "0.05"},
        "owed": None,
        "before": 12,
        "lines": [{"free": "0.05", "held": {}, "owed": "7.00", "before": 3, "lines": []}],
    }
