"""Every address has a view, which is loaded with the first request for it."""

from __future__ import annotations

from importlib import import_module
from inspect import getdoc
from types import FunctionType

import pytest
from werkzeug.exceptions import NotFound

from correspondence import api, web
from correspondence.api.calls import every_call
from correspondence.api.routes import ROUTES as CALLS
from correspondence.web.lazy_views import LazyView, split
from correspondence.web.routes import HEADERS
from correspondence.web.routes import ROUTES as PAGES
from tests.test_start import started

NAMED = [
    (package.__name__, module, view)
    for package, table in ((web, PAGES), (api, CALLS))
    for module, routes in table.items()
    for _method, _rule, view in split(routes)
]
LOADED = "import sys, app; print(*(name for name in sys.modules if name in sys.argv[1:]))"


@pytest.mark.parametrize(("package", "module", "view"), NAMED)
def test_a_route_names_a_view_of_its_module_which_says_what_it_shows(package, module, view):
    found = getattr(import_module(f"{package}.{module}"), view)
    assert isinstance(found, FunctionType) and getdoc(found)


def test_no_address_stands_in_the_tables_twice():
    addresses = [address for table in (PAGES, CALLS) for routes in table.values() for address in routes]
    assert len(set(addresses)) == len(addresses)


def test_every_call_of_the_interface_was_declared_with_what_a_token_must_allow():
    declared = [(one.method, one.path, one.view.__name__) for one in every_call()]
    assert declared == [row for routes in CALLS.values() for row in split(routes)]


def test_a_module_with_headers_of_its_own_has_routes():
    assert set(HEADERS) <= set(PAGES)


def test_a_start_loads_no_page_and_no_call_but_what_every_request_needs(tmp_path):
    modules = {f"{package}.{module}" for package, module, _view in NAMED}
    loaded = set(started(tmp_path, LOADED, *modules).split())
    assert loaded == {"correspondence.web.previews", "correspondence.web.service_state"}


def test_a_lazy_view_answers_as_the_view_does():
    view = LazyView("tests.test_routes", "greet")
    assert (view.__module__, view.__name__) == ("tests.test_routes", "greet")
    assert view(name="Ann") == "Good day, Ann."
    with pytest.raises(NotFound):
        LazyView("tests.test_routes", "refuse")()


def greet(name):
    """A view."""
    return f"Good day, {name}."


def refuse():
    """A view of what is not there."""
    raise NotFound
