"""What counts of a person when partners are sought: rating, reliability, languages, absence, whom he met.

Gathered here from wherever it is kept, so that what judges a seek looks at plain values alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, exists, func, select

from correspondence.accounts import relations
from correspondence.clocks import vacations
from correspondence.models import Address, Listing, Match, Move, Person, Player
from correspondence.ratings.ratings import rating_of
from correspondence.ratings.reliability import reliability_of

LAST_MOVES = 30
"""How many of a person's last moves tell his tempo."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person as somebody to play one game with.

    `rating` is None where he has none, `reliability` (percent) and `tempo` (time per move) where they are not
    known; `has_no_room` says in a sentence why he can begin no more games; `met` tells when he last began a game
    with whom. `zone` and `language` are those in which he reads a day.
    """

    id: int
    handle: str
    rating: int | None = None
    reliability: int | None = None
    languages: frozenset[str] = frozenset()
    away_until: datetime | None = None
    has_left: bool = False
    has_no_room: str = ""
    blocked: frozenset[int] = frozenset()
    met: Mapping[int, datetime] | None = None
    tempo: timedelta | None = None
    zone: str = "UTC"
    language: str = "en"

    def last_met(self, other: Candidate) -> datetime | None:
        """When these two last began a game with each other."""
        return (self.met or {}).get(other.id)


def fellow(session: Session, person: Person, game: str, *, now: datetime) -> Candidate:
    """What counts of a person for this game, as things stand."""
    return Candidate(
        person.id,
        person.handle,
        rating=rating(session, person.id, game, now=now),
        reliability=reliability(session, person.id, now=now),
        languages=languages_of(session, person),
        away_until=away_until(session, person.id, now=now),
        has_left=has_left(session, person.id),
        has_no_room=no_room(session, person),
        blocked=blocked(session, person.id),
        met=met(session, person.id),
        tempo=tempo(session, person.id),
        zone=person.zone,
        language=person.language,
    )


def rating(session: Session, person_id: int, game: str, *, now: datetime) -> int | None:
    """A person's rating in a game; None where he has played no rated game of it."""
    standing = rating_of(session, person_id, game, now=now)
    return round(standing.rating) if standing.games else None


def reliability(session: Session, person_id: int, *, now: datetime) -> int | None:
    """How many of a hundred games a person plays to their end; None where that is not known."""
    return reliability_of(session, person_id, now=now)


def away_until(session: Session, person_id: int, *, now: datetime) -> datetime | None:
    """When a person who has announced to be away now comes back; None for one who is here."""
    return vacations.absent_until(session, person_id, now)


def blocked(session: Session, person_id: int) -> frozenset[int]:
    """Whom a person has blocked, and who has blocked him, all alike."""
    return relations.blocked_ids(session, person_id)


def no_room(session: Session, person: Person) -> str:
    """Why a person can begin no more games now, as a sentence; empty where he can."""
    try:
        relations.require_room(session, person)
    except relations.ChallengeError as error:
        return str(error)
    return ""


def has_left(session: Session, person_id: int) -> bool:
    """Whether a person no longer plays here: nothing can be sent to him."""
    return not session.exec(select(exists().where(col(Address.person_id) == person_id))).one()


def languages_of(session: Session, person: Person) -> frozenset[str]:
    """The languages (ISO 639-1) that a person reads: the one of his letters, and those he has listed."""
    listing = session.get(Listing, person.id)
    return frozenset([person.language, *(listing.languages.split() if listing else ())])


def met(session: Session, person_id: int) -> dict[int, datetime]:
    """When a person last began a game with each of those he has played."""
    mine, other = aliased(Player), aliased(Player)
    found = (
        select(other.person_id, func.max(Match.started_at))
        .select_from(mine)
        .join(other, (col(other.match_id) == col(mine.match_id)) & (col(other.id) != col(mine.id)))
        .join(Match, col(Match.id) == col(mine.match_id))
        .where(col(mine.person_id) == person_id)
        .group_by(col(other.person_id))
    )
    return dict(session.exec(found).all())


def tempo(session: Session, person_id: int) -> timedelta | None:
    """How long a person has thought over each of his last moves, on average; None before his third."""
    found = (
        select(Move.spent)
        .join(Player, (col(Player.match_id) == col(Move.match_id)) & (col(Player.seat) == col(Move.seat)))
        .where(col(Player.person_id) == person_id)
        .order_by(col(Move.id).desc())
        .limit(LAST_MOVES)
    )
    spent = list(session.exec(found))
    return timedelta(seconds=sum(spent) / len(spent)) if len(spent) >= 3 else None
