"""Letters about changes of a postal member's helper and address.

Each change is sent to all of the member's addresses; that of a helper has an undo token (helper_undo.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import command_token, new_token
from correspondence.core.i18n import in_language
from correspondence.models import Address, Person, PostalHelper, Purpose, Token
from correspondence.outbound import kinds
from correspondence.outbound.letters import Draft, to_address, write_letter
from engines.wording import N_, _

UNDO_WITHIN = timedelta(days=7)
"""Time within which a change of the helper can be undone."""

NAMED = N_(
    "{helper} has been asked to help you by post. Once they agree, they see what you see, secrets included, "
    "and enter your cards."
)
AGREED = N_("{helper} now helps you by post: they see what you see, secrets included, and enter your cards.")
HELPING = N_("You now help {helped} by post: you see what they see, secrets included, and enter their cards.")
CARDS_GO_TO = N_(
    "Cards of your games, with their check words, now go to this address: {address}. If that is not right, sign out "
    "everywhere in your settings, and correct it."
)
ENDED = N_("{helper} no longer helps you by post.")
UNDONE = N_(
    "A change of your helper by post was undone from the letter to {mail}. Help by post is as it was before, "
    "and every browser has been signed out."
)
STILL_HELPING = N_(
    "Your browsers and programs have been signed out, but {helper} still helps you by post: they see what "
    "you see, secrets included, and enter your cards."
)


def snapshot(row: PostalHelper | None) -> dict[str, Any] | None:
    """Return the current helper as data for an undo token; None without a helper."""
    if row is None:
        return None
    agreed = row.agreed_at.isoformat() if row.agreed_at is not None else None
    return {"helper": row.helper_id, "asked": row.asked_at.isoformat(), "agreed": agreed}


def tell(
    session: Session,
    person: Person,
    what: str,
    *,
    helped: Person,
    helper: Person,
    before: dict[str, Any] | None = None,
    now: datetime,
) -> None:
    """Announce a change to all addresses of a person; `what` is formatted with both handles.

    Undoing restores `before`. The undo token of the newest address only ends the help and leaves other undo tokens
    valid. Otherwise an intruder who added that address could bring back a dismissed helper.
    """
    mails = _mails_of(session, person)
    with in_language(person.language):
        sentence = _(what).format(helper=helper.handle, helped=helped.handle)
    for mail in mails:
        is_youngest = len(mails) > 1 and mail == mails[-1]
        token = new_token(
            session, Purpose.HELPER_UNDO, now=now, person=person, lasts=UNDO_WITHIN, told=mail, helped=helped.id,
            before=None if is_youngest else before, is_youngest=is_youngest,
        )  # fmt: skip
        draft = Draft(
            kinds.HELPER_CHANGED, f"helper-changed:t{token.id}", reply_token=token.id, link_token=token.id
        )  # fmt: skip
        write_letter(
            session, to_address(session, person, mail), draft, now=now, sentence=sentence, until=token.expires_at
        )


def tell_stopped(session: Session, person: Person, helper: Person, *, now: datetime) -> None:
    """Tell a member that their helper has stopped helping; this cannot be undone."""
    with in_language(person.language):
        _tell_plainly(session, person, _(ENDED).format(helper=helper.handle), f"stopped:u{helper.id}", now)


def tell_cards_go_to(session: Session, person: Person, lines: Sequence[str], *, now: datetime) -> None:
    """Tell all addresses of a person where their cards go from now on."""
    if not _mails_of(session, person):
        return
    with in_language(person.language):
        sentence = _(CARDS_GO_TO).format(address=", ".join(lines))
        _tell_plainly(session, person, sentence, f"cards:{now:%f}", now)


def tell_undone(session: Session, person: Person, token: Token, mail: str, *, now: datetime) -> None:
    """Tell all addresses of a person that a change was undone, and from which address."""
    with in_language(person.language):
        _tell_plainly(session, person, _(UNDONE).format(mail=mail), f"undone:t{token.id}", now)


def _tell_plainly(session: Session, person: Person, sentence: str, key: str, now: datetime) -> None:
    command = command_token(session, person, now=now)
    for number, mail in enumerate(_mails_of(session, person)):
        key_of_letter = f"helper-{key}:u{person.id}:{number}:{now:%Y%m%d%H%M%S}"
        draft = Draft(kinds.HELPER_CHANGED, key_of_letter, reply_token=command.id)
        write_letter(session, to_address(session, person, mail), draft, now=now, sentence=sentence, until=None)


def _mails_of(session: Session, person: Person) -> list[str]:
    """Return the addresses of a person, oldest first."""
    own = select(Address).where(col(Address.person_id) == person.id)
    return [address.mail for address in session.exec(own.order_by(col(Address.verified_at), col(Address.id)))]


def ask_whether_right(session: Session, person: Person, *, since: datetime | None, now: datetime) -> None:
    """Ask a member whose access was revoked whether their helper is right.

    A helper who has agreed stays until an undo, because they may be about to enter a card. A request that is not agreed
    yet is deleted, and so is a helper named after `since`, whom an intruder may have named.
    """
    row = session.get(PostalHelper, person.id, populate_existing=True)
    if row is None:
        return
    if row.agreed_at is None or (since is not None and row.asked_at >= since):
        session.delete(row)
        session.flush()
        return
    helper = session.get_one(Person, row.helper_id)
    tell(session, person, STILL_HELPING, helped=person, helper=helper, now=now)
