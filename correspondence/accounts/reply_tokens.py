"""Revoke the reply addresses, links and calendars of letters that a stranger may have read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, or_, select

from correspondence.accounts.accounts import new_token
from correspondence.models import Letter, LetterState, Person, Player, Purpose, Token


def replace(session: Session, person: Person, purposes: Collection[Purpose], *, now: datetime) -> None:
    """Revoke a person's tokens with these purposes; games and waiting letters get new ones.

    Used tokens are revoked too, because otherwise a second reply to one is still accepted, to explain that it was used.
    """
    if Purpose.PLAY in purposes:
        _replace_those_of_games(session, person, now)
    rest = [purpose for purpose in purposes if purpose != Purpose.PLAY]
    query = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose).in_(rest))
    for old in session.exec(query.where(or_(col(Token.used_at).is_(None), col(Token.expires_at) > now))).all():
        if old.purpose == Purpose.COMMANDS and old.used_at is None:
            _renewed(session, person, old, now)
        old.used_at, old.expires_at = old.used_at or now, now
        session.add(old)
    session.flush()


def _replace_those_of_games(session: Session, person: Person, now: datetime) -> None:
    query = select(Player, Token).join(Token, col(Token.id) == col(Player.token_id))
    query = query.where(col(Player.person_id) == person.id, col(Token.used_at).is_(None))
    for player, old in session.exec(query).all():
        player.token_id = _renewed(session, person, old, now)
        session.add(player)


def _renewed(session: Session, person: Person, old: Token, now: datetime) -> int:
    """Revoke a reply token and return the id of its replacement, also used in unsent letters."""
    lasts = old.expires_at - now if old.expires_at else None
    fresh = new_token(session, old.purpose, now=now, person=person, match_id=old.match_id, lasts=lasts)
    old.used_at = now
    session.add(old)
    letters = update(Letter).where(col(Letter.reply_token_id) == old.id)
    letters = letters.where(col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]))
    session.execute(letters.values(reply_token_id=fresh.id))
    return fresh.id
