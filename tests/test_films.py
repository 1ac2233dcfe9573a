"""Films: a whole game as animated WebP, a sample game that plays in a minute, and where they are shown."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from correspondence.accounts.accounts import person_by_handle
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.matchmaking import invitations
from correspondence.queries.queries import game_view
from correspondence.render.animation import animated_svg, film_frames
from correspondence.web.films import MOST_FRAMES
from engines import GAMES
from tests.games import CASES
from tests.test_history import random_course
from tests.world import KEY


@pytest.fixture
def town(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    return world


def played(town, key="duel", texts=("5@a2", "6@b2", "8@b3")):
    number = town.match(key)
    for ply, text in enumerate(texts):
        town.play(number, ("ann", "bob")[ply % 2], text)
    return number


def frames_of(answer):
    assert answer.mimetype == "image/webp"
    picture = Image.open(io.BytesIO(answer.data))
    lasting = []
    for at in range(picture.n_frames):
        picture.seek(at)
        picture.load()
        lasting.append(picture.info["duration"])
    return lasting


def test_a_game_is_given_as_animated_webp_whose_last_moment_stays_longest(town):
    number = played(town)
    assert frames_of(town.client().get(f"/games/{number}/replay.webp")) == [1200, 1200, 1200, 4800]


def test_the_page_of_a_game_links_its_film_and_programs_are_told_of_it_when_the_game_is_over(town):
    number = played(town)
    film = f"/games/{number}/replay.webp"
    running = town.client().get(f"/games/{number}").text
    assert f'href="{film}"' in running and f'content="http://127.0.0.1:5000{film}"' not in running
    town.resign(number, "ann")
    over = town.client().get(f"/games/{number}").text
    images = re.findall(r'property="og:image" content="([^"]*)"', over)
    assert images[0].endswith("preview.png") and images[1:] == [f"http://127.0.0.1:5000{film}"]


def test_a_film_shows_an_opponent_nothing_that_the_board_hides(town):
    number = played(town, "plateau", ("+b1 xx,rb",))
    with transaction(town.runtime.engine) as session:
        game = game_view(session, number, None, now=town.clock()).viewer_game
    films = {viewer: "".join(film_frames(game, viewer, opened=False, most=8)) for viewer in (0, 1, None)}
    assert "Black Mute" in films[0]
    assert all("Black Mute" not in films[viewer] and "Black Red Mask" not in films[viewer] for viewer in (1, None))
    own, theirs = (town.client(handle).get(f"/games/{number}/replay.webp").data for handle in ("ann", ""))
    assert own != theirs


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_film_is_longer_than_its_moments_allow(case):

    course = random_course(case, 3)
    frames = film_frames(course, None, opened=False, most=8)
    assert 2 <= len(frames) <= 8 and all(frame.startswith("<svg") for frame in frames)
    assert MOST_FRAMES >= 8


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.presentation.sample()])
def test_the_sample_game_of_each_game_plays_in_a_minute(town, key):
    answer = town.client().get(f"/rules/{key}/film.svg")
    assert answer.status_code == 200 and "animation-duration:60s" in answer.text
    assert "prefers-reduced-motion" in answer.text
    assert len(answer.data) < 600_000


def test_a_game_that_is_not_there_has_no_film(town):
    assert town.client().get("/rules/chess/film.svg").status_code == 404


def test_an_invitation_shows_the_board_says_the_game_in_a_sentence_and_offers_its_film(town):
    with transaction(town.runtime.engine) as session:
        ann = person_by_handle(session, "ann")
        token = invitations.invite(session, ann, "", "plateau", {}, now=town.clock()).id
    page = town.client().get(f"/i/{tokens.spell(KEY, token)}").text
    assert 'src="/rules/plateau.svg"' in page and GAMES["plateau"].presentation.pitch in page
    assert "See how it works in 60 seconds" in page and 'src="/rules/plateau/film.svg"' in page
    assert 'loading="lazy"' in page and all(alt for alt in re.findall(r'<img[^>]* alt="([^"]*)"', page))


def test_a_film_that_has_to_last_a_minute_does_so_however_many_moves_it_shows(town):
    number = played(town)
    with transaction(town.runtime.engine) as session:
        seen = game_view(session, number, None, now=town.clock())
    for lasts in (30, 60):
        assert f"animation-duration:{lasts}s" in animated_svg(seen.viewer_game, None, opened=False, lasts=lasts)
    assert "animation-duration:8.4s" in animated_svg(seen.viewer_game, None, opened=False)
