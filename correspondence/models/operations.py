"""What operators have done, one row for each act."""

from __future__ import annotations

from datetime import datetime

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
