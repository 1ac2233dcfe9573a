"""A person's deadlines as a calendar feed (iCalendar, RFC 5545)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import new_token
from correspondence.accounts.member_settings import reminder_leads
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.models import Match, Person, Player, Purpose, Token
from correspondence.models.loading import game_of, persons_of, players_of
from engines.wording import _

if TYPE_CHECKING:
    from icalendar import Alarm, Event

MOST_DEADLINES = 500
"""Maximum deadlines in one calendar; the earliest are kept."""

USUAL_LEAD = timedelta(days=1)
"""How long before the deadline a calendar reminds a person who has chosen no times, if the turn is long enough."""


def feed_token(session: Session, person: Person) -> Token | None:
    """Return the token of a person's calendar; None if there is none or it was revoked."""
    query = select(Token).where(
        col(Token.person_id) == person.id, col(Token.purpose) == Purpose.CALENDAR, col(Token.used_at).is_(None)
    )
    return session.exec(query).first()


def open_feed(session: Session, person: Person, *, now: datetime) -> Token:
    """Create a new secret calendar address and revoke the previous one. Raises SuspendedError."""
    refuse_suspended(person)
    close_feed(session, person, now=now)
    return new_token(session, Purpose.CALENDAR, now=now, person=person)


def close_feed(session: Session, person: Person, *, now: datetime) -> None:
    """Revoke the address of a person's calendar."""
    token = feed_token(session, person)
    if token is not None:
        token.used_at = now
        session.add(token)
        session.flush()


def reader_of(session: Session, token_id: int | None) -> Person | None:
    """Return the person whose calendar this token opens; None if it is not valid."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or token.purpose != Purpose.CALENDAR or token.used_at is not None:
        return None
    return session.get(Person, token.person_id)


def feed(session: Session, person: Person, *, base: str, domain: str, now: datetime) -> bytes:
    """Return the deadlines of a person's turns with reminders; an event keeps its UID if its deadline changes."""
    from icalendar import Calendar  # slow to load, and rarely used

    calendar = Calendar()
    calendar.add("prodid", "-//Correspondence//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", _("Deadlines of {handle}").format(handle=person.handle))
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    query = (
        select(Player, Match)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == person.id, col(Player.since).is_not(None))
        .order_by(col(Player.deadline))
        .limit(MOST_DEADLINES)
    )
    for player, match in session.exec(query):
        event = _event(session, match, player, base=base, domain=domain, now=now)
        for lead in alarm_leads(person, player):
            event.add_component(_alarm(lead, str(event["summary"])))
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def alarm_leads(person: Person, player: Player) -> tuple[timedelta, ...]:
    """Return how long before the deadline of a turn its calendar event reminds the person, longest first.

    These are the times chosen for letters that lie within the turn; else a day before, or half of a shorter time.
    Empty if the person wants no reminders.
    """
    if not person.reminders or player.since is None or player.deadline is None:
        return ()
    turn = player.deadline - player.since
    chosen = tuple(lead for hours in reminder_leads(person) if (lead := timedelta(hours=hours)) < turn)
    half = timedelta(minutes=turn // timedelta(minutes=2))
    return chosen or (USUAL_LEAD if turn > USUAL_LEAD else half,)


def _alarm(lead: timedelta, summary: str) -> Alarm:
    """A reminder that calendar programs show (RFC 5545, section 3.6.6)."""
    from icalendar import Alarm

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -lead)
    alarm.add("description", summary)
    return alarm


def _event(session: Session, match: Match, player: Player, *, base: str, domain: str, now: datetime) -> Event:
    others = [p.handle for p in persons_of(session, players_of(session, match.id)) if p.id != player.person_id]
    from icalendar import Event

    event = Event()
    event.add("uid", f"g{match.id}.t{player.turn_ply}.u{match.takebacks}.s{player.seat}@{domain}")
    event.add("dtstamp", now)
    event.add("dtstart", player.deadline)
    summary = _("Time runs out: {game} against {opponent}") if others else _("Time runs out: {game}")
    event.add("summary", summary.format(game=_(game_of(match).name), opponent=", ".join(others)))
    event.add("url", f"{base}/games/{match.id}")
    event.add("description", f"{base}/games/{match.id}")
    event.add("transp", "TRANSPARENT")
    return event
