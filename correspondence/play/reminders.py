"""Reminders to players who have little time left, or whose clock runs again after a stop."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from correspondence.clocks import turns
from correspondence.core import db
from correspondence.models import Match, Player
from correspondence.play import game_events, game_letters, letters_ahead
from correspondence.play.game_news import reminder_key


def remind(session: Session, matches: Sequence[Match], *, now: datetime) -> None:
    """Write all due reminders of locked matches; skip a match if a move came first.

    Queries are shared by all matches.
    """
    due = {match.id: match for match in matches if match.remind_at is not None and match.remind_at <= now}
    late = [player for match in due.values() for player in turns.running(session, match) if _is_due(player, now)]
    with db.asking_once(session), db.written_at_once(session):
        letters_ahead.ask_ahead_of_reminders(session, list(due.values()), late, now=now)
        for player in late:
            match, key = due[player.match_id], reminder_key(due[player.match_id], player)
            is_resumption = turns.note_reminded(session, player, now)
            game_letters.reminder(session, match, player, key, is_resumption=is_resumption, now=now)
            if not is_resumption:
                game_events.clock_low(session, match, player, now=now)
        for match in due.values():
            turns.schedule_sweeps(session, match)


def _is_due(player: Player, now: datetime) -> bool:
    return player.remind_at is not None and player.remind_at <= now and player.flagged_at is None
