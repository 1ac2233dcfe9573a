from __future__ import annotations

import os

import pytest

from tests.post import Town
from tests.postgres import postgres_url
from tests.world import make_world

__all__ = ["postgres_url"]


HEAVY = (
    "mail_failures/test_bombs", "browser/test_accessibility", "mail_failures/test_kills", "test_every_game_by_mail",
    "test_near_secrets", "browser/test_any_width", "browser/test_journeys", "browser/test_every_game_on_pages",
    "mail_failures/test_quoted_secrets", "attacks/test_hostile_queries", "test_sixth_game", "test_wheel",
    "test_private_files", "test_commands_of_flask", "mail_failures/test_storms", "test_real_mail",
)  # fmt: skip
"""The files that take longest; they are begun first, so that no worker is left with one at the end."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each file to one worker, so that what a file sets up once is set up once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(HEAVY)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("tests/")[2].partition(".py")[0], len(order)))


@pytest.fixture(autouse=True)
def usual_umask():
    """What a process of ours does to its umask touches no later test: other servers' users must read their files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def town(tmp_path):
    town = Town(tmp_path)
    yield town
    town.close()


@pytest.fixture
def world(tmp_path):
    world = make_world(tmp_path)
    yield world
    world.close()
