"""What is sent compressed: whatever is large, except pages that show a secret."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from sqlmodel import select

from correspondence.core.db import reading
from correspondence.core.tokens import spell
from correspondence.models import Token
from tests.browser.places import Places
from tests.world import KEY, World

GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture
def game(world):
    world.join("ann", "bob")
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb", comment="Good luck!")
    return world


@pytest.mark.parametrize("path", [
    "/", "/games/1", "/games/1/moves.json?ply=1", "/games/1/scenes.json", "/games/1/0.svg", "/static/style.css", "/rules/duel",
])  # fmt: skip
def test_pages_and_what_they_load_come_compressed_to_whoever_takes_them_so(game, path):
    client = game.client("bob")
    with client.get(path) as plain, client.get(path, headers=GZIP) as packed:
        assert gzip.decompress(packed.data) == plain.data and len(packed.data) < len(plain.data) / 2
        assert "Accept-Encoding" in plain.headers["Vary"] and "Content-Encoding" not in plain.headers
        again = {**GZIP, "If-None-Match": packed.headers.get("ETag", "")}
    with client.get(path, headers=again) as known:
        assert "ETag" not in known.headers or (known.status_code == 304 and not known.data)


def test_sizes_are_whole_blocks_where_hidden_pieces_stand_beside_talk(game):
    sizes = set()
    for words in ("", "x", "Good luck!", "red in b1, and black in c2", "?" * 40):
        game.client("ann").post("/games/1/say", data={"text": words})
        for path in ("/games/1", "/games/1/1", "/games/1/moves.json?ply=1", "/games/1/scenes.json"):
            sizes.add(len(game.client("bob").get(path, headers=GZIP).data))
    assert len(sizes) > 2 and {size % 512 for size in sizes} == {0}


def test_a_small_answer_is_sent_as_it_is(game):
    answer = game.client("bob").get("/games/1/ply.json", headers=GZIP)
    assert "Content-Encoding" not in answer.headers and json.loads(answer.data)


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("places"))
    yield Places(world)
    world.close()


def test_no_page_with_a_secret_address_or_link_is_compressed(places):
    with reading(places.world.engine) as session:
        secrets = {spell(KEY, number) for number in session.exec(select(Token.id))}
    client, shown, packed = places.world.client("ann"), set(), 0
    for path in places.paths():
        places.world.clock.go(minutes=1)
        answer = client.get(path, headers=GZIP)
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
        page = gzip.decompress(answer.data) if is_packed else answer.data
        found = {secret for secret in secrets if secret.encode() in page}
        assert not (is_packed and found), path
        shown |= found
        packed += is_packed
    assert len(shown) > 2 and packed > 50, (len(shown), packed)


@pytest.mark.parametrize(("path", "form", "secret"), [
    ("/settings/tokens", {"name": "my program", "scope": "play"}, r"corr_\w{30,}"),
    ("/settings/webhooks", {"name": "mine", "url": "https://hooks.example/", "kind": "your_turn"}, r"whsec_[\w+/=]{20,}"),
    ("/invite", {"game": "duel", "open-days": "7", "seat": "", "address": "dora@example.net"}, r"/i/[a-z2-7]{26}"),
    ("/settings/time/calendar", {}, r"/calendar/[a-z2-7]{26}"),
])  # fmt: skip
def test_what_shows_a_secret_once_is_sent_as_it_is(game, path, form, secret):
    answer = game.client("ann").post(path, data=form, headers=GZIP, follow_redirects=True)
    assert "Content-Encoding" not in answer.headers and re.search(secret, answer.text), answer.text


def test_a_page_with_a_link_for_others_is_sent_as_it_is(game):
    game.resign(1, "ann")
    game.client("ann").post("/games/1/try/share", data={"ply": "1"})
    answer = game.client("ann").get("/games/1/1/try", headers=GZIP)
    assert "Content-Encoding" not in answer.headers and re.search("/games/1/try/[a-z2-7]{26}", answer.text)
