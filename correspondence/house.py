"""What every face of a running application shares: settings, database, the clock and the lots."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from flask import Flask, current_app
from sqlalchemy import Engine

from correspondence.config import Settings


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class House:
    """One running application; tests put their own `now` and `lots` here."""

    settings: Settings
    engine: Engine
    now: Callable[[], datetime] = utc_now
    lots: random.Random = field(default_factory=random.SystemRandom)


def keep_house(app: Flask, house: House) -> None:
    """Make `house` the one that `this_house` finds in this application."""
    app.extensions["correspondence"] = house


def house_of(app: Flask) -> House:
    """What `app` runs on."""
    house: House = app.extensions["correspondence"]
    return house


def this_house() -> House:
    """What the current application runs on; works within a request or an application context."""
    return house_of(current_app)
