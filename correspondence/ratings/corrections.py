"""Recompute ratings after a game changed or accounts were merged.

A game changes if it is annulled, corrected or reinstated. Each game's rating changes are stored in full, so all later
ratings can be recomputed in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, update
from sqlmodel import Session, col, func, or_, select

from correspondence.core import db
from correspondence.models import Match, Rating, RatingChange
from correspondence.models.loading import players_of
from correspondence.ratings.glicko2 import Strength, after_games
from correspondence.ratings.rating_rows import (
    PAIR_SPAN,
    SCORES,
    change_columns,
    columns_before,
    locked_ratings,
    store,
    strength_at,
    strength_of,
    worth_after,
)
from engines.refusal import Refusal
from engines.wording import _

_RATED_BEFORE = select(func.count()).where(
    col(RatingChange.person_id) == bindparam("one"),
    col(RatingChange.opponent_id) == bindparam("other"),
    col(RatingChange.game) == bindparam("game"),
    col(RatingChange.at) > bindparam("since"),
    col(RatingChange.id) < bindparam("change"),
)


class RatingError(Refusal):
    """Raised if a rating correction is refused; str() is a sentence."""


def annul(session: Session, match_id: int) -> int:
    """Annul a game: make it unrated, and recompute all ratings without it.

    Later games of all affected players are rated again in order. If there are none, the earlier ratings are restored
    exactly. Returns the number of games rated again. Raises RatingError.
    """
    match = session.get(Match, match_id, with_for_update=True, populate_existing=True)
    changes = [] if match is None else _changes(session, match.game, match_id)
    if match is None or not any(change.match_id == match_id for change in changes):
        raise RatingError(_("Game {number} changed no rating.").format(number=match_id))
    match.rated = False
    session.add(match)
    return _rate_from(session, match.game, changes, without=match_id)


def scores_of(session: Session, match_id: int) -> list[dict[str, Any]]:
    """Return the data with which `reinstate` can undo an annulment; empty if no rating changed."""
    rows = session.exec(
        select(RatingChange).where(col(RatingChange.match_id) == match_id).order_by(col(RatingChange.id))
    )
    names = ("id", "person_id", "opponent_id", "score")
    return [{**{name: getattr(row, name) for name in names}, "at": row.at.isoformat()} for row in rows]


def correct(session: Session, match: Match) -> int:
    """Rate a game again by its current result, and all later games.

    The caller has locked the match. Returns the number of games rated again; 0 if the game changed no rating.
    """
    changes = _changes(session, match.game, match.id)
    scores = {
        player.person_id: score
        for player, score in zip(players_of(session, match.id), SCORES[match.result], strict=True)
    }
    for change in changes:
        if change.match_id == match.id:
            change.score = scores[change.person_id]
            session.add(change)
    return _rate_from(session, match.game, changes) if changes else 0


def reinstate(session: Session, match: Match, scores: Sequence[Mapping[str, Any]]) -> int:
    """Reinstate an annulled game at its original place; `scores` is the result of `scores_of`.

    The caller has locked the match. Returns the number of games rated again.
    """
    match.rated = True
    session.add(match)
    if not scores:
        return 0
    _make_room(session, min(int(one["id"]) for one in scores), len(scores))
    at = datetime.fromisoformat(scores[0]["at"])
    rows = locked_ratings(session, [one["person_id"] for one in scores], match.game, at)
    for one in scores:
        row = rows[one["person_id"]]
        later = select(RatingChange).where(
            col(RatingChange.person_id) == row.person_id, col(RatingChange.id) > one["id"]
        )
        following = session.exec(
            later.where(col(RatingChange.game) == match.game).order_by(col(RatingChange.id))
        ).first()
        before = columns_before(row) if following is None else _columns_before_change(following)
        session.add(RatingChange(
            id=one["id"], match_id=match.id, person_id=row.person_id, opponent_id=one["opponent_id"], game=match.game,
            score=one["score"], at=at, rating=0.0, deviation=0.0, volatility=0.0, **before,
        ))  # fmt: skip
    session.flush()
    return _rate_from(session, match.game, _changes(session, match.game, match.id))


def merge(session: Session, kept_id: int, other_id: int, *, now: datetime) -> int:
    """Transfer a person's rated games to another and recompute ratings; return their number.

    The caller has already annulled the games between the two.
    """
    of_other = or_(col(RatingChange.person_id) == other_id, col(RatingChange.opponent_id) == other_id)
    games = sorted(set(session.exec(select(RatingChange.game).where(of_other))))
    for name in ("person_id", "opponent_id"):
        moved = update(RatingChange).where(getattr(RatingChange, name) == other_id).values({name: kept_id})
        session.execute(moved, execution_options={"synchronize_session": False})
    session.execute(delete(Rating).where(col(Rating.person_id) == other_id))
    session.expire_all()
    return sum(_rate_all_of(session, kept_id, game, now) for game in games)


def _rate_all_of(session: Session, person_id: int, game: str, now: datetime) -> int:
    """Rate again all of a person's games of one kind, and all games affected by them."""
    locked_ratings(session, [person_id], game, now)
    own = select(RatingChange).where(col(RatingChange.person_id) == person_id, col(RatingChange.game) == game)
    first = session.exec(own.order_by(col(RatingChange.id))).first()
    if first is None:
        return 0
    initial = Strength()
    first.games_before, first.before_at = 0, None
    first.rating_before, first.deviation_before = initial.rating, initial.deviation
    first.volatility_before = initial.volatility
    session.add(first)
    session.flush()
    return _rate_from(session, game, _changes(session, game, first.match_id))


def _rate_from(session: Session, game: str, changes: Sequence[RatingChange], *, without: int | None = None) -> int:
    """Rate the games of these changes again in order; return the number of games.

    Each person starts from the rating before the first change. The changes of the game `without` are deleted instead.
    """
    rows = select(Rating).where(col(Rating.game) == game).order_by(col(Rating.person_id)).with_for_update()
    ratings = {row.person_id: row for row in session.exec(rows.execution_options(populate_existing=True))}
    rated_again, restored_ids = 0, set[int]()
    for pair in _pairs(changes):
        for change in pair:
            if change.person_id not in restored_ids:
                restored_ids.add(change.person_id)
                _restore(ratings[change.person_id], change)
        if pair[0].match_id == without:
            for change in pair:
                session.delete(change)
        else:
            _rate_again(session, ratings, pair)
            rated_again += 1
    for person_id in restored_ids:
        if ratings[person_id].games:
            session.add(ratings[person_id])
        else:
            session.delete(ratings[person_id])
    session.flush()
    return rated_again


def _rate_again(session: Session, ratings: dict[int, Rating], pair: list[RatingChange]) -> None:
    """Rate a game again from the current ratings of its players."""
    worth = worth_after(_rated_before(session, pair[0]))
    before = {
        c.person_id: strength_at(strength_of(ratings[c.person_id]), ratings[c.person_id].updated_at, c.at) for c in pair
    }
    for change in pair:
        row = ratings[change.person_id]
        after = after_games(
            before[change.person_id], [(before[change.opponent_id], change.score)], periods=0, weight=worth
        )
        for name, value in change_columns(row, after).items():
            setattr(change, name, value)
        store(row, after, row.games + 1, change.at)


def _rated_before(session: Session, change: RatingChange) -> int:
    """Count the rated games of the same pair within `PAIR_SPAN` before a change."""
    pair = {"one": change.person_id, "other": change.opponent_id, "game": change.game}
    count: int = db.value(session, _RATED_BEFORE, **pair, since=change.at - PAIR_SPAN, change=change.id)
    return count


def _restore(row: Rating, change: RatingChange) -> None:
    before = Strength(change.rating_before, change.deviation_before, change.volatility_before)
    store(row, before, change.games_before, change.before_at or change.at)


def _make_room(session: Session, first_id: int, count: int) -> None:
    """Free `count` ids from `first_id` on, by increasing the ids of all later changes."""
    taken = select(RatingChange.id).where(col(RatingChange.id).between(first_id, first_id + count - 1))
    if session.exec(taken).first() is None:
        return
    later = select(RatingChange.id).where(col(RatingChange.id) >= first_id).order_by(col(RatingChange.id).desc())
    for number in session.exec(later).all():
        moved = update(RatingChange).where(col(RatingChange.id) == number).values(id=number + count)
        session.execute(moved, execution_options={"synchronize_session": False})
    session.expire_all()


def _columns_before_change(change: RatingChange) -> dict[str, Any]:
    """Return the columns of a rating from the state before the person's next change."""
    names = ("games_before", "before_at", "rating_before", "deviation_before", "volatility_before")
    return {name: getattr(change, name) for name in names}


def _changes(session: Session, game: str, match_id: int) -> list[RatingChange]:
    """Return the changes of a game and of all later ones of its kind, in order."""
    first = select(RatingChange.id).where(col(RatingChange.match_id) == match_id).order_by(col(RatingChange.id))
    first_id = session.exec(first).first()
    if first_id is None:
        return []
    later = select(RatingChange).where(col(RatingChange.game) == game, col(RatingChange.id) >= first_id)
    return list(session.exec(later.order_by(col(RatingChange.id))))


def _pairs(changes: Iterable[RatingChange]) -> list[list[RatingChange]]:
    pairs: dict[int, list[RatingChange]] = {}
    for change in changes:
        pairs.setdefault(change.match_id, []).append(change)
    return list(pairs.values())
