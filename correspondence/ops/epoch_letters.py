"""The letter to members after a restore or a failover: what is lost, and their games."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, or_, select

from correspondence.accounts.accounts import command_token
from correspondence.models import Person, Player
from correspondence.moderation.announcements import ACTIVE
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.queries.queries import games_of

MOST = 100
"""Maximum games listed in one letter."""


def tell_players(session: Session, kept_until: datetime, *, now: datetime) -> int:
    """Tell active members what is lost and where their games stand; returns how many letters.

    Members without a game get it too, because their only game may be lost.
    """
    plays = select(Player.id).where(col(Player.person_id) == col(Person.id), col(Player.ended_at).is_(None)).exists()
    was_here = or_(col(Person.seen_at) > kept_until - ACTIVE, col(Person.joined_at) > kept_until - ACTIVE)
    members = select(Person).where(
        col(Person.robot_level) == 0, col(Person.departed_at).is_(None), or_(plays, was_here)
    )
    return sum(_tell(session, person, kept_until, now=now) for person in session.exec(members).all())


def _tell(session: Session, person: Person, kept_until: datetime, *, now: datetime) -> bool:
    to, cards = letters.to_person(session, person), games_of(session, person.id)
    if to is None:
        return False
    draft = Draft(
        kinds.RESTORED,
        f"restored:{now.isoformat()}:u{person.id}",
        reply_token=command_token(session, person, now=now).id,
    )
    words = {"games": cards[:MOST], "more": len(cards[MOST:]), "kept_until": kept_until}
    return letters.write_letter(session, to, draft, now=now, **words) is not None
