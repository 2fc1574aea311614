"""Which Chinese characters a table shows in rounds of the five books, by weight, read off the pages.

    python -m tests.browser.round_characters

Writes web/src/fonts/round.txt: a line for each script and weight. `web/tools/fonts.py` then puts them in files of their
own, so that a table fetches few others. A round that shows one more finds it in the file of the rest of the table.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from punto.books import NAMES
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.visitor import DESKTOP, PHONE, ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

LANGUAGES = ("zh-Hans", "zh-Hant")
"""In the order of the scripts in web/tools/fonts.py."""
WEIGHTS = ("400", "600")
CARDS = "KS KH 5D 4C 2S 9S"
"""Third cards on both sides, and insurance where the book has it."""
SHOWN = """() => {
  const found = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const part = texts.currentNode.parentElement;
    const { fontWeight, fontFamily } = getComputedStyle(part);
    if (!part.checkVisibility() || !fontFamily.includes("Punto")) continue; // what is only heard needs no font
    const weight = Number(fontWeight) > 500 ? "600" : "400";
    found[weight] = (found[weight] ?? "") + texts.currentNode.textContent;
  }
  return found;
}"""


def seen_in_rounds(browser: Browser, floor: RunningFloor, language: str) -> dict[str, set[str]]:
    """Every Chinese character that a table shows in a round of each book, to somebody who stands and then plays."""
    seen: dict[str, set[str]] = {weight: set() for weight in WEIGHTS}

    def look(visitor: Visitor) -> None:
        visitor.page.wait_for_timeout(300)
        for weight, text in visitor.page.evaluate(SHOWN).items():
            seen[weight] |= {one for one in text if ord(one) >= 0x2E80}

    for book in NAMES:
        croupier = Croupier(floor, book)
        croupier.open_bets()
        lee = Visitor(browser, floor, "Lee", language=language).at_table(croupier.table)
        for size in (PHONE, DESKTOP):
            lee.sized(size)
            look(lee)
        lee.sit(1)
        lee.bet("player", 10_000)
        look(lee)
        waiting = CARDS.split()
        while (due := croupier.next())["type"] != "call-bets":
            croupier.give(**({**due, "card": waiting.pop(0)} if due["type"] == "deal-card" else due))
            look(lee)
        lee.context.close()
    return seen


def main() -> int:
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    lines: list[str] = []
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        floor.client("Cas").buy_in("Lee", 100_000_000)
        browser = p.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False)
        for language in LANGUAGES:
            seen = seen_in_rounds(browser, floor, language)
            lines += ["".join(sorted(seen[weight])) for weight in WEIGHTS]
        browser.close()
    (ROOT / "web/src/fonts/round.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
