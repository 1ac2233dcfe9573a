"""Invitations: a game offered to whoever holds a link, by letter to somebody who may not have joined, or by hand.

Nobody learns whether an address belongs to a member: the inviter is told the same either way, and the letter
that goes there is the same. An address gets such a letter once in a quarter at most, whoever invites.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import (
    checked_address,
    desk_token,
    has_expired,
    live_token,
    new_token,
    payload_of,
    person_at,
)
from correspondence.accounts.relations import is_blocked
from correspondence.core import time_control
from correspondence.matchmaking.challenges import ChallengeError, must_have_room_to_ask, offered_already
from correspondence.matchmaking.seeks import checked_wish, locked, new_seek, take_open
from correspondence.matchmaking.start import terms_of_seek
from correspondence.mime.classify import mailbox_hash, mailbox_key
from correspondence.models import Address, LetterRequest, Match, Person, Purpose, RequestKind, Seek, SeekState, Token
from correspondence.outbound import letters
from correspondence.play.analysis import options_with_analysis, split_analysis
from engines import GAMES
from engines.wording import _

INVITATIONS_A_DAY = 5
"""How many invitations one member can send in a day, by letter or by link."""

USUAL_DAYS = 60
"""For how many days an invitation can be accepted unless its writer says otherwise."""

QUARTER = timedelta(days=84)
"""An address gets no second invitation before so much time has passed."""

_EPOCH = 719_163
"""The ordinal of 1 January 1970."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """What an invitation offers, for the page of its link."""

    inviter: str
    key: str
    game: str
    options: str
    terms: time_control.TimeControl
    rated: bool
    seat_name: str
    until: datetime | None
    is_mine: bool


def invite(
    session: Session,
    person: Person,
    address: str,
    key: str,
    options: Mapping[str, str],
    conditions: Mapping[str, str] | None = None,
    *,
    terms: time_control.TimeControl = time_control.DEFAULT_TERMS,
    rated: bool = True,
    now: datetime,
) -> Token:
    """Offer a game to whoever holds the link of the token that is returned; it works once, for weeks.

    With an `address` the worker writes one letter with that link there, unless it had one lately or wants none,
    which nobody is told and nothing here depends on. Raises PartnerError, PeopleError, OptionError or TermsError.
    """
    mail = checked_address(address) if address.strip() else ""
    wanted = {"days": str(USUAL_DAYS), **(conditions or {})}
    rest, analysis = split_analysis(options)
    game, chosen, checked = checked_wish(key, rest, wanted, terms)
    must_have_room_to_ask(session, person)
    _must_be_few(session, person, now)
    seek = new_seek(person, game, chosen, checked, terms, rated=rated, analysis=analysis, now=now)
    seek.is_private, seek.wanted, seek.at_once, seek.pair_me = True, 1, 0, False
    seek.invited = mailbox_hash(mail) if mail else ""
    if mail and offered_already(session, seek, now=now) is not None:
        raise ChallengeError(_("You have invited {mail} to just that already.").format(mail=mail))
    session.add(seek)
    session.flush()
    token = new_token(session, Purpose.INVITE, now=now, lasts=checked.lasts, seek=seek.id)
    if mail:
        asked = json.dumps({"token": token.id})
        session.add(LetterRequest(kind=RequestKind.INVITE, mail=mail, payload=asked, created_at=now))
    return token


def _must_be_few(session: Session, person: Person, now: datetime) -> None:
    counted = select(func.count()).select_from(Seek)
    counted = counted.where(
        col(Seek.person_id) == person.id, col(Seek.is_private).is_(True), col(Seek.created_at) > now - timedelta(days=1)
    )
    if session.exec(counted).one() >= INVITATIONS_A_DAY:
        sentence = _("You have sent {count} invitations today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=INVITATIONS_A_DAY))


def write_letter(session: Session, mail: str, number: int, *, now: datetime) -> None:
    """Write the letter with the link of this token; nothing, where the offer is gone or the address wants none."""
    if invitation(session, number, None, now=now) is None:
        return
    token = session.get_one(Token, number)
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    _write(session, session.get_one(Person, seek.person_id), mail, seek, token, now)


def _write(session: Session, person: Person, mail: str, seek: Seek, token: Token, now: datetime) -> None:
    quarter = (now.toordinal() - _EPOCH) // QUARTER.days
    keys = [f"invitation:{mailbox_key(mail)}:{number}" for number in (quarter, quarter - 1)]
    if any(letters.is_written(session, key) for key in keys):
        return
    member = person_at(session, mail)
    if member is not None and (member.id == person.id or is_blocked(session, person.id, member.id)):
        return
    lasts = token.expires_at - now if token.expires_at else None
    own = new_token(session, Purpose.INVITE, now=now, person=member, lasts=lasts, seek=seek.id, is_own=True)
    letters.write_letter(
        session,
        "invitation",
        letters.to_person(session, member) if member is not None else letters.To(mail, person.language),
        keys[0],
        now=now,
        reply_token=own.id,
        link_token=token.id,
        other=person.handle,
        game=GAMES[seek.game],
        seek=seek,
        terms=terms_of_seek(seek),
        until=token.expires_at,
    )


def is_written_to(session: Session, token: Token, person: Person) -> bool:
    """Whether an invitation's token is the one that stood in the letter to this person, and nowhere else.

    The token of its link is anybody's, the inviter's too.
    """
    payload = payload_of(token)
    if token.purpose != Purpose.INVITE or not payload.get("is_own"):
        return False
    asked = session.get_one(Seek, int(payload["seek"])).invited
    mine = session.exec(select(Address.mail_key).where(col(Address.person_id) == person.id))
    return token.person_id == person.id or asked in map(mailbox_hash, mine)


def send_link(session: Session, person: Person, token: Token, *, now: datetime) -> None:
    """Write the link of an invitation to the inviter, who may pass it on as he likes."""
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    letters.write_letter(
        session,
        "invited",
        letters.to_person(session, person),
        f"invited:s{seek.id}",
        now=now,
        reply_token=desk_token(session, person, now=now).id,
        link_token=token.id,
        game=GAMES[seek.game],
        until=token.expires_at,
    )


def invitation(session: Session, number: int | None, reader_id: int | None, *, now: datetime) -> Invitation | None:
    """What the link of this token offers; None where it is unknown, used, withdrawn or too old, all alike."""
    token = session.get(Token, number) if number is not None else None
    if token is None or token.purpose != Purpose.INVITE or token.used_at is not None or has_expired(token, now):
        return None
    seek = session.get_one(Seek, int(payload_of(token)["seek"]))
    if seek.state != SeekState.OPEN or (reader_id is not None and is_blocked(session, reader_id, seek.person_id)):
        return None
    game = GAMES[seek.game]
    return Invitation(
        session.get_one(Person, seek.person_id).handle, game.key, _(game.name), options_with_analysis(seek), terms_of_seek(seek),
        seek.rated, "" if seek.seat is None else _(game.seats[1 - seek.seat]), token.expires_at,
        seek.person_id == reader_id,
    )  # fmt: skip


def accept(session: Session, person: Person, number: int | None, *, now: datetime, rng: random.Random) -> Match:
    """Accept the invitation that a link names: the match begins. Raises PeopleError or PartnerError."""
    token = live_token(session, number, Purpose.INVITE, now=now)
    seek = locked(session, int(payload_of(token)["seek"]))
    assert seek is not None
    if is_blocked(session, person.id, seek.person_id):
        live_token(session, None, Purpose.INVITE, now=now)  # the same words as for a link that never was
    match = take_open(session, seek, session.get_one(Person, seek.person_id), person, now=now, rng=rng)
    token.used_at = now
    session.add(token)
    return match
