"""A pool of Flask applications, because creating one takes longer than most tests."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache

from correspondence import create_app
from correspondence.core.config import Settings
from correspondence.core.ratelimit import RateLimiter
from correspondence.web.current import runtime_of
from tests.own_pages import OwnPages


class _Compiled(BytecodeCache):
    """Cache of compiled templates, shared by the applications of all worlds."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


class IdleApps:
    """Unchanged applications of closed worlds, for later worlds with the same settings.

    An application whose configuration, views or hooks a test has changed
    is not reused. State of pages about their service is removed (`app.extensions`).
    """

    def __init__(self) -> None:
        self._apps: dict[object, list[Flask]] = {}
        self._states: dict[int, tuple[object, ...]] = {}
        self._extensions: dict[int, dict[str, object]] = {}

    def take(self, settings: Settings) -> Flask:
        """Return a clean application with the same settings; a runtime is bound to it later."""
        apps = self._apps.get(self._kind(settings), [])
        app = apps.pop() if apps else self._made(settings)
        app.extensions = {**self._extensions[id(app)], "correspondence_rate_limiter": RateLimiter()}
        return app

    def give_back(self, app: Flask, settings: Settings) -> None:
        """Keep the application for the next world, if it is unchanged."""
        if self._states.get(id(app)) == self._state(app):
            self._apps.setdefault(self._kind(settings), []).append(app)

    def _made(self, settings: Settings) -> Flask:
        app = create_app(settings)
        runtime_of(app).close()
        app.jinja_env.bytecode_cache = _COMPILED
        app.config.update(TESTING=True)
        app.test_client_class = OwnPages
        self._states[id(app)], self._extensions[id(app)] = self._state(app), dict(app.extensions)
        return app

    @staticmethod
    def _kind(settings: Settings) -> object:
        return replace(settings, instance_dir="", database_url="")

    @staticmethod
    def _state(app: Flask) -> tuple[object, ...]:
        hooks = [{name: list(one) for name, one in kind.items()} for kind in
                 (app.before_request_funcs, app.after_request_funcs, app.teardown_request_funcs)]  # fmt: skip
        return dict(app.config), dict(app.view_functions), hooks, dict(app.jinja_env.globals)


IDLE_APPS = IdleApps()
