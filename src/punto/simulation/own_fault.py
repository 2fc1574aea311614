"""What is wrong with a user's own strategy, in one sentence: what the compiler or Python found, the line of the user's
file where it is, and what to write instead. A compiler speaks of its own types and of the loop around the function;
whoever wrote a few lines of Python wants to know which of them it does not take.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import walk_tb
from types import CodeType
from typing import Any

VIEW_INSTEAD = "or give it one parameter, a view, and use all of Python"
NUMBERS_ALONE = f"a compiled strategy has numbers and arrays alone; write it with these, {VIEW_INSTEAD}"

# Types as the compiler writes them, and as people say it. What stands first is tried first.
_TYPES = (
    (re.compile(r"Literal\[str\]\(.*\)|unicode_type"), "text"),
    (re.compile(r"Literal\[int\]\(.*\)|u?int\d+"), "a whole number"),
    (re.compile(r"float\d+"), "a decimal number"),
    (re.compile(r"bool(ean)?|Literal\[bool\]\(.*\)"), "true or false"),
    (re.compile(r"array\(.*\)"), "an array"),
    (re.compile(r"none|NoneType"), "nothing"),
)
_SIGNS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "iadd": "+=", "isub": "-=", "imul": "*="},
}


def failure_words(error: BaseException, functions: Iterable[Callable[..., Any]]) -> str:
    """What went wrong while a user's functions ran, with the last line of their file that was reached."""
    files = list(dict.fromkeys(code.co_filename for code in _codes(functions)))
    reached = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    places = [place for place in reached if place[0] in files]
    where = _at(*places[-1]) if places else f" (in {files[0]})" if files else ""  # A place beside an array has no line.
    return f"{error_words(error)}{where}"


def compile_words(error: BaseException, functions: Iterable[Callable[..., Any]]) -> str:
    """Why a user's functions cannot be compiled, where, and what to write instead."""
    text, codes = str(error), _codes(functions)
    what, instead = _reason(text)
    return f"{what}{_at(*_place(text, codes))}; {instead}" if codes else f"{what}; {instead}"


def error_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _at(file: str, line: int) -> str:
    return f" (line {line} of {file})"


def _codes(functions: Iterable[Callable[..., Any]]) -> list[CodeType]:
    return [code for function in functions if isinstance(code := getattr(function, "__code__", None), CodeType)]


def _place(text: str, codes: list[CodeType]) -> tuple[str, int]:
    """The line that the compiler names, the one with a name that it does not know, or where a function begins."""
    for code in codes:
        name = re.escape(Path(code.co_filename).name)
        if found := re.search(rf'{name}(?: \((\d+)\)|", line (\d+))', text):
            return code.co_filename, int(found[1] or found[2])
    for unknown in re.findall(r"name '(\w+)'", text):
        for code in codes:
            if unknown in code.co_names:
                return code.co_filename, _line_of(code, unknown)
    construct = re.search(r"The '(\w+)", text)
    for code in codes:
        for line in _lines(code):
            if construct and construct[1] == line[1]:
                return code.co_filename, line[0]
    return codes[0].co_filename, codes[0].co_firstlineno


def _line_of(code: CodeType, name: str) -> int:
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = (step.positions.lineno if step.positions else None) or line
        if step.argval == name:
            break
    return line


def _lines(code: CodeType) -> list[tuple[int, str]]:
    """The lines of a function, each with its first word; none where the file cannot be read."""
    import inspect

    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError):
        return []
    return [(first + i, line.split()[0].rstrip(":")) for i, line in enumerate(lines) if line.strip()]


def _reason(text: str) -> tuple[str, str]:
    """What the compiler found, in words, and what to write instead."""
    if found := re.search(r"Unknown attribute '(\w+)' of type (.*)", text):
        return f"{_said(found[2])} has no {found[1]}", NUMBERS_ALONE
    if found := re.search(r"Cannot unify (.*) and (.*) for '(\w+)(?:\.\d+)?'", text):
        kinds = f"once {_said(found[1])} and once {_said(found[2])}"
        return f"{found[3]} is {kinds}", f"give every variable one kind of value, {VIEW_INSTEAD}"
    if found := re.search(r"Untyped global name '(\w+)'", text):
        return f"{found[1]} is not compiled", f"write @numba.njit above {found[1]}, {VIEW_INSTEAD}"
    if found := re.search(r"NameError: (.*)", text):
        return found[1], "write a name that is there"
    if found := re.search(r">>> (?:static)?(\w+)\((.*)\)", text):
        return _operation(found[1], found[2])
    named = [line for line in text.splitlines() if line.strip() and not line.startswith("Failed in nopython")]
    first = re.sub(r"\.*\s*Raised from .*", "", named[0]).rstrip(".") if named else "the compiler names no reason"
    return first, NUMBERS_ALONE


def _operation(name: str, given: str) -> tuple[str, str]:
    kinds = [_said(part) for part in re.split(r", (?![^(]*\))", given)]
    if name in ("getitem", "setitem") and len(kinds) > 1 and kinds[0] == "an array" and kinds[1] != "a whole number":
        return (
            f"an array has no place for {kinds[1]}",
            "name a betting area by its place in the order of the book, from 0",
        )
    if name in _SIGNS and len(kinds) == 2:
        return f"{_SIGNS[name]} does not take {kinds[0]} and {kinds[1]}", NUMBERS_ALONE
    return f"{name} does not take {' and '.join(kinds) or 'this'}", NUMBERS_ALONE


def _said(kind: str) -> str:
    return next((words for pattern, words in _TYPES if pattern.fullmatch(kind.strip())), kind.strip())
