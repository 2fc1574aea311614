from pathlib import Path
from typing import Any

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


_SHEETS: dict[str, Any] = {}


@pytest.fixture
def _sheets_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PAR sheet that was computed for one file is written to the next: its figures take most of the time."""
    from punto.reports import par_sheet as sheets
    from punto.rules.book import digest_of

    compute = sheets.par_sheet

    def computed(book: Any, decks: int, shoes: int, seed: int, tell: Any, **terms: Any) -> Any:
        key = repr((digest_of(book), decks, shoes, seed, sorted(terms.items())))
        if key not in _SHEETS:
            _SHEETS[key] = compute(book, decks, shoes, seed, tell, **terms)
        return _SHEETS[key]

    monkeypatch.setattr(sheets, "par_sheet", computed)
