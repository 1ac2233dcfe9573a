"""Facts about a person as a possible opponent, as plain values.

Rating, reliability, languages, absence and past opponents are collected here from the other packages, so that the code
that checks seeks needs no queries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.clocks import vacations
from correspondence.models import Address, DirectoryListing, Match, Move, Person, Player, PostalMember
from correspondence.ratings.ratings import RatingState, ratings_by_game
from correspondence.ratings.reliability import reliabilities

LAST_MOVES = 30
"""Number of a person's last moves that determine their tempo."""

LEAST_MOVES = 3
"""Minimum number of moves for a tempo."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person as a possible opponent in one game.

    `rating` is None without a rated game. `reliability` (percent) and `tempo` (average time per move) are None if
    unknown. `game_limit_reason` is a sentence that says why they can start no more games, or empty. `met` maps past
    opponents' ids to the start of their last common game. `zone` and `language` are used to write dates for them.
    """

    id: int
    handle: str
    rating: int | None = None
    reliability: int | None = None
    languages: frozenset[str] = frozenset()
    away_until: datetime | None = None
    has_left: bool = False
    game_limit_reason: str = ""
    blocked: frozenset[int] = frozenset()
    met: Mapping[int, datetime] | None = None
    tempo: timedelta | None = None
    zone: str = "UTC"
    language: str = "en"

    def last_met(self, other: Candidate) -> datetime | None:
        """Return when these two last started a game with each other, or None."""
        return (self.met or {}).get(other.id)


def candidate_of(session: Session, person: Person, game: str, *, now: datetime) -> Candidate:
    """Return the current facts about a person as an opponent in this game."""
    known = candidates_of(session, [(person, game)], now=now)[person.id, game]
    return replace(known, tempo=tempo(session, person.id))


def candidates_of(
    session: Session, wanted: Iterable[tuple[Person, str]], *, now: datetime
) -> dict[tuple[int, str], Candidate]:
    """Return a candidate without tempo for each person and game, by person id and game.

    The number of queries does not depend on the number of persons. Lists do not need the tempo, which is expensive to
    compute.
    """
    pairs = list(wanted)
    persons = {person.id: person for person, _game in pairs}
    ids = list(persons)
    ratings, reliable = ratings_by_game(session, ids, now=now), reliabilities(session, ids, now=now)
    languages, left, met = _languages(session, persons), _departed(session, ids), _met(session, ids)
    back = vacations.absences_until(session, ids, now)
    full, blocked = relations.no_room_reasons(session, ids), relations.blocked_ids_of(session, ids)
    return {
        (person.id, game): Candidate(
            person.id,
            person.handle,
            rating=_shown(ratings.get((person.id, game))),
            reliability=reliable[person.id].percent,
            languages=languages[person.id],
            away_until=back.get(person.id),
            has_left=person.id in left,
            game_limit_reason=full.get(person.id, ""),
            blocked=blocked[person.id],
            met=met[person.id],
            zone=person.zone,
            language=person.language,
        )
        for person, game in pairs
    }


def _shown(state: RatingState | None) -> int | None:
    """Return a rating as shown; None without a rated game."""
    return round(state.rating) if state is not None and state.games else None


def away_until(session: Session, person_id: int, *, now: datetime) -> datetime | None:
    """Return when a person who is away now comes back; None if they are not away."""
    return vacations.absent_until(session, person_id, now)


def has_left(session: Session, person_id: int) -> bool:
    """Whether a person no longer plays here: neither mail nor cards reach them."""
    return bool(_departed(session, [person_id]))


def _departed(session: Session, person_ids: Collection[int]) -> frozenset[int]:
    by_mail = select(Address.person_id).where(col(Address.person_id).in_(person_ids))
    by_post = select(PostalMember.person_id).where(
        col(PostalMember.person_id).in_(person_ids), col(PostalMember.plays_by_post)
    )
    return frozenset(person_ids) - {person_id for (person_id,) in session.execute(by_mail.union(by_post))}


def _languages(session: Session, persons: Mapping[int, Person]) -> dict[int, frozenset[str]]:
    """Return each person's languages (ISO 639-1), from settings and directory entry."""
    query = select(DirectoryListing.person_id, DirectoryListing.languages)
    listed = dict(session.exec(query.where(col(DirectoryListing.person_id).in_(list(persons)))).all())
    return {one: frozenset([person.language, *listed.get(one, "").split()]) for one, person in persons.items()}


def _met(session: Session, person_ids: Collection[int]) -> dict[int, dict[int, datetime]]:
    """Return when each person last started a game with each past opponent, by person ids."""
    mine, other = aliased(Player), aliased(Player)
    query = (
        select(mine.person_id, other.person_id, func.max(Match.started_at))
        .select_from(mine)
        .join(other, (col(other.match_id) == col(mine.match_id)) & (col(other.id) != col(mine.id)))
        .join(Match, col(Match.id) == col(mine.match_id))
        .where(col(mine.person_id).in_(person_ids))
        .group_by(col(mine.person_id), col(other.person_id))
    )
    met: dict[int, dict[int, datetime]] = {person_id: {} for person_id in person_ids}
    for person_id, opponent_id, at in session.exec(query):
        met[person_id][opponent_id] = at
    return met


def tempo(session: Session, person_id: int) -> timedelta | None:
    """Return a person's average time over their last moves; None before the third move."""
    return tempos(session, [person_id]).get(person_id)


def tempos(session: Session, person_ids: Collection[int]) -> dict[int, timedelta]:
    """Return `tempo` for each of these persons who has one, in one query."""
    place = func.row_number().over(partition_by=col(Player.person_id), order_by=col(Move.id).desc())
    moves = (
        select(col(Player.person_id).label("person_id"), col(Move.spent).label("spent"), place.label("place"))
        .join(Player, (col(Player.match_id) == col(Move.match_id)) & (col(Player.seat) == col(Move.seat)))
        .where(col(Player.person_id).in_(person_ids))
        .subquery()
    )
    query = (
        select(moves.c.person_id, func.sum(moves.c.spent), func.count())
        .where(moves.c.place <= LAST_MOVES)
        .group_by(moves.c.person_id)
    )
    return {one: timedelta(seconds=total / count) for one, total, count in session.exec(query) if count >= LEAST_MOVES}
