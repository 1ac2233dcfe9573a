"""Proposals: commands vouched for only by a From line, confirmed by the address's owner.

A From line can be forged, so such commands are not executed. A letter to the registered address proposes them, and
they are executed if the owner answers yes. A proposal is a token that only this letter contains. It stores the
commands as written, which are parsed again after the yes. It works once, within three days.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence import commands as cmd
from correspondence.accounts import accounts
from correspondence.core.i18n import moment
from correspondence.models import Letter, Person, Purpose, Token
from correspondence.models.locks import hold_person
from correspondence.outbound import kinds
from correspondence.outbound.automatic_answers import PROVEN, UNPROVEN
from correspondence.outbound.letters import wrapped_behind
from engines.wording import _

CONFIRM_WITHIN = timedelta(days=3)
"""Time within which a proposal can be confirmed."""

TOKEN_LASTS = timedelta(days=30)
"""Lifetime of a proposal's token, so that a late yes gets an explanation."""

PROPOSALS_A_DAY = 10
"""Maximum number of proposals to one person in 24 hours; replies with a token need none."""

TEXT_SHOWN = 10_000
"""Maximum number of characters of one command's text that the letter shows."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Commands that wait for confirmation. `through`: id of the token they came with, if any."""

    token_id: int
    person_id: int
    commands: tuple[cmd.Command, ...]
    through: int | None


def propose(
    session: Session, person: Person, commands: Sequence[cmd.Command], *, through: Token | None, now: datetime
) -> Token:
    """Store commands until confirmed; only the registered address may receive the token."""
    stored = [_stored(command) for command in commands]
    return accounts.new_token(
        session,
        Purpose.PROPOSAL,
        now=now,
        person=person,
        lasts=TOKEN_LASTS,
        commands=stored,
        through=through.id if through else None,
        same=_hash(stored),
    )


def reason_not_to_propose(
    session: Session, person: Person, commands: Sequence[cmd.Command], *, is_proven: bool = False, now: datetime
) -> str:
    """Return a sentence why these commands cannot be proposed now; empty if they can.

    Locks the person's row, so that two copies of one mail make only one proposal. `is_proven`: a token vouches for
    the commands; those with only a From line are counted separately.
    """
    hold_person(session, person)
    digest = _hash([_stored(command) for command in commands])
    open_tokens = select(Token).where(
        col(Token.person_id) == person.id,
        col(Token.purpose) == Purpose.PROPOSAL,
        col(Token.used_at).is_(None),
        col(Token.created_at) > now - CONFIRM_WITHIN,
    )
    if any(accounts.payload_of(token)["same"] == digest for token in session.exec(open_tokens)):
        return _("An earlier letter already asked you this, and is still waiting for your yes.")
    if count_recent(session, person, is_proven=is_proven, now=now) >= PROPOSALS_A_DAY:
        sentence = _(
            "You were asked to confirm {count} times within a day, so the rest of this mail was not carried out. "
            "Reply to any of our letters instead: what you write there is done at once."
        )
        return sentence.format(count=PROPOSALS_A_DAY)
    return ""


def count_recent(session: Session, person: Person, *, is_proven: bool, now: datetime) -> int:
    """Count a person's proposals in the last 24 hours, either with a token or without."""
    count = select(func.count()).select_from(Letter).where(col(Letter.person_id) == person.id)
    count = count.where(col(Letter.kind) == kinds.PROPOSAL.name, col(Letter.created_at) > now - timedelta(days=1))
    return session.exec(count.where(col(Letter.auto_submitted) == (PROVEN if is_proven else UNPROVEN))).one()


def take(session: Session, token_id: int | None, *, now: datetime) -> Proposal:
    """Consume a confirmed proposal. Raises PeopleError if it is unknown, used or expired."""
    token = session.get(Token, token_id, with_for_update=True, populate_existing=True) if token_id is not None else None
    if token is None or token.purpose != Purpose.PROPOSAL or token.person_id is None:
        raise accounts.PeopleError(_("There is nothing here to confirm."))
    person = session.get_one(Person, token.person_id)
    if token.used_at is not None:
        sentence = _("That was already done, on {when}; it wasn't done again.")
        raise accounts.PeopleError(sentence.format(when=moment(token.used_at, person.zone, person.language)))
    if token.created_at + CONFIRM_WITHIN <= now:
        sentence = _(
            "Your yes came after more than {days} days, so nothing was done. Please write again what you want; "
            "in a reply to this letter it's done at once."
        )
        raise accounts.PeopleError(sentence.format(days=CONFIRM_WITHIN.days))
    token.used_at = now
    session.add(token)
    return _proposal(token)


def open_proposal(session: Session, token_id: int | None, *, now: datetime) -> Proposal | None:
    """Return the proposal that a link names; None if it is unknown, used or expired."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or token.purpose != Purpose.PROPOSAL or token.used_at is not None:
        return None
    return _proposal(token) if token.created_at + CONFIRM_WITHIN > now else None


def quoted(commands: Sequence[cmd.Command]) -> str:
    """Quote commands to their owner, marked so that a reply's quotation does not run them."""
    return "\n".join(_quoted_command(command) for command in commands)


def _quoted_command(command: cmd.Command) -> str:
    first, _sep, below = _extra_text(command).partition("\n")
    if first and not command.written.endswith(first):
        below = f"{first}\n{below}"
    text = f"{below[:TEXT_SHOWN]}\n…" if len(below) > TEXT_SHOWN else below
    text_block = f"\n{wrapped_behind(text.strip(), '| ')}" if text.strip() else ""
    return wrapped_behind(command.written, "· ", "| ") + text_block


def _extra_text(command: cmd.Command) -> str:
    """Return the text of a command below its line; empty if there is none."""
    if isinstance(command, cmd.Write):
        text = command.text
    elif isinstance(command, cmd.Report):
        text = command.words
    else:
        return ""
    return "" if command.written.endswith(text) else text


def _stored(command: cmd.Command) -> dict[str, str]:
    return {"line": command.written, "words": _extra_text(command)}


def _hash(stored: Sequence[dict[str, str]]) -> str:
    parsed = [repr(_parse(item)) for item in stored]
    return hashlib.sha256(json.dumps(parsed).encode()).hexdigest()


def _parse(stored: dict[str, Any]) -> cmd.Command:
    command = replace(cmd.read_line(stored["line"]), written=stored["line"])
    if stored["words"] and isinstance(command, cmd.Write):
        return replace(command, text=stored["words"])
    if stored["words"] and isinstance(command, cmd.Report):
        return replace(command, words=stored["words"])
    return command


def _proposal(token: Token) -> Proposal:
    payload = accounts.payload_of(token)
    assert token.person_id is not None
    return Proposal(token.id, token.person_id, tuple(map(_parse, payload["commands"])), payload["through"])
