"""Real browsers on pages of others, which try to act by their visitor's cookie; and on our own, after Back and in two tabs."""

from __future__ import annotations

import time
from urllib.parse import quote

import pytest
from flask import request
from playwright.sync_api import expect

from tests.browser.firefox import FIREFOX, running
from tests.browser.forgers import WAYS, address, forging, form
from tests.test_pages import rows_in

SITE, SAY, WAKE = "play.games.localhost", "/games/1/say", "document.dispatchEvent(new Event('visibilitychange'))"
FORGERS = {"another port": SITE, "a sibling": "blog.games.localhost", "another site": "evil.localhost"}


@pytest.fixture(scope="module")
def forgers_port():
    with forging() as port:
        yield port


@pytest.fixture
def club(site):
    """A site with siblings, and a game; `answers` holds the status of each form that came, and whether a cookie came along."""
    site.world.match("duel")
    site.address, site.answers = site.address.replace("127.0.0.1", SITE), []

    def note(answer):
        if request.method == "POST" and request.path == SAY:
            site.answers.append((answer.status_code, "session" in request.cookies))
        return answer

    site.world.app.after_request_funcs.setdefault(None, []).append(note)
    return site


@pytest.fixture
def ann(club, chromium):
    """A page of Chromium, in which ann is signed in; without `sameSite` Chromium would send the cookie anywhere."""
    page = club.visit(chromium)
    sign_in(club, page.context, "ann")
    return page


@pytest.fixture(scope="module")
def running_firefox(tmp_path_factory):
    if FIREFOX is None:
        pytest.skip("Firefox is not installed here (Debian: apt-get install firefox-esr)")
    with running(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.fixture(params=["Chromium", "Firefox"])
def look_at(request, club):
    """Opens a page in a browser in which ann is signed in."""
    if request.param == "Chromium":
        context = request.getfixturevalue("ann").context
        return lambda address: context.new_page().goto(address)
    firefox = request.getfixturevalue("running_firefox")
    firefox.go(f"{club.address}/help")
    firefox.add_cookie(name="session", value=cookie_of(club, "ann"), httpOnly=True, sameSite="Lax")
    return firefox.go


def cookie_of(site, who):
    client = site.world.client(who)
    return client.get_cookie("session").value


def wait_for_answer(site):
    for _try in range(200):
        if site.answers:
            return
        time.sleep(0.05)
    pytest.fail("the forged request never came")


@pytest.mark.parametrize("forger", FORGERS)
def test_no_page_of_others_acts_for_its_visitor(club, look_at, forgers_port, forger):
    before = rows_in(club.world)
    for way in WAYS:
        club.answers.clear()
        look_at(address(FORGERS[forger], forgers_port, way, f"{club.address}{SAY}"))
        wait_for_answer(club)
        assert {status for status, _has_cookie in club.answers} == {403}, way
    assert rows_in(club.world) == before


@pytest.mark.parametrize("forger", ["another port", "a sibling"])
def test_the_cookie_alone_would_not_keep_neighbours_out(club, look_at, forgers_port, forger):
    look_at(address(FORGERS[forger], forgers_port, "a form", f"{club.address}{SAY}"))
    wait_for_answer(club)
    assert club.answers == [(403, True)]


def test_reloading_a_refused_form_makes_it_no_form_of_ours(club, ann, forgers_port):
    ann.goto(address(SITE, forgers_port, "a form", f"{club.address}{SAY}"))
    expect(ann.locator("main")).to_contain_text("nothing was done")
    ann.reload()
    assert club.answers == [(403, True), (403, True)]


def test_a_page_of_data_acts_for_nobody(club, ann):
    before = rows_in(club.world)
    ann.goto(f"data:text/html,{quote(form(f'{club.address}{SAY}'))}")
    wait_for_answer(club)
    assert club.answers[0][0] == 403 and rows_in(club.world) == before


@pytest.mark.parametrize("after_back", [False, True], ids=["at once", "after Back"])
def test_firefox_sends_forms_of_our_own_pages(club, running_firefox, after_back):
    running_firefox.go(f"{club.address}/help")
    running_firefox.add_cookie(name="session", value=cookie_of(club, "ann"), httpOnly=True, sameSite="Lax")
    running_firefox.go(f"{club.address}/games/1")
    if after_back:
        running_firefox.go(f"{club.address}/games")
        running_firefox.do("WebDriver:Back")
    running_firefox.run("document.querySelector('#text').value = 'hello'; document.querySelector('form.say').submit()")
    wait_for_answer(club)
    assert club.answers == [(303, True)]


def say(page, words):
    page.fill("#text", words)
    page.locator("form.say button").click()


def test_a_form_of_our_own_page_is_obeyed_also_after_back_and_in_a_second_tab(club, ann):
    ann.goto("/games/1")
    ann.goto("/games")
    ann.go_back()
    say(ann, "after Back")
    expect(ann.locator(".talk")).to_contain_text("after Back")
    second = ann.context.new_page()
    second.goto("/games/1")
    ann.goto("/help")
    say(second, "in a second tab")
    expect(second.locator(".talk")).to_contain_text("in a second tab")
    assert club.answers == [(303, True), (303, True)]


def sign_in(site, context, who):
    context.add_cookies([{"name": "session", "value": cookie_of(site, who), "url": site.address, "sameSite": "Lax"}])


def test_an_old_tab_acts_for_nobody_else_and_keeps_what_was_typed(club, ann):
    ann.goto("/games/1")
    sign_in(club, ann.context, "bob")
    before = rows_in(club.world)
    say(ann, "words of ann")
    expect(ann.locator("main")).to_contain_text("bob has signed in with this browser")
    expect(ann.locator("main")).to_contain_text("words of ann")
    assert rows_in(club.world) == before


def test_an_old_tab_never_mixes_the_pages_of_two_members(club, ann):
    ann.goto("/games/1")
    expect(ann.locator("header.site")).to_contain_text("ann")
    sign_in(club, ann.context, "bob")
    club.world.play(1, "ann", "5@b3")
    ann.evaluate(WAKE)
    expect(ann.locator("header.site")).to_contain_text("bob")
    assert {one.get_attribute("value") for one in ann.locator("[name=for-member]").all()} == {"bob"}


def test_a_draft_on_an_old_tab_is_given_back(club, ann):
    club.world.play(1, "ann", "5@b3")
    ann.goto("/games/1/plan/board")
    typed = ann.locator("#move")
    sign_in(club, ann.context, "bob")
    typed.fill("5@c3")
    typed.press("Enter")
    expect(ann.locator("main")).to_contain_text("bob has signed in with this browser")
    expect(ann.locator("main")).to_contain_text("5@c3")
