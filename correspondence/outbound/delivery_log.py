"""What happened to every letter and every mail, told to the person whom it concerns and to nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.tokens import masked
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.outbound import coalescing
from engines.wording import N_, _

LAST = 10
"""How many of the last letters are listed by mail."""

MOST = 500
"""How many letters and mails of a match the page lists, the newest first."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter to its reader: when it was queued and sent, and what came of it in a sentence."""

    kind: str
    match: int | None
    at: datetime
    sent_at: datetime | None
    fate: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail from the reader, and what came of it in a sentence."""

    at: datetime
    fate: str


NAMES = {
    "turn": N_("your turn"),
    "over": N_("the end of the game"),
    "reminder": N_("reminder"),
    "talk": N_("talk"),
    "draw_offered": N_("a draw is offered"),
    "planned": N_("your plan has moved for you"),
    "plan_stopped": N_("your plan is off"),
    "plans_wanted": N_("plans of a game to be opened"),
    "plans_opened": N_("opened plans of a game"),
    "takeback_offered": N_("a take-back is asked for"),
    "taken_back": N_("a move was taken back"),
    "pause_offered": N_("a pause is proposed"),
    "paused": N_("a pause has begun"),
    "flag_fell": N_("time has run out"),
    "absence_spent": N_("a day of absence was spent"),
    "nudge": N_("request to move"),
    "export": N_("link to everything kept about you"),
    "forget": N_("question before erasing you"),
    "put_off": N_("the deadline is put off"),
    "resign": N_("question before resigning"),
    "answer": N_("answer to your mail"),
    "proposal": N_("question about what a mail asked for"),
    "test": N_("test letter"),
    "sign_in": N_("sign-in link"),
    "welcome": N_("welcome"),
    "challenge": N_("challenge"),
    "declined": N_("challenge declined"),
    "begun": N_("a game has begun"),
    "seek_expired": N_("a seek has ended"),
    "invitation": N_("invitation"),
    "invited": N_("your invitation"),
    "contact": N_("letter from a member"),
    "join": N_("question before joining"),
    "operator": N_("mail for the operator"),
    "report": N_("report about a player"),
    "digest": N_("digest"),
}
"""What each kind of letter is called."""

_RECEIVED = {
    InboundState.NEW: N_("Received; it is read in a moment."),
    InboundState.TAKEN: N_("It is being read, or will be tried again."),
    InboundState.DONE: N_("Read: {outcome}."),
    InboundState.IGNORED: N_("Not obeyed, because it looks like a machine's ({outcome})."),
    InboundState.REJECTED: N_("Not obeyed: {outcome}."),
    InboundState.DEAD: N_("It could not be read because of a mistake of ours. It is kept, and somebody looks at it."),
}


def posted_about(session: Session, match_id: int, person_id: int) -> tuple[Posted, ...]:
    """The letters to a person about a match, newest first."""
    found = select(Letter).where(col(Letter.match_id) == match_id, col(Letter.person_id) == person_id)
    letters = session.exec(found.order_by(col(Letter.id).desc()).limit(MOST)).all()
    return tuple(_posted(letter) for letter in coalescing.known(letters))


def arrived_about(session: Session, match_id: int, person_id: int) -> tuple[Arrived, ...]:
    """The mails of a person about a match, newest first."""
    found = select(Inbound).where(col(Inbound.match_id) == match_id, col(Inbound.person_id) == person_id)
    mails = session.exec(found.order_by(col(Inbound.id).desc()).limit(MOST))
    return tuple(Arrived(mail.received_at, _read(mail)) for mail in mails)


def last_letters(session: Session, person_id: int, kind: str = "", most: int = LAST) -> tuple[Posted, ...]:
    """The last letters to a person, or those of one kind, newest first."""
    found = select(Letter).where(col(Letter.person_id) == person_id)
    if kind:
        found = found.where(col(Letter.kind) == kind)
    letters = session.exec(found.order_by(col(Letter.id).desc()).limit(most)).all()
    return tuple(_posted(letter) for letter in coalescing.known(letters))


def fate(letter: Letter) -> str:
    """What came of a letter, in a sentence with the words of the other side."""
    answer = masked(letter.answer) or "–"
    if letter.bounce:
        told = _("It came back ({weight}): {words}").format(weight=letter.bounce, words=masked(letter.bounce_words))
        is_sent = letter.state == LetterState.SENT
        return f"{told} – " + _("Before that it was taken: {answer}").format(answer=answer) if is_sent else told
    if letter.state == LetterState.QUEUED and letter.answer and not letter.tries:
        return _("It waits, because no letters leave at the moment: {answer}").format(answer=answer)
    if letter.state == LetterState.QUEUED and letter.tries:
        return _("Tried {count} times, and will be tried again: {answer}").format(count=letter.tries, answer=answer)
    if letter.state == LetterState.CANCELLED and letter.answer:
        return _("Not sent, because letters to your address are stopped: {reason}").format(reason=answer)
    return _(_FATES[letter.state]).format(answer=answer)


_FATES = {
    LetterState.QUEUED: N_("It waits to be sent."),
    LetterState.SENDING: N_("It is being sent."),
    LetterState.SENT: N_("Taken by the mail server: {answer}"),
    LetterState.CANCELLED: N_("Not sent, because it was no longer needed."),
    LetterState.HELD: N_("It waits for the next digest."),
    LetterState.TOLD: N_("Told in another letter."),
    LetterState.UNCERTAIN: N_("Sent, but no answer came; it is sent once more: {answer}"),
    LetterState.FAILED: N_("Not delivered: {answer}"),
}


def _posted(letter: Letter) -> Posted:
    kind = _(NAMES.get(letter.kind, letter.kind))
    return Posted(kind, letter.match_id, letter.created_at, letter.sent_at, fate(letter))


def _read(mail: Inbound) -> str:
    return _(_RECEIVED[mail.state]).format(outcome=masked(mail.reason[:200]) or "–")
