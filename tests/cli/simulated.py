"""`punto simulate` in this process."""

from __future__ import annotations

from typing import Any

from tests.cli.called import answer, call


def simulate(*arguments: str) -> Any:
    return answer("simulate", "commission", "--seed", "7", "--workers", "2", "--json", *arguments).json


def without_rate(record: Any) -> Any:
    return {key: value for key, value in record.items() if key != "rounds_per_second"}


def compile_first() -> None:
    """Compile the kernels: that it is done is said on stderr, which most tests want to be empty."""
    for strategy in ((), ("--strategy", "flat")):
        assert call("simulate", "ez", "--rounds", "1", "--seed", "1", *strategy).status == 0
