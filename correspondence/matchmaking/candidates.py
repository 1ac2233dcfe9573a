"""What counts about a person as a possible opponent: rating, reliability, languages, absence, past opponents.

Collected here from the other packages, so that the code that judges a seek looks at plain values only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, exists, func, or_, select

from correspondence.accounts import relations
from correspondence.clocks import vacations
from correspondence.models import Address, DirectoryListing, Match, Move, Person, Player, PostalMember
from correspondence.ratings.ratings import rating_of
from correspondence.ratings.reliability import reliability_of

LAST_MOVES = 30
"""How many of a person's last moves determine their tempo."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person as a possible opponent in one game.

    `rating` is None where they have none. `reliability` (percent) and `tempo` (average time per move) are None where
    they are not known. `game_limit_reason` is a sentence that says why they can start no more games, empty where they can.
    `met` says when they last started a game with whom. `zone` and `language` are those in which they read dates.
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
        """When these two last started a game with each other."""
        return (self.met or {}).get(other.id)


def candidate_of(session: Session, person: Person, game: str, *, now: datetime) -> Candidate:
    """The present facts about a person as an opponent in this game."""
    return Candidate(
        person.id,
        person.handle,
        rating=rating(session, person.id, game, now=now),
        reliability=reliability(session, person.id, now=now),
        languages=languages_of(session, person),
        away_until=away_until(session, person.id, now=now),
        has_left=has_left(session, person.id),
        game_limit_reason=no_room(session, person),
        blocked=blocked(session, person.id),
        met=met(session, person.id),
        tempo=tempo(session, person.id),
        zone=person.zone,
        language=person.language,
    )


def rating(session: Session, person_id: int, game: str, *, now: datetime) -> int | None:
    """A person's rating in a game; None where they have played no rated game of it."""
    rating_state = rating_of(session, person_id, game, now=now)
    return round(rating_state.rating) if rating_state.games else None


def reliability(session: Session, person_id: int, *, now: datetime) -> int | None:
    """The percentage of games that a person plays to the end; None where that is not known."""
    return reliability_of(session, person_id, now=now)


def away_until(session: Session, person_id: int, *, now: datetime) -> datetime | None:
    """When a person who is away now comes back; None for a person who is not away."""
    return vacations.absent_until(session, person_id, now)


def blocked(session: Session, person_id: int) -> frozenset[int]:
    """The ids of those whom a person has blocked and those who have blocked them."""
    return relations.blocked_ids(session, person_id)


def no_room(session: Session, person: Person) -> str:
    """Why a person can start no more games now, as a sentence; empty where they can."""
    try:
        relations.require_room(session, person)
    except relations.ChallengeError as error:
        return str(error)
    return ""


def has_left(session: Session, person_id: int) -> bool:
    """Whether a person no longer plays here: nothing can be sent to them, neither mail nor cards."""
    has_mail = exists().where(col(Address.person_id) == person_id)
    has_post = exists().where(col(PostalMember.person_id) == person_id, col(PostalMember.plays_by_post))
    return not session.exec(select(or_(has_mail, has_post))).one()


def languages_of(session: Session, person: Person) -> frozenset[str]:
    """The languages (ISO 639-1) that a person reads: the one of their letters, and those they have listed."""
    listing = session.get(DirectoryListing, person.id)
    return frozenset([person.language, *(listing.languages.split() if listing else ())])


def met(session: Session, person_id: int) -> dict[int, datetime]:
    """When a person last started a game with each of their past opponents, by person id."""
    mine, other = aliased(Player), aliased(Player)
    query = (
        select(other.person_id, func.max(Match.started_at))
        .select_from(mine)
        .join(other, (col(other.match_id) == col(mine.match_id)) & (col(other.id) != col(mine.id)))
        .join(Match, col(Match.id) == col(mine.match_id))
        .where(col(mine.person_id) == person_id)
        .group_by(col(other.person_id))
    )
    return dict(session.exec(query).all())


def tempo(session: Session, person_id: int) -> timedelta | None:
    """A person's average time over their last moves; None before the third move."""
    query = (
        select(Move.spent)
        .join(Player, (col(Player.match_id) == col(Move.match_id)) & (col(Player.seat) == col(Move.seat)))
        .where(col(Player.person_id) == person_id)
        .order_by(col(Move.id).desc())
        .limit(LAST_MOVES)
    )
    spent = list(session.exec(query))
    return timedelta(seconds=sum(spent) / len(spent)) if len(spent) >= 3 else None
