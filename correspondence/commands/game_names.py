"""Parser for lines that name their game: `game 7: 5@b3`, `resign 7`, `7 5@b3`. Pure.

`read_named` accepts only unambiguous forms. In `7 5@b3` and `move 7 5@b3` the number can also be that of a move.
`loose_name` parses those, and a caller that knows which letter the mail answers decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from correspondence.core.move_text import looks_like_move, normalise, resembles_move

_GAME = r"(?:game|match|partita|partie|spiel|partida)"
_NUMBER = r"(?:no\.? ?|n\.? ?|nr\.? ?)?#?([0-9]{1,9})"
_NAMED = re.compile(rf"(?:(?:in|nella) )?{_GAME} ?{_NUMBER}(?: ?([:,;]) ?| |$)(.*)", re.IGNORECASE)
_SAID = re.compile(rf"(?:talk|say|tell|parla|di|dì)(?: (?:in )?{_GAME})? ?{_NUMBER} ?: ?(.+)", re.IGNORECASE)
_AFTER = re.compile(rf"(.{{2,40}}?)(?: (?:in|of|nella|della))?(?: {_GAME})? {_NUMBER}[.!]?", re.IGNORECASE)
_LOOSE = re.compile(r"(?:(?:move|mossa|zug|coup|jugada) ?)?#? ?([0-9]{1,9})( ?[:.)]+ ?| )(.+)", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"(?:\w{{1,4}} ?: ?)*\[?{_GAME} ?{_NUMBER}(?:[,;:]? (?:move|mossa) #?([0-9]{{1,6}})(?: ?\(([0-9]{{1,10}})\))?)?"
    r"(?:\]| (?:vs|contro) |[.! ]*$)",
    re.IGNORECASE,
)


class NamedLine(NamedTuple):
    """A line about the game of this number; `text` is the line without the number."""

    game: int
    text: str


class LooseName(NamedTuple):
    """A line that begins with a number, split into the number and the rest.

    `is_numbered`: written as people number moves (`7. e4`), so the number names no game. `is_move`: the rest reads
    like a move.
    """

    number: int
    text: str
    is_numbered: bool
    is_move: bool


def read_named(text: str) -> tuple[NamedLine, bool] | None:
    """Parse `game 7: TEXT` and `game 7 TEXT`; the flag says whether a colon allows any TEXT."""
    match = _NAMED.fullmatch(text)
    return (NamedLine(int(match[1]), match[3].strip()), match[2] == ":") if match else None


def read_said(text: str) -> NamedLine | None:
    """Parse `say 7: TEXT`, which is talk in that game."""
    match = _SAID.fullmatch(text)
    return NamedLine(int(match[1]), f"say: {match[2]}") if match else None


def read_number_after(text: str) -> NamedLine | None:
    """Split a number off the end of a line: `resign 7` and `offer a draw in game 7`."""
    match = _AFTER.fullmatch(text)
    return NamedLine(int(match[2]), match[1].strip()) if match else None


def loose_name(line: str) -> LooseName | None:
    """Parse a number at the beginning of a line; without punctuation a move must follow."""
    match = _LOOSE.fullmatch(normalise(line[:300]))
    if match is None:
        return None
    is_move = looks_like_move(match[3]) or resembles_move(match[3])
    if not match[2].strip() and not is_move:
        return None
    return LooseName(int(match[1]), match[3].strip(), not match[2].strip().startswith(":") and match[2] != " ", is_move)


class NamedSubject(NamedTuple):
    """A subject that names a game, and optionally the next move's number and earlier take-backs."""

    game: int
    move: int | None
    takebacks: int


def named_in_subject(subject: str) -> NamedSubject | None:
    """Parse a subject such as `game 7`, `Re: [Game 7 vs bob] …` or `game 7, move 12 (1)`."""
    match = _SUBJECT.match(normalise(subject[:200]))
    return NamedSubject(int(match[1]), int(match[2]) if match[2] else None, int(match[3] or 0)) if match else None
