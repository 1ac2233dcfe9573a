"""HTML made lines, with the quotations and signatures that mail programs mark by structure.

Nothing is rendered or fetched. The parser of the standard library takes quadratic time on
what is never closed, so comments, declarations and stray `<` go before it is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from html.parser import HTMLParser

from .cleaning import clean
from .limits import HTML_LIMIT, LINE_LIMIT, TAG_LIMIT, TEXT_LIMIT
from .lines import Line, is_marked
from .phrases import words

_STRAY = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_YAHOO = re.compile(r"(?:ydp[0-9a-f]*)?yahoo_quoted")
_SPACES = re.compile(r"[ \t\n\f]+")

BLOCKS = words(
    "address | article | aside | blockquote | body | center | dd | div | dl | dt | fieldset | footer | form"
    "| h1 | h2 | h3 | h4 | h5 | h6 | header | hr | li | main | nav | ol | p | pre | section | table | tbody"
    "| tfoot | thead | tr | ul"
)
"""Elements before and behind which a line ends."""

_CONTAINERS = words(
    "article | blockquote | body | center | div | dl | font | main | ol | pre | section | span | table | ul"
)
_INLINE = words("font | span | a | b | i | em | strong | u")
_VOID = words("area | base | br | col | embed | hr | img | input | link | meta | source | track | wbr")
_UNSEEN = words("script | style | title | head | template | noscript | object | textarea | select")


class _Fate(Enum):
    KEEP = auto()
    DROP = auto()
    QUOTE = auto()
    ANNOUNCE = auto()
    OPEN = auto()


_BY_NAME = {
    "gmail_attr": _Fate.ANNOUNCE,
    "gmail_extra": _Fate.QUOTE,
    "moz-cite-prefix": _Fate.QUOTE,
    "yahoo_quoted": _Fate.QUOTE,
    "zmail_extra": _Fate.QUOTE,
    "tutanota_quote": _Fate.QUOTE,
    "protonmail_quote": _Fate.QUOTE,
    "isforwardcontent": _Fate.QUOTE,
    "moz-forward-container": _Fate.OPEN,
    "appendonsend": _Fate.OPEN,
    "divrplyfwdmsg": _Fate.OPEN,
    "stopspelling": _Fate.OPEN,
    "olk_src_body_section": _Fate.OPEN,
    "outlookmessageheader": _Fate.OPEN,
    "ms-outlook-mobile-reference-message": _Fate.OPEN,
    "mail-editor-reference-message-container": _Fate.OPEN,
    "gmail_signature": _Fate.DROP,
    "gmail_signature_prefix": _Fate.DROP,
    "applemailsignature": _Fate.DROP,
    "ms-outlook-mobile-signature": _Fate.DROP,
    "ms-outlook-mobile-body-separator-line": _Fate.DROP,
    "moz-signature": _Fate.DROP,
    "k9mail-signature": _Fate.DROP,
    "tutanota_signature": _Fate.DROP,
    "gmail_quote_attribution": _Fate.ANNOUNCE,
    "reply-intro": _Fate.ANNOUNCE,
    "yahoo-quoted-begin": _Fate.ANNOUNCE,
    "ntes-mailmaster-quote": _Fate.QUOTE,
    "front-blockquote-wrap": _Fate.QUOTE,
    "missive_quote": _Fate.QUOTE,
    "nh_extra": _Fate.QUOTE,
    "quoted-content": _Fate.QUOTE,
    "quote": _Fate.QUOTE,
    "messagereplysection": _Fate.QUOTE,
    "messagesignaturesection": _Fate.DROP,
}
"""What becomes of an element by its class, id or name, without the `x_` that Outlook puts before foreign ones."""


@dataclass(frozen=True, slots=True)
class _Element:
    tag: str
    fate: _Fate


def html_lines(html: str) -> list[Line]:
    """The lines of an HTML body, quotations marked, signatures and hidden text gone; never raises."""
    reader = _Reader()
    try:
        reader.feed(guarded(html[:HTML_LIMIT]))
        reader.close()
    except _Enough:
        pass
    except (ValueError, AssertionError, RecursionError):  # what is read so far has to do
        reader.new_line()
    return reader.lines[:LINE_LIMIT]


def html_to_text(html: str) -> str:
    """What a reader sees of `html`, without the quotations that it marks by structure; never raises."""
    return "\n".join(line.text for line in html_lines(html) if not line.quoted).strip("\n")


def guarded(html: str) -> str:
    """`html` without what would take the parser quadratic time: comments, declarations and stray `<`."""
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


class _Enough(Exception):
    pass


class _Reader(HTMLParser):
    """Collects lines; remembers only elements that can enclose a quotation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._words: list[str] = []
        self._open: list[_Element] = []
        self._tags: Counter[str] = Counter()
        self._fates: Counter[_Fate] = Counter()
        self._read = 0
        self._size = 0
        self._opens = False

    def set_cdata_mode(self, *elem: object, **options: object) -> None:
        """Nothing is raw text: an unclosed script must not be searched for its end again and again."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._read += 1
        if self._read > TAG_LIMIT:
            self.new_line()
            raise _Enough
        fate = _fate(tag, attrs)
        if tag == "br":
            self._put_line()
        elif tag in BLOCKS or fate is not _Fate.KEEP:
            self._begin(tag)
        elif tag in ("td", "th"):
            self._words.append(" ")
        self._enter(tag, fate)

    def handle_endtag(self, tag: str) -> None:
        if self._tags[tag] and not (tag in _INLINE and self._open[-1].tag != tag):
            while self._leave() != tag:
                pass
        elif tag in BLOCKS:
            self._begin(tag)

    def handle_data(self, data: str) -> None:
        if self._fates[_Fate.DROP]:
            return
        if self._tags["pre"]:
            *rows, data = data.split("\n")
            for row in rows:
                self._words.append(row)
                self._put_line()
        self._words.append(data)

    def close(self) -> None:
        super().close()
        self.new_line()

    def new_line(self) -> None:
        """End the line that is being read, if it holds anything."""
        if not all(word.isspace() or not word for word in self._words):
            self._put_line()
        self._words.clear()

    def _begin(self, tag: str) -> None:
        self.new_line()
        if tag == "p" and self.lines and self.lines[-1].text:
            self._put_line()

    def _enter(self, tag: str, fate: _Fate) -> None:
        if fate is _Fate.OPEN:
            self._opens = self._opens or not self._fates[_Fate.QUOTE]
            fate = _Fate.KEEP
        if tag in _VOID or (tag not in _CONTAINERS and fate is _Fate.KEEP):
            return
        self._open.append(_Element(tag, fate))
        self._tags[tag] += 1
        self._fates[fate] += 1

    def _leave(self) -> str:
        element = self._open[-1]
        if element.tag in BLOCKS or element.fate is not _Fate.KEEP:
            self._begin(element.tag)
        self._open.pop()
        self._tags[element.tag] -= 1
        self._fates[element.fate] -= 1
        return element.tag

    def _put_line(self) -> None:
        text = "".join(self._words)
        self._words.clear()
        if self._fates[_Fate.DROP]:
            return
        text = clean(text if self._tags["pre"] else _SPACES.sub(" ", text).strip()).replace("\n", " ")
        self._size += len(text) + 1
        if self._size > TEXT_LIMIT or len(self.lines) >= LINE_LIMIT:
            raise _Enough
        self.lines.append(self._line(text))

    def _line(self, text: str) -> Line:
        announced = self._fates[_Fate.ANNOUNCE] > 0
        opens = self._opens or (announced and text.startswith("---"))  # a forward has no blockquote below it
        if opens and text:
            self._opens = False
            return Line(text, opens=True)
        return Line(text, quoted=announced or self._fates[_Fate.QUOTE] > 0 or is_marked(text))


def _fate(tag: str, attrs: list[tuple[str, str | None]]) -> _Fate:
    if tag in _UNSEEN:
        return _Fate.DROP
    named = {name: (value or "").lower() for name, value in attrs[:50]}
    if "hidden" in named or "display:none" in named.get("style", "").replace(" ", ""):
        return _Fate.DROP
    if tag == "blockquote":
        return _Fate.QUOTE
    if "data-marker" in named:
        return _Fate.DROP if "sig" in named["data-marker"] else _Fate.QUOTE
    return _fate_by_name(named)


def _fate_by_name(named: dict[str, str]) -> _Fate:
    for name in (*named.get("class", "").split(), *named.get("id", "").split(), named.get("name", "")):
        while name.startswith("x_"):
            name = name[2:]
        if _YAHOO.match(name):
            return _Fate.QUOTE
        if name.startswith("protonmail_"):
            return _Fate.QUOTE if "quote" in name else _Fate.DROP
        if name in _BY_NAME:
            return _BY_NAME[name]
        if name.startswith("zm-_id_-sgn") or "signature" in name:
            return _Fate.DROP
    return _Fate.KEEP
