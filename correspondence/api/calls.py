"""The declaration of a call: URL, access, input, answer and description in one place.

A view below `call` gets validated values and returns a value that is written as JSON. Invalid input is answered by a
sentence that names the field (RFC 9457).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from flask import Blueprint, current_app, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ConfigDict, ValidationError
from werkzeug.exceptions import NotFound, RequestEntityTooLarge, UnsupportedMediaType

from correspondence.api.access import require_token
from correspondence.api.faults import InputFault, fault_of
from correspondence.models import ApiScope
from correspondence.web.current import current_runtime
from engines.wording import _

bp = Blueprint("api", __name__, url_prefix="/api/v1")

LONGEST_BODY = 64 << 10
"""Maximum size of a request body, in bytes."""

View = TypeVar("View", bound=Callable[..., Any])


class Input(BaseModel):
    """The body of a call: unknown fields are refused, and types are strict."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Query(BaseModel):
    """The query string of a call, in which everything is text."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class ResponseBody(BaseModel):
    """The answer of a call."""

    model_config = ConfigDict(defer_build=True)


@dataclass(frozen=True, slots=True)
class Call:
    """A declared call.

    `media` is the type of an answer that is not JSON; `status` is the code of success.
    """

    method: str
    path: str
    view: Callable[..., Any]
    topic: str
    scope: ApiScope | None
    takes: type[Input] | None
    may_be_empty: bool
    asks: type[Query] | None
    answers: type[ResponseBody] | None
    media: str
    status: int


_TOPICS = (
    "members", "games", "conditional moves", "seeks and challenges", "puzzles", "archive", "events", "description",
)  # fmt: skip
"""The topics of calls, in the order of the description."""

_CALLS: list[Call] = []


def every_call() -> tuple[Call, ...]:
    """Return all calls by topic and path."""
    return tuple(sorted(_CALLS, key=lambda one: (_TOPICS.index(one.topic), one.path, one.method)))


def call(
    method: str,
    rule: str,
    *,
    topic: str,
    scope: ApiScope | None = ApiScope.READ,
    takes: type[Input] | None = None,
    may_be_empty: bool = False,
    asks: type[Query] | None = None,
    answers: type[ResponseBody] | None = None,
    media: str = "application/json",
    status: int = 200,
) -> Callable[[View], View]:
    """Decorator: route this method and rule, below `/api/v1`, to a view.

    With `scope=None` no token is needed.

    The view gets the variable parts of its URL by name, `body` as an instance of `takes`, and `query` as an instance
    of `asks`. With `may_be_empty` an empty body stands for default values.

    The view returns an instance of `answers`, or a Flask response of the type `media`.

    The view's docstring is its description in OpenAPI: a summary line, then details.
    """

    def declare(view: View) -> View:
        @wraps(view)
        def answered(**values: Any) -> ResponseReturnValue:
            request.max_content_length = LONGEST_BODY
            if asks is not None:
                values["query"] = _query(asks)
            if takes is not None:
                values["body"] = takes() if may_be_empty and not request.get_data() else _body(takes)
            answer = view(**values)
            return _json(answer, status) if isinstance(answer, BaseModel) else answer

        admitted: Callable[..., ResponseReturnValue] = require_token(scope)(answered) if scope is not None else answered
        if feature := feature_of(view):
            admitted = _only_with(feature, admitted)
        endpoint = f"{method}_{group_of(view)}_{view.__name__}".lower()
        bp.add_url_rule(rule, endpoint, admitted, methods=[method])
        path = f"{bp.url_prefix}{rule}"
        _CALLS.append(Call(method, path, view, topic, scope, takes, may_be_empty, asks, answers, media, status))
        return admitted  # type: ignore[return-value]

    return declare


def feature_of(view: Callable[..., Any]) -> str:
    """Return the feature whose folder contains a view; empty for the core."""
    _root, folder, *rest = view.__module__.split(".")
    return rest[0] if folder == "features" else ""


def group_of(view: Callable[..., Any]) -> str:
    """Return the first part of a call's operation id: its module, or its feature."""
    return feature_of(view) or view.__module__.rpartition(".")[2]


def _only_with(feature: str, view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Answer 404 if the feature is switched off."""

    @wraps(view)
    def answered(**values: Any) -> ResponseReturnValue:
        if not current_runtime().settings.has_feature(feature):
            raise NotFound
        return view(**values)

    return answered


def _query(asks: type[Query]) -> Query:
    try:
        return asks.model_validate(request.args.to_dict())
    except ValidationError as error:
        raise fault_of(error, asks) from error


def _body(takes: type[Input]) -> Input:
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    if (request.content_length or 0) > LONGEST_BODY:
        raise RequestEntityTooLarge
    raw = request.get_data()
    try:
        given = takes.model_validate_json(raw)
    except ValidationError as error:
        raise fault_of(error, takes) from error
    json.loads(raw, object_pairs_hook=_without_repeats, parse_int=str, parse_float=str)
    return given


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object; raise InputFault if a name occurs twice, because that is ambiguous."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _value in pairs]
        field = next(name for name in members if names.count(name) > 1)
        raise InputFault(422, _("“{field}” is given twice.").format(field=field), field)
    return members


def _json(answer: BaseModel, status: int) -> ResponseReturnValue:
    """Return the answer with an ETag, so that polling clients get 304 if nothing changed."""
    response = current_app.response_class(answer.model_dump_json(), status, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-cache"
    if request.method in ("GET", "HEAD"):
        response.add_etag()
        return response.make_conditional(request)
    return response
