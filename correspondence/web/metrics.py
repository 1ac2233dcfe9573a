"""Numbers for Prometheus (text exposition format 0.0.4), for whoever has the operator's token."""

from __future__ import annotations

import hmac
from importlib.metadata import version

from flask import Response, abort, request
from flask.typing import ResponseReturnValue

from correspondence.queries.metrics import measures
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

PREFIX = "correspondence_"
"""How the names of our numbers begin."""


def metrics() -> ResponseReturnValue:
    """The numbers; 404 where METRICS_TOKEN is not set, and 401 for whoever does not send it as a bearer token."""
    runtime = current_runtime()
    token = runtime.settings.metrics_token
    if not token:
        abort(404)
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        refusal = "Send METRICS_TOKEN as a bearer token: Authorization: Bearer …\n"
        return Response(refusal, 401, {"WWW-Authenticate": "Bearer"}, mimetype="text/plain")
    with reading() as db:
        found = list(measures(db, runtime.settings, now=runtime.now()))
    # loaded here: most installations are never asked
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Info, generate_latest

    registry = CollectorRegistry()
    for measure in found:
        Gauge(PREFIX + measure.name, measure.meaning, registry=registry).set(measure.value)
    Info(PREFIX + "build", "The version that runs.", registry=registry).info({"version": version("correspondence")})
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
