"""Phones reach a floor in a hall without a certificate, as the guide to a charity night says: by plain http and the
address of the laptop, which no browser takes for secure."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from punto.client import Refused
from tests.browser.conftest import HALL
from tests.browser.test_charity_night import FIRST, join
from tests.browser.visitor import PHONE, Visitor
from tests.server.running_floor import running_floor


@pytest.mark.slow
def test_a_guest_joins_and_sits_down_over_the_network_of_a_hall(browser: Browser, tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), hosts=(HALL,)) as floor:
        made = floor.client("Ada").make_invitations(1, buy_in=FIRST)
        assert not isinstance(made, Refused)
        table = floor.new_table()
        floor.url = floor.url.replace("127.0.0.1", HALL)
        with Visitor(browser, floor, None, size=PHONE) as guest:
            join(guest, "Ivy", f"{floor.url}/join#{made[0].code}")
            assert guest.page.evaluate("isSecureContext") is False
            assert [cookie.get("secure") for cookie in guest.context.cookies()] == [False]
            guest.at_table(table).sit(1)
            assert guest.outside() == []
