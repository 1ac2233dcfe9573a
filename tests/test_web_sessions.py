"""Signing in and out: one row for each browser, ended here and not only there; a link signs in once."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from correspondence.accounts import accounts, joining, web_sessions
from correspondence.community import erasure
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import read, spell
from correspondence.models import WebSession
from correspondence.ops.worker import sweep_web_sessions
from correspondence.web.session import LONGEST_NEXT_PAGE
from tests.post import at_once
from tests.world import KEY

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Mobile/15E148 Safari/604.1")  # fmt: skip


@pytest.fixture
def club(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.keys.clear()
    with transaction(world.runtime.engine) as session:
        for person in session.exec(select(accounts.Person)):
            web_sessions.end_all(session, person.id)
    return world


def sign_in(world, handle, agent=FIREFOX, client=None):
    """A browser that has followed a sign-in link."""
    client = client or world.client()
    client.post("/sign-in", data={"who": handle})
    link = world.link_in("sign_in")
    assert client.post(link, headers={"User-Agent": agent}).status_code == 303
    return client


def cookie_of(client):
    return client.get_cookie("session").value


def with_cookie(world, value):
    copy = world.client()
    copy.set_cookie("session", value)
    return copy


def is_in(client):
    return client.get("/settings").status_code == 200


def sessions(world):
    with reading(world.runtime.engine) as session:
        return list(session.exec(select(WebSession).order_by(col(WebSession.id))))


def listed(client):
    """What the list of browsers says, and the way to sign each out."""
    page = client.get("/settings").text
    (part,) = re.findall(r'<ul class="people sessions">(.*?)</ul>', page, re.S)
    rows = re.findall(r"<li><span>(.*?)</span>.*?action=\"(.*?)\"", part, re.S)
    return [(re.sub(r"<.*?>", "", text), action) for text, action in rows]


@pytest.mark.parametrize("way", ["/sign-out", "/settings/sign-out", "this one", "/settings/mydata/forget"])
def test_a_copied_cookie_is_dead_once_its_owner_has_signed_out(club, way):
    ann = sign_in(club, "ann")
    copy = with_cookie(club, cookie_of(ann))
    assert is_in(copy)
    ann.post(listed(ann)[0][1] if way == "this one" else way, data={"confirmed": "yes"})
    assert not is_in(ann) and not is_in(copy)
    assert copy.post("/settings", data={"language": "it", "zone": "UTC"}).status_code == 403


def test_signing_out_ends_one_browser_and_no_other(club):
    desk, phone = sign_in(club, "ann"), sign_in(club, "ann", SAFARI)
    desk.post("/sign-out")
    assert not is_in(desk) and is_in(phone)


def test_the_list_names_each_browser_and_when_it_was_used_last(club):
    sign_in(club, "ann", SAFARI)
    club.clock.go(days=1)
    desk = sign_in(club, "ann")
    assert [label for label, _action in listed(desk)] == [
        "Firefox on Linux, last used today, this one", "Mobile Safari on iOS, last used yesterday",
    ]  # fmt: skip
    club.clock.go(days=9)
    desk.post("/settings/sessions/here")
    labels = [label for label, _action in listed(desk)]
    assert labels[0].endswith("last used today, this one") and labels[1].endswith("last used 21 Nov 2026")


def test_another_browser_is_signed_out_from_the_list_but_never_anothers(club):
    phone, desk, bob = sign_in(club, "ann", SAFARI), sign_in(club, "ann"), sign_in(club, "bob")
    _this, (_said, action) = listed(desk)
    bob.post(action)
    assert is_in(phone)
    assert "signed out" in desk.post(action, follow_redirects=True).text
    assert not is_in(phone)
    assert is_in(desk)
    assert len(listed(desk)) == 1


@pytest.mark.parametrize("agent", ["", "x" * 60_000, "<script>alert(1)</script>", "a(;" * 20_000])
def test_a_browser_may_call_itself_anything(club, agent):
    label = listed(sign_in(club, "ann", agent))[0][0]
    assert label == "A browser without a name, last used today, this one"


def test_the_joining_link_signs_in_once(world):
    first = world.client()
    first.post("/join", data={"handle": "ann", "mail": "ann@example.org"})
    link = world.link_in("join")
    assert first.post(link).status_code == 303
    again = world.client()
    assert again.get(link).status_code == again.post(link).status_code == 404
    assert is_in(first)
    assert not is_in(again)
    assert len(sessions(world)) == 1


def test_a_joining_link_whose_letter_was_answered_signs_nobody_in(world):
    world.client().post("/join", data={"handle": "ann", "mail": "ann@example.org"})
    link = world.link_in("join")
    with transaction(world.runtime.engine) as session:
        number = read(KEY, link.rpartition("/")[2])
        joining.confirm_join(session, number, now=world.clock())
    assert world.client().post(link).status_code == 404 and sessions(world) == []


@pytest.mark.parametrize("kind", ["join", "sign_in", "export"])
def test_of_two_who_follow_a_link_at_once_one_gets_in(club, kind):
    forms = {"join": ("/join", {"handle": "cleo", "mail": "cleo@example.org"}), "sign_in": ("/sign-in", {"who": "ann"})}
    if kind in forms:
        path, data = forms[kind]
        club.client().post(path, data=data)
    else:
        with transaction(club.runtime.engine) as session:
            erasure.send_export_link(session, accounts.person_by_handle(session, "ann"), now=club.clock())
    link = club.link_in(kind)
    clients = [club.app.test_client() for _one in range(4)]
    codes = sorted(at_once(*(lambda client=client: client.post(link).status_code for client in clients)))
    assert codes[0] in (200, 303) and not {200, 303} & set(codes[1:]), codes
    assert len(sessions(club)) == (0 if kind == "export" else 1)


def test_signing_in_makes_a_new_key_and_ends_the_old_one(club):
    browser = sign_in(club, "ann")
    planted = cookie_of(browser)
    sign_in(club, "bob", client=browser)
    assert 'href="/players/bob"' in browser.get("/settings").text
    assert not is_in(with_cookie(club, planted)) and len(sessions(club)) == 1


def test_a_planted_cookie_is_not_signed_in_by_its_victim(club):
    attacker = club.client()
    attacker.get("/sign-in")
    attacker.get("/games")  # a page for members, so that a cookie is set
    planted = cookie_of(attacker)
    victim = sign_in(club, "ann", client=with_cookie(club, planted))
    assert is_in(victim)
    assert cookie_of(victim) != planted
    assert not is_in(with_cookie(club, planted))


def test_an_erased_member_is_signed_in_nowhere(club):
    desk, phone = sign_in(club, "ann"), sign_in(club, "ann", SAFARI)
    with transaction(club.runtime.engine) as session:
        erasure.forget(session, accounts.person_by_handle(session, "ann"), now=club.clock())
    assert not is_in(desk)
    assert not is_in(phone)
    assert sessions(club) == []


def test_signing_out_everywhere_also_closes_links_that_were_not_used(club):
    desk = sign_in(club, "ann")
    club.client().post("/sign-in", data={"who": "ann"})
    link = club.link_in("sign_in")
    desk.post("/settings/sign-out")
    assert club.client().post(link).status_code == 404


def test_a_browser_that_is_not_used_for_three_months_is_signed_out_and_its_row_goes(club):
    used, idle = sign_in(club, "ann"), sign_in(club, "ann", SAFARI)
    club.clock.go(days=89)
    used.post("/settings/sessions/here")
    club.clock.go(days=2)
    assert is_in(used) and not is_in(idle)
    assert sweep_web_sessions(club.runtime) == 1 and len(sessions(club)) == 1


def test_use_is_noted_by_posts_an_hour_apart_and_never_by_looking(club):
    ann, begun = sign_in(club, "ann"), club.clock()

    def seen():
        return sessions(club)[0].seen_at

    club.clock.go(minutes=59)
    ann.post("/settings/sessions/here")
    assert seen() == begun and "here.js" not in ann.get("/settings").text
    club.clock.go(minutes=2)
    assert "here.js" in ann.get("/settings").text and seen() == begun
    assert ann.post("/settings/sessions/here").status_code == 204
    assert seen() == begun + timedelta(minutes=61) and "here.js" not in ann.get("/settings").text


def test_a_forged_form_is_no_use_of_a_browser(club):
    ann, begun = sign_in(club, "ann"), club.clock()
    club.clock.go(hours=3)
    assert ann.post("/settings/sessions/here", headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
    assert sessions(club)[0].seen_at == begun


def test_the_database_holds_no_key_and_no_address(club):
    ann = sign_in(club, "ann")
    with ann.session_transaction() as cookie:
        key = cookie["key"]
    row = sessions(club)[0].model_dump()
    assert len(key) >= 32
    assert key not in str(row)
    assert "127.0.0.1" not in str(row)
    assert set(row) == {"id", "person_id", "digest", "browser", "system", "created_at", "seen_at"}


def test_being_signed_in_costs_a_page_two_questions(club):
    ann, statements = sign_in(club, "ann"), []
    note = lambda _c, _x, statement, *_more: statements.append(statement)  # noqa: E731
    listen = (club.runtime.engine, "before_cursor_execute", note)

    def questions(client):
        statements.clear()
        client.get("/rules/duel")
        return len(statements)

    event.listen(*listen)
    assert questions(ann) - questions(club.client()) <= 3  # who it is with BEGIN, and how many games wait
    event.remove(*listen)


def test_a_page_that_is_too_long_to_be_led_back_to_is_forgotten(club):
    stranger = club.client()
    assert stranger.get(f"/games/1/resign?{'x' * 5000}").location == "/sign-in"
    assert len(stranger.get_cookie("session").value if stranger.get_cookie("session") else "") < LONGEST_NEXT_PAGE * 2
    sign_in(club, "ann", client=stranger)
    assert is_in(stranger)


@pytest.mark.parametrize("path", ["//evil.example/games/1/resign", "/\\evil.example", "/games?next=//evil.example",
                                  "/settings?next=https://evil.example/", "/%2f%2fevil.example"])  # fmt: skip
def test_nobody_is_led_to_another_site(club, path):
    stranger = club.client()
    first = stranger.get(path)
    for answer in (first, *first.history):
        assert "//evil" not in answer.headers.get("Location", "").split("?")[0]
    stranger.post("/sign-in", data={"who": "ann"})
    led = stranger.post(club.link_in("sign_in")).location
    assert led.startswith("/") and not led.startswith(("//", "/\\"))


def test_a_link_of_another_purpose_signs_nobody_in(club):
    with transaction(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        paths = [f"/t/{spell(KEY, accounts.new_token(session, purpose, now=club.clock(), person=ann).id)}"
                 for purpose in ("play", "seek", "commands", "stop", "contact", "calendar", "analysis")]  # fmt: skip
    for path in paths:
        client = club.client()
        assert client.post(path).status_code == 404 and not is_in(client)
