"""One process of the service on the clock of a soak: `python -m bench.soak.process worker|listener`; `app` is for gunicorn.

It is started as an operator's would be, with settings from its environment, but its `Runtime` gets another clock, as in
tests. Only what the service asks its runtime for runs faster: not timeouts of sockets, nor the intervals of sweeps.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from flask import Flask

from correspondence import create_app
from correspondence.core.config import Settings
from correspondence.ops import serve
from correspondence.web.current import bind, runtime_of

CLOCK = "SOAK_CLOCK"
"""The variable that says when the clock began, which moment it showed then (both in seconds since 1970), and how fast it runs."""


def clock_of(words: str) -> Callable[[], datetime]:
    """The clock that these three numbers describe; all processes that are told the same share it."""
    began, shown, speed = map(float, words.split())
    return lambda: datetime.fromtimestamp(shown + (time.time() - began) * speed, UTC)


def application(settings: Settings | None = None, words: str | None = None) -> Flask:
    """The application with the clock of the soak; settings and clock from the environment unless told."""
    made = create_app(settings)
    bind(made, replace(runtime_of(made), now=clock_of(words or os.environ[CLOCK])))
    return made


if CLOCK in os.environ:
    app = application()

if __name__ == "__main__":
    {"worker": serve.work, "listener": serve.receive}[sys.argv[1]](app)
