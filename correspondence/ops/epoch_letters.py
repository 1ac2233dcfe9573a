"""The letter to players after a restore or a failover: from which moment on entries are lost, and where games stand."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import command_token
from correspondence.models import Person, Player
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.queries.queries import games_of

MOST = 100
"""The most games that one letter lists."""


def tell_players(session: Session, kept_until: datetime, *, now: datetime) -> int:
    """Write to everybody who plays where their games stand and what is lost; returns how many letters were written."""
    plays = select(Player.id).where(col(Player.person_id) == col(Person.id), col(Player.ended_at).is_(None))
    players = session.exec(select(Person).where(plays.exists(), col(Person.robot_level) == 0)).all()
    return sum(_tell(session, person, kept_until, now=now) for person in players)


def _tell(session: Session, person: Person, kept_until: datetime, *, now: datetime) -> bool:
    to, cards = letters.to_person(session, person), games_of(session, person.id)
    if to is None or not cards:
        return False
    draft = Draft(
        kinds.RESTORED,
        f"restored:{now.isoformat()}:u{person.id}",
        reply_token=command_token(session, person, now=now).id,
    )
    words = {"games": cards[:MOST], "more": len(cards[MOST:]), "kept_until": kept_until}
    return letters.write_letter(session, to, draft, now=now, **words) is not None
