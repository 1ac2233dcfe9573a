"""What every life does, done once before lives are forked: all is loaded, compiled and drawn already when they begin.

It is imported by the process from which lives are forked, and by nobody else.
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
    """A mail with a move is taken in and answered, and so is one that says nothing."""
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
