"""Erasure of a member: what is deleted, and what stays because it belongs to others too.

Addresses, letters, mails, tokens, remarks, comments on moves, settings and web sessions are deleted. Games stay with
the other players, as games of a “departed player”; their ends are signed again without the name, so the records still
verify, and of comments the hashes stay. Current games are resigned, or cancelled if the person has not moved yet. A hash
of the handle stays, so that nobody else can take it and pose as the departed person.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, SQLModel, and_, col, or_, select

from correspondence.accounts import accounts, address_changes
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.archive import monthly
from correspondence.community.person_keys import keys_of
from correspondence.core.i18n import moment
from correspondence.fairness import ends
from correspondence.matchmaking import challenges
from correspondence.mime.mail_keys import mailbox_hash, mailbox_key
from correspondence.models import (
    Address,
    Inbound,
    InboundState,
    Letter,
    LetterState,
    Move,
    OperatorAct,
    Person,
    Player,
    Purpose,
    Seek,
    Suppression,
    TakenBackMove,
    Token,
)
from correspondence.models.loading import ended_match_ids
from correspondence.models.locks import hold
from correspondence.outbound import kinds
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft, mail_of, to_person, write_letter
from correspondence.outbound.stops import address_payload
from correspondence.play import game_end
from engines.verification.ending import comment_hash
from engines.wording import _

CONFIRM_WITHIN = timedelta(days=3)
"""Time for which the confirmation letter is valid."""

LINKS_LAST = timedelta(days=1)
"""Time for which the data export link is valid."""

LINKS = LetterBudget(kinds.EXPORT, per_hour=6, per_day=6, unproven_per_hour=3, unproven_per_day=3)
"""Limits for letters with an export link, because a forged From line can request one."""

_IDENTITY = {"id", "handle", "handle_key", "handle_skeleton", "joined_at", "departed_at"}
_SETTINGS = frozenset(Person.model_fields) - _IDENTITY
"""Columns that erasure resets to their defaults, so that nothing about the person is left."""


def ask(session: Session, person: Person, *, now: datetime) -> None:
    """Ask the person by letter to confirm their erasure; nothing else changes.

    Raises PeopleError while a change of their addresses can be undone.
    """
    _require_settled_addresses(session, person, now)
    _offer(session, person, Purpose.FORGET, kinds.FORGET, CONFIRM_WITHIN, now)


def send_export_link(session: Session, person: Person, *, is_proven: bool = True, now: datetime) -> None:
    """Mail the person a link to their data export; raise PeopleError if over budget.

    `is_proven`: a token or a session authenticates the request, not only a From line.
    """
    mail = mail_of(session, person)
    if mail is not None and not LINKS.has_room(session, person, mail, is_proven=is_proven, now=now):
        raise accounts.PeopleError(_("We've sent you several of these links today; each works until it is used."))
    _offer(session, person, Purpose.EXPORT, kinds.EXPORT, LINKS_LAST, now)


def _offer(
    session: Session, person: Person, purpose: Purpose, kind: LetterKind, lasts: timedelta, now: datetime
) -> None:
    token = accounts.new_token(session, purpose, now=now, person=person, lasts=lasts)
    draft = Draft(kind, f"{kind.name}:t{token.id}", reply_token=token.id, link_token=token.id, answers=True)
    write_letter(session, to_person(session, person), draft, now=now, until=token.expires_at)


def confirm(session: Session, token_id: int | None, *, now: datetime) -> None:
    """Erase the person named by the token of a confirmation letter. Raises PeopleError."""
    token = accounts.live_token(session, token_id, Purpose.FORGET, now=now)
    forget(session, session.get_one(Person, token.person_id), now=now)


def forget(session: Session, person: Person, *, now: datetime) -> None:
    """Erase a person at once. Opponents in their current games are told how the games ended.

    Raises PeopleError while a change of their addresses can be undone.
    """
    if person.departed_at is not None:
        return
    _require_settled_addresses(session, person, now)
    running = select(Player.match_id).where(col(Player.person_id) == person.id, col(Player.ended_at).is_(None))
    hold(session, matches=session.exec(running).all())
    challenges.hold_offers(session, person)
    person.departed_at = now  # first, so that no letter about the end of a game invites the others to write to them
    _end_games(session, person, now)
    challenges.end_offers(session, person, now=now)
    _hold_numbers(session, now)
    session.flush()
    monthly.forget_months_of(session, person)
    _erase_rows(session, person)
    for merged in session.exec(select(Person).where(col(Person.merged_into_id) == person.id)):
        accounts.keep_handle_from_others(merged)
        merged.merged_into_id = None
        session.add(merged)
    finished = ended_match_ids(session, person.id)
    accounts.keep_handle_from_others(person)
    person.handle = accounts.DEPARTED
    for name in _SETTINGS:
        setattr(person, name, Person.model_fields[name].get_default(call_default_factory=True))
    session.add(person)
    session.flush()
    ends.sign_anew(session, finished, "erased", now=now, keeps=False)


def _require_settled_addresses(session: Session, person: Person, now: datetime) -> None:
    """Raise PeopleError while an old address can still undo a change of addresses."""
    until = address_changes.undo_until(session, person, now=now)
    if until is not None:
        sentence = _(
            "Your addresses were changed recently, and the change can be undone until {when}. You can be "
            "erased after that."
        )
        raise accounts.PeopleError(sentence.format(when=moment(until, person.zone, person.language)))


def _end_games(session: Session, person: Person, now: datetime) -> None:
    query = select(Player).where(col(Player.person_id) == person.id, col(Player.ended_at).is_(None))
    for player in list(session.exec(query.order_by(col(Player.match_id)))):
        game_end.abandon(session, player, now=now)


def _hold_numbers(session: Session, now: datetime) -> None:
    """Add rows without an owner, so that SQLite never reuses the number of an erased row.

    Reply addresses and links are spelled from numbers of tokens, and addresses of returned mail from those of letters: an
    old letter would then give access to another person's data.
    """
    token = Token(purpose=Purpose.FORGET, created_at=now, expires_at=now, used_at=now)
    session.add(token)
    session.flush()
    session.add(
        Letter(key=f"held:t{token.id}", kind=kinds.FORGET.name, recipient="", subject="", text="", html="",
               state=LetterState.CANCELLED, created_at=now, due_at=now, message_id=f"held-{token.id}")
    )  # fmt: skip


def _erase_rows(session: Session, person: Person) -> None:
    for move in session.exec(select(Move).where(col(Move.comment) != "", _by_one_of(Move, person.id))):
        move.comment, move.comment_hash = "", comment_hash(move.comment.strip())
        session.add(move)
    session.flush()
    addresses = list(session.exec(select(Address).where(col(Address.person_id) == person.id)))
    mails, keys = [address.mail for address in addresses], [address.mail_key for address in addresses]
    is_from_person = or_(col(Inbound.person_id) == person.id, col(Inbound.sender).in_([*mails, *keys]))
    is_unprocessed = col(Inbound.state).in_([InboundState.NEW, InboundState.TAKEN])
    for statement in (
        delete(Letter).where(or_(col(Letter.person_id) == person.id, _goes_to(mails), _asks_to_be_added(person.id))),
        delete(Inbound).where(is_from_person, ~is_unprocessed),
        update(Inbound).where(is_from_person).values(raw=b"", sender=""),  # the mail being processed right now
        update(Letter).where(col(Letter.end) != "", _of_match_with(person.id)).values(end=""),
        update(Player).where(col(Player.person_id) == person.id).values(token_id=None, last_message_id=""),
        update(OperatorAct).where(col(OperatorAct.person_id) == person.id).values(facts="{}"),
        update(OperatorAct)
        .where(col(OperatorAct.person_id) == person.id, col(OperatorAct.kind) == "merge")
        .values(detail=""),
        delete(Suppression).where(col(Suppression.mail_key).in_(keys)),
        update(Letter).where(col(Letter.stop_token_id).in_(_stops_of(keys))).values(stop_token_id=None),
        delete(Token).where(col(Token.id).in_(_stops_of(keys))),
        update(TakenBackMove)
        .where(col(TakenBackMove.comment) != "", _by_one_of(TakenBackMove, person.id))
        .values(comment=""),
        update(Seek).where(col(Seek.person_id) == person.id).values(words=""),  # those of games prove their dice
        update(Seek).where(col(Seek.invited).in_(list(map(mailbox_hash, mails)))).values(invited=""),
        *_erasures(person.id),
    ):
        session.execute(statement, execution_options={"synchronize_session": False})


def _stops_of(keys: list[str]) -> Any:
    """Return the unsubscribe tokens of these addresses from before they belonged to a member.

    They stop invitations.
    """
    payloads = [json.dumps(address_payload(key)) for key in keys]
    stops = select(Token.id).where(col(Token.person_id).is_(None), col(Token.purpose) == Purpose.STOP)
    return stops.where(col(Token.payload).in_(payloads))


def _goes_to(mails: list[str]) -> Any:
    boxes = [mailbox_key(mail) for mail in mails]
    return and_(col(Letter.mailbox).in_(boxes), col(Letter.recipient).in_(mails))


def _asks_to_be_added(person_id: int) -> Any:
    """SQL condition: the letter asks at a new address whether it may be added to this person's."""
    tokens = select(Token.id).where(col(Token.person_id) == person_id, col(Token.purpose) == Purpose.ADDRESS)
    return col(Letter.reply_token_id).in_(tokens)


def _erasures(person_id: int) -> Iterator[Any]:
    """Return statements that delete every row that person_keys.py marks for erasure."""
    for table in reversed(SQLModel.metadata.sorted_tables):
        names = [column for column, key in keys_of(table) if key.is_erased]
        if names and table.name != "inbound":
            yield delete(table).where(or_(*(column == person_id for column in names)))


def _of_match_with(person_id: int) -> Any:
    """SQL condition: the letter is about a match of this person, whose result names them."""
    return col(Letter.match_id).in_(select(Player.match_id).where(col(Player.person_id) == person_id))


def _by_one_of(table: Any, person_id: int) -> Any:
    """SQL condition: an entry of a match is by this person."""
    seats = select(Player.match_id, Player.seat).where(col(Player.person_id) == person_id).subquery()
    return select(seats.c.seat).where(seats.c.match_id == table.match_id, seats.c.seat == table.seat).exists()
