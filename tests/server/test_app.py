"""The files of the front end: packed as a browser takes them, and not sent again while they are the same."""

from __future__ import annotations

import asyncio
import gzip

import pytest

from punto.server.app import PageFile, StaticPages
from punto.server.endpoint import Reply

SCRIPT = b"export const words = 1;\n" * 40
PACKED = b"what the build packed"


def answer(path: str, **headers: str) -> Reply:
    pages = StaticPages()
    pages.put("assets/one.js", PageFile(SCRIPT, "application/javascript", PACKED))
    pages.put("assets/two.js", PageFile(SCRIPT, "application/javascript"))
    pages.put("assets/three.woff2", PageFile(SCRIPT, "font/woff2"))
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return asyncio.run(pages.answer({"path": f"/{path}", "headers": sent}, None, {}))  # type: ignore[arg-type]


CONTENT = {b"br": PACKED, b"gzip": gzip.compress(SCRIPT, 6, mtime=0), None: SCRIPT}


@pytest.mark.parametrize(
    ("path", "taken", "encoding"),
    [
        ("assets/one.js", "gzip, deflate, br, zstd", b"br"),
        ("assets/one.js", "gzip;q=0.8, br;q=1.0", b"br"),
        ("assets/one.js", "gzip, br;q=0", b"gzip"),
        ("assets/one.js", "gzip", b"gzip"),
        ("assets/one.js", "", None),
        ("assets/two.js", "br, gzip", b"gzip"),
        ("assets/three.woff2", "br, gzip", None),  # a font is packed already
    ],
)
def test_a_file_is_packed_as_the_browser_takes_it(path: str, taken: str, encoding: bytes | None) -> None:
    reply = answer(path, accept_encoding=taken)
    assert (reply.status, dict(reply.headers).get(b"content-encoding")) == (200, encoding)
    assert reply.content == CONTENT[encoding]
    assert dict(reply.headers)[b"vary"] == b"accept-encoding"


def test_what_a_browser_has_is_not_sent_again() -> None:
    tag = dict(answer("assets/one.js").headers)[b"etag"].decode()
    again = answer("assets/one.js", if_none_match=tag, accept_encoding="br")
    assert (again.status, again.content) == (304, b"")


def test_only_files_are_kept_for_a_year() -> None:
    """The start page answers for every address without a point, and no cache on the way is to keep it under one."""
    kept = {path: dict(answer(path).headers)[b"cache-control"] for path in ("assets/one.js", "assets/nothing", "pit")}
    assert "immutable" in kept["assets/one.js"].decode()
    assert kept["assets/nothing"] == kept["pit"] == b"no-cache"
