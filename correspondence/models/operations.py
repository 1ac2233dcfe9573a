"""Operators' acts, words that they hid, and the state of the whole service."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, text
from sqlmodel import Field

from correspondence.models.columns import Table


class OperatorAct(Table, table=True):
    """One act of an operator, immutable except for its reversal.

    `operator_id` is None for the command line. `kind` names an act (moderation/register.py), `detail` is what it set,
    such as “14 days”. `facts` is JSON for reversing it; it never holds a secret, and is emptied when the person is
    erased.
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
    """The operator who reversed it; None also for the command line."""


class HiddenWords(Table, table=True):
    """A person's words hidden by an act: a remark, or the comment on the move at `ply`.

    A mark replaces them (moderation/talk.py). Only the list of acts reads this table. `at` is when they were said.
    `remark_id` is no foreign key, because a remark can be recalled.
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
"""The service's state while it is read-only."""


class ServiceState(Table, table=True):
    """Operators' switches for the whole service, with their reasons; a single row.

    An announcement is on every page until its end. `letters_after` is the last member to whom its letter was written,
    None if no more letters are to be written.
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
    """Since when our own mail server accepts no letters, noted by a worker (ops/worker.py)."""


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

    The table also holds the salt, and PostgreSQL's timeline, which a promotion changes (ops/fingerprints.py).
    """

    name: str = Field(primary_key=True)
    value: str


class Counted(Table, table=True):
    """A counter for monitoring (core/counting.py). It names nobody."""

    name: str = Field(primary_key=True)
    labels: str = Field(primary_key=True)
    """The values of its labels, separated by blanks."""
    number: int = Field(sa_type=BigInteger)
