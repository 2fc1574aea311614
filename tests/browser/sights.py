"""Pictures of every phase of every book at every size, to be looked at: the table of a player and the dealer's console.

    python -m tests.browser.sights [FOLDER] [--books insurance,ez] [--languages en,zh-Hans]

Each sheet has one moment of one book at all sizes, so that what is cut off, laps over or is lost at one of them stands
beside the same thing done right.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from punto.books import NAMES
from punto.rules.authority import Role
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.visitor import PICTURES, ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

SIZES = (
    *((1920, 1080), (2560, 1440), (1366, 650), (1280, 720), (1024, 768)),
    *((844, 390), (820, 1180), (390, 844), (360, 640), (320, 568)),
)
CONSOLE_SIZES = ((1920, 1080), (1366, 650), (1280, 720), (1024, 768), (820, 1180), (390, 844))
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
    bets = [("Kim", 3, "banker", 250_000), ("Lee", 1, "banker", 952_500), ("Lee", 1, "tie", 12_500)]
    for player, box, area, amount in [*bets, *(("Lee", 1, side, 2_500) for side in sides[:2])]:
        bet = {"box": box, "area": area, "amount": amount, "round": view["round"]}
        floor.client(player).give(croupier.table, {"type": "place-bet", **bet}, Role.PLAYER)
    yield "betting", croupier
    waiting = DRAWN.split()
    dealt = 0
    while waiting:
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
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found.append(Image.open(BytesIO(visitor.page.screenshot(animations="disabled"))))
    return found


def look(browser: Browser, floor: RunningFloor, books: list[str], languages: list[str], folder: Path) -> None:
    for book in books:
        visitors: dict[tuple[str, str], Visitor] = {}
        for moment, croupier in moments(floor, book):
            for language in languages:
                for name, sizes in (("Lee", SIZES), ("Dan", CONSOLE_SIZES)):
                    visitor = visitors.get((name, language))
                    if visitor is None:
                        visitor = visitors[name, language] = Visitor(browser, floor, name, language=language)
                        (visitor.at_table if name == "Lee" else visitor.at_console)(croupier.table)
                        visitor.page.evaluate("document.fonts.ready")
                    visitor.page.wait_for_timeout(1200)  # what flies has landed
                    who = "table" if name == "Lee" else "console"
                    sheet(looked_at(visitor, sizes), folder / f"{who}-{book}-{moment}-{language}.png")
        for visitor in visitors.values():
            visitor.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of every phase of every book at every size.")
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES / "sights")
    parser.add_argument("--books", default=",".join(NAMES))
    parser.add_argument("--languages", default="en,zh-Hans")
    asked = parser.parse_args()
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        for player in ("Lee", "Kim"):
            floor.client("Cas").buy_in(player, 100_000_000)
        browser = p.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False)
        look(browser, floor, asked.books.split(","), asked.languages.split(","), asked.folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
