"""Ends what letters of before allow: their reply addresses, links and calendars, when a stranger may have read them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, select

from correspondence.accounts.accounts import new_token
from correspondence.models import Letter, LetterState, Person, Player, Purpose, Token

KEPT = (Purpose.STOP, Purpose.INVITE, Purpose.ANALYSIS, Purpose.ADDRESS_UNDO)
"""What goes on working: stopping letters, what others were offered or shown, and undoing."""


def replace_all(session: Session, person: Person, *, now: datetime) -> None:
    """End all tokens of a person but those of KEPT; their games get new ones, which letters not yet sent use too."""
    query = select(Player, Token).join(Token, col(Token.id) == col(Player.token_id))
    renewed: dict[int, int] = {}
    for player, old in session.exec(
        query.where(col(Player.person_id) == person.id, col(Token.used_at).is_(None))
    ).all():
        lasts = old.expires_at - now if old.expires_at else None
        fresh = new_token(session, Purpose.PLAY, now=now, person=person, match_id=player.match_id, lasts=lasts)
        player.token_id = renewed[old.id] = fresh.id
        session.add(player)
    session.flush()
    ended = update(Token).where(col(Token.person_id) == person.id, col(Token.used_at).is_(None))
    ended = ended.where(col(Token.purpose).not_in(KEPT), col(Token.id).not_in(renewed.values()))
    session.execute(ended.values(used_at=now))
    waiting = col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD])
    for old_id, new_id in renewed.items():
        letters = update(Letter).where(col(Letter.reply_token_id) == old_id, waiting)
        session.execute(letters.values(reply_token_id=new_id))
