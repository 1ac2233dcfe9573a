"""Warm up before lives are forked, so that code and pictures are already loaded, compiled and drawn.

Only the process from which lives are forked imports this module.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from pathlib import Path

from correspondence.render import raster
from tests.conftest import SMALL
from tests.mail_failures import kills
from tests.world import mail_world

__all__ = ["kills"]


def play_by_mail(folder: Path) -> None:
    """Process a mail with a move and an empty one, with their answers."""
    town = mail_world(folder)
    town.join("ann", "bob", receipts=True)
    town.match()
    letter = town.letter("ann")
    town.answer(letter, "c3/f2=B\nGood luck!")
    town.close()


logging.disable()
sys.modules["pyvips"] = None  # libvips does not survive a fork: each life loads its own
raster.BOARD_SCALE = SMALL
with tempfile.TemporaryDirectory() as name:
    play_by_mail(Path(name))
del sys.modules["pyvips"]
