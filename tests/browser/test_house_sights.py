"""Every page of the house in its states, in Chinese, by night on a phone and by day on a small laptop: nothing is
cut off, left in English, without a glyph or wider than the screen, and axe finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import house_sights
from tests.browser.house_sights import SCENES, House
from tests.server.running_floor import RunningFloor, running_floor

pytestmark = pytest.mark.slow
DAY, NIGHT = "1366-zh-Hans-light", "390-zh-Hant-dark"
LOOKS = {"board": (DAY,), **dict.fromkeys(("cage", "invited", "reports", "guests", "away", "empty"), (NIGHT,))}
"""Of these other tests look at all languages, or there is little to see; all others are looked at in both."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db")) as made:
        house_sights.bought_in(made)
        yield made


@pytest.fixture(scope="module")
def house(browser: Browser, floor: RunningFloor) -> House:
    house_sights.FOLDER.mkdir(parents=True, exist_ok=True)
    return House(browser, floor)


@pytest.mark.parametrize("scene", SCENES)
def test_every_state_of_a_page_in_chinese(house: House, scene: str) -> None:
    for look in LOOKS.get(scene, (DAY, NIGHT)):
        house_sights.taking[:] = [scene, look]
        house_sights.faults.clear()
        assert list(SCENES[scene](house, look))
        for context in house.browser.contexts:
            context.close()
        assert house_sights.faults == []
