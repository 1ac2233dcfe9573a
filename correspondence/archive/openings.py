"""Openings: the early positions of finished games, and the moves played from them.

A worker indexes each finished game once, so that no move or game end waits for it. Positions are compared by board,
trays and seat to move, so transpositions count as one position.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from gettext import NullTranslations
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from correspondence.core.db import insert_into
from correspondence.models import PLAYING, Continuation, Match, Move, Opening
from correspondence.models.loading import game_of, options_of
from correspondence.models.matches import MATCH_IS_UNINDEXED
from engines import GAMES
from engines.base import CHANCE, Game, MoveError, Position
from engines.options import options_from, read_options
from engines.record import Entry, ReplayError, positions
from engines.scene import Piece
from engines.wording import _, using_translations

PLIES = 12
"""Number of entries that count as a game's opening."""

MOST_CONTINUATIONS = 12
"""Maximum number of listed next moves."""


_OUTCOMES = ("first_wins", "draws", "second_wins")
"""The columns that count results."""


@dataclass(frozen=True, slots=True)
class NextMove:
    """A move played from a position.

    `first_wins`, `draws` and `second_wins` count the finished games by result: won by the first seat, drawn, won by the
    second seat.
    """

    text: str
    first_wins: int
    draws: int
    second_wins: int

    @property
    def total(self) -> int:
        """The number of finished games that continued with it."""
        return self.first_wins + self.draws + self.second_wins


def position_key(game: str, options: str, position: Position[Any]) -> int:
    """Return a 63-bit hash of game, options, board, trays and seats to move."""
    with using_translations(NullTranslations()):
        scene = position.draw()
    board = [[(cell.text, *map(_thing, cell.pieces), _thing(cell.ground)) for cell in row] for row in scene.rows]
    trays = [(tray.side, [(_thing(item.piece), item.count) for item in tray.items]) for tray in scene.trays]
    content = repr((game, options, position.to_act, board, trays))
    return int.from_bytes(hashlib.sha256(content.encode()).digest()[:8], "big") >> 1


@cache
def start_key(game: Game, options: str) -> int:
    """Return the key of a game's first position; `options` are `name=value` words."""
    typed: Any = read_options(game.Options, options_from(options))
    return position_key(game.key, options, game.start(typed))


def _thing(piece: Piece | None) -> tuple[Any, ...]:
    return (piece.text, piece.shape, piece.face, piece.side, piece.value, piece.under) if piece else ()


def unindexed(session: Session, most: int) -> list[int]:
    """Return the ids of finished matches of installed games not indexed yet, oldest first."""
    query = select(Match.id).where(MATCH_IS_UNINDEXED)
    return list(session.exec(query.where(col(Match.game).in_(list(GAMES))).order_by(col(Match.ended_at)).limit(most)))


def index_opening(session: Session, match_id: int, *, now: datetime) -> None:
    """Index the opening of a finished game.

    Does nothing if the game is running, has been indexed before or is a daily puzzle. A game of older rules that cannot
    be replayed is skipped permanently.
    """
    match = session.get_one(Match, match_id, with_for_update=True, populate_existing=True)
    if match.ended_at is None or match.indexed_at is not None:
        return
    match.indexed_at = now
    session.add(match)
    if match.daily is not None:
        return
    try:
        keys, texts = _keys_and_texts(session, match)
    except ReplayError:
        return
    session.add_all(Opening(key=key, ended_at=match.ended_at, match_id=match.id) for key in dict.fromkeys(keys[1:]))
    if match.result != PLAYING:
        for key, text in dict.fromkeys(zip(keys, texts, strict=False)):
            _count(session, key, text, match.result)


def recount(session: Session, match: Match, result: str) -> None:
    """Update the opening's counts for a new result, unless the match is not indexed yet.

    The caller has locked the match, and changes the row.
    """
    if match.indexed_at is None or match.daily is not None:
        return
    try:
        keys, texts = _keys_and_texts(session, match)
    except ReplayError:
        return
    for key, text in dict.fromkeys(zip(keys, texts, strict=False)):
        if match.result != PLAYING:
            _uncount(session, key, text, match.result)
        if result != PLAYING:
            _count(session, key, text, result)


def _uncount(session: Session, key: int, text: str, result: str) -> None:
    """Decrement the count of a result; delete the continuation at zero."""
    outcome = _outcome(result)
    is_this = (col(Continuation.key) == key, col(Continuation.text) == text)
    session.execute(update(Continuation).where(*is_this).values({outcome: getattr(Continuation, outcome) - 1}))
    none_left = [col(getattr(Continuation, name)) <= 0 for name in _OUTCOMES]
    session.execute(delete(Continuation).where(*is_this, *none_left))


def _outcome(result: str) -> str:
    """Return the column that counts a result."""
    return {"1-0": "first_wins", "0-1": "second_wins"}.get(result, "draws")


def _keys_and_texts(session: Session, match: Match) -> tuple[list[int], list[str]]:
    query = select(Move).where(col(Move.match_id) == match.id, col(Move.ply) <= PLIES).order_by(col(Move.ply))
    entries = [Entry(move.seat, move.text) for move in session.exec(query)]
    reached = positions(game_of(match), options_of(match), entries)
    return [position_key(match.game, match.options, position) for position in reached], [e.text for e in entries]


def _count(session: Session, key: int, text: str, result: str) -> None:
    """Increment the count in SQL, so that concurrent workers lose nothing."""
    outcome = _outcome(result)
    counts = {name: int(name == outcome) for name in _OUTCOMES}
    statement = insert_into(session, Continuation).values(key=key, text=text, **counts)
    increment = {outcome: getattr(Continuation, outcome) + 1}
    session.execute(statement.on_conflict_do_update(index_elements=["key", "text"], set_=increment))


def next_moves(session: Session, key: int) -> tuple[NextMove, ...]:
    """Return the moves that finished games played from a position, most frequent first."""
    total = col(Continuation.first_wins) + col(Continuation.draws) + col(Continuation.second_wins)
    query = select(Continuation).where(col(Continuation.key) == key).order_by(total.desc(), col(Continuation.text))
    rows = session.exec(query.limit(MOST_CONTINUATIONS))
    return tuple(NextMove(row.text, row.first_wins, row.draws, row.second_wins) for row in rows)


def merged(moves: Iterable[NextMove]) -> tuple[NextMove, ...]:
    """Add up the results of equal moves; return the most frequent moves first."""
    sums: dict[str, tuple[int, int, int]] = {}
    for one in moves:
        first, drawn, second = sums.get(one.text, (0, 0, 0))
        sums[one.text] = first + one.first_wins, drawn + one.draws, second + one.second_wins
    ways = [NextMove(text, *results) for text, results in sums.items()]
    return tuple(sorted(ways, key=lambda way: (-way.total, way.text))[:MOST_CONTINUATIONS])


def counted_moves(counts: Iterable[tuple[str, str, int]]) -> tuple[NextMove, ...]:
    """Sort these moves by frequency, from counts by move and result of the game."""
    by_text: dict[str, Counter[str]] = {}
    for text, result, count in counts:
        by_text.setdefault(text, Counter())[result] += count
    ways = [NextMove(text, of["1-0"], of.total() - of["1-0"] - of["0-1"], of["0-1"]) for text, of in by_text.items()]
    return tuple(sorted(ways, key=lambda way: (-way.total, way.text))[:MOST_CONTINUATIONS])


def after_moves(game: Game, options: Any, texts: Sequence[str]) -> tuple[tuple[str, ...], Position[Any]]:
    """Return these moves in canonical notation, with chance moves, and the position after them.

    Raises MoveError.
    """
    position, canonical = game.start(options), []
    if len(texts) > PLIES:
        raise MoveError(_("Openings are recorded for the first {count} entries.").format(count=PLIES))
    for text in texts:
        seat, move = read_at(position, text)
        canonical.append(position.write(seat, move))
        position = position.play(seat, move)
    return tuple(canonical), position


def read_at(position: Position[Any], text: str) -> tuple[int, Any]:
    """Parse a move and return its seat; for sealed choices, the first seat that can make it."""
    if not position.to_act:
        raise MoveError(_("The game is over at that point."))
    *others, last = position.to_act if position.to_act != (CHANCE,) else (CHANCE,)
    for seat in others:
        try:
            return seat, position.read(seat, text)
        except MoveError:
            continue
    return last, position.read(last, text)
