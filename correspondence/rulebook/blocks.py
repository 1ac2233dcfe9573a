"""Parse a rules page into blocks: headings, paragraphs, table rows, diagrams. Pure.

Each block has plain text and the same text with inline HTML, for the two parts of a letter.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

BlockKind = Literal["section", "option", "heading", "paragraph", "item", "row", "example", "code", "diagram"]

_KINDS: dict[str, BlockKind] = {
    "h2": "section", "h3": "heading", "p": "paragraph", "li": "item", "tr": "row", "dt": "example", "figure": "diagram",
    "pre": "code",
}  # fmt: skip
_INLINE = frozenset({"strong", "em", "code", "samp", "b", "i"})
_CELLS = frozenset({"td", "th"})
_SKIPPED = frozenset({"script", "style", "title"})
_BREAKS = frozenset({"section", "div", "ul", "ol", "table", "tbody", "thead", "dl", "h1", "h4", "article"})


@dataclass(frozen=True, slots=True)
class RulesBlock:
    """One block of a page: its text, the same with inline HTML, and its name.

    The name is the anchor of a section, the text of an option (`polarity=yes`), the name of a diagram, or the text of a
    notation example.
    """

    kind: BlockKind
    text: str = ""
    markup: str = ""
    name: str = ""


def read_blocks(page: str) -> tuple[RulesBlock, ...]:
    """Return the blocks of an HTML page, in order.

    Unknown elements become paragraphs; scripts are dropped.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.finish()
    return tuple(reader.blocks)


class _Reader(HTMLParser):
    """Parser that collects the blocks of a page.

    Every element that is not inline begins or ends a block.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[RulesBlock] = []
        self._kind: BlockKind = "paragraph"
        self._name = ""
        self._text: list[str] = []
        self._markup: list[str] = []
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block or an inline element."""
        given = {name: value or "" for name, value in attrs}
        if tag in _SKIPPED:
            self._skipping += 1
        elif tag in _KINDS:
            self._begin(tag, given)
        elif tag == "dd":
            self._add(" – ")
        elif tag in _CELLS:
            self._add(" · " if self._text else "")
        elif tag in _INLINE:
            self._markup.append(f"<{tag}>")
        elif tag == "a" and given.get("href", "").startswith(("%%base%%", "https://")):
            self._markup.append(f'<a href="{html.escape(given["href"])}">')
        elif tag == "a":
            self._markup.append("<a>")
        elif tag in _BREAKS:
            self.finish()

    def handle_endtag(self, tag: str) -> None:
        """End a block or an inline element."""
        if tag in _SKIPPED:
            self._skipping = max(0, self._skipping - 1)
        elif tag in _INLINE or tag == "a":
            self._markup.append(f"</{tag}>")
        elif (tag in _KINDS and tag != "dt") or tag in _BREAKS or tag == "dd":
            self.finish()

    def handle_data(self, data: str) -> None:
        """Add text to the block."""
        if not self._skipping:
            self._add(data)

    def _begin(self, tag: str, given: dict[str, str]) -> None:
        self.finish()
        self._kind, self._name = _KINDS[tag], given.get("data-topic") or given.get("data-name", "")
        if option := given.get("data-option"):
            self._kind, self._name = "option", option
        if self._kind == "diagram":
            self.blocks.append(RulesBlock("diagram", name=self._name))
            self._kind = "paragraph"

    def _add(self, words: str) -> None:
        self._text.append(words)
        self._markup.append(html.escape(words, quote=False))

    def finish(self) -> None:
        """End the current block, if it has text."""
        text, markup = ("".join(parts) for parts in (self._text, self._markup))
        if self._kind != "code":
            text, markup = " ".join(text.split()), " ".join(markup.split())
        if text:
            name = text.partition(" – ")[0] if self._kind == "example" else self._name
            self.blocks.append(RulesBlock(self._kind, text, markup, name))
        self._kind, self._name, self._text, self._markup = "paragraph", "", [], []
