"""Queries of blocks and mutes, and the limits on simultaneous games.

blocking.py changes blocks and mutes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, bindparam, literal, union_all
from sqlalchemy.orm import aliased
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
"""Maximum number of simultaneous games with people for somebody who has finished none.

Each finished game raises their limit by one; members may choose a lower one (`Person.games_limit`). Games with robots
and games alone have limits of their own.
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


@dataclass(frozen=True, slots=True)
class Room:
    """How many games with people a person has in play, and the most they can have at once."""

    running: int
    most: int
    is_own_limit: bool = False
    """Whether they chose that limit themselves."""

    @property
    def is_full(self) -> bool:
        """Whether no other game can start."""
        return self.running >= self.most

    @property
    def sentence(self) -> str:
        """Why no other game can start, for the person themselves."""
        if self.is_own_limit:
            return _(
                "You are playing {count} with people, and {most} at once is the limit that you chose. "
                "Raise it in your settings, or finish one to make room for another."
            ).format(
                count=ngettext("{count} game", "{count} games", self.running).format(count=self.running), most=self.most
            )
        return ngettext(
            "You are playing {count} game, the most you can have at once. Finish one to make room for another.",
            "You are playing {count} games, the most you can have at once. Finish one to make room for another.",
            self.running,
        ).format(count=self.running)


def require_room(session: Session, person: Person) -> None:
    """Lock a person; raise ChallengeError if they are at their limit of simultaneous games with people."""
    hold_person(session, person)
    reasons = no_room_reasons(session, [person.id])
    if reasons:
        raise ChallengeError(reasons[person.id])


def require_room_alone(session: Session, person: Person) -> None:
    """Lock a person; raise ChallengeError if they are suspended, or play too many games for one."""
    require_not_suspended(session, person)
    alone = [key for key, game in GAMES.items() if len(game.seats) == 1]
    running = select(func.count()).join(Match, col(Match.id) == col(Player.match_id)).select_from(Player)
    count = session.exec(running.where(_is_running([person.id]), col(Match.game).in_(alone))).one()
    if count >= GAMES_AT_ONCE:
        raise ChallengeError(Room(count, GAMES_AT_ONCE).sentence)


def require_not_suspended(session: Session, person: Person) -> None:
    """Lock a person; raise ChallengeError if they are suspended."""
    hold_person(session, person)
    suspended = suspensions.suspended_among(session, [person.id])
    if suspended:
        raise ChallengeError(suspended[person.id])


def has_room(session: Session, person: Person) -> bool:
    """Whether a person may start one more game."""
    return not no_room_reasons(session, [person.id])


def no_room_reasons(session: Session, person_ids: Collection[int]) -> dict[int, str]:
    """Return why a person cannot start a game with people, by id, for those who cannot.

    Suspended members cannot. It takes at most three queries.
    """
    suspended = suspensions.suspended_among(session, person_ids)
    running = _running_with_people(session, person_ids)
    busy = [one for one, (count, _own) in running.items() if count >= GAMES_AT_ONCE]
    finished = _finished(session, busy) if busy else {}
    rooms = {one: _room(count, own, finished.get(one, 0)) for one, (count, own) in running.items()}
    full = {one: room.sentence for one, room in rooms.items() if room.is_full}
    return full | suspended


def room_of(session: Session, person_id: int, own_limit: int | None, running: int | None = None) -> Room:
    """Return how many games with people a person has in play, and may have; `running` is their number if known."""
    if running is None:
        running, _own = _running_with_people(session, [person_id]).get(person_id, (0, None))
    return _room(running, own_limit, _finished(session, [person_id]).get(person_id, 0))


def _room(running: int, own: int | None, finished: int) -> Room:
    most = GAMES_AT_ONCE + finished
    return Room(running, own, is_own_limit=True) if own is not None and own < most else Room(running, most)


def _is_running(person_ids: Collection[int]) -> ColumnElement[bool]:
    return and_(col(Player.person_id).in_(person_ids), col(Player.ended_at).is_(None))


def _running_with_people(session: Session, person_ids: Collection[int]) -> dict[int, tuple[int, int | None]]:
    """Count the running games with people of each person who has any; add their own limit."""
    other, opponent = aliased(Player), aliased(Person)
    query = (
        select(Player.person_id, func.count(), func.max(Person.games_limit))
        .join(Person, col(Person.id) == col(Player.person_id))
        .join(other, and_(col(other.match_id) == col(Player.match_id), col(other.seat) != col(Player.seat)))
        .join(opponent, col(opponent.id) == col(other.person_id))
        .where(_is_running(person_ids), col(opponent.robot_level) == 0)
    )
    return {one: (count, own) for one, count, own in session.exec(query.group_by(col(Player.person_id)))}


def _finished(session: Session, person_ids: Collection[int]) -> dict[int, int]:
    """Count the decided games for two of each of these persons."""
    multiplayer_games = [key for key, game in GAMES.items() if len(game.seats) > 1]
    query = (
        select(Player.person_id, func.count())
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id).in_(person_ids), col(Match.result) != PLAYING)
        .where(col(Match.game).in_(multiplayer_games))
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
