"""Beginnings that many worlds share: people join, games start and moves are made once, and later worlds get a copy.

A world that does first of all what other worlds did first of all, on like settings, at the same time and with the same
dice, is where they were. So it takes their rows, letters and web sessions instead of making them anew. What was done by
one world alone is not kept; what two have done is, in a folder for all workers of a run.

Nothing is shared where it would matter how something was done: while a test watches the database or what is printed and
logged (`WATCHING`), in threads, while pages are served, and after anything was written that was no step. What a test has
patched belongs to what was done.
"""

from __future__ import annotations

import atexit
import copy
import os
import pickle
import shutil
import tempfile
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tests.patches import patched

MOST_STEPS = 16
"""Longer beginnings are not shared: few other worlds begin so."""

WATCHING = frozenset({"caplog", "capsys", "capfd", "capsysbinary", "capfdbinary", "recwarn"})
"""The fixtures with which a test watches how something is done."""

_EVENTS = ("before_cursor_execute", "after_cursor_execute", "begin", "commit", "rollback")


@dataclass(frozen=True)
class Kept:
    """What a step left: the rest of the world beside the file of the database, and what the step returned."""

    time: datetime
    dice: tuple[object, ...]
    keys: dict[str, str]
    letters: list[Any]
    result: Any


class Beginning:
    """How far one world has done nothing but steps that other worlds may take over; it ends with anything else."""

    is_watched = False
    """Whether the test that runs watches how something is done."""

    def __init__(self, world: Any, file: Path) -> None:
        folder = str(file.parent)
        on = tuple(str(getattr(world.settings, one.name)).replace(folder, "") for one in fields(world.settings))
        self.world, self.file, self._steps = world, file, 0
        self._past, self._settings = _digest(on), world.settings
        self._listeners = self._listening()
        self._left: object = self._stamp()

    def end(self) -> None:
        """Nothing is shared from now on: others look into the database at any moment."""
        self._left = None

    def step(self, name: str, words: object, act: Callable[[], Any]) -> Any:
        """Do what `act` does, or take what it did in a world that began alike; returns what it returns."""
        if not self._goes_on():
            self._left = None
            return act()
        self._left, self._steps = None, self._steps + 1
        moment, letters = (self.world.time, self.world.rng.getstate()), (self.world.delivers, len(self.world.received))
        self._past = _digest(self._past, name, repr(words), moment, letters, patched())
        kept = KEPT.find(self._past)
        result = self._taken(kept) if kept is not None else self._done(act)
        self._left = self._stamp()
        return result

    def _goes_on(self) -> bool:
        """Whether nothing was done but steps, and nobody watches; a step within a step is part of it."""
        return (
            self._left is not None
            and self._steps < MOST_STEPS
            and not self.is_watched
            and self.world.settings is self._settings
            and threading.current_thread() is threading.main_thread()
            and self._listening() == self._listeners
            and not self.world.engine.pool.checkedout()
            and self._stamp() == self._left
        )

    def _listening(self) -> tuple[int, ...]:
        return tuple(len(list(getattr(self.world.engine.dispatch, name))) for name in _EVENTS)

    def _stamp(self) -> object:
        """The state of the database's files, which whoever only looks leaves as they are."""
        files = (self.file, self.file.with_name(f"{self.file.name}-wal"))
        found = [file.stat() for file in files if file.exists()]
        return [(one.st_mtime_ns, one.st_size) for one in found if one.st_size]

    def _taken(self, kept: Kept) -> Any:
        self.world.engine.dispose()
        shutil.copyfile(KEPT.file_of(self._past), self.file)
        self.world.time = kept.time
        self.world.rng.setstate(kept.dice)
        self.world.keys.update(kept.keys)
        self.world.received.letters[:] = [letter.taken_over(self.world.settings) for letter in kept.letters]
        return copy.deepcopy(kept.result)

    def _done(self, act: Callable[[], Any]) -> Any:
        result = act()
        if KEPT.was_done_before(self._past):
            self.world.engine.dispose()
            letters, dice = list(self.world.received.letters), self.world.rng.getstate()
            KEPT.keep(self._past, self.file, Kept(self.world.time, dice, dict(self.world.keys), letters, result))
        return result


def _digest(*words: object) -> bytes:
    return blake2b(pickle.dumps(words), digest_size=16).digest()


class _Keeping:
    """What two worlds have done, in a folder that all workers of a run see: a database, and the rest of the world."""

    def __init__(self) -> None:
        self._known: dict[bytes, Kept] = {}
        self._folder: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of this run; made when it is first needed, and removed by the process that began the run."""
        if self._folder is None:
            self._folder = Path(os.environ.get(_FOLDER) or make_folder())
        return self._folder

    def file_of(self, past: bytes) -> Path:
        """Where the database is kept."""
        return self.folder / f"{past.hex()}.db"

    def find(self, past: bytes) -> Kept | None:
        """What is kept of this, if anything is."""
        if past not in self._known and (rest := self.folder / f"{past.hex()}.rest").exists():
            self._known[past] = pickle.loads(rest.read_bytes())
        return self._known.get(past)

    def was_done_before(self, past: bytes) -> bool:
        """Whether somebody has done this before; whoever asks has now."""
        try:
            (self.folder / past.hex()).touch(exist_ok=False)
        except FileExistsError:
            return True
        return False

    def keep(self, past: bytes, file: Path, kept: Kept) -> None:
        """Keep a world for all workers; one after the other, so that nobody finds half of it."""
        try:
            written = pickle.dumps(kept)
        except (pickle.PicklingError, AttributeError, TypeError):
            return
        with _whole(self.file_of(past)) as new:
            shutil.copyfile(file, new)
        with _whole(self.folder / f"{past.hex()}.rest") as new:
            new.write_bytes(written)


@contextmanager
def _whole(file: Path):
    """Context manager: a file to write, which is then put in its place at once."""
    new = file.with_name(f"{file.name}.{os.getpid()}")
    yield new
    new.replace(file)


KEPT = _Keeping()

_FOLDER = "BEGINNINGS_OF_TESTS"


def make_folder() -> str:
    """Make the folder of a run, of which the workers that are started now know; it is gone when this process ends."""
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="beginnings")
    atexit.register(_remove, os.environ[_FOLDER], os.getpid())
    return os.environ[_FOLDER]


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
