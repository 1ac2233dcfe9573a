"""Budgets of answers to strangers; mail marked as forged or spam by our server gets none.

Anybody can invent senders, so limits per address do not bound the answers. Beyond these budgets a message is stored
and dropped without an answer, and counted. It is not refused: behind another mail server a refusal becomes a bounce
to an innocent address. Requests to join, for help or for rules have a budget of their own, which no spam uses up.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, func, select

from correspondence.core.config import Settings
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.store import close
from correspondence.mime.authentication import is_dmarc_failure, is_marked_spam
from correspondence.mime.mail_keys import mail_key, mailbox_key
from correspondence.models import InboundState, Letter, StrangerAnswer
from correspondence.models.locks import hold_name
from correspondence.models.mail import DROPPED

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)

PROVIDERS = frozenset(
    "126.com 163.com alice.it aol.com bigpond.com bluewin.ch comcast.net email.it fastmail.com free.fr freenet.de gmail.com "
    "gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it "
    "icloud.com interia.pl laposte.net libero.it live.com live.de live.it mac.com mail.com mail.de mail.ru mailbox.org me.com "
    "msn.com naver.com o2.pl orange.fr outlook.com outlook.de outlook.es outlook.fr outlook.it pm.me posteo.de proton.me "
    "protonmail.com qq.com seznam.cz sfr.fr t-online.de tim.it tin.it tiscali.it tuta.com tutanota.com virgilio.it web.de wp.pl "
    "yahoo.com yahoo.co.jp yahoo.co.uk yahoo.de yahoo.es yahoo.fr yahoo.it yandex.ru ymail.com ziggo.nl".split()
)
"""Domains with mailboxes for everybody: many people may write from one of them in the same hour."""


def reason_to_drop(session: Session, mail: PersonalMail, *, is_asked: bool) -> str:
    """Return why a stranger's mail gets no answer; empty if it may get one.

    Counts the budgets under a lock held until the end of the transaction.
    """
    if is_marked_spam(mail.inbound.raw):
        return f"{DROPPED}: marked as spam"
    if is_dmarc_failure(mail.inbound.raw, mail.settings.mail_authserv_id):
        return f"{DROPPED}: our mail server found From to be forged (dmarc=fail)"
    hold_name(session, "strangers")
    settings, domain = mail.settings, _domain(mail)
    if _given(session, mail.now - _DAY, is_asked) >= (
        settings.stranger_requests if is_asked else settings.stranger_answers
    ):
        return f"{DROPPED}: strangers have had the answers of a day"
    if _given(session, mail.now - _HOUR, is_asked or None, domain) >= _most_an_hour(settings, domain):
        return f"{DROPPED}: strangers of {domain} have had the answers of an hour"
    return ""


def is_spent(session: Session, settings: Settings, domain: str, now: datetime) -> bool:
    """Whether strangers of this domain can get no answer now; counted without a lock."""
    if _given(session, now - _HOUR, True, domain) >= _most_an_hour(settings, domain):
        return True
    most = {True: settings.stranger_requests, False: settings.stranger_answers}
    return all(_given(session, now - _DAY, is_asked) >= count for is_asked, count in most.items())


def answer_within(session: Session, mail: PersonalMail, write: Callable[[], None], *, is_asked: bool) -> str:
    """Let `write` answer a stranger's mail within the budget, and count the letter.

    Returns `reason_to_drop`, empty if the mail was within the budget. A message that is dropped is closed as ignored.
    """
    if reason := reason_to_drop(session, mail, is_asked=is_asked):
        close(session, mail.inbound, InboundState.IGNORED, reason)
        return reason
    before = _newest(session, mail)
    write()
    if _newest(session, mail) != before:
        session.execute(delete(StrangerAnswer).where(col(StrangerAnswer.at) <= mail.now - _DAY))
        session.add(StrangerAnswer(at=mail.now, domain=_domain(mail), is_asked=is_asked))
        session.flush()
    return ""


def _given(session: Session, since: datetime, is_asked: bool | None = None, domain: str = "") -> int:
    """Count the answers since a time, optionally of one kind or to one domain."""
    query = select(func.count()).select_from(StrangerAnswer).where(col(StrangerAnswer.at) > since)
    if is_asked is not None:
        query = query.where(col(StrangerAnswer.is_asked) == is_asked)
    if domain:
        query = query.where(col(StrangerAnswer.domain) == domain)
    return session.exec(query).one()


def _most_an_hour(settings: Settings, domain: str) -> int:
    return settings.stranger_provider_answers if domain in PROVIDERS else settings.stranger_domain_answers


def _newest(session: Session, mail: PersonalMail) -> int | None:
    query = select(func.max(Letter.id)).where(col(Letter.mailbox) == mailbox_key(mail.author))
    return session.exec(query).one()


def _domain(mail: PersonalMail) -> str:
    return mail_key(mail.author).rpartition("@")[2]
