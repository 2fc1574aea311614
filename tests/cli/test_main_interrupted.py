"""Ctrl-C at any moment ends a command without a traceback, also while its modules are being loaded."""

import signal
import subprocess
import sys

import pytest

PRESSED = """
import os, signal, sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Pressed())
sys.argv = ["punto", "odds", "ez"]
from punto.cli.main import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "punto.cli.app", "punto.cli.commands"])
def test_before_everything_is_loaded(module: str) -> None:
    ended = pressed(module)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("module", ["punto.cli.options", "punto.books", "punto.odds.bet_odds", "punto.cli.ink"])
def test_after_that(module: str) -> None:
    ended = pressed(module)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def pressed(module: str) -> subprocess.CompletedProcess[str]:
    """A command during which Ctrl-C is pressed at the moment when a module is looked for."""
    script = PRESSED.format(module=module)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def test_nothing_slow_is_loaded_before_the_signal_is_seen_to() -> None:
    script = "import sys; import punto.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not {"typer", "rich", "msgspec", "punto.cli.app"} & set(loaded.split())
