"""Patterns of Plateau moves, legal or not, that distinguish them from talk."""

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
"""Regular expressions for Plateau's notation."""

SPELLED = {
    **dict.fromkeys("red rosso rossa rot rouge".split(), "r"),
    **dict.fromkeys("blue blu blau bleu".split(), "b"),
    **dict.fromkeys("orange arancio arancione".split(), "o"),
    **dict.fromkeys("blank vuota vuoto".split(), "x"),
    **{"mute": "xx", "ace": "rb", "twister": "xo"},
}
"""Words for faces and pieces, and the letters that stand for them in the notation."""
