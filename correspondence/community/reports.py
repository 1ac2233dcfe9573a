"""Reports about members' behaviour: stored, and mailed to the operator."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from correspondence.accounts.accounts import PeopleError
from correspondence.community.blocking import other_person
from correspondence.models import Audience, Match, MemberReport, Person, Remark
from correspondence.models.loading import players_of
from correspondence.models.locks import hold_person
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.play.matches import TALK_LIMIT, clean_talk
from engines.wording import _

REPORTS_A_DAY = 3
"""Maximum reports per person and day."""

TALK_SHOWN = 10
"""Number of a game's last remarks sent to the operator with a report."""

PASSED_ON = (Audience.PLAYERS, Audience.EVERYONE)
"""The audiences whose remarks both players of a game can read.

Private notes are never sent, not even the reporter's own. Remarks of a muted player are sent, because they may be the
reason for the report.
"""


def report(
    session: Session,
    person: Person,
    handle: str,
    words: str,
    *,
    match_id: int | None = None,
    operator: str,
    now: datetime,
) -> MemberReport:
    """Report somebody: store it, and mail it to the address `operator` if that is not empty.

    `match_id` is the match in which it happened, which both must play; its last remarks that the reporter could read
    are sent along. The reported person is not told. Raises PeopleError.
    """
    about = other_person(session, person, handle)
    match = _match_of_both(session, match_id, person, about)
    text = clean_talk(words)
    if not text:
        raise PeopleError(_("Please say in a few words what happened."))
    hold_person(session, person)
    query = select(func.count()).select_from(MemberReport).where(col(MemberReport.person_id) == person.id)
    if session.exec(query.where(col(MemberReport.at) > now - timedelta(days=1))).one() >= REPORTS_A_DAY:
        sentence = _("You have sent {count} reports within a day; they are being read. Please write again tomorrow.")
        raise PeopleError(sentence.format(count=REPORTS_A_DAY))
    row = MemberReport(person_id=person.id, about_id=about.id, match_id=match.id if match else None, text=text, at=now)
    session.add(row)
    session.flush()
    if operator:
        _mail_operator(session, row, person, about, operator, now)
    return row


def last_reports(session: Session, most: int = 100, skip: int = 0) -> list[tuple[MemberReport, str, str]]:
    """Return the last reports after the newest `skip`, newest first.

    Each comes with the handles of the reporter and the reported person.
    """
    by, about = aliased(Person), aliased(Person)
    query = (
        select(MemberReport, by.handle, about.handle)
        .join(by, col(by.id) == col(MemberReport.person_id))
        .join(about, col(about.id) == col(MemberReport.about_id))
    )
    rows = session.exec(query.order_by(col(MemberReport.id).desc()).limit(most).offset(skip))
    return [(row, one, other) for row, one, other in rows]


def _match_of_both(session: Session, match_id: int | None, person: Person, about: Person) -> Match | None:
    if match_id is None:
        return None
    match = session.get(Match, match_id)
    person_ids = {player.person_id for player in players_of(session, match_id)} if match else set()
    if not {person.id, about.id} <= person_ids:
        sentence = _("You do not play game {number} with {handle}.")
        raise PeopleError(sentence.format(number=match_id, handle=about.handle))
    return match


def _mail_operator(
    session: Session, row: MemberReport, person: Person, about: Person, operator: str, now: datetime
) -> None:
    letters.write_letter(
        session,
        letters.To(operator),
        Draft(kinds.REPORT, f"report:{row.id}"),
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
    query = select(Remark).where(col(Remark.match_id) == match_id, col(Remark.audience).in_(PASSED_ON))
    query = query.where(or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= now))
    remarks = session.exec(query.order_by(col(Remark.id).desc()).limit(TALK_SHOWN)).all()
    return [(names[remark.person_id], remark.text) for remark in reversed(remarks)]
