"""Views that are loaded with their first request, so that a process holds the pages it is asked for and no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue, RouteCallable


class LazyView:
    """Stands for the view of this name in this module, which is loaded when it is first called.

    Threads that call at once wait for the one that loads it.
    """

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__name__ = module, name

    @cached_property
    def view(self) -> RouteCallable:
        """The view itself."""
        found: RouteCallable = getattr(import_module(self.__module__), self.__name__)
        return found

    def __call__(self, **values: Any) -> ResponseReturnValue:
        """Answer the request as the view does."""
        answer: ResponseReturnValue = self.view(**values)  # type: ignore[assignment]
        return answer


def split(routes: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The method, the rule and the name of the view of each of these routes, such as `"GET /seeks": "listed"`."""
    for address, view in routes.items():
        method, rule = address.split()
        yield method, rule, view


def blueprint_of(module: str, routes: Mapping[str, str], headers: Mapping[str, str]) -> Blueprint:
    """A blueprint of these routes, named after the module of their views; its answers have these headers."""
    pages = Blueprint(module.rpartition(".")[2], __name__)
    views = {name: LazyView(module, name) for name in routes.values()}
    for method, rule, name in split(routes):
        pages.add_url_rule(rule, name, views[name], methods=[method])

    def with_headers(response: Response) -> Response:
        response.headers.update(headers)
        return response

    if headers:
        pages.after_request(with_headers)
    return pages
