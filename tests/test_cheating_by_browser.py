"""What a cheat tries with a browser: forged forms, other hosts, kept pages, odd methods, long headers."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.core.db import reading, transaction
from correspondence.models import Letter
from correspondence.ops import worker
from correspondence.ops.sending_sweeps import sweep_letter_requests
from correspondence.outbound import compose
from tests.test_pages import rows_in
from tests.world import World

HANDLE_OR_NUMBER = re.compile(r"<(?:\w+:)?(\w+)>")


@pytest.fixture
def guarded(tmp_path):
    """A public site as it stands in the world, forms guarded, with two members and a game."""
    world = World(tmp_path, base_url="https://games.example")
    world.join("ann"), world.join("bob")
    world.match("duel")
    yield world
    world.close()


def signed_in(world, handle):
    """A browser with https, as that cookie goes nowhere else."""
    client = world.app.test_client()
    client.environ_base["wsgi.url_scheme"] = "https"
    with client.session_transaction(base_url="https://localhost") as cookie:
        cookie["key"], cookie.permanent = world.keys[handle], True
    return client


def get(client, path, **more):
    return client.get(path, base_url="https://localhost", **more)


def addresses(world, method):
    """An address for each page that takes this method, with something plausible in its blanks."""
    filled = {"number": "1", "match": "1", "ply": "0", "key": "duel", "handle": "bob", "token": "a" * 26}
    for rule in world.app.url_map.iter_rules():
        if method in rule.methods:
            yield rule.endpoint, HANDLE_OR_NUMBER.sub(lambda blank: filled.get(blank[1], "1"), rule.rule)


def test_the_cookie_goes_over_https_to_this_site_alone_and_no_script_reads_it(guarded):
    answer = get(signed_in(guarded, "ann"), "/games")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-session=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; ")) and "Domain" not in cookie


def test_no_cookie_is_set_on_what_others_may_be_handed(guarded):
    ann, public = signed_in(guarded, "ann"), 0
    for path in ("/static/style.css", "/rules/duel.svg", "/archive.atom", "/games/1/0.svg", "/games"):
        with get(ann, path) as answer:
            if "public" in answer.headers["Cache-Control"]:
                assert "Set-Cookie" not in answer.headers, path
                public += 1
    assert public >= 2


def test_pages_of_members_and_pages_of_links_are_kept_nowhere(guarded):
    ann, stranger = signed_in(guarded, "ann"), guarded.app.test_client()
    for path in ("/settings", "/games/1/mail", "/games/1/moves.json?ply=0", "/settings/mydata"):
        assert get(ann, path).headers["Cache-Control"] == "private, no-store", path
    stranger.post("/sign-in", data={"who": "ann"})
    for path in ("/t/" + "a" * 26, "/i/" + "a" * 26):
        assert stranger.get(path).headers["Cache-Control"] == "private, no-store"


def test_a_page_that_a_browser_may_keep_is_asked_about_each_time_and_gone_with_signing_out(guarded):
    ann = signed_in(guarded, "ann")
    kept = get(ann, "/games/1")
    assert kept.headers["Cache-Control"] == "private, no-cache" and "Cookie" in kept.headers["Vary"]
    left = ann.post("/sign-out", base_url="https://localhost")
    assert left.status_code == 303 and left.headers["Clear-Site-Data"] == '"cache"'
    tag = {"If-None-Match": kept.headers["ETag"]}
    assert ann.get("/games/1", base_url="https://localhost", headers=tag).status_code == 200


@pytest.mark.parametrize("forged", [
    {"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}, {"Forwarded": "host=evil.example;proto=http"},
    {"X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/evil.example"}, {"X-Original-URL": "//evil.example/"},
], ids=lambda one: next(iter(one)))  # fmt: skip
@pytest.mark.parametrize("proxies", [0, 1])
def test_no_header_gets_into_a_letter_or_a_link(tmp_path, forged, proxies):
    world = World(tmp_path, base_url="https://games.example", trusted_proxies=proxies)
    world.join("ann")
    client = world.app.test_client()
    client.post("/sign-in", data={"who": "ann"}, headers=forged)
    client.post("/join", data={"handle": "zoe", "mail": "zoe@example.org"}, headers=forged)
    sweep_letter_requests(world.runtime)
    with reading(world.runtime.engine) as session:
        sent = [compose.compose(letter, world.runtime.settings) for letter in session.exec(select(Letter))]
    assert len(sent) == 4 and all(b"evil" not in raw for raw in sent)
    for path in ("/", "/games", "/archive.atom", "/games/"):
        answer = client.get(path, headers=forged)
        assert "evil" not in answer.text and "evil" not in answer.headers.get("Location", "")
    world.close()


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_asking_for_headers_or_methods_tells_nothing_and_does_nothing(guarded, method):
    stranger, ann = guarded.app.test_client(), signed_in(guarded, "ann")
    worker.sweep_days(guarded.runtime)
    before = rows_in(guarded)
    for _endpoint, path in addresses(guarded, "GET"):
        for client in (stranger, ann):
            guarded.clock.now += guarded.clock.now.resolution * 3_000_000
            answer = client.open(path, method=method, base_url="https://localhost")
            assert not answer.data and (answer.status_code < 500 or path == "/health/ready"), path
    for _endpoint, path in addresses(guarded, "POST"):
        assert ann.open(path, method="OPTIONS", base_url="https://localhost").status_code in (200, 404)
    assert rows_in(guarded) == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW"])
def test_other_methods_are_refused_in_a_sentence(guarded, method):
    answer = signed_in(guarded, "ann").open("/games/1/move", method=method, base_url="https://localhost")
    assert answer.status_code in (400, 405) and "<h1>" in answer.text


ODD_VALUES = {"long": "x" * 60_000, "dots": "session=" + "." * 8_000, "odd": "é;q=\x7f,,;" * 500}


@pytest.mark.parametrize("name", ["Cookie", "User-Agent", "Accept-Language", "X-Forwarded-For", "If-None-Match"])
@pytest.mark.parametrize("value", ODD_VALUES.values(), ids=ODD_VALUES)
def test_headers_may_be_long_and_odd(guarded, name, value):
    for path in ("/", "/games", "/games/1/ply.json"):
        assert guarded.app.test_client().get(path, headers={name: value.encode().decode("latin-1")}).status_code < 500


@pytest.mark.parametrize("key", [1, None, ["x"], {"a": 1}, True, "", "x" * 3000, "\u0000"])
def test_a_cookie_with_anything_for_a_key_signs_nobody_in(world, key):
    world.join("ann")
    client = world.client()
    with client.session_transaction() as cookie:
        cookie["key"], cookie["person"], cookie["number"] = key, 1, 0
    assert client.get("/games").location == "/sign-in"
    assert client.post("/sign-out").status_code == 303


def test_a_cookie_signed_with_another_key_signs_nobody_in(world, tmp_path_factory):
    world.join("ann")
    other = World(tmp_path_factory.mktemp("other"), secret_key="a key of another installation")
    other.keys["ann"] = world.keys["ann"]
    client = other.app.test_client()
    with client.session_transaction() as cookie:
        cookie["key"] = world.keys["ann"]
    thief = world.client()
    thief.set_cookie("session", client.get_cookie("session").value)
    assert thief.get("/games").location == "/sign-in"
    other.close()


def test_a_sign_in_link_is_made_for_one_person_even_when_asked_for_by_anothers_handle(world):
    world.join("ann"), world.join("bob")
    with transaction(world.runtime.engine) as session:
        accounts.ask_to_sign_in(session, "bob@example.org\nann@example.org", now=world.clock())
        accounts.ask_to_sign_in(session, "@ann", now=world.clock())
    sweep_letter_requests(world.runtime)
    with reading(world.runtime.engine) as session:
        written = session.exec(select(Letter.recipient).where(Letter.kind == "sign_in")).all()
    assert written == ["ann@example.org"]
