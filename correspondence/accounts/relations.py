"""Queries of blocks and mutes, and the limit on simultaneous games.

blocking.py changes blocks and mutes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, bindparam, literal, union_all
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.accounts import suspensions
from correspondence.core import db
from correspondence.models import PLAYING, Block, Match, Mute, Person, Player
from correspondence.models.loading import players_of
from correspondence.models.locks import hold_person
from engines import GAMES
from engines.refusal import Refusal
from engines.wording import _, ngettext

GAMES_AT_ONCE = 20
"""Maximum number of simultaneous games of a person who has finished none.

Each finished game raises their limit by one.
"""


_MUTED_AND_BLOCKED = union_all(
    select(literal(0), Mute.other_id).where(col(Mute.person_id) == bindparam("person")),
    select(literal(1), Block.other_id).where(col(Block.person_id) == bindparam("person")),
)


class ChallengeError(Refusal):
    """Raised if a challenge, seek or game is refused; str() is a sentence for the person."""


def is_blocked(session: Session, a_id: int, b_id: int) -> bool:
    """Whether either of the two has blocked the other."""
    return b_id in blocked_ids(session, a_id)


def blocked_ids(session: Session, person_id: int) -> frozenset[int]:
    """Return the ids of everybody whom a person has blocked or who has blocked them."""
    return blocked_ids_of(session, [person_id])[person_id]


def blocked_ids_of(session: Session, person_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return `blocked_ids` for each of these persons, in one query."""
    query = select(Block.person_id, Block.other_id)
    either = or_(col(Block.person_id).in_(person_ids), col(Block.other_id).in_(person_ids))
    pairs = [pair for one, other in session.exec(query.where(either)) for pair in ((one, other), (other, one))]
    return {person_id: frozenset(other for one, other in pairs if one == person_id) for person_id in person_ids}


def unavailable(handle: str) -> ChallengeError:
    """Return the error for an unavailable opponent; it never gives the reason."""
    return ChallengeError(_("{handle} does not want to play now.").format(handle=handle))


def require_available(session: Session, person: Person, other: Person) -> None:
    """Raise ChallengeError if either has blocked the other, or `other` is at their game limit.

    The message does not reveal which.
    """
    if is_blocked(session, person.id, other.id) or not has_room(session, other):
        raise unavailable(other.handle)


def require_room(session: Session, person: Person) -> None:
    """Lock a person; raise ChallengeError if they are at their limit of simultaneous games."""
    hold_person(session, person)
    reasons = no_room_reasons(session, [person.id])
    if reasons:
        raise ChallengeError(reasons[person.id])


def has_room(session: Session, person: Person) -> bool:
    """Whether a person may start one more game."""
    return not no_room_reasons(session, [person.id])


def no_room_reasons(session: Session, person_ids: Collection[int]) -> dict[int, str]:
    """Return why a person cannot start a game, by id, for those who cannot.

    Suspended members cannot. It takes at most three queries.
    """
    suspended = suspensions.suspended_among(session, person_ids)
    running = _counts(session, person_ids, col(Match.ended_at).is_(None))
    busy = {person_id: count for person_id, count in running.items() if count >= GAMES_AT_ONCE}
    multiplayer_games = [key for key, game in GAMES.items() if len(game.seats) > 1]
    is_finished = and_(col(Match.result) != PLAYING, col(Match.game).in_(multiplayer_games))
    finished = _counts(session, list(busy), is_finished) if busy else {}
    full = {
        person_id: _limit_sentence(count)
        for person_id, count in busy.items()
        if count >= GAMES_AT_ONCE + finished.get(person_id, 0)
    }
    return full | suspended


def _limit_sentence(running: int) -> str:
    return ngettext(
        "You are playing {count} game, the most you can have at once. Finish one to make room for another.",
        "You are playing {count} games, the most you can have at once. Finish one to make room for another.",
        running,
    ).format(count=running)


def _counts(session: Session, person_ids: Collection[int], which: ColumnElement[bool]) -> dict[int, int]:
    query = (
        select(Player.person_id, func.count())
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id).in_(person_ids), which)
    )
    return dict(session.exec(query.group_by(col(Player.person_id))).all())


@dataclass(frozen=True, slots=True)
class MuteState:
    """A player's mutes in a match: of the whole match, or a mute or block of another player."""

    is_match_muted: bool = False
    is_muted: bool = False
    is_blocked: bool = False


def mute_state_of(session: Session, match_id: int, person_id: int | None) -> MuteState:
    """Return the mute state of this person in a match; all False for a non-player."""
    players = players_of(session, match_id)
    own = next((player for player in players if player.person_id == person_id), None)
    if own is None or person_id is None:
        return MuteState()
    others = {player.person_id for player in players} - {person_id}
    muted, blocked = _muted_and_blocked(session, person_id)
    return MuteState(own.muted_at is not None, bool(others & muted), bool(others & blocked))


def muted_ids(session: Session, players: Iterable[Player], person_id: int | None) -> frozenset[int]:
    """Return the ids of players whose remarks this player does not see; empty for a non-player."""
    players = list(players)
    own = next((player for player in players if player.person_id == person_id), None)
    if own is None:
        return frozenset()
    others = frozenset(player.person_id for player in players) - {own.person_id}
    return others if own.muted_at is not None else others & muted_or_blocked_ids(session, own.person_id)


def muted_or_blocked_ids(session: Session, person_id: int) -> frozenset[int]:
    """Return the ids of everybody whom a person has muted or blocked."""
    muted, blocked = _muted_and_blocked(session, person_id)
    return muted | blocked


def muted_by(session: Session, person_id: int) -> frozenset[int]:
    """Return the ids of everybody whom a person has muted in all games."""
    return _muted_and_blocked(session, person_id)[0]


def blocked_by(session: Session, person_id: int) -> frozenset[int]:
    """Return the ids of everybody whom this person has blocked."""
    return _muted_and_blocked(session, person_id)[1]


def _muted_and_blocked(session: Session, person_id: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the ids that a person has muted, and the ids that a person has blocked.

    Cached in read-only sessions.
    """
    if db.is_absent(session, Mute, person_id):
        return frozenset(), frozenset()
    rows = db.cached_read(session, (Mute, person_id), lambda: db.rows(session, _MUTED_AND_BLOCKED, person=person_id))
    return (
        frozenset(other for is_block, other in rows if not is_block),
        frozenset(other for is_block, other in rows if is_block),
    )
