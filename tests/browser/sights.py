"""Pictures of every phase of every book at every size, to be looked at: the table of a player and the dealer's console
in a round, at a squeeze and in a case, and the pages of a player.

    python -m tests.browser.sights [FOLDER] [--books insurance,ez] [--languages en,zh-Hans] [--theme light]

Each sheet has one moment of one book at all sizes, so that what is cut off, laps over or is lost at one of them stands
beside the same thing done right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from punto.books import NAMES, load
from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.visitor import PICTURES, ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

SIZES = (
    *((1920, 1080), (2560, 1440), (1366, 650), (1280, 720), (1024, 768)),
    *((844, 390), (820, 1180), (390, 844), (360, 640), (320, 568)),
)
PAGE_SIZES = ((1440, 900), (820, 1180), (390, 844), (320, 568))
CONSOLE_SIZES = (
    *((1920, 1080), (1366, 650), (1280, 720), (1024, 768)),
    *((844, 390), (820, 1180), (390, 844), (320, 568)),
)
SHOE = ("KS KH 5D 4C 2S 9S", "9S 8H KD KC", "2S 3H 5D 6C", "4S 3H 2D KC 9D", "5S 5H 2D 2C") * 3
DRAWN = "KS KH 5D 4C 2S 9S"
WIDE = 2800
"""How wide a sheet is."""


def moments(floor: RunningFloor, book: str) -> Iterator[tuple[str, Croupier]]:
    """The moments of a round with bets of two players; the table stands still while each is looked at."""
    croupier = Croupier(floor, book)
    for cards in SHOE:
        croupier.play(cards)
    croupier.give("take-seat", by="Kim", role=Role.PLAYER, box=3)
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    view = croupier.shown().view
    sides = [area["area"] for area in view["areas"] if area["group"] not in ("main", "ante", "wager")]
    antes = [area["area"] for area in view["areas"] if area["group"] == "ante"]
    bets = [("Kim", 3, "banker", 250_000), ("Lee", 1, "banker", 952_500), ("Lee", 1, "tie", 12_500)]
    bets += [("Lee", 1, "player", 50_000), *(("Lee", 1, ante, 5_000) for ante in antes)]  # what is asked about later
    for player, box, area, amount in [*bets, *(("Lee", 1, side, 2_500) for side in sides[:2])]:
        bet = {"box": box, "area": area, "amount": amount, "round": view["round"]}
        floor.client(player).give(croupier.table, {"type": "place-bet", **bet}, Role.PLAYER)
    yield "betting", croupier
    waiting = DRAWN.split()
    dealt = 0
    while waiting:
        if croupier.shown().view["phase"] == "antes":
            yield "antes", croupier
            for ante in croupier.shown("Lee", Role.PLAYER).view["antes"]:
                wager = {"box": 1, "area": ante["wager"], "amount": ante["amount"], "round": view["round"]}
                croupier.give("place-wager", by="Lee", role=Role.PLAYER, **wager)
        due = croupier.next()
        if due["type"] == "deal-card":
            if dealt == 4:
                yield "four-cards", croupier
            due = {**due, "card": waiting.pop(0)}
            dealt += 1
        croupier.give(**due)
    while (due := croupier.next())["type"] != "call-bets":
        croupier.give(**due)
    yield "result", croupier


def squeezed(floor: RunningFloor, book: str) -> Croupier:
    """A table face down where Lee has two cards to squeeze."""
    croupier = Croupier(floor, book, faces=Faces.DOWN)
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    bet = {"box": 1, "area": "player", "amount": 50_000, "round": 1}
    floor.client("Lee").give(croupier.table, {"type": "place-bet", **bet}, Role.PLAYER)
    croupier.give("close-bets")
    for number in (1, 2):
        croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="card", hand="player", number=number)
        croupier.give("answer-squeeze", consent=True)
    croupier.deal("7S 6H 9D 8C")
    return croupier


def stopped(floor: RunningFloor, book: str) -> Iterator[tuple[str, Croupier]]:
    """An irregularity: what was seen, and then what players choose."""
    croupier = Croupier(floor, book)
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    bet = {"box": 1, "area": "player", "amount": 50_000, "round": 1}
    floor.client("Lee").give(croupier.table, {"type": "place-bet", **bet}, Role.PLAYER)
    croupier.deal("KS 9H")
    croupier.give("report", cards=[{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")])
    yield "case", croupier
    croupier.give("order-cards", by="Sue", role=Role.PIT_SUPERVISOR, cards=["2C", "5H"])
    yield "options", croupier


def states(floor: RunningFloor, book: str) -> Iterator[tuple[str, Croupier]]:
    yield from moments(floor, book)
    if load(book).squeeze:
        yield "squeeze", squeezed(floor, book)
        yield from stopped(floor, book)


def sheet(pictures: list[Image.Image], path: Path) -> None:
    """All pictures on one sheet, in lines as wide as it is, each at most at its own size."""
    lines: list[list[Image.Image]] = [[]]
    for picture in pictures:
        if sum(one.width for one in lines[-1]) + picture.width > WIDE and lines[-1]:
            lines.append([])
        lines[-1].append(picture)
    height = sum(max(one.height for one in line) + 12 for line in lines)
    paper = Image.new("RGB", (WIDE, height), "#888")
    y = 0
    for line in lines:
        x = 0
        for picture in line:
            paper.paste(picture, (x, y))
            x += picture.width + 12
        y += max(one.height for one in line) + 12
    path.parent.mkdir(parents=True, exist_ok=True)
    paper.save(path)


def looked_at(visitor: Visitor, sizes: tuple[tuple[int, int], ...]) -> list[Image.Image]:
    found = list[Image.Image]()
    for width, height in sizes:
        visitor.sized((width, height))
        found.append(Image.open(BytesIO(visitor.page.screenshot(animations="disabled"))))
    return found


def comes(browser: Browser, floor: RunningFloor, name: str | None, language: str, theme: str) -> Visitor:
    visitor = Visitor(browser, floor, name, language=language)
    chosen = json.dumps({"theme": theme, "hasSeenHowTo": False})
    visitor.context.add_init_script(f"localStorage.setItem('punto.preferences', JSON.stringify({chosen}))")
    return visitor


def look(
    browser: Browser, floor: RunningFloor, books: list[str], languages: list[str], theme: str, folder: Path
) -> None:
    for book in books:
        visitors: dict[tuple[str, str], Visitor] = {}
        for moment, croupier in states(floor, book):
            for language in languages:
                for name, sizes in (("Lee", SIZES), ("Dan", CONSOLE_SIZES)):
                    visitor = visitors.get((name, language)) or comes(browser, floor, name, language, theme)
                    visitors[name, language] = visitor
                    if f"/{croupier.table}" not in visitor.page.url:
                        (visitor.at_table if name == "Lee" else visitor.at_console)(croupier.table)
                        visitor.page.evaluate("document.fonts.ready")
                    visitor.page.wait_for_timeout(1200)  # what flies has landed
                    who = "table" if name == "Lee" else "console"
                    sheet(looked_at(visitor, sizes), folder / f"{who}-{book}-{moment}-{language}-{theme}.png")
        for visitor in visitors.values():
            visitor.context.close()


def look_at_pages(browser: Browser, floor: RunningFloor, languages: list[str], theme: str, folder: Path) -> None:
    """The pages of a player beside the table, and the log-in."""
    *_, (_, played) = moments(floor, "insurance")
    digest = played.shown().digest
    pages = {"lobby": "/", "account": "/account", "books": "/rules", "rules": f"/rules/{digest}"}
    for language in languages:
        nobody, lee = (comes(browser, floor, name, language, theme) for name in (None, "Lee"))
        for name, path in {**pages, "round": f"/tables/{played.table}/rounds/16", "log-in": "/"}.items():
            visitor = (nobody if name == "log-in" else lee).open(path)
            visitor.page.wait_for_load_state("networkidle")
            visitor.page.evaluate("document.fonts.ready")
            sheet(looked_at(visitor, PAGE_SIZES), folder / f"page-{name}-{language}-{theme}.png")
        for visitor in (nobody, lee):
            visitor.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of every phase of every book at every size.")
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES / "sights")
    parser.add_argument("--books", default=",".join(NAMES))
    parser.add_argument("--languages", default="en,zh-Hans")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    asked = parser.parse_args()
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        for player in ("Lee", "Kim"):
            floor.client("Cas").buy_in(player, 100_000_000)
        browser = p.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False)
        languages = asked.languages.split(",")
        look(browser, floor, asked.books.split(","), languages, asked.theme, asked.folder)
        look_at_pages(browser, floor, languages, asked.theme, asked.folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
