"""How fast the table page is in Chromium: its size, when it can be used, an event, the roads of 90 rounds.

The pages must be built (`make pages`). The aims: 150 kB of scripts, styles and fonts as Chromium gets them, usable
1.5 s after the address was typed with an empty cache, an event in the page 50 ms after it arrived, roads of
90 rounds redrawn in 8 ms. The baseline, measured in the same run, is the log-in page, which does least.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import msgspec
from playwright.sync_api import Browser, Page, Response, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the floor of the browser tests is used here too

from punto.client import Done  # noqa: E402
from punto.rules.authority import Role  # noqa: E402
from punto.rules.outcome import Facts, Winner  # noqa: E402
from punto.table.replay import EndedRound  # noqa: E402
from punto.views.history_view import ShoeRounds, road_view  # noqa: E402
from tests.browser.conftest import FLAGS  # noqa: E402
from tests.browser.croupier import Croupier  # noqa: E402
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor  # noqa: E402

LOADS, EVENTS, DRAWINGS, ROUNDS = 5, 40, 20, 90
BYTES_AIM, USABLE_AIM_MS, EVENT_AIM_MS, ROADS_AIM_MS = 150_000, 1500, 50, 8

WATCH = """
window.waits = [];
const Native = WebSocket;
window.WebSocket = class extends Native {
  constructor(...args) {
    super(...args);
    window.socket = this;
    this.addEventListener('message', (message) => {
      if (JSON.parse(message.data).type !== 'view') return;
      const arrived = performance.now();
      const watcher = new MutationObserver(() => {
        window.waits.push(performance.now() - arrived);
        watcher.disconnect();
      });
      const all = { subtree: true, childList: true, attributes: true, characterData: true };
      watcher.observe(document.body, all);
    });
  }
};
"""
"""Notes when a view has arrived, and when the page has changed after it."""
DRAW = """
(frame) => new Promise((resolve) => {
  const begun = performance.now();
  const watcher = new MutationObserver(() => {
    document.body.offsetHeight; // the layout is part of it
    watcher.disconnect();
    resolve(performance.now() - begun);
  });
  for (const road of document.querySelectorAll('[data-road] svg')) {
    watcher.observe(road, { subtree: true, childList: true, attributes: true });
  }
  window.socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
})
"""
"""Lets the page hear a frame with other roads, and says how long it took to draw them."""


def loaded(
    browser: Browser, floor: RunningFloor, path: str, ready: str, name: str | None, language: str = "en"
) -> tuple[float, int, int, int]:
    """Milliseconds until a page is ready with an empty cache; the bytes it took on the wire, and packed by gzip alone,
    with and without fonts."""
    answers: list[Response] = []
    context = browser.new_context(base_url=floor.url)
    context.add_init_script(f"localStorage.setItem('punto.language', '{language}')")
    if name is not None:
        context.request.post("/api/v1/sessions", data={"name": name, "password": PASSWORD})
    page = context.new_page()
    page.on("response", lambda one: answers.append(one))
    page.goto(path, wait_until="commit")
    page.wait_for_selector(ready)
    took = float(page.evaluate("performance.now()"))
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle")  # a stream does not count
    own = [one for one in answers if one.url.endswith((".js", ".css", ".woff2", path))]
    fonts = sum(len(one.body()) for one in own if one.url.endswith(".woff2"))
    rest = sum(len(gzip.compress(one.body(), 6)) for one in own if not one.url.endswith(".woff2"))
    wire = sum(one.request.sizes()["responseBodySize"] for one in own)
    context.close()
    return took, wire, fonts + rest, rest


def event_waits(page: Page, floor: RunningFloor, table: str) -> list[float]:
    """Milliseconds from the arrival of a view to the change of the page, over bets of somebody else."""
    kim = floor.client("Kim")
    command = {"type": "place-bet", "box": 2, "area": "banker", "amount": 1000, "round": 1}
    for _ in range(EVENTS):
        before = page.evaluate("window.waits.length")
        given = kim.give(table, command, Role.PLAYER)
        assert isinstance(given, Done), given
        page.wait_for_function(f"window.waits.length > {before}")
    return [float(wait) for wait in page.evaluate("window.waits")][-EVENTS:]


def drawing_times(page: Page) -> list[float]:
    """Milliseconds to draw the roads of another shoe of 90 rounds."""
    random = Random(17)
    shoes = (msgspec.to_builtins(road_view(random_shoe(random))) for _ in range(DRAWINGS))
    return [float(page.evaluate(DRAW, {"type": "roads", "version": 1, "roads": roads})) for roads in shoes]


def random_shoe(random: Random) -> ShoeRounds:
    """Rounds with about as many ties and pairs as real shoes have."""
    winners = random.choices((Winner.BANKER, Winner.PLAYER, Winner.TIE), (459, 446, 95), k=ROUNDS)
    pairs = [(random.random() < 0.08, random.random() < 0.07) for _ in winners]
    rounds = [
        EndedRound(number, 1, number, 0, winner, facts=Facts(0, int(player), int(banker)))
        for number, (winner, (banker, player)) in enumerate(zip(winners, pairs, strict=True), start=1)
    ]
    return ShoeRounds(1, tuple(rounds))


def told(what: str, measured: float, unit: str, aim: float) -> str:
    """A line with a figure beside its aim."""
    missed = "" if measured <= aim else "   MISSED"
    return f"{what:<44} {measured:9,.1f} {unit:<3} {measured / aim:5.2f} of the aim{missed}"


def main() -> None:
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with (
        TemporaryDirectory() as folder,
        running_floor(str(Path(folder) / "house.db")) as floor,
        sync_playwright() as playwright,
    ):
        for player in ("Lee", "Kim"):
            floor.client("Cas").buy_in(player, 100_000_000)
        browser = playwright.chromium.launch(
            executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False
        )
        croupier = Croupier(floor, "commission")
        floor.client("Kim").give(croupier.table, {"type": "take-seat", "box": 2}, Role.PLAYER)
        croupier.open_bets()

        least = min(loaded(browser, floor, "/login", "form", None)[0] for _ in range(LOADS))
        path = f"/tables/{croupier.table}"
        loads = [loaded(browser, floor, path, ".spot", "Lee") for _ in range(LOADS)]
        usable = min(load[0] for load in loads)
        chinese = {code: loaded(browser, floor, path, ".spot", "Lee", code) for code in ("zh-Hans", "zh-Hant")}

        context = browser.new_context(base_url=floor.url, bypass_csp=True)  # what waits here is evaluated
        context.request.post("/api/v1/sessions", data={"name": "Lee", "password": PASSWORD})
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(path)
        page.wait_for_selector(".spot")
        waits = event_waits(page, floor, croupier.table)
        drawings = drawing_times(page)
        browser.close()

    for code, (_, wire, zipped, rest) in {"en": loads[0], **chinese}.items():
        print(told(f"table page with fonts, on the wire, {code}", wire / 1000, "kB", BYTES_AIM / 1000))
        print(f"{'  packed by gzip alone':<44} {zipped / 1000:9,.1f} kB, without fonts {rest / 1000:,.1f}")
    print(told("table page can be used", usable, "ms", USABLE_AIM_MS))
    print(f"{'  beside the log-in page':<44} {least:9,.1f} ms  {usable / least:5.2f} times as long")
    print(told("an event is in the page, median", median(waits), "ms", EVENT_AIM_MS))
    print(told("an event is in the page, slowest", max(waits), "ms", EVENT_AIM_MS))
    print(told(f"roads of {ROUNDS} rounds redrawn, median", median(drawings), "ms", ROADS_AIM_MS))
    print(f"{'  fastest':<44} {min(drawings):9,.1f} ms")


if __name__ == "__main__":
    main()
