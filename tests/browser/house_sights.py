"""Every page of the house in its states, from the pit to guests: pictures to be looked at, and what can be found in
each of them without eyes: words missing, cut off or in another language, characters that no font draws, and axe.

    python -m tests.browser.house_sights [FOLDER] [--scenes pit,cage] [--looks 1440-en-dark,390-zh-Hans-light]

A small floor is played first, with a case, an approval, a call for the pit, cash and a closed table; the scene `empty`
has a floor on which nothing has happened, and `away` a server that cannot be reached.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from playwright.sync_api import Browser, Page, expect, sync_playwright

from punto.books import built_in_source
from punto.cards.source import SourceKind
from punto.rules.authority import Authority, Role
from punto.table.terms import Audience
from tests.browser.conftest import FLAGS
from tests.browser.croupier import Croupier
from tests.browser.known_shoe import deal_rounds
from tests.browser.spoken import english_in, undrawn_in
from tests.browser.test_cage import choose, move
from tests.browser.test_languages import CHOSEN_CUT, CUT, STRANGE
from tests.browser.visitor import PICTURES, ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_watch_routes import allow

LOOKS = ("1440-en-dark", "1366-zh-Hans-light", "390-zh-Hant-dark", "390-en-light")
HEIGHTS = {1440: 900, 1366: 650, 390: 844, 1920: 1080}
OFFICE = ("people", "invitations", "approvals", "house", "books", "devices", "health")
REPORTS = ("floor", "table", "cashier", "player", "staff", "alterations")
ROUNDS = "BBBPPBPPPTPBBPBBTBPBBBBBBBPPPPTTBPBPBB"
TYPED = ("The Lodge", "a note was counted twice", "counted twice", "our-ez", "forty", r"(layouts|irregularities)\.\S+")
QUOTED = (
    *(r"punto [a-z -]+(FILE)?", "pip list", r"http\S+", r"/\S+", r"[0-9a-f]{8,}", r"chacha20\S+", "設定 [^·]+·"),
    *("TOML", "HTML", "TXT", "JSON Lines", "JSON", "CSV", "PDF", "PAR", r"SHA-\d+", "SQLite", "WebCrypto", "NTP"),
    *("ChaCha20", "Fisher–Yates", "Home", "End", "Shift", "Delete", "GiB", "wal", "journal", "synchronous"),
    *("UTC", "Asia/Macau", "PUNTO_KEY", "设置 [^·]+·", r"book\.toml"),
)
"""What somebody has typed, and what is called the same in every language: commands, files, formats, keys, settings."""

Scene = Iterator[str]


class House:
    """A floor on which something has happened, and who opens which page."""

    def __init__(self, browser: Browser, floor: RunningFloor) -> None:
        self.browser, self.floor = browser, floor
        self.seated = dict[str, set[int]]()
        self.calm = Croupier(floor, "commission")
        deal_rounds(self.calm, ROUNDS)
        for cards in ("KS KH 9D 8C", "2S 9H KD KC", "KH 7S 9C KD"):
            self.calm.open_bets()
            self._bet(self.calm, "Lee", 1, "banker", 10_000)
            self._bet(self.calm, "Kim", 2, "player", 50_000, also="tie")
            self.calm.deal(cards)
            self.calm.finish()
        self.case = Croupier(floor, "insurance", differential=20_000)
        self.case.open_bets()
        self._bet(self.case, "Lee", 1, "banker", 19_000)
        self._bet(self.case, "Kim", 2, "player", 5_000)
        self.case.deal("KS 9H")
        self.case.give(
            "report", cards=[{"card": card, "lies": "table", "together": True} for card in ("5H", "2C", "9D")]
        )
        void = Authority("void-round", (Role.PIT_SUPERVISOR, Role.PIT_MANAGER), second=Role.PIT_MANAGER)
        self.void = Croupier(floor, "insurance", authority=(void,))
        self.void.open_bets()
        self._bet(self.void, "Lee", 1, "player", 10_000)
        self.void.deal("KS 9H")
        self.void.give("report", seen=["wrong-set"])
        self.options = Croupier(floor, "insurance")
        self.options.open_bets()
        self._bet(self.options, "Lee", 1, "banker", 10_000)
        self._bet(self.options, "Kim", 2, "player", 5_000)
        self.options.deal("KS 9H")
        self.options.give("report", cards=[{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")])
        self.options.give("order-cards", by="Sue", role=Role.PIT_SUPERVISOR, cards=[4, 3])
        self.options.give("choose-option", by="Kim", role=Role.PLAYER, option="return")
        self.shut = Croupier(floor, "commission", advice=Audience.STAFF)
        self.live = Croupier(floor, "ez", advice=Audience.EVERYBODY)
        self.live.play("2S 4S 3S 5S")
        self.live.open_bets()
        self._bet(self.live, "Kim", 3, "dragon-7", 2_500, also="banker")
        floor.client("Dan").http.post(f"/tables/{self.live.table}/pit-calls", json={"reason": "9♥ fell on the floor"})
        self.shuffled = floor.new_table("knockout", source=SourceKind.SHUFFLED)
        self._shuffled()
        floor.client("Ada").http.put("/house/rules", json={"rules": {"operator": "The Lodge", "large_cash": 1_000_000}})
        body = {"key": "wait", "account": "Kim", "amount": 500, "reason": "a note was counted twice"}
        floor.client("Cas").http.post("/cashier/correct", json=body)
        floor.client("Kim").http.put(
            "/accounts/me/limits", json={"limits": [{"what": "buy-in", "period": "month", "amount": 900_000_000}]}
        )

    def _bet(self, croupier: Croupier, name: str, box: int, area: str, amount: int, also: str | None = None) -> None:
        number = croupier.shown().view["round"]
        if box not in self.seated.setdefault(croupier.table, set()):
            croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
            self.seated[croupier.table].add(box)
        for one in (also, area):
            if one:
                croupier.give("place-bet", by=name, role=Role.PLAYER, box=box, area=one, amount=amount, round=number)

    def _shuffled(self) -> None:
        dan = self.floor.client("Dan")
        calls = 0
        while calls < 3:
            shown = dan.table(self.shuffled, Role.DEALER)
            command = shown.view["next"]["command"]  # type: ignore[union-attr]
            dan.give(self.shuffled, command, Role.DEALER, expected=shown.version)  # type: ignore[union-attr]
            calls += command["type"] == "settle-round"
        version = self.floor.version(self.shuffled)
        self.floor.client("Rob").give(self.shuffled, {"type": "close-table"}, Role.SHIFT_MANAGER, expected=version)

    def visitor(self, name: str | None, look: str) -> Visitor:
        return visitor_at(self.browser, self.floor, name, look)


def bought_in(floor: RunningFloor) -> None:
    """Two players have money; a third has none, so that what they buy is no large cash."""
    for player in ("Lee", "Kim"):
        floor.client("Cas").buy_in(player, 100_000_000)


def visitor_at(browser: Browser, floor: RunningFloor, name: str | None, look: str) -> Visitor:
    width, language, theme = taken_apart(look)
    visitor = Visitor(browser, floor, name, size=(width, HEIGHTS[width]), language=language)
    kept = msgspec.json.encode({"theme": theme, "hasSeenHowTo": True}).decode()
    visitor.context.add_init_script(
        f"localStorage.getItem('punto.preferences') ?? localStorage.setItem('punto.preferences', '{kept}')"
    )
    return visitor


def taken_apart(look: str) -> tuple[int, str, str]:
    """A look as it is written: 390-zh-Hans-light."""
    width, rest = look.split("-", 1)
    language, theme = rest.rsplit("-", 1)
    return int(width), language, theme


def waits(visitor: Visitor, *shown: str) -> None:
    for one in shown:
        expect(visitor.page.locator(one).first).to_be_visible()


def pit(house: House, look: str) -> Scene:
    sue = house.visitor("Sue", look).open("/pit")
    waits(sue, "[data-wall=live]", f"[data-table={house.case.table}]")
    yield from seen(sue, "wall")
    sue.open(f"/pit/cases/{house.case.table}")
    waits(sue, "[data-card-order]")
    yield from seen(sue, "case-order")
    sue.open(f"/pit/cases/{house.void.table}")
    sue.page.locator("[data-remedy=void-round]").check()
    sue.page.locator("[name=reason]").fill("counted twice")
    waits(sue, "[data-second=pit-manager]")
    yield from seen(sue, "case-void")
    sue.open(f"/pit/cases/{house.options.table}")
    waits(sue, "[data-choice=return]", "[data-choice=none]")
    yield from seen(sue, "case-options")
    rob = house.visitor("Rob", look).open("/pit/open")
    waits(rob, "[data-open-table] [name=minimum]")
    yield from seen(rob, "open")
    rob.open(f"/pit/tables/{house.live.table}")
    waits(rob, "[data-pit-table][data-link=live]")
    rob.page.locator("[data-terms] [name=minimum]").fill("100")
    rob.page.locator("[data-try-terms]").click()
    waits(rob, "[data-effect]")
    yield from seen(rob, "table-effect")
    rob.open("/pit")
    rob.page.locator("[data-begin-stop]").click()
    yield from seen(rob, "stop", full=False)


def cage(house: House, look: str) -> Scene:
    cas = house.visitor("Cas", look).open("/cage")
    waits(cas, "[name=find]", "[data-pending]")
    yield from seen(cas, "desk")
    cas.page.locator("[name=find]").fill("k")
    waits(cas, "[data-found=Kim]")
    yield from seen(cas, "found")
    cas.page.locator("[name=find]").fill("")
    choose(cas, "ki", "Kim")
    yield from seen(cas, "player")
    cas.page.keyboard.type("12.345")
    cas.page.keyboard.press("Enter")
    cas.page.locator("section details summary").last.click()
    yield from seen(cas, "wrong")
    cas.page.locator("[name=amount]").fill("15000")
    cas.page.locator("[data-check]").click()
    waits(cas, "[data-large]")
    yield from seen(cas, "large", full=False)
    cas.page.keyboard.press("Escape")
    cas.page.locator("[data-another]").click()
    choose(cas, "max", "Max")
    move(cas, "500", 50_000)
    yield from seen(cas, "receipt")
    cas.page.emulate_media(media="print")
    yield from seen(cas, "receipt-printed")
    cas.page.emulate_media(media="screen")
    cas.open("/cage/drawer")
    waits(cas, "[data-shift]")
    yield from seen(cas, "drawer")
    cas.page.locator("[data-count]").click()
    cas.page.locator("[data-pieces='10000']").fill("12")
    yield from seen(cas, "count", full=False)
    cas.open(f"/cage/racks/{house.live.table}")
    waits(cas, "[name=slip]")
    yield from seen(cas, "racks")


def office(house: House, look: str) -> Scene:
    ada = house.visitor("Ada", look)
    page = ada.page
    for room in OFFICE:
        ada.open(f"/office/{room}")
        waits(ada, f"main[data-office={room}] .panel")
        if room == "health":
            expect(page.locator("[data-health=waiting]")).to_have_count(0)
        yield from seen(ada, room)
    ada.open("/office/people")
    page.locator("[data-person=Dan] button").click()
    waits(ada, "[data-member=Dan] [data-sessions]")
    yield from seen(ada, "person")
    ada.open("/office/house")
    page.locator("[name=profile]").select_option("strict")
    waits(ada, "[data-effect=must-enrol]")
    yield from seen(ada, "profile")
    ada.open("/office/books")
    source = built_in_source("ez").text
    page.locator("[name=source]").fill(source.replace('odds = "40:1"', 'odds = "forty"', 1))
    page.locator("form button.main").first.click()
    waits(ada, "[data-checked=wrong]")
    yield from seen(ada, "book-wrong")
    page.locator("[name=source]").fill(source.replace('name = "ez"', 'name = "our-ez"', 1))
    page.locator("form button.main").first.click()
    waits(ada, "[data-checked=ok]")
    yield from seen(ada, "book-right")
    ada.open("/office/books")
    page.locator("[name=first]").select_option(index=1)
    page.locator("[name=second]").select_option(index=3)
    page.locator("form:has([name=second]) button").click()
    waits(ada, "[data-compared]")
    yield from seen(ada, "compared")


def invited(house: House, look: str) -> Scene:
    ada = house.visitor("Ada", look).open("/office/invitations")
    ada.page.locator("[name=number]").fill("3")
    ada.page.locator("[name=buy-in]").fill("50")
    ada.page.locator("form[data-invite] button").last.click()
    waits(ada, "[data-card] svg")
    yield from seen(ada, "cards")
    ada.page.emulate_media(media="print")
    yield from seen(ada, "printed")


def reports(house: House, look: str) -> Scene:
    aud = house.visitor("Aud", look)
    for kind in REPORTS:
        aud.open(f"/reports/{kind}")
        waits(aud, f"[data-report={kind}]")
        yield from seen(aud, kind)
    rob = house.visitor("Rob", look).open("/reports/days")
    waits(rob, "[data-in-the-way]")
    yield from seen(rob, "days")


def audit(house: House, look: str) -> Scene:
    aud = house.visitor("Aud", look).open("/audit")
    waits(aud, "[data-round]")
    yield from seen(aud, "rounds")
    aud.open(f"/audit/rounds/{house.calm.table}/40")
    waits(aud, "[data-step]")
    aud.page.keyboard.press("End")
    yield from seen(aud, "round")
    aud.open("/audit/events")
    waits(aud, "[data-code]")
    yield from seen(aud, "events")
    aud.open("/audit/verify")
    aud.page.locator("[data-verify]").click()
    waits(aud, "[data-verdict=good]")
    yield from seen(aud, "verify-good")
    statement = "SELECT seq, body FROM events WHERE table_id = ? AND body LIKE ? ORDER BY seq LIMIT 1"
    with house.floor.store.read() as reader:
        [(seq, body)] = reader.rows(statement, (house.case.table, '{"type":"bet-placed"%'))
    changed = body.replace('"amount":19000', '"amount":90000')
    for text in (changed, body):
        with house.floor.store.write() as transaction:
            values = (text, house.case.table, seq)
            transaction.connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", values)
        if text is changed:
            aud.page.locator("[data-verify]").click()
            waits(aud, "[data-verdict=bad]")
            yield from seen(aud, "verify-bad")
    aud.open("/audit/software")
    aud.page.locator("[data-check]").click()
    waits(aud, "section li", "[data-check]:enabled")
    yield from seen(aud, "software")
    aud.open(f"/shoes/{house.shuffled}/1")
    waits(aud, "[data-verdict=good]")
    yield from seen(aud, "shoe")


def board(house: House, look: str) -> Scene:
    if look.startswith("390"):
        hand = house.visitor(None, look).open("/board")
        waits(hand, "[data-board=keypad]")
        hand.page.keyboard.type("bbp1tpbn" * 4)
        waits(hand, "[data-drawn=true]")
        yield from seen(hand, "keypad")
        return
    lee = house.visitor("Lee", look)
    for name, croupier in (("calm", house.calm), ("case", house.case), ("live", house.live)):
        lee.open(f"/board/{croupier.table}")
        waits(lee, "[data-board=on][data-link=live]")
        yield from seen(lee, name)
    lee.open("/board")
    waits(lee, "[data-board=keypad]")
    lee.page.keyboard.type("bbp1tpbn" * 4)
    waits(lee, "[data-drawn=true]")
    yield from seen(lee, "keypad")


def odds(house: House, look: str) -> Scene:
    lee = house.visitor("Lee", look).open("/odds/insurance/8/9,10,KH")
    waits(lee, "[data-cards='413']", "[data-cell]")
    yield from seen(lee, "insurance")
    lee.open("/odds/knockout/8")
    waits(lee, "[data-antes]")
    yield from seen(lee, "knockout")
    lee.open(f"/odds/live/{house.live.table}")
    waits(lee, "[data-cards='412']")
    yield from seen(lee, "live")
    lee.open("/odds/catalogue/each-total")
    waits(lee, "[data-section=each-total] [data-catalogued]")
    yield from seen(lee, "catalogue")


def guests(house: House, look: str) -> Scene:
    allow(house.floor, 0)
    nobody = house.visitor(None, look).open("/")
    waits(nobody, "[data-watch]")
    yield from seen(nobody, "door")
    nobody.open("/watch")
    waits(nobody, f"[data-table={house.calm.table}]")
    yield from seen(nobody, "lobby")
    nobody.at_table(house.calm.table)
    yield from seen(nobody, "table")
    nobody.open(f"/rounds/{house.calm.table}/3")
    waits(nobody, "[data-step]")
    yield from seen(nobody, "round")


def away(house: House, look: str) -> Scene:
    """The server cannot be reached, or says no."""
    sue = house.visitor("Sue", look).open("/pit")
    waits(sue, "[data-wall=live]")
    sue.context.set_offline(True)
    waits(sue, "[data-wall=offline]")
    yield from seen(sue, "pit")
    cas = house.visitor("Cas", look).open("/cage")
    choose(cas, "ki", "Kim")
    cas.context.set_offline(True)
    cas.page.keyboard.type("5")
    cas.page.locator("[data-check]").click()
    expect(cas.page.locator("form .problem").first).not_to_be_empty()
    yield from seen(cas, "cage")
    rob = house.visitor("Rob", look).open("/reports/floor")
    waits(rob, "[data-report=floor]")
    rob.context.set_offline(True)
    rob.page.locator("[data-show]").click()
    expect(rob.page.locator("main > .problem")).not_to_be_empty()
    yield from seen(rob, "reports")
    aud = house.visitor("Aud", look).open("/audit/verify")
    waits(aud, "[data-verify]")
    aud.context.set_offline(True)
    aud.page.locator("[data-verify]").click()
    waits(aud, ".problem")
    yield from seen(aud, "verify")
    lee = house.visitor("Lee", look).open("/odds/ez/8")
    waits(lee, "[data-bet]")
    lee.context.set_offline(True)
    lee.page.locator("[data-rank=K]").click()
    waits(lee, "main > .flag")
    yield from seen(lee, "odds")
    lee.context.set_offline(False)
    lee.open(f"/odds/live/{house.shut.table}")
    waits(lee, "[data-refused]")
    yield from seen(lee, "odds-refused")
    lee.open("/pit")
    waits(lee, "main h1")
    yield from seen(lee, "not-yours")
    ada = house.visitor("Ada", look).open("/office/rules-of-nobody")
    waits(ada, "[data-people]")
    ada.context.set_offline(True)
    ada.page.locator("[data-add] [name=name]").fill("Tom")
    ada.page.locator("[data-add] [name=password]").fill("something long")
    ada.page.locator("[data-add] button.main").click()
    expect(ada.page.locator(".problem.answer")).not_to_be_empty()
    yield from seen(ada, "office")


def empty(house: House, look: str) -> Scene:
    """A house in which nothing has happened."""
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor:
        allow(floor, 0)
        pages = {
            "Rob": ("pit", "pit/open", "reports/days"),
            "Cas": ("cage", "cage/drawer", "cage/racks"),
            "Ada": tuple(f"office/{room}" for room in OFFICE),
            "Aud": (*(f"reports/{kind}" for kind in REPORTS), "audit/rounds", "audit/events", "audit/verify"),
            "Lee": ("", "odds", "odds/catalogue", "board"),
            None: ("", "watch", "board"),
        }
        for name, paths in pages.items():
            visitor = visitor_at(house.browser, floor, name, look)
            for path in paths:
                visitor.open(f"/{path}")
                waits(visitor, "main .muted, main .panel, main form, main svg")
                visitor.page.wait_for_load_state("networkidle")
                yield from seen(visitor, f"{'' if name else 'guest-'}{path.replace('/', '-') or 'lobby'}")
            visitor.context.close()


SCENES: dict[str, Callable[[House, str], Scene]] = {
    "pit": pit,
    "cage": cage,
    "office": office,
    "invited": invited,
    "reports": reports,
    "audit": audit,
    "board": board,
    "odds": odds,
    "guests": guests,
    "away": away,
    "empty": empty,
}
FOLDER = PICTURES / "house"
AT_REST = """() => {
  const ends = (one) => one.effect.getTiming().iterations < 99 && one.finished.catch(() => 0);
  return Promise.all(document.getAnimations().map(ends));
}"""
"""Nothing moves that comes to an end."""
taking: list[str] = []
faults: list[str] = []
"""What was found wrong, each with the name of its picture."""


def seen(visitor: Visitor, name: str, full: bool = True) -> Iterator[str]:
    """One picture; a whole page of it unless something lies over the page."""
    visitor.page.evaluate("document.fonts.ready")
    visitor.page.evaluate(AT_REST)
    path = FOLDER / f"{taking[0]}-{name}-{taking[1]}.png"
    visitor.page.screenshot(animations="disabled", path=path, full_page=full)
    faults.extend(f"{path.stem}: {one}" for one in wrong_with(visitor))
    yield name


def wrong_with(visitor: Visitor) -> list[str]:
    """What nobody needs eyes for: a page that is too wide, words that are missing, cut off or foreign, and axe."""
    page = visitor.page
    if page.evaluate("matchMedia('print').matches"):
        return []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found = [f"{wide} wider than the window"] if wide > 0 else []
    for what in (STRANGE, CUT, CHOSEN_CUT):
        found += page.evaluate(what)
    if page.locator("html").get_attribute("lang") != "en":
        found += [*english_in(page, *TYPED, *QUOTED), *_undrawn(page)]
    return found + visitor.faults()


def _undrawn(page: Page) -> list[str]:
    """Without a connection there is nothing to draw with."""
    is_there = page.evaluate("navigator.onLine")
    return [f"not drawn: {one}" for one in undrawn_in(page)] if is_there else []


def main() -> int:
    global FOLDER
    parser = argparse.ArgumentParser(description="Pictures of every page of the house.")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--looks", default=",".join(LOOKS))
    asked = parser.parse_args()
    FOLDER = asked.folder
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        bought_in(floor)
        browser = p.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False)
        house = House(browser, floor)
        for scene in asked.scenes.split(","):
            for look in asked.looks.split(","):
                taking[:] = [scene, look]
                try:
                    print(look, *SCENES[scene](house, look), flush=True)
                except Exception as fault:
                    print(f"{scene} {look}: {str(fault)[:1500]}", flush=True)
                for context in browser.contexts:
                    context.close()
                while faults:
                    print("  ", faults.pop(0), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
