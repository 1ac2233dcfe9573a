"""What the web and mail interfaces of a running application share: settings, database, clock and random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Engine

from correspondence.core.config import Settings


def utc_now() -> datetime:
    """The current time as an aware datetime in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Runtime:
    """One running application; tests put in their own `now` and `rng`."""

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    rng: random.Random = field(default_factory=random.SystemRandom)
