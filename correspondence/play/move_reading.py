"""Texts tried as moves, each once and only a bounded number of them. Nothing here is played.

To read a text that is no move, a game looks through its legal moves, so a mail of many lines must not have all of them
read. `MoveReader` counts what it asks the game; its callers decide what becomes of a text that was not looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any

from correspondence.core.caching import cached
from correspondence.core.move_text import looks_like_move
from correspondence.play import near_moves
from correspondence.play.lexicon import plain
from engines.base import AmbiguousMove, MoveError, NotationError, Position, Seat, UnfinishedMove, squeezed
from engines.folding import foldings
from engines.vocabulary import Vocabulary

MOST_LISTED = 2_000
"""Most legal moves that a text is compared with."""

LONGEST = 200
"""Characters of the longest text that is read as a move."""


class Reading(Enum):
    """How a text reads in a position."""

    MOVE = "a legal move"
    PART = "the beginning of a move, or one of several"
    REFUSED = "a move that the rules forbid here"
    TALK = "no move"


@dataclass(frozen=True, slots=True)
class TriedText:
    """What became of reading a text: how it reads, the move itself, and whether the refusal suggests others."""

    reading: Reading
    move: Any = None
    suggests: bool = False


NO_MOVE = TriedText(Reading.TALK)


@cached(256)
def try_text(position: Position[Any], seat: Seat, text: str) -> TriedText:
    """Read a text as a move of `seat`; never raises."""
    if len(text) > LONGEST or not text:
        return NO_MOVE
    try:
        return TriedText(Reading.MOVE, position.read(seat, text))
    except (AmbiguousMove, UnfinishedMove) as error:
        return TriedText(Reading.PART, suggests=bool(error.suggestions))
    except NotationError:
        return NO_MOVE
    except MoveError as error:
        return TriedText(Reading.REFUSED, suggests=bool(error.suggestions))


@cached(32)
def legal_texts(position: Position[Any], seat: Seat) -> tuple[str, ...]:
    """The first MOST_LISTED legal moves in canonical notation, as `seat` may know them."""
    view = position.view(seat)
    return tuple(view.write_all(seat, list(islice(view.legal_moves(seat), MOST_LISTED))))


@cached(32)
def _legal_words(position: Position[Any], seat: Seat) -> frozenset[str]:
    return frozenset(word for text in legal_texts(position, seat) for word in plain(text).split() if len(word) > 1)


@cached(32)
def _squeezed_texts(position: Position[Any], seat: Seat) -> tuple[str, ...]:
    return tuple(sorted(map(squeezed, legal_texts(position, seat))))


def _begins_move(position: Position[Any], seat: Seat, begun: str) -> bool:
    texts = _squeezed_texts(position, seat)
    place = bisect_left(texts, begun)
    return place < len(texts) and texts[place].startswith(begun)


def may_be_move(position: Position[Any], seat: Seat, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is worth reading as a move of `seat`, which is to move. Talk is not.

    It has the form of a move, or holds no word of talk, or begins a legal move. Where a game describes no pieces, a
    word of a legal move is enough.
    """
    if len(text) > LONGEST:
        return False
    if looks_like_move(text) or _begins_move(position, seat, squeezed(text)):
        return True
    if vocabulary.signs:
        return near_moves.is_without_talk(near_moves.words(text, vocabulary))
    return shares_word(position, seat, text)


def shares_word(position: Position[Any], seat: Seat, text: str) -> bool:
    """Whether a text shares a word of two letters or more with a legal move."""
    return not _legal_words(position, seat).isdisjoint(plain(text).split())


class MoveReader:
    """Reads texts as moves until the games have parsed `most` of them."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._asked: set[tuple[Position[Any], Seat, str]] = set()

    def read(self, position: Position[Any], seat: Seat, text: str) -> TriedText | None:
        """What becomes of reading a text; None if that would be one too many, so that nothing is known of it."""
        key = (position, seat, text)
        if key not in self._asked:
            cost = 1 + len(foldings(text))
            if cost > self._left:
                return None
            self._left -= cost
            self._asked.add(key)
        return try_text(position, seat, text)
