"""Members who play by post: postal address, helper, and registration without mail.

Only opponents, the helper and the operator see a postal address. A helper is a member whom the postal player names and
who agrees. A helper sees what that player sees, and enters the moves from the player's postcards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts import helper_letters, relations
from correspondence.accounts.accounts import (
    PeopleError,
    add_person,
    checked_handle,
    command_token,
    person_by_handle,
    person_called,
)
from correspondence.accounts.letter_stops import stop_token
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.core.i18n import LANGUAGES, zones
from correspondence.models import Letter, Person, PostalHelper, PostalMember
from correspondence.models.locks import hold_person
from correspondence.outbound import kinds
from correspondence.outbound.letters import Draft, mail_of, to_person, write_letter
from engines.wording import _

LONGEST_NAME, LONGEST_LINE, MOST_LINES = 40, 40, 6
"""Maximum lengths of a name and an address line, in characters, and maximum lines.

A card has no room for more.
"""

REQUESTS_A_DAY = 3
"""Maximum number of members whom one person can ask for help in a day."""


@dataclass(frozen=True, slots=True)
class PostalDetails:
    """A member's postal name and address, whether they play by post, and are listed as such."""

    name: str = ""
    address: str = ""
    plays_by_post: bool = False
    is_listed: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the envelope, name first."""
        return (self.name, *self.address.splitlines())


@dataclass(frozen=True, slots=True)
class HelpAgreement:
    """One member's help for another: the other's id and handle, and whether it is agreed."""

    person_id: int
    handle: str
    is_agreed: bool


def details_of(session: Session, person_id: int) -> PostalDetails | None:
    """Return a member's postal details, or None."""
    row = session.get(PostalMember, person_id)
    return PostalDetails(row.name, row.address, row.plays_by_post, row.is_listed) if row is not None else None


def by_post(session: Session, person_ids: Iterable[int]) -> frozenset[int]:
    """Return those of these persons who play by post."""
    query = select(PostalMember.person_id).where(col(PostalMember.person_id).in_(list(person_ids)))
    return frozenset(session.exec(query.where(col(PostalMember.plays_by_post))))


def save(session: Session, person: Person, details: PostalDetails, *, now: datetime) -> None:
    """Save a member's postal details; raise PeopleError if they are not valid.

    A member who no longer plays by post loses their helper. All mail addresses are told where cards go from now on.
    """
    details, goes_elsewhere = checked_details(details), sends_cards_elsewhere(session, person.id, details)
    row = session.get(PostalMember, person.id) or PostalMember(person_id=person.id, name="", address="", since=now)
    row.name, row.address = details.name, details.address
    row.plays_by_post, row.is_listed = details.plays_by_post, details.is_listed and details.plays_by_post
    session.add(row)
    if not row.plays_by_post:
        dismiss_helper(session, person, now=now)
    session.flush()
    if goes_elsewhere:
        helper_letters.tell_cards_go_to(session, person, details.lines, now=now)


def sends_cards_elsewhere(session: Session, person_id: int, details: PostalDetails) -> bool:
    """Whether these details would send a member's cards, with their check words, to another address than now."""
    before = details_of(session, person_id)
    is_same = before is not None and before.plays_by_post and before.lines == details.lines
    return details.plays_by_post and not is_same


def checked_details(details: PostalDetails) -> PostalDetails:
    """Return postal details without superfluous blanks; raise PeopleError if they do not fit a card."""
    name, lines = " ".join(details.name.split()), [" ".join(line.split()) for line in details.address.splitlines()]
    lines = [line for line in lines if line]
    if not name or not lines:
        raise PeopleError(_("Please write the name and the postal address as you would on an envelope."))
    if len(name) > LONGEST_NAME or len(lines) > MOST_LINES or max(map(len, lines)) > LONGEST_LINE:
        sentence = _(
            "A card has room for a name of {name} characters, and an address of {lines} lines of {line} characters."
        )
        raise PeopleError(sentence.format(name=LONGEST_NAME, lines=MOST_LINES, line=LONGEST_LINE))
    return PostalDetails(name, "\n".join(lines), details.plays_by_post, details.is_listed)


def forget_address(session: Session, person: Person, *, now: datetime) -> None:
    """Delete a member's postal details and their helper; they no longer play by post."""
    dismiss_helper(session, person, now=now)
    row = session.get(PostalMember, person.id)
    if row is not None:
        session.delete(row)
        session.flush()


def register(
    session: Session, handle: str, details: PostalDetails, *, language: str, zone: str, helper: str, now: datetime
) -> Person:
    """Create a member without a mail address, and ask the named helper by letter.

    Only the operator calls this; anybody else joins by confirming a mail address. Raises PeopleError.
    """
    handle, details = checked_handle(session, handle), checked_details(details)
    if language not in LANGUAGES:
        raise PeopleError(_("The language “{code}” is not available here; there are {known}.").format(
            code=language[:20], known=", ".join(LANGUAGES)))  # fmt: skip
    if zone not in zones():
        raise PeopleError(_("There is no time zone “{zone}”; write for example Europe/Rome.").format(zone=zone[:40]))
    person = add_person(session, handle, language=language, zone=zone, joined_at=now)
    save(session, person, details, now=now)
    name_helper(session, person, helper, by_operator=True, now=now)
    return person


# -- helpers -------------------------------------------------------------------------


def name_helper(session: Session, person: Person, handle: str, *, by_operator: bool = False, now: datetime) -> Person:
    """Ask a member to help a postal player, replacing an earlier helper.

    Both are notified by letter. An operator may name a helper for a suspended member, whose games continue. Raises
    PeopleError or SuspendedError.
    """
    if not by_operator:
        refuse_suspended(person)
    if person.id not in by_post(session, [person.id]):
        raise PeopleError(_("Only members who play by post can have a helper."))
    helper = person_called(session, handle)
    if helper.id == person.id:
        raise PeopleError(_("That is you."))
    if relations.is_blocked(session, person.id, helper.id) or mail_of(session, helper) is None:
        raise PeopleError(_("{handle} can't be asked to help.").format(handle=helper.handle))
    hold_person(session, person)
    if _requests(session, person, now - timedelta(days=1)) >= REQUESTS_A_DAY:
        raise PeopleError(_("You have asked {count} members today. Please wait.").format(count=REQUESTS_A_DAY))
    before = helper_letters.snapshot(_let_go(session, person))
    session.add(PostalHelper(person_id=person.id, helper_id=helper.id, asked_at=now))
    session.flush()
    _ask(session, person, helper, now)
    helper_letters.tell(
        session, person, helper_letters.NAMED, helped=person, helper=helper, before=before, now=now
    )  # fmt: skip
    return helper


def _requests(session: Session, person: Person, since: datetime) -> int:
    query = select(func.count()).select_from(Letter).where(col(Letter.key).startswith(f"helper:u{person.id}:"))
    return session.exec(query.where(col(Letter.created_at) > since)).one()


def _ask(session: Session, person: Person, helper: Person, now: datetime) -> None:
    if not kinds.HELPER_ASKED.is_wanted_by(helper):
        return
    key = f"helper:u{person.id}:u{helper.id}:{now:%Y%m%d%H%M%S}"
    reply = command_token(session, helper, now=now)
    stop = stop_token(session, helper, kinds.HELPER_ASKED, now=now)
    draft = Draft(kinds.HELPER_ASKED, key, reply_token=reply.id, stop_token=stop, member=person.handle)
    write_letter(session, to_person(session, helper), draft, now=now, other=person.handle)


def agree(session: Session, helper: Person, handle: str, *, now: datetime) -> Person:
    """Agree to help the member with this handle, and return that member; both are notified.

    Raises PeopleError if the member did not ask, or SuspendedError.
    """
    refuse_suspended(helper)
    row, person = _request(session, helper, handle)
    if row.agreed_at is None:
        row.agreed_at = now
        session.add(row)
        helper_letters.tell(session, person, helper_letters.AGREED, helped=person, helper=helper, now=now)
        helper_letters.tell(session, helper, helper_letters.HELPING, helped=person, helper=helper, now=now)
    return person


def stop_helping(session: Session, helper: Person, handle: str, *, now: datetime) -> Person:
    """Decline or stop helping the member with this handle; notify and return that member.

    Raises PeopleError.
    """
    row, person = _request(session, helper, handle)
    session.delete(row)
    session.flush()
    helper_letters.tell_stopped(session, person, helper, now=now)
    return person


def dismiss_helper(session: Session, person: Person, *, now: datetime) -> None:
    """Remove a postal player's helper and notify the player."""
    row = _let_go(session, person)
    if row is not None:
        helper, before = session.get_one(Person, row.helper_id), helper_letters.snapshot(row)
        helper_letters.tell(
            session, person, helper_letters.ENDED, helped=person, helper=helper, before=before, now=now
        )  # fmt: skip


def _let_go(session: Session, person: Person) -> PostalHelper | None:
    """Delete the helper row of a postal player and return it; None if there was none."""
    row = session.get(PostalHelper, person.id, populate_existing=True)
    if row is not None:
        session.delete(row)
        session.flush()
    return row


def _request(session: Session, helper: Person, handle: str) -> tuple[PostalHelper, Person]:
    person = person_by_handle(session, handle)
    row = session.get(PostalHelper, person.id, populate_existing=True) if person is not None else None
    if person is None or row is None or row.helper_id != helper.id:
        raise PeopleError(_("{handle} hasn't asked you for help.").format(handle=handle.strip()[:40]))
    return row, person


def helper_of(session: Session, person_id: int) -> HelpAgreement | None:
    """Return the helper whom a postal player has named; None without one, or if departed."""
    query = select(PostalHelper, Person).join(Person, col(Person.id) == col(PostalHelper.helper_id))
    query = query.where(col(PostalHelper.person_id) == person_id, col(Person.departed_at).is_(None))
    found = session.exec(query).first()
    return HelpAgreement(found[1].id, found[1].handle, found[0].agreed_at is not None) if found else None


def helped_by(session: Session, helper_id: int) -> tuple[HelpAgreement, ...]:
    """Return the members whom a member helps or is asked to help, by handle."""
    query = select(PostalHelper, Person).join(Person, col(Person.id) == col(PostalHelper.person_id))
    query = query.where(col(PostalHelper.helper_id) == helper_id).order_by(col(Person.handle_key))
    return tuple(
        HelpAgreement(person.id, person.handle, row.agreed_at is not None) for row, person in session.exec(query)
    )


def helps(session: Session, helper_id: int, person_id: int) -> bool:
    """Whether a member has agreed to help a postal player."""
    row = session.get(PostalHelper, person_id)
    return row is not None and row.helper_id == helper_id and row.agreed_at is not None


def helped_person(session: Session, helper: Person, handle: str) -> Person:
    """Return the postal player with this handle whom this member helps. Raises PeopleError."""
    row, person = _request(session, helper, handle)
    if row.agreed_at is None:
        raise PeopleError(_("Please agree to help {handle} first.").format(handle=person.handle))
    return person
