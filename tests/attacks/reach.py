"""The attack surface of the pages: every route, and every name of a form or query field.

Names are extracted from templates and views, so that a new field is attacked without being listed here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from correspondence.core.ratelimit import Allowance
from correspondence.web.forms import RowNumber
from tests.world import World

ROOT = Path(__file__).resolve().parents[2]
_IN_CODE = re.compile(r"(?:asked_for|written|ticked|form\.get|form\.getlist|args\.get)\(\"([\w-]+)\"")
_IN_FORMS = re.compile(r"<(?:input|textarea|select|button)[^>]*?\bname=\"([\w-]+)\"")


@cache
def names() -> tuple[str, ...]:
    """Return the names of all fields that views read or templates contain."""
    found = {"option-board", "board"}
    for file in (ROOT / "correspondence/web").rglob("*.py"):
        found |= set(_IN_CODE.findall(file.read_text()))
    for file in (ROOT / "templates/web").rglob("*.html"):
        found |= set(_IN_FORMS.findall(file.read_text()))
    return tuple(sorted(found))


FOR_MACHINES = {"static", "health.ready"}
"""Paths that ignore visitors; the second returns 503 without a worker, as in tests."""


def addresses(world: World, method: str, **values: str):
    """Return one path for every route with this method; variables are taken from `values`, else 1."""
    adapter = world.app.url_map.bind("localhost")
    for rule in sorted(world.app.url_map.iter_rules(), key=str):
        if method in rule.methods and rule.endpoint not in FOR_MACHINES:
            given = {name: values.get(name, "1") for name in rule.arguments}
            given |= {name: int(given[name]) for name, kind in rule._converters.items() if isinstance(kind, RowNumber)}
            yield adapter.build(rule.endpoint, given, method=method)


def unthrottled(world: World) -> World:
    """Turn off the rate limits of a world, which would refuse a test's many requests."""
    world.app.extensions["correspondence_rate_limiter"] = _Everybody()
    return world


def answer_to(world: World, who: str, path: str, *, method: str = "GET", headers: dict[str, str], **given: Any) -> Any:
    """Return the response to one request by a browser signed in as `who`, which stores no cookies."""
    cookies = world.__dict__.setdefault("cookies", {})
    if who and who not in cookies:
        name = world.app.config["SESSION_COOKIE_NAME"]
        cookies[who] = f"{name}={world.client(who).get_cookie(name).value}"
    sent = {**headers, "Cookie": cookies[who]} if who else headers
    return world.app.test_client(use_cookies=False).open(path, method=method, headers=sent, **given)


class _Everybody:
    def allows(self, *_asked: object) -> bool:
        return True

    def take(self, *_asked: object) -> Allowance:
        return Allowance(True, 1, 0, 0)
