"""Operators' actions, remarks that they hid, and the state of the whole service."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, text
from sqlmodel import Field

from correspondence.models.columns import Table


class OperatorAct(Table, table=True):
    """One action of an operator, immutable except for its reversal.

    `operator_id` is None for the command line. `kind` names an action (moderation/register.py), `detail` is its
    parameter, such as “14 days”. `facts` is JSON for reversing it; it never holds a secret, and is emptied when the
    person is erased.
    """

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(index=True)
    operator_id: int | None = Field(default=None, foreign_key="person.id")
    kind: str
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    detail: str = ""
    reason: str
    facts: str = "{}"
    reversed_at: datetime | None = None
    reversed_by_id: int | None = Field(default=None, foreign_key="person.id")
    """The operator who reversed it; None if not reversed, or by the command line."""


class HiddenWords(Table, table=True):
    """Text hidden by an operator: a remark, or the comment on the move at `ply`.

    A notice replaces it (moderation/talk.py). Only the list of actions reads this table. `at` is when the text was
    written. `remark_id` is not a foreign key, because a remark can be recalled.
    """

    id: int = Field(default=None, primary_key=True)
    act_id: int = Field(foreign_key="operator_act.id", index=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    match_id: int = Field(foreign_key="match.id")
    remark_id: int | None = None
    ply: int | None = None
    at: datetime
    text: str


READ_ONLY = text("read_only_since IS NOT NULL")
"""Query condition: the service is read-only."""


class ServiceState(Table, table=True):
    """Operators' switches for the whole service, with their reasons; a single row.

    An announcement is on every page until its end. `letters_after` is the last member whose announcement letter was
    written, None if no letters remain.
    """

    id: int = Field(default=1, primary_key=True)
    read_only_since: datetime | None = None
    read_only_for: str = ""
    mail_paused_since: datetime | None = None
    mail_paused_for: str = ""
    announcement_id: int | None = Field(default=None, foreign_key="operator_act.id")
    announcement_until: datetime | None = None
    english: str = ""
    italian: str = ""
    letters_after: int | None = None
    letters_held_since: datetime | None = None
    """Since when our own mail server accepts no letters (ops/worker.py); None if it does."""


class LostNumbers(Table, table=True):
    """Row numbers `first` to `last` that a lost machine may have used; they are never reused.

    Their rows were made after `kept_until`, and are lost.
    """

    table_name: str = Field(primary_key=True)
    first: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    last: int = Field(sa_type=BigInteger)
    kept_until: datetime


class Fingerprint(Table, table=True):
    """A value that all processes must agree on, by name: a slow keyed hash, never the value.

    The table also holds the salt, and PostgreSQL's timeline, which changes at a promotion (ops/fingerprints.py).
    """

    name: str = Field(primary_key=True)
    value: str


class Counted(Table, table=True):
    """A counter for monitoring (core/counting.py); it identifies no person."""

    name: str = Field(primary_key=True)
    labels: str = Field(primary_key=True)
    """The values of the counter's labels, separated by blanks."""
    number: int = Field(sa_type=BigInteger)
