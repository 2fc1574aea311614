"""The house stays in order: size of modules, one meaning per name, clauses with their book."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest

from punto.books import NAMES, load

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/punto"
MODULES = sorted(SOURCE.rglob("*.py"))
BESIDE = sorted(module for folder in ("tests", "tools", "bench") for module in (ROOT / folder).rglob("*.py"))
"""Tests, tools and benchmarks."""
MOST_LINES = 800
"""A module is one noun that a reader would search for; beyond this it has become two."""

_CLAUSES = {clause.number for name in NAMES for clause in load(name).clauses if "." in clause.number}
_CITED = re.compile(r"(?<![\w.:-])(?<!about )([1-9]\.\d{1,2}(?:\.\d{1,2})?)(?![\w:%]|\.\d)")
_BOOK = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")


def name_of(module: Path) -> str:
    return module.relative_to(SOURCE).as_posix()


def test_no_module_is_too_long() -> None:
    lengths = {
        str(module.relative_to(ROOT)): len(module.read_text("utf-8").splitlines()) for module in (*MODULES, *BESIDE)
    }
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


MOST_LINES_OF_A_FUNCTION = 70
"""What can be read at one look; the declarations of a command's options are not counted."""


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{name_of(module)}:{node.name}": node.end_lineno
        - (node.body[0].lineno if has_options(node) else node.lineno)
        + 1
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    }
    assert len(lengths) > 1_000
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES_OF_A_FUNCTION} == {}


def has_options(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether options of the command line are declared among its parameters."""
    return any("typer.Option" in ast.unparse(each.annotation) for each in function.args.args if each.annotation)


PAGES = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs/internals").glob("*.md"))]
_FILE = re.compile(r"(?<![\w/.*<])((?:[\w-]+/)*[\w-]+\.(?:py|cu|sql))\b")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(_FILE.findall(page.read_text(encoding="utf-8")))
    files = [path for top in ("src", "tests", "tools", "bench", "web/tools") for path in (ROOT / top).rglob("*.*")]
    known = {
        path.relative_to(base).as_posix() for base in (ROOT, SOURCE) for path in files if path.is_relative_to(base)
    }
    known |= {Path(name).name for name in known}
    assert sorted(name for name in named - known if not name.endswith("_what_it_does.py")) == []


def test_a_test_is_named_after_what_it_tests() -> None:
    """tests/x/test_y_subject.py is about src/punto/x/y.py, or about the whole package where y is x."""
    tests = [
        test for test in BESIDE if test.name.startswith("test_") and (SOURCE / test.relative_to(ROOT).parts[1]).is_dir()
    ]
    assert len(tests) > 250
    strange = []
    for test in tests:
        folder, *rest = test.relative_to(ROOT / "tests").parts
        nouns = {folder, *(module.stem for module in (SOURCE / folder).glob("*.py"))}
        if len(rest) != 1 or not any(f"{test.stem}_".startswith(f"test_{noun}_") for noun in nouns):
            strange.append(str(test.relative_to(ROOT)))
    assert strange == []


def test_a_public_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for module in MODULES:
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name_of(module))
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def test_the_server_writes_nothing_itself() -> None:
    """What changes people, approvals or money goes through the floor, which refuses by itself."""
    modules = [module for module in MODULES if module.parent.name == "server"]
    assert [name_of(module) for module in modules if re.search(r"\.write\(\)", module.read_text("utf-8"))] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_folder_is_on_the_map(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    folders = sorted(folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists())
    assert [name for name in folders if not re.search(rf"\b{name}/|punto/{name}`|punto\.{name}`", text)] == []


def test_modules_of_the_table_are_on_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    modules = [module.stem for module in (SOURCE / "table").glob("[a-z]*.py")]
    assert [name for name in modules if name not in text] == []


def test_rooms_of_the_table_import_each_other_in_the_order_of_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    order = re.findall(r"`(\w+)`", text[text.index("each may import those before it") : text.index("## Which way")])
    assert {"shuffling", "house", "betting", "antes", "insurance", "dealing", "settlement"} < set(order)
    later = []
    for place, room in enumerate(order):
        tree = ast.parse((SOURCE / f"table/{room}.py").read_text(encoding="utf-8"))
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        imported = {f"{node.module}.{alias.name}." for node in nodes for alias in node.names}
        later += [
            (room, name) for name in order[place:] if any(one.startswith(f"punto.table.{name}.") for one in imported)
        ]
    assert later == []


def dotted(path: Path) -> str:
    parts = path.with_suffix("").relative_to(SOURCE).parts
    return ".".join(("punto", *(part for part in parts if part != "__init__")))


def arrows_among(homes: dict[Path, str]) -> set[tuple[str, str]]:
    """Who imports whom, wherever in a module; `homes` says by which name each module counts."""
    known, arrows = set(homes.values()), set[tuple[str, str]]()
    for module, home in homes.items():
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{name}" for name in names]
            for name in names:
                while name and name not in known:
                    name = name.rpartition(".")[0]
                arrows.add((home, name))
    return {(home, name) for home, name in arrows if name not in ("", "punto", home)}


def mutual(arrows: set[tuple[str, str]]) -> set[tuple[str, ...]]:
    return {tuple(sorted(arrow)) for arrow in arrows if arrow[::-1] in arrows}


def test_no_two_folders_import_each_other() -> None:
    arrows = arrows_among({module: dotted(module.parent) for module in MODULES})
    assert ("punto.table", "punto.rules") in arrows
    assert mutual(arrows) == set()


MUTUAL = {("punto.documents.page", "punto.documents.typesetting"): "a grid shows itself in a notebook, as HTML"}
"""Modules that import each other all the same, and why."""


def test_no_two_modules_import_each_other() -> None:
    arrows = arrows_among({module: dotted(module) for module in MODULES})
    assert ("punto.table.state", "punto.table.terms") in arrows
    assert mutual(arrows) == MUTUAL.keys()


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_clause_is_cited_with_its_book(module: Path) -> None:
    wrong = [
        f"line {line}: {sentence.strip()}"
        for line, text in prose(module.read_text(encoding="utf-8"))
        for sentence in re.split(r"(?<=[.;:])\s|\n\n", re.sub(r"Python [\d., and]+", "", text))
        if any(number in _CLAUSES for number in _CITED.findall(sentence)) and not _BOOK.search(sentence)
    ]
    assert wrong == []


def prose(source: str) -> list[tuple[int, str]]:
    """Comments and docstrings with their lines; what is printed is not looked at."""
    found = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found.append((value.lineno, value.value))
    return found


ODD = re.compile(
    r"\b(so (many|much) (?!as|that)|unless said|if nothing is said|nought|cannot be had|less than none|aught"
    r"|as well as can be|knows no|bets? (that )?lie|lies there|thereof|wherein|(is|are|was) (said|told) so"
    r"|(in|by) turns|whereby"
    r"|(?<!here )(is|are) no (?!longer|more|one|less|matter|later|greater|smaller)\w+)\b",
    re.IGNORECASE,
)
"""Constructions that nobody says any more."""
WORDS = [path for path in (ROOT / "src/punto/words/en").iterdir() if path.is_file()]
PAGES = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "conformance.md"]  # The books say that one.
TEXTS = [*ROOT.glob("*.md"), ROOT / "Makefile", *PAGES, *WORDS, *MODULES]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_plain_english(text: Path) -> None:
    lines = text.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if ODD.search(line)] == []


def test_make_help_fits_a_terminal() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    helps = re.findall(r"^([a-z]+):.*## (.*)$", makefile, re.MULTILINE)
    assert len(helps) > 10
    assert [name for name, text in helps if len(f"make {name:<12} {text}") > 80] == []


def test_every_test_that_is_listed_as_slow_is_there() -> None:
    listed = (ROOT / "tests/slow.txt").read_text(encoding="utf-8").split()
    assert listed == sorted(set(listed))
    texts = {module.relative_to(ROOT).as_posix(): module.read_text(encoding="utf-8") for module in BESIDE}
    parts = {one: one.split("::") for one in listed}
    assert [one for one, (file, *_, name) in parts.items() if f"def {name}(" not in texts.get(file, "")] == []
