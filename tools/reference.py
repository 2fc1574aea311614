"""Writes what the pages of docs/reference say of the code, from the code itself: `make reference`.

    python tools/reference.py

A page keeps its own words. Between two comments that name a block stands what is written here: tables of commands,
events, refusals, terms, options, calls, settings and metrics, with the sentences that the code itself has for them.
tests/docs/test_reference.py fails where a page does not say what the code says, or where something has no sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import reference_book, reference_commands, reference_server, reference_table  # noqa: E402

_BLOCK = re.compile(r"(<!-- made by make reference: (?P<name>[^>]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _calls(what: str) -> str:
    """Loaded where it is asked for: it runs a server for a while."""
    from tools.reference_calls import calls

    return calls(what)


BLOCKS: dict[str, Callable[[str], str]] = {
    "commands": reference_table.commands,
    "events": reference_table.events,
    "terms": reference_table.terms,
    "objects": reference_table.objects,
    "refusals": reference_table.refusals,
    "book-file": reference_book.book_file,
    "usage": reference_commands.usage,
    "options": reference_commands.options,
    "settings": reference_server.settings,
    "rules": reference_server.rules,
    "profile": reference_server.profile,
    "metrics": reference_server.metrics,
    "calls": _calls,
}
"""By the first word of a block, what writes it; the rest of its name says of what."""


def pages() -> dict[Path, str]:
    """Every page with blocks, as it should be."""
    made = {}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if _BLOCK.search(text):
            made[path] = written(text)
    return made


def written(text: str) -> str:
    """The text of a page with its blocks as they should be."""

    def block(match: re.Match[str]) -> str:
        kind, _, what = match["name"].partition(" ")
        return f"{match[1]}\n{BLOCKS[kind](what).strip()}\n\n{match[3]}"

    return _BLOCK.sub(block, text)


def blocks(text: str) -> list[str]:
    """The names of the blocks of a page."""
    return [match["name"] for match in _BLOCK.finditer(text)]


def main() -> int:
    for path, text in pages().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"punto: wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
