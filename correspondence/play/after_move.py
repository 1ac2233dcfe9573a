"""After a move: let the plans of both sides reply, then write letters.

All of it runs in the transaction of the first move. Each reader gets one letter about everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence.core import db
from correspondence.models import By, Match, Player
from correspondence.models.loading import Step, players_of
from correspondence.play import game_events, game_letters, record_moves
from correspondence.play.conditional import plans
from correspondence.play.game_end import finish
from engines.base import Position
from engines.verification.record_text import result_of


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move just recorded.

    `position` is the position after `steps`, which are the move and the chance moves after it. `mover` made the move,
    `by` says how, and `began` are the players whose turn began.
    """

    position: Position[Any]
    steps: Sequence[Step]
    mover: Player | None
    by: By
    began: Sequence[Player]


def continue_play(
    session: Session, match: Match, last: RecordedMove, *, has_words: bool = False, now: datetime
) -> None:
    """Let plans reply to a move and to each other; then end the game or write to the players.

    `has_words` means that the move has a comment: no plan replies before its owner has read the comment. Each reply uses
    up a move of both plans, so at most `syntax.DEEPEST` replies follow, and one transaction holds them all.
    """
    steps, news = list(last.steps), defaultdict[int, plans.PlanNews](plans.PlanNews)
    while last.mover is not None:
        stopped, reply = plans.reply_to(session, match, last.steps[0], last.position, has_words=has_words)
        for seat, has_stopped in stopped.items():
            news[seat].stopped |= has_stopped
        if reply is None:
            break
        last = _play_reply(session, match, last.position, reply, now)
        plans.advance(session, match, reply.player, now=now)
        news[reply.player.seat].played.append(last.steps[0].entry.text)
        steps += last.steps
        has_words = False
    game_events.moved(session, match, len(steps), now=now)
    if last.position.outcome is None:
        _tell(session, match, last, steps, news, now)
    else:
        outcome = last.position.outcome
        finish(session, match, result_of(outcome), outcome.reason, now, steps=steps, news=news)


def _play_reply(
    session: Session, match: Match, position: Position[Any], reply: plans.PlannedReply, now: datetime
) -> RecordedMove:
    """Play a plan's reply: it uses no time, and the increment is added as usual."""
    player = reply.player
    first = Step(position, player.seat, reply.move)
    position, chance_steps = record_moves.chance_after(session, match, position.after(player.seat, reply.move))
    steps = [first, *chance_steps]
    began = record_moves.enter(session, match, position, steps, now, by=By.PLAN, mover=player)
    return RecordedMove(position, steps, player, By.PLAN, began)


def _tell(
    session: Session,
    match: Match,
    last: RecordedMove,
    steps: Sequence[Step],
    news: Mapping[int, plans.PlanNews],
    now: datetime,
) -> None:
    """Write to the players whose turn began and to those whose plan moved.

    A player who moved on the page or through the API gets no letter, because they see the position there.
    """
    began = {player.id for player in last.began}
    game_events.turn(session, match, last.began, now=now)
    with db.asking_once(session):
        for player in players_of(session, match.id):
            own_news = news.get(player.seat, plans.PlanNews())
            if player.id in began:
                if last.mover is None or player.id != last.mover.id or last.by not in (By.WEB, By.API):
                    game_letters.turn(session, match, player, steps, news=own_news, now=now)
            elif own_news.played:
                game_letters.planned(session, match, player, steps, news=own_news, now=now)
