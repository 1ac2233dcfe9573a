"""What the web and mail interfaces of a running application share: settings, database, clock and random numbers."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Engine

from correspondence.core.config import Settings
from correspondence.core.log_redaction import Redaction


def utc_now() -> datetime:
    """The current time as an aware datetime in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Runtime:
    """One running application; tests put in their own `now` and `rng`.

    `redaction` keeps the secrets of the settings out of the logs for as long as the application runs. `mark` tells what
    is remembered of its pages from what is remembered of another application in the same process.
    """

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    rng: random.Random = field(default_factory=random.SystemRandom)
    redaction: Redaction | None = None
    mark: str = field(default_factory=secrets.token_hex)

    def close(self) -> None:
        """Give back what an application holds: its connections to the database, and its redaction of the logs."""
        self.engine.dispose()
        if self.redaction is not None:
            self.redaction.close()
