from __future__ import annotations

from itertools import product

import pytest

from punto.books import load
from punto.studies.card_counting import best_tags, correlation, removals


def test_the_best_tags_are_found_for_certain() -> None:
    """Against every row of small tags over a few ranks."""
    for effects in (
        [3.0, -1.0, 0.4, -2.2, -0.2],
        [1.0, 1.0, -0.7, 0.1, -1.4],
        [0.01, 0.02, 0.03, -0.06, 0.0],
        [0.1, 0.1, 0.1, 0.1, -1.0],
        [0.2, -0.3, 0.2, 0.2, -0.3],
    ):
        rows = [tags for tags in product(range(-3, 4), repeat=5) if sum(tags) == 0 and any(tags)]
        best = max(correlation(tags, effects) for tags in rows)
        found = best_tags(effects, greatest=3)
        assert found.correlation == pytest.approx(best)
        assert sum(found.values) == 0


def test_nothing_to_count_where_all_cards_do_the_same() -> None:
    found = best_tags([0.5] * 13)
    assert found.values == (0,) * 13
    assert found.correlation == 0


def test_ranks_of_equal_effect_may_take_different_tags() -> None:
    """Easy Six pairs: a six does one thing, every other rank another, and twelve ones balance no tag."""
    bets = {one.area: one for one in removals(load("easy-six"), 8).bets}
    found = best_tags([float(effect) for effect in bets["player-pair"].effects])
    assert found.values[5] == -4
    assert sorted(found.values) == [-4, *[0] * 8, *[1] * 4]
    assert found.correlation == pytest.approx(0.93095, abs=1e-5)


def test_the_smallest_of_equally_good_tags() -> None:
    assert best_tags([1.0, -1.0, 0.0]).values == (1, -1, 0)


def test_panda_8_has_the_tags_that_jacobson_published() -> None:
    bets = {one.area: one for one in removals(load("ez"), 8).bets}
    found = best_tags([float(effect) for effect in bets["panda-8"].effects])
    assert found.values == (1, 1, -2, -2, -2, -1, -1, -2, 4, 1, 1, 1, 1)


def test_a_tag_for_each_card_is_found_for_certain_too() -> None:
    """More cards than ranks: tags of the effects themselves, scaled, follow them perfectly."""
    wanted = [4, -4, 3, -3, *[1, -1] * 24]
    found = best_tags([tag * 0.01 for tag in wanted])
    assert found.values == tuple(wanted)
    assert found.correlation == pytest.approx(1.0)
