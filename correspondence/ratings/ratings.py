"""Ratings: one for each person and game, by Glicko-2, moved once by every rated match in the transaction that ends it.

Every match is a rating period of its own (the paper's periods would keep people waiting for months); the
uncertainty of the time between matches is added by `PERIOD`, whether or not one plays. What a match did is kept
whole, so that it can be undone.

What friends could arrange among themselves is worth little: a match that ends by resignation or agreement before
each has made `LEAST_MOVES` moves counts for nothing, and the matches of one pair count less and less (`WORTH`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from correspondence.models import PLAYING, Match, Move, Player, Rating, RatingChange
from correspondence.models.loading import AGREEMENT, RESIGNATION, game_of, players_of
from correspondence.ratings.glicko2 import Strength, lasting, rated, rested
from engines.refusal import Refusal
from engines.wording import _, ngettext

PERIOD = timedelta(days=7)
"""The time after which a deviation has grown by one volatility: sure at 60, one is at 96 after a year."""

SURE = 110.0
"""Up to this deviation a rating is established; above, it is provisional and shown with a question mark."""

MOST_PERIODS = 52 * 100
"""No rating is said to be established for longer than this, so that the date can be written."""

LEAST_MOVES = 3
"""How many moves each side has made before a resignation or a draw by agreement moves ratings."""

WORTH = (1.0, 0.5, 0.25, 0.125)
"""What the rated matches of one pair in one game count within `PAIR_SPAN`, one after the other; later ones nothing.

However many they play, they move one another's ratings by less than two matches could.
"""

PAIR_SPAN = timedelta(days=90)

_BY_CONSENT = (RESIGNATION, AGREEMENT)

_SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


class RatingError(Refusal):
    """A refusal: str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How strong a person is at a game, after `games` rated ones; who played none is at the start, provisional."""

    rating: float
    deviation: float
    volatility: float
    games: int

    @property
    def is_provisional(self) -> bool:
        """Whether little is known yet, or no longer much."""
        return self.deviation > SURE

    def __str__(self) -> str:
        """The rating as people read it: `1512`, or `1500?` while it is provisional."""
        return shown(self.rating, self.deviation)


@dataclass(frozen=True, slots=True)
class Change:
    """What a match did to somebody's rating, as people read it."""

    before: str
    after: str
    difference: int

    @property
    def signed(self) -> str:
        """The difference with its sign."""
        return f"{self.difference:+d}".replace("-", "−")


def shown(rating: float, deviation: float) -> str:
    """A rating as people read it, provisional ones with a question mark."""
    return f"{round(rating)}{'?' if deviation > SURE else ''}"


_RATINGS = select(Rating).where(
    col(Rating.person_id).in_(bindparam("persons", expanding=True)), col(Rating.game) == bindparam("game")
)


def rating_of(session: Session, person_id: int, game_key: str, *, now: datetime | None = None) -> Standing:
    """A person's rating in a game: as it was after the last rated match or, with `now`, grown uncertain since."""
    return ratings_of(session, [person_id], game_key, now=now)[person_id]


def ratings_of(
    session: Session, persons: Sequence[int], game_key: str, *, now: datetime | None = None
) -> dict[int, Standing]:
    """The same for several persons, by number."""
    found = session.exec(_RATINGS, params={"persons": list(persons), "game": game_key})
    known = {row.person_id: _standing_at(row, now) for row in found}
    return {person: known.get(person) or _standing(Strength(), 0) for person in persons}


def _standing_at(row: Rating, now: datetime | None) -> Standing:
    return _standing(_strength(row) if now is None else _grown(_strength(row), row.updated_at, now), row.games)


def rate(session: Session, match: Match, *, now: datetime) -> None:
    """Move both ratings by the result of a match that has just ended, whose row the caller holds.

    Nothing happens where it is unrated, was called off, has one player, where too few moves were made, or where
    these two have had all the matches that count.
    """
    players = players_of(session, match.id)
    if not match.rated or match.result not in _SCORES or _too_short(session, match, players):
        return
    rows = {number: _held(session, number, match.game, now) for number in sorted(p.person_id for p in players)}
    one, other_one = rows
    worth = _worth(_rated_before(session, match.game, one, other_one, now))
    if not worth:
        return
    before = {number: _grown(_strength(row), row.updated_at, now) for number, row in rows.items()}
    for player, other, score in zip(players, reversed(players), _SCORES[match.result], strict=True):
        after = rated(before[player.person_id], [(before[other.person_id], score)], periods=0, weight=worth)
        row = rows[player.person_id]
        step = _step(row, after)
        session.add(
            RatingChange(
                match_id=match.id,
                person_id=row.person_id,
                opponent_id=other.person_id,
                game=match.game,
                score=score,
                at=now,
                **step,
            )
        )
        _store(row, after, row.games + 1, now)
        session.add(row)
    session.flush()


def change_by(session: Session, match_id: int, person_id: int) -> Change | None:
    """What a match did to a person's rating; None where it did nothing."""
    found = select(RatingChange).where(col(RatingChange.match_id) == match_id, col(RatingChange.person_id) == person_id)
    row = session.exec(found).first()
    return None if row is None else change_of(row)


def change_of(row: RatingChange) -> Change:
    """A kept change as people read it."""
    before, after = shown(row.rating_before, row.deviation_before), shown(row.rating, row.deviation)
    return Change(before, after, round(row.rating) - round(row.rating_before))


def told(session: Session, match: Match, person_id: int) -> str:
    """What a letter says of ratings to a player of a match that is over; empty where there is nothing to say."""
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
    return f"{sentence} {_('The question mark says that it is still uncertain.')}" if "?" in change.after else sentence


def _why_not(session: Session, match: Match) -> str:
    """Why a rated match that is over moved no rating, as a sentence."""
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
        "This game was not rated: {count} games between you two within {days} days have counted already, no more do."
    ).format(count=len(WORTH), days=PAIR_SPAN.days)


def annul(session: Session, match_id: int) -> int:
    """Let a match no longer count: it becomes unrated, and all ratings are as if it had never been rated.

    Later matches of whoever was touched are rated again in their order; without any, the ratings before come back
    exactly. Returns how many matches were rated again. Raises RatingError.
    """
    match = session.get(Match, match_id, with_for_update=True, populate_existing=True)
    changes = [] if match is None else _changes(session, match.game, match_id)
    if match is None or not any(change.match_id == match_id for change in changes):
        raise RatingError(_("Game {number} moved no rating.").format(number=match_id))
    match.rated = False
    session.add(match)
    rows = select(Rating).where(col(Rating.game) == match.game).order_by(col(Rating.person_id)).with_for_update()
    held = {row.person_id: row for row in session.exec(rows.execution_options(populate_existing=True))}
    again, back = 0, set[int]()
    for pair in _pairs(changes):
        for change in pair:
            if change.person_id not in back:
                back.add(change.person_id)
                _put_back(held[change.person_id], change)
        if pair[0].match_id == match_id:
            for change in pair:
                session.delete(change)
        else:
            _again(session, held, pair)
            again += 1
    for number in back:
        if held[number].games:
            session.add(held[number])
        else:
            session.delete(held[number])
    session.flush()
    return again


def _standing(strength: Strength, games: int) -> Standing:
    return Standing(strength.rating, strength.deviation, strength.volatility, games)


def _strength(row: Rating) -> Strength:
    return Strength(row.rating, row.deviation, row.volatility)


def _grown(strength: Strength, since: datetime, now: datetime) -> Strength:
    return rested(strength, (now - since) / PERIOD)


def _fewest_moves(session: Session, match: Match, players: list[Player]) -> int:
    """How many moves the side has made that made fewer; 0 where there are no two sides."""
    found = select(Move.seat, func.count()).where(col(Move.match_id) == match.id, col(Move.seat) >= 0)
    made = dict(session.exec(found.group_by(col(Move.seat))).all())
    return min(made.get(player.seat, 0) for player in players) if len(players) == 2 else 0


def _too_short(session: Session, match: Match, players: list[Player]) -> bool:
    """Whether too little was played for the result to say anything about strength."""
    return _fewest_moves(session, match, players) < (LEAST_MOVES if match.reason in _BY_CONSENT else 1)


def _rated_before(session: Session, game: str, one: int, other: int, now: datetime, change: int | None = None) -> int:
    """How many matches of two persons were rated within `PAIR_SPAN` before `now`; with `change`, before that one."""
    found = select(func.count()).where(
        col(RatingChange.person_id) == one,
        col(RatingChange.opponent_id) == other,
        col(RatingChange.game) == game,
        col(RatingChange.at) > now - PAIR_SPAN,
    )
    return session.exec(found if change is None else found.where(col(RatingChange.id) < change)).one()


def _worth(earlier: int) -> float:
    """What a match counts after so many others of the same two."""
    return WORTH[earlier] if earlier < len(WORTH) else 0.0


def _held(session: Session, person_id: int, game: str, now: datetime) -> Rating:
    """The row of a person's rating, made where there was none, and held until the transaction ends."""
    wanted = (
        select(Rating)
        .where(col(Rating.person_id) == person_id, col(Rating.game) == game)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    row = session.exec(wanted).first()
    if row is not None:
        return row
    first = Strength()
    try:
        with session.begin_nested():
            session.add(
                Rating(
                    person_id=person_id,
                    game=game,
                    rating=first.rating,
                    deviation=first.deviation,
                    volatility=first.volatility,
                    updated_at=now,
                    sure_until=_sure_until(first, now),
                )
            )
    except IntegrityError:  # somebody else's first rated match ended at the same moment
        pass
    return session.exec(wanted).one()


def _store(row: Rating, strength: Strength, games: int, at: datetime) -> None:
    row.rating, row.deviation, row.volatility = strength.rating, strength.deviation, strength.volatility
    row.games, row.updated_at, row.sure_until = games, at, _sure_until(strength, at)


def _sure_until(strength: Strength, at: datetime) -> datetime:
    periods = lasting(strength, SURE)
    return at + PERIOD * min(max(periods, -1.0), MOST_PERIODS)


def _step(row: Rating, after: Strength) -> dict[str, Any]:
    """What a change keeps of the state before and after."""
    return {
        "games_before": row.games,
        "before_at": row.updated_at if row.games else None,
        "rating_before": row.rating,
        "deviation_before": row.deviation,
        "volatility_before": row.volatility,
        "rating": after.rating,
        "deviation": after.deviation,
        "volatility": after.volatility,
    }


def _put_back(row: Rating, change: RatingChange) -> None:
    before = Strength(change.rating_before, change.deviation_before, change.volatility_before)
    _store(row, before, change.games_before, change.before_at or change.at)


def _again(session: Session, held: dict[int, Rating], pair: list[RatingChange]) -> None:
    """Rate a match once more, from where its players now stand."""
    first = pair[0]
    worth = _worth(_rated_before(session, first.game, first.person_id, first.opponent_id, first.at, first.id))
    before = {c.person_id: _grown(_strength(held[c.person_id]), held[c.person_id].updated_at, c.at) for c in pair}
    for change in pair:
        row = held[change.person_id]
        after = rated(before[change.person_id], [(before[change.opponent_id], change.score)], periods=0, weight=worth)
        for name, value in _step(row, after).items():
            setattr(change, name, value)
        _store(row, after, row.games + 1, change.at)


def _changes(session: Session, game: str, match_id: int) -> list[RatingChange]:
    """The changes of a match and all later ones in its game, in order; those of one match beside each other."""
    first = select(RatingChange.id).where(col(RatingChange.match_id) == match_id).order_by(col(RatingChange.id))
    number = session.exec(first).first()
    if number is None:
        return []
    later = select(RatingChange).where(col(RatingChange.game) == game, col(RatingChange.id) >= number)
    return list(session.exec(later.order_by(col(RatingChange.id))))


def _pairs(changes: Iterable[RatingChange]) -> list[list[RatingChange]]:
    pairs: dict[int, list[RatingChange]] = {}
    for change in changes:
        pairs.setdefault(change.match_id, []).append(change)
    return list(pairs.values())
