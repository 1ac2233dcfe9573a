"""Look-ups of blocks and mutes, and the limit on simultaneous games.

Blocks and mutes are changed in blocking.py.
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
"""Most simultaneous games of a person without finished games; each finished game raises their limit by one."""


_MUTED_AND_BLOCKED = union_all(
    select(literal(0), Mute.other_id).where(col(Mute.person_id) == bindparam("person")),
    select(literal(1), Block.other_id).where(col(Block.person_id) == bindparam("person")),
)


class ChallengeError(Refusal):
    """A refusal of a challenge, seek or game; str() is a sentence for the person."""


def is_blocked(session: Session, a_id: int, b_id: int) -> bool:
    """Whether either of the two has blocked the other."""
    return b_id in blocked_ids(session, a_id)


def blocked_ids(session: Session, person_id: int) -> frozenset[int]:
    """Return the ids of everybody whom a person has blocked or who has blocked them."""
    query = select(Block.person_id, Block.other_id)
    rows = session.exec(query.where(or_(col(Block.person_id) == person_id, col(Block.other_id) == person_id)))
    return frozenset(blocked if blocker == person_id else blocker for blocker, blocked in rows)


def unavailable(handle: str) -> ChallengeError:
    """Return the refusal for an unavailable opponent; it never says why."""
    return ChallengeError(_("{handle} does not want to play now.").format(handle=handle))


def require_available(session: Session, person: Person, other: Person) -> None:
    """Raise ChallengeError if the other person is unavailable: blocked either way, or at their limit of games.

    The message does not say which.
    """
    if is_blocked(session, person.id, other.id) or not has_room(session, other):
        raise unavailable(other.handle)


def require_room(session: Session, person: Person) -> None:
    """Raise ChallengeError if a person is at their limit of simultaneous games."""
    if has_room(session, person):
        return
    running = _count_running(session, person.id)
    raise ChallengeError(
        ngettext(
            "You play {count} game, as many as you may at once. Every game you finish makes room for one more.",
            "You play {count} games, as many as you may at once. Every game you finish makes room for one more.",
            running,
        ).format(count=running)
    )


def has_room(session: Session, person: Person) -> bool:
    """Whether a person may start one more game."""
    running = _count_running(session, person.id)
    return running < GAMES_AT_ONCE or running < GAMES_AT_ONCE + _count_finished(session, person.id)


@dataclass(frozen=True, slots=True)
class MuteState:
    """Whether a player has muted the match, or has muted or blocked one of its other players."""

    is_match_muted: bool = False
    is_muted: bool = False
    is_blocked: bool = False


def mute_state_of(session: Session, match_id: int, person_id: int | None) -> MuteState:
    """Return the mute state of this person in a match; all False for somebody who does not play in it."""
    players = players_of(session, match_id)
    own = next((player for player in players if player.person_id == person_id), None)
    if own is None or person_id is None:
        return MuteState()
    others = {player.person_id for player in players} - {person_id}
    muted, blocked = _muted_and_blocked(session, person_id)
    return MuteState(own.muted_at is not None, bool(others & muted), bool(others & blocked))


def muted_ids(session: Session, players: Iterable[Player], person_id: int | None) -> frozenset[int]:
    """Return the ids of the players of a match whose remarks this player does not see; empty for a non-player."""
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
    """Return the ids whom a person has muted, and those they have blocked; cached in read-only sessions."""
    rows = db.cached_read(
        session, (Mute, person_id), lambda: session.execute(_MUTED_AND_BLOCKED, {"person": person_id}).all()
    )
    return (
        frozenset(other for is_block, other in rows if not is_block),
        frozenset(other for is_block, other in rows if is_block),
    )


def _count_running(session: Session, person_id: int) -> int:
    return session.exec(_count_of(person_id).where(col(Match.ended_at).is_(None))).one()


def _count_finished(session: Session, person_id: int) -> int:
    multiplayer_games = [key for key, game in GAMES.items() if len(game.seats) > 1]
    return session.exec(
        _count_of(person_id).where(col(Match.result) != PLAYING, col(Match.game).in_(multiplayer_games))
    ).one()


def _count_of(person_id: int) -> SelectOfScalar[int]:
    query = select(func.count()).select_from(Player).join(Match, col(Match.id) == col(Player.match_id))
    return query.where(col(Player.person_id) == person_id)
