"""The felt at every size: everything in view, nothing jumps, chips and cards move, and what was bet can be repeated."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import speaks
from tests.browser.visitor import ROOT, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

SIZES = (
    (1366, 650), (1280, 720), (1024, 768), (844, 390), (820, 1180), (390, 844), (360, 640), (320, 568),
    (1440, 900), (1920, 1080), (2560, 1440),
)  # fmt: skip
CARD_BETS = ROOT / "docs/examples/card-bets.toml"
THIRDS = "KS KH 2D 3C 4S 5H"
"""Player 6, Banker 8, with a third card each."""

OUT_OF_REACH = """(parts) => {
  const found = [];
  const name = (one) => one.className + " " + (one.dataset.area ?? one.dataset.seat ?? one.textContent.trim());
  for (const one of document.querySelectorAll(parts)) {
    const box = one.getBoundingClientRect();
    const many = one.closest(".many")?.getBoundingClientRect();
    if (!one.checkVisibility() || (many && box.bottom > many.bottom)) continue;
    if (box.height < 8 || box.width < 8) found.push(name(one) + " has no size");
    else if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      found.push(name(one) + " is outside");
    else for (const [x, y] of [[0.5, 0.5], [0.1, 0.12], [0.9, 0.88]]) {
      const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (!hit || !(one.contains(hit) || hit.contains(one))) found.push(name(one) + " is covered");
    }
  }
  return found;
}"""
"""Which parts of the table cannot be seen or touched."""

TOO_SMALL = """() => [...document.querySelectorAll(".spot, .seat, .tray button")].filter((one) => one.offsetWidth)
  .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 43.5)
  .map((one) => one.className + one.textContent + one.offsetWidth + "x" + one.offsetHeight)"""

LAPS_OVER = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const felt = document.querySelector("main.felt");
  const hidden = felt.scrollHeight - felt.clientHeight;
  const found = hidden > 1 ? ["the felt hides " + hidden] : [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
  if (document.documentElement.scrollHeight > innerHeight) found.push("the page is too high");
  const staked = document.querySelector(".tray [data-staked]");
  if (staked && !(staked.checkVisibility() && staked.offsetWidth)) found.push("what is staked is hidden");
  for (const card of document.querySelectorAll(".hands .card:not(.crosswise)")) {
    const { width } = card.getBoundingClientRect();
    if (width < 30) found.push("a card is " + width + " wide");
  }
  for (const note of document.querySelectorAll(".spot .notes > *:not(.under)")) {
    const [a, b] = [note.getBoundingClientRect(), note.parentElement.getBoundingClientRect()];
    if (a.width && a.top < b.bottom - 1 && a.right > b.right + 1)
      found.push(note.closest(".spot").dataset.area + " has half a figure: " + note.innerText);
  }
  const wide = { 1920: [135, 440, 1.19], 2560: [225, 640, 1.49] }[innerWidth];
  if (wide) { // a large screen is used: cards, roads and type are larger, and nothing of the felt is left over
    const name = document.querySelector(".spot.large .name");
    const parts = [".hands", ".call-row", ".felt .felt", ".seats"].map((one) => box(one).height);
    const sizes = {
      cards: box(".hands .place").width,
      roads: box("[data-road=big] .box").width,
      type: name.getBoundingClientRect().height / 1.2 / parseFloat(getComputedStyle(name).fontSize),
      felt: parts.reduce((sum, one) => sum + one) / box("main.felt").height,
    };
    const small = Object.entries(sizes).filter(([, size], i) => size < [...wide, 0.85][i]);
    found.push(...small.map(([part, size]) => part + " too small on a large screen: " + size));
  }
  const roads = document.querySelector(".roads");
  for (const road of roads.querySelectorAll("[data-road]")) {
    if (road.getBoundingClientRect().right > roads.parentElement.getBoundingClientRect().right)
      found.push(road.dataset.road + " is cut");
  }
  for (const part of document.querySelectorAll("header .where > *, header .end > *")) {
    const [a, b] = [part.getBoundingClientRect(), box(".phase")];
    const shown = part.closest(".where, .end").getBoundingClientRect();
    if (Math.min(a.right, shown.right) > b.left + 1 && Math.max(a.left, shown.left) < b.right - 1)
      found.push("the title runs into the phase");
  }
  return found;
}"""

EVERYTHING = ".spot, .seat, .tray .chip, .tray .acts button, .tray dd, .hands .card, [data-points], .call-row .call"
"""What must be in view while nothing is asked."""

WINNING = re.compile(r"\bwinning\b")

GROUND = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one, '::after').content]"
"""What a spot that wins has, and no other."""

WATCH_SHIFTS = """() => {
  window.shifts = [];
  window.flights = [];
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    for (const one of added.filter((one) => one.className === "flight"))
      window.flights.push(`${one.dataset.from} > ${one.dataset.to}`);
  }).observe(document.body, { childList: true });
  new PerformanceObserver((list) => {
    const names = (one) => one.sources.map(({ node }) => node?.className ?? node?.nodeName).join(" ");
    for (const one of list.getEntries()) window.shifts.push([one.value, names(one)]);
  }).observe({ type: "layout-shift", buffered: false });
}"""

SEES_FLIGHT = """async (flight) => {
  for (let i = 0; i < 500 && !window.flights.includes(flight); i++)
    await new Promise((done) => setTimeout(done, 20));
  return window.flights.includes(flight);
}"""
"""A flight is waited for in the page, whose policy allows no `wait_for_function`."""


def whole(visitor: Visitor, parts: str, state: str, book: str) -> None:
    """Everything is in view at every size; the page stays as it is, only the window changes."""
    found: dict[str, list[str]] = {}
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wrong = [*visitor.page.evaluate(OUT_OF_REACH, parts), *visitor.page.evaluate(LAPS_OVER)]
        if width <= 844:
            wrong += visitor.page.evaluate(TOO_SMALL)
        if wrong:
            found[f"{book} {state} {width}x{height}"] = wrong
            visitor.picture(f"felt-wrong-{book}-{state}-{width}")
    assert found == {}


def seated(floor: RunningFloor, visit: Visit, book: str, **terms: Any) -> tuple[Croupier, Visitor]:
    """A table where Kim has bet on Banker and Lee sits in box 1, with bets open."""
    croupier = Croupier(floor, book, **terms)
    croupier.give("take-seat", by="Kim", role=Role.PLAYER, box=3)
    croupier.open_bets()
    croupier.give("place-bet", by="Kim", role=Role.PLAYER, box=3, area="banker", amount=250_000, round=1)
    lee = visit("Lee", size=SIZES[0]).at_table(croupier.table)
    lee.sit(1)
    return croupier, lee


@pytest.mark.parametrize("book", ["knockout", "insurance", str(CARD_BETS)], ids=["knockout", "insurance", "own"])
def test_everything_is_in_view_at_every_size(floor: RunningFloor, visit: Visit, book: str) -> None:
    croupier, lee = seated(floor, visit, book)
    name = book.rsplit("/", 1)[-1]
    lee.bet("player", 10_000)
    whole(lee, EVERYTHING, "betting", name)
    if name == "knockout":
        speaks(lee, "zh-Hans")
        whole(lee, EVERYTHING, "betting in Chinese", name)
        lee.page.evaluate("document.fonts.ready")
        fonts = {match[1] for one in lee.asked if (match := re.search(r"noto-sans-sc-([a-z]+)-", one))}
        assert fonts == {"felt", "table"}, "a table in Chinese fetches no characters of other pages"
        lee.bet("ante-player", 5_000)
        croupier.deal("KS")
        lee.phase("antes")
        whole(lee, ".sheet button, .hands .card, .hands .points", "sheet", name)
        lee.page.locator("[data-wager]").click()
        lee.sees_bet("wager-player", 10_000)
    elif name == "insurance":
        croupier.deal("KS KH 5D 4C")
        lee.phase("insurance")
        whole(lee, ".sheet button, .sheet input, .hands .card, .hands .points", "sheet", name)
        lee.page.locator("[data-decline]").click()
        expect(lee.page.locator("[data-insure]")).to_have_count(0)
        croupier.deal("2S 9S")
    if name != "insurance":
        croupier.deal(THIRDS.removeprefix("KS ") if name == "knockout" else THIRDS)
    expect(lee.page.locator(".hands .card")).to_have_count(6)
    if name == "knockout":
        whole(lee, EVERYTHING, "dealt", name)
    croupier.finish()
    lee.phase("finished")
    expect(lee.page.locator(".results [data-net]")).to_be_attached()
    whole(lee, f"{EVERYTHING}, .results summary", "result", name)
    if name == "insurance":
        speaks(lee, "zh-Hant")
        whole(lee, f"{EVERYTHING}, .results summary", "result in Chinese", name)


def test_every_other_book_is_in_view_at_every_size(floor: RunningFloor, visit: Visit) -> None:
    lee: Visitor | None = None
    for book in ("commission", "ez", "easy-six"):
        croupier = Croupier(floor, book)
        croupier.open_bets()
        lee = (lee or visit("Lee", size=SIZES[0])).at_table(croupier.table)
        lee.sit(1)
        lee.bet("player", 10_000)
        croupier.deal(THIRDS)
        croupier.finish()
        lee.phase("finished")
        expect(lee.page.locator(".results [data-net]")).to_be_attached()
        for language in ("zh-Hans", "en"):
            speaks(lee, language)
            whole(lee, f"{EVERYTHING}, .results summary", f"result in {language}", book)


@pytest.mark.parametrize("guide", [True, False])
def test_nothing_jumps_in_a_round(floor: RunningFloor, visit: Visit, guide: bool) -> None:
    """Winners are marked for everybody, the house takes what has lost, and the layout stays where it is."""
    croupier, lee = seated(floor, visit, "commission")
    if not guide:
        lee.page.locator(".guide button").click()
    # The guide takes room of its own: with it the layouts differ most, so every kind of screen is looked at.
    others = ((320, 568), (844, 390), (1024, 768), (2560, 1440)) if guide else ()
    for size in ((1366, 650), (390, 844), *others):
        lee.page.set_viewport_size({"width": size[0], "height": size[1]})
        lee.page.evaluate("document.fonts.ready")
        lee.page.evaluate(WATCH_SHIFTS)
        number = int(croupier.shown().view["round"])
        kim = {"box": 3, "round": number, "area": "player", "amount": 2_500}
        croupier.give("place-bet", by="Kim", role=Role.PLAYER, **kim)
        expect(lee.spot("player").locator(".other")).to_have_count(1)
        for area, amount in (("banker", 10_000), ("tie", 5_000)):
            croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=amount, round=number)
            lee.sees_bet(area, amount)
        croupier.deal(THIRDS)
        expect(lee.page.locator(".hands .card")).to_have_count(6)
        croupier.finish()
        lee.phase("finished")
        expect(lee.spot("banker")).to_have_class(WINNING)
        expect(lee.spot("player")).not_to_have_class(WINNING)
        lee.spot("player").hover()  # a pointer that rests on a spot is not taken for a win
        banker, player, tie = (lee.spot(area).evaluate(GROUND) for area in ("banker", "player", "tie"))
        assert player == tie != banker
        expect(lee.spot("banker").locator("[data-spot-net='9500']")).to_contain_text("commission 5")
        expect(lee.spot("tie").locator(".mine")).to_have_count(0)
        expect(lee.spot("tie").locator("[data-spot-net='-5000']")).to_be_visible()
        # The commission is taken last, a while after the pay has landed and nothing flies.
        assert lee.page.evaluate(SEES_FLIGHT, "banker > rack")
        expect(lee.page.locator(".flight")).to_have_count(0)
        croupier.open_bets()
        expect(lee.page.locator(".hands .card")).to_have_count(0)
        expect(lee.page.locator(".flight")).to_have_count(0)
        shifts = lee.page.evaluate("window.shifts")
        assert sum(value for value, _ in shifts) < 0.01, (size, shifts)
        # Six cards come and go. Chips move too: bets of others come, losers are swept, winners paid and taxed.
        flights = lee.page.evaluate("window.flights")
        assert len(flights) > 6 + 6
        own = {"rack > banker", "banker > rack", "tie > rack", "banker > tray"}
        of_others = {"seat 3 > player", "player > rack"} if size[0] > 340 else set()  # there is no room for their chips
        assert {*of_others, *own} <= set(flights), flights


def test_one_act_is_taken_back_by_one_press_and_repeated_after_a_reload(floor: RunningFloor, visit: Visit) -> None:
    """Doubling, clearing and repeating are one act each; an amount can be typed; graded pairs have their keys."""
    croupier, lee = seated(floor, visit, "easy-six", boxes_each=2)
    page = lee.page
    acts = page.locator(".tray .acts button")
    undo, clear, double, rebet = (acts.nth(i) for i in range(4))
    page.keyboard.press("a")
    page.keyboard.type("135")
    page.keyboard.press("Enter")
    expect(page.locator("[data-own-chip='13500']")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("b")
    lee.sees_bet("banker", 13_500)
    page.locator("[data-chip='2500']").click()
    page.keyboard.press("Shift+P")
    lee.sees_bet("player-pair", 2_500)
    page.keyboard.press("Shift+B")
    lee.sees_bet("banker-pair", 2_500)
    double.click()
    for area, amount in (("banker", 27_000), ("player-pair", 5_000), ("banker-pair", 5_000)):
        lee.sees_bet(area, amount)
    undo.click()
    for area, amount in (("banker", 13_500), ("player-pair", 2_500), ("banker-pair", 2_500)):
        lee.sees_bet(area, amount)
    clear.click()
    expect(page.locator(".spot .mine")).to_have_count(0)
    undo.click()
    lee.sees_bet("banker-pair", 2_500)
    lee.sees_bet("banker", 13_500)
    # Another box that is taken is the one that is bet in; what lies in the first still looks like one's own.
    page.locator(".seat.free[data-seat='2']").click()
    expect(page.locator(".seat.mine.chosen[data-seat='2']")).to_be_visible()
    lee.bet("banker", 10_000)
    expect(lee.spot("banker").locator("[data-own='1']")).to_contain_text("135")
    croupier.deal("KS 9H 6D 8C")
    croupier.finish()
    lee.phase("finished")
    croupier.open_bets()
    lee.phase("betting")
    page.reload()
    expect(rebet).to_be_enabled()
    lee.at_table(Croupier(floor, "commission").table)
    expect(rebet).to_be_disabled()
    lee.at_table(croupier.table)
    rebet.click()
    expect(lee.spot("banker").locator("[data-own='2']")).to_contain_text("100")
    lee.sees_bet("banker", 13_500)
    lee.sees_bet("player-pair", 2_500)
    undo.click()
    expect(page.locator(".spot .mine, .spot .own")).to_have_count(0)


def test_the_guide_speaks_of_shares_only_where_there_are_some(floor: RunningFloor, visit: Visit) -> None:
    _, lee = seated(floor, visit, "knockout")
    shown = """() => [".guide .shares", ".spot .cost"].map((what) =>
      [...document.querySelectorAll(what)].some((one) => one.checkVisibility()))"""
    said = {}
    for width, height in SIZES:
        lee.page.set_viewport_size({"width": width, "height": height})
        said[width] = lee.page.evaluate(shown)
    assert [width for width, (explained, seen) in said.items() if explained != seen] == []
    assert said[390] == [True, True]
    assert said[320] == [False, False]
