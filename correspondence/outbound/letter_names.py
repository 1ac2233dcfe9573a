"""Display names in a letter's From and Reply-To (RFC 5322 3.4)."""

from __future__ import annotations

import re
import unicodedata

from engines.wording import _

SERVICE = "Correspondence"
"""The name of the service in From."""

NAME_LIMIT = 60
"""Maximum length of a name, in characters."""

_CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SPECIALS = re.compile(r'[@<>()\[\]",;:\\]+')


def from_name(member: str) -> str:
    """Return the name in From: the service and the member, in the current language."""
    return _("{member} via {service}").format(member=member, service=SERVICE) if member else SERVICE


def game_name(number: int, opponent: str) -> str:
    """Return the name in Reply-To of a letter about a game; `opponent` may be empty."""
    if opponent:
        return _("Game {number} against {opponent}").format(number=number, opponent=opponent)
    return _("Game {number}").format(number=number)


def desk_name() -> str:
    """Return the name in Reply-To of a letter without a game, in the current language."""
    return _("Correspondence games")


def plain(text: str) -> str:
    """Make `text` safe for a header: one line, no control characters, no encoded word.

    The standard library would decode `=?UTF-8?Q?=0A?=` in a value and write out the line end.
    """
    text_without_controls = "".join(
        " " if unicodedata.category(char) in _CONTROL_CATEGORIES else char for char in _BIDI_MARKS.sub("", text)
    )
    return " ".join(text_without_controls.replace("=?", "= ?").split())


def display_name(name: str) -> str:
    """Make `name` safe before an address: `plain`, and without RFC 5322 specials."""
    return plain(_SPECIALS.sub(" ", name))[:NAME_LIMIT].strip() or SERVICE
