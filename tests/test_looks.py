"""Light or dark, and the language of visitors, are chosen at the foot of each page, without scripts."""

from __future__ import annotations

import pytest

from tests.club import challenge


def sheet_of(page):
    return page.partition('<link rel="stylesheet" href="')[2].partition('"')[0].replace("&amp;", "&")


def test_chosen_scheme_holds_on_every_page_until_changed(world):
    client = world.client()
    with client.get(sheet_of(client.get("/help").text)) as usual:
        assert "prefers-color-scheme: dark" in usual.text
    answer = client.post("/look", data={"scheme": "dark", "page": "/help?q=move"})
    assert answer.status_code == 303 and answer.location == "/help?q=move#looks"
    page = client.get("/").text
    rules = client.get(sheet_of(page)).text
    assert '<meta name="color-scheme" content="dark">' in page and "/look/dark.css" in page
    assert "prefers-color-scheme" not in rules and "color-scheme: dark;" in rules and "#1a1714" in rules
    client.post("/look", data={"scheme": "system", "page": "/"})
    assert "/look/dark.css" not in client.get("/").text


def test_visitors_choose_their_language_whatever_the_browser_asks(world):
    client = world.client()
    client.post("/look", data={"language": "it", "page": "/"})
    page = client.get("/help", headers={"Accept-Language": "en"}).text
    assert '<html lang="it">' in page and "Aiuto" in page
    client.post("/look", data={"language": "en", "page": "/"})
    assert '<html lang="en">' in client.get("/help", headers={"Accept-Language": "it"}).text


def test_members_keep_the_language_of_their_settings(world):
    world.join("ann")
    client = world.client("ann")
    client.post("/look", data={"language": "it", "scheme": "light", "page": "/"})
    page = client.get("/games").text
    assert '<html lang="en">' in page
    assert "/look/light.css" in page
    assert 'name="language"' not in page
    client.post("/sign-out")
    assert "/look/light.css" in client.get("/").text


def test_choice_makes_another_version_of_a_cached_page(world):
    world.join("ann", "bob")
    challenge(world, "ann", "bob")
    client = world.client()
    tag = client.get("/watch").headers["ETag"]
    assert client.get("/watch", headers={"If-None-Match": tag}).status_code == 304
    for choice in ({"scheme": "dark"}, {"language": "it"}):
        client.post("/look", data={**choice, "page": "/watch"})
        answer = client.get("/watch", headers={"If-None-Match": tag})
        assert answer.status_code == 200 and "Cookie" in answer.headers["Vary"]
        tag = answer.headers["ETag"]
    assert 'lang="it"' in answer.text and "/look/dark.css" in answer.text
    assert 'lang="en"' in world.client().get("/watch").text


@pytest.mark.parametrize(
    "page", ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example", "/a\nb", ""]
)
def test_choice_leads_to_no_other_site(world, page):
    assert world.client().post("/look", data={"scheme": "dark", "page": page}).location == "/#looks"


def test_unknown_choices_change_nothing(world):
    client = world.client()
    answer = client.post("/look", data={"scheme": "pink", "language": "tlh", "page": "/"})
    assert answer.status_code == 303 and "Set-Cookie" not in answer.headers
    client.set_cookie("scheme", "pink")
    client.set_cookie("language", "../../etc")
    assert '<html lang="en">' in client.get("/").text
    assert client.get("/look/pink.css").status_code == 404


def test_frames_and_programs_ignore_the_choice(world):
    world.join("ann", "bob")
    number, visitor = world.match("duel", "ann", "bob"), world.client()
    visitor.post("/look", data={"language": "it", "scheme": "dark", "page": "/"})
    for path in (f"/games/{number}/embed", "/api/v1/me"):
        assert visitor.get(path).text == world.client().get(path).text


def test_page_first_asked_for_by_head_has_the_choice(world):
    client = world.client()
    client.head("/watch")
    assert 'action="/look"' in client.get("/watch").text


def test_page_that_answers_a_form_has_no_choice_that_would_lose_it(world):
    refused = world.client().post("/join", data={"handle": "!", "mail": "nowhere"})
    assert refused.status_code == 422 and 'action="/look"' not in refused.text
