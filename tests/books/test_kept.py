"""Book files of every format are read for ever, and their digests stay what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import load_file
from punto.rules.digest import digest_of

KEPT = Path(__file__).with_name("kept")
DIGESTS = {
    "format-1-easy-six.toml": "6a37b2a55553f28c5550f4e6f298c9ea44b426e4dff73c9446a50b356084a5db",
    "format-1-insurance.toml": "8b2d73a2d94534ed61c0336f993472b3968498b7598c0f3aae8f52931a35d732",
    "format-1-knockout.toml": "39c4a026b802ec99606aae9415b7c94d0c026216b837b172d9d7ab9bafca4745",
}


@pytest.mark.parametrize(("file", "digest"), DIGESTS.items())
def test_a_kept_book_is_read_and_is_the_same(file: str, digest: str) -> None:
    assert digest_of(load_file(KEPT / file)) == digest


def test_every_kept_book_is_asked_for() -> None:
    assert {path.name for path in KEPT.iterdir()} == set(DIGESTS)
