"""Every page is followed line by line, as somebody would who types what they read, in an empty home.

A page that takes something as given (a table, a file, a database) has it made before, in `GIVEN`. No page can show
a command that nobody types: the census at the end counts them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import punto
from tests.docs.shell import NOT_RUN, PAGES, PROGRAMS, ROOT, Shell, blocks, typed
from tests.store.postgres_server import PostgresServer

KEY = "5a" * 32


def dealt(rounds: int) -> str:
    """Rounds with Lee's bet, of cards such as a shoe gives: `punto audit watch` would suspect others."""
    lines = []
    for coup in islice(punto.shoe("commission", 7), rounds):
        player, banker = coup.player, coup.banker
        order = (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])
        lines += ["Ann as dealer: place your bets", "Lee: bet 3 banker 100", "Ann as dealer: no more bets"]
        lines += [" ".join(card.value for card in order), "Ann as dealer: settle"]
    return "".join(f"{line}\n" for line in lines)


WRONG_SIDE = """Ann as dealer: place your bets
Lee: bet 3 banker 100
Ann as dealer: no more bets
KS 3H 4D 3C
Ann as dealer: report cards=5H:banker
Pia as pit-supervisor: reconstruction possible yes
Ann as dealer: settle
"""
MAIN_1 = f"Ann as dealer: load the shoe\nLee: sit 3\n{dealt(16)}{WRONG_SIDE}"
"""Seventeen rounds dealt by hand; in the last one Player's third card goes to the wrong side."""
ROUND = (
    "Ann as dealer: place your bets\nAnn as dealer: no more bets\n"
    + "Ann as dealer: deal\n" * 6
    + "Ann as dealer: settle\n"
)
SHOE = f"Ann as dealer: load the shoe\n{ROUND * 5}"
FILES = {"main-1.punto": MAIN_1, "shoes.punto": f"{SHOE}{SHOE}Rob as shift-manager: close the table\n"}

GIVEN: dict[str, tuple[str, ...]] = {
    "docs/concepts/shuffle.md": (
        "punto table new main-1 commission bean-9 behind_cut=400 burn=none",
        "punto table run main-1 shoes.punto",
        "punto table export main-1 -o log.jsonl",
    ),
    "docs/guides/audit.md": ("punto table new t1 ez house",),
    "docs/guides/drill.md": (
        "punto drill commission --only draw --questions 2 --seed 1 --score lee.json",
        "punto drill commission --only draw --questions 2 --seed 2 --score ann.json",
    ),
    "docs/guides/look-back.md": (
        "punto table new main-1 commission bean-9 burn=none source=entered",
        "punto account new Lee",
        "punto account buy-in Lee 9000 --as Cas:cashier",
        "punto table run main-1 main-1.punto",
    ),
    "docs/guides/protect-players.md": ("punto account new Lee",),
    "docs/guides/run-a-floor.md": ("punto table new t1 ez house",),
    "docs/reference/significant-events.md": ("punto table new t1 ez house",),
}
"""What a page takes for granted, and how it comes about."""
INSTEAD: dict[str, dict[str, str]] = {
    "docs/guides/deploy.md": {"/etc/punto/punto.toml": str(ROOT / "deploy/punto.toml")},
    "docs/guides/postgresql-and-a-proxy.md": {"/etc/punto/key": "key"},
    "docs/reference/simulation.md": {"1e8": "1e5"},
}
"""What is put in the place of a word of the page: rounds by the hundred million, and places that take root."""
ON_POSTGRESQL = {"docs/guides/deploy.md", "docs/guides/postgresql-and-a-proxy.md", "docs/guides/run-a-floor.md"}
ADDRESS = "postgresql://punto@db/house"
OTHER_TESTS = {
    "docs/guides/charity-night.md": "tests/docs/test_charity_night_guide.py",
    "docs/guides/write-a-client.md": "tests/client/test_client_bot_guide.py",
}
"""Pages that are followed by a test of their own, because much happens between the lines."""
TYPED = {str(page.relative_to(ROOT)): typed(page) for page in PAGES}
FOLLOWED = [
    page for page, lines in TYPED.items() if page not in OTHER_TESTS and any(not line.why_not_run for line in lines)
]


def code_of(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def files_of(page: str) -> Iterator[tuple[str, str]]:
    """The files that a page says to put its blocks into, before anything is typed."""
    text = (ROOT / page).read_text(encoding="utf-8")
    yield from re.findall(r"into\s+`(\w+\.punto)`:\n\n```punto\n(.*?)```", text, re.DOTALL)
    if page == "docs/guides/design-a-bet.md":
        yield "photo-and-dragon.toml", code_of(page, "toml")[1]
    if page == "docs/guides/write-a-rule-book.md":
        yield from zip(("first-steps.toml", "other.toml", "four-per-cent.toml"), code_of(page, "toml"), strict=False)


def writes(name: str, page: str) -> Callable[[Shell], None]:
    """What a reader does who is told to make a file read as shown."""

    def write(shell: Shell) -> None:
        (shell.folder / name).write_text(code_of(page, "toml")[0], encoding="utf-8")

    return write


def hand_out_the_key(anchor: str) -> Callable[[Shell], None]:
    """Give whoever checks the public key of the anchors."""

    def hand_out(shell: Shell) -> None:
        key = json.loads((shell.folder / anchor).read_text(encoding="utf-8"))["public_key"]
        for file in ("public-key.txt", "new-public-key.txt"):
            (shell.folder / file).write_text(key, encoding="ascii")

    return hand_out


def find_the_change(command: str, table: str) -> Callable[[Shell], None]:
    """Verify again, as the page says in its words."""

    def find(shell: Shell) -> None:
        found = shell.type(command, may_fail=True)
        assert found.status == 1 and table in found.out + found.err

    return find


def read_as_a_frame(shell: Shell) -> None:
    """The file with a row for each event, and what the page does with it."""
    shell.type("punto table export main-1 -o main-1.parquet")
    [program] = code_of("docs/guides/look-back.md", "python")
    *_, last = program.splitlines()
    names: dict[str, Any] = {}
    exec(program.replace(last, f"shown = {last}"), names)
    assert names["shown"].rows() == [("Lee", 1700.0)]


AFTER: dict[str, dict[str, Callable[[Shell], None]]] = {
    "docs/guides/audit.md": {
        "python -c": find_the_change("punto audit verify --anchor try.json --database try.db", "try-1"),
        "punto audit anchor -o anchor-monday.json": hand_out_the_key("anchor-monday.json"),
    },
    "docs/guides/design-a-bet.md": {"punto new photo.toml": writes("photo.toml", "docs/guides/design-a-bet.md")},
    "docs/guides/inspect.md": {
        "punto audit anchor": hand_out_the_key("anchor.json"),
        "python3 -c": find_the_change(
            "punto audit verify --anchor anchor.json --public-key public-key.txt --database floor.db", "t1"
        ),
    },
    "docs/guides/look-back.md": {"punto replay main-1.jsonl": read_as_a_frame},
    "docs/guides/submit-a-bet.md": {
        "punto new lucky-nine.toml": writes("lucky-nine.toml", "docs/guides/submit-a-bet.md")
    },
}
"""What a reader does besides, after a line that begins so."""


def follow(shell: Shell, page: str, may_fail: tuple[str, ...] = ()) -> None:
    """Make what the page takes for granted, write its files, then type its lines one after the other."""
    for name, text in (*FILES.items(), *files_of(page)):
        (shell.folder / name).write_text(text, encoding="utf-8")
    for given in GIVEN.get(page, ()):
        shell.type(given)
    for line in TYPED[page]:
        if line.why_not_run:
            continue
        shell.type(line.text, may_fail=line.text in may_fail)
        for start, act in AFTER.get(page, {}).items():
            if line.text.startswith(start):
                act(shell)


SAYS: dict[str, tuple[tuple[str, str], ...]] = {
    "docs/concepts/shuffle.md": (
        ("punto audit shoe main-1/2", "main-1/2"),
        ("punto audit shoe log.jsonl --shoe 2", "main-1/2"),
        ("python docs/examples/check_shoe.py", "fits the seed"),
        ("sha256sum", "my-bytes"),
    ),
    "docs/guides/design-a-bet.md": (
        ("punto check photo.toml", "[favours-player/photo-finish]"),
        ("punto check photo.toml", " -51.2719 %"),
        ("punto tune photo.toml photo-finish --edge 5%..8% --most 30", "3 of 900 pay tables"),
        ("punto check photo-finish.toml --strict", "No other warnings."),
        ("punto check photo-finish.toml --strict", " 5.1250 %"),
        ("punto check photo-and-dragon.toml --strict", " 2.6517 %"),
        ("punto bets char-siu-player", "by 1 point,"),
        ("punto settle", "+60"),
    ),
    "docs/guides/inspect.md": (
        ("punto audit shoe", "matches"),
        ("python3 docs/examples/check_shoe.py", "fits the seed"),
        ("punto audit anchor", "signed with the key"),
        ("punto audit rounds", "t1/1"),
        ("punto audit round t1/1", "5.1.2"),
        ("punto audit watch", "t1"),
        ("punto doctor --manifest", "punto/"),
    ),
    "docs/guides/irregularity.md": (("punto run case.punto", "Cards were dealt to the wrong side (5.8)"),),
    "docs/guides/keep-a-table.md": (
        ("punto account show Lee", "USD 900"),
        ("punto table list --database again.db", "main-1"),
        ("punto account cash-out", "500"),
    ),
    "docs/guides/look-back.md": (
        ("punto audit rounds --irregularity any", "main-1/17"),
        ("punto audit rounds --irregularity 5.1.2", "main-1/17"),
        ("punto audit round main-1/17", "5.1.2"),
        ("punto audit watch", "main-1"),
    ),
    "docs/guides/physical-cards.md": (
        ("punto table run main-1 round.punto", "the deal is not finished"),
        ("punto house devices", "shoe-7"),
    ),
    "docs/guides/postgresql-and-a-proxy.md": (("punto people new Ada", "Ada"),),
    "docs/guides/protect-players.md": (("punto account limits", "200"), ("punto account readmit", "")),
    "docs/guides/run-a-floor.md": (("punto house devices", "shoe-7"), ("punto people new Ada", "Ada")),
    "docs/guides/study-a-bet.md": (("punto count ez", "Dragon 7"),),
    "docs/guides/submit-a-bet.md": (("punto odds lucky-nine.toml", "24.9826 %"),),
    "docs/tutorials/class-of-dealers.md": (
        ("punto drill --report --score ann.json --score lee.json --score kim.json", "kim"),
    ),
    "docs/tutorials/floor-in-an-evening.md": (
        ("punto people list", "Lee"),
        ("punto account show Lee", "500"),
        ("punto audit events", "east"),
    ),
}
"""What a line says, told from what others say by its beginning."""
MAKES = {
    "docs/guides/design-a-bet.md": ("photo-finish.toml", "photo-finish.html"),
    "docs/guides/inspect.md": ("checked.pdf", "floor.db"),
    "docs/guides/look-back.md": ("round.html", "main-1.jsonl", "watch.html"),
    "docs/guides/study-a-bet.md": ("ez.html",),
    "docs/guides/write-a-rule-book.md": ("punto-book.schema.json", "four-per-cent.pdf"),
    "docs/tutorials/class-of-dealers.md": ("class.html",),
    "docs/tutorials/first-hour.md": ("commission.html",),
    "docs/tutorials/floor-in-an-evening.md": ("after-the-evening.db",),
}
"""Files that are there at the end of a page."""


@pytest.mark.slow
@pytest.mark.usefixtures("durable")  # the doctor looks whether commits wait for the disk
@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_is_followed_line_by_line(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    shell, may_fail = Shell(tmp_path, monkeypatch, dict(INSTEAD.get(page, {}))), tuple[str, ...]()
    if page in ON_POSTGRESQL:
        server: PostgresServer = request.getfixturevalue("postgres")
        shell.instead[ADDRESS] = server.new_database()
        # Servers of tests do not wait for disks, and the doctor says so.
        may_fail = tuple(line.text for line in TYPED[page] if line.text.startswith("punto doctor"))
    if page == "docs/guides/postgresql-and-a-proxy.md":
        monkeypatch.setenv("PUNTO_DATABASE", shell.instead[ADDRESS])
        monkeypatch.setenv("PUNTO_KEY", "5a" * 32)
    follow(shell, page, may_fail)
    for start, words in SAYS.get(page, ()):
        assert any(words in answer.out for line, answer in shell.said.items() if line.startswith(start)), (start, words)
    assert [name for name in MAKES.get(page, ()) if not (tmp_path / name).stat().st_size > 100] == []
    for line in may_fail:
        wrong = [row.split()[0] for row in shell.said[line].out.splitlines() if " not ok " in row]
        assert "durability" in wrong and "settings" not in wrong


def test_nothing_is_shown_that_nobody_types() -> None:
    """In README, tutorials and guides an indented block is typed at a shell, or shows an answer of `punto`."""
    for page in PAGES:
        if page.parent.name in ("tutorials", "guides") or page.name == "README.md":
            begins = [block[0] for _, block in blocks(page)]
            other = [line for line in begins if not line.startswith(("$ ", "> ")) and line.split()[0] not in PROGRAMS]
            assert other == [], (page, "say in which language it is: ```LANGUAGE")
    for followed, test in OTHER_TESTS.items():
        assert Path(followed).name in (ROOT / test).read_text(encoding="utf-8")


def test_what_is_not_run_is_still_shown_somewhere() -> None:
    """A reason that no line needs any more goes."""
    lines = [line.text for found in TYPED.values() for line in found]
    assert [start for start in NOT_RUN if not any(re.match(start, line) for line in lines)] == []
    assert len(FOLLOWED) > 15
