"""Ratings: one Glicko-2 rating per person and game, updated by every rated game.

The transaction that ends a game updates both ratings. Every game is its own rating period, because with the paper's
periods people would wait for months. The uncertainty grows with the time between games (`PERIOD`), whether or not the
person plays. Each game's changes are stored in full, so that they can be undone.

Results that friends could arrange have little weight. A game that ends by resignation or agreement before each side has
made `LEAST_MOVES` moves does not count, and successive games of one pair have decreasing weights (`WORTH`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.models import PLAYING, Match, Player, Rating, RatingChange
from correspondence.models.loading import game_of, moves_made, players_of
from correspondence.ratings.glicko2 import Strength, after_games
from correspondence.ratings.rating_rows import (
    ESTABLISHED_DEVIATION,
    PAIR_SPAN,
    SCORES,
    WORTH,
    change_columns,
    locked_ratings,
    store,
    strength_at,
    strength_of,
    worth_after,
)
from engines.verification.record_text import AGREEMENT, RESIGNATION
from engines.wording import _, ngettext

LEAST_MOVES = 3
"""Minimum moves of each side for a resignation or an agreed draw to change ratings."""

_BY_CONSENT = (RESIGNATION, AGREEMENT)


@dataclass(frozen=True, slots=True)
class RatingState:
    """A person's strength in a game after `games` rated games.

    A person without rated games has the initial rating, which is provisional.
    """

    rating: float
    deviation: float
    volatility: float
    games: int

    def __str__(self) -> str:
        """The displayed rating: `1512`, or `1500?` if provisional."""
        return rating_text(self.rating, self.deviation)

    @property
    def in_words(self) -> str:
        """The rating in words for letters, such as “1500 (provisional)”."""
        if self.deviation <= ESTABLISHED_DEVIATION:
            return str(round(self.rating))
        return _("{rating} (provisional)").format(rating=round(self.rating))


@dataclass(frozen=True, slots=True)
class Change:
    """The displayed change of a person's rating by a game."""

    before: str
    after: str
    difference: int

    @property
    def signed(self) -> str:
        """The difference with its sign."""
        return f"{self.difference:+d}".replace("-", "−")


def rating_text(rating: float, deviation: float) -> str:
    """Format a rating; provisional ones have a question mark."""
    return f"{round(rating)}{'?' if deviation > ESTABLISHED_DEVIATION else ''}"


_ALL_STATES = columns_of(
    *(col(Rating.person_id), col(Rating.game), col(Rating.rating), col(Rating.deviation), col(Rating.volatility)),
    *(col(Rating.updated_at), col(Rating.games)),
).where(col(Rating.person_id).in_(bindparam("persons", expanding=True)))
_STATES = _ALL_STATES.where(col(Rating.game) == bindparam("game"))


def rating_of(session: Session, person_id: int, game_key: str, *, now: datetime | None = None) -> RatingState:
    """Return a person's rating in a game after the last rated game.

    With `now`, it includes the growth of uncertainty since then.
    """
    return ratings_of(session, [person_id], game_key, now=now)[person_id]


def ratings_of(
    session: Session, person_ids: Sequence[int], game_key: str, *, now: datetime | None = None
) -> dict[int, RatingState]:
    """Return the ratings of several persons, by person id."""
    states = {row.person_id: _state_at(row, now) for row in _rows(session, person_ids, game_key)}
    return {person_id: states.get(person_id) or _state(Strength(), 0) for person_id in person_ids}


def _rows(session: Session, person_ids: Sequence[int], game_key: str) -> Sequence[Row[Any]]:
    """Return the stored ratings.

    A read-only session may have loaded them with the match (`loading.known_match`).
    """
    keys, known = [(Rating, person_id, game_key) for person_id in person_ids], db.session_cache(session)
    if db.only_reads(session) and all(key in known for key in keys):
        return [known[key] for key in keys if known[key] is not None]
    rows: Sequence[Row[Any]] = db.rows(session, _STATES, persons=list(person_ids), game=game_key)
    return rows


def ratings_by_game(
    session: Session, person_ids: Collection[int], *, now: datetime | None = None
) -> dict[tuple[int, str], RatingState]:
    """Return these persons' ratings, by person id and game, in one query."""
    rows = db.rows(session, _ALL_STATES, persons=list(person_ids))
    return {(row.person_id, row.game): _state_at(row, now) for row in rows}


def _state_at(row: Row[Any], now: datetime | None) -> RatingState:
    return _state(strength_of(row) if now is None else strength_at(strength_of(row), row.updated_at, now), row.games)


def rate(session: Session, match: Match, *, now: datetime) -> None:
    """Update both ratings by the result of a game that has just ended and is locked.

    Nothing happens if the game is unrated, was cancelled, has one player or too few moves, or if these two players have
    already played the maximum number of games that count.
    """
    if not _counts(session, match):
        return
    players = players_of(session, match.id)
    one_id, other_id = sorted(player.person_id for player in players)
    held = _held_ratings(session, match, now)
    rows = {person_id: held.rows[person_id] for person_id in (one_id, other_id)}
    worth = worth_after(held.rated_before[one_id, other_id])
    if not worth:
        return
    before = {person_id: strength_at(strength_of(row), row.updated_at, now) for person_id, row in rows.items()}
    for player, other, score in zip(players, reversed(players), SCORES[match.result], strict=True):
        after = after_games(before[player.person_id], [(before[other.person_id], score)], periods=0, weight=worth)
        _change(session, match, rows[player.person_id], other.person_id, score, after, now)


class _Held(NamedTuple):
    """Locked ratings by person, and the numbers of recent rated games by pair."""

    rows: dict[int, Rating]
    rated_before: Counter[tuple[int, int]]


def ask_ahead(session: Session, matches: Iterable[Match], *, now: datetime) -> None:
    """Prefetch and lock all ratings that these matches change, once per game.

    It works within a block of `db.asking_once`. The matches have just ended, and no person plays in two of them, so no
    prefetched rating becomes outdated.
    """
    by_game: dict[str, list[Match]] = {}
    for match in matches:
        if _counts(session, match):
            by_game.setdefault(match.game, []).append(match)
    for game, ended in sorted(by_game.items()):
        held = _hold(session, game, ended, now)
        for match in ended:
            db.asked(session)[Rating, match.id] = held


def _held_ratings(session: Session, match: Match, now: datetime) -> _Held:
    kept: _Held | None = db.asked(session).get((Rating, match.id))
    return kept if kept is not None else _hold(session, match.game, [match], now)


def _hold(session: Session, game: str, matches: Iterable[Match], now: datetime) -> _Held:
    person_ids = sorted(player.person_id for match in matches for player in players_of(session, match.id))
    rows = locked_ratings(session, person_ids, game, now)
    found = db.rows(session, _RATED_LATELY_BY_PAIR, persons=person_ids, game=game, since=now - PAIR_SPAN)
    return _Held(rows, Counter({(one, other): count for one, other, count in found}))


def was_too_short(session: Session, match: Match) -> bool:
    """Whether a finished match is unrated because it was given up or drawn in its first moves."""
    return _too_short(session, match, players_of(session, match.id))


def _counts(session: Session, match: Match) -> bool:
    """Whether the result of a finished match may change ratings."""
    is_result = match.rated and match.result in SCORES
    return is_result and not _too_short(session, match, players_of(session, match.id))


def _change(
    session: Session, match: Match, row: Rating, opponent_id: int, score: float, after: Strength, now: datetime
) -> None:
    """Store the strength of a person after a game, and the previous one."""
    change = RatingChange(
        match_id=match.id,
        person_id=row.person_id,
        opponent_id=opponent_id,
        game=match.game,
        score=score,
        at=now,
        **change_columns(row, after),
    )
    session.add(change)
    db.session_cache(session)[RatingChange, match.id, row.person_id] = change
    store(row, after, row.games + 1, now)
    session.add(row)


def change_by(session: Session, match_id: int, person_id: int) -> Change | None:
    """Return the change of a person's rating by a game; None if there was none."""
    row = db.session_cache(session).get((RatingChange, match_id, person_id))
    if row is None:
        query = select(RatingChange).where(col(RatingChange.match_id) == match_id)
        row = session.exec(query.where(col(RatingChange.person_id) == person_id)).first()
    return None if row is None else change_of(row)


def change_of(row: RatingChange | Row[Any]) -> Change:
    """Convert a stored change, or a row with its columns, for display."""
    before, after = rating_text(row.rating_before, row.deviation_before), rating_text(row.rating, row.deviation)
    return Change(before, after, round(row.rating) - round(row.rating_before))


def rating_sentence(session: Session, match: Match, person_id: int) -> str:
    """Return the sentence about ratings in a result letter; empty if there is nothing to say."""
    if len(game_of(match).seats) < 2 or match.result == PLAYING:
        return ""
    if not match.rated:
        return _("This game was not rated.")
    change = change_by(session, match.id, person_id)
    if change is None:
        return _why_not(session, match)
    sentence = _("Your rating in {game} is now {after}, after {before} ({change}).").format(
        game=_(game_of(match).name),
        after=change.after.rstrip("?"),
        before=change.before.rstrip("?"),
        change=change.signed,
    )
    return " ".join([sentence, _("It is still provisional.")]) if "?" in change.after else sentence


def _why_not(session: Session, match: Match) -> str:
    """Explain in a sentence why a finished rated game changed no rating."""
    players = players_of(session, match.id)
    if not _fewest_moves(session, match, players):
        return _("This game was not rated, because not both of you had moved.")
    if _too_short(session, match, players):
        return ngettext(
            "This game was not rated, because it was given up or drawn before each of you had made {count} move.",
            "This game was not rated, because it was given up or drawn before each of you had made {count} moves.",
            LEAST_MOVES,
        ).format(count=LEAST_MOVES)
    return _(
        "This game was not rated: {count} games between you two within {days} days have already counted, and "
        "no more can."
    ).format(count=len(WORTH), days=PAIR_SPAN.days)


def _state(strength: Strength, games: int) -> RatingState:
    return RatingState(strength.rating, strength.deviation, strength.volatility, games)


def _fewest_moves(session: Session, match: Match, players: list[Player]) -> int:
    """Return the smaller number of moves of the two sides; 0 without two sides."""
    counts = moves_made(session, match.id).by_seat
    return min(counts.get(player.seat, 0) for player in players) if len(players) == 2 else 0


def _too_short(session: Session, match: Match, players: list[Player]) -> bool:
    """Whether the game was too short for its result to be evidence of strength."""
    return _fewest_moves(session, match, players) < (LEAST_MOVES if match.reason in _BY_CONSENT else 1)


_RATED_LATELY_BY_PAIR = (
    select(RatingChange.person_id, RatingChange.opponent_id, func.count())
    .where(
        col(RatingChange.person_id).in_(bindparam("persons", expanding=True)),
        col(RatingChange.opponent_id).in_(bindparam("persons", expanding=True)),
        col(RatingChange.game) == bindparam("game"),
        col(RatingChange.at) > bindparam("since"),
    )
    .group_by(col(RatingChange.person_id), col(RatingChange.opponent_id))
)
