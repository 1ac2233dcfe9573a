"""The letters that answer a message, or warn of one; a day has so many of them for each address."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence import letters, match_letters, people
from correspondence.desk import Writer
from correspondence.languages import in_language
from correspondence.machine_mail import Verdict
from correspondence.mailbox.kept import close
from correspondence.mailbox.reading import own_id
from correspondence.models import Inbound, InboundState, Letter, Person
from correspondence.sections import Section
from engines.wording import _

ANSWERS_A_DAY = 10
"""The most automatic answers to a stranger's address in a day; somebody at a table of ours has more."""

ANSWERS_A_DAY_TO_PLAYERS = 60


def answer(
    session: Session,
    inbound: Inbound,
    to: letters.To | None,
    sections: Sequence[Section],
    verdict: Verdict,
    now: datetime,
    *,
    subject: str,
    player: Writer | None,
    board: bool = False,
    once: str = "",
) -> None:
    """Write the one answer to a message: as a letter of its game where there is one, else by itself.

    Nothing is written where its kind of mail gets no answer, or where the address has had enough of them in a day;
    nor where this very answer was given today at the same moment of the game, to a mail with the words `once`.
    """
    if to is None or not verdict.may_answer or not _may_answer(session, to, now):
        return
    key = _same_today(to, sections, once, player, now) if once else f"answer:i{inbound.id}"
    choices = next((section.suggestions for section in sections if section.suggestions), ())
    if player is None or player.player is None or player.match is None:
        reply = people.desk_token(session, player.person, now=now).id if player else None
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
    match_letters.answer(session, player.match, player.player, sections, key, now=now, choices=choices, board=board)


def _same_today(
    to: letters.To, sections: Sequence[Section], once: str, player: Writer | None, now: datetime
) -> str:
    """A key that the same refusal has again on the same day: programs repeat themselves, and nobody gains by it."""
    match = player.match if player is not None else None
    told = repr((to.mail, sections, once, match.id if match else None, match.ply if match else None))
    return f"answer:{now:%Y%m%d}:{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def _may_answer(session: Session, to: letters.To, now: datetime) -> bool:
    counted = (
        select(func.count())
        .select_from(Letter)
        .where(
            col(Letter.recipient) == to.mail,
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
    _warn(session, person, f"foreign:u{person.id}:{now:%Y-%m-%d}", text, now)
    close(session, inbound, InboundState.REJECTED, "From is not an address of the token's owner")


def tell_of_doubt(session: Session, inbound: Inbound, person: Person, now: datetime) -> None:
    """A From line that our mail server does not vouch for, and no token: do nothing, and tell its owner."""
    with in_language(person.language):
        text = _(
            "A message came in your name, but nothing shows that it is from you. Nothing was done. If you wrote it, "
            "please answer this letter, or any other of ours: your answers are known by their address."
        )
    _warn(session, person, f"doubt:u{person.id}:{now:%Y-%m-%d}", text, now)
    inbound.person_id = person.id
    close(session, inbound, InboundState.REJECTED, "From is not vouched for, and there is no token")


def _warn(session: Session, person: Person, key: str, text: str, now: datetime) -> None:
    """Tell a person, once a day as `key` says, of a message in his name that was not obeyed."""
    letters.write_letter(
        session,
        "answer",
        letters.to_person(session, person),
        key,
        now=now,
        answers=True,
        reply_token=people.desk_token(session, person, now=now).id,
        subject_line=_("A message that was not obeyed"),
        sections=[Section("", text)],
        board="",
    )
