"""What a page that does not exist was meant to be, from its address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from correspondence.web.forms import plain
from engines.wording import N_, _

LONGEST = 60
"""Maximum number of characters of an address that are repeated."""

_SECRET = re.compile(r"[\w.-]{24,}", re.ASCII)
"""Parts of addresses that may be tokens, which are not repeated."""

_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "games": N_("There is no game {name}, or nothing of it at this address."),
        "players": N_("Nobody here is called “{name}”."),
        "exercises": N_("There is no exercise {name}."),
        "rules": N_("There are no rules of a game called “{name}”."),
        "ratings": N_("There are no ratings of a game called “{name}”."),
        "challenges": N_("There is no challenge {name}, or it isn't yours."),
        "seeks": N_("There is no seek {name}, or it is over."),
    }
)
"""Sentences by the first part of an address; `name` is its second part."""


def sentence_about(path: str) -> str:
    """Return a sentence that names what was not found."""
    path = _SECRET.sub("…", path)
    first, _slash, rest = path.strip("/").partition("/")
    name = plain(rest.partition("/")[0].rpartition(".")[0] or rest.partition("/")[0], LONGEST)
    if first in _SENTENCES and name:
        return _(_SENTENCES[first]).format(name=name)
    return _("There is no page “{path}”, or it has been removed.").format(path=plain(path, LONGEST))


def words_in(path: str) -> str:
    """Return the words of an address, as a proposal for a search."""
    return plain(" ".join(re.findall(r"[^\W_]+", _SECRET.sub("", path))), LONGEST)
