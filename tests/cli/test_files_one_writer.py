"""Every file that Punto writes goes through cli/files.py: nothing else opens one for writing.

The source is read for all the ways there are to make a file. What writes into memory is no file, and a
stream that leads nowhere (os.devnull) is none either.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import punto

SOURCE = Path(punto.__file__).parent
WRITER = SOURCE / "cli/files.py"

BELOW = {
    "store/sqlite.py": 1,  # a database
    "store/seal.py": 2,  # keys of seeds and anchors, drafted and linked: never over another
    "store/backup.py": 3,  # a backup, likewise; a copy that is brought up to date, gone when restored; who made one
    "store/witness.py": 1,  # how many events a database had, beside the key
    "store/postgres.py": 1,  # COPY, into a server's table
    "floor/parquet.py": 2,  # what the reader of Parquet is given and says; gone when it ends
    "named_file.py": 1,  # opens a file for whoever says whether to read or to write it
    "store/server_lock.py": 1,  # who has a database in use
    "server/drawn_logins.py": 1,  # log-ins to try a floor with, for their owner alone
    "floor/gaming_day.py": 4,  # the reports of a day that is closed, in a new folder that is named when they are whole
}
"""How many places below the command line and its writer make files of their own."""
MAKING = {
    *("touch", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory"),
    "SpooledTemporaryFile",
}
"""Functions that make a file, whatever they are given."""
WRITING = {
    *("write_text", "write_bytes", "rename", "symlink_to", "hardlink_to"),  # paths
    *("copy", "copy2", "copyfile", "copyfileobj", "copytree", "move"),  # shutil
    *("savefig", "save", "savez", "savez_compressed", "savetxt", "tofile", "memmap"),  # matplotlib, NumPy
    *("write_csv", "write_parquet", "write_json", "write_ndjson", "write_excel", "write_ipc", "sink_csv"),
    *("sink_parquet", "to_csv", "to_parquet", "dump", "FileIO", "print_figure"),
}
"""Functions that make a file of their first argument, unless that is memory."""
OF_OS = {"replace", "rename", "renames", "link", "symlink", "mkfifo", "truncate"}


def writes(tree: ast.AST) -> Iterator[int]:
    """The lines at which something opens, makes or replaces a file."""
    memory = set(_memory(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_writing(node, memory):
            yield node.lineno


def _memory(tree: ast.AST) -> Iterator[str]:
    """Names of buffers in memory."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.withitem):
            made = node.value if isinstance(node, ast.Assign) else node.context_expr
            targets = node.targets if isinstance(node, ast.Assign) else [node.optional_vars]
            if isinstance(made, ast.Call) and _name(made.func) in ("BytesIO", "StringIO"):
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_writing(call: ast.Call, memory: set[str]) -> bool:
    name, of = _name(call.func), _name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name == "open" and of == "os":
        return _name(call.args[0]) != "devnull" and "O_RDONLY" not in ast.unparse(call.args[1])
    if name == "open":
        return _has_writing_mode(call, 1 if of in ("", "io", "gzip", "bz2", "lzma", "codecs") else 0)
    if of == "os":
        return name in OF_OS
    if of == "typst":
        return any(word.arg == "output" for word in call.keywords) or len(call.args) > 1
    return name in MAKING or (name in WRITING and bool(call.args) and _name(call.args[0]) not in memory)


def _has_writing_mode(call: ast.Call, place: int) -> bool:
    modes = [word.value for word in call.keywords if word.arg == "mode"] or call.args[place : place + 1]
    for mode in modes:
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
            return bool(set(mode.value) & set("wax+"))
        if place == 1 or any(word.arg == "mode" for word in call.keywords):
            return True  # who knows
    return False


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_nothing_but_the_writer_makes_a_file() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path != WRITER
        for line in writes(ast.parse(path.read_text(encoding="utf-8")))
    ]
    known = [place for place in found if place.partition(":")[0] in BELOW]
    assert [place for place in found if place not in known] == [], "these make files past cli/files.py"
    assert Counter(place.partition(":")[0] for place in known) == BELOW


def test_the_writer_itself_would_be_found() -> None:
    assert list(writes(ast.parse(WRITER.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "line",
    [
        "open(name, 'w')",
        "open(name, mode)",
        "open(name, mode='ab')",
        "io.open(name, 'x')",
        "path.open('wb')",
        "path.open(mode='r+')",
        "path.write_text('x')",
        "Path(name).write_bytes(b'x')",
        "os.open(name, os.O_WRONLY | os.O_CREAT)",
        "os.replace(one, other)",
        "tempfile.NamedTemporaryFile()",
        "figure.savefig(path)",
        "frame.write_csv(path)",
        "np.savez_compressed(name, x=x)",
        "shutil.move(one, other)",
        "json.dump(x, file)",
        "typst.compile(source, output='a.pdf')",
        "buffer = io.BytesIO(); np.save(path, buffer)",
    ],
)
def test_a_line_that_makes_a_file_is_found(line: str) -> None:
    assert list(writes(ast.parse(line))) == [1]


@pytest.mark.parametrize(
    "line",
    [
        "open(name)",
        "open(name, 'rb')",
        "path.open('rb')",
        "path.open(encoding='utf-8')",
        "solo.open(terms, box)",
        "os.open(os.devnull, os.O_WRONLY)",
        "os.open(folder, os.O_RDONLY)",
        "text.replace('a', 'b')",
        "buffer = io.BytesIO(); np.save(buffer, x)",
        "sys.stdout.buffer.write(b'x')",
        "typst.compile(source, format='pdf')",
    ],
)
def test_a_line_that_makes_none_is_not(line: str) -> None:
    assert list(writes(ast.parse(line))) == []
