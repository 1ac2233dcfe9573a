"""What every face of a running application shares: settings, database, the clock and the lots."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Engine

from correspondence.core.config import Settings


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Runtime:
    """One running application; tests put their own `now` and `lots` here."""

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    rng: random.Random = field(default_factory=random.SystemRandom)
