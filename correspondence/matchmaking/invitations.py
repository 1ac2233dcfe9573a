"""Invitations: a game offered to the holder of a link, mailed or passed on by hand.

Nobody learns whether an address belongs to a member: the inviter gets the same answer and the address the same letter.
An address gets at most one such letter per quarter, from all inviters together.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts import letter_stops
from correspondence.accounts.accounts import (
    checked_address,
    command_token,
    has_expired,
    live_token,
    new_token,
    payload_of,
    person_by_address,
    program_mark,
    program_mark_for,
)
from correspondence.accounts.relations import is_blocked
from correspondence.core.news import notify_from
from correspondence.core.terms import Terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, TimeControl
from correspondence.fairness.seeds import (
    SYSTEM_RNG,
    checked_words,
    commitment_of_offer,
    make_for_offer,
    told_commitment,
)
from correspondence.matchmaking.challenges import ChallengeError, must_have_room_to_ask
from correspondence.matchmaking.repeats import identical_open_seek
from correspondence.matchmaking.seeks import checked_seek, locked, new_seek, take_open
from correspondence.mime.mail_keys import mailbox_hash, mailbox_key
from correspondence.models import Address, LetterRequest, Match, Person, Purpose, RequestKind, Seek, SeekState, Token
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines import GAMES
from engines.wording import _

INVITATIONS_A_DAY = 5
"""Maximum number of invitations of one member in 24 hours, by letter or by link."""

USUAL_DAYS = 60
"""Default number of days for which an invitation can be accepted."""

QUARTER = timedelta(days=84)
"""Minimum time between two invitations to one address."""

_EPOCH = 719_163
"""The ordinal of 1 January 1970."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """The offer of an invitation, for the page of its link."""

    inviter: str
    game: str
    terms: Terms
    seat_name: str
    until: datetime | None
    is_mine: bool
    commitment: str = ""
    program_mark: str = ""
    """Notice that a program plays for the inviter; empty otherwise."""


def invite(
    session: Session,
    person: Person,
    address: str,
    key: str,
    options: Mapping[str, str],
    conditions: Mapping[str, str] | None = None,
    *,
    time_control: TimeControl = DEFAULT_TIME_CONTROL,
    rated: bool = True,
    words: str = "",
    now: datetime,
    rng: random.Random = SYSTEM_RNG,
) -> Token:
    """Offer a game to the holder of the returned token's link, which works once.

    With an `address`, the worker mails the link there, unless that address had an invitation lately or refuses them.
    The inviter does not learn that, and nothing here depends on it. Raises ChallengeError, PeopleError, OptionError,
    TimeControlError or WordsError.
    """
    mail = checked_address(address) if address.strip() else ""
    days = {"days": str(USUAL_DAYS), **(conditions or {})}
    terms, criteria = checked_seek(key, options, days, time_control, rated=rated)
    must_have_room_to_ask(session, person)
    _must_be_few(session, person, now)
    seek = new_seek(person, terms, criteria, now=now)
    seek.is_private, seek.games_wanted, seek.games_at_once, seek.pair_me = True, 1, 0, False
    seek.invited, seek.words = mailbox_hash(mail) if mail else "", checked_words(words)
    if mail and identical_open_seek(session, seek, now=now) is not None:
        raise ChallengeError(_("You have already sent {mail} exactly this invitation.").format(mail=mail))
    session.add(seek)
    session.flush()
    make_for_offer(session, seek, rng)
    token = new_token(session, Purpose.INVITE, now=now, lasts=criteria.lasts, seek=seek.id)
    if mail:
        payload = json.dumps({"token": token.id})
        session.add(LetterRequest(kind=RequestKind.INVITE, mail=mail, payload=payload, created_at=now))
        notify_from(session)
    return token


def _must_be_few(session: Session, person: Person, now: datetime) -> None:
    query = select(func.count()).select_from(Seek)
    query = query.where(
        col(Seek.person_id) == person.id, col(Seek.is_private).is_(True), col(Seek.created_at) > now - timedelta(days=1)
    )
    if session.exec(query).one() >= INVITATIONS_A_DAY:
        sentence = _("You have sent {count} invitations today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=INVITATIONS_A_DAY))


def write_letter(session: Session, mail: str, token_id: int, *, now: datetime) -> None:
    """Mail this token's link to an address, unless the offer is gone or the address opted out."""
    if invitation(session, token_id, None, now=now) is None:
        return
    token = session.get_one(Token, token_id)
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    _write(session, session.get_one(Person, seek.person_id), mail, seek, token, now)


def _write(session: Session, person: Person, mail: str, seek: Seek, token: Token, now: datetime) -> None:
    quarter = (now.toordinal() - _EPOCH) // QUARTER.days
    keys = [f"invitation:{mailbox_key(mail)}:{period}" for period in (quarter, quarter - 1)]
    if any(letters.is_written(session, key) for key in keys):
        return
    member = person_by_address(session, mail)
    if member is not None and (member.id == person.id or is_blocked(session, person.id, member.id)):
        return
    lasts = token.expires_at - now if token.expires_at else None
    own = new_token(session, Purpose.INVITE, now=now, person=member, lasts=lasts, seek=seek.id, is_own=True)
    stop = (
        letter_stops.address_token(session, mail, now=now).id
        if member is None
        else letter_stops.stop_token(session, member, kinds.INVITATION, now=now)
    )
    to = letters.To(mail, person.language) if member is None else letters.to_person(session, member)
    language = (member or person).language
    letters.write_letter(
        session,
        to,
        Draft(
            kinds.INVITATION,
            keys[0],
            reply_token=own.id,
            link_token=token.id,
            stop_token=stop,
            member=person.handle,
        ),
        now=now,
        other=person.handle,
        game=GAMES[seek.game],
        seek=seek,
        terms=seek.terms,
        until=token.expires_at,
        commitment=told_commitment(session, seek),
        program_mark=program_mark_for(language, person),
    )


def is_addressed_to(session: Session, token: Token, person: Person) -> bool:
    """Whether this is the token of the letter to this person, which nobody else has.

    The token of the link itself may be in anybody's hands, including the inviter's.
    """
    payload = payload_of(token)
    if token.purpose != Purpose.INVITE or not payload.get("is_own"):
        return False
    invited_hash = session.get_one(Seek, int(payload["seek"])).invited
    own_keys = session.exec(select(Address.mail_key).where(col(Address.person_id) == person.id))
    return token.person_id == person.id or invited_hash in map(mailbox_hash, own_keys)


def was_sent_to(session: Session, token: Token, mail: str) -> bool:
    """Whether this is the token of the letter to this address, which need not be a member's."""
    payload = payload_of(token) if token.purpose == Purpose.INVITE else {}
    return bool(payload.get("is_own")) and session.get_one(Seek, int(payload["seek"])).invited == mailbox_hash(mail)


def send_link(session: Session, person: Person, token: Token, *, now: datetime) -> None:
    """Send the link of an invitation to the inviter, who may pass it on."""
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    command = command_token(session, person, now=now)
    draft = Draft(kinds.INVITED, f"invited:s{seek.id}", reply_token=command.id, link_token=token.id)
    to = letters.to_person(session, person)
    letters.write_letter(
        session,
        to,
        draft,
        now=now,
        game=GAMES[seek.game],
        until=token.expires_at,
        number=seek.id,
        words=seek.words,
        commitment=told_commitment(session, seek),
    )


def invitation(session: Session, token_id: int | None, reader_id: int | None, *, now: datetime) -> Invitation | None:
    """Return the offer behind the link of this token.

    None if the token is unknown, used, withdrawn or expired; the caller cannot tell which.
    """
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or token.purpose != Purpose.INVITE or token.used_at is not None or has_expired(token, now):
        return None
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    if seek.state != SeekState.OPEN or (reader_id is not None and is_blocked(session, reader_id, seek.person_id)):
        return None
    game = GAMES[seek.game]
    inviter = session.get_one(Person, seek.person_id)
    return Invitation(
        inviter.handle, _(game.name), seek.terms,
        "" if seek.seat is None else _(game.seats[1 - seek.seat]), token.expires_at,
        seek.person_id == reader_id, commitment_of_offer(session, seek.id), program_mark(inviter),
    )  # fmt: skip


def accept(
    session: Session, person: Person, token_id: int | None, *, words: str = "", now: datetime, rng: random.Random
) -> Match:
    """Accept the invitation of a link and start the game.

    Raises PeopleError, ChallengeError or WordsError.
    """
    token = live_token(session, token_id, Purpose.INVITE, now=now)
    seek = locked(session, int(payload_of(token)["seek"]))
    assert seek is not None
    if is_blocked(session, person.id, seek.person_id):
        live_token(session, None, Purpose.INVITE, now=now)  # refuse as for an unknown link
    inviter = session.get_one(Person, seek.person_id)
    match = take_open(session, seek, inviter, person, words=words, now=now, rng=rng)
    token.used_at = now
    session.add(token)
    return match
