"""The pages that a browser loads: files built from web/, read once, and one page where they are not there."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from litestar import Request, Response
from litestar.exceptions import NotFoundException

NO_PAGES = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto</title>
<h1>Punto</h1><p>The floor is open. The pages have not been built on this machine; the API is at
<a href="/docs">/docs</a>.</p></html>
"""
_ZIPPED = ("text/", "application/javascript", "application/json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, with its name for caches."""

    content: bytes
    kind: str
    tag: str
    zipped: bytes | None = None


def page_file(content: bytes, kind: str) -> PageFile:
    """A file that is sent as it is, or zipped where that pays."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    is_text = kind.startswith(_ZIPPED) and len(content) > 500
    return PageFile(content, kind, tag, gzip.compress(content, 6, mtime=0) if is_text else None)


class PagesShelf:
    """The files of the front end by path."""

    def __init__(self) -> None:
        self._files: dict[str, PageFile] = {}
        folder = files("punto.server").joinpath("pages")
        if folder.is_dir():
            self._read(folder, "")
        absent = page_file(NO_PAGES.encode(), "text/html")
        self._start = self._files.get("index.html", absent)

    def put(self, path: str, content: bytes, kind: str) -> None:
        """Add a file that is made here."""
        self._files[path] = page_file(content, kind)

    def answer(self, request: Request[Any, Any, Any], path: str) -> Response[bytes]:
        """The file of a path; the front end finds its own way for paths that are not files."""
        path = path.strip("/")
        found = self._files.get(path)
        if found is None:
            if "." in path.rpartition("/")[2] or path.startswith("api"):
                raise NotFoundException
            found = self._start
        is_named_by_content = path.startswith("assets/")
        headers = {
            "etag": found.tag,
            "cache-control": "public, max-age=31536000, immutable" if is_named_by_content else "no-cache",
            "vary": "accept-encoding",
        }
        if request.headers.get("if-none-match") == found.tag:
            return Response(b"", status_code=304, headers=headers, media_type=found.kind)
        content = found.content
        if found.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["content-encoding"] = found.zipped, "gzip"
        return Response(content, headers=headers, media_type=found.kind)

    def _read(self, folder: Traversable, prefix: str) -> None:
        for entry in folder.iterdir():
            name = f"{prefix}{entry.name}"
            if entry.is_dir():
                self._read(entry, f"{name}/")
            elif not entry.name.startswith("."):
                kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
                self._files[name] = page_file(entry.read_bytes(), kind)
