"""Operators' announcements: a banner until a date, and optionally a letter to members.

The banner is on every page; the letter goes to active members.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from textwrap import shorten
from typing import Any

from sqlmodel import Session, col, or_, select

from correspondence.accounts.accounts import command_token
from correspondence.accounts.letter_stops import stop_token
from correspondence.clocks.read_only import locked_state
from correspondence.core.i18n import in_language, moment
from correspondence.core.integers import whole
from correspondence.models import Address, OperatorAct, Person, Player, ServiceState
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct, note_reversed, standing
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines.wording import N_, _

LONGEST = 500
"""Maximum length of an announcement."""

USUAL_DAYS, MOST_DAYS = 7, 90
"""Default and maximum days of a banner."""

BEGINNING = 50
"""Maximum length of an announcement's excerpt in its subject."""

ACTIVE = timedelta(days=180)
"""Members seen within this time, or at play, are active and get the letter."""

BATCH = 100
"""Number of letters written per transaction."""


def _plan_announcement(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    english, italian = _text(given.english), _text(given.italian)
    if not english:
        raise ActError(_("An announcement needs its text in English."))
    days = whole(given.days.strip(), MOST_DAYS) if given.days.strip() else USUAL_DAYS
    if not days:
        raise ActError(_("A banner is shown for 1 to {most} days.").format(most=MOST_DAYS))
    before = standing(session, ANNOUNCE.name)
    until, is_mailed = now + timedelta(days=days), bool(given.letter.strip())

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        if before is not None:
            note_reversed(session, before, operator, now=now)
        state = locked_state(session)
        state.announcement_id, state.announcement_until = row.id, until
        state.english, state.italian = english, italian
        state.letters_after = 0 if is_mailed else None
        session.add(state)
        return {}

    when = moment(until, "UTC", "en")
    sentence = _("Every page shows this until {when}, instead of any earlier announcement: “{text}”").format(
        when=when, text=english
    )
    rest = (
        _("Every active member also gets it in a letter, once, unless they have turned announcements off. "
          "Letters that have left can't be called back.")
        if is_mailed else _("No letter is sent.")
    )  # fmt: skip
    return PlannedAct(f"{sentence} {rest}", carry_out, detail=f"{days} d{' + letter' if is_mailed else ''}")


def _text(typed: str) -> str:
    """Format an announcement as one paragraph. Raises ActError if it is too long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in typed).split())
    if len(text) > LONGEST:
        raise ActError(_("An announcement has at most {most} characters.").format(most=LONGEST))
    return text


def _undo(session: Session, row: OperatorAct, _facts: dict[str, Any], _now: datetime) -> None:
    state = locked_state(session)
    if state.announcement_id != row.id:
        raise ActError(_("Act {number} is not the current announcement.").format(number=row.id))
    state.announcement_id = state.announcement_until = state.letters_after = None
    state.english = state.italian = ""
    session.add(state)


ANNOUNCE = Act(
    name="announce",
    title=N_("Announce something to everybody"),
    button=N_("Announce it"),
    needs=("english",),
    takes=("italian", "days", "letter"),
    plan=_plan_announcement,
    undo=_undo,
    reason_hint=N_("It is kept in the list of acts, and nobody else reads it."),
)


# -- the letters -----------------------------------------------------------------------


def write_letters(session: Session, *, now: datetime) -> int:
    """Write an announcement's next letters; return the number of members examined.

    Each member gets one letter.
    """
    state = locked_state(session)
    if state.letters_after is None or state.announcement_id is None:
        return 0
    has_address = select(Address.id).where(col(Address.person_id) == col(Person.id)).exists()
    plays = select(Player.id).where(col(Player.person_id) == col(Person.id), col(Player.ended_at).is_(None)).exists()
    query = select(Person).where(col(Person.id) > state.letters_after, col(Person.departed_at).is_(None), has_address)
    query = query.where(col(Person.announcement_letters).is_(True))
    query = query.where(or_(plays, col(Person.seen_at) > now - ACTIVE, col(Person.joined_at) > now - ACTIVE))
    persons = session.exec(query.order_by(col(Person.id)).limit(BATCH)).all()
    for person in persons:
        _write(session, state, person, now)
    state.letters_after = persons[-1].id if len(persons) == BATCH else None
    session.add(state)
    return len(persons)


def _write(session: Session, state: ServiceState, person: Person, now: datetime) -> None:
    command, stop = command_token(session, person, now=now), stop_token(session, person, kinds.ANNOUNCEMENT, now=now)
    key = f"announcement:{state.announcement_id}:u{person.id}"
    draft = Draft(kinds.ANNOUNCEMENT, key, reply_token=command.id, stop_token=stop)
    with in_language(person.language):
        text = state.italian if person.language == "it" and state.italian else state.english
    letters.write_letter(
        session, letters.to_person(session, person), draft, now=now, words=text, begins=_beginning(text)
    )


def _beginning(text: str) -> str:
    """Return the first words of an announcement, for a subject."""
    if " " in text[:BEGINNING]:
        return shorten(text, BEGINNING, placeholder=" …")
    return text if len(text) <= BEGINNING else f"{text[: BEGINNING - 1]}…"
