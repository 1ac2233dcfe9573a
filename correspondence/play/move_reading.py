"""Try a bounded number of texts as moves, each once. Nothing here is played.

To reject a text that is no move, a game goes through its legal moves, so only some lines of a long mail may be read.
`MoveReader` counts the texts that the game parses; its callers decide about unread texts.
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
"""Maximum number of legal moves compared with a text."""

LONGEST = 200
"""Maximum length of a text that is read as a move, in characters."""


class Reading(Enum):
    """How a text reads in a position."""

    MOVE = "a legal move"
    PART = "the beginning of a move, or one of several"
    REFUSED = "a move that the rules forbid here"
    TALK = "no move"


@dataclass(frozen=True, slots=True)
class TriedText:
    """The result of reading a text: its reading, its move, and whether moves were suggested."""

    reading: Reading
    move: Any = None
    suggests: bool = False


NO_MOVE = TriedText(Reading.TALK)


@cached(256)
def try_text(position: Position[Any], seat: Seat, text: str) -> TriedText:
    """Read a text as a move of `seat`; never raise."""
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
    """Return the first MOST_LISTED legal moves in canonical notation, redacted for `seat`."""
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
    """Whether a text is worth reading as a move of `seat`, which is to move; talk is not.

    The text has the form of a move, or has no word of talk, or begins a legal move. If a game describes no pieces, one
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
    """Whether a text shares a word of two or more letters with a legal move."""
    return not _legal_words(position, seat).isdisjoint(plain(text).split())


class MoveReader:
    """Reads texts as moves until the games have parsed `most` of them."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._asked: set[tuple[Position[Any], Seat, str]] = set()

    def read(self, position: Position[Any], seat: Seat, text: str) -> TriedText | None:
        """Return the result of reading a text; None if the limit is reached and it is unread."""
        key = (position, seat, text)
        if key not in self._asked:
            cost = 1 + len(foldings(text))
            if cost > self._left:
                return None
            self._left -= cost
            self._asked.add(key)
        return try_text(position, seat, text)
