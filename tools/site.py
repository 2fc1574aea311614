"""Makes the site of the documentation: `make docs`, or `make docs ARGS=serve` to look at it.

    python tools/site.py [build | serve] [--port N]

What is written stands in docs/, where it is read on any host of code as it is. The site is made from a copy: links
that lead out of docs/ go to the pages about the project or become plain text, formulas become MathML, notebooks
become pages, and the navigation and llms.txt are the list in docs/README.md. Zensical builds the copy. Then every
page is looked through: a link that leads nowhere, or anything that a browser would fetch from elsewhere, is an error.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PLACE = ROOT / "build/docs"
"""Where the copy and the site are made: `pages` and `site` in it."""
SETTINGS = "mkdocs.yml"
START = "README.md"

PROJECT = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "web/README.md": "project/pages.md",
    "README.md": START,
}
"""Pages beside docs/ that the site has too, and where; the first page of both is one."""
LANGUAGES = {"zh-hans": "zh-Hans", "zh-hant": "zh-Hant"}
"""Pages in another language than English, by their names."""

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_ENTRY = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<target>[^)]+)\)(?:: (?P<about>.*))?$")
_FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"\$`([^`]+)`\$")


class Entry(NamedTuple):
    """A page in the list of pages."""

    title: str
    page: str  # Its path in docs/, or in the repository for pages beside docs/.
    about: str


# ── The list of pages ────────────────────────────────────────────────────────────────────────────────


def sections(text: str) -> dict[str, list[Entry]]:
    """The list in docs/README.md: its headings, and the entries under each."""
    found: dict[str, list[Entry]] = {}
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
            found[heading] = []
        elif heading and (entry := _ENTRY.match(line)):
            found[heading].append(Entry(entry["title"], entry["target"], entry["about"] or ""))
    return {heading: entries for heading, entries in found.items() if entries}


def staged_name(target: str) -> str:
    """Where a file of docs/, or one that `PROJECT` names with ../ before it, stands in the copy."""
    name = PROJECT.get(target.removeprefix("../"), target) if target.startswith("../") else target
    return f"{name.removesuffix('.ipynb')}.md" if name.endswith(".ipynb") else name


def navigation(listed: dict[str, list[Entry]]) -> list[Any]:
    """The navigation as Zensical takes it; files that are not pages are not in it."""
    nav: list[Any] = [{"Start": START}]
    for heading, entries in listed.items():
        pages = [{entry.title: staged_name(entry.page)} for entry in entries]
        if shown := [page for page in pages if all(name.endswith(".md") for name in page.values())]:
            nav.append({heading: shown})
    return nav


def llms_text(listed: dict[str, list[Entry]]) -> str:
    """The list for programs that read: https://llmstxt.org has its form."""
    first = (DOCS / START).read_text(encoding="utf-8").split("\n\n")[1]
    lines = ["# Punto", "", f"> {' '.join(first.split())}"]
    for heading, entries in listed.items():
        lines += ["", f"## {heading}", ""]
        lines += [f"- [{e.title}]({staged_name(e.page)}){f': {e.about}' if e.about else ''}" for e in entries]
    return "\n".join(lines) + "\n"


# ── The copy ─────────────────────────────────────────────────────────────────────────────────────────


def stage(place: Path) -> None:
    """Write everything that Zensical builds the site from."""
    shutil.rmtree(place, ignore_errors=True)
    listed = sections((DOCS / START).read_text(encoding="utf-8"))
    pages = place / "pages"
    for path in sorted(DOCS.rglob("*")):
        if path.is_file() and path.name != SETTINGS:
            _stage_file(path, path.relative_to(DOCS).as_posix(), pages)
    for name, home in PROJECT.items():
        if home != START and (ROOT / name).exists():
            _stage_file(ROOT / name, home, pages)
    shutil.copy(ROOT / "web/public/icon.svg", pages / "assets/icon.svg")
    (pages / "llms.txt").write_text(llms_text(listed), encoding="utf-8")
    settings = (DOCS / SETTINGS).read_text(encoding="utf-8")
    nav = json.dumps(navigation(listed), ensure_ascii=False)
    (place / SETTINGS).write_text(f"{settings}\nnav: {nav}\n", encoding="utf-8")


def _stage_file(path: Path, name: str, pages: Path) -> None:
    copy = pages / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        copy.write_text(with_formulas(with_links(text, path, name)), encoding="utf-8")
        return
    shutil.copy(path, copy)
    if path.suffix == ".ipynb":
        page = notebook_page(json.loads(path.read_text(encoding="utf-8")), path.name)
        (pages / staged_name(name)).write_text(page, encoding="utf-8")


def with_links(text: str, path: Path, name: str) -> str:
    """The text of a page with links that lead to the same things in the copy, where the page is called `name`."""

    def led(match: re.Match[str]) -> str:
        shown, target = match[1], match[2]
        place, mark, anchor = target.partition("#")
        if not place or urlsplit(target).scheme:
            return match[0]
        goal = Path(os.path.normpath(path.parent / place))
        if goal.is_relative_to(DOCS):
            home = staged_name(goal.relative_to(DOCS).as_posix())
        elif (beside := goal.relative_to(ROOT).as_posix()) in PROJECT:
            home = PROJECT[beside]
        else:
            return shown  # a file of the repository, which the site does not have
        way = os.path.relpath(home, Path(name).parent).replace(os.sep, "/")
        return f"[{shown}]({way}{mark}{anchor})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(led, part) for part in parts)


def with_formulas(text: str) -> str:
    """The text of a page with its formulas as MathML, which browsers show without a script or a font of ours."""
    from latex2mathml.converter import convert  # only the site needs it

    def block(match: re.Match[str]) -> str:
        lines = (line.strip() for line in match[1].strip().splitlines() if line.strip())
        made = "".join(f"<p>{convert(line, display='block')}</p>" for line in lines)
        return f'<div class="formula">{made}</div>'

    return _INLINE.sub(lambda match: str(convert(match[1])), _FORMULA.sub(block, text))


def notebook_page(notebook: dict[str, Any], name: str) -> str:
    """A notebook as a page: its text, its code, and what came out."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [shown for output in cell["outputs"] if (shown := _output(output))]
    parts.insert(1, f"This page is a notebook: [{name}]({name}).")
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return f'<div markdown="0">{"".join(data["text/html"])}</div>'
    text = "".join(output.get("text", data.get("text/plain", ())))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


# ── The site ─────────────────────────────────────────────────────────────────────────────────────────


def build(place: Path) -> list[str]:
    """Build the site, in `site` of this place; what is wrong with it."""
    stage(place)
    told = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", SETTINGS],
        cwd=place,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode != 0:
        # What it found, and not where in its own code it stopped.
        words = told.stdout + told.stderr.partition("Traceback")[0] or told.stderr
        return [re.sub(r"\x1b\[[\d;]*m", "", words).strip()]
    finish(place / "site")
    return problems(place / "site")


def finish(site: Path) -> None:
    """What Zensical cannot be told: which language a page is in, and that Chinese is searched too."""
    for name, language in LANGUAGES.items():
        page = site / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('<html lang="en"', f'<html lang="{language}"', 1), encoding="utf-8")
    for name in ("search.js", "search.json"):
        index = site / name
        text = index.read_text(encoding="utf-8")
        index.write_text(text.replace('"lang":["en"]', '"lang":["en","zh"]', 1), encoding="utf-8")


_FETCHED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
"""What a browser fetches by itself, and where the address stands."""


class Looked(HTMLParser):
    """What a page names: addresses that a browser fetches, links that a reader follows, and places in the page."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.followed: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if place := named.get("id"):
            self.places.add(place)
        if tag in _FETCHED and (source := named.get(_FETCHED[tag])):
            self.fetched.append(source)
        if tag == "link" and (address := named.get("href")):
            goes = set((named.get("rel") or "").split()) & {"canonical", "alternate", "prev", "next"}
            (self.followed if goes else self.fetched).append(address)
        if tag == "a" and (address := named.get("href")):
            self.followed.append(address)
        self.fetched += re.findall(r"url\(['\"]?([^'\")]+)", named.get("style") or "")


def problems(site: Path) -> list[str]:
    """Links of a built site that lead nowhere, and whatever would be fetched from elsewhere."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        looked = Looked()
        looked.feed(path.read_text(encoding="utf-8"))
        pages[path] = looked
    found = []
    for path, looked in pages.items():
        name = path.relative_to(site).as_posix()
        found += [f"{name} fetches {one}" for one in looked.fetched if _is_outside(one)]
        for address in {*looked.fetched, *looked.followed}:
            is_here = not urlsplit(address).scheme and not _is_outside(address)
            if is_here and (problem := _dead(address, path, site, pages)):
                found.append(f"{name}: {problem}")
    for path in sorted(site.rglob("*.css")):
        found += [f"{path.relative_to(site)} fetches {one}" for one in _outside(path.read_text(encoding="utf-8"))]
    return sorted(set(found))


def _dead(address: str, path: Path, site: Path, pages: dict[Path, Looked]) -> str | None:
    place, _, anchor = address.partition("#")
    place = unquote(place.partition("?")[0])
    if path.name == "404.html" and place.startswith("/"):
        place = place.removeprefix("/") or "index.html"
    goal = Path(os.path.normpath(path.parent / place)) if place else path
    goal = goal / "index.html" if goal.is_dir() else goal
    if not goal.is_relative_to(site) or not goal.exists():
        return f"{address} leads nowhere"
    if anchor and goal in pages and unquote(anchor) not in pages[goal].places:
        return f"{address} names a place that is not on that page"
    return None


def _is_outside(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme not in ("", "data") or bool(parts.netloc)


def _outside(style: str) -> Iterator[str]:
    addresses = map("".join, re.findall(r"url\(['\"]?([^'\")]+)|@import ['\"]([^'\"]+)", style))
    return filter(_is_outside, addresses)


def serve(site: Path, port: int) -> None:
    """Show the site on this machine until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"punto: the documentation is at http://127.0.0.1:{server.server_port}/; Ctrl-C stops it", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("what", nargs="?", choices=("build", "serve"), default="build")
    parser.add_argument("--port", type=int, default=8318, help="for serve; 0 is any that is free")
    arguments = parser.parse_args()
    if found := build(PLACE):
        print("\n".join(f"punto: {problem}" for problem in found), file=sys.stderr)
        return 1
    site = PLACE / "site"
    print(f"punto: built {site.relative_to(ROOT)}/index.html; open it in a browser")
    if arguments.what == "serve":
        serve(site, arguments.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
