"""The letters that answer a message, or warn of one; a day has so many of them for each address."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, and_, col, func, select

from correspondence.accounts import accounts
from correspondence.commands import proposals
from correspondence.commands.handlers import Outcome, Sender
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox.reading import own_id
from correspondence.inbound.mailbox.store import close
from correspondence.mime.classify import Classification, mailbox_key
from correspondence.models import Inbound, InboundState, Letter, Person
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import game_letters
from engines.wording import _

ANSWERS_A_DAY = 10
"""The most automatic answers to a stranger's address in a day; somebody at a table of ours has more."""

ANSWERS_A_DAY_TO_PLAYERS = 60

REFUSALS_IN_A_ROW = 3
"""The most refusals in one thread, which is a game or all else of one address, before something there succeeds."""

MEMORY = timedelta(hours=25)
"""How long a refusal is remembered: whoever errs again tomorrow is answered again."""

REFUSED = ("refused", "nothing to do")
"""How mails end that are answered with a refusal."""


def answer(
    session: Session,
    inbound: Inbound,
    to: letters.To | None,
    sections: Sequence[TranscriptEntry],
    verdict: Classification,
    now: datetime,
    *,
    subject: str,
    player: Sender | None,
    board: bool = False,
    once: str = "",
) -> None:
    """Write the one answer to a message: as a letter of its game where there is one, else by itself.

    Nothing is written where its kind of mail gets no answer, or where the address has had enough of them in a day.
    A refusal, which names the words it is `once` given to, is not given twice in a day at the same moment of the game,
    and not a fourth time in one thread before something succeeds there; the third says so.
    """
    if to is None or not verdict.may_answer or not _may_answer(session, to, now):
        return
    key = f"answer:i{inbound.id}"
    if once:
        refusal, before = _refusal(to, sections, once, player), _refusals(session, to, inbound.match_id, now)
        if before >= REFUSALS_IN_A_ROW or _was_told(session, to, refusal, now):
            return
        key, is_last = f"{refusal}:{inbound.id}", before == REFUSALS_IN_A_ROW - 1
        sections = [*sections, TranscriptEntry("", _last_for_now())] if is_last else sections
    choices = next((one.choices or one.suggestions for one in sections if one.choices or one.suggestions), ())
    if player is None or player.player is None or player.match is None:
        reply = accounts.desk_token(session, player.person, now=now).id if player else None
        letters.write_letter(
            session,
            "answer",
            to,
            key,
            now=now,
            answers=True,
            in_reply_to=own_id(inbound),
            reply_token=reply,
            choices=choices,
            subject_line=subject,
            sections=sections,
            board="",
        )
        return
    game_letters.answer(session, player.match, player.player, sections, key, now=now, choices=choices, board=board)


def propose(session: Session, inbound: Inbound, writer: Sender, done: Outcome, verdict: Classification) -> str:
    """Ask the registered address about what a From line asked for, in one letter with the other answers.

    Returns what came of it. Where nothing is proposed, because that would be once more or too often, the letter has
    the other answers alone; without any there is no letter.
    """
    to, now = letters.to_person(session, writer.person), writer.now
    if to is None or not verdict.may_answer or not _may_answer(session, to, now):
        return "not proposed: no letter may go there"
    subject = _("What you asked for")
    hindrance = proposals.reason_not_to_propose(session, writer.person, done.proposed, now=now)
    if hindrance:
        if done.sections:
            told = [*done.sections, TranscriptEntry("", hindrance)]
            answer(session, inbound, to, told, verdict, now, subject=subject, player=writer)
        return "not proposed: it waits already, or there were too many"
    token = proposals.propose(session, writer.person, done.proposed, through=writer.token, now=now)
    letters.write_letter(
        session,
        proposals.KIND,
        to,
        f"{proposals.KIND}:t{token.id}",
        now=now,
        answers=True,
        in_reply_to=own_id(inbound),
        reply_token=token.id,
        link_token=token.id,
        subject_line=subject,
        sections=done.sections,
        board="",
        proposed=proposals.quoted(done.proposed),
        until=now + proposals.CONFIRM_WITHIN,
        is_last=proposals.count_recent(session, writer.person, now=now) == proposals.PROPOSALS_A_DAY - 1,
    )
    return "proposed"


def _refusal(to: letters.To, sections: Sequence[TranscriptEntry], once: str, player: Sender | None) -> str:
    """How the keys of one refusal begin at one moment of a game: programs repeat themselves, and nobody gains by it."""
    match = player.match if player is not None else None
    told = repr((mailbox_key(to.mail), sections, once, match.id if match else None, match.ply if match else None))
    return f"refusal:{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def _was_told(session: Session, to: letters.To, begins: str, now: datetime) -> bool:
    """Whether a letter whose key begins so went to an address lately."""
    lately = select(Letter.id).where(_goes(to), col(Letter.created_at) > now - MEMORY)
    return session.exec(lately.where(col(Letter.key).startswith(f"{begins}:", autoescape=True))).first() is not None


def _goes(to: letters.To) -> Any:
    """Whether a letter went to the same mailbox, and to the same person or to no member."""
    return and_(col(Letter.mailbox) == mailbox_key(to.mail), col(Letter.person_id) == to.person_id)


def _refusals(session: Session, to: letters.To, match_id: int | None, now: datetime) -> int:
    """How often an address was refused something in a thread lately, since anything succeeded there."""
    since = now - MEMORY
    if to.person_id is not None:
        succeeded = select(func.max(Inbound.received_at)).where(
            col(Inbound.person_id) == to.person_id,
            col(Inbound.received_at) > since,
            col(Inbound.match_id) == match_id,
            col(Inbound.state) == InboundState.DONE,
            col(Inbound.reason).not_in(REFUSED),
        )
        since = max(since, session.exec(succeeded).one() or since)
    refused = (
        select(func.count())
        .select_from(Letter)
        .where(
            _goes(to),
            col(Letter.match_id) == match_id,
            col(Letter.created_at) > since,
            col(Letter.key).startswith("refusal:"),
        )
    )
    return session.exec(refused).one()


def _last_for_now() -> str:
    return _(
        "This was the third mail in a row that could not be carried out. So that no two programs write to each other "
        "for ever, the next ones are answered only once one succeeds, or tomorrow. On the page you see at once what "
        "is possible: %%base%%/games"
    )


def _may_answer(session: Session, to: letters.To, now: datetime) -> bool:
    counted = (
        select(func.count())
        .select_from(Letter)
        .where(
            _goes(to),
            col(Letter.created_at) > now - timedelta(days=1),
            col(Letter.auto_submitted) == "auto-replied",
        )
    )
    limit = ANSWERS_A_DAY if to.person_id is None else ANSWERS_A_DAY_TO_PLAYERS
    return session.exec(counted).one() < limit


def tell_of_a_foreign_sender(session: Session, inbound: Inbound, person: Person, now: datetime) -> None:
    """Somebody else wrote to this person's reply address: do nothing, and tell the registered address."""
    with in_language(person.language):
        text = _(
            "A message came to your reply address from an address that is not yours. Nothing was done. "
            "If you wrote it, please write from the address you joined with."
        )
    _warn(session, person, f"foreign:u{person.id}", inbound, text, now)
    close(session, inbound, InboundState.REJECTED, "From is not an address of the token's owner")


def doubt() -> TranscriptEntry:
    """What is said first to somebody in whose name a mail came that our mail server does not vouch for."""
    return TranscriptEntry(
        "", _("A message came in your name, but nothing shows that it is from you. Nothing was done.")
    )


def tell_of_doubt(session: Session, inbound: Inbound, person: Person, now: datetime) -> None:
    """A From line that our mail server does not vouch for, and no token: do nothing, and tell its owner."""
    with in_language(person.language):
        text = _(
            "A message came in your name, but nothing shows that it is from you. Nothing was done. If you wrote it, "
            "please answer this letter, or any other of ours: your answers are known by their address."
        )
    _warn(session, person, f"doubt:u{person.id}", inbound, text, now)
    inbound.person_id = person.id
    close(session, inbound, InboundState.REJECTED, "From is not vouched for, and there is no token")


def _warn(session: Session, person: Person, kind: str, inbound: Inbound, text: str, now: datetime) -> None:
    """Tell a person of a message in his name that was not obeyed; once in 25 hours for each `kind`."""
    to = letters.to_person(session, person)
    if to is None or _was_told(session, to, kind, now):
        return
    letters.write_letter(
        session,
        "answer",
        to,
        f"{kind}:{inbound.id}",
        now=now,
        answers=True,
        reply_token=accounts.desk_token(session, person, now=now).id,
        subject_line=_("A message that was not obeyed"),
        sections=[TranscriptEntry("", text)],
        board="",
    )
