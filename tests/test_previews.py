"""What other programs show of a link: its title, a sentence, the board as a picture; and the pages as an installed program."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from correspondence.core.db import transaction
from correspondence.core.tokens import spell
from correspondence.matchmaking import invitations
from correspondence.models import Person
from tests.world import KEY, World

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def club(tmp_path):
    world = World(tmp_path, base_url="https://games.example")
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb")
    yield world
    world.close()


def head_of(world, path, who=""):
    """What the head of a page tells programs: property or name, and content."""
    page = world.client(who).get(path).text
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page)
    links = re.findall(r'<link rel="(canonical|manifest|apple-touch-icon)" href="([^"]*)"', page)
    return {name: unescape(content) for name, content in (*found, *links)}


def path_of(address):
    assert address.startswith("https://games.example/"), address
    return address.removeprefix("https://games.example")


@pytest.mark.parametrize(("path", "canonical"), [
    ("/", "/"), ("/rules/duel", "/rules/duel"), ("/games/1", "/games/1"), ("/games/1/0", "/games/1/0"),
])  # fmt: skip
def test_a_link_is_shown_with_a_title_a_sentence_and_the_board(club, path, canonical):
    head = head_of(club, path)
    assert path_of(head["canonical"]) == path_of(head["og:url"]) == canonical
    assert head["og:title"] == head["twitter:title"] and head["description"] == head["og:description"]
    assert 20 < len(head["description"]) < 220 and head["twitter:card"].startswith("summary")
    assert club.client().get(path_of(head["og:image"])).data.startswith(PNG)


def test_the_preview_of_a_game_is_the_same_for_all_who_look_and_tells_no_secret(club):
    names = ("og:title", "og:description", "og:image", "description")
    heads = [head_of(club, "/games/1", who) for who in ("ann", "bob", "")]
    assert len({tuple(head[name] for name in names) for head in heads}) == 1
    assert heads[0]["og:title"] == "ann – bob, Plateau" and path_of(heads[0]["og:image"]) == "/games/1/1/preview.png"


def test_an_invitation_shows_the_board_and_the_game_in_a_sentence_and_its_token_to_no_search(club):
    with transaction(club.runtime.engine) as session:
        ann = session.get_one(Person, 1)
        token = invitations.invite(session, ann, "", "duel", {}, now=club.clock())
        path = f"/i/{spell(KEY, token.id)}"
    head, page = head_of(club, path), club.client().get(path).text
    assert head["og:title"].startswith("ann invites you to")
    assert head["description"] in unescape(page.partition("<main")[2]) and "/rules/duel.svg" in page
    assert "canonical" not in head
    assert "og:url" not in head
    assert head["robots"] == "noindex, nofollow"


def test_a_browser_can_keep_the_pages_like_a_program(club):
    answer = club.client().get(head_of(club, "/")["manifest"])
    manifest = json.loads(answer.data)
    assert answer.mimetype == "application/manifest+json" and manifest["start_url"] == "/games"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for address in (*(icon["src"] for icon in manifest["icons"]), head_of(club, "/")["apple-touch-icon"]):
        with club.client().get(address) as icon:
            assert icon.data.startswith(PNG) and icon.mimetype == "image/png"
    policy = club.client().get("/").headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in policy and "unsafe" not in policy


def test_no_picture_of_a_game_that_is_not_there(club):
    assert club.client().get("/rules/chess.png").status_code == 404
