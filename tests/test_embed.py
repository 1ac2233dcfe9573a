"""A game in a frame on other sites: the public's view, the same for everybody; oEmbed says how to show it."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from correspondence.accounts import accounts
from correspondence.core.db import transaction
from correspondence.play import puzzles
from tests.attacks.pages import Page
from tests.test_previews import head_of, path_of
from tests.world import World

GAME = "https://games.example/games/1"
EMBEDDED = ("/games/1/embed", "/games/1/0/embed", "/games/1/embed?bottom=1", "/games/1/embed.json",
            "/games/1/1/preview.png", f"/oembed?url={GAME}")  # fmt: skip


@pytest.fixture
def club(tmp_path):
    world = World(tmp_path, base_url="https://games.example")
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb")
    yield world
    world.close()


def oembed(world, url, **more):
    return world.client().get("/oembed", query_string={"url": url, **more})


# -- what every site may show ------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/games/1/embed", "/games/1/0/embed", "/games/77/embed"])
def test_every_site_may_frame_the_viewer(club, path):
    answer = club.client().get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy and "X-Frame-Options" not in answer.headers
    assert "default-src 'none'" in policy
    assert "form-action 'none'" in policy
    assert "unsafe" not in policy


def test_no_other_page_may_be_framed(club):
    for path in ("/", "/games/1", "/games/1/0", "/oembed", "/sign-in"):
        headers = club.client().get(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"] and headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", EMBEDDED)
def test_the_viewer_is_the_same_for_players_and_strangers_and_sets_no_cookie(club, path):
    answers = [club.client(who).get(path) for who in ("ann", "bob", "")]
    assert len({answer.data for answer in answers}) == 1 and answers[0].status_code == 200
    assert not any("Set-Cookie" in answer.headers for answer in answers)


def test_the_language_of_the_viewer_is_the_browsers_not_the_members(club):
    with transaction(club.runtime.engine) as session:
        accounts.person_by_handle(session, "ann").language = "it"
    italian = club.client().get("/games/1/embed", headers={"Accept-Language": "it"}).text
    assert 'lang="it"' in italian and 'lang="en"' in club.client("ann").get("/games/1/embed").text


def test_hidden_pieces_of_a_running_game_stay_hidden(tmp_path):
    worlds = []
    for name, move in (("one", "+b1 xx,rb"), ("other", "+b1 xx,rr")):
        world = World(tmp_path / name, base_url="https://games.example")
        world.join("ann", "bob")
        world.match("plateau")
        world.play(1, "ann", move)
        worlds.append(world)
    for path in EMBEDDED:
        assert len({world.client("ann").get(path).data for world in worlds}) == 1, path
    for world in worlds:
        world.resign(1, "ann")
    assert len({world.client().get("/games/1/embed").data for world in worlds}) == 2
    for world in worlds:
        world.close()


def test_a_game_that_is_not_public_does_not_exist_for_other_sites(club):
    with transaction(club.runtime.engine) as session:
        number = puzzles.start_daily(session, accounts.person_by_handle(session, "ann"), now=club.clock()).id
    game = f"/games/{number}"
    for who in ("ann", ""):
        paths = [f"{game}/embed", f"{game}/0/embed", f"{game}/embed.json", f"{game}/0/preview.png",
                 f"/oembed?url=https://games.example{game}"]  # fmt: skip
        assert [club.client(who).get(path).status_code for path in paths] == [404] * 5
    assert "oembed" not in club.client("ann").get(game).text


def test_the_viewer_has_no_forms_and_works_by_links_alone(club):
    page = Page(club.client().get("/games/1/embed").text)
    assert page.forms == [] and "style=" not in club.client().get("/games/1/embed").text
    steps = [link for link in page.links if link.endswith("/embed") or "bottom" in link]
    assert steps == ["/games/1/0/embed", "/games/1/0/embed", "/games/1/1/embed?bottom=1"]
    turned = club.client().get(steps[-1])
    assert turned.status_code == 200 and "/games/1/0/embed?bottom=1" in turned.text
    assert turned.text != club.client().get("/games/1/1/embed").text


def test_viewer_of_a_missing_game_or_position_says_so_in_a_sentence(club):
    for path in ("/games/77/embed", "/games/1/2/embed"):
        answer = club.client().get(path)
        assert answer.status_code == 404 and "does not exist, or it is not public" in answer.text


def test_only_answers_about_finished_games_may_be_kept(club):
    assert "no-cache" in club.client().get("/games/1/embed").headers["Cache-Control"]
    club.resign(1, "bob")
    answer = club.client("ann").get("/games/1/embed")
    assert answer.headers["Cache-Control"] == "public, max-age=86400" and "resign" in answer.text
    assert club.client().get("/games/1/embed", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


# -- oEmbed and previews ------------------------------------------------------------------------------


def test_the_page_of_a_game_names_its_oembed_address_and_that_its_viewer(club):
    page = club.client().get("/games/1/0").text
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
    answer = club.client().get(path_of(found[1]))
    embedding = answer.get_json()
    assert embedding["version"] == "1.0"
    assert embedding["type"] == "rich"
    assert embedding["title"] == "ann – bob, Plateau"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    source = re.search(r'<iframe src="([^"]+)"', embedding["html"])[1]
    assert source == f"{GAME}/embed" and club.client().get(path_of(source)).status_code == 200
    assert f'width="{embedding["width"]}" height="{embedding["height"]}"' in embedding["html"]


@pytest.mark.parametrize(("url", "source"), [
    (GAME, "/embed"), (f"{GAME}#board", "/embed"), (f"{GAME}/0?x=1", "/0/embed"), (f"{GAME}/embed", "/embed"),
    (f"{GAME}/0/embed", "/0/embed"),
])  # fmt: skip
def test_oembed_knows_the_addresses_of_games_and_positions(club, url, source):
    assert f'src="{GAME}{source}"' in oembed(club, url).get_json()["html"]


@pytest.mark.parametrize("url", [
    "", "x", "https://games.example/", "https://games.example/rules/duel", "https://elsewhere.example/games/1",
    "https://games.example.elsewhere.example/games/1", "https://games.example/games/1/2", f"{GAME}/mail",
    "https://games.example/games/" + "9" * 40, "https://games.example/games/²", "https://games.example/games/77",
])  # fmt: skip
def test_oembed_answers_404_for_everything_else(club, url):
    assert oembed(club, url).status_code == 404


def test_oembed_stays_within_the_maximum_and_answers_in_json_alone(club):
    small = oembed(club, GAME, maxwidth=300, maxheight="400", format="json").get_json()
    assert (small["width"], small["height"]) == (300, 400)
    large = oembed(club, GAME, maxwidth=5000, maxheight="many").get_json()
    assert (large["width"], large["height"]) == (480, 660)
    assert oembed(club, GAME, format="xml").status_code == 501 and oembed(club, GAME, format="%").status_code == 422


def test_a_link_to_a_game_is_shown_with_a_wide_picture_of_the_board(club):
    head = head_of(club, "/games/1")
    assert head["twitter:card"] == "summary_large_image"
    picture = club.client().get(path_of(head["og:image"]))
    with Image.open(io.BytesIO(picture.data)) as image:
        assert image.size == (1200, 630) and image.format == "PNG"
    assert (head["og:image:width"], head["og:image:height"]) == ("1200", "630")


def test_the_history_gives_the_html_that_embeds_the_viewer(club):
    club.resign(1, "bob")
    for path, source in (("/games/1", "/embed"), ("/games/1/0", "/0/embed")):
        page = club.client().get(path).text
        field = re.search(r'<textarea id="embed-frame"[^>]*>([^<]+)</textarea>', page)[1]
        assert f"src=&#34;{GAME}{source}&#34;" in field


def test_scripts_and_scenes_may_be_read_by_a_sandboxed_frame(club):
    page = club.client().get("/games/1/embed").text
    paths = [*re.findall(r'<script type="module" src="([^"]+)"', page), re.search(r'data-film="([^"]+)"', page)[1],
             re.search(r'data-scenes="([^"]+)"', page)[1]]  # fmt: skip
    for path in paths:
        with club.client().get(path) as answer:
            assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == "*"
