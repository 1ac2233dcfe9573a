"""Fold other spellings of moves into notation.

It folds arrows, figurines, words, full-width characters and Italian letters, independently of the game. A folded text
is only a candidate: `Position.read` plays it only if exactly one legal move results. Spoken numbers ("f five") are not
folded, because dictation mishears; `nearness` only uses them for suggestions.
"""

from __future__ import annotations

import re

CAPITALS = "TDAC"
"""Italian piece letters.

Most are also file letters: “Cxd4” may be a knight or the pawn of the c-file.
"""

LONGEST = 60
"""Maximum length of a text that is folded, in characters."""

_PIECES = {
    "P": "pawn pedone bauer pion peón",
    "N": "knight cavallo springer cavalier caballo",
    "B": "bishop alfiere läufer laeufer fou alfil",
    "R": "rook torre turm tour",
    "Q": "queen regina donna dama dame reina",
    "Y": "pyramid piramide pyramide pirámide",
}
LETTER_OF = {word: letter for letter, words in _PIECES.items() for word in words.split()}
_FIGURINES = dict(zip(map(ord, "♔♕♖♗♘♙♚♛♜♝♞♟⚀⚁⚂⚃⚄⚅"), "KQRBNPKQRBNP123456", strict=True))
_SIGNS = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣"), "-"),
    **dict.fromkeys(map(ord, "“”„‟«»‘’‚‛`"), '"'),
    **dict.fromkeys(map(ord, "→⇒➔➙➜➝➞⟶⟹⇨"), ">"),
    **dict.fromkeys(map(ord, "×✕✖"), "x"),
    **dict.fromkeys(map(ord, "⁄∕"), "/"),
    **dict.fromkeys((0x00A0, 0x202F, 0x3000), " "),
    **dict.fromkeys((0xFE0E, 0xFE0F, 0x00AD, 0xFEFF, *range(0x200B, 0x2010)), ""),
    **_FIGURINES,
}
_WRAPPED = re.compile(r"""(["'*_])(.+)\1|\((.+)\)|\[(.+)\]""")
_ARROW = re.compile(r"(?<=[\w)]) ?[-=~]*>+ ?(?=\w)")
_FROM_SQUARE = re.compile(rf"([a-h][0-9]){_ARROW.pattern}")
_TO = re.compile(r"(?<=[\w)]) (?:to|on|at|nach|auf|su|sur|vers|hacia|a|à|en|in) (?=[a-h][0-9](?!\w))", re.IGNORECASE)
"""Words before a square, which are read as an arrow."""
_JOINTS = ("-", "@", ",")
"""Signs that an arrow may replace: “to” within a move, a placement's sign, or a rotation's."""

_TAKES = re.compile(
    r"(?<=[\w)]) (?:x|takes|captures|schlägt|prend|prende|mangia|cattura) (?=[a-h][0-9])", re.IGNORECASE
)
_PIECE = re.compile(rf"(?<!\w)({'|'.join(sorted(LETTER_OF, key=len, reverse=True))})(?!\w) ?", re.IGNORECASE)
_TURNED_TO = re.compile(r"(?<=[a-h][0-9]) ?(?:[-=~]*>+|[-=]) ?(?=[YPBNRQK](?!\w))")
_BEFORE_TAKING = re.compile(r" (?=x[a-h][0-9])")
_SPLIT_SQUARE = re.compile(r"(?<![a-z0-9])([a-h]) (?=[1-9](?![0-9]))", re.IGNORECASE)
_ITALIAN = re.compile(r"^[TDAC](?=[x-]?[a-h])|(?<=[/ ])[TDAC](?=[x-]?[a-h])|(?<==)[TDACtdac](?!\w)")
_ENGLISH = dict(zip("TDACtdac", "RQBNRQBN", strict=True))


def foldings(text: str) -> tuple[str, ...]:
    """Return the candidate texts for `text`, with signs, words and Italian letters folded."""
    if len(text) > LONGEST:
        return ()
    plain = _unwrapped(text)
    folded = [_folded(plain, joint) for joint in _JOINTS]
    english = [_ITALIAN.sub(lambda letter: _ENGLISH[letter[0]], one) for one in folded]
    return tuple(one for one in dict.fromkeys((*folded, *english)) if one and one != text)


def _unwrapped(text: str) -> str:
    plain = " ".join(text.translate(_SIGNS).split()).rstrip(" .,;!")
    if wrapped := _WRAPPED.fullmatch(plain):
        plain = next(filter(None, wrapped.groups()[1:])).strip(" .,;!")
    return plain


def _folded(plain: str, joint: str) -> str:
    folded = _TAKES.sub(" x", _TO.sub(" > ", _SPLIT_SQUARE.sub(r"\1", plain)))
    folded = _TURNED_TO.sub("=", _PIECE.sub(lambda word: LETTER_OF[word[1].lower()], folded))
    folded = _ARROW.sub(joint, _FROM_SQUARE.sub(r"\1-", folded) if joint == "@" else folded)
    return _BEFORE_TAKING.sub("", folded)
