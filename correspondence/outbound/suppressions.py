"""Addresses that are not written to: how they come to be so, who asks, and the way back.

A dead address gets nothing but a sign-in letter that somebody asks for; to follow its link is the proof that
letters arrive again. A complaint stops everything. Who never joined and wants no letters gets no notices.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.mime.bounces import Report, Weight
from correspondence.mime.classify import mail_key
from correspondence.models import Address, Letter, Scope, Suppression

POINTS = {Weight.SOFT: 1, Weight.HARD: 2}
"""What a letter that came back adds to the score of its address; a block is a verdict on us and adds nothing."""

THRESHOLD = 4
"""The score at which an address gets no more letters."""

ON_PROBATION = THRESHOLD - POINTS[Weight.HARD]
"""The score with which an address begins that its owner asks to be written to again."""

DECAY = timedelta(days=30)
"""After so long without a bounce a score is forgotten."""

COMPLAINT = "complaint"
"""How the reason begins where somebody reported a letter of ours as unwanted."""

NOTICES = frozenset({"join", "talk", "reminder", "invitation", "contact"})
"""The kinds of letters that nobody needs in order to play on; one that answers a mail from there is none."""

PROBE = "sign_in"
"""The kind of letter that a dead address still gets, because somebody asked for it to be tried."""

_UNREACHABLE = (
    select(Address.person_id)
    .join(Suppression, col(Suppression.mail_key) == col(Address.mail_key))
    .where(col(Address.person_id).in_(bindparam("persons", expanding=True)), col(Suppression.scope) == Scope.ALL)
)


def note_return(session: Session, letter: Letter, report: Report, *, now: datetime) -> None:
    """Write down that a letter came back, and score its address; graver news of one letter adds the difference."""
    before = Weight(letter.bounce) if letter.bounce else Weight.BLOCK
    if letter.bounce and list(Weight).index(report.weight) <= list(Weight).index(before):
        return
    letter.bounce, letter.bounce_words, letter.bounced_at = report.weight.value, report.words, now
    session.add(letter)
    key = mail_key(letter.recipient)
    if report.weight == Weight.COMPLAINT:
        suppress(session, key, Scope.ALL, f"{COMPLAINT}: {report.words}", now=now)
        return
    points = POINTS.get(report.weight, 0) - POINTS.get(before, 0)
    if points and _score(session, key, points, now) >= THRESHOLD:
        suppress(session, key, Scope.ALL, f"bounced: {report.words}", now=now)


def _score(session: Session, key: str, points: int, now: datetime) -> int:
    address = session.exec(select(Address).where(col(Address.mail_key) == key).with_for_update()).first()
    if address is None:
        return 0
    is_old = address.scored_at is None or now - address.scored_at > DECAY
    address.score = points + (0 if is_old else address.score)
    address.scored_at = now
    session.add(address)
    return address.score


def suppress(session: Session, mail: str, scope: Scope, reason: str, *, now: datetime) -> None:
    """Write no more letters of this scope to an address; the first reason stays."""
    key = mail_key(mail)
    if _rows(session, [key], scope):
        return
    session.add(Suppression(mail_key=key, scope=scope, reason=reason[:400], since=now))
    session.flush()


def lift(session: Session, mail: str, scope: Scope = Scope.ALL, *, score: int = 0) -> bool:
    """Write to an address again, beginning with `score`; False when nothing was suppressed."""
    rows = _rows(session, [mail_key(mail)], scope)
    for row in rows:
        session.delete(row)
    address = session.exec(select(Address).where(col(Address.mail_key) == mail_key(mail))).first()
    if rows and address is not None:
        address.score = score
        session.add(address)
    session.flush()
    return bool(rows)


def hindrance(session: Session, letter: Letter) -> str:
    """Why this letter must not be sent, as its outcome says it; empty where nothing is suppressed."""
    for row in _rows(session, [mail_key(letter.recipient)]):
        is_probe = letter.kind == PROBE and not row.reason.startswith(COMPLAINT)
        is_notice = letter.kind in NOTICES and letter.auto_submitted != "auto-replied"
        if (row.scope == Scope.ALL and not is_probe) or (row.scope == Scope.NOTICES and is_notice):
            return f"suppressed: {row.reason}"
    return ""


def unreachable(session: Session, person_ids: Iterable[int]) -> frozenset[int]:
    """Those of these persons to whom no letter goes through at all."""
    return frozenset(session.exec(_UNREACHABLE, params={"persons": sorted(person_ids)}))


def why_unreachable(session: Session, person_id: int) -> str:
    """The reason for which a person gets no letters; empty where he gets them."""
    keys = session.exec(select(Address.mail_key).where(col(Address.person_id) == person_id)).all()
    return next((row.reason for row in _rows(session, keys, Scope.ALL)), "")


def _rows(session: Session, keys: Iterable[str], scope: Scope | None = None) -> list[Suppression]:
    found = select(Suppression).where(col(Suppression.mail_key).in_(list(keys)))
    return list(session.exec(found.where(col(Suppression.scope) == scope) if scope else found))
