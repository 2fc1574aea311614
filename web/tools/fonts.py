"""Cut the Chinese fonts down to the characters that the pages show, into src/fonts/.

Usage: python web/tools/fonts.py FOLDER

FOLDER holds the npm packages @fontsource/noto-sans-sc and @fontsource/noto-sans-tc, unpacked (npm pack, tar),
as noto-sans-sc and noto-sans-tc. Needs fonttools and brotli. Noto Sans is under the SIL Open Font License,
version 1.1, whose text stands beside the fonts. The characters are kept in characters.txt; a test fails
when a page shows one that is not among them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from fontTools import subset

WEB = Path(__file__).parents[1]
ROOT = WEB.parent
SOURCES = (
    *sorted((WEB / "src").rglob("*.ts")),
    *sorted((WEB / "src").rglob("*.svelte")),
    *sorted((WEB / "src/words").glob("*.json")),
    *sorted((ROOT / "src/punto/books").rglob("*.toml")),
    *sorted((ROOT / "src/punto/views").rglob("*.py")),
)
CHINESE = re.compile(r"[⺀-鿿豈-﫿＀-￯]")
FONTS = (("sc", "chinese-simplified"), ("tc", "chinese-traditional"))
WEIGHTS = (400, 600)


def characters() -> str:
    """Every Chinese character of the pages, the books and the calls."""
    texts = (path.read_text(encoding="utf-8") for path in SOURCES)
    return "".join(sorted(set().union(*(CHINESE.findall(text) for text in texts))))


def main(folder: Path) -> None:
    """Write the fonts and the list of their characters."""
    target = WEB / "src/fonts"
    wanted = characters()
    for script, name in FONTS:
        for weight in WEIGHTS:
            package = folder / f"noto-sans-{script}"
            source = package / f"files/noto-sans-{script}-{name}-{weight}-normal.woff2"
            subset.main(
                [
                    str(source),
                    f"--text={wanted}",
                    "--flavor=woff2",
                    "--layout-features=*",
                    f"--output-file={target / f'noto-sans-{script}-{weight}.woff2'}",
                ]
            )
    (target / "characters.txt").write_text(wanted + "\n", encoding="utf-8")
    (target / "LICENSE-Noto-Sans.txt").write_text(
        (folder / "noto-sans-sc/LICENSE").read_text(encoding="utf-8"), encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
