"""What a page says in which language: English that is not marked, and characters that no font draws."""

from __future__ import annotations

from playwright.sync_api import Page

from punto.books import NAMES as BOOKS
from tests.server.running_floor import PEOPLE

ENGLISH = """
([allowed, attributes]) => {
  const words = [];
  const hear = (text, element) => {
    if (!text || element.closest("[lang=en], [translate=no], q, code, script, style")) return;
    if (!element.checkVisibility()) return;
    const left = text.replace(new RegExp(allowed, "g"), "").match(/[A-Za-z]{2,}/g);
    if (left) words.push(`${element.tagName}.${element.className}: ${text.trim().slice(0, 80)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) hear(walker.currentNode.data, walker.currentNode.parentElement);
  for (const name of attributes)
    for (const element of document.querySelectorAll(`[${name}]`)) hear(element.getAttribute(name), element);
  return words;
}
"""
UNDRAWN = r"""
async () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = { "Punto SC": "", "Punto TC": "" };
  while (walker.nextNode()) {
    const lang = walker.currentNode.parentElement.closest("[lang]").lang;
    if (lang !== "en") texts[lang === "zh-Hans" ? "Punto SC" : "Punto TC"] += walker.currentNode.data;
  }
  const canvas = document.createElement("canvas").getContext("2d");
  const drawn = (weight, fonts, character) => {
    canvas.font = `${weight} 40px ${fonts}`;
    canvas.clearRect(0, 0, 60, 60);
    canvas.fillText(character, 4, 44);
    return canvas.getImageData(0, 0, 60, 60).data.join();
  };
  const missing = [];
  for (const [family, text] of Object.entries(texts)) {
    const characters = [...new Set(text.match(/[\u2e80-\u9fff\uff00-\uffef]/g))];
    if (!characters.length) continue;
    for (const weight of [400, 600]) {
      const faces = await document.fonts.load(`${weight} 16px "${family}"`, characters.join(""));
      if (!faces.length) return ["the files of the fonts"];
      const isBare = (one) => drawn(weight, `"${family}", serif`, one) === drawn(weight, "Inter, serif", one);
      missing.push(...characters.filter(isBare).map(one => `${one} ${weight}`));
    }
  }
  return missing;
}
"""
NAMES = r"\b(Punto|Enter|English|EZ|Knockout|Bean|Mini|Big|requested_by|USD)\b|\b[a-z]+-\d"
"""Names, and numbers of clauses such as house-1, which no language translates."""
ATTRIBUTES = ("title", "aria-label", "placeholder")


def english_in(page: Page, *names: str, attributes: tuple[str, ...] = ATTRIBUTES) -> list[str]:
    """Words in Latin letters that are seen or spoken, neither names nor quoted nor marked as English."""
    allowed = "|".join((NAMES, *PEOPLE, *BOOKS, *names))
    found: list[str] = page.evaluate(ENGLISH, [allowed, list(attributes)])
    return found


def undrawn_in(page: Page) -> list[str]:
    """Chinese characters that our own fonts do not draw, in one of their weights."""
    found: list[str] = page.evaluate(UNDRAWN)
    return found
