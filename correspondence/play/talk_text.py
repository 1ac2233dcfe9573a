"""Cleaning players' text before it is passed on. Pure."""

from __future__ import annotations

import re

from correspondence.core.move_text import looks_like_move
from correspondence.core.stacked_marks import without_stacks
from correspondence.core.tokens import API_PREFIX

TALK_LIMIT = 4_000
"""Maximum length of a remark or comment, in characters; longer text is cut."""


_ADDRESS = re.compile(r"[^\s@＠<>]{1,64}[@＠][^\s@＠<>]{1,255}")
_SECRET = re.compile(  # tokens in any position, as spelt by tokens.spell, and tokens of programs
    r"\b[rb]\.[a-z2-7]{26}\b|(?<=/)[a-z2-7]{26}\b|\b(?=[a-z]*[2-7])[a-z2-7]{26}\b"
    rf"|\b{API_PREFIX}[a-z2-7]{{8,}}",
    re.IGNORECASE,
)
_AROUND = ".,;:!?()[]*_\"'“”„«»"


def clean_talk(text: str) -> str:
    """Remove addresses, tokens, control characters and stacked marks; cut to `TALK_LIMIT`."""
    printable = "".join(c for c in text.replace("\r\n", "\n") if c == "\n" or (c.isprintable() and ord(c) < 0xE0000))
    redacted = _SECRET.sub("…", _ADDRESS.sub(_without_address, without_stacks(printable)))
    return redacted.strip()[:TALK_LIMIT]


def _without_address(match: re.Match[str]) -> str:
    """Hide an address in a word with an @; keep moves such as 5@b3, and a comma after it."""
    word = match[0].strip(_AROUND)
    return match[0] if looks_like_move(word) else match[0].replace(word, "…@…")
