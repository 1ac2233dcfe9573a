"""How a match ends: by its last move, by consent, because somebody departs, or because time has run out.

Nothing here commits or asks what time it is; the caller holds the match, or it is held first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.clocks import turns, vacations
from correspondence.models import PLAYING, Match, Move, Player
from correspondence.models.loading import BY_TIME, RESIGNATION, UNBEGUN, Step, locked, players_of
from correspondence.play import extensions, game_letters, timeouts
from correspondence.play.conditional import plans
from correspondence.ratings import ratings, reliability


def expire(session: Session, match_id: int, *, now: datetime) -> None:
    """Do what the terms say when time has run out; nothing, if a move came first, or something stopped the clock."""
    match = locked(session, match_id)
    if match.deadline is None or match.deadline > now:
        return
    late = turns.overdue(session, match, now)
    late = extensions.put_off(session, match, late, now=now)
    spared, late = vacations.spend(session, match, late, now=now)
    for player in spared:
        game_letters.absence_spent(session, match, player, now=now)
    verdict = timeouts.verdict(session, match, late, now=now)
    if verdict is None:
        timeouts.note(session, match, late, now=now)
        turns.set_sweeps(session, match, now)
    else:
        end(session, match, verdict.result, verdict.reason, now=now)


def leave(session: Session, player: Player, *, now: datetime) -> None:
    """End the match because this player departs: called off while he has not moved, resigned otherwise."""
    match = locked(session, player.match_id)
    if match.ended_at is not None:
        return
    own = select(Move.id).where(col(Move.match_id) == match.id, col(Move.seat) == player.seat).limit(1)
    if session.exec(own).first() is None:
        end(session, match, PLAYING, UNBEGUN, now=now)
    else:
        finish(session, match, "0-1" if player.seat == 0 else "1-0", RESIGNATION, now)


def end(session: Session, match: Match, result: str, reason: str, *, now: datetime) -> None:
    """End a match for a reason of the service's; one that is called off counts for nobody's rating."""
    if reason in BY_TIME:
        late = turns.flagged(session, match, now)
        reliability.note_late(session, match, late, now=now)
    if result == PLAYING:
        match.rated = False
    finish(session, match, result, reason, now)


def finish(
    session: Session,
    match: Match,
    result: str,
    reason: str,
    now: datetime,
    *,
    steps: Sequence[Step] = (),
    news: Mapping[int, plans.PlanNews] | None = None,
) -> None:
    """Stop all clocks, rate the match and write to everybody; `steps` are the entries that ended it, if any did.

    `news` says, by seat, what plans had a part in that; whatever else was planned is kept, sealed (unsealing.py).
    """
    match.result, match.reason, match.ended_at = result, reason, now
    match.deadline = match.remind_at = None
    session.add(match)
    for player in players_of(session, match.id):
        turns.end_turn(player)
        player.ended_at = now
        session.add(player)
    session.flush()
    ratings.rate(session, match, now=now)
    for player in players_of(session, match.id):
        own = (news or {}).get(player.seat, plans.PlanNews())
        game_letters.over(session, match, player, steps, news=own, now=now)
