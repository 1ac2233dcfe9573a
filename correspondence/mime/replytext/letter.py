"""Extract all text of one of our HTML letters, even hidden text, to recognise quotations."""

from __future__ import annotations

from html.parser import HTMLParser

from .markup import BLOCKS, guarded

_TEXT_ATTRIBUTES = ("alt", "title", "aria-label", "summary", "content", "value", "placeholder")
"""Attributes whose text mail programs show in place of the element."""

_LINK_ATTRIBUTES = ("href", "src", "cite", "background")
"""Attributes whose URLs mail programs show, after the text or below the letter."""


def letter_text(html: str) -> str:
    """Return all text of `html`, with hidden text and image descriptions, then all links.

    Never raises. Unlike `html_lines` it omits nothing: it is for our own letters, to compare them with replies.
    """
    reader = _AllText()
    try:
        reader.feed(guarded(html))
        reader.close()
    except (ValueError, AssertionError, RecursionError):  # use what was parsed so far
        pass
    return "\n".join([*reader.rows(), *dict.fromkeys(reader.targets)])


class _AllText(HTMLParser):
    """Collects text, text attributes and links in the order of the document."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.targets: list[str] = []
        self._words: list[str] = []

    def set_cdata_mode(self, *elem: object, **options: object) -> None:
        """Parse nothing as raw text, as in markup.py."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Separate lines and table cells, and collect text and links of attributes."""
        if tag in BLOCKS or tag in ("br", "title"):
            self._words.append("\n")
        elif tag in ("td", "th"):
            self._words.append(" ")
        for name, value in attrs:
            if value and name in _TEXT_ATTRIBUTES:
                self._words.append(f"\n{value}\n")
            elif value and name in _LINK_ATTRIBUTES:
                self.targets.append(value)

    def handle_endtag(self, tag: str) -> None:
        """End the line after a block element."""
        if tag in BLOCKS or tag == "title":
            self._words.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect text, hidden text included."""
        self._words.append(data)

    def rows(self) -> list[str]:
        """Return the non-blank lines, split at line ends."""
        return [row.strip() for row in "".join(self._words).split("\n") if row.strip()]
