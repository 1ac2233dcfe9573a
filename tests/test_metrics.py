"""Numbers for Prometheus: true, of nobody, and for whoever has the token alone."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from correspondence.clocks import outages
from correspondence.core import db
from correspondence.core.config import SettingError, Settings, with_defaults
from correspondence.models import RobotTurn
from tests.deployment import DEPLOY
from tests.robots import challenge, robots_in
from tests.world import World

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def club(tmp_path):
    club = World(tmp_path, metrics_token=TOKEN)
    club.join("ann", "bob")
    yield club
    club.close()


def metrics_of(world, token=TOKEN):
    return world.client().get("/metrics", headers={"Authorization": f"Bearer {token}"} if token else {})


def numbers(world):
    answer = metrics_of(world)
    assert answer.status_code == 200
    found = {sample.name: sample.value for family in families(answer.text) for sample in family.samples}
    return {name.removeprefix("correspondence_"): value for name, value in found.items()}


def test_numbers_tell_what_waits_and_for_how_long(club):
    before = numbers(club)
    assert before["members"] == 2 and before["games_running"] == 0 == before["letters_late_seconds"]
    club.match("duel")
    club.clock.go(minutes=3)
    after = numbers(club)
    assert after["games_running"] == 1 and after["letters_waiting"] > before["letters_waiting"]
    assert (
        180 <= after["letters_late_seconds"] < 240
        and after["messages_late_seconds"] == 0 == after["deadlines_late_seconds"]
    )
    assert 0 < after["disk_free_bytes"] < after["disk_size_bytes"]


def test_robots_are_no_members_and_their_failing_turns_are_counted(club):
    robots = robots_in(club)
    challenge(club, "ann", "duel-robot-1", seat=1)
    with db.transaction(club.engine) as session:
        session.add(
            RobotTurn(player_id=2, match_id=1, ply=0, takebacks=0, due_at=club.time - timedelta(minutes=1), tries=3)
        )
    robots.stop()
    figures = numbers(club)
    assert figures["members"] == 2
    assert [figures[f"robot_turns_{what}"] for what in ("waiting", "failing", "late_seconds")] == [1, 1, 60]


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", TOKEN[:-1], "é"])
def test_whoever_lacks_the_token_is_told_nothing(club, token):
    answer = metrics_of(club, token)
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer"
    assert "members" not in answer.text and TOKEN not in answer.text


def test_where_no_token_is_set_there_is_no_such_address(town):
    for token in ("", "None", " "):
        assert metrics_of(town, token).status_code == 404


def test_numbers_name_nobody(club):
    club.match("plateau")
    assert not re.search(r"ann|bob|example|plateau", metrics_of(club).text)


def test_a_token_that_could_be_guessed_is_refused_at_the_start(tmp_path):
    with pytest.raises(SettingError, match="METRICS_TOKEN must have at least 20 characters"):
        with_defaults(Settings(instance_dir=str(tmp_path), metrics_token="secret"))


def test_the_dashboard_shows_every_number_and_none_that_there_is_not(club):
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text())["panels"]
    shown = {name for panel in panels for target in panel["targets"] for name in re.findall(r"\w{5,}", target["expr"])}
    with db.transaction(club.engine) as session:
        outages.record_heartbeat(session, now=club.time)
    assert shown == {f"correspondence_{name}" for name in numbers(club)}
