"""What operators have done, one row for each act; the words that they hid; and the state of the whole service."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, text
from sqlmodel import Field

from correspondence.models.columns import Table


class OperatorAct(Table, table=True):
    """One act of an operator: never changed afterwards, but for who reversed it and when.

    `operator_id` is None for the command line. `kind` is the name of an act (moderation/register.py), `detail` what it set
    in a few words, such as “14 days”. `facts` is JSON, what is needed to reverse it; it never holds a secret, and is
    emptied when the person is erased.
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
    """The operator who reversed it; None also where that was the command line."""


class HiddenWords(Table, table=True):
    """Words of a person that an act hid: those of a remark, or of the comment of the move at `ply`, said `at`.

    The mark of hidden words stands in their place (moderation/talk.py). No page but the list of acts reads this table.
    `remark_id` is no key, because a remark can be recalled.
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
"""The state of the service while it is read-only."""


class ServiceState(Table, table=True):
    """The one row that says what operators have switched on for the whole service; each reason is the operator's.

    An announcement stands on every page until its end; `letters_after` is the last member to whom its letter was
    written, None where none is to be written any more.
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
    """Since when our own mail server takes no letters; a worker notes it (ops/worker.py)."""


class LostNumbers(Table, table=True):
    """Numbers of a table that a lost machine may have given, `first` to `last`: nobody gets them again.

    What they stood for happened after `kept_until`, and is lost.
    """

    table_name: str = Field(primary_key=True)
    first: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    last: int = Field(sa_type=BigInteger)
    kept_until: datetime


class Fingerprint(Table, table=True):
    """What every process of the service must agree on, by its name: a slow, keyed hash, never the value itself.

    Beside the hashes stand the salt, and the timeline of PostgreSQL, which a promotion changes (ops/fingerprints.py).
    """

    name: str = Field(primary_key=True)
    value: str


class Counted(Table, table=True):
    """A counter for monitoring: how often something has happened (core/counting.py). It names nobody."""

    name: str = Field(primary_key=True)
    labels: str = Field(primary_key=True)
    """The values of its labels, with a blank between them."""
    number: int = Field(sa_type=BigInteger)
