"""Tokens by which programs act for members."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field

from correspondence.models.columns import Table, one_of


class ApiScope(StrEnum):
    """What an API token permits."""

    READ = "read"
    """Reading everything that the member may see."""
    PLAY = "play"
    """Reading, and everything that the member does in games, seeks and challenges."""


class ApiToken(Table, table=True):
    """A token by which a program acts for a person (accounts/api_tokens.py).

    `digest` is the SHA-256 of the random token, which is not stored. `used_at` is updated at most once a day. A
    revoked token is kept for a while, so that its program gets an explanation.
    """

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    name: str
    scope: ApiScope = Field(sa_type=one_of(ApiScope))
    digest: str = Field(unique=True)
    created_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None
