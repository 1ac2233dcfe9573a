"""Heuristics that distinguish moves from talk in lines that are not commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from correspondence.core.mail_line import mail_line
from engines import BROUGHT, GAMES
from engines.vocabulary import SQUARES, Vocabulary

MOVE_LENGTH = 60
"""Maximum length of a line that can be a move, in characters."""


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Regular expressions of a square and of a move."""

    square: re.Pattern[str]
    move: re.Pattern[str]


@contextmanager
def in_games(keys: Iterable[str]) -> Iterator[None]:
    """Context manager: also recognise the notations of the plug-in games with these keys.

    Elsewhere only the notations of built-in games count, so that no plug-in changes what is talk in other games.
    """
    token = _games.set(BROUGHT.intersection(keys))
    try:
        yield
    finally:
        _games.reset(token)


def _compiled(vocabularies: Iterable[Vocabulary]) -> _Patterns:
    words = tuple(dict.fromkeys(vocabularies))
    square = f"(?:{'|'.join(dict.fromkeys((SQUARES, *(one.squares for one in words))))})"
    step = (
        rf"(?:[ypbnrqkost]|[wb]?[1-9])?(?:{square}|[a-h]|[1-9])?[x-]?{square}\^?"  # Rad4, 5b3-c4, oa1-c3, dxe6^
        rf"(?:=[wb]?[1-9]|={square})?"  # 5c4=W3, a1=c3
    )
    turned = rf"{square}(?:==?[a-z]|[+-])"  # f2=B, f2==N, f2+
    placed = rf"(?:[mgt]?[ost]|[ypbnrqk]|[wb]?[1-9])@{square}"  # Mo@b2, s@a1, Q@b2, 5@b3
    atom = rf"(?:{step}|{turned}|{placed})(?:\+[mgt][ost]){{0,2}}(?::[nesw]{{1,9}})?(?:\{{[a-z]\}})?[#!?+]*"
    forms = (
        rf"{atom}(?:[ /,;]+{atom}){{0,3}}",
        r"pass|[o0]-[o0](?:-[o0])?",
        *(form for one in words for form in one.moves),
    )
    return _Patterns(re.compile(square, re.IGNORECASE), re.compile("|".join(forms), re.IGNORECASE))


@cache
def _patterns_of(keys: frozenset[str]) -> _Patterns:
    """Return the patterns of the built-in games and of these plug-in games."""
    return _compiled(game.vocabulary for key, game in GAMES.items() if key in keys or key not in BROUGHT)


_games: ContextVar[frozenset[str]] = ContextVar("games", default=frozenset())

games_in_force: Callable[[], frozenset[str]] = _games.get
"""Return the plug-in games recognised now; cached results about a line depend on them."""

_STATED = re.compile(
    r"(?:(?:move|mossa|zug|coup|jugada) ?#? ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|# ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|([0-9]{1,4}) ?(?:\.[. ]*|[:)] ?))(.+)",
    re.IGNORECASE,
)


def looks_like_move(line: str) -> bool:
    """Whether `line` is short and looks like a move in a known notation, legal or not."""
    return _is_move(split_move_number(line)[1])


def split_move_number(line: str) -> tuple[int | None, str]:
    """Split a move number from its move: “12. c3/f2=B” gives 12 and “c3/f2=B”.

    Returns None and the line itself if there is no number: the 5 of “5c4” is part of the move.
    """
    match = _STATED.fullmatch(normalise(line[: MOVE_LENGTH * 2]))
    if not match or not _is_move(match[4]):
        return None, line.strip()
    return int(match[1] or match[2] or match[3]), match[4].strip()


def _is_move(text: str) -> bool:
    line = normalise(text[: MOVE_LENGTH * 2]).rstrip(".! ")
    return len(line) <= MOVE_LENGTH and _patterns_of(_games.get()).move.fullmatch(line) is not None


def bare_move(text: str) -> str:
    """Return a normalised move for the engines, without final full stops or exclamation marks."""
    return normalise(text).rstrip(".! ")


def written_move(text: str) -> str:
    """Return a move from a mail or an input field, without its number, quotes and full stop."""
    return bare_move(split_move_number(unwrapped(without_list_mark(normalise(text))))[1])


def without_list_mark(line: str) -> str:
    """Return a line without the dash or bullet of a list before its move: “- 5@a2”."""
    match = _LISTED.fullmatch(line)
    return match[1] if match and looks_like_move(match[1]) else line


def is_marked_talk(line: str) -> bool:
    """Whether a line begins with “say:”, which marks it as talk to the opponent."""
    return _SAID.match(line) is not None


def talk_text(line: str) -> str:
    """Return a line of talk without the leading “say:”."""
    return _SAID.sub("", line, count=1)


def unwrapped(text: str) -> str:
    """Return a normalised line without the quotes, asterisks, underscores or brackets around it."""
    while len(text) > 2 and text[0] in _WRAPPERS and text[-1] == _WRAPPERS[text[0]]:
        inner = text[1:-1]
        if text[0] in inner or text[-1] in inner:
            break
        text = inner.strip()
    return text


def resembles_move(line: str) -> bool:
    """Whether a short line contains a square and no prose: “c3-f2=B” or “c3 to f2=bishop”.

    The square may be off the board, as in “9@z9”.
    """
    text = split_move_number(unwrapped(normalise(line[: MOVE_LENGTH * 2])))[1]
    if _TO_NOWHERE.fullmatch(text):
        return True
    square = _patterns_of(_games.get()).square
    if len(text) > MOVE_LENGTH or not square.search(text):
        return False
    words = re.findall(r"[^\W\d_]+", square.sub(" ", text.casefold()))
    return all(len(word) == 1 or word in _MOVE_WORDS for word in words)


def move_like_runs(line: str) -> list[str]:
    """Return the runs of up to three words that look like a move with a square, longest first."""
    joined = _SPLIT_MOVE.sub(r"\1", normalise(line))
    words = [unwrapped(word).strip("\"'*_,;:.!? ") for word in joined.split()[:200]]
    runs = []
    for length in (3, 2, 1):
        for at in range(len(words) - length + 1):
            run = words[at : at + length]
            if any(map(_patterns_of(_games.get()).square.search, run[:1])) and all(run) and _is_move(" ".join(run)):
                runs.append(" ".join(run))
    return runs


def normalise(line: str) -> str:
    """Return a line with ASCII punctuation, digits and letters, and single spaces; keep case."""
    return mail_line(line).text


_LISTED = re.compile(r"\s*(?:[-–—*] |[•·‣◦▪●○■] ?)\s*(\S.*)")
_SAID = re.compile(r"\s*say ?: ?", re.IGNORECASE)
_WRAPPERS = {'"': '"', "'": "'", "*": "*", "_": "_", "(": ")", "[": "]"}
_TO_NOWHERE = re.compile(r"(?:[a-z]{0,2}[0-9]?@|[a-z]{0,2}[0-9]{1,2}[-x])[a-z][0-9]{1,2}[^ @.]{0,6}", re.IGNORECASE)
_SPLIT_MOVE = re.compile(r"(?<=[a-h][0-9]) ?([-/=x]) ?(?=[a-h][0-9]|[A-Z]\b)")
_MOVE_WORDS = frozenset(
    "to takes and with bm rm tw xx rb pawn knight bishop rook queen king pyramid pedone cavallo alfiere torre "
    "regina re piramide bauer springer läufer turm dame könig pyramide "
    "mo ms mt go gs gt ts tt bo bs bt wo ws wt".split()
)
