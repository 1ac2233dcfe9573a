"""Pages speak of chance only in games in which chance can act."""

from __future__ import annotations

import re

import pytest

from correspondence.core.i18n import listed_zones, zones
from tests.robots import thinking_robots

WORDS = ("randomness", "chance")


@pytest.fixture
def club(world):
    world.join("ann")
    world.join("bob")
    return world


def of_chance(page):
    return [word for word in WORDS if word in page]


@pytest.mark.parametrize("path", ["/challenge?handle=bob&game=", "/seeks/new?game=", "/invite?game="])
def test_forms_ask_for_randomness_only_if_chance_can_act(club, path):
    ann = club.client("ann")
    assert of_chance(ann.get(path + "duel").text) == []
    assert of_chance(ann.get(path + "plateau").text) == []
    assert "Your own randomness" in ann.get(path + "proteus-dice").text


def test_offers_without_chance_show_no_fingerprint(club):
    ann, bob = club.client("ann"), club.client("bob")
    ann.post("/seeks/new", data={"game": "duel", "pace": "3"})
    ann.post("/challenge", data={"game": "duel", "pace": "3", "handle": "bob"})
    for client, path in ((ann, "/seeks"), (bob, "/seeks"), (ann, "/games"), (bob, "/games")):
        assert of_chance(client.get(path).text) == [], path
    number = re.search(r"/seeks/(\d+)/take", bob.get("/seeks").text)[1]
    assert bob.post(f"/seeks/{number}/take").status_code == 303


def test_options_that_bring_chance_show_it(club):
    club.client("ann").post("/seeks/new", data={"game": "proteus-dice", "option-roulette": "before", "pace": "3"})
    club.client("ann").post("/seeks/new", data={"game": "proteus-dice", "pace": "7"})
    assert club.client("bob").get("/seeks").text.count("with their own randomness") == 1


def test_only_robots_of_games_with_chance_show_fingerprints(club):
    with thinking_robots(club):
        page = club.client("ann").get("/robots").text
    assert page.count("How you can check chance") == 1
    assert "proteus-dice-robot-2: <code" in page and "duel-robot-2: <code" not in page


def test_zones_are_listed_once_and_older_names_stay_valid(world):
    assert {"Asia/Kolkata", "America/New_York", "UTC"} <= set(listed_zones())
    assert not {"Asia/Calcutta", "US/Eastern", "Australia/ACT"} & set(listed_zones())
    assert "Asia/Calcutta" in zones()
    world.join("ann", zone="Asia/Calcutta")
    page = world.client("ann").get("/settings").text
    assert "<option selected>Asia/Calcutta</option>" in page and "US/Eastern" not in page
