from __future__ import annotations

import os

import pytest

from tests.post import Town
from tests.postgres import postgres_url
from tests.world import make_world

__all__ = ["postgres_url"]


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
