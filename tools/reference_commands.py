"""The parts of docs/reference that say how commands of `punto` are written, from the commands themselves."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import typer
from typer.core import TyperCommand

from punto.cli.app import load_command
from tools.reference_words import NoWords, in_cell, table

BOOK_HELP = "A built-in book, or the path of a TOML file."
_EVERYWHERE = frozenset(("--json", "--help", "--database", "--server"))
"""What the page explains once."""


def usage(line: str) -> str:
    """How a command is written."""
    arguments, options = _parameters(line)
    whole = " ".join(("punto", line, *map(_written_argument, arguments), *map(_written_option, options)))
    indent = " " * min(len(f"punto {line} "), 20)
    lines = textwrap.wrap(whole, 108, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "```text\n" + "\n".join(part.replace("\xa0", " ") for part in lines) + "\n```"


def options(line: str) -> str:
    """What the arguments and options of a command mean, as its help says it."""
    arguments, options = _parameters(line)
    explained = [param for param in arguments if param.metavar != "BOOK" or param.help != BOOK_HELP]
    shown = [param for param in (*explained, *options) if not _EVERYWHERE & set(param.opts)]
    rows = [(_names(param), _help(param, line)) for param in shown]
    return table(("option", "meaning"), rows)


def _parameters(line: str) -> tuple[list[Any], list[Any]]:
    """The arguments and the options of a command that are not hidden."""
    params = [param for param in load_command(line).params if not getattr(param, "hidden", False)]
    arguments = [param for param in params if param.param_type_name == "argument"]
    return arguments, [param for param in params if param not in arguments and "--help" not in param.opts]


def _written_argument(param: Any) -> str:
    name = re.sub(r"[\[\]]|\.\.\.$", "", param.make_metavar(_context(param)))
    name += "\xa0..." if param.nargs == -1 else ""
    return name if param.required else f"[{name}]"


def _written_option(param: Any) -> str:
    names = "|".join((_long(param), *param.secondary_opts))
    value = "" if param.is_flag else f"\xa0{_value(param)}"
    written = f"{names}{value}{chr(160) + '...' if param.multiple else ''}"
    return written if param.required else f"[{written}]"


def _names(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{_written_argument(param).strip('[]').replace(chr(160), ' ')}`"
    first = _long(param)
    others = (*param.secondary_opts, *(name for name in param.opts if name != first))
    return ", ".join(f"`{name}`" for name in (first if param.is_flag else f"{first} {_value(param)}", *others))


def _long(param: Any) -> str:
    return next(str(name) for name in param.opts if name.startswith("--"))


def _value(param: Any) -> str:
    return str(param.metavar or param.make_metavar(_context(param)))


def _context(param: Any) -> Any:
    return typer.Context(TyperCommand(param.name))


def _help(param: Any, line: str) -> str:
    words = (getattr(param, "help", None) or "").strip()
    if not words:
        raise NoWords(f"{param.name} of punto {line} has no help")
    default = param.default if getattr(param, "show_default", False) and not param.required else None
    shown = "" if default in (None, (), [], False) or callable(default) else f"; default: {default}"
    return f"{in_cell(words)}{shown if 'default' not in words else ''}"
