"""A sheet of invitations, each with its code as a picture, to be printed and cut up."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from punto.cli.output import one_line, told_time
from punto.documents.page import Figure, Page, Section
from punto.money import format_money

if TYPE_CHECKING:
    from punto.floor.answers import NewInvitation

ENDINGS = (".html", ".pdf")


@dataclass(frozen=True, slots=True)
class QrPicture:
    """A link as a QR code."""

    link: str

    @property
    def svg(self) -> str:
        import segno

        with io.BytesIO() as out:
            segno.make(self.link, micro=False).save(out, kind="svg", scale=4, border=4, xmldecl=False, nl=False)
            return out.getvalue().decode()


def sheet_page(made: tuple[NewInvitation, ...], evening: str) -> Page:
    """A sheet of invitations, each with its picture, for an evening of this name."""
    sections = []
    title = one_line(evening) or "Invitation"
    for number, each in enumerate(made, start=1):
        begins = f" You begin with {each.currency} {format_money(each.buy_in)}." if each.buy_in else ""
        words = f"Take a picture of the code, or open {each.link}. Choose a name and a password.{begins}"
        holds = f"It can be used once, until {told_time(each.expires)}. Invitation {each.invitation}."
        sections.append(Section(f"{title} {number}", (words, Figure(QrPicture(each.link), each.code, 24), holds)))
    page = f"{title}: invitations" if evening else "Invitations"
    return Page(page, tuple(sections), lead=("Cut along the headings: each part lets one person in.",))


def sheet_bytes(made: tuple[NewInvitation, ...], path: Path, evening: str) -> bytes:
    from punto.documents.typesetting import html_page, pdf_bytes

    page = sheet_page(made, evening)
    return pdf_bytes(page) if path.suffix == ".pdf" else html_page(page).encode()
