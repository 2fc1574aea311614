"""Writes the reference of Punto for Python programs: docs/reference/python.md, from the names of `import punto`,
docs/reference/client.md, from the calls of `punto.client`, and docs/reference/agents.md, from the names of `punto.rl`.

What people wrote at the head of each page stays as it is; signatures, docstrings and examples follow. tests/docs
compares the pages with what this makes, so a name that is added or altered is written down, or a test fails.
"""

from __future__ import annotations

import inspect
import re
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

import punto
import punto.rl
from punto.client.api_call import Method
from punto.client.floor_calls import FloorCalls
from punto.client.house_calls import HouseCalls
from punto.rl.table_env import BaccaratTableEnv
from punto.rl.vector_env import BaccaratVectorEnv

ROOT = Path(__file__).parents[1]
PYTHON, CLIENT, AGENTS = (ROOT / f"docs/reference/{name}.md" for name in ("python", "client", "agents"))
NAMES = (
    *("books", "load", "deal", "settle", "odds_of", "roads_of", "shoe", "rounds", "simulate", "strategy"),
    *("open_table", "act", "legal_commands", "play_session", "format_money"),
)
"""The functions of the front door, in the order of the page."""
VALUES = ("PuntoError", "Refusal", "Role")  # Its names that are no functions.
AGENT_NAMES = {
    "BaccaratEnv": punto.rl.BaccaratEnv,
    "BaccaratVectorEnv": BaccaratVectorEnv,
    "BaccaratTableEnv": BaccaratTableEnv,
    **{name: getattr(punto.rl, name) for name in ("AgentSetting", "Action", "Move", "Deciding")},
    **{name: getattr(punto.rl, name) for name in ("Oracle", "regret_of", "Regret")},
}
"""What `punto.rl` has, in the order of its page."""

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


def agents_page() -> str:
    assert {*punto.rl.__all__} <= {"ENV_ID", *AGENT_NAMES}, "every name of punto.rl has its place in the page"
    return "\n".join((_head(AGENTS), *(_described(name, each) for name, each in AGENT_NAMES.items())))


def _described(name: str, each: Any) -> str:
    """A class or function with its parameters, its words, and those of its own methods."""
    where = "punto.rl" if name in punto.rl.__all__ else each.__module__
    if inspect.isclass(each) and issubclass(each, Enum):
        values = ", ".join(f"`{one.value}`" for one in each)
        return f"## {name}\n\n`{where}.{name}`\n\n{_own_words(each)} Its values: {values}.\n"
    given = f"({', '.join(_parameters(each, has_types=False))})"
    rows = _members(each) if inspect.isclass(each) else []
    table = f"\n| name | |\n|---|---|\n{''.join(rows)}" if rows else ""
    return f"## {name}\n\n`{where}.{name}{given}`\n\n{_own_words(each)}\n{table}"


def _own_words(each: Any) -> str:
    """Its docstring, not that of what it stands for in a library."""
    assert each.__doc__, f"{each.__qualname__} has no words of its own"
    return inspect.cleandoc(each.__doc__)


def _members(kind: type) -> list[str]:
    rows = []
    for name, member in kind.__dict__.items():
        inner = getattr(member, "__func__", None) or getattr(member, "fget", None) or getattr(member, "func", member)
        if name.startswith("_") or not inspect.isfunction(inner):
            continue
        given = "" if inner is not member and not isinstance(member, classmethod | staticmethod) else _call(inner)
        rows.append(f"| `{name}{given}` | {' '.join(_own_words(inner).split())} |\n")
    return rows


def _call(function: Any) -> str:
    return f"({', '.join(word for word in _parameters(function, has_types=False) if word != 'cls')})"


_EXAMPLES: dict[str, Any] = {
    **{"amount": 1, "role": "dealer", "command": {}, "roles": (), "limits": (), "chips": {}, "card": "KS", "rules": {}},
    **{"results": ()},
}


def _placeholder(name: str) -> Any:
    """Something that is taken for a parameter; in an address, its name."""
    return _EXAMPLES.get(name, f"{{{name}}}")


def main() -> None:
    for path, page in ((PYTHON, python_page()), (CLIENT, client_page()), (AGENTS, agents_page())):
        path.write_text(page, encoding="utf-8")
        print(f"punto: {path.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
