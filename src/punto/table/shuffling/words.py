"""The shuffle in words."""

from __future__ import annotations

from punto.table.shuffling import events as e
from punto.table.words import About, Words, fields, say

WORDS = {
    e.BytesPledged: Words(
        ("pledged",),
        fields("pledged", "player", "digest"),
        say(About.NOTE, "{player} pledges bytes for the shuffle"),
    ),
    e.PledgesClosed: Words(
        ("pledges-closed",), fields("pledges-closed"), say(About.NOTE, "the list of pledges is closed")
    ),
    e.BytesOpened: Words(
        ("bytes-opened",),
        fields("bytes-opened", "player", "value"),
        say(About.NOTE, "{player} adds {value} to the shuffle"),
    ),
    e.SeedOpened: Words(
        ("seed-opened",),
        fields("seed-opened", "shoe", "seed"),
        say(About.NOTE, "the seed of shoe {shoe} is {seed}"),
    ),
}
