"""The description of the interface is true: what it says is there, what is there it says, and machines find no lie in it."""

from __future__ import annotations

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema_rs import validator_for
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from correspondence.api.calls import every_call
from correspondence.api.describe import name_of
from tests.attacks.reach import unthrottled
from tests.programs import Program, bearer
from tests.sizes import examples
from tests.world import World

load_all_checks()

EXAMPLES = examples(30)
"""How many inputs each call is tried with."""


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    world = unthrottled(World(tmp_path_factory.mktemp("club")))
    world.join("ann", "bob")
    for _game in range(2):
        world.match("duel")
    world.play(1, "ann", "3@a1")
    world.resign(2, "bob")
    yield world
    world.close()


@pytest.fixture(scope="module")
def document(club):
    return club.app.test_client().get("/api/v1/openapi.json").json


def routes(app):
    """The routes of the interface as a description writes them, each with its method."""
    for rule in app.url_map.iter_rules():
        if str(rule).startswith("/api/"):
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule))
            yield from ((path, method.lower()) for method in rule.methods - {"HEAD", "OPTIONS"})


def test_every_route_is_described_and_every_description_has_a_route(club, document):
    described = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert described == set(routes(club.app))


def test_every_call_has_a_name_of_its_own_words_and_answers(document):
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) == len(every_call())
    for one in operations:
        assert one["summary"].endswith(".") and one["tags"] and "429" in one["responses"], one["operationId"]


def test_components_have_plain_names_and_explain_themselves(document):
    for name, schema in document["components"]["schemas"].items():
        assert re.fullmatch(r"[A-Z]\w+", name) and schema.get("description"), name


def test_every_reference_in_the_description_leads_somewhere(document):
    names = re.findall(r"#/components/schemas/(\w+)", str(document))
    assert names and set(names) <= set(document["components"]["schemas"])


def test_the_description_is_fetched_without_a_token_and_kept(club):
    client = club.app.test_client()
    first = client.get("/api/v1/openapi.json")
    assert first.json["openapi"].startswith("3.1") and first.json["servers"] == [{"url": "http://127.0.0.1:5000"}]
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert first.mimetype == "application/json" and again.status_code == 304


def test_a_game_is_answered_just_as_it_is_described(club, document):
    schema = {"$ref": "#/components/schemas/Game", "components": document["components"]}
    for number in (1, 2):
        assert validator_for(schema).is_valid(Program(club, "ann").get(f"/games/{number}").json)


def test_every_scope_is_described(document):
    operations = {one["operationId"]: one for methods in document["paths"].values() for one in methods.values()}
    assert operations["games_move"]["x-scope"] == "play" and operations["games_preview"]["x-scope"] == "read"
    assert operations["describe_openapi"]["security"] == []


@pytest.fixture(scope="module")
def operations(club):
    """Every call as schemathesis knows it, by its name."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", club.app)
    found = [one.ok() for one in schema.get_all_operations()]
    return {one.definition.raw["operationId"]: one for one in found}


CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    ignored_auth, unsupported_method,
)  # fmt: skip


WAITS = "events_listen"
"""What may wait for seconds has tests of its own (test_listening_programs.py)."""

TRIED = pytest.mark.parametrize(
    "name", [n for one in every_call() if one.scope is not None and (n := name_of(one)) != WAITS]
)
BOUNDED = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@TRIED
def test_whatever_is_asked_of_a_game_is_answered_as_described(club, operations, name):
    number, headers = club.match("duel"), bearer(club, "ann")

    @BOUNDED
    @given(case=operations[name].as_strategy(GenerationMode.POSITIVE))
    def try_case(case):
        if "number" in case.path_parameters:
            case.path_parameters["number"] = number
        case.call_and_validate(headers=headers, checks=CHECKS)

    try_case()
    if club.stand(number).ended_at is None:
        club.resign(number, "ann")


@TRIED
def test_what_a_description_forbids_is_refused_as_described(club, operations, name):
    operation, headers = operations[name], bearer(club, "ann")
    if not (operation.body or operation.query or operation.path_parameters):
        return  # it takes nothing that could be wrong

    @BOUNDED
    @given(case=operation.as_strategy(GenerationMode.NEGATIVE))
    def try_case(case):
        case.call_and_validate(headers=headers, checks=CHECKS)

    try_case()
