"""Metrics for Prometheus (text exposition format 0.0.4), protected by the operator's token."""

from __future__ import annotations

import hmac
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError

from correspondence.core import counting
from correspondence.queries.metrics import Happened, Measure, PageTimes, happened, measures
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("metrics", __name__)

PREFIX = "correspondence_"
"""Prefix of all metric names."""


@bp.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Return the metrics; 404 if METRICS_TOKEN is not set, 401 without it as bearer token."""
    runtime = current_runtime()
    token = runtime.settings.metrics_token
    if not token:
        abort(404)
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        refusal = "Send METRICS_TOKEN as a bearer token: Authorization: Bearer …\n"
        return Response(refusal, 401, {"WWW-Authenticate": "Bearer"}, mimetype="text/plain")
    with suppress(SQLAlchemyError):  # what cannot be stored now is stored at the next scrape
        counting.keep(runtime.engine, runtime.settings)
    with reading() as db:
        gauges, (counters, pages) = list(measures(db, runtime.settings, now=runtime.now())), happened(db)
    # imported here: most installations never use it
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_Collector([*map(_gauge, gauges), *map(_counter, counters), _histogram(pages), _build()]))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


@dataclass(eq=False)
class _Collector:
    """A prometheus_client collector of precomputed metrics."""

    families: list[Any]

    def collect(self) -> list[Any]:
        return self.families


def _gauge(measure: Measure) -> Any:
    from prometheus_client.core import GaugeMetricFamily

    if not measure.label:
        return GaugeMetricFamily(PREFIX + measure.name, measure.meaning, measure.value)
    family = GaugeMetricFamily(PREFIX + measure.name, measure.meaning, labels=[measure.label])
    for value, number in measure.by_label.items():
        family.add_metric([value], number)
    return family


def _counter(counter: Happened) -> Any:
    from prometheus_client.core import CounterMetricFamily

    family = CounterMetricFamily(PREFIX + counter.name, counter.meaning, labels=counter.labels)
    for values, number in counter.numbers.items():
        family.add_metric(values, number)
    return family


def _histogram(pages: list[PageTimes]) -> Any:
    from prometheus_client.core import HistogramMetricFamily

    family = HistogramMetricFamily(PREFIX + "page_seconds", "How long answers took, by status.", labels=["status"])
    for page in pages:
        bounds = [(str(bound), number) for bound, number in page.within.items()]
        family.add_metric([page.status], [*bounds, ("+Inf", page.number)], page.seconds)
    return family


def _build() -> Any:
    from prometheus_client.core import InfoMetricFamily

    return InfoMetricFamily(PREFIX + "build", "The version that runs.", {"version": version("correspondence")})
