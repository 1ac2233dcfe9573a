"""What programs fetch that walk through the web: they find the public pages, and nothing that is somebody's own."""

from __future__ import annotations

import io
import re
from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from PIL import Image

from correspondence.web import crawlers
from tests.test_previews import PNG, head_of, path_of
from tests.world import World

SITEMAPS = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


@pytest.fixture
def club(tmp_path):
    """A club where game 1 is over and game 2 runs."""
    world = World(tmp_path, base_url="https://games.example", operator="desk+games@example.org")
    world.join("ann", "bob")
    for _game in range(2):
        world.play(world.match("plateau"), "ann", "+b1 xx,rb")
    world.resign(1, "bob")
    yield world
    world.close()


def listed(club):
    page = club.client().get("/sitemap.xml")
    assert page.status_code == 200 and page.mimetype == "application/xml"
    return [path_of(loc.text) for loc in ElementTree.fromstring(page.data).findall("s:url/s:loc", SITEMAPS)]


def disallowed(club):
    """What says whether robots.txt forbids an address: its rules are beginnings, with * for anything (RFC 9309)."""
    text = club.client().get("/robots.txt").text
    rules = re.findall(r"^Disallow: (\S+)$", text, re.M)
    patterns = [re.compile(".*".join(map(re.escape, rule.split("*")))) for rule in rules]
    return lambda path: any(pattern.match(path) for pattern in patterns)


def test_the_sitemap_names_public_pages_that_are_there_and_games_that_are_over(club):
    paths = listed(club)
    assert {"/", "/rules/duel", "/ratings/plateau", "/archive", "/games/1"} <= set(paths) and len(paths) == len(
        set(paths)
    )
    assert "/games/2" not in paths and not any("ann" in path or "bob" in path for path in paths)
    assert [path for path in paths if club.client().get(path).status_code != 200] == []


def test_the_sitemap_is_the_same_for_all_and_holds_no_more_than_it_may(club, monkeypatch):
    assert club.client("ann").get("/sitemap.xml").data == club.client().get("/sitemap.xml").data
    club.resign(2, "ann")
    monkeypatch.setattr(crawlers, "MOST_GAMES", 1)
    assert [path for path in listed(club) if path.startswith("/games/")] == ["/games/2"]  # the newest


def test_a_crawler_that_has_the_sitemap_is_told_that_nothing_changed(club):
    tag = club.client().get("/sitemap.xml").headers["ETag"]
    assert club.client().get("/sitemap.xml", headers={"If-None-Match": tag}).status_code == 304


def test_robots_txt_forbids_every_address_with_a_secret_and_members_own_pages(club):
    is_forbidden = disallowed(club)
    adapter = club.app.url_map.bind("")
    secret = [rule for rule in club.app.url_map.iter_rules() if "token" in rule.arguments and "GET" in rule.methods]
    paths = [adapter.build(rule.endpoint, dict.fromkeys(rule.arguments, 7)) for rule in secret]
    assert len(paths) >= 6 and [path for path in paths if not is_forbidden(path)] == []
    assert all(
        map(is_forbidden, ("/partners", "/settings", "/games/1/mail", "/players/ann/write", "/archive?player=ann"))
    )


def test_robots_txt_allows_what_the_sitemap_names_and_what_a_preview_shows(club):
    is_forbidden = disallowed(club)
    shown = [
        path_of(head_of(club, "/games/1")["og:image"]),
        "/static/style.css?v=1",
        "/games/1/replay.webp",
        "/favicon.ico",
    ]
    assert [path for path in (*listed(club), *shown) if is_forbidden(path)] == []
    assert "\nSitemap: https://games.example/sitemap.xml\n" in club.client().get("/robots.txt").text


def test_the_preview_of_a_finished_game_tells_how_it_ended_and_shows_its_last_board(club):
    head = head_of(club, "/games/1")
    assert head["og:title"] == "ann – bob, Plateau" and "resign" in head["og:description"]
    first = re.search(
        r'property="og:image" content="([^"]+)"><meta property="og:image:type" content="([^"]+)"', page(club)
    )
    assert (path_of(first[1]), first[2]) == ("/games/1/1/preview.png", "image/png")
    assert club.client().get("/games/1/1/preview.png").data.startswith(PNG)


def page(club):
    return club.client().get("/games/1").text


def test_security_txt_says_whom_to_write_to_and_always_expires_within_a_year(club):
    def fields():
        answer = club.client().get("/.well-known/security.txt")
        assert answer.status_code == 200 and answer.content_type == "text/plain; charset=utf-8"
        return dict(line.split(": ", 1) for line in answer.text.splitlines())

    for _year in range(2):
        given = fields()
        assert given["Contact"] == "mailto:desk+games@example.org" and given["Preferred-Languages"] == "en, it"
        assert given["Canonical"] == "https://games.example/.well-known/security.txt"
        assert timedelta(30) < datetime.fromisoformat(given["Expires"]) - club.time < timedelta(365)
        club.clock.go(days=400)


@pytest.mark.parametrize("operator", ["", "nobody"])
def test_without_an_operator_there_is_no_security_txt(tmp_path, operator):
    world = World(tmp_path, operator=operator)
    assert world.client().get("/.well-known/security.txt").status_code == 404
    world.close()


def test_an_old_browser_gets_a_small_picture_for_its_tab(club):
    answer = club.client().get("/favicon.ico")
    assert answer.status_code == 200
    assert "public" in answer.headers["Cache-Control"]
    assert len(answer.data) < 1024
    with Image.open(io.BytesIO(answer.data)) as icon:
        assert icon.format == "ICO" and icon.size == (32, 32)
