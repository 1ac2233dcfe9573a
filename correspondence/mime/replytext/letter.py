"""All that an HTML letter of ours holds, seen or unseen, so that no mail program can quote what we do not know."""

from __future__ import annotations

from html.parser import HTMLParser

from .markup import BLOCKS, guarded

_TOLD = ("alt", "title", "aria-label", "summary", "content", "value", "placeholder")
"""Attributes whose words programs write out, where they stand."""

_TARGETS = ("href", "src", "cite", "background")
"""Attributes whose addresses programs write out, behind the words or below the letter."""


def letter_text(html: str) -> str:
    """Every word of `html`, hidden ones and descriptions of pictures in their places, then every link; never raises.

    Unlike `html_to_text` this leaves nothing out: it is for our own letters, which are compared with answers.
    """
    reader = _Everything()
    try:
        reader.feed(guarded(html))
        reader.close()
    except (ValueError, AssertionError, RecursionError):  # what is read so far has to do
        pass
    return "\n".join([*reader.rows(), *dict.fromkeys(reader.targets)])


class _Everything(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.targets: list[str] = []
        self._words: list[str] = []

    def set_cdata_mode(self, *elem: object, **options: object) -> None:
        """Nothing is raw text, as in markup.py."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS or tag in ("br", "title"):
            self._words.append("\n")
        elif tag in ("td", "th"):
            self._words.append(" ")
        for name, value in attrs:
            if value and name in _TOLD:
                self._words.append(f"\n{value}\n")
            elif value and name in _TARGETS:
                self.targets.append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS or tag == "title":
            self._words.append("\n")

    def handle_data(self, data: str) -> None:
        self._words.append(data)

    def rows(self) -> list[str]:
        """The lines that hold anything; where one of ours holds a line end, a new one begins."""
        return [row.strip() for row in "".join(self._words).split("\n") if row.strip()]
