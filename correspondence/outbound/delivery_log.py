"""Delivery log: outcomes of letters to a person and of mails from them, shown only to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.tokens import masked
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.outbound import coalescing
from correspondence.outbound.kinds import LetterKind, kind_of
from engines.wording import N_, _

LAST = 10
"""Maximum letters listed by the command `letters`."""

MOST = 500
"""Maximum letters and mails of a match listed on its page, newest first."""

RESTORED = "restored from a backup"
"""The answer stored for letters that were waiting in a restored backup."""


@dataclass(frozen=True, slots=True)
class LetterStatus:
    """A letter to the person: times queued and sent, and its outcome as a sentence."""

    kind: str
    match: int | None
    at: datetime
    sent_at: datetime | None
    outcome: str


@dataclass(frozen=True, slots=True)
class MailStatus:
    """A mail from the person: its arrival time, and its outcome as a sentence."""

    at: datetime
    outcome: str


_MAIL_OUTCOMES = {
    InboundState.NEW: N_("Received; it will be read in a moment."),
    InboundState.TAKEN: N_("It is being read, or will be tried again."),
    InboundState.DONE: N_("Read: {outcome}."),
    InboundState.IGNORED: N_("Ignored, because it looks like automatic mail ({outcome})."),
    InboundState.REJECTED: N_("Ignored: {outcome}."),
    InboundState.DEAD: N_(
        "It could not be processed because of an error on our side. It is kept, and somebody will look at it."
    ),
}


_REASONS = frozenset(
    {
        N_("played"), N_("planned"), N_("refused"), N_("said"), N_("proposed"), N_("nothing to do"), N_("joined"),
        N_("join requested"), N_("not confirmed"), N_("no single author"), N_("token unknown or expired"),
        N_("From is no address that could be answered"), N_("From is not an address of the token's owner"),
        N_("From is not vouched for, and there is no token"), N_("From is not the address to be confirmed"),
        N_("addresses of several people"), N_("not proposed: no letter may go there"),
        N_("not proposed: it waits already, or there were too many"),
        N_("its reply address has expired"), N_("the letter is no longer kept"),
    }
)  # fmt: skip
"""Notes on processed mail that is neither a command nor automatic."""


def letters_about(session: Session, match_id: int, person_id: int) -> tuple[LetterStatus, ...]:
    """Return the letters to a person about a match, newest first."""
    query = select(Letter).where(col(Letter.match_id) == match_id, col(Letter.person_id) == person_id)
    letters = session.exec(query.order_by(col(Letter.id).desc()).limit(MOST)).all()
    return tuple(_letter_status(letter) for letter in coalescing.visible_letters(letters))


def mails_about(session: Session, match_id: int, person_id: int) -> tuple[MailStatus, ...]:
    """Return the mails of a person about a match, newest first."""
    query = select(Inbound).where(col(Inbound.match_id) == match_id, col(Inbound.person_id) == person_id)
    mails = session.exec(query.order_by(col(Inbound.id).desc()).limit(MOST))
    return tuple(MailStatus(mail.received_at, _mail_outcome(mail)) for mail in mails)


def last_letters(
    session: Session, person_id: int, kind: LetterKind | None = None, most: int = LAST
) -> tuple[LetterStatus, ...]:
    """Return the last letters to a person (of one kind if given), newest first."""
    query = select(Letter).where(col(Letter.person_id) == person_id)
    if kind is not None:
        query = query.where(col(Letter.kind) == kind.name)
    letters = session.exec(query.order_by(col(Letter.id).desc()).limit(most)).all()
    return tuple(_letter_status(letter) for letter in coalescing.visible_letters(letters))


def outcome_sentence(letter: Letter) -> str:
    """Describe the outcome of a letter, with the server's answer and what its code means."""
    sentence, code = _outcome(letter), _UNPROVEN.search(letter.bounce_words or letter.answer)
    if code is None:
        return sentence
    meaning = _(
        "{code} means: the recipient's server requires both SPF and DKIM to prove our domain. The person who "
        "runs this service can fix that."
    )
    return f"{sentence} {meaning.format(code=code[0])}"


_UNPROVEN = re.compile(r"(?<![\d.])5\.7\.(?:515|509|20|23|26|27|30)(?!\.?\d)")
"""Matches reply codes of Microsoft, Gmail and RFC 7372 for mail that fails SPF or DKIM."""


def _outcome(letter: Letter) -> str:
    answer = masked(letter.answer) or "–"
    if letter.bounce:
        bounce_text = _("It came back ({weight}): {words}").format(
            weight=letter.bounce, words=masked(letter.bounce_words)
        )
        return bounce_text
    if letter.state == LetterState.QUEUED and letter.answer and not letter.tries:
        return _("Waiting, because no letters can be sent at the moment: {answer}").format(answer=answer)
    tries = letter.tries - letter.lost_leases
    if letter.state == LetterState.QUEUED and tries > 0:
        return _("Tried {count} times, and will be tried again: {answer}").format(count=tries, answer=answer)
    if letter.state == LetterState.CANCELLED and (letter.may_have_arrived or letter.lost_leases):
        return _(
            "It was on its way once, so it may have arrived. It was not sent again, because it was no longer wanted."
        )
    if letter.state == LetterState.CANCELLED and letter.answer == RESTORED:
        return _("Not sent, because the service was restored from a backup; it may have been sent before.")
    if letter.state == LetterState.CANCELLED and letter.answer:
        return _("Not sent, because letters to your address are stopped: {reason}").format(reason=answer)
    return _(_LETTER_OUTCOMES[letter.state]).format(answer=answer)


_LETTER_OUTCOMES = {
    LetterState.QUEUED: N_("Waiting to be sent."),
    LetterState.SENDING: N_("It is being sent."),
    LetterState.SENT: N_("Accepted by the mail server."),
    LetterState.CANCELLED: N_("Not sent, because it was no longer needed."),
    LetterState.HELD: N_("Waiting for the next digest."),
    LetterState.MERGED: N_("Included in another letter."),
    LetterState.UNCERTAIN: N_("Sent, but no answer came; it will be sent again: {answer}"),
    LetterState.FAILED: N_("Not delivered: {answer}"),
}


def _letter_status(letter: Letter) -> LetterStatus:
    title = _(kind_of(letter).title)
    return LetterStatus(title, letter.match_id, letter.created_at, letter.sent_at, outcome_sentence(letter))


def _mail_outcome(mail: Inbound) -> str:
    reason = _(mail.reason) if mail.reason in _REASONS else masked(mail.reason[:200])
    state = InboundState.TAKEN if mail.state == InboundState.NEW and mail.tries else mail.state
    return _(_MAIL_OUTCOMES[state]).format(outcome=reason or "–")
