"""Ratings: one per person and game, by Glicko-2, updated by every rated game in the transaction that ends it.

Every game is a rating period of its own (the paper's periods would keep people waiting for months). The uncertainty of
the time between games is added by `PERIOD`, whether or not the person plays. What a game changed is stored in full, so
that it can be undone.

Results that friends could arrange are worth little: a game that ends by resignation or agreement before each side has
made `LEAST_MOVES` moves counts for nothing, and the games of one pair count less and less (`WORTH`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select

from correspondence.core import db
from correspondence.models import PLAYING, Match, Player, Rating, RatingChange
from correspondence.models.loading import game_of, moves_made, players_of
from correspondence.ratings.glicko2 import Strength, after_games, after_idle, idle_periods_until
from engines.refusal import Refusal
from engines.verification.record_text import AGREEMENT, RESIGNATION
from engines.wording import _, ngettext

PERIOD = timedelta(days=7)
"""The time in which a deviation grows by one volatility: a deviation of 60 becomes 96 after a year."""

ESTABLISHED_DEVIATION = 110.0
"""Up to this deviation a rating is established; above, it is provisional and shown with a question mark."""

MOST_PERIODS = 52 * 100
"""No rating counts as established for longer than this many periods, so that the date can be represented."""

LEAST_MOVES = 3
"""How many moves each side must have made for a resignation or an agreed draw to change ratings."""

WORTH = (1.0, 0.5, 0.25, 0.125)
"""The weights of one pair's successive rated games of one kind within `PAIR_SPAN`; further games count nothing.

However many they play, they change each other's ratings by less than two games could.
"""

PAIR_SPAN = timedelta(days=90)

_BY_CONSENT = (RESIGNATION, AGREEMENT)

_SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


class RatingError(Refusal):
    """A refusal; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class RatingState:
    """A person's strength at a game after `games` rated games.

    A person without any has the initial rating, which is provisional.
    """

    rating: float
    deviation: float
    volatility: float
    games: int

    def __str__(self) -> str:
        """The rating as it is shown: `1512`, or `1500?` while it is provisional."""
        return rating_text(self.rating, self.deviation)


@dataclass(frozen=True, slots=True)
class Change:
    """How a game changed a person's rating, as it is shown."""

    before: str
    after: str
    difference: int

    @property
    def signed(self) -> str:
        """The difference with its sign."""
        return f"{self.difference:+d}".replace("-", "−")


def rating_text(rating: float, deviation: float) -> str:
    """A rating as it is shown; provisional ones have a question mark."""
    return f"{round(rating)}{'?' if deviation > ESTABLISHED_DEVIATION else ''}"


_RATINGS = select(Rating).where(
    col(Rating.person_id).in_(bindparam("persons", expanding=True)), col(Rating.game) == bindparam("game")
)

_ALL_RATINGS = select(Rating).where(col(Rating.person_id).in_(bindparam("persons", expanding=True)))


def rating_of(session: Session, person_id: int, game_key: str, *, now: datetime | None = None) -> RatingState:
    """A person's rating in a game: after the last rated game or, with `now`, with the uncertainty grown since."""
    return ratings_of(session, [person_id], game_key, now=now)[person_id]


def ratings_of(
    session: Session, person_ids: Sequence[int], game_key: str, *, now: datetime | None = None
) -> dict[int, RatingState]:
    """The same for several persons, by person id."""
    rows = session.exec(_RATINGS, params={"persons": list(person_ids), "game": game_key})
    states = {row.person_id: _state_at(row, now) for row in rows}
    return {person_id: states.get(person_id) or _state(Strength(), 0) for person_id in person_ids}


def ratings_by_game(
    session: Session, person_ids: Collection[int], *, now: datetime | None = None
) -> dict[tuple[int, str], RatingState]:
    """The ratings of these persons in every game in which they have one, by person id and game, by one statement."""
    rows = session.exec(_ALL_RATINGS, params={"persons": list(person_ids)})
    return {(row.person_id, row.game): _state_at(row, now) for row in rows}


def _state_at(row: Rating, now: datetime | None) -> RatingState:
    return _state(_strength_of(row) if now is None else _strength_at(_strength_of(row), row.updated_at, now), row.games)


def rate(session: Session, match: Match, *, now: datetime) -> None:
    """Update both ratings by the result of a game that has just ended, whose row the caller has locked.

    Nothing happens where the game is unrated, was called off, has one player or too few moves, or where these two
    players have already played all the games that count.
    """
    players = players_of(session, match.id)
    if not match.rated or match.result not in _SCORES or _too_short(session, match, players):
        return
    rows = _locked_ratings(session, sorted(player.person_id for player in players), match.game, now)
    one_id, other_id = rows
    worth = _worth(_rated_before(session, match.game, one_id, other_id, now))
    if not worth:
        return
    before = {person_id: _strength_at(_strength_of(row), row.updated_at, now) for person_id, row in rows.items()}
    for player, other, score in zip(players, reversed(players), _SCORES[match.result], strict=True):
        after = after_games(before[player.person_id], [(before[other.person_id], score)], periods=0, weight=worth)
        _change(session, match, rows[player.person_id], other.person_id, score, after, now)


def _change(
    session: Session, match: Match, row: Rating, opponent_id: int, score: float, after: Strength, now: datetime
) -> None:
    """Store the strength of a person after a game, and what it was before."""
    change = RatingChange(
        match_id=match.id,
        person_id=row.person_id,
        opponent_id=opponent_id,
        game=match.game,
        score=score,
        at=now,
        **_change_columns(row, after),
    )
    session.add(change)
    db.session_cache(session)[RatingChange, match.id, row.person_id] = change
    _store(row, after, row.games + 1, now)
    session.add(row)


def change_by(session: Session, match_id: int, person_id: int) -> Change | None:
    """How a game changed a person's rating; None where it did not."""
    row = db.session_cache(session).get((RatingChange, match_id, person_id))
    if row is None:
        query = select(RatingChange).where(col(RatingChange.match_id) == match_id)
        row = session.exec(query.where(col(RatingChange.person_id) == person_id)).first()
    return None if row is None else change_of(row)


def change_of(row: RatingChange | Row[Any]) -> Change:
    """A stored change, or a row with its columns, as it is shown."""
    before, after = rating_text(row.rating_before, row.deviation_before), rating_text(row.rating, row.deviation)
    return Change(before, after, round(row.rating) - round(row.rating_before))


def rating_sentence(session: Session, match: Match, person_id: int) -> str:
    """What a letter tells a player of a finished game about ratings; empty where there is nothing to say."""
    if len(game_of(match).seats) < 2 or match.result == PLAYING:
        return ""
    if not match.rated:
        return _("This game was not rated.")
    change = change_by(session, match.id, person_id)
    if change is None:
        return _why_not(session, match)
    sentence = _("Your rating in {game}: {after} (before: {before}, change {change}).")
    sentence = sentence.format(
        game=_(game_of(match).name), after=change.after, before=change.before, change=change.signed
    )
    doubt = _("The question mark says that it is still uncertain.") if "?" in change.after else ""
    return f"{sentence} {doubt}".strip()


def _why_not(session: Session, match: Match) -> str:
    """Why a rated game that is over changed no rating, as a sentence."""
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


def annul(session: Session, match_id: int) -> int:
    """Make a game count no longer: it becomes unrated, and all ratings are as if it had never been rated.

    Later games of everybody affected are rated again in order; without any, the earlier ratings are restored exactly.
    Returns how many games were rated again. Raises RatingError.
    """
    match = session.get(Match, match_id, with_for_update=True, populate_existing=True)
    changes = [] if match is None else _changes(session, match.game, match_id)
    if match is None or not any(change.match_id == match_id for change in changes):
        raise RatingError(_("Game {number} changed no rating.").format(number=match_id))
    match.rated = False
    session.add(match)
    return _rate_from(session, match.game, changes, without=match_id)


def scores_of(session: Session, match_id: int) -> list[dict[str, Any]]:
    """What `reinstate` needs to count a game again after it was annulled, as plain data; empty where it moved no rating."""
    rows = session.exec(
        select(RatingChange).where(col(RatingChange.match_id) == match_id).order_by(col(RatingChange.id))
    )
    names = ("id", "person_id", "opponent_id", "score")
    return [{**{name: getattr(row, name) for name in names}, "at": row.at.isoformat()} for row in rows]


def correct(session: Session, match: Match) -> int:
    """Count a game by the result that its row says by now, at its place; all later ones are rated again.

    The caller holds the match. Returns how many games were rated again; 0 where the game moved no rating.
    """
    changes = _changes(session, match.game, match.id)
    scores = {
        player.person_id: score
        for player, score in zip(players_of(session, match.id), _SCORES[match.result], strict=True)
    }
    for change in changes:
        if change.match_id == match.id:
            change.score = scores[change.person_id]
            session.add(change)
    return _rate_from(session, match.game, changes) if changes else 0


def reinstate(session: Session, match: Match, scores: Sequence[Mapping[str, Any]]) -> int:
    """Count an annulled game again, at its place among the others; `scores` are what `scores_of` said before.

    The caller holds the match. Returns how many games were rated again.
    """
    match.rated = True
    session.add(match)
    if not scores:
        return 0
    _make_room(session, min(int(one["id"]) for one in scores), len(scores))
    at = datetime.fromisoformat(scores[0]["at"])
    rows = _locked_ratings(session, [one["person_id"] for one in scores], match.game, at)
    for one in scores:
        row = rows[one["person_id"]]
        later = select(RatingChange).where(
            col(RatingChange.person_id) == row.person_id, col(RatingChange.id) > one["id"]
        )
        following = session.exec(
            later.where(col(RatingChange.game) == match.game).order_by(col(RatingChange.id))
        ).first()
        before = _columns_before(row) if following is None else _columns_before_change(following)
        session.add(RatingChange(
            id=one["id"], match_id=match.id, person_id=row.person_id, opponent_id=one["opponent_id"], game=match.game,
            score=one["score"], at=at, rating=0.0, deviation=0.0, volatility=0.0, **before,
        ))  # fmt: skip
    session.flush()
    return _rate_from(session, match.game, _changes(session, match.game, match.id))


def merge(session: Session, kept_id: int, other_id: int, *, now: datetime) -> int:
    """Let all rated games of one person be another's, and work out every rating that follows; returns how many games.

    The caller has annulled the games between the two.
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
    """Rate all games of a person of one kind again, as from the first, and whatever follows from them."""
    _locked_ratings(session, [person_id], game, now)
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


def _make_room(session: Session, first_id: int, count: int) -> None:
    """Move later changes up where one of them has a number that is wanted: SQLite gives the highest one again."""
    taken = select(RatingChange.id).where(col(RatingChange.id).between(first_id, first_id + count - 1))
    if session.exec(taken).first() is None:
        return
    later = select(RatingChange.id).where(col(RatingChange.id) >= first_id).order_by(col(RatingChange.id).desc())
    for number in session.exec(later).all():
        moved = update(RatingChange).where(col(RatingChange.id) == number).values(id=number + count)
        session.execute(moved, execution_options={"synchronize_session": False})
    session.expire_all()


def _columns_before(row: Rating) -> dict[str, Any]:
    """What a change stores of the state before, for a person whose state is this."""
    return {
        "games_before": row.games, "before_at": row.updated_at if row.games else None, "rating_before": row.rating,
        "deviation_before": row.deviation, "volatility_before": row.volatility,
    }  # fmt: skip


def _columns_before_change(change: RatingChange) -> dict[str, Any]:
    """The same, where this is the person's next change."""
    names = ("games_before", "before_at", "rating_before", "deviation_before", "volatility_before")
    return {name: getattr(change, name) for name in names}


def _rate_from(session: Session, game: str, changes: Sequence[RatingChange], *, without: int | None = None) -> int:
    """Rate these changes again in order, from the ratings before the first of each person; returns how many games.

    Those of the game `without` are deleted instead.
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


def _state(strength: Strength, games: int) -> RatingState:
    return RatingState(strength.rating, strength.deviation, strength.volatility, games)


def _strength_of(row: Rating) -> Strength:
    return Strength(row.rating, row.deviation, row.volatility)


def _strength_at(strength: Strength, since: datetime, now: datetime) -> Strength:
    return after_idle(strength, (now - since) / PERIOD)


def _fewest_moves(session: Session, match: Match, players: list[Player]) -> int:
    """How many moves the side with fewer moves has made; 0 where there are not two sides."""
    counts = moves_made(session, match.id).by_seat
    return min(counts.get(player.seat, 0) for player in players) if len(players) == 2 else 0


def _too_short(session: Session, match: Match, players: list[Player]) -> bool:
    """Whether the game was too short for its result to say anything about strength."""
    return _fewest_moves(session, match, players) < (LEAST_MOVES if match.reason in _BY_CONSENT else 1)


_RATED_LATELY = select(func.count()).where(
    col(RatingChange.person_id) == bindparam("one"),
    col(RatingChange.opponent_id) == bindparam("other"),
    col(RatingChange.game) == bindparam("game"),
    col(RatingChange.at) > bindparam("since"),
)

_RATED_BEFORE_IT = _RATED_LATELY.where(col(RatingChange.id) < bindparam("change"))


def _rated_before(session: Session, game: str, one: int, other: int, now: datetime, change: int | None = None) -> int:
    """How many games of two persons were rated within `PAIR_SPAN` before `now`; with `change`, before that change."""
    pair = {"one": one, "other": other, "game": game, "since": now - PAIR_SPAN}
    before = {} if change is None else {"change": change}
    count: int = db.value(session, _RATED_BEFORE_IT if before else _RATED_LATELY, **pair, **before)
    return count


def _worth(earlier: int) -> float:
    """The weight of a game after so many others of the same pair."""
    return WORTH[earlier] if earlier < len(WORTH) else 0.0


_LOCKED_RATINGS = _RATINGS.order_by(col(Rating.person_id)).with_for_update()


def _locked_ratings(session: Session, person_ids: Sequence[int], game: str, now: datetime) -> dict[int, Rating]:
    """The rows of these persons' ratings in this order, created where there was none, and locked until the end."""
    params, options = {"persons": list(person_ids), "game": game}, {"populate_existing": True}
    found = session.exec(_LOCKED_RATINGS, params=params, execution_options=options).all()
    missing = set(person_ids) - {row.person_id for row in found}
    if missing:
        for person_id in sorted(missing):
            _begin_rating(session, person_id, game, now)
        found = session.exec(_LOCKED_RATINGS, params=params, execution_options=options).all()
    return {row.person_id: row for row in found}


def _begin_rating(session: Session, person_id: int, game: str, now: datetime) -> None:
    """Add the row of a person's rating before their first rated match."""
    initial = Strength()
    try:
        with session.begin_nested():
            session.add(
                Rating(
                    person_id=person_id,
                    game=game,
                    rating=initial.rating,
                    deviation=initial.deviation,
                    volatility=initial.volatility,
                    updated_at=now,
                    established_until=_established_until(initial, now),
                )
            )
    except IntegrityError:  # somebody else's first rated match ended at the same moment
        pass


def _store(row: Rating, strength: Strength, games: int, at: datetime) -> None:
    row.rating, row.deviation, row.volatility = strength.rating, strength.deviation, strength.volatility
    row.games, row.updated_at, row.established_until = games, at, _established_until(strength, at)


def _established_until(strength: Strength, at: datetime) -> datetime:
    periods = idle_periods_until(strength, ESTABLISHED_DEVIATION)
    return at + PERIOD * min(max(periods, -1.0), MOST_PERIODS)


def _change_columns(row: Rating, after: Strength) -> dict[str, Any]:
    """What a change stores of the state before and after."""
    return _columns_before(row) | {
        "rating": after.rating, "deviation": after.deviation, "volatility": after.volatility,
    }  # fmt: skip


def _restore(row: Rating, change: RatingChange) -> None:
    before = Strength(change.rating_before, change.deviation_before, change.volatility_before)
    _store(row, before, change.games_before, change.before_at or change.at)


def _rate_again(session: Session, ratings: dict[int, Rating], pair: list[RatingChange]) -> None:
    """Rate a game once more, from the present ratings of its players."""
    first = pair[0]
    worth = _worth(_rated_before(session, first.game, first.person_id, first.opponent_id, first.at, first.id))
    before = {
        c.person_id: _strength_at(_strength_of(ratings[c.person_id]), ratings[c.person_id].updated_at, c.at)
        for c in pair
    }
    for change in pair:
        row = ratings[change.person_id]
        after = after_games(
            before[change.person_id], [(before[change.opponent_id], change.score)], periods=0, weight=worth
        )
        for name, value in _change_columns(row, after).items():
            setattr(change, name, value)
        _store(row, after, row.games + 1, change.at)


def _changes(session: Session, game: str, match_id: int) -> list[RatingChange]:
    """The changes of a game and of all later ones of its kind, in order."""
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
