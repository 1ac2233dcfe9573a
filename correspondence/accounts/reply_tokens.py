"""Ends what letters of before allow: their reply addresses, links and calendars, when a stranger may have read them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, or_, select

from correspondence.accounts.accounts import new_token
from correspondence.models import Letter, LetterState, Person, Player, Purpose, Token

KEPT = (Purpose.STOP, Purpose.INVITE, Purpose.ANALYSIS, Purpose.ADDRESS_UNDO)
"""What goes on working: stopping letters, what others were offered or shown, and undoing."""

OF_ACCOUNT = (
    Purpose.JOIN, Purpose.COMMANDS, Purpose.EXERCISE, Purpose.SIGN_IN, Purpose.PROPOSAL, Purpose.EXPORT, Purpose.FORGET,
)  # fmt: skip
"""What belongs to an account as a whole: replies to its letters, and its links and questions."""


def replace_all(session: Session, person: Person, *, now: datetime) -> None:
    """End all tokens of a person but those of KEPT; their games get new ones."""
    query = select(Player, Token).join(Token, col(Token.id) == col(Player.token_id))
    query = query.where(col(Player.person_id) == person.id, col(Token.used_at).is_(None))
    for player, old in session.exec(query).all():
        player.token_id = _renewed(session, person, old, now)
        session.add(player)
    replace_some(session, person, [purpose for purpose in Purpose if purpose not in (*KEPT, Purpose.PLAY)], now=now)


def replace_some(session: Session, person: Person, purposes: Iterable[Purpose], *, now: datetime) -> None:
    """End all tokens of a person with these purposes; letters that were not sent yet get a new reply address.

    A token that was used ends too: its reply address is still read, so that a second answer learns of the first.
    """
    query = select(Token).where(col(Token.person_id) == person.id, col(Token.purpose).in_(list(purposes)))
    for old in session.exec(query.where(or_(col(Token.used_at).is_(None), col(Token.expires_at) > now))).all():
        if old.purpose == Purpose.COMMANDS and old.used_at is None:
            _renewed(session, person, old, now)
        old.used_at, old.expires_at = old.used_at or now, now
        session.add(old)
    session.flush()


def _renewed(session: Session, person: Person, old: Token, now: datetime) -> int:
    """End a reply token and return the id of the one in its place, which letters not yet sent use too."""
    lasts = old.expires_at - now if old.expires_at else None
    fresh = new_token(session, old.purpose, now=now, person=person, match_id=old.match_id, lasts=lasts)
    old.used_at = now
    session.add(old)
    letters = update(Letter).where(col(Letter.reply_token_id) == old.id)
    letters = letters.where(col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]))
    session.execute(letters.values(reply_token_id=fresh.id))
    return fresh.id
