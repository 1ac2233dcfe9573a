"""Who wants to have to do with whom, who hears whom, and how many games one may play at once: what is asked of it.

What people change about it is in blocking.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, literal, union_all
from sqlmodel import Session, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from correspondence.core import db
from correspondence.models import PLAYING, Block, Match, Mute, Person, Player
from correspondence.models.loading import players_of
from engines import GAMES
from engines.refusal import Refusal
from engines.wording import _, ngettext

GAMES_AT_ONCE = 20
"""How many games somebody may play at once who has finished none; every finished one makes room for one more."""


_KEPT_AWAY = union_all(
    select(literal(0), Mute.other_id).where(col(Mute.person_id) == bindparam("person")),
    select(literal(1), Block.other_id).where(col(Block.person_id) == bindparam("person")),
)


class ChallengeError(Refusal):
    """A refusal about playing with one another: str() is a sentence for the person."""


def is_blocked(session: Session, a_id: int, b_id: int) -> bool:
    """Whether one of the two has blocked the other."""
    return b_id in blocked_ids(session, a_id)


def blocked_ids(session: Session, person_id: int) -> frozenset[int]:
    """Everybody whom a person has blocked, and who has blocked that person."""
    found = select(Block.person_id, Block.other_id)
    rows = session.exec(found.where(or_(col(Block.person_id) == person_id, col(Block.other_id) == person_id)))
    return frozenset(other if one == person_id else one for one, other in rows)


def unwilling(handle: str) -> ChallengeError:
    """The refusal of a partner who cannot be had, which never says why."""
    return ChallengeError(_("{handle} does not want to play now.").format(handle=handle))


def must_be_willing(session: Session, person: Person, other: Person) -> None:
    """Refuse where the other is not to be had as a partner: blocked either way, or with games enough.

    Raises PartnerError, in words that do not tell which.
    """
    if is_blocked(session, person.id, other.id) or not has_room(session, other):
        raise unwilling(other.handle)


def room_for(session: Session, person: Person) -> None:
    """Refuse where a person plays as many games as he may; raises PartnerError."""
    if has_room(session, person):
        return
    playing = _playing(session, person.id)
    raise ChallengeError(
        ngettext(
            "You play {count} game, as many as you may at once. Every game you finish makes room for one more.",
            "You play {count} games, as many as you may at once. Every game you finish makes room for one more.",
            playing,
        ).format(count=playing)
    )


def has_room(session: Session, person: Person) -> bool:
    """Whether a person may play one game more."""
    playing = _playing(session, person.id)
    return playing < GAMES_AT_ONCE or playing < GAMES_AT_ONCE + _finished(session, person.id)


@dataclass(frozen=True, slots=True)
class Manners:
    """How a player keeps the others of a match at bay: silenced in it, or one of them muted or blocked everywhere."""

    is_match_muted: bool = False
    is_muted: bool = False
    is_blocked: bool = False


def relations_of(session: Session, match_id: int, person_id: int | None) -> Manners:
    """How this person keeps the others of a match at bay; an onlooker does not."""
    players = players_of(session, match_id)
    own = next((player for player in players if player.person_id == person_id), None)
    if own is None or person_id is None:
        return Manners()
    others = {player.person_id for player in players} - {person_id}
    muted, blocked = _kept_away(session, person_id)
    return Manners(own.muted_at is not None, bool(others & muted), bool(others & blocked))


def muted_ids(session: Session, players: Iterable[Player], person_id: int | None) -> frozenset[int]:
    """Those of the players of a match whose words this one of them does not want."""
    players = list(players)
    own = next((player for player in players if player.person_id == person_id), None)
    if own is None:
        return frozenset()
    others = frozenset(player.person_id for player in players) - {own.person_id}
    return others if own.muted_at is not None else others & muted_or_blocked_ids(session, own.person_id)


def muted_or_blocked_ids(session: Session, person_id: int) -> frozenset[int]:
    """Everybody whom a person does not want to hear: muted or blocked."""
    muted, blocked = _kept_away(session, person_id)
    return muted | blocked


def muted_by(session: Session, person_id: int) -> frozenset[int]:
    """Everybody whom a person has muted in all games."""
    return _kept_away(session, person_id)[0]


def blocked_by(session: Session, person_id: int) -> frozenset[int]:
    """Everybody whom a person has blocked himself."""
    return _kept_away(session, person_id)[1]


def _kept_away(session: Session, person_id: int) -> tuple[frozenset[int], frozenset[int]]:
    """Everybody whom a person has muted, and everybody whom he has blocked."""
    rows = db.cached_read(session, (Mute, person_id), lambda: session.execute(_KEPT_AWAY, {"person": person_id}).all())
    return (
        frozenset(other for is_block, other in rows if not is_block),
        frozenset(other for is_block, other in rows if is_block),
    )


def _playing(session: Session, person_id: int) -> int:
    return session.exec(_matches(person_id).where(col(Match.ended_at).is_(None))).one()


def _finished(session: Session, person_id: int) -> int:
    for_two = [key for key, game in GAMES.items() if len(game.seats) > 1]
    return session.exec(_matches(person_id).where(col(Match.result) != PLAYING, col(Match.game).in_(for_two))).one()


def _matches(person_id: int) -> SelectOfScalar[int]:
    found = select(func.count()).select_from(Player).join(Match, col(Match.id) == col(Player.match_id))
    return found.where(col(Player.person_id) == person_id)
