"""Authentication by token, scopes, and rate limits of API requests.

Cookies do not count below `/api`, so a request forged by another site acts for nobody.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, TooManyRequests

from correspondence.accounts import api_tokens
from correspondence.api.faults import InputFault
from correspondence.core.db import transaction
from correspondence.core.i18n import LANGUAGES
from correspondence.core.ratelimit import Allowance, RateLimit, RateLimiter
from correspondence.models import ApiScope
from correspondence.queries import visitors
from correspondence.queries.view_models import Member, Program
from correspondence.web import locale, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import problem
from correspondence.web.session import API, visitor
from engines.wording import N_, _

View = TypeVar("View", bound=Callable[..., Any])

_NO_TOKEN = N_("This needs a member's token. You can make one on your settings page.")
_NOT_KNOWN = N_("There's no such token. Your settings page lists yours and makes new ones.")
_ENDED = N_("This token was revoked, or hasn't been used for a year. You can make a new one on your settings page.")
_READS_ONLY = N_("This token can only look. For this you need one that can play.")


class Denied(HTTPException):
    """Raised if a request has no valid token for a call.

    `kind` is the error of RFC 6750, section 3.1.
    """

    def __init__(self, code: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.kind, self.sentence = code, kind, sentence


def attach(app: Flask) -> None:
    """Register the error handlers, and add rate-limit headers to every response."""
    app.register_error_handler(Denied, _denied)
    app.register_error_handler(InputFault, _faulty)
    app.after_request(_tell_limit)


def require_token(scope: ApiScope) -> Callable[[View], View]:
    """Decorator: require a token of this scope for a view; `member()` returns its member.

    Answers in the language of `Accept-Language`, or else of the member. Counts the request against the member's limit;
    raises Denied and TooManyRequests.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def admitted(*args: Any, **values: Any) -> ResponseReturnValue:
            _admit(scope)
            answer: ResponseReturnValue = view(*args, **values)
            return answer

        return admitted  # type: ignore[return-value]

    return decorate


def member() -> Member:
    """The member for whom the program of this request acts."""
    current = visitor()
    assert current is not None, "only views below require_token know a member"
    return current


def token_id() -> int:
    """The number of the token that the program of this request sent."""
    number: int = g.token_id
    return number


def _admit(scope: ApiScope) -> None:
    program = _program()
    g.member, g.token_id = program.member, program.token_id
    locale.speak(request.accept_languages.best_match(list(LANGUAGES)) or program.member.language)
    _count(throttle.API_PLAY if scope == ApiScope.PLAY else throttle.API_READ)
    if scope == ApiScope.PLAY and program.scope != ApiScope.PLAY:
        raise Denied(403, "insufficient_scope", _(_READS_ONLY))
    if program.needs_note:
        runtime = current_runtime()
        with transaction(runtime.engine) as db:
            api_tokens.note_use(db, program.token_id, now=runtime.now())


def _program() -> Program:
    """The program of the request's token; raises Denied if the token is not valid.

    Invalid tokens count against the rate limit, so guessing raises TooManyRequests.
    """
    kind, _blank, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret.strip():
        throttle.hit(throttle.API_READ)
        raise Denied(401, "", _(_NO_TOKEN))
    with reading() as db:
        program = visitors.program(db, secret.strip(), now=current_runtime().now())
    if program is None or program.is_ended:
        throttle.hit(throttle.API_READ)
        raise Denied(401, "invalid_token", _(_ENDED if program else _NOT_KNOWN))
    return program


def _count(limit: RateLimit) -> None:
    limiter: RateLimiter = current_app.extensions["correspondence_rate_limiter"]
    allowance = limiter.take(limit, throttle.visitor(), current_runtime().now())
    g.allowance = (limit, allowance)
    if not allowance.is_allowed:
        raise TooManyRequests


def _tell_limit(response: Response) -> Response:
    """Add the remaining limit, as in draft-ietf-httpapi-ratelimit-headers-10."""
    applied: tuple[RateLimit, Allowance] | None = g.get("allowance")
    if applied is not None:
        limit, allowance = applied
        window = math.ceil(limit.burst * limit.seconds)
        response.headers["RateLimit-Policy"] = f'"{limit.name}";q={limit.burst};w={window}'
        response.headers["RateLimit"] = f'"{limit.name}";r={allowance.left};t={math.ceil(allowance.full_in)}'
    if response.status_code == 429 and request.path.startswith(API):
        response.headers["Retry-After"] = str(max(1, math.ceil(applied[1].next_in)) if applied else 60)
    return response


def _denied(error: Denied) -> ResponseReturnValue:
    title = _("Sign in first") if error.code == 401 else _("Not allowed")
    response, code = problem(error.code or 401, title, error.sentence)
    attribute = f', error="{error.kind}"' if error.kind else ""
    response.headers["WWW-Authenticate"] = f'Bearer realm="correspondence"{attribute}'
    return response, code


def _faulty(error: InputFault) -> ResponseReturnValue:
    more = {"field": error.field} if error.field else {}
    return problem(error.code, _("That could not be read"), str(error), **more)
