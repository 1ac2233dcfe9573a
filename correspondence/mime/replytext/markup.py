"""Convert HTML to lines, and recognise quotations and signatures marked by structure.

Nothing is rendered or fetched. The parser of the standard library needs quadratic time for unclosed constructs, so
comments, declarations and stray `<` are removed first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from html.parser import HTMLParser

from correspondence.mime.cleaning import clean
from correspondence.mime.limits import HTML_LIMIT, LINE_LIMIT, TAG_LIMIT, TEXT_LIMIT

from .lines import Line, is_marked
from .phrases import words
from .visibility import is_hidden, is_struck

_STRAY = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_YAHOO = re.compile(r"(?:ydp[0-9a-f]*)?yahoo_quoted")
_SPACES = re.compile(r"[ \t\n\f]+")

BLOCKS = words(
    "address | article | aside | blockquote | body | center | dd | div | dl | dt | fieldset | footer | form"
    "| h1 | h2 | h3 | h4 | h5 | h6 | header | hr | li | main | nav | ol | p | pre | section | table | tbody"
    "| tfoot | thead | tr | ul"
)
"""Elements before and after which a line ends."""

_CONTAINERS = words(
    "article | blockquote | body | center | div | dl | font | main | ol | pre | section | span | table | ul"
)
_INLINE = words("font | span | a | b | i | em | strong | u")
_VOID = words("area | base | br | col | embed | hr | img | input | link | meta | source | track | wbr")
_HIDDEN = words("script | style | title | head | template | noscript | object | textarea | select")


class _Treatment(Enum):
    """How the content of an element is treated."""

    KEEP = auto()
    DROP = auto()
    QUOTE = auto()
    ANNOUNCE = auto()
    OPEN = auto()
    STRUCK = auto()
    """Struck through: dropped, without a line break."""


_IN_LINE = (_Treatment.KEEP, _Treatment.STRUCK)

_BY_NAME = {
    "gmail_attr": _Treatment.ANNOUNCE,
    "gmail_extra": _Treatment.QUOTE,
    "moz-cite-prefix": _Treatment.QUOTE,
    "yahoo_quoted": _Treatment.QUOTE,
    "zmail_extra": _Treatment.QUOTE,
    "tutanota_quote": _Treatment.QUOTE,
    "protonmail_quote": _Treatment.QUOTE,
    "isforwardcontent": _Treatment.QUOTE,
    "moz-forward-container": _Treatment.OPEN,
    "appendonsend": _Treatment.OPEN,
    "divrplyfwdmsg": _Treatment.OPEN,
    "stopspelling": _Treatment.OPEN,
    "olk_src_body_section": _Treatment.OPEN,
    "outlookmessageheader": _Treatment.OPEN,
    "ms-outlook-mobile-reference-message": _Treatment.OPEN,
    "mail-editor-reference-message-container": _Treatment.OPEN,
    "gmail_signature": _Treatment.DROP,
    "gmail_signature_prefix": _Treatment.DROP,
    "applemailsignature": _Treatment.DROP,
    "ms-outlook-mobile-signature": _Treatment.DROP,
    "ms-outlook-mobile-body-separator-line": _Treatment.DROP,
    "moz-signature": _Treatment.DROP,
    "k9mail-signature": _Treatment.DROP,
    "tutanota_signature": _Treatment.DROP,
    "gmail_quote_attribution": _Treatment.ANNOUNCE,
    "reply-intro": _Treatment.ANNOUNCE,
    "yahoo-quoted-begin": _Treatment.ANNOUNCE,
    "ntes-mailmaster-quote": _Treatment.QUOTE,
    "front-blockquote-wrap": _Treatment.QUOTE,
    "missive_quote": _Treatment.QUOTE,
    "nh_extra": _Treatment.QUOTE,
    "quoted-content": _Treatment.QUOTE,
    "quote": _Treatment.QUOTE,
    "messagereplysection": _Treatment.QUOTE,
    "messagesignaturesection": _Treatment.DROP,
}
"""Treatment of an element by class, id or name, without Outlook's prefix `x_`."""


@dataclass(frozen=True, slots=True)
class _Element:
    """An open element and the treatment of its content."""

    tag: str
    treatment: _Treatment


def html_lines(html: str) -> list[Line]:
    """Convert an HTML body to lines without signatures and hidden text; never raises."""
    reader = _Reader()
    try:
        reader.feed(guarded(html[:HTML_LIMIT]))
        reader.close()
    except _LimitReached:
        pass
    except (ValueError, AssertionError, RecursionError):  # use what was parsed so far
        reader.new_line()
    return reader.lines[:LINE_LIMIT]


def guarded(html: str) -> str:
    """Remove constructs that take the parser quadratic time: comments, declarations, stray `<`."""
    bare = "".join(_without_comments(html.replace("\x00", "")))
    return _DECLARATION.sub("", _STRAY.sub("&lt;", bare))


def _without_comments(html: str) -> Iterator[str]:
    end = 0
    while (start := html.find("<!--", end)) >= 0:
        yield html[end:start]
        close = html.find("-->", start + 2)
        if close < 0:
            return
        end = close + 3
    yield html[end:]


class _LimitReached(Exception):
    """Raised at a limit; the rest of the document is ignored."""


class _Reader(HTMLParser):
    """Parser that collects lines; it tracks only elements that can contain a quotation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._words: list[str] = []
        self._open: list[_Element] = []
        self._tags: Counter[str] = Counter()
        self._treatments: Counter[_Treatment] = Counter()
        self._tag_count = 0
        self._size = 0
        self._starts_quotation = False

    def set_cdata_mode(self, *elem: object, **options: object) -> None:
        """Parse nothing as raw text, so that unclosed scripts are not searched repeatedly."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """End the line before a block, and open quotation containers. Raises _LimitReached."""
        self._tag_count += 1
        if self._tag_count > TAG_LIMIT:
            self.new_line()
            raise _LimitReached
        treatment = _treatment(tag, attrs)
        if tag == "br":
            self._put_line()
        elif tag in BLOCKS or treatment not in _IN_LINE:
            self._begin(tag)
        elif tag in ("td", "th"):
            self._words.append(" ")
        self._enter(tag, treatment)

    def handle_endtag(self, tag: str) -> None:
        """Close this element and all left open in it; a stray end tag only ends the line."""
        if self._tags[tag] and not (tag in _INLINE and self._open[-1].tag != tag):
            while self._leave() != tag:
                pass
        elif tag in BLOCKS:
            self._begin(tag)

    def handle_data(self, data: str) -> None:
        """Collect text, except hidden text and signatures; keep line ends in `pre`."""
        if self._treatments[_Treatment.DROP] or self._treatments[_Treatment.STRUCK]:
            return
        if self._tags["pre"]:
            *rows, data = data.split("\n")
            for row in rows:
                self._words.append(row)
                self._put_line()
        self._words.append(data)

    def close(self) -> None:
        """End the document and its last line."""
        super().close()
        self.new_line()

    def new_line(self) -> None:
        """End the current line, if it is not empty."""
        if not all(word.isspace() or not word for word in self._words):
            self._put_line()
        self._words.clear()

    def _begin(self, tag: str) -> None:
        self.new_line()
        if tag == "p" and self.lines and self.lines[-1].text:
            self._put_line()

    def _enter(self, tag: str, treatment: _Treatment) -> None:
        if treatment is _Treatment.OPEN:
            self._starts_quotation = self._starts_quotation or not self._treatments[_Treatment.QUOTE]
            treatment = _Treatment.KEEP
        if tag in _VOID or (tag not in _CONTAINERS and treatment is _Treatment.KEEP):
            return
        self._open.append(_Element(tag, treatment))
        self._tags[tag] += 1
        self._treatments[treatment] += 1

    def _leave(self) -> str:
        element = self._open[-1]
        if element.tag in BLOCKS or element.treatment not in _IN_LINE:
            self._begin(element.tag)
        self._open.pop()
        self._tags[element.tag] -= 1
        self._treatments[element.treatment] -= 1
        return element.tag

    def _put_line(self) -> None:
        text = "".join(self._words)
        self._words.clear()
        if self._treatments[_Treatment.DROP]:
            return
        text = clean(text if self._tags["pre"] else _SPACES.sub(" ", text).strip()).replace("\n", " ")
        self._size += len(text) + 1
        if self._size > TEXT_LIMIT or len(self.lines) >= LINE_LIMIT:
            raise _LimitReached
        self.lines.append(self._line(text))

    def _line(self, text: str) -> Line:
        announced = self._treatments[_Treatment.ANNOUNCE] > 0
        starts_quotation = self._starts_quotation or (
            announced and text.startswith("---")
        )  # a forwarded message has no blockquote
        if starts_quotation and text:
            self._starts_quotation = False
            return Line(text, starts_quotation=True)
        return Line(text, quoted=announced or self._treatments[_Treatment.QUOTE] > 0 or is_marked(text))


def _treatment(tag: str, attrs: list[tuple[str, str | None]]) -> _Treatment:
    if tag in _HIDDEN:
        return _Treatment.DROP
    attributes = {name: (value or "").lower() for name, value in attrs[:50]}
    if is_hidden(attributes):
        return _Treatment.DROP
    if is_struck(tag, attributes):
        return _Treatment.STRUCK
    if tag == "blockquote":
        return _Treatment.QUOTE
    if "data-marker" in attributes:
        return _Treatment.DROP if "sig" in attributes["data-marker"] else _Treatment.QUOTE
    return _treatment_by_name(attributes)


def _treatment_by_name(attributes: dict[str, str]) -> _Treatment:
    for name in (*attributes.get("class", "").split(), *attributes.get("id", "").split(), attributes.get("name", "")):
        while name.startswith("x_"):
            name = name[2:]
        if _YAHOO.match(name):
            return _Treatment.QUOTE
        if name.startswith("protonmail_"):
            return _Treatment.QUOTE if "quote" in name else _Treatment.DROP
        if name in _BY_NAME:
            return _BY_NAME[name]
        if name.startswith("zm-_id_-sgn") or "signature" in name:
            return _Treatment.DROP
    return _Treatment.KEEP
