"""Workers of one run share what each of them would make again: byte code and kernels."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path
from threading import RLock
from types import SimpleNamespace

import pytest

from tests import workers


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that were asked for, in order; none of them is imported."""
    names: list[str] = []
    monkeypatch.setattr(workers, "import_module", names.append)
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    return names


def test_every_worker_imports_all_modules_from_a_place_of_its_own(
    imported: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = []
    for name in ("gw0", "gw1", "gw2"):
        monkeypatch.setenv(workers.WORKER, name)
        workers.import_from_own_place(["tests/cards", "tests/coup", "tests/test_money.py"])
        orders.append(list(imported))
        imported.clear()
    assert "tests.cards.test_card" in orders[0] and "tests.coup.test_coup" in orders[0]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2]) == orders[0]
    assert len({order[0] for order in orders}) == 3


def test_a_worker_that_is_alone_imports_nothing_beforehand(
    imported: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT")
    workers.import_from_own_place(["tests"])
    assert imported == []


def is_free(lock: Path) -> bool:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_a_kernel_is_compiled_by_one_worker_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free: list[bool] = []

    class Dispatcher:
        """What a kernel is to Numba, as far as it is asked here."""

        def __init__(self, name: str, within: Dispatcher | None = None) -> None:
            self.py_func = SimpleNamespace(__module__="kernels", __qualname__=name)
            self.within = within

        def compile(self, signature: str) -> str:
            free.append(is_free(tmp_path / "kernels" / f"kernels.{self.py_func.__qualname__}"))
            if self.within:
                self.within.compile(signature)
                self.compile_again()
            return signature

        def compile_again(self) -> None:
            """For other kinds of numbers."""
            self.within = None
            self.compile("float64")

    numba = SimpleNamespace(Dispatcher=Dispatcher, global_compiler_lock=RLock())
    monkeypatch.setitem(sys.modules, "numba.core.dispatcher", numba)
    monkeypatch.setenv(workers.WORKER, "gw0")
    with workers.kernels_compiled_once(tmp_path):
        assert Dispatcher("play", Dispatcher("draw")).compile("int64") == "int64"
    assert free == [False, False, False]
    assert is_free(tmp_path / "kernels" / "kernels.play")
    Dispatcher("play").compile("int64")
    assert free[-1], "as before, afterwards"
