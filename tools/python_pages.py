"""Writes the reference of Punto for Python programs: docs/reference/python.md, from the names of `import punto`, and
docs/reference/client.md, from the calls of `punto.client`.

What people wrote at the head of each page stays as it is; signatures, docstrings and examples follow. tests/docs
compares the pages with what this makes, so a name that is added or altered is written down, or a test fails.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import msgspec

import punto
from punto.client.api_call import Method
from punto.client.floor_calls import FloorCalls
from punto.client.house_calls import HouseCalls

ROOT = Path(__file__).parents[1]
PYTHON, CLIENT = ROOT / "docs/reference/python.md", ROOT / "docs/reference/client.md"
NAMES = (
    *("books", "load", "deal", "settle", "odds_of", "roads_of", "shoe", "rounds", "simulate", "strategy"),
    *("open_table", "act", "legal_commands", "play_session", "format_money"),
)
"""The functions of the front door, in the order of the page."""
VALUES = ("PuntoError", "Refusal", "Role")  # Its names that are no functions.

MARK = "<!-- What follows is written by tools/python_pages.py. -->\n"


def python_page() -> str:
    assert {*NAMES, *VALUES} == {*punto.__all__}, "every name of the front door has its place in the page"
    functions = {name: punto.books.__call__ if name == "books" else getattr(punto, name) for name in NAMES}
    return "\n".join((_head(PYTHON), *(_section(name, function) for name, function in functions.items())))


def _head(page: Path) -> str:
    """What people wrote: everything before the mark, and the mark."""
    head, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    return head + mark


def _section(name: str, function: Any) -> str:
    words, _, examples = (inspect.getdoc(function) or "").partition(">>> ")
    assert examples, f"punto.{name} has no example"
    if "import punto" not in examples:
        examples = f"from punto import {name}\n>>> {examples}"
    signature = f"punto.{name}({', '.join(_parameters(function))}) -> {inspect.signature(function).return_annotation}"
    return f"## {name}\n\n`{signature}`\n\n{words.strip()}\n\n```pycon\n>>> {examples}\n\n```\n"


def _parameters(function: Any, *, has_types: bool = True) -> list[str]:
    """The parameters of a function as one writes them; a star where the rest must be named."""
    words, is_named = [], False
    for each in inspect.signature(function).parameters.values():
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and not is_named:
            words.append("*")
            is_named = True
        name = f"**{each.name}" if each.kind is each.VAR_KEYWORD else each.name
        typed = f"{name}: {each.annotation}" if has_types else name
        equals = " = " if has_types else "="
        words.append(typed if each.default is each.empty else f"{typed}{equals}{msgspec.to_builtins(each.default)!r}")
    return words


def client_page() -> str:
    parts = [_head(CLIENT)]
    for kind in (FloorCalls, HouseCalls):
        titles = iter(re.findall(r"^    # (.*)\.$", inspect.getsource(kind), re.MULTILINE))
        for line in inspect.getsource(kind).splitlines():
            if re.match(r"    # .*\.$", line):
                parts.append(f"\n### {next(titles)}\n\n| method | call | answer |\n|---|---|---|\n")
            elif found := re.match(r"    def (\w+)\(", line):
                parts.append(_row(found[1], kind.__dict__[found[1]]))
    return "".join(parts)


def _row(name: str, method: Method[..., Any]) -> str:
    needed = [each for each in inspect.signature(method.describe).parameters.values() if each.default is each.empty]
    call = method.describe(None, **{each.name: _placeholder(each.name) for each in needed[1:]})
    path = re.sub(r"%7B(\w+)%7D", r"{\1}", call.path)
    kind = str(method.describe.__annotations__["return"]).removeprefix("ApiCall[").removesuffix("]")
    given = ", ".join(_parameters(method.describe, has_types=False))
    answer = kind.replace("Json", "dict").replace(" | ", " or ")
    return f"| `{name}({given})`<br>{method.__doc__} | `{call.method} {path}` | `{answer}` |\n"


_EXAMPLES: dict[str, Any] = {
    **{"amount": 1, "role": "dealer", "command": {}, "roles": (), "limits": (), "chips": {}, "card": "KS", "rules": {}},
    **{"results": ()},
}


def _placeholder(name: str) -> Any:
    """Something that is taken for a parameter; in an address, its name."""
    return _EXAMPLES.get(name, f"{{{name}}}")


def main() -> None:
    for path, page in ((PYTHON, python_page()), (CLIENT, client_page())):
        path.write_text(page, encoding="utf-8")
        print(f"punto: {path.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
