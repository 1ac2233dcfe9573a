"""Shared state of a running application: settings, database, clock and random numbers."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from sqlalchemy import Engine

from correspondence.core.config import Settings
from correspondence.core.log_redaction import Redaction
from correspondence.core.signing import Signer, sign_by, signer_of


def utc_now() -> datetime:
    """Return the current time as an aware datetime in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Runtime:
    """The state of one running application; tests replace `now` and `rng`.

    `redaction` keeps secret settings out of the logs while the application runs. `mark` separates the cached pages of
    two applications in one process. Once `stopping` is set, sweeps end after their current letter, message or row.
    """

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    rng: random.Random = field(default_factory=random.SystemRandom)
    redaction: Redaction | None = None
    mark: str = field(default_factory=secrets.token_hex)
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Register this installation's key to sign the ends of games in the database."""
        sign_by(self.engine, self.signer)

    @cached_property
    def signer(self) -> Signer:
        """The signer of the installation, cached."""
        return signer_of(self.settings)

    def close(self) -> None:
        """Close the database connections and detach the log redaction."""
        self.engine.dispose()
        if self.redaction is not None:
            self.redaction.close()
