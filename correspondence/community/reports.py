"""Reports about somebody's behaviour: kept, and passed on by letter to whoever runs this installation."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from correspondence.accounts.accounts import PeopleError
from correspondence.community.blocking import other_called
from correspondence.models import Audience, Complaint, Match, Person, Remark
from correspondence.models.loading import players_of
from correspondence.outbound import letters
from correspondence.play.matches import TALK_LIMIT, clean_talk
from engines.wording import _

REPORTS_A_DAY = 3
"""How many reports one person can send in a day."""

TALK_SHOWN = 10
"""How many of the last remarks of a game are shown to the operator with a report about it."""

PASSED_ON = (Audience.PLAYERS, Audience.EVERYONE)
"""Whose words the two players of a game could both read. A note stays with its writer, also where the writer reports;
what somebody said who is muted now goes along, because it can be why."""


def report(
    session: Session,
    person: Person,
    handle: str,
    words: str,
    *,
    match_id: int | None = None,
    operator: str,
    now: datetime,
) -> Complaint:
    """Tell the operator about somebody, by letter to the address `operator` if there is one.

    `match_id` is the match in which it happened, one that both play; the last words in it that the reporter could
    read go along. The other is not told. Raises PeopleError.
    """
    about = other_called(session, person, handle)
    match = _match_of_both(session, match_id, person, about)
    said = clean_talk(words)
    if not said:
        raise PeopleError(_("Please say in a few words what happened."))
    session.get_one(Person, person.id, with_for_update={"key_share": True})
    lately = select(func.count()).select_from(Complaint).where(col(Complaint.person_id) == person.id)
    if session.exec(lately.where(col(Complaint.at) > now - timedelta(days=1))).one() >= REPORTS_A_DAY:
        sentence = _("You have sent {count} reports within a day; they are being read. Please write again tomorrow.")
        raise PeopleError(sentence.format(count=REPORTS_A_DAY))
    row = Complaint(person_id=person.id, about_id=about.id, match_id=match.id if match else None, text=said, at=now)
    session.add(row)
    session.flush()
    if operator:
        _tell(session, row, person, about, operator, now)
    return row


def last_reports(session: Session, most: int = 100) -> list[tuple[Complaint, str, str]]:
    """The last reports, newest first, with the handles of who wrote and of whom."""
    by, about = aliased(Person), aliased(Person)
    found = (
        select(Complaint, by.handle, about.handle)
        .join(by, col(by.id) == col(Complaint.person_id))
        .join(about, col(about.id) == col(Complaint.about_id))
    )
    return [(row, one, other) for row, one, other in session.exec(found.order_by(col(Complaint.id).desc()).limit(most))]


def _match_of_both(session: Session, match_id: int | None, person: Person, about: Person) -> Match | None:
    if match_id is None:
        return None
    match = session.get(Match, match_id)
    seated = {player.person_id for player in players_of(session, match_id)} if match else set()
    if not {person.id, about.id} <= seated:
        sentence = _("You do not play game {number} with {handle}.")
        raise PeopleError(sentence.format(number=match_id, handle=about.handle))
    return match


def _tell(session: Session, row: Complaint, person: Person, about: Person, operator: str, now: datetime) -> None:
    letters.write_letter(
        session,
        "report",
        letters.To(operator),
        f"report:{row.id}",
        now=now,
        reporter=person.handle,
        about=about.handle,
        match=row.match_id,
        words=row.text[:TALK_LIMIT],
        talk=_talk(session, row.match_id, {person.id: person.handle, about.id: about.handle}, now),
    )


def _talk(session: Session, match_id: int | None, names: dict[int, str], now: datetime) -> list[tuple[str, str]]:
    if match_id is None:
        return []
    said = select(Remark).where(col(Remark.match_id) == match_id, col(Remark.audience).in_(PASSED_ON))
    said = said.where(or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= now))
    last = session.exec(said.order_by(col(Remark.id).desc()).limit(TALK_SHOWN)).all()
    return [(names[remark.person_id], remark.text) for remark in reversed(last)]
