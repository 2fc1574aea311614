"""Cut the Chinese fonts down to the characters that the pages show, into src/fonts/.

Usage: python web/tools/fonts.py FOLDER

FOLDER holds the npm packages @fontsource/noto-sans-sc and @fontsource/noto-sans-tc, unpacked (npm pack, tar),
as noto-sans-sc and noto-sans-tc. Needs fonttools and brotli. Noto Sans is under the SIL Open Font License,
version 1.1, whose text stands beside the fonts.

Every page loads the characters of its words, in two weights. The clauses and conditions of books have many
more, in one weight and one script each: they are files of their own, which a browser fetches only when such a
character is on the page. The characters of the first are kept in characters.txt, those of the second stand as
ranges in rules.css; a test fails when a page shows one that is in neither.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

WEB = Path(__file__).parents[1]
ROOT = WEB.parent
BOOKS = ROOT / "src/punto/books"
WORDS = ROOT / "src/punto/words"
SOURCES = (
    *(path for path in sorted((WEB / "src").rglob("*.ts")) if not path.name.endswith(".test.ts")),
    *sorted((WEB / "src").rglob("*.svelte")),
    *(path for path in sorted(WORDS.glob("zh_*/*")) if path.name != "conditions.toml"),
    *sorted(BOOKS.glob("*.toml")),
    *sorted((BOOKS / "bets").glob("*.toml")),
)
CHINESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
WEIGHTS = (400, 600)
DATES = "年月日時时分秒上下午凌晨清早中晚"
"""What a browser writes in dates and times."""
OWN_NAMES = "简体中文"
"""How simplified Chinese calls itself, in a list of languages on every page: other scripts borrow it."""
SCRIPTS = {"sc": ("chinese-simplified", "zh_hans"), "tc": ("chinese-traditional", "zh_hant")}
"""By script: the name in the package, and the folder of its words."""


def page_characters() -> set[str]:
    """Every Chinese character of the pages, the labels and titles of books, and the calls."""
    texts = [path.read_text(encoding="utf-8") for path in SOURCES if path.is_file()]
    books = [path.read_text(encoding="utf-8") for path in WORDS.glob("zh_*/books/*.toml")]
    texts += [DATES, *(line for text in books for line in text.splitlines() if line.startswith("title = "))]
    return set().union(*map(CHINESE.findall, texts))


def rule_characters(script: str) -> set[str]:
    """Every Chinese character of the clauses and conditions of books in one script."""
    folder = WORDS / SCRIPTS[script][1]
    texts = [path.read_text(encoding="utf-8") for path in (folder / "conditions.toml", *folder.glob("books/*.toml"))]
    lines = (line for text in texts for line in text.splitlines() if not line.startswith("#"))
    return set().union(*map(CHINESE.findall, lines))


def rules_css(wanted: dict[str, set[str]]) -> str:
    """The faces of the second files: each holds for its own characters only."""
    faces = (
        f"""@font-face {{
  font-family: "Punto {script.upper()}";
  font-weight: 400;
  font-display: swap;
  src: url("./noto-sans-{script}-rules-400.woff2") format("woff2");
  unicode-range: {", ".join(_ranges(characters))};
}}
"""
        for script, characters in wanted.items()
    )
    return "/* Written by web/tools/fonts.py: the characters that only clauses and conditions have. */\n" + "".join(
        faces
    )


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
            found = left & _characters_of(file) & (left if file in own else set(OWN_NAMES))
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
    page = page_characters()
    rules = {script: rule_characters(script) - page for script in SCRIPTS}
    for script in SCRIPTS:
        for weight in WEIGHTS:
            missing = cut(folder, script, weight, page, f"noto-sans-{script}-{weight}")
            print(f"noto-sans-{script} {weight} has no {missing or 'gap'}")
        missing = cut(folder, script, 400, rules[script], f"noto-sans-{script}-rules-400")
        assert not missing, missing
    target = WEB / "src/fonts"
    (target / "characters.txt").write_text("".join(sorted(page)) + "\n", encoding="utf-8")
    (target / "rules.css").write_text(rules_css(rules), encoding="utf-8")
    (target / "LICENSE-Noto-Sans.txt").write_text(
        (folder / "noto-sans-sc/LICENSE").read_text(encoding="utf-8"), encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
