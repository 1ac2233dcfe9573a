"""Operators' acts: planning, performing, logging and undoing them.

An act is one value (`Act`), shared by pages and command line. Each performed act is logged in a row that nothing
changes afterwards (`OperatorAct`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from correspondence.accounts import operators
from correspondence.accounts.accounts import person_called
from correspondence.models import OperatorAct, Person
from correspondence.models.loading import players_of
from engines.refusal import Refusal
from engines.wording import N_, _

LONGEST_REASON = 500
"""Maximum length of a reason."""

COMMAND_LINE = N_("command line")
"""Name shown in lists for the operator of acts from the command line."""


class ActError(Refusal):
    """Raised for an act that is impossible now; str() is a sentence for the operator."""


FRESH = timedelta(hours=12)
"""Maximum age of the sign-in for irreversible acts."""


@dataclass(frozen=True, slots=True)
class Operator:
    """The acting operator: a member and their sign-in time, or the command line.

    `person_id` is None for the command line.
    """

    person_id: int | None = None
    signed_in_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """The operator's input for an act, as text; empty fields were left out."""

    reason: str = ""
    game: str = ""
    handle: str = ""
    other: str = ""
    again: str = ""
    mail: str = ""
    words: str = ""
    result: str = ""
    days: str = ""
    switch: str = ""
    english: str = ""
    italian: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class PlannedAct:
    """A planned act: its description for the operator, and the function that performs it.

    `carry_out` gets the act's log row and returns the data needed to undo it.
    """

    sentence: str
    carry_out: Callable[[OperatorAct], dict[str, Any]]
    _: KW_ONLY
    person_id: int | None = None
    match_id: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A kind of act.

    `needs` and `takes` name the required and optional fields of `Given`, besides the reason. `plan` refuses impossible
    acts and changes nothing. `undo` is None if the act is irreversible.
    """

    name: str
    title: str
    button: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    plan: Callable[[Session, Operator, Given, datetime], PlannedAct]
    undo: Callable[[Session, OperatorAct, dict[str, Any], datetime], None] | None = None
    is_final: bool = False
    """Whether the act is irreversible and so needs a recent sign-in."""
    reason_hint: str = N_("The member reads it in a letter. It is kept, so write nothing secret.")


@dataclass(frozen=True, slots=True)
class KeptAct:
    """A logged act for lists, with handles instead of ids."""

    number: int
    at: datetime
    operator: str
    kind: str
    handle: str
    match_id: int | None
    detail: str
    reason: str
    reversed_at: datetime | None
    reversed_by: str


def require_operator(session: Session, operator: Operator) -> None:
    """Raise ActError unless the member is an operator."""
    if operator.person_id is not None and not operators.is_operator(session, operator.person_id):
        raise ActError(_("Only operators can do that."))


def plan(session: Session, act: Act, operator: Operator, given: Given, *, now: datetime) -> PlannedAct:
    """Plan an act without performing it.

    Raises ActError or another Refusal if the act is impossible.
    """
    require_operator(session, operator)
    _require_fresh_sign_in(act, operator, now)
    if not _clean(given.reason):
        raise ActError(_("Please give a reason: it is kept, and the people concerned are told."))
    return act.plan(session, operator, given, now)


def _require_fresh_sign_in(act: Act, operator: Operator, now: datetime) -> None:
    if not act.is_final or operator.person_id is None:
        return
    if operator.signed_in_at is None or now - operator.signed_in_at > FRESH:
        sentence = _(
            "This can't be reversed, so you must have signed in within the last {hours} hours. Sign out, sign in "
            "again with a new link, and send it again."
        )
        raise ActError(sentence.format(hours=FRESH // timedelta(hours=1)))


def perform(session: Session, act: Act, operator: Operator, given: Given, *, now: datetime) -> OperatorAct:
    """Perform and log an act. Raises ActError or another Refusal before anything changes."""
    planned = plan(session, act, operator, given, now=now)
    row = OperatorAct(
        at=now, operator_id=operator.person_id, kind=act.name, person_id=planned.person_id, match_id=planned.match_id,
        detail=planned.detail, reason=_clean(given.reason),
    )  # fmt: skip
    session.add(row)
    session.flush()
    row.facts = json.dumps(planned.carry_out(row))
    session.add(row)
    session.flush()
    return row


def undo(session: Session, act: Act, row: OperatorAct, operator: Operator, *, now: datetime) -> None:
    """Undo an act, once, and notify the people who were notified of it. Raises ActError."""
    require_operator(session, operator)
    if act.undo is None:
        raise ActError(_("Act {number} cannot be reversed.").format(number=row.id))
    if row.reversed_at is not None:
        raise ActError(_("Act {number} has already been reversed.").format(number=row.id))
    if _is_about(session, row, operator):
        raise ActError(_("Act {number} is about yourself. Ask another operator.").format(number=row.id))
    note_reversed(session, row, operator, now=now)
    act.undo(session, row, json.loads(row.facts), now)
    session.flush()


def _is_about(session: Session, row: OperatorAct, operator: Operator) -> bool:
    """Whether an act concerned the operator or a game of theirs."""
    if operator.person_id is None or row.person_id is not None:
        return operator.person_id is not None and row.person_id == operator.person_id
    return operator.person_id in [player.person_id for player in players_of(session, row.match_id or 0)]


def note_reversed(session: Session, row: OperatorAct, operator: Operator, *, now: datetime) -> None:
    """Mark an act as undone, and by whom."""
    row.reversed_at, row.reversed_by_id = now, operator.person_id
    session.add(row)


def act_row(session: Session, number: int) -> OperatorAct:
    """Lock and return the act with this number. Raises ActError."""
    row = session.get(OperatorAct, number, with_for_update=True, populate_existing=True)
    if row is None:
        raise ActError(_("There is no act number {number}.").format(number=number))
    return row


def standing(session: Session, kind: str, **about: int | str) -> OperatorAct | None:
    """Return the last act of a kind that is still in force, by person, match or detail."""
    query = select(OperatorAct).where(col(OperatorAct.kind) == kind, col(OperatorAct.reversed_at).is_(None))
    for name, number in about.items():
        query = query.where(getattr(OperatorAct, name) == number)
    return session.exec(query.order_by(col(OperatorAct.id).desc())).first()


def kept(session: Session, most: int, skip: int = 0, *, handle: str = "") -> Sequence[KeptAct]:
    """Return the last acts after the newest `skip`, newest first.

    With `handle`, only those about one member. Raises PeopleError.
    """
    by, about, reverser = aliased(Person), aliased(Person), aliased(Person)
    query = (
        select(OperatorAct, by.handle, about.handle, reverser.handle)
        .outerjoin(by, col(by.id) == col(OperatorAct.operator_id))
        .outerjoin(about, col(about.id) == col(OperatorAct.person_id))
        .outerjoin(reverser, col(reverser.id) == col(OperatorAct.reversed_by_id))
    )
    if handle:
        query = query.where(col(OperatorAct.person_id) == person_called(session, handle).id)
    rows = session.exec(query.order_by(col(OperatorAct.id).desc()).limit(most).offset(skip))
    return [
        KeptAct(
            row.id, row.at, by_handle or _(COMMAND_LINE), row.kind, handle_of or "", row.match_id, row.detail, row.reason,
            row.reversed_at, (reversed_by or _(COMMAND_LINE)) if row.reversed_at else "",
        )
        for row, by_handle, handle_of, reversed_by in rows
    ]  # fmt: skip


def _clean(reason: str) -> str:
    """Return a reason on one line, without control characters, cut to the maximum length."""
    return " ".join("".join(c if c.isprintable() else " " for c in reason).split())[:LONGEST_REASON]
