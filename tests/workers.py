"""What the workers of one run share, so that each piece of it is made once and not by all of them at the same time.

In a new checkout nothing is kept yet. The modules of the tests have to be compiled, with what pytest puts into their
assertions, and that takes half a minute of processor time; each kernel takes some seconds. Workers that begin together
and go the same way would all do all of it.
"""

from __future__ import annotations

import fcntl
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
WORKER = "PYTEST_XDIST_WORKER"
"""In the environment of a worker: its name, gw0 for the first."""


def import_from_own_place(asked: Iterable[str]) -> None:
    """Import the test modules under these paths, each worker from another place in their list on: when it comes to the
    place of the next one, their byte code is kept already. Alone there is nobody to share with."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if count == 1:
        return
    modules = test_modules(asked)
    start = len(modules) * int(os.environ[WORKER].removeprefix("gw")) // count
    for name in modules[start:] + modules[:start]:
        # What cannot be imported, or warns, is left for pytest to tell.
        with warnings.catch_warnings(), suppress(Exception, pytest.skip.Exception):
            warnings.simplefilter("error")
            import_module(name)


def test_modules(asked: Iterable[str]) -> list[str]:
    """The names of the test modules in these folders, in order."""
    folders = [path for path in (Path(one).resolve() for one in asked) if path.is_dir()]
    found = {path.relative_to(ROOT) for folder in folders for path in folder.rglob("test_*.py")}
    return [".".join(path.with_suffix("").parts) for path in sorted(found)]


@contextmanager
def kernels_compiled_once(kept: Path) -> Iterator[None]:
    """Of workers that need the same kernel one compiles it; the others wait, and load what it kept. `kept` is a
    folder of the run."""
    dispatchers: Any = sys.modules.get("numba.core.dispatcher")
    if dispatchers is None or WORKER not in os.environ:
        yield
        return
    folder = kept / "kernels"
    folder.mkdir(exist_ok=True)
    compile_, held = dispatchers.Dispatcher.compile, set[str]()

    def compile_alone(self: Any, signature: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        # The threads of this worker come in one by one, so none of them waits for a kernel that another has.
        with dispatchers.global_compiler_lock:
            if name in held:
                return compile_(self, signature)
            with (folder / name).open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                held.add(name)
                try:
                    return compile_(self, signature)
                finally:
                    held.remove(name)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dispatchers.Dispatcher, "compile", compile_alone)
        yield
