"""Takes the picture of the browser table that README.md begins with: docs/pictures/table.webp.

    python tools/table_picture.py

A floor runs for a moment in this process, a round is dealt at a table of Commission Baccarat, and Chromium shows it to
a player when it is over. The pages must be built (`make pages`).
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS  # noqa: E402
from tests.browser.sights import moments  # noqa: E402
from tests.browser.visitor import Visitor  # noqa: E402
from tests.server.running_floor import RunningFloor, running_floor  # noqa: E402

PICTURE = ROOT / "docs/pictures/table.webp"
SIZE = {"width": 1280, "height": 720}
BOOK, MOMENT = "commission", "result"
LARGEST = 200_000  # Bytes.


def take(browser: Browser, floor: RunningFloor) -> Image.Image:
    """The table of a player when the round is over."""
    for moment, croupier in moments(floor, BOOK):
        if moment == MOMENT:
            visitor = Visitor(browser, floor, "Lee", language="en")
            visitor.page.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
            visitor.at_table(croupier.table)
            visitor.page.evaluate("document.fonts.ready")
            visitor.page.locator("[data-share]:enabled").wait_for()  # roads can be shared when they are there
            visitor.page.evaluate(
                "Promise.all(document.getAnimations()"
                ".filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished))"
            )
            shown = Image.open(BytesIO(visitor.page.screenshot(animations="disabled")))
            visitor.context.close()
            return shown
    raise AssertionError("the round has such a moment")


def main() -> int:
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        for player in ("Lee", "Kim"):
            floor.client("Cas").buy_in(player, 100_000_000)
        browser = p.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False)
        take(browser, floor).convert("RGB").save(PICTURE, quality=82, method=6)
        browser.close()
    assert PICTURE.stat().st_size <= LARGEST, "make it smaller"
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
