"""All scenes of a game in one JSON: the pictures that the pages show, nothing that its viewer may not see, and little of it."""

from __future__ import annotations

import gzip
import json
import random
import re
from html.parser import HTMLParser

import pytest

from correspondence.core.db import transaction
from correspondence.models import By
from correspondence.play import matches
from correspondence.render.replay_scenes import replay_json
from correspondence.render.viewer_game import ViewerGame, had_secrets, scene_svg
from engines import GAMES
from engines.options import read_options
from engines.record import Entry, playout

LONG = 8
"""With this seed a random game lasts 236 entries."""

GAMES_WITH_BOARDS = ("proteus-dice", "proteus-tiles", "plateau", "duel", "duel-puzzle")

WORDS = re.compile("<title>.*?</desc>")
"""The words of a picture: those of the last one say how the game ended."""


def played(key, most, seed=1, **options):
    """A random game of at most so many entries."""
    typed = read_options(GAMES[key].Options, options)
    words = " ".join(f"{name}={value}" for name, value in options.items())
    return ViewerGame(key, words, playout(GAMES[key].start(typed), random.Random(seed), most).entries)


def pictures_in(film):
    """The pictures of a film, put together as the script of the page does it."""
    shapes = ["".join(film["tags"][tag] for tag in shape) for shape in film["shapes"]]
    shown, pictures = [], []
    for listed in film["pictures"]:
        if listed and isinstance(listed[0], int):
            shown = listed
        else:
            changes = dict(listed)
            shown = [changes.get(place, shape) for place, shape in enumerate(shown)]
        pictures.append("".join(shapes[shape] for shape in shown) + "</svg>")
    return pictures


def film_of(game, viewer=None, *, opened=False, bottom=0):
    return json.loads(replay_json(game, viewer, "en", opened=opened, bottom=bottom))


@pytest.mark.parametrize("key", GAMES_WITH_BOARDS)
@pytest.mark.parametrize("bottom", [0, 1])
def test_every_picture_is_the_one_that_the_page_of_its_moment_shows(key, bottom):
    game = played(key, 40)
    scenes = [game.scene(ply, 0, opened=False) for ply in range(len(game.entries) + 1)]
    assert pictures_in(film_of(game, 0, bottom=bottom)) == [scene_svg(scene, bottom) for scene in scenes]


def test_a_game_of_236_moves_weighs_less_than_40_kilobytes():
    game = played("proteus-dice", 236, LONG)
    assert len(game.entries) == 236
    assert len(gzip.compress(replay_json(game, None, "en", opened=True, bottom=0).encode(), 6)) < 40_000


def test_a_piece_comes_from_where_it_stood_or_from_the_hand_beside_the_board():
    duel = film_of(ViewerGame("duel", "", (Entry(0, "5@b3"),)))
    dice = film_of(ViewerGame("proteus-dice", "", (Entry(0, "c3/f2=B"),)))
    assert duel["glides"] == [[["hand:5", "b3"]]] and dice["glides"] == [[["c1", "c3"]]]


# -- as the pages give it -------------------------------------------------------------------


def scenes(world, who, number=1, query=""):
    answer = world.client(who).get(f"/games/{number}/scenes.json{query}", headers={"Accept": "application/json"})
    return answer.status_code, answer.get_json()


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


def test_a_cheat_reads_in_the_scenes_only_what_their_own_page_shows(club):
    for hidden in ("xx,rb", "xr,bb"):
        number = club.match("plateau")
        club.play(number, "ann", {"xx,rb": "+b1 xx,rb", "xr,bb": "+b1 xx,rr"}[hidden])
    for who in ("bob", "cleo", ""):
        assert scenes(club, who, 1) == scenes(club, who, 2)
    assert scenes(club, "ann", 1) != scenes(club, "ann", 2)


def told_by(film):
    """What a film says of its positions, but for whose turn it is or how the game ended."""
    return {text for text in film["texts"] if " to move" not in text and " by resignation" not in text}


@pytest.mark.parametrize("who", ["bob", "cleo", ""])
@pytest.mark.parametrize("eyes", ["0", "1", "all", "-1"])
def test_nobody_sees_by_other_eyes_while_the_game_runs(club, who, eyes):
    club.match("plateau")
    status, answer = scenes(club, who, query=f"?eyes={eyes}")
    assert status == 403 and set(answer) == {"sentence"}


def test_afterwards_the_eyes_of_a_player_show_what_that_player_saw(club):
    club.match("plateau")
    for who, text in (("ann", "+b1 xx,rb"), ("bob", "+d4 xx,rr")):
        club.play(1, who, text)
    _status, seen = scenes(club, "bob", query="?bottom=0")
    club.resign(1, "ann")
    _status, then = scenes(club, "", query="?eyes=1&bottom=0")
    _status, truth = scenes(club, "", query="?bottom=0")
    drawn_then, drawn = ([WORDS.sub("", one) for one in pictures_in(film)] for film in (then, seen))
    assert drawn_then == drawn
    assert then["told"] == seen["told"]
    assert told_by(then) == told_by(seen)
    assert pictures_in(truth) != pictures_in(then)


def test_what_a_plan_foresaw_is_in_the_scenes_of_whoever_may_read_it(club):
    club.match("duel")
    club.play(1, "ann", "5@a2")
    club.client("ann").post("/games/1/plan", data={"lines": "if 6@b2 then 8@b3, if 8@a1 then 1@c2", "ply": "1"})
    assert scenes(club, "ann")[1]["foreseen"] == []
    club.play(1, "bob", "6@b2")  # the plan answers it
    club.play(1, "bob", "7@a3")
    club.resign(1, "bob")
    mine = scenes(club, "ann")[1]["foreseen"]
    assert [(line["ply"], line["seat"], line["words"]) for line in mine] == [
        (3, 0, "Planned by ann: if 8@a1 then 1@c2")
    ]
    assert mine[0]["paths"] == [["hand:8", "a1"], ["hand:1", "c2"]]
    for who in ("bob", "cleo", ""):
        assert scenes(club, who)[1]["foreseen"] == []
    for who in ("ann", "bob"):
        club.client(who).post("/games/1/plan/open")
    assert scenes(club, "bob")[1]["foreseen"] == mine
    assert scenes(club, "cleo")[1]["foreseen"] == []


@pytest.mark.parametrize("query", ["?eyes=2", "?eyes=all", "?bottom=7", "?bottom=x"])
def test_a_side_that_there_is_not_is_refused_with_a_sentence(club, query):
    club.match("duel")
    club.resign(1, "ann")
    status, answer = scenes(club, "", query=query)
    assert status == 422 and answer["sentence"] == "This game has no such player."


def test_the_size_of_scenes_on_the_wire_is_rounded_so_that_hidden_words_seldom_show_in_it(club):
    club.match("plateau")
    club.play(1, "ann", "+b1 xx,rb")
    packed = club.client("ann").get("/games/1/scenes.json", headers={"Accept-Encoding": "gzip"})
    assert len(packed.data) % 512 == 0
    plain = club.client("ann").get("/games/1/scenes.json")
    assert gzip.decompress(packed.data) == plain.data


def test_scenes_come_compressed_and_are_sent_again_only_when_they_changed(club):
    club.match("duel")
    client = club.client("bob")
    first = client.get("/games/1/scenes.json", headers={"Accept-Encoding": "gzip"})
    assert first.headers["Content-Encoding"] == "gzip" and json.loads(gzip.decompress(first.data))["pictures"]
    again = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": "gzip"}
    assert client.get("/games/1/scenes.json", headers=again).status_code == 304
    club.play(1, "ann", "5@b3")
    assert client.get("/games/1/scenes.json", headers=again).status_code == 200


def test_the_switch_of_knowledge_stands_only_where_something_was_hidden(club):
    club.match("plateau")
    club.match("duel")
    club.play(1, "ann", "+b1 xx,rb")
    assert 'data-tool="eyes"' not in club.client("bob").get("/games/1").text
    club.play(2, "ann", "5@b3")
    for number in (1, 2):
        club.resign(number, "ann")
    assert 'data-tool="eyes"' in club.client("bob").get("/games/1").text
    assert 'data-tool="eyes"' not in club.client("bob").get("/games/2").text


@pytest.mark.parametrize(("key", "secrets"), [("plateau", True), ("proteus-dice", False), ("duel", False)])
def test_which_games_had_secrets_is_asked_of_their_positions(key, secrets):
    assert had_secrets(played(key, 12)) == secrets


def test_the_sentence_of_a_move_stands_on_its_page(club):
    club.match("proteus-dice")
    club.play(1, "ann", "c3/f2=B")
    page = club.client().get("/games/1/1").text
    assert "White pawn from c1 to c3" in page.partition('data-part="told"')[2].partition("</p>")[0]


class Elements(HTMLParser):
    """How many elements a page has."""

    count = 0

    def handle_starttag(self, _tag, _attributes):
        self.count += 1


def test_the_page_of_a_game_of_236_moves_has_less_than_1500_elements(club):
    club.match("proteus-dice")
    game = played("proteus-dice", 236, LONG)
    with transaction(club.runtime.engine) as session:
        players = {0: club.player(session, 1, "ann"), 1: club.player(session, 1, "bob")}
        for entry in game.entries:
            matches.make_move(session, players[entry.seat], entry.text, now=club.clock(), by=By.WEB)
    for path in ("/games/1", "/games/1/0", "/games/1/236"):
        page = Elements()
        page.feed(club.client("ann").get(path).text)
        assert page.count < 1500, path
