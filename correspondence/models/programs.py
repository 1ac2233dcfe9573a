"""Tokens by which programs act for members."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field

from correspondence.models.columns import Table, one_of


class ApiScope(StrEnum):
    """What a token of a program allows."""

    READ = "read"
    """Looking, at what the member may see."""
    PLAY = "play"
    """Looking, and everything that the member does in games, seeks and challenges."""


class ApiToken(Table, table=True):
    """A token by which a program acts for a person (accounts/api_tokens.py).

    `digest` is the SHA-256 of the random token, which is kept nowhere else. `used_at` is noted once a day at most. A
    revoked one is kept for a while, so that its program is told what happened.
    """

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    name: str
    scope: ApiScope = Field(sa_type=one_of(ApiScope))
    digest: str = Field(unique=True)
    created_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None
