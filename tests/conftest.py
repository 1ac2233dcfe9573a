from __future__ import annotations

import pytest

from tests.post import Town
from tests.postgres import postgres_url
from tests.world import make_world

__all__ = ["postgres_url"]


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
