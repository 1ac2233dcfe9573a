"""Atom feeds (RFC 4287) as XML. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

NAMESPACE = "http://www.w3.org/2005/Atom"
"""The namespace of every element of a feed."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""The `updated` time of a feed without entries."""

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed; `address` is its page's URL and its permanent id."""

    address: str
    title: str
    words: str
    at: datetime


def feed(address: str, page: str, title: str, entries: Sequence[FeedEntry]) -> bytes:
    """Return a feed as XML; `address` is its own URL, `page` that of the page it follows."""
    root = ElementTree.Element("feed", xmlns=NAMESPACE)
    _add(root, "id", address)
    _add(root, "title", title)
    _add(root, "updated", _moment(max((entry.at for entry in entries), default=LONG_AGO)))
    _add(ElementTree.SubElement(root, "author"), "name", "Correspondence")
    ElementTree.SubElement(root, "link", rel="self", href=address, type="application/atom+xml")
    ElementTree.SubElement(root, "link", rel="alternate", href=page, type="text/html")
    for entry in entries:
        element = ElementTree.SubElement(root, "entry")
        _add(element, "id", entry.address)
        _add(element, "title", entry.title)
        _add(element, "updated", _moment(entry.at))
        ElementTree.SubElement(element, "link", rel="alternate", href=entry.address, type="text/html")
        _add(element, "content", entry.words, type="text")
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _add(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, name, attributes).text = _FORBIDDEN.sub("", text)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
