"""The suppression list: addresses that get no letters, and how they are added and removed.

A dead address gets only a requested sign-in letter; following its link proves that letters arrive again. A complaint
stops all letters. A non-member who wants no letters gets no notices.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import counting, db
from correspondence.mime.bounces import DeliveryReport, Weight, names_dead_mailbox
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Address, Letter, Scope, Suppression
from correspondence.outbound.kinds import kind_of

THRESHOLD = 2
"""Number of “no such mailbox” bounces, at least APART, that suppresses an address."""

APART = timedelta(days=1)
"""Minimum time between two counted bounces, so that a brief fault suppresses nobody."""

ON_PROBATION = THRESHOLD - 1
"""Starting score of a reactivated address: one more such bounce suppresses it."""

DECAY = timedelta(days=30)
"""Time without such a bounce after which the score is reset."""

COMPLAINT = "complaint"
"""Prefix of the reason if the recipient reported a letter as spam."""

_UNREACHABLE = (
    select(Address.person_id)
    .join(Suppression, col(Suppression.mail_key) == col(Address.mail_key))
    .where(col(Address.person_id).in_(bindparam("persons", expanding=True)), col(Suppression.scope) == Scope.ALL)
    .where(col(Address.is_main))
)


def record_bounce(session: Session, letter: Letter, report: DeliveryReport, *, now: datetime) -> None:
    """Record the bounce of a letter, unless a more severe one is recorded.

    Only “no such mailbox” counts against an address, once a day; a complaint suppresses at once.
    """
    is_graver = not letter.bounce or _grade(report.weight) > _grade(Weight(letter.bounce))
    if not is_graver:
        return
    letter.bounce, letter.bounce_words, letter.bounced_at, letter.due_at = report.weight.value, report.words, now, now
    session.add(letter)
    key = mail_key(letter.recipient)
    if report.weight == Weight.COMPLAINT:
        suppress(session, key, Scope.ALL, f"{COMPLAINT}: {report.words}", now=now)
    elif report.weight == Weight.HARD and names_dead_mailbox(report.words) and _score(session, key, now) >= THRESHOLD:
        suppress(session, key, Scope.ALL, f"bounced: {report.words}", now=now)


def _grade(weight: Weight) -> int:
    return list(Weight).index(weight)


def _score(session: Session, key: str, now: datetime) -> int:
    """Count a “no such mailbox” bounce if the last one is long enough ago; return the score."""
    address = session.exec(select(Address).where(col(Address.mail_key) == key).with_for_update()).first()
    if address is None:
        return 0
    since = now - address.bounced_at if address.bounced_at is not None else None
    if since is not None and since < APART and address.bounce_score > 0:
        return 0
    is_old = since is not None and since > DECAY
    address.bounce_score = 1 + (0 if is_old else address.bounce_score)
    address.bounced_at = now
    session.add(address)
    return address.bounce_score


def suppress(session: Session, mail: str, scope: Scope, reason: str, *, now: datetime) -> None:
    """Suppress letters of this scope to an address; an existing entry keeps its reason."""
    key = mail_key(mail)
    if _rows(session, [key], scope):
        return
    session.add(Suppression(mail_key=key, scope=scope, reason=reason[:400], since=now))
    session.flush()
    counting.count(session, "suppressions", scope)


def lift(session: Session, mail: str, scope: Scope = Scope.ALL, *, score: int = 0) -> bool:
    """Remove an address from the list and set its score; return False if it was not on the list."""
    rows = _rows(session, [mail_key(mail)], scope)
    for row in rows:
        session.delete(row)
    address = session.exec(select(Address).where(col(Address.mail_key) == mail_key(mail))).first()
    if rows and address is not None:
        address.bounce_score, address.bounced_at = score, None
        session.add(address)
    session.flush()
    return bool(rows)


def wants_no_notices(session: Session, mail: str) -> bool:
    """Whether an address gets no notices, at its owner's request."""
    return bool(_rows(session, [mail_key(mail)], Scope.NOTICES))


def suppression_reason(session: Session, letter: Letter) -> str:
    """Return why this letter must not be sent; empty if it is not suppressed."""
    for row in _rows(session, [mail_key(letter.recipient)]):
        is_probe = kind_of(letter).is_probe and not row.reason.startswith(COMPLAINT)
        is_notice = kind_of(letter).is_notice and not letter.auto_submitted.startswith("auto-replied")
        if (row.scope == Scope.ALL and not is_probe) or (row.scope == Scope.NOTICES and is_notice):
            return f"suppressed: {row.reason}"
    return ""


def unreachable(session: Session, person_ids: Iterable[int]) -> frozenset[int]:
    """Return those of these persons whose main address gets no letters at all."""
    wanted = frozenset(person_ids)
    persons, found = db.asked(session).get(Suppression, (frozenset(), frozenset()))
    return found & wanted if wanted <= persons else _unreachable(session, wanted)


def ask_ahead(session: Session, person_ids: Iterable[int]) -> None:
    """Load which of these persons are unreachable, for a block of `db.asking_once`."""
    wanted = frozenset(person_ids)
    db.asked(session)[Suppression] = wanted, _unreachable(session, wanted)


def _unreachable(session: Session, person_ids: frozenset[int]) -> frozenset[int]:
    return frozenset(number for (number,) in db.rows(session, _UNREACHABLE, persons=sorted(person_ids)))


def why_unreachable(session: Session, person_id: int) -> str:
    """Return why a person gets no letters; empty if they get them."""
    is_main = (col(Address.person_id) == person_id, col(Address.is_main))
    keys = session.exec(select(Address.mail_key).where(*is_main)).all()
    return next((row.reason for row in _rows(session, keys, Scope.ALL)), "")


def _rows(session: Session, keys: Iterable[str], scope: Scope | None = None) -> list[Suppression]:
    query = select(Suppression).where(col(Suppression.mail_key).in_(list(keys)))
    return list(session.exec(query.where(col(Suppression.scope) == scope) if scope else query))
