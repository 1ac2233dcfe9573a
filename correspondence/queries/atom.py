"""Atom feeds (RFC 4287): what a feed holds as plain values, and as XML. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

NAMESPACE = "http://www.w3.org/2005/Atom"
"""The namespace of every element of a feed."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed without entries was updated."""

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed; `address` is that of its page, and names it for good."""

    address: str
    title: str
    words: str
    at: datetime


def feed(address: str, page: str, title: str, news: Sequence[FeedEntry]) -> bytes:
    """A feed as a document: `address` is its own, `page` the one it tells of; the newest entry dates it."""
    root = Element("feed", xmlns=NAMESPACE)
    _add(root, "id", address)
    _add(root, "title", title)
    _add(root, "updated", _moment(max((one.at for one in news), default=LONG_AGO)))
    _add(SubElement(root, "author"), "name", "Correspondence")
    SubElement(root, "link", rel="self", href=address, type="application/atom+xml")
    SubElement(root, "link", rel="alternate", href=page, type="text/html")
    for one in news:
        entry = SubElement(root, "entry")
        _add(entry, "id", one.address)
        _add(entry, "title", one.title)
        _add(entry, "updated", _moment(one.at))
        SubElement(entry, "link", rel="alternate", href=one.address, type="text/html")
        _add(entry, "content", one.words, type="text")
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _add(parent: Element, name: str, text: str, **attributes: str) -> None:
    SubElement(parent, name, attributes).text = _FORBIDDEN.sub("", text)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
