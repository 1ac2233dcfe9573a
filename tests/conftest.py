from __future__ import annotations

import pytest

from tests.post import Town


@pytest.fixture
def town(tmp_path):
    town = Town(tmp_path)
    yield town
    town.close()
