"""The OpenAPI description of the API, generated from the declarations of its calls.

`spectree` generates the document and its schemas, on the first request, because no other call needs
them.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache, wraps
from importlib.metadata import version
from typing import Any

from flask import Flask, Response, request
from flask.typing import ResponseReturnValue

from correspondence.api.calls import Call, ResponseBody, call, every_call, feature_of, group_of
from correspondence.web import throttle
from correspondence.web.current import current_runtime

_INTRODUCTION = (
    "Programs can do everything that a member can do on pages and by mail. Send `Authorization: Bearer` with a token from "
    "your settings. Errors are problem details (RFC 9457) whose `detail` is a sentence in the member's language, "
    "or in that of `Accept-Language`. The headers `RateLimit` and `RateLimit-Policy` give the remaining limit."
)

_REFUSALS = {
    304: "Not changed since the ETag in If-None-Match",
    400: "The request cannot be parsed",
    401: "The token is missing or not valid",
    403: "The token's scope does not allow this, or it concerns somebody else",
    404: "It does not exist, or the member may not see it",
    405: "The method is not allowed",
    409: "The game has moved on, or it is not the member's turn",
    413: "The request is too long",
    415: "The content type must be JSON",
    422: "Refused; `detail` gives the reason",
    429: "Too many requests; Retry-After says when to try again",
    503: "The database is not available",
}


class Problem(ResponseBody):
    """An error (RFC 9457).

    `field` names the invalid field of the input. `kind` and `suggestions` are about refused moves.
    """

    title: str
    status: int
    detail: str
    field: str | None = None
    kind: str | None = None
    suggestions: list[str] | None = None


@call("GET", "/openapi.json", topic="description", scope=None)
def openapi() -> ResponseReturnValue:
    """Return this OpenAPI description, for generators of clients and tests."""
    throttle.hit(throttle.READ)
    settings = current_runtime().settings
    response = Response(_document(settings.base_url, settings.features_off), mimetype="application/json")
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.add_etag()
    return response.make_conditional(request)


@cache
def _document(base_url: str, off: frozenset[str]) -> str:
    return json.dumps(description(base_url, off=off), ensure_ascii=False)


def description(base_url: str, *, off: Collection[str] = ()) -> dict[str, Any]:
    """Make the OpenAPI document for an installation at this URL; features that are `off` have no calls."""
    from spectree import SecurityScheme, SpecTree  # needed only here
    from spectree.models import SecureType, SecuritySchemeData, Server

    stage = Flask("description")  # a separate application, in which spectree finds the routes
    spec = SpecTree(
        "flask", title="Correspondence", version=version("correspondence"), description=_INTRODUCTION, mode="strict",
        annotations=False, naming_strategy=lambda model: model.__name__, nested_naming_strategy=lambda _model, name: name,
        validation_error_model=Problem, servers=[Server(url=base_url)],
        security_schemes=[SecurityScheme(name="token", data=SecuritySchemeData(type=SecureType.HTTP, scheme="bearer"))],
    )  # fmt: skip
    calls = [one for one in every_call() if feature_of(one.view) not in off]
    for one in calls:
        path = one.path.replace("<number:", "<int(min=0,max=2147483647):")
        stage.add_url_rule(path, name_of(one), _described(spec, one), methods=[one.method])
    with stage.app_context():
        document: dict[str, Any] = spec.spec
    for one in calls:
        _complete(document["paths"][_described_path(one)][one.method.lower()], one)
    return document


def _described(spec: Any, one: Call) -> Any:
    from spectree import Response as Answers

    @wraps(one.view)
    def view() -> None:
        """Stand-in for the view, whose docstring is copied."""

    codes: dict[str, Any] = {f"HTTP_{code}": (Problem, _REFUSALS[code]) for code in _codes(one)}
    codes[f"HTTP_{one.status}"] = one.answers
    security = {"token": []} if one.scope is not None else []
    return spec.validate(
        query=one.asks, json=one.takes, resp=Answers(**codes), tags=(one.topic,), security=security,
        operation_id=name_of(one), skip_validation=True, validation_error_status=422,
    )(view)  # fmt: skip


def _codes(one: Call) -> list[int]:
    """The HTTP error codes that a call can return."""
    codes = [400, 404, 405, 413, 422, 429, 503]
    codes += [401, 403, 409] if one.scope is not None else []
    return sorted(codes + ([415] if one.takes is not None else []))


def _complete(operation: dict[str, Any], one: Call) -> None:
    """Complete what spectree omits: media types, optional bodies, and token scopes."""
    for code, answer in operation["responses"].items():
        if int(code) >= 400 and "content" in answer:
            answer["content"] = {"application/problem+json": answer["content"].pop("application/json")}
    if one.answers is not None and one.media != "application/json":
        operation["responses"][str(one.status)]["content"][one.media] = {"schema": {"type": "string"}}
    if one.answers is None:
        kind = "string" if one.media.startswith("text/") else "object"
        operation["responses"][str(one.status)]["content"] = {one.media: {"schema": {"type": kind}}}
    if one.method == "GET" and one.media == "application/json":
        operation["responses"]["304"] = {"description": _REFUSALS[304]}
    if one.may_be_empty:
        operation["requestBody"]["required"] = False
    if one.scope is not None:
        operation["x-scope"] = one.scope.value


def name_of(one: Call) -> str:
    """The operation id of a call, which names it in generated clients."""
    return f"{group_of(one.view)}_{one.view.__name__}"


def _described_path(one: Call) -> str:
    return one.path.replace("<number:", "<").replace("<", "{").replace(">", "}")
