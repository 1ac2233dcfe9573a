"""After a move: the plans of both sides answer one another, and when none has an answer, people are written to.

All of it happens in the transaction of the move that began it; one letter at the end tells each reader everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence.models import By, Match, Player
from correspondence.models.loading import Step, players_of, result_of
from correspondence.play import game_letters, record_moves
from correspondence.play.conditional import plans
from correspondence.play.game_end import finish
from engines.base import Position


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was just entered: what it led to, its steps with the lots after it, who made it, whose turn began."""

    position: Position[Any]
    steps: Sequence[Step]
    mover: Player | None
    by: By
    began: Sequence[Player]


def go_on(session: Session, match: Match, ply: Ply, *, has_words: bool = False, now: datetime) -> None:
    """Let plans answer a move, and one another; then end the match, or write to whoever is to act.

    `has_words` where something was said with the move: nobody's plan answers before he has read that.
    """
    steps, news = list(ply.steps), defaultdict[int, plans.PlanNews](plans.PlanNews)
    while ply.mover is not None:
        stopped, reply = plans.reply_to(session, match, ply.steps[0], ply.position, has_words=has_words)
        for seat, has_stopped in stopped.items():
            news[seat].stopped |= has_stopped
        if reply is None:
            break
        ply = _answered(session, match, ply.position, reply, now)
        plans.advance(session, match, reply.player, now=now)
        news[reply.player.seat].played.append(ply.steps[0].entry.text)
        steps += ply.steps
        has_words = False
    if ply.position.outcome is None:
        _tell(session, match, ply, steps, news, now)
    else:
        outcome = ply.position.outcome
        finish(session, match, result_of(outcome), outcome.reason, now, steps=steps, news=news)


def _answered(session: Session, match: Match, position: Position[Any], reply: plans.Reply, now: datetime) -> Ply:
    """Play the reply of a plan: it costs no time, and the increment is added as for any move."""
    player = reply.player
    first = Step(position, player.seat, reply.move)
    position, drawn = record_moves.lots_after(session, match, position.after(player.seat, reply.move))
    steps = [first, *drawn]
    began = record_moves.enter(session, match, position, steps, now, by=By.PLAN, mover=player)
    return Ply(position, steps, player, By.PLAN, began)


def _tell(
    session: Session, match: Match, ply: Ply, steps: Sequence[Step], news: Mapping[int, plans.PlanNews], now: datetime
) -> None:
    """Write to those whose turn has begun, but to nobody who sees that on the page; and to whose plan has moved."""
    began = {player.id for player in ply.began}
    for player in players_of(session, match.id):
        own = news.get(player.seat, plans.PlanNews())
        if player.id in began:
            if ply.mover is None or player.id != ply.mover.id or ply.by != By.WEB:
                game_letters.turn(session, match, player, steps, news=own, now=now)
        elif own.played:
            game_letters.planned(session, match, player, steps, news=own, now=now)
