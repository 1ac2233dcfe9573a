"""Text normalisation: decoding, removal of invisible characters, and forms for comparison."""

from __future__ import annotations

import quopri
import re
import unicodedata
from collections.abc import Iterator
from html import unescape

_ALIASES = {
    "utf8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "euc-kr": "cp949",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "cp-850": "cp850",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
}
_LATIN = ("iso-8859-1", "latin-1", "latin1")
_DEFAULTS = frozenset({"", "us-ascii", "ascii", "x-unknown", "unknown-8bit", *_LATIN})

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_BLANKS = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ud800-\udfff]"
)
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined"})
"""Codecs of the standard library that mail never uses; the first takes quadratic time."""

_ACCENT_LIMIT = 8

COMPARED_LENGTH = 8_000
"""Maximum length of a line compared with our letters; longer than any text passed on."""

_LINK = re.compile(
    r"<(?:https?:|mailto:|cid:)[^<>]*(?:>|\Z)|\[(?:https?:|mailto:|cid:)[^\[\]]*(?:\]|\Z)"
    r"|\((?:https?:|mailto:|cid:)[^()]*(?:\)|\Z)|\[[0-9]{1,3}\](?=\w)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[\[(<!*]*(?:inline[ -])?(?:images?|img|immagine|immagini|bild|grafik|imagen|imagem|afbeelding|picture)"
    r"(?: ?[0-9]{1,3})? ?[:)\]][\[ ]*",
    re.IGNORECASE,
)
"""Matches the text that mail programs write before an image description: “[image: ”, “![”."""

_QUOTED_PRINTABLE = re.compile(r"=[0-9A-F]{2}|=\Z")
_CODE = re.compile(r"\b(?:[a-z2-7]{5}-){5}[a-z2-7]\b", re.IGNORECASE)
_CODE_DASHES = 5
_WORD = re.compile(r"[^\W_]+")


def decoded(payload: bytes, label: str) -> str:
    """Decode `payload`, by its charset label if that is plausible; never raises.

    Many programs mislabel UTF-8, so valid UTF-8 takes precedence over a missing or Latin label and over one that
    fails. Then come cp1252 and Latin-1, which accepts any bytes.
    """
    name = label.strip().strip("\"'").lower()
    name = _ALIASES.get(name, name)
    for charset in _charsets(name):
        try:
            return payload.decode(charset)
        except (LookupError, ValueError):
            continue
    return payload.decode("latin-1")


def _charsets(name: str) -> Iterator[str]:
    if name in _DEFAULTS:
        yield "utf-8"
    if name.isascii() and name.isprintable() and re.sub(r"\W", "_", name) not in _NO_CHARSETS:
        yield name
    yield "utf-8"
    yield "cp1252"


def clean(text: str) -> str:
    """Return `text` in NFC, with LF line ends, plain spaces and no invisible characters."""
    text = _INVISIBLE.sub("", _BLANKS.sub(" ", _LINE_ENDS.sub("\n", text)))
    if text.isascii():
        return text
    if not any(map(unicodedata.combining, set(text))):
        return unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", "".join(_without_accent_runs(text)))


def _without_accent_runs(text: str) -> Iterator[str]:
    run_length = 0  # the standard library needs quadratic time for long runs of accents
    for char in text:
        run_length = run_length + 1 if unicodedata.combining(char) else 0
        if run_length <= _ACCENT_LIMIT:
            yield char


def folded(line: str) -> str:
    """Normalise `line` for comparison with our letters: no quotation marks, case or extra space."""
    return " ".join(_without_codes(unicodedata.normalize("NFKC", line)).lstrip("> |\t").casefold().split())


def alnum(line: str) -> str:
    """Return the letters and digits of `line` without URLs; every mail program preserves them."""
    return alnum_with_links(_without_links(_without_codes(line[:COMPARED_LENGTH])))


def alnum_with_links(line: str) -> str:
    """Return the letters and digits of `line`, including those of URLs."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", line[:COMPARED_LENGTH]).casefold()))


def words_of(line: str) -> list[str]:
    """Return the words of `line` without URLs, normalised for comparison."""
    return _WORD.findall(unicodedata.normalize("NFKC", _without_links(line[:COMPARED_LENGTH])).casefold())


def is_link(line: str) -> bool:
    """Whether a line consists only of URLs or the name of an inline image."""
    return any(char in line for char in "<[(") and not _without_links(line).strip("> |\t*_.;,")


def decoded_forms(line: str) -> Iterator[str]:
    """Yield `line`, and its forms without encoding or “image:” added by a mail program."""
    yield line
    if "&" in line and (plain := unescape(line)) != line:
        yield clean(plain)
    if "=" in line and _QUOTED_PRINTABLE.search(line):
        yield clean(decoded(quopri.decodestring(line.encode("utf-8", "replace")), "utf-8"))
    if label := _LABEL.match(line.lstrip("> |\t")):
        yield line.lstrip("> |\t")[label.end() :]


def _without_codes(line: str) -> str:
    """Return `line` without recovery codes, because stored letters do not contain them."""
    return _CODE.sub(" ", line) if line.count("-") >= _CODE_DASHES else line


def _without_links(line: str) -> str:
    return _LINK.sub(" ", line) if "<" in line or "[" in line or "(" in line else line
