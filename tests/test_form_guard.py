"""Requests that other pages forge are refused, and so are forms of a page that was loaded for somebody else."""

from __future__ import annotations

import re

import pytest

from correspondence.accounts import web_sessions
from correspondence.core.db import transaction
from tests.attacks import reach
from tests.browser.places import Places
from tests.operators import appoint
from tests.test_pages import rows_in
from tests.world import World

HERE = "https://games.example"
NOTE = "/settings/sessions/here"
"""Notes that a browser is in use, and asks for no field."""

ONE_CLICK = "/u/1"
"""Where mail programs unsubscribe, who send no header that a browser sends."""

OURS = {"Sec-Fetch-Site": "same-origin"}

SENT_BY_US = [
    OURS,
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    {"Origin": HERE},
    {"Origin": HERE, "Referer": "https://evil.example/"},
    {"Referer": f"{HERE}/games/1"},
    {"Referer": f"{HERE}/"},
]
"""The most telling header alone counts."""

FORGED = [
    {},
    *({"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "", "Same-Origin", "same-origin, none", "x")),
    {"Sec-Fetch-Site": "cross-site", "Origin": HERE, "Referer": f"{HERE}/"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-User": "?1"},
    *(
        {"Origin": origin}
        for origin in (
            "null", "", "http://games.example", "https://games.example:8443", "https://blog.games.example",
            "https://games.example.evil.example", "https://games.example@evil.example", "games.example", "https://localhost",
        )
    ),
    {"Origin": "null", "Referer": f"{HERE}/games"},
    {"Origin": "https://evil.example", "Referer": f"{HERE}/games"},
    *(
        {"Referer": address}
        for address in (
            HERE, f"{HERE}.evil.example/", f"{HERE}@evil.example/", "http://games.example/", f"https://evil.example/?{HERE}/",
            "about:blank",
        )
    ),
    {"Host": "evil.example", "Origin": "https://evil.example"},
    {"X-Forwarded-Host": "evil.example", "Origin": "https://evil.example"},
    {"X-HTTP-Method-Override": "GET"},
    {"Content-Type": "text/plain"},
    {"Access-Control-Request-Method": "POST", "Origin": "https://evil.example"},
]  # fmt: skip


FORM = re.compile(r'<form\b[^>]*method="post".*?</form>', re.DOTALL)


@pytest.fixture
def guarded(tmp_path):
    """A public site with two members, one of them an operator, and a game."""
    world = World(tmp_path, base_url=HERE)
    world.join("ann", "bob")
    appoint(world, "ann")
    world.match("duel")
    yield world
    world.close()


def browser(world, handle):
    """A browser that says nothing of where its requests come from."""
    client = world.client()
    client.environ_base.pop("HTTP_SEC_FETCH_SITE")
    client.environ_base["wsgi.url_scheme"] = "https"
    with client.session_transaction(base_url="https://localhost") as cookie:
        cookie["key"] = world.keys[handle]
    return client


def post(client, path, headers, **data):
    return client.post(path, data=data, headers=headers, base_url="https://localhost")


@pytest.mark.parametrize("headers", SENT_BY_US, ids=str)
def test_a_form_of_our_own_pages_is_obeyed(guarded, headers):
    assert post(browser(guarded, "ann"), NOTE, headers).status_code == 204


@pytest.mark.parametrize("headers", FORGED, ids=str)
def test_a_form_from_anywhere_else_is_refused_with_what_was_typed(guarded, headers):
    before, answer = rows_in(guarded), post(browser(guarded, "ann"), "/games/1/say", headers, text="long thoughts")
    assert answer.status_code == 403
    assert "nothing was done" in answer.text
    assert HERE in answer.text
    assert rows_in(guarded) == before
    assert "long thoughts" in answer.text or "Content-Type" in headers  # plain text has no fields


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:5000", "http://Club.example:80", "https://club.example:443/pages/"]
)
def test_our_origin_is_that_of_the_base_url_as_browsers_write_it(tmp_path, base_url):
    world = World(tmp_path, base_url=base_url)
    origin = {"h": "http://127.0.0.1:5000", "C": "http://club.example", "c": "https://club.example"}
    ours = origin["h" if "127" in base_url else base_url.partition("//")[2][0]]
    for sender in set(origin.values()) | {base_url + "1"}:
        answer = browser_of_a_guest(world).post("/sign-in", data={"who": "ann"}, headers={"Origin": sender})
        assert answer.status_code == (200 if sender == ours else 403), sender
    world.close()


def browser_of_a_guest(world):
    client = world.client()
    client.environ_base.pop("HTTP_SEC_FETCH_SITE")
    return client


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}], ids=str)
def test_no_address_obeys_a_forged_request_but_the_one_of_mail_programs(guarded, headers):
    ann, before, refused = browser(guarded, "ann"), rows_in(guarded), []
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in reach.addresses(guarded, method):
            answer = ann.open(path, method=method, headers=headers, base_url="https://localhost")
            if path.startswith("/api/"):
                assert answer.status_code == 401, path  # no cookie counts there
            elif path != ONE_CLICK or method != "POST":
                assert answer.status_code == 403, path
                refused.append(path)
    assert ONE_CLICK not in refused
    assert len(refused) > 100
    assert rows_in(guarded) == before


def test_a_form_that_is_too_long_is_refused_as_such_wherever_it_comes_from(guarded):
    for headers in (OURS, {}):
        assert post(browser(guarded, "ann"), "/games/1/say", headers, text="x" * (1 << 20)).status_code == 413


# -- for whom a page was loaded ---------------------------------------------------------------


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("places"))
    yield Places(world)
    world.close()


@pytest.mark.parametrize("who", ["ann", ""], ids=["a member", "a visitor"])
def test_every_form_says_once_for_whom_its_page_was_loaded(places, who):
    client, seen = places.world.client(who), 0
    for path in places.paths():
        places.world.clock.go(minutes=1)
        for form in FORM.findall(client.get(path).text):
            if 'action="/u/' not in form:  # stops the letters of its link, whoever sends it
                assert re.findall(r'name="for-member" value="([^"]*)"', form) == [who], (path, form)
                seen += 1
    assert seen > (300 if who else 30)


TYPED = {
    "move": {"move": "5@b3", "ply": "0", "comment": "long thoughts"}, "say": {"text": "long thoughts"},
    "plan": {"lines": "long thoughts", "ply": "0"}, "resign": {"confirmed": "1"},
}  # fmt: skip


@pytest.mark.parametrize("act", TYPED)
@pytest.mark.parametrize("loaded_for", ["ann", ""], ids=["ann", "a visitor"])
def test_a_form_of_an_old_tab_does_nothing_for_who_has_signed_in_since(guarded, act, loaded_for):
    before = rows_in(guarded)
    answer = post(browser(guarded, "bob"), f"/games/1/{act}", OURS, **TYPED[act], **{"for-member": loaded_for})
    assert answer.status_code == 409 and "bob has signed in with this browser" in answer.text
    assert act == "resign" or "long thoughts" in answer.text
    assert rows_in(guarded) == before


def test_a_form_of_an_old_tab_is_kept_for_who_has_signed_out_since(guarded):
    guest = guarded.client()
    answer = post(guest, "/games/1/say", OURS, text="long thoughts", **{"for-member": "ann"})
    assert answer.status_code == 403
    assert "Please sign in" in answer.text
    assert "long thoughts" in answer.text


def test_a_form_is_obeyed_when_the_same_member_has_signed_in_once_more(guarded):
    with transaction(guarded.engine) as session:
        guarded.keys["ann"] = web_sessions.begin(session, guarded.person(session, "ann"), now=guarded.time)
    answer = post(browser(guarded, "ann"), "/games/1/say", OURS, text="hello", **{"for-member": "ann"})
    assert answer.status_code == 303
