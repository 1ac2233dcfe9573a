"""What the web and mail interfaces of a running application share: settings, database, clock and random numbers."""

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
    """The current time as an aware datetime in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Runtime:
    """One running application; tests put in their own `now` and `rng`.

    `redaction` keeps the secrets of the settings out of the logs for as long as the application runs. `mark` tells what
    is remembered of its pages from what is remembered of another application in the same process. Once `stopping` is
    set, sweeps end after the letter, message or row that they have in hand.
    """

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    rng: random.Random = field(default_factory=random.SystemRandom)
    redaction: Redaction | None = None
    mark: str = field(default_factory=secrets.token_hex)
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Let the ends of games in the database be signed by this installation's key."""
        sign_by(self.engine, self.signer)

    @cached_property
    def signer(self) -> Signer:
        """The signer of the installation, whose folder is looked up once."""
        return signer_of(self.settings)

    def close(self) -> None:
        """Give back what an application holds: its connections to the database, and its redaction of the logs."""
        self.engine.dispose()
        if self.redaction is not None:
            self.redaction.close()
