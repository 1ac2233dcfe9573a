"""What a From line asked for, proposed to the registered address: nothing of it is done before its owner says yes.

A proposal is a token of which the owner alone learns, because it stands in the letter to him. It holds the commands
as they were written, to be read once more when the yes comes; it works once, for three days.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence import commands as words
from correspondence.accounts import accounts
from correspondence.core.i18n import moment
from correspondence.models import Letter, Person, Purpose, Token
from correspondence.outbound.letters import wrapped_behind
from engines.wording import _

WITHIN = timedelta(days=3)
"""How long a proposal waits for its yes."""

ANSWERABLE = timedelta(days=30)
"""How long its letter can be answered at all, so that whoever comes late is told."""

PROPOSALS_A_DAY = 10
"""The most proposals to one person in a day; more than these nobody needs who knows that any reply is obeyed."""

KIND = "proposal"
"""The kind of letter that proposes."""

LONGEST_QUOTED = 10_000
"""Characters of one command, with the words that belong to it, which the letter shows."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What waits for a yes: the commands, and the token they came with, if they came with one."""

    number: int
    person_id: int
    commands: tuple[words.Command, ...]
    through: int | None


def propose(
    session: Session, person: Person, commands: Sequence[words.Command], *, through: Token | None, now: datetime
) -> Token:
    """Keep these commands until their owner says yes. The token must reach nobody but the registered address."""
    kept = [_kept(command) for command in commands]
    return accounts.new_token(
        session,
        Purpose.PROPOSAL,
        now=now,
        person=person,
        lasts=ANSWERABLE,
        commands=kept,
        through=through.id if through else None,
        same=_hash(kept),
    )


def hindrance(session: Session, person: Person, commands: Sequence[words.Command], *, now: datetime) -> str:
    """Why these commands are not proposed now, as a sentence; empty where they can be.

    The person is held, so that two copies of one mail make one proposal.
    """
    session.get_one(Person, person.id, with_for_update={"key_share": True})
    same = _hash([_kept(command) for command in commands])
    waiting = select(Token).where(
        col(Token.person_id) == person.id,
        col(Token.purpose) == Purpose.PROPOSAL,
        col(Token.used_at).is_(None),
        col(Token.created_at) > now - WITHIN,
    )
    if any(accounts.payload_of(token)["same"] == same for token in session.exec(waiting)):
        return _("An earlier letter proposed just that to you, and still waits for your yes.")
    if count_lately(session, person, now=now) >= PROPOSALS_A_DAY:
        sentence = _(
            "You were sent {count} proposals within a day, so what else this mail asked for was left. Reply to any "
            "letter of ours instead: what you write there is done at once."
        )
        return sentence.format(count=PROPOSALS_A_DAY)
    return ""


def count_lately(session: Session, person: Person, *, now: datetime) -> int:
    """How many proposals went to a person within a day."""
    counted = select(func.count()).select_from(Letter).where(col(Letter.person_id) == person.id)
    return session.exec(counted.where(col(Letter.kind) == KIND, col(Letter.created_at) > now - timedelta(days=1))).one()


def take(session: Session, number: int | None, *, now: datetime) -> Proposal:
    """The proposal that is now agreed to, once; raises PeopleError where it was done before or came too late."""
    token = session.get(Token, number, with_for_update=True, populate_existing=True) if number is not None else None
    if token is None or token.purpose != Purpose.PROPOSAL or token.person_id is None:
        raise accounts.PeopleError(_("Nothing waits for a yes here."))
    person = session.get_one(Person, token.person_id)
    if token.used_at is not None:
        sentence = _("That was done already, on {when}; nothing was done a second time.")
        raise accounts.PeopleError(sentence.format(when=moment(token.used_at, person.zone, person.language)))
    if token.created_at + WITHIN <= now:
        sentence = _(
            "Your yes came after more than {days} days, so nothing was done. Please write once more what you want; "
            "in a reply to this letter it is done at once."
        )
        raise accounts.PeopleError(sentence.format(days=WITHIN.days))
    token.used_at = now
    session.add(token)
    return _proposal(token)


def waiting(session: Session, number: int | None, *, now: datetime) -> Proposal | None:
    """The proposal that a link names; None where it is unknown, done, or too old."""
    token = session.get(Token, number) if number is not None else None
    if token is None or token.purpose != Purpose.PROPOSAL or token.used_at is not None:
        return None
    return _proposal(token) if token.created_at + WITHIN > now else None


def quoted(commands: Sequence[words.Command]) -> str:
    """Commands as their owner is shown them; a sign before each line keeps it from being one when it is quoted."""
    return "\n".join(_quoted(command) for command in commands)


def _quoted(command: words.Command) -> str:
    first, _sep, below = _words_of(command).partition("\n")
    if first and not command.written.endswith(first):
        below = f"{first}\n{below}"
    shown = f"{below[:LONGEST_QUOTED]}\n…" if len(below) > LONGEST_QUOTED else below
    more = f"\n{wrapped_behind(shown.strip(), '| ')}" if shown.strip() else ""
    return wrapped_behind(command.written, "· ", "| ") + more


def _words_of(command: words.Command) -> str:
    """What belongs to a command besides its line: nothing where it all stands on the line."""
    if isinstance(command, words.Write):
        said = command.text
    elif isinstance(command, words.Report):
        said = command.words
    else:
        return ""
    return "" if command.written.endswith(said) else said


def _kept(command: words.Command) -> dict[str, str]:
    return {"line": command.written, "words": _words_of(command)}


def _hash(kept: Sequence[dict[str, str]]) -> str:
    read = [repr(_read(one)) for one in kept]
    return hashlib.sha256(json.dumps(read).encode()).hexdigest()


def _read(kept: dict[str, Any]) -> words.Command:
    command = replace(words.read_line(kept["line"]), written=kept["line"])
    if kept["words"] and isinstance(command, words.Write):
        return replace(command, text=kept["words"])
    if kept["words"] and isinstance(command, words.Report):
        return replace(command, words=kept["words"])
    return command


def _proposal(token: Token) -> Proposal:
    payload = accounts.payload_of(token)
    assert token.person_id is not None
    return Proposal(token.id, token.person_id, tuple(map(_read, payload["commands"])), payload["through"])
