"""The history of a game: every moment to be chosen, told in words, drawn, shown elsewhere; secrets stay secret."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from correspondence.render.animation import MOST_CHARACTERS, MOST_MOMENTS, animated_svg, moments
from correspondence.render.charts import time_plot
from correspondence.render.narration import narrate
from correspondence.render.replay_scenes import replay_json
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import MoveError
from engines.record import Entry, playout
from tests.games import CASES
from tests.post import html_of
from tests.sizes import examples, in_turn


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    for handle, text in (("ann", "5@b3"), ("bob", "5@b2"), ("ann", "4@c2"), ("bob", "4@a3")):
        world.clock.go(hours=7)
        world.play(1, handle, text, comment="a word with it" if text == "4@c2" else "")
    world.match("plateau")
    world.play(2, "ann", "+b1 xx,rb", comment="a secret greeting")
    return world


def random_course(case, seed, most=40):
    played = playout(case.start(), random.Random(seed), most).entries
    return ViewerGame(case.key, " ".join(f"{name}={value}" for name, value in case.options.items()), played)


def test_the_number_field_leads_to_the_moment_with_its_own_address(club):
    answer = club.client().get("/games/1/go?ply=2")
    assert answer.status_code == 303 and answer.location == "/games/1/2#board"


@pytest.mark.parametrize("ply", ["5", "-1", "two", "", "99999999999999", "%00"])
def test_a_moment_that_never_was_is_refused_in_words(club, ply):
    answer = club.client().get(f"/games/1/go?ply={ply}")
    assert answer.status_code == 422 and "Please choose a number from 0 to 4." in answer.text


def test_a_moment_tells_the_game_in_words_with_the_time_each_move_took(club):
    page = club.client().get("/games/1/2").text
    assert "White&#39;s 5 to b3" in page or "Black&#39;s 5 to b3" in page
    assert page.count("7 hours") >= 4 and 'class="plot time-plot"' in page


def test_words_said_with_moves_stand_in_the_history_once_the_game_is_over(club):
    assert "a word with it" not in club.client("cleo").get("/games/1/4").text
    club.resign(1, "bob")
    assert "a word with it" in club.client("cleo").get("/games/1/4").text


def test_the_history_of_a_running_game_keeps_its_secrets(club):
    for who in ("bob", "cleo", ""):
        client = club.client(who)
        for path in ("/games/2/1", "/games/2/replay.svg"):
            page = client.get(path).text
            assert "+b1 xx,rb" not in page and "Black Mute" not in page
            assert who == "bob" or "a secret greeting" not in page
    assert "Black Mute" in club.client("ann").get("/games/2/1").text


def test_a_snippet_shows_a_moment_on_another_page(club):
    page = club.client().get("/games/1/3").text
    assert "&lt;a href=&#34;http://127.0.0.1:5000/games/1/3&#34;&gt;&lt;img" in page
    picture = club.client().get("/games/1/3.svg")
    assert "frame-ancestors" not in picture.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in picture.headers


@pytest.mark.parametrize("name", ["4.svg", "4.png", "4.txt", "replay.svg", "replay.webp"])
def test_pictures_of_finished_games_may_be_kept_those_of_running_ones_are_asked_for(club, name):
    assert club.client().get(f"/games/1/{name}").headers["Cache-Control"] == "private, no-cache"
    club.resign(1, "bob")
    kept = club.client().get(f"/games/1/{name}")
    assert kept.headers["Cache-Control"] == "public, max-age=86400" and "Cookie" in kept.headers["Vary"]
    assert club.client("bob").get(f"/games/1/{name}").headers["Cache-Control"] == "private, no-cache"
    again = club.client().get(f"/games/1/{name}", headers={"If-None-Match": kept.headers["ETag"]})
    assert again.status_code == 304


def test_the_door_of_moving_pictures_closes_for_who_knocks_too_often(club):
    codes = [club.client().get("/games/1/replay.svg").status_code for _knock in range(14)]
    assert codes.count(429) == 2


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_game_is_told_in_words_and_moves_in_a_picture(case, is_thorough):
    course = random_course(case, 3, 16 if case.options else 40)  # longer where options do not repeat the same
    looks = ((None, False), (0, False), (1 % len(case.game.seats), True))
    for viewer, opened in in_turn(looks, CASES.index(case), at_once=1, is_thorough=is_thorough):
        words = narrate(course, viewer, "en", opened=opened)
        assert len(words) == len(course.entries) and all(words)
        picture = ElementTree.fromstring(animated_svg(course, viewer, opened=opened))
        shown = [re.search(r" m(\d+)-(\d+)$", group.get("class")) for group in picture if group.get("class")]
        lasting = range(len(course.entries) + 1)
        assert {at for one in shown for at in range(int(one[1]), int(one[2]))} == set(lasting)


@pytest.mark.parametrize("key", ["duel", "duel-puzzle"])
def test_buttons_that_meet_change_places(key):
    game = GAMES[key]
    course = ViewerGame(key, "", tuple(playout(game.start(game.Options()), random.Random(5), most=200).entries))
    pairs = list(zip(course.entries, narrate(course, None, "en", opened=True), strict=True))
    exchanges = [words for entry, words in pairs if "=" in entry.text]
    assert exchanges and all(
        re.fullmatch(r"[BW]\w+'s \d on \w\d and [BW]\w+'s \d on \w\d change places", one) for one in exchanges
    )


def test_exchanged_tiles_change_places_and_wake_rules():
    moves = ("To@b1 Mt@a1 Tt@b2 o@b2 Gt@a2 Gs@a3 o@a3 Mo@c2 s@b1 Ms@b3 Go@c3 t@a1+Mt Ts@c1 s@c1+Ts t@a2+Gt "
             "a2=a3 a1=b3 b2=c1 tb3 sa2+Gs b2=c1 tc3 oc1 b1=c1+To").split()  # fmt: skip
    course = ViewerGame("proteus-tiles", "", tuple(in_turns("proteus-tiles", moves)))
    words = narrate(course, None, "en", opened=True)
    assert words[15] == ("Goal tile, square: COLOR on a3 and Goal tile, triangle: SHAPE, in force on a2 change places")
    assert words[23] == (
        "Trade tile, circle: POLARITY on b1 and Trade tile, square: COLOR, in force on c1 change places; "
        "Trade tile, square: COLOR on b1 is no longer in force; Trade tile, circle: POLARITY on c1 comes into force"
    )


def in_turns(key, moves):
    """The entries of a game in which each text is played by whoever is to act."""
    game = GAMES[key]
    position = game.start(game.Options())
    for text in moves:
        seat = position.to_act[0]
        yield Entry(seat, text)
        position = position.play(seat, position.read(seat, text))


@settings(max_examples=examples(20), deadline=None)
@given(seed=st.integers(0, 10**6), viewer=st.sampled_from([0, 1, None]))
def test_neither_words_nor_film_nor_scenes_tell_two_hidden_sets_apart(seed, viewer):
    case = next(case for case in CASES if case.key == "plateau")
    rng = random.Random(seed)
    one = random_course(case, seed, most=rng.randrange(1, 6))
    other = next(_twins(one, viewer), None)
    assume(other is not None)
    assert narrate(other, viewer, "en", opened=False) == narrate(one, viewer, "en", opened=False)
    assert animated_svg(other, viewer, opened=False) == animated_svg(one, viewer, opened=False)
    assert scenes_of(other, viewer) == scenes_of(one, viewer)


def _twins(one, viewer):
    """Games that differ from this one in a hidden choice alone."""
    for at, entry in enumerate(one.entries):
        for text in _like(one, at, viewer) if entry.seat != viewer else ():
            entries = (*one.entries[:at], Entry(entry.seat, text), *one.entries[at + 1 :])
            other = ViewerGame(one.key, one.options, entries)
            with suppress(MoveError):
                if other.texts(viewer, opened=False) == one.texts(viewer, opened=False):
                    yield other


def scenes_of(course, viewer):
    return replay_json(course, viewer, "en", opened=False, bottom=0)


def _like(course, at, viewer):
    """Moves that this viewer could not tell from the one that was played."""
    before, entry = course.at(at), course.entries[at]
    news = before.tell(entry.seat, before.read(entry.seat, entry.text), viewer, course.at(len(course.entries)))
    view = before.view(entry.seat)
    for move in view.legal_moves(entry.seat):
        text = view.write(entry.seat, move)
        if text != entry.text and before.tell(entry.seat, move, viewer, before.after(entry.seat, move)) == news:
            yield text


def test_long_games_show_fewer_moments_and_always_the_last():
    assert moments(3) == (0, 1, 2, 3)
    for ply in (MOST_MOMENTS - 1, MOST_MOMENTS, 1000, 4321):
        chosen = moments(ply)
        assert chosen[0] == 0
        assert chosen[-1] == ply
        assert len(chosen) <= MOST_MOMENTS + 1


def test_a_film_is_never_longer_than_it_may_be():
    course = random_course(next(case for case in CASES if case.key == "proteus-dice"), 5, most=400)
    assert len(animated_svg(course, None, opened=True)) <= MOST_CHARACTERS


def test_the_plot_of_time_says_what_it_shows():
    spent = [(0, timedelta(minutes=5)), (1, timedelta(days=3)), (0, timedelta(0))]
    plot = ElementTree.fromstring(time_plot(spent, "Time <used>", "White: 5 minutes.", ("1h", "1d", "1w")))
    assert [child.text for child in plot][:2] == ["Time <used>", "White: 5 minutes."]
    ElementTree.fromstring(time_plot([], "Time", "", ("1h", "1d", "1w")))


def test_every_game_has_names_for_what_is_on_its_board():
    assert {case.key for case in CASES} == set(GAMES)


@pytest.mark.parametrize("key", ["duel", "plateau", "proteus-dice", "proteus-tiles"])
def test_pictures_of_a_resigned_game_say_how_it_ended(town, key):
    town.join("ann", "bob")
    number = town.match(key)
    town.resign(number, "ann")
    town.deliver()
    page = town.client("bob").get(f"/games/{number}").text
    shown = page[page.index('<figure class="board') : page.index("</figure>")]
    letter = re.search(r'<img src="cid[^>]* alt="([^"]*)"', html_of(town.letter("bob")))[1]
    for text in (town.client().get(f"/games/{number}/0.svg").text, shown, letter):
        assert "wins by resignation" in text and " to move" not in text
