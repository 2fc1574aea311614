"""The audit in a browser: a round is found, gone through and verified; a log that somebody changed is red with its
place; a shoe is checked by the browser itself, on its page and in a file without a network; and who may open what.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from punto.audit.anchor import Signer, anchor_file, make_anchor
from punto.cards.source import SourceKind
from punto.client import Done
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import PHONE, ROOT, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

LAPTOP = (1366, 650)


class Played:
    """A table with two rounds, the second void, and one whose shoe is out of play."""

    def __init__(self, floor: RunningFloor) -> None:
        self.floor, self.croupier = floor, Croupier(floor, "commission")
        self.table = self.croupier.table
        self.croupier.open_bets()
        self.croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
        self._bet(1, "banker", 10_000)
        self.croupier.deal("KS 9H 6D 8C")
        self.croupier.finish()
        self.croupier.open_bets()
        self._bet(2, "player", 2_500)
        self.croupier.deal("2S")
        self.croupier.give("report", seen=["interruption"])
        ruling = {"effect": "void", "reason": "the lights went out"}
        self.croupier.give("rule", by="Rob", role=Role.SHIFT_MANAGER, **ruling)
        self.shuffled = self._shuffled_table()

    def _bet(self, number: int, area: str, amount: int) -> None:
        bet = {"round": number, "box": 1, "area": area, "amount": amount}
        self.croupier.give("place-bet", by="Lee", role=Role.PLAYER, **bet)

    def _shuffled_table(self) -> str:
        floor, dan = self.floor, self.floor.client("Dan")
        id = floor.new_table("commission", source=SourceKind.SHUFFLED)
        calls = 0
        while calls < 3:
            shown = dan.table(id, Role.DEALER)
            command: dict[str, Any] = shown.view["next"]["command"]  # type: ignore[union-attr]
            assert isinstance(dan.give(id, command, Role.DEALER, expected=shown.version), Done)  # type: ignore[union-attr]
            calls += command["type"] == "settle-round"
        closing = {"type": "close-table"}
        answer = floor.client("Rob").give(id, closing, Role.SHIFT_MANAGER, expected=floor.version(id))
        assert isinstance(answer, Done), answer
        return id


@pytest.fixture(scope="module")
def played(floor: RunningFloor) -> Played:
    return Played(floor)


def test_an_auditor_finds_a_round_goes_through_it_and_verifies(played: Played, visit: Visit, tmp_path: Path) -> None:
    aud = visit("Aud").open("/")
    page = aud.page
    page.get_by_role("link", name="Audit").click()
    expect(page.locator(f"[data-round='{played.table}/2']")).to_be_visible()
    aud.picture("audit-rounds-desktop")
    assert aud.faults() == []
    form = page.get_by_role("form", name="Find rounds")
    form.locator("[data-wrong]").select_option("void")
    form.get_by_role("button", name="Find").click()
    expect(page.locator("[data-round]")).to_have_count(1)
    assert "irregularity=void" in page.url
    form.locator("[data-wrong]").select_option("")
    form.get_by_label("Player", exact=True).fill("Lee")
    form.get_by_label("Result").select_option("banker")
    form.get_by_label("Stake or win over").fill("99")
    form.get_by_role("button", name="Find").click()
    expect(page.locator("[data-round]")).to_have_count(1)
    expect(page.locator(f"[data-round='{played.table}/1']")).to_contain_text("Lee 100 → +95")
    assert "player=Lee" in page.url
    page.locator(f"[data-round='{played.table}/1'] a").click()
    go_through(aud, played.table)
    for kind, word in (("html", "Banker wins"), ("log", "shoe-loaded")):
        with page.expect_download() as kept:
            page.locator(f"[data-export={kind}]").click()
        assert word in Path(kept.value.path()).read_text(encoding="utf-8")
    page.get_by_role("navigation", name="Audit").get_by_role("link", name="Verify").click()
    verify_green(aud, played, tmp_path)


def go_through(aud: Visitor, table: str) -> None:
    """By keys, slider and button: each event says who, by which clause, with which hash, and what moved."""
    page = aud.page
    expect(page.locator("[data-step=bets-called]")).to_be_visible()
    assert page.url.endswith(f"/audit/rounds/{table}/1")
    page.locator("[data-round-after]").click()
    expect(page.locator("[data-round-before]")).to_be_visible()
    expect(page.locator("[data-round-after]")).to_have_count(0)
    page.locator("[data-round-before]").click()
    expect(page.locator("[data-step=bets-called]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-step=seat-taken]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-step=bet-placed]")).to_contain_text("Lee, Banker, box 1: 100")
    expect(page.locator("[data-who]")).to_have_text("Lee · Player")
    expect(page.locator("[data-moved=bet] tr")).to_have_count(2)
    expect(page.locator("[data-moved=bet]")).to_contain_text("−100")
    first = page.locator("[data-hash]").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", first)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-hash-before]")).to_have_text(first)
    page.locator(".events button", has_text="Round 1 is settled").click()
    expect(page.locator("[data-line=banker]")).to_contain_text("+95")
    expect(page.locator("[data-line=banker] a.clause")).to_have_text("clause 4.1.2")
    expect(page.locator("[data-moved=settlement] tr")).not_to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(4)
    expect(page.locator("[data-link-fits=true]")).to_be_visible()
    aud.picture("audit-round-desktop")
    assert aud.faults() == []
    place = page.url
    page.reload()
    expect(page.locator("[data-step=round-settled]")).to_be_visible()
    assert page.url == place, "every moment has its address"
    page.keyboard.press("Home")
    expect(page.locator(".hand .card")).to_have_count(0)
    page.locator("[data-play]").click()
    expect(page.locator("[data-step=bet-placed]")).to_be_visible()
    page.locator("[data-play]").click()
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")


def verify_green(aud: Visitor, played: Played, tmp_path: Path) -> None:
    """With an anchor from a safe place and the key that is trusted."""
    page, signer = aud.page, Signer(b"s" * 32)
    with played.floor.store.read() as reader:
        (tmp_path / "anchor.json").write_bytes(anchor_file(make_anchor(reader, signer, 1)))
    beside, button = page.locator("div:has(> label > [name=anchor])").bounding_box(), page.locator("[data-verify]")
    at = button.bounding_box()
    assert at is not None and beside is not None and 0 < at["x"] - beside["x"] - beside["width"] < 40
    chosen = page.locator("div:has(> label > [name=anchor]) > span").last.bounding_box()
    assert chosen is not None and at["x"] - chosen["x"] - chosen["width"] < 40, "no hole in the row"
    button.click()
    expect(page.locator("[data-verdict=good]")).to_contain_text("Without an anchor")
    page.locator("input[type=file]").set_input_files(tmp_path / "anchor.json")
    page.get_by_label("Public key").fill("0" * 64)
    page.locator("[data-verify]").click()
    expect(page.get_by_role("alert")).to_contain_text("not one that you trust")
    page.get_by_label("Public key").fill(signer.public_key)
    page.locator("[data-verify]").click()
    expect(page.locator("[data-verdict=good]")).to_contain_text("anchor.json")
    aud.picture("audit-verify-good")
    assert aud.faults() == []


def test_a_changed_log_is_red_with_its_place(played: Played, visit: Visit) -> None:
    floor, where = played.floor, (played.table, "bet-placed")
    statement = "SELECT seq, body FROM events WHERE table_id = ? AND body LIKE ? ORDER BY seq LIMIT 1"
    with floor.store.read() as reader:
        [(seq, body)] = reader.rows(statement, (where[0], f'{{"type":"{where[1]}"%'))

    def write(text: str) -> None:
        with floor.store.write() as transaction:
            values = (text, played.table, seq)
            transaction.connection.run("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", values)

    write(body.replace('"amount":10000', '"amount":90000'))
    try:
        aud = visit("Aud").open("/audit/verify")
        page = aud.page
        page.get_by_label("Table").select_option(played.table)
        page.locator("[data-verify]").click()
        expect(page.locator("[data-verdict=bad]")).to_contain_text("Something was changed")
        aud.picture("audit-verify-bad")
        assert aud.faults() == []
        page.get_by_role("link", name=f"{played.table}, record {seq}").first.click()
        expect(page.locator("[data-intact=false]")).to_be_visible()
        expect(page.locator(f"[data-broken='{seq}']")).to_be_visible()
        expect(page.locator("[data-step=bet-placed]")).to_contain_text("900")
        expect(page.locator("[data-link-fits=false]")).to_be_visible()
        aud.picture("audit-round-changed")
        assert aud.faults() == []
        write('{"type":"bet-placed"}')
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("its records were changed")
        aud.open("/audit/rounds")
        expect(page.get_by_role("alert")).to_contain_text(f"Table {played.table} cannot be shown")
        page.get_by_role("form", name="Find rounds").get_by_label("Table").select_option(played.shuffled)
        page.get_by_role("button", name="Find", exact=True).click()
        expect(page.locator("[data-round]")).not_to_have_count(0)
    finally:
        write(body)


def test_significant_events_and_software(played: Played, visit: Visit) -> None:
    rob = visit("Rob", size=LAPTOP).open("/audit/events")
    page = rob.page
    page.locator("form select").nth(0).select_option("round-voided")
    page.locator("form select").nth(1).select_option(played.table)
    page.get_by_role("button", name="Find").click()
    expect(page.locator("[data-code]")).to_have_count(1)
    expect(page.locator("[data-code=round-voided]")).to_contain_text("the lights went out")
    rob.picture("audit-events-laptop")
    assert rob.faults() == []
    with page.expect_download() as kept:
        page.locator("[data-export=csv]").click()
    rows = Path(kept.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2 and "round-voided" in rows[1]
    page.locator("[name=person]").fill("Rob")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("[data-code]")).to_have_count(1)
    assert "person=Rob" in page.url
    page.locator("[name=person]").fill("Dan")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("[data-code]")).to_have_count(0)
    page.locator("[name=person]").fill("")
    page.get_by_role("button", name="Find").click()
    page.locator("[data-code=round-voided] a").click()
    expect(page.locator("[data-step=round-voided]")).to_be_visible()
    expect(page.locator("[data-who]")).to_have_text("Rob · Shift Manager")
    expect(page.get_by_role("region", name="This event")).to_contain_text("the lights went out")
    page.goto("/audit/software")
    page.locator("[data-check]").click()
    expect(page.locator("section li", has_text="Software checked").first).to_contain_text("Rob")
    rob.picture("audit-software-laptop")
    assert rob.faults() == []


def test_the_last_bets_stand_above_the_bar_on_a_low_screen(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    for box, name, area in ((1, "Lee", "banker"), (2, "Kim", "player"), (2, "Kim", "tie")):
        if area != "tie":
            croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=name, role=Role.PLAYER, box=box, area=area, amount=10_000, round=1)
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    aud = visit("Aud", size=LAPTOP).open(f"/audit/rounds/{croupier.table}/1")
    expect(aud.page.locator("[data-step]")).to_be_visible()
    aud.page.keyboard.press("End")
    expect(aud.page.locator("[data-line]")).to_have_count(3)
    room = """() => document.querySelector(".steer").getBoundingClientRect().top
      - document.querySelector(".stage .foot").getBoundingClientRect().bottom"""
    assert aud.page.evaluate("scrollY") == 0 and aud.page.evaluate(room) >= 0
    assert aud.faults() == []


def test_who_may_open_what(played: Played, visit: Visit) -> None:
    tabs = {
        "Aud": ["Rounds", "Significant events", "Verify", "Software"],
        "Rob": ["Rounds", "Significant events", "Verify", "Software"],
        "Ada": ["Significant events", "Software"],
    }
    for name, shown in tabs.items():
        page = visit(name).open("/audit").page
        expect(page.get_by_role("navigation", name="Audit").get_by_role("link")).to_have_text(shown)
    page = visit("Ada").open(f"/audit/rounds/{played.table}/1").page
    expect(page.get_by_role("heading", name="You cannot open this page")).to_be_visible()
    for name in ("Lee", "Dan", "Sue", "Mia", "Cas"):
        page = visit(name).open("/audit").page
        expect(page.get_by_role("heading", name="You cannot open this page")).to_be_visible()


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A browser without any network."""
    context = browser.new_context(offline=True, accept_downloads=True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == [] and [address for address in asked if not address.startswith("file:")] == []
    context.close()


def test_a_shoe_is_checked_by_the_browser_and_kept_as_a_file(
    played: Played, visit: Visit, alone: Page, tmp_path: Path
) -> None:
    lee = visit("Lee").open(f"/shoes/{played.shuffled}/1")
    page = lee.page
    expect(page.locator("[data-verdict=good]")).to_contain_text("Dealt exactly as promised")
    expect(page.locator(".order li")).to_have_count(416)
    lee.picture("shoe-good-desktop")
    assert lee.faults() == []
    with page.expect_download() as kept:
        page.locator("[data-keep=html]").click()
    file = tmp_path / "shoe.html"
    kept.value.save_as(file)
    alone.goto(file.as_uri())
    expect(alone.locator("[data-verdict=good]")).to_be_visible()
    expect(alone.get_by_role("heading", level=1)).to_have_text(f"Shoe {played.shuffled.upper()}/1")
    record = json.loads(re.findall(r'id="record">(.*?)</script>', file.read_text("utf-8"), re.DOTALL)[0])
    dealt = record["dealt"][5]
    dealt["card"] = "AS" if dealt["card"] != "AS" else "KD"
    alone.locator("details").evaluate("one => { one.open = true }")
    alone.get_by_label("paste").fill(json.dumps(record))
    alone.locator("[data-check]").click()
    expect(alone.locator("[data-verdict=bad]")).to_contain_text(f"Place {dealt['place']}")
    expect(alone.locator(".order .wrong")).to_have_attribute("data-place", str(dealt["place"]))
    alone.get_by_label("Open a file").set_input_files(ROOT / "docs/examples/checked-table.jsonl")
    expect(alone.locator("[data-verdict=good]")).to_be_visible()
    alone.get_by_role("button", name="繁體").click()
    expect(alone.locator("[data-verdict=good]")).to_contain_text("完全按承諾發牌")
    alone.get_by_label("或貼上").fill("something else")
    alone.locator("[data-check]").click()
    expect(alone.get_by_role("alert")).to_be_visible()
    alone.screenshot(path=ROOT / ".browser-tests/shoe-file.png")


def test_a_changed_card_is_found_on_the_page_of_a_shoe(played: Played, visit: Visit) -> None:
    """The answer of the server is not believed: here it says that everything fits, and has another card in it."""
    kim = visit("Kim", size=PHONE)

    def change(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        told["dealt"][3]["card"] = "AS" if told["dealt"][3]["card"] != "AS" else "KD"
        route.fulfill(response=answer, json=told)

    kim.page.route("**/api/v1/audit/shoes/**", change)
    kim.open(f"/shoes/{played.shuffled}/1")
    expect(kim.page.locator("[data-verdict=bad] [data-problem]")).to_have_count(1)
    expect(kim.page.locator(".order .wrong")).to_be_visible()
    kim.picture("shoe-bad-phone")
    assert kim.faults() == []
    kim.page.unroute("**/api/v1/audit/shoes/**")
    kim.open(f"/shoes/{played.table}/1")
    expect(kim.page.get_by_role("alert")).to_contain_text("still in play")
