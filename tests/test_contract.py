"""The contract suite that packages use (`correspondence.testing`), asked of all games here and every option set."""

from __future__ import annotations

import engines
from correspondence.testing.contract import *  # noqa: F403
from correspondence.testing.walks import WALKS
from tests import games
from tests.sizes import sampled

pytest_plugins = ["correspondence.testing"]
GAMES = tuple(engines.GAMES)
CASES = games.CASES
SEEDS = sampled(range(WALKS), every=WALKS)
