"""Cut the fonts down to what the pages show, into src/fonts/.

Usage: python web/tools/fonts.py FOLDER

FOLDER holds the npm packages @fontsource/noto-sans-sc and @fontsource/noto-sans-tc, unpacked (npm pack, tar),
as noto-sans-sc and noto-sans-tc. Needs fonttools and brotli. Inter comes from node_modules: of its weights, kerning
and figures we keep what the pages use. All are under the SIL Open Font License, version 1.1, whose text stands beside
the fonts.

Each script has six files in two weights, and a browser fetches those whose characters are on the page. The felt: what
an English page shows in its second language, which are calls, names of spots and names of languages; it is small. The
round: what a table in Chinese was seen to show in rounds of the five books, in each weight
(`python -m tests.browser.round_characters` writes round.txt). The table: what it can show besides. The page: what the
words of a Chinese page have more, such as refusals, help and the console. The rules: what only clauses and conditions
of books have. The house: what only pages with words of their own have, such as pit and cage, so that no player fetches
it; their headings have characters of the rules too. The ranges of all but the page stand in slices.css, those of the
house in house.css, which its pages load; the characters of the page in characters.txt, a line for each script. A test
fails when a page shows one that is nowhere.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

WEB = Path(__file__).parents[1]
ROOT = WEB.parent
BOOKS = ROOT / "src/punto/books"
WORDS = ROOT / "src/punto/words"
SELDOM = {
    "Protection",
    "RealityCheck",
    "Help",
    "HowTo",
    "Squeeze",
    "SqueezeWish",
    "Notices",
    "Announcer",
    "MyRound",
    "refusals",
    "console",
}
"""What a table shows when it is asked for, or when something is refused; what is only heard needs no font."""
PAGES = (
    *(path for path in sorted((WEB / "src").rglob("*.ts")) if not path.name.endswith(".test.ts")),
    *sorted((WEB / "src").rglob("*.svelte")),
)
TABLE = (
    WEB / "src/App.svelte",
    WEB / "src/pages/Table.svelte",
    *(
        path
        for folder in ("table", "drawing", "words", "protection")
        for path in sorted((WEB / "src" / folder).glob("*.*"))
        if path.suffix in (".ts", ".svelte") and ".test" not in path.name and path.stem not in SELDOM
    ),
)
LABELS = (*sorted(BOOKS.glob("*.toml")), *sorted((BOOKS / "bets").glob("*.toml")))
CHINESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
LATIN = {
    "inter-400-700": "20-7E,A0,B7,D7,2013-2014,2018-2019,201C-201D,2026,2212",
    "inter-more-400-700": "A1-B6,B8-D6,D8-FF,131,152-153,201A,201E,2022,2032-2033,2039-203A,20AC,2122,2191,2193",
}
"""What Inter has for us: Western Europe, without combining marks. What English needs is in a file of its own."""
WEIGHTS = (400, 600)
OF_HOUSE = {f"{path.parent.name}.json" for path in (WEB / "src").glob("*/words.ts")} | {
    "doctor.toml",
    "problems.toml",
    "book.toml",
}
"""The files of words that belong to one page of its own, and what the server says to office and audit alone."""
CATALOGUE = "books/catalogue.toml"
"""The words of the published bets, which only the odds explorer lists."""
OPENING = ("connecting", "loading")
"""What every page shows until it is there."""
DATES = {"sc": "年月日时分秒上下午凌晨清早中晚", "tc": "年月日時分秒上下午凌晨清早中晚"}
"""What a browser writes in dates and times."""
SCRIPTS = {"sc": ("chinese-simplified", "zh_hans"), "tc": ("chinese-traditional", "zh_hant")}
"""By script: the name in the package, and the folder of its words."""


def felt_characters(script: str) -> set[str]:
    """What an English page shows in this script: names of languages, calls, and labels of the five books."""
    folder = SCRIPTS[script][1]
    calls = (WORDS / folder / "calls.toml").read_text(encoding="utf-8").partition("\n[reason]")[0]
    return _chinese(_language_names(), calls, *_labels(folder, BOOKS.glob("*.toml")))


def page_characters(script: str) -> set[str]:
    """Every character of the pages, the labels and titles of books, and the calls, in one script."""
    folder = SCRIPTS[script][1]
    elsewhere = {"conditions.toml", *OF_HOUSE}
    words = (path for path in (WORDS / folder).iterdir() if path.is_file() and path.name not in elsewhere)
    texts = [path.read_text(encoding="utf-8") for path in (*PAGES, *words)]
    books = [path.read_text(encoding="utf-8") for path in (WORDS / folder / "books").glob("*.toml")]
    titles = [line for text in books for line in text.splitlines() if line.startswith("title = ")]
    return _chinese(DATES[script], *texts, *titles, *_labels(folder, LABELS))


def table_characters(script: str) -> set[str]:
    """What a player's table in this language shows in every round: the words that its parts name in their code."""
    folder = SCRIPTS[script][1]
    words = json.loads((WORDS / folder / "page.json").read_text(encoding="utf-8"))
    named = {word for path in TABLE for word in re.findall(r"words\(\)\.(\w+)", path.read_text(encoding="utf-8"))}
    shown = json.dumps([value for word, value in words.items() if word in named], ensure_ascii=False)
    titles = [
        line
        for path in (WORDS / folder / "books").glob("*.toml")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("title = ")
    ]
    return _chinese(shown, *titles)


def round_characters(script: str) -> dict[int, set[str]]:
    """What rounds were seen to show in this script, by weight: a line for each in round.txt."""
    lines = (WEB / "src/fonts/round.txt").read_text(encoding="utf-8").splitlines()
    first = list(SCRIPTS).index(script) * len(WEIGHTS)
    words = json.loads((WORDS / SCRIPTS[script][1] / "page.json").read_text(encoding="utf-8"))
    opening = _chinese(*(words[word] for word in OPENING))
    return {
        weight: set(line) | (opening if weight == min(WEIGHTS) else set())
        for weight, line in zip(WEIGHTS, lines[first:], strict=False)
    }


def rule_characters(script: str) -> set[str]:
    """Every character of the clauses and conditions of books in one script."""
    folder = WORDS / SCRIPTS[script][1]
    books = (path for path in folder.glob("books/*.toml") if path != folder / CATALOGUE)
    texts = [path.read_text(encoding="utf-8") for path in (folder / "conditions.toml", *books)]
    return _chinese(*(line for text in texts for line in text.splitlines() if not line.startswith("#")))


def house_characters(script: str) -> set[str]:
    """Every character of the pages that have words of their own, in one script."""
    folder = WORDS / SCRIPTS[script][1]
    return _chinese(*((folder / name).read_text(encoding="utf-8") for name in sorted({*OF_HOUSE, CATALOGUE})))


def _chinese(*texts: str) -> set[str]:
    return set().union(*map(CHINESE.findall, texts))


def _language_names() -> str:
    """How every language calls itself: a list of them stands on every page, in one font."""
    return "".join(path.read_text(encoding="utf-8") for path in WORDS.glob("*/language.json"))


def _labels(folder: str, books: Iterable[Path]) -> list[str]:
    """The labels of books that have them in this language themselves."""
    return [text for book in books for text in re.findall(rf'{folder} = "([^"]*)"', book.read_text(encoding="utf-8"))]


def slices_css(wanted: dict[str, dict[int, dict[str, set[str]]]], which: set[str]) -> str:
    """The faces of the files that hold for some characters only; what stands last goes before the others."""
    faces = (
        f"""@font-face {{
  font-family: "Punto {script.upper()}";
  font-weight: {weight};
  font-display: swap;
  src: url("./noto-sans-{script}-{part}-{weight}.woff2") format("woff2");
  unicode-range: {", ".join(_ranges(characters))};
}}
"""
        for script, weights in wanted.items()
        for weight, parts in weights.items()
        for part, characters in parts.items()
        if part in which
    )
    return "/* Written by web/tools/fonts.py: what each smaller file of a font has. */\n" + "".join(faces)


def _ranges(characters: set[str]) -> list[str]:
    points = sorted(map(ord, characters))
    runs = [[point for _, point in run] for _, run in groupby(enumerate(points), key=lambda place: place[1] - place[0])]
    return [f"U+{run[0]:X}" if len(run) == 1 else f"U+{run[0]:X}-{run[-1]:X}" for run in runs]


def cut(folder: Path, script: str, weight: int, characters: set[str], name: str) -> str:
    """Write one font file with these characters; gives those that the package has in none of its files.

    The large file of a package lacks some punctuation and rare characters, which its numbered files have.
    """
    left = set(characters)
    pieces: list[str] = []
    with TemporaryDirectory() as kept:
        own, borrowed = _files(folder, script), _files(folder, "sc")
        for file in (*own, *borrowed):
            found = left & _characters_of(file) & (left if file in own else set(_language_names()))
            left -= found
            if found:
                pieces.append(f"{kept}/{len(pieces)}.ttf")
                source = file.replace("-400-normal", f"-{weight}-normal")
                text = f"--text={''.join(sorted(found))}"
                subset.main([source, text, "--layout-features=", f"--output-file={pieces[-1]}"])
        font = Merger().merge(pieces) if len(pieces) > 1 else TTFont(pieces[0])
        font.flavor = "woff2"
        font.save(WEB / f"src/fonts/{name}.woff2")
    return "".join(sorted(left))


def cut_inter() -> None:
    """Inter in the weights that the pages have, with kerning and figures of one width."""
    package, fonts = WEB / "node_modules/@fontsource-variable/inter", WEB / "src/fonts"
    with TemporaryDirectory() as kept:
        whole = TTFont(package / "files/inter-latin-wght-normal.woff2")
        instancer.instantiateVariableFont(whole, {"wght": (400, 700)}).save(f"{kept}/inter.ttf")
        for name, characters in LATIN.items():
            target = f"--output-file={fonts}/{name}.woff2"
            what = ["--layout-features=kern,tnum", "--flavor=woff2", target]
            subset.main([f"{kept}/inter.ttf", f"--unicodes={characters}", *what])
    (fonts / "LICENSE-Inter.txt").write_text((package / "LICENSE").read_text(encoding="utf-8"), encoding="utf-8")


def _files(folder: Path, script: str) -> list[str]:
    """The files of a package, the large one first; those of other weights have the same characters."""
    package = folder / f"noto-sans-{script}/files"
    numbered = sorted(package.glob(f"noto-sans-{script}-[0-9]*-400-normal.woff2"))
    return [f"{package}/noto-sans-{script}-{SCRIPTS[script][0]}-400-normal.woff2", *map(str, numbered)]


@cache
def _characters_of(file: str) -> frozenset[str]:
    return frozenset(map(chr, TTFont(file).getBestCmap()))


def main(folder: Path) -> None:
    """Write the fonts and the lists of their characters."""
    cut_inter()
    wanted, pages = dict[str, dict[int, dict[str, set[str]]]](), list[str]()
    for script in SCRIPTS:
        felt, page, rules = felt_characters(script), page_characters(script), rule_characters(script)
        table, seen = table_characters(script), round_characters(script)
        rest = page - felt - table - seen[400] - seen[600]
        pages.append("".join(sorted(rest)) + "\n")
        wanted[script] = {}
        for weight, own in seen.items():
            # What is seldom bold is not in the file of what always is.
            first = own if weight == 600 else own - felt
            parts = {
                "felt": felt - first,
                "round": first,
                "table": (table | seen[400] | seen[600]) - felt - first,
                "page": rest,
                "rules": rules - page - felt,
                "house": house_characters(script) - rules - page - felt,
            }
            for part, characters in parts.items():
                missing = cut(folder, script, weight, characters, f"noto-sans-{script}-{part}-{weight}")
                assert not missing, missing
            wanted[script][weight] = {part: found for part, found in parts.items() if part != "page"}
    target = WEB / "src/fonts"
    (target / "characters.txt").write_text("".join(pages), encoding="utf-8")
    (target / "slices.css").write_text(slices_css(wanted, {"felt", "round", "table", "rules"}), encoding="utf-8")
    (target / "house.css").write_text(slices_css(wanted, {"house"}), encoding="utf-8")
    (target / "LICENSE-Noto-Sans.txt").write_text(
        (folder / "noto-sans-sc/LICENSE").read_text(encoding="utf-8"), encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
