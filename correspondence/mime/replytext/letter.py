"""All text of one of our HTML letters, visible or not, so that we recognise whatever a mail program quotes."""

from __future__ import annotations

from html.parser import HTMLParser

from .markup import BLOCKS, guarded

_TEXT_ATTRIBUTES = ("alt", "title", "aria-label", "summary", "content", "value", "placeholder")
"""Attributes whose text mail programs write out in place."""

_LINK_ATTRIBUTES = ("href", "src", "cite", "background")
"""Attributes whose addresses mail programs write out, after the text or below the letter."""


def letter_text(html: str) -> str:
    """Return all text of `html`, including hidden text and image descriptions, then all links; never raises.

    Unlike `html_lines` this leaves nothing out: it is for our own letters, which are compared with replies.
    """
    reader = _AllText()
    try:
        reader.feed(guarded(html))
        reader.close()
    except (ValueError, AssertionError, RecursionError):  # use what was read so far
        pass
    return "\n".join([*reader.rows(), *dict.fromkeys(reader.targets)])


class _AllText(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.targets: list[str] = []
        self._words: list[str] = []

    def set_cdata_mode(self, *elem: object, **options: object) -> None:
        """Treat nothing as raw text, as in markup.py."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
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
        if tag in BLOCKS or tag == "title":
            self._words.append("\n")

    def handle_data(self, data: str) -> None:
        self._words.append(data)

    def rows(self) -> list[str]:
        """Return the non-blank lines, split at line ends."""
        return [row.strip() for row in "".join(self._words).split("\n") if row.strip()]
