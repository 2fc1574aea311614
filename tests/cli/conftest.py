from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes from the cache of whoever runs the tests, and nothing goes there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(_cache))


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's settings: no colour asked for or forbidden, no width."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
