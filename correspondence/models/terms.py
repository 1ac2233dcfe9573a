"""The columns of a game's terms, shared by every table with terms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, true
from sqlmodel import Field

from correspondence.core.terms import Terms
from correspondence.core.time_control import Policy, TimeControl
from correspondence.models.columns import Table, one_of


class TermsColumns(Table):
    """Base of tables with terms: read them as `terms`, write them by `terms_columns`.

    `bank`, `increment` and `cap` are seconds, `options` are `name=value` words.
    """

    game: str
    options: str = ""
    bank: int
    increment: int
    cap: int
    policy: Policy = Field(default=Policy.AUTOMATIC, sa_type=one_of(Policy))
    rated: bool = True
    analysis: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether players may use an analysis board while the match runs."""

    @property
    def time_control(self) -> TimeControl:
        """The time control of these terms."""
        bank, increment, cap = (timedelta(seconds=seconds) for seconds in (self.bank, self.increment, self.cap))
        return TimeControl(bank, increment, cap, self.policy)

    @property
    def terms(self) -> Terms:
        """The terms as one value."""
        return Terms(self.game, self.options, self.time_control, self.rated, self.analysis)

    @classmethod
    def has_terms(cls, terms: Terms) -> ColumnElement[bool]:
        """Return the condition that a row has exactly these terms."""
        return and_(*(getattr(cls, name) == value for name, value in terms_columns(terms).items()))


def terms_columns(terms: Terms) -> dict[str, Any]:
    """Return terms as the columns of a row: `Seek(**terms_columns(terms), …)`."""
    return {
        "game": terms.game,
        "options": terms.options,
        "bank": int(terms.time_control.bank.total_seconds()),
        "increment": int(terms.time_control.increment.total_seconds()),
        "cap": int(terms.time_control.cap.total_seconds()),
        "policy": terms.time_control.policy,
        "rated": terms.rated,
        "analysis": terms.analysis,
    }
