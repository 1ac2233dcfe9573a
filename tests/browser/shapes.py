"""The shape of a page without its data: pages of equal shape look the same to styles and axe-core."""

from __future__ import annotations

import re
from html.parser import HTMLParser

MARKS = {"class", "id", "for", "role", "type", "lang", "tabindex", "hidden", "open", "disabled", "style", "scope",
         "autocomplete"}  # fmt: skip
"""The attributes that belong to a shape, besides those for screen readers."""

WITHOUT_END = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Shape(HTMLParser):
    """The kinds of elements in the main part of a page; their number and order do not count.

    Of labels for screen readers only their presence counts; the language of the page counts too.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[tuple[str, set[str]]] = [("", set())]
        self.feed(page[max(page.find("<main"), 0) :].partition("</main>")[0])
        while len(self._open) > 1:
            self.handle_endtag("")
        language = re.search(r'<html[^>]* lang="([^"]*)"', page)
        self.text = "".join([language[1] if language else "", *sorted(self._open[0][1])])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle the begin of an element."""
        counted = ((name, value) for name, value in attrs if name in MARKS or name.startswith("aria-"))
        marks = sorted(
            f"{name}={bool((value or '').strip()) if name == 'aria-label' else value}" for name, value in counted
        )
        links = sorted(name for name, _value in attrs if name in ("href", "alt"))
        self._open.append((" ".join([tag, *links, *marks]), set()))
        if tag in WITHOUT_END:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Handle the end of the innermost element."""
        if len(self._open) > 1:
            start, inside = self._open.pop()
            self._open[-1][1].add(f"<{start}>{''.join(sorted(inside))}</>")

    def handle_data(self, data: str) -> None:
        """Handle text."""
        if data.strip():
            self._open[-1][1].add("…")
