"""Response times for monitoring, counted by status.

Requests of monitoring itself are excluded.
"""

from __future__ import annotations

import time
from math import inf

from flask import Flask, Response, g, request

from correspondence.core import counting
from correspondence.queries.metrics import BOUNDS, PAGE_TIME, PAGES
from correspondence.web.current import current_runtime

_OF_MONITORING = frozenset({"health", "metrics"})


def attach(app: Flask) -> None:
    """Count every response; attach this first, so that the time of all other hooks is included."""
    app.before_request(_begin)
    app.after_request(_count)


def _begin() -> None:
    g.began = time.perf_counter()


def _count(response: Response) -> Response:
    if request.blueprint in _OF_MONITORING:
        return response
    seconds = time.perf_counter() - g.began
    engine, status = current_runtime().engine, str(response.status_code)
    bound = next((bound for bound in BOUNDS if seconds <= bound), inf)
    counting.count_now(engine, PAGES, status, str(bound))
    counting.count_now(engine, PAGE_TIME, status, number=round(seconds * 1_000))
    return response
