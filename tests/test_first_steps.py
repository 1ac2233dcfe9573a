"""Joining and what follows: every fault at once, then a first page with a challenge, a lesson, a robot, a partner."""

from __future__ import annotations

import re

from tests.club import challenge
from tests.robots import thinking_robots


def join(world, client, handle="dora"):
    client.post("/join", data={"handle": handle, "mail": f"{handle}@example.org"})
    return client.post(world.link_in("join"), follow_redirects=True)


def test_join_form_names_every_fault_at_once(world):
    refused = world.client().post("/join", data={"handle": "!", "mail": "nowhere"})
    assert refused.status_code == 422
    assert "A handle has 2 to 20 letters" in refused.text and "“nowhere” is not a mail address." in refused.text
    assert refused.text.count('aria-invalid="true"') == 2
    assert 'value="!"' in refused.text and 'value="nowhere"' in refused.text


def test_new_member_is_led_to_a_lesson_a_robot_and_a_partner(world):
    with thinking_robots(world):
        page = join(world, world.client())
    assert page.request.path == "/welcome"
    places = [page.text.index(f'id="{name}"') for name in ("lesson", "robot", "partner")]
    assert places == sorted(places) and "Learn a game in ten moves" in page.text


def test_waiting_challenge_stands_on_top(world):
    client = world.client()
    join(world, client)
    world.join("ann")
    challenge(world, "ann", "dora")
    page = client.get("/welcome").text
    assert "ann challenges you to" in page and page.index('id="challenges"') < page.index('id="partner"')


def test_who_was_sent_to_sign_in_reads_why(world):
    world.join("ann")
    client = world.client()
    assert "is for members" not in client.get("/sign-in").text
    page = client.get("/settings/time", follow_redirects=True).text
    assert "The page “/settings/time” is for members" in page
    client.post("/sign-in", data={"who": "ann"})
    assert client.post(world.link_in("sign_in")).location == "/settings/time"


def test_404_names_what_was_not_found_and_offers_a_search(world):
    client = world.client()
    for path, sentence in (
        ("/games/4000", "There is no game 4000"),
        ("/players/nobody", "nobody"),
        ("/no-such-place", "There is no page “/no-such-place”"),
    ):
        answer = client.get(path)
        assert answer.status_code == 404 and sentence in answer.text, path
        assert 'role="search"' in answer.text and 'action="/help"' in answer.text
    assert "<script>" not in client.get("/%3Cscript%3E").text
    gone = client.get(f"/i/{'a' * 26}x").text
    assert "a" * 26 not in gone.partition("<footer")[0]


def test_robot_is_chosen_by_game_and_level_in_one_form(world):
    world.join("ann")
    client = world.client("ann")
    with thinking_robots(world):
        page = client.get("/robots?game=proteus-tiles").text
        assert page.count('action="/robots"') == 1
        assert re.search(r'value="proteus-tiles" checked', page)
        begun = client.post("/robots", data={"game": "duel", "level": "3", "pace": "3"}, follow_redirects=True)
        assert "duel-robot-3" in begun.text
        refused = client.post("/robots", data={"game": "duel", "level": "77", "pace": "3"})
        assert refused.status_code == 422


def test_robot_answers_at_once_in_a_lesson(world):
    world.join("ann")
    with thinking_robots(world, delay=(60.0, 60.0)) as robots:
        world.client("ann").post("/robots/learn", data={"game": "duel"})
        assert robots.sweep() == 1
        world.client("ann").post("/robots", data={"game": "duel", "level": "1", "pace": "3"})
        assert robots.sweep() == 0
