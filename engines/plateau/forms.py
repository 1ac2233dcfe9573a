"""Regular expressions for texts in Plateau's notation, which distinguish them from talk."""

from __future__ import annotations

from engines.vocabulary import SQUARES

_FACES = "[xrbo?]{2}"
_TYPE = rf"(?:bm|rm|tw|m|b|r|a|{_FACES})"
_HOP = rf"{SQUARES} ?~? ?(?:\([0-9]{{1,2}}\))? ?"

MOVES = (
    rf"{_HOP}(?:- ?{_HOP}){{0,9}}(?:x ?[0-9]{{0,2}})?",  # a2~(2)-a3x2, b2~x1
    rf"\+ ?{SQUARES}(?: ?/ ?[0-9]{{1,2}})? ?{_FACES}(?:[ ,]+{_FACES})?",  # +b1 xx,rb
    rf"(?:tender|pay) {_TYPE}(?:[ ,]+{_TYPE}){{0,11}}",
    "refuse",
)
"""The regular expressions for the notation of moves, legal or not."""

SPELLED = {
    **dict.fromkeys("red rosso rossa rot rouge".split(), "r"),
    **dict.fromkeys("blue blu blau bleu".split(), "b"),
    **dict.fromkeys("orange arancio arancione".split(), "o"),
    **dict.fromkeys("blank vuota vuoto".split(), "x"),
    **{"mute": "xx", "ace": "rb", "twister": "xo"},
}
"""Words for faces and pieces, and their letters in the notation."""
