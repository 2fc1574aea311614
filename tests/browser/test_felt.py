"""The felt at every size: everything in view, nothing jumps, chips and cards move, and what was bet can be repeated."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from punto.table.terms import Faces, Offering
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
OTHER_SUITS = str.maketrans("SHDC", "CDHS")

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
  for (const spot of document.querySelectorAll(".spot:has(.other)")) {
    const notes = spot.querySelector(".notes"), odds = document.createRange();
    odds.selectNodeContents(notes.querySelector(".odds"));
    const isSeen = notes.checkVisibility({ visibilityProperty: true });
    for (const a of isSeen ? [...odds.getClientRects()].filter((one) => one.width > 1) : []) {
      const b = spot.querySelector(".other").getBoundingClientRect();
      if (b.width && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 6 && b.top < a.bottom - 6)
        found.push("a chip lies on the odds of " + spot.dataset.area);
    }
  }
  for (const spot of innerWidth <= 844 ? document.querySelectorAll(".spot:not(.large)") : []) {
    const words = document.createRange();
    words.selectNodeContents(spot.querySelector(".name"));
    const chips = [...spot.querySelectorAll(".chips :is(.stack svg, b:not(.unseen))")]
      .filter((one) => one.checkVisibility({ opacityProperty: true })).map((one) => one.getBoundingClientRect());
    const lines = [...words.getClientRects()].filter((one) => one.width > 1);
    const isOn = (a, b) => b.left < a.right - 1 && a.left < b.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
    if (lines.some((a) => chips.some((b) => isOn(a, b)))) found.push("a chip lies on the name of " + spot.dataset.area);
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
  const middle = document.querySelector(".middle").getBoundingClientRect(); // which scrolls where the roads are below
  const line = box(".roads .counts");
  const isCut = middle.height && line.top < middle.bottom - 1 && line.bottom > middle.bottom + 1;
  if (isCut) found.push("half a line of roads");
  return found;
}"""

RUNS_TOGETHER = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector("header .phase"));
  const phase = [...words.getClientRects()].filter((one) => one.width > 0);
  return [...document.querySelectorAll("header .where > *, header .end > *")].flatMap((part) => {
    const [a, shown] = [part.getBoundingClientRect(), part.closest(".where, .end").getBoundingClientRect()];
    const [left, right] = [Math.max(a.left, shown.left), Math.min(a.right, shown.right)];
    const isUnder = phase.some((b) => right > left && right > b.left + 1 && left < b.right - 1);
    return isUnder ? ["the head runs into the phase: " + part.textContent.trim()] : [];
  });
}"""
"""What of the head of a table lies under the name of the phase."""

EVERYTHING = ".spot, .seat, .tray .chip, .tray .acts button, .tray dd, .hands .card, [data-points], .call-row .call"
"""What must be in view while nothing is asked."""

ASKED = ".sheet button, .hands .card, .hands .points, .spot.large .mine b, .tray [data-balance], .tray [data-staked]"
"""What must be in view while something is asked, beside that itself: the bets, and what is free and staked."""

WINNING = re.compile(r"\bwinning\b")

GROUND = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one, '::after').content]"
"""What a spot that wins has, and no other."""

WATCH_SHIFTS = """() => {
  const isWatched = window.shifts !== undefined; // another observer would count every shift once more
  window.shifts = [];
  window.flights = [];
  // What the window's new size moved is told a while later, on a busy machine after this: it is none of the round's.
  window.watchedFrom = performance.now();
  if (isWatched) return;
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    for (const one of added.filter((one) => one.className === "flight"))
      window.flights.push(`${one.dataset.from} > ${one.dataset.to}`);
  }).observe(document.body, { childList: true });
  new PerformanceObserver((list) => {
    const names = (one) => one.sources.map(({ node }) => node?.className ?? node?.nodeName).join(" ");
    for (const one of list.getEntries())
      if (one.startTime > window.watchedFrom) window.shifts.push([one.value, names(one)]);
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
        visitor.sized((width, height))
        wrong = [*visitor.page.evaluate(OUT_OF_REACH, parts), *visitor.page.evaluate(LAPS_OVER)]
        wrong += visitor.page.evaluate(RUNS_TOGETHER)
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
    # Long figures of both players on the same spots.
    for who, box, area, amount in (
        ("Lee", 1, "player", 952_500),
        ("Kim", 3, "player", 250_000),
        *([("Lee", 1, "banker", 952_500)] if name == "knockout" else []),
    ):
        croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area=area, amount=amount, round=1)
    lee.sees_bet("player", 962_500)
    expect(lee.spot("player").locator(".other")).to_have_count(1)
    whole(lee, EVERYTHING, "betting", name)
    if name == "knockout":
        speaks(lee, "zh-Hans")
        whole(lee, EVERYTHING, "betting in Chinese", name)
        lee.page.evaluate("document.fonts.ready")
        fonts = {match[1] for one in lee.asked if (match := re.search(r"noto-sans-sc-([a-z]+)-", one))}
        assert fonts == {"felt", "round"}, "a round in Chinese fetches no characters but those of rounds"
        lee.bet("ante-player", 5_000)
        croupier.deal("KS")
        lee.phase("antes")
        whole(lee, ASKED, "sheet", name)
        lee.page.locator("[data-wager]").click()
        lee.sees_bet("wager-player", 10_000)
    elif name == "insurance":
        croupier.deal("KS KH 5D 4C")
        lee.phase("insurance")
        whole(lee, f"{ASKED}, .sheet input", "sheet", name)
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


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_the_guide_is_read_whole(floor: RunningFloor, visit: Visit, language: str) -> None:
    """Before somebody sits down and after; where there is no room for it, as on a phone, a tap shows the rest."""
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN, insurance=False, requested_by="Kim", private=True)
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    speaks(lee, language)
    for is_seated in (False, True):
        if is_seated:
            lee.sit(1)
        expect(lee.page.locator(".guide p")).to_have_count(2 if is_seated else 1)
        for width, height in SIZES:
            if width > 844 and height > 500:
                lee.sized((width, height))
                hidden = lee.page.locator(".guide .words").evaluate("one => one.scrollHeight - one.clientHeight")
                assert hidden <= 1, (is_seated, width, height)


@pytest.mark.parametrize("guide", [True, False])
def test_nothing_jumps_in_a_round(floor: RunningFloor, visit: Visit, guide: bool) -> None:
    """Winners are marked for everybody, the house takes what has lost, and the layout stays where it is."""
    croupier, lee = seated(floor, visit, "commission")
    if not guide:
        lee.page.locator(".guide button").click()
    jumps: dict[tuple[int, int], Any] = {}
    for size in SIZES:
        lee.sized(size)
        lee.page.evaluate(WATCH_SHIFTS)
        number = int(croupier.shown().view["round"])
        kim = {"box": 3, "round": number, "area": "player", "amount": 2_500}
        croupier.give("place-bet", by="Kim", role=Role.PLAYER, **kim)
        expect(lee.spot("player").locator(".other")).to_have_count(1)
        for area, amount in (("banker", 10_000), ("tie", 5_000)):
            croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=amount, round=number)
            lee.sees_bet(area, amount)
        croupier.deal(THIRDS if number % 2 else THIRDS.translate(OTHER_SUITS))  # a shoe has enough of both
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
        if sum(value for value, _ in shifts) >= 0.01:
            jumps[size] = shifts
        # Six cards come and go. Chips move too: bets of others come, losers are swept, winners paid and taxed.
        flights = lee.page.evaluate("window.flights")
        assert len(flights) > 6 + 6
        # Cards come out of the shoe, and go to the discard.
        assert (flights.count("shoe > "), flights.count(" > discard")) == (6, 6), flights
        own = {"rack > banker", "banker > rack", "tie > rack", "banker > tray"}
        of_others = {"seat 3 > player", "player > rack"} if size[0] > 340 else set()  # there is no room for their chips
        assert {*of_others, *own} <= set(flights), flights
    assert jumps == {}


def test_every_other_question_is_in_view_at_every_size(floor: RunningFloor, visit: Visit) -> None:
    """Asking for a squeeze, waiting for it, a wish to insure, and the choice after an irregularity."""
    asked = f"{ASKED}, .call-row .call"
    croupier, lee = seated(floor, visit, "insurance", faces=Faces.DOWN, offering=Offering.DEALER)
    # Who may squeeze is whose bet is the highest.
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=500_000, round=1)
    lee.sees_bet("player", 500_000)
    croupier.give("place-bet", by="Kim", role=Role.PLAYER, box=3, area="player", amount=2_500, round=1)
    croupier.give("close-bets")
    expect(lee.page.locator("[data-squeeze]").first).to_be_visible()
    whole(lee, asked, "squeeze to ask for", "insurance")
    speaks(lee, "zh-Hans")
    whole(lee, asked, "squeeze to ask for in Chinese", "insurance")
    speaks(lee, "en")
    croupier.deal("KS KH 5D 4C")
    while croupier.next()["type"] == "reveal-card":
        croupier.give(**croupier.next())
    expect(lee.page.get_by_role("button", name="Ask for insurance")).to_be_visible()
    whole(lee, asked, "insurance to ask for", "insurance")

    croupier, lee = seated(floor, visit, "insurance")
    lee.bet("player", 10_000)
    croupier.deal("KS 9H")
    together = [{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")]
    croupier.give("report", cards=together)
    notice, covered = lee.page.locator("[data-notice=case]"), {}
    expect(notice).to_be_visible()
    for size in SIZES:
        lee.sized(size)
        expect(notice).to_be_in_viewport(ratio=1)
        if found := lee.covered():
            covered[size] = found
            lee.picture(f"case-wrong-{size[0]}")
    assert covered == {}
    croupier.give("order-cards", by="Sue", role=Role.PIT_SUPERVISOR, cards=["2C", "5H"])
    expect(lee.page.locator("[data-option]")).to_have_count(2)
    for language in ("en", "zh-Hant"):
        speaks(lee, language)
        whole(lee, asked, f"options in {language}", "insurance")
    assert lee.covered() == []
    # Whose word is missing is said once, and of others only.
    expect(lee.page.locator("[data-others='1']")).to_be_visible()
    expect(notice).not_to_contain_text("未選擇")


def test_two_antes_are_decided_with_every_bet_in_sight(floor: RunningFloor, visit: Visit) -> None:
    """Both questions stand on one sheet, and neither hides what is at stake; the console says which ante is which."""
    croupier, lee = seated(floor, visit, "knockout")
    for area in ("ante-player", "ante-banker", "player"):
        croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=5_000, round=1)
    croupier.deal("KS")
    lee.phase("antes")
    expect(lee.page.locator("[data-ante]")).to_have_count(2)
    for language in ("en", "zh-Hant"):
        speaks(lee, language)
        whole(lee, f"{ASKED}, .spot.of-ante", f"two antes in {language}", "knockout")
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.locator("[data-box='1'] [data-ante-of]")).to_have_text(["Ante (Player)", "Ante (Banker)"])
    lee.page.locator("[data-ante=ante-player] [data-wager]").click()
    lee.sees_bet("wager-player", 10_000)
    expect(dealer.page.locator("[data-box='1'] [data-ante-of]")).to_have_text(["Ante (Banker)"])
    lee.page.locator("[data-ante=ante-banker] [data-give-up]").click()
    expect(lee.page.locator("[data-ante]")).to_have_count(0)


QUESTIONS = {"insurance": ("[data-decline]", "insurance"), "knockout": ("[data-give-up]", "antes")}
"""What is asked of a player in the middle of a round: the answer that ends it, and the phase."""


@pytest.mark.parametrize("book", QUESTIONS)
def test_nothing_jumps_when_something_is_asked_or_refused(floor: RunningFloor, visit: Visit, book: str) -> None:
    """A sheet, a refusal, an answer and the result of it come and go over the felt, and push nothing away."""
    croupier, lee = seated(floor, visit, book)
    answer, phase = QUESTIONS[book]
    jumps: dict[tuple[int, int], Any] = {}
    for size in SIZES:
        lee.sized(size)
        lee.page.evaluate(WATCH_SHIFTS)
        number = int(croupier.shown().view["round"])
        for area, amount in (("player", 10_000), *([("ante-player", 5_000)] if book == "knockout" else [])):
            croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=amount, round=number)
            lee.sees_bet(area, amount)
        first, *others = "KS KH 5D 4C 2S 9S".translate({} if number % 2 else OTHER_SUITS).split()
        dealt = 1 if book == "knockout" else 4
        croupier.deal(" ".join([first, *others[: dealt - 1]]))
        lee.phase(phase)
        expect(lee.page.locator(answer)).to_be_in_viewport(ratio=1)
        lee.page.keyboard.press("b")
        expect(lee.page.locator("[data-notice=refused]")).to_be_in_viewport()
        lee.page.locator("[data-notice=refused] button").click()
        lee.page.locator(answer).click()
        expect(lee.page.locator(answer)).to_have_count(0)
        croupier.deal(" ".join(others[dealt - 1 :]))
        expect(lee.page.locator(".hands .card")).to_have_count(6)
        croupier.finish()
        lee.phase("finished")
        expect(lee.page.locator(".results [data-net]")).to_be_attached()
        croupier.open_bets()
        expect(lee.page.locator(".hands .card")).to_have_count(0)
        expect(lee.page.locator(".flight")).to_have_count(0)
        shifts = lee.page.evaluate("window.shifts")
        if sum(value for value, _ in shifts) >= 0.01:
            jumps[size] = shifts
    assert jumps == {}


def test_nothing_jumps_when_cards_are_squeezed(floor: RunningFloor, visit: Visit) -> None:
    """A wish, its answer, the card over the felt, and points that come one after the other."""
    croupier, lee = seated(floor, visit, "insurance", faces=Faces.DOWN)
    jumps: dict[tuple[int, int], Any] = {}
    for size in SIZES:
        lee.sized(size)
        lee.page.evaluate(WATCH_SHIFTS)
        number = int(croupier.shown().view["round"])
        # Who may squeeze is whose bet is the highest.
        croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=500_000, round=number)
        lee.sees_bet("player", 500_000)
        croupier.give("close-bets")
        for card in (1, 2):
            croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="card", hand="player", number=card)
            expect(lee.page.locator(f"[data-asked='player {card}']")).to_be_visible()
            croupier.give("answer-squeeze", consent=True)
        croupier.deal("KS 9H 6D 8C".translate({} if number % 2 else OTHER_SUITS))
        places = []
        for card in (1, 2):
            expect(lee.page.locator(f"[data-squeezing='player {card}']")).to_be_visible()
            expect(lee.page.locator("[data-turn]")).to_be_enabled()
            # A browser counts no shift soon after a click, so where the card lies is measured.
            places.append(lee.page.locator(".squeeze").bounding_box())
            lee.page.locator("[data-turn]").click()
        assert places[0] == places[1], size
        expect(lee.page.locator(".squeeze")).to_have_count(0)
        croupier.finish()
        lee.phase("finished")
        croupier.open_bets()
        expect(lee.page.locator(".hands .card")).to_have_count(0)
        expect(lee.page.locator(".flight")).to_have_count(0)
        shifts = lee.page.evaluate("window.shifts")
        if sum(value for value, _ in shifts) >= 0.01:
            jumps[size] = shifts
    assert jumps == {}


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
    expect(lee.spot("banker").locator(".mine .stack svg")).to_have_count(3)  # 100, 25 and 10, one on the other
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
    chip = page.locator("[data-chip='10000']")
    expect(chip).to_have_attribute("aria-checked", "true")
    lee.at_table(Croupier(floor, "commission").table)
    expect(rebet).to_be_disabled()
    expect(chip).to_have_attribute("aria-checked", "false")
    lee.at_table(croupier.table)
    expect(chip).to_have_attribute("aria-checked", "true")
    rebet.click()
    expect(lee.spot("banker").locator("[data-own='2']")).to_contain_text("100")
    lee.sees_bet("banker", 13_500)
    lee.sees_bet("player-pair", 2_500)
    undo.click()
    expect(page.locator(".spot .mine, .spot .own")).to_have_count(0)


def test_the_guide_speaks_of_shares_only_where_there_are_some(floor: RunningFloor, visit: Visit) -> None:
    _, lee = seated(floor, visit, "knockout")
    shown = """() => [".guide .shares", ".spot .cost"].map((what) =>
      [...document.querySelectorAll(what)].some((one) => one.checkVisibility({ visibilityProperty: true })))"""
    said = {}
    for width, height in SIZES:
        lee.sized((width, height))
        said[width] = lee.page.evaluate(shown)
    assert [width for width, (explained, seen) in said.items() if explained != seen] == []
    assert said[390] == [True, True]
    assert said[320] == [False, False]
    # Where nobody sits there is nothing to bet on yet: a newcomer sees no share, and reads of none.
    lee.sized((1440, 900))
    empty = Croupier(floor, "knockout")
    empty.open_bets()
    lee.at_table(empty.table)
    expect(lee.page.locator(".guide")).to_contain_text("Take a free box first")
    assert lee.page.evaluate(shown) == [False, False]
