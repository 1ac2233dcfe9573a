"""Cached first steps of test worlds: joins, games and moves happen once, later worlds get a copy.

Two worlds with equal settings, clock and dice that begin with the same steps are in the same state. So
the second one copies the rows, letters and web sessions of the first. Steps that only
one world takes are not cached; steps of two are, in a folder shared by all workers of a run.

Nothing is copied if a test observes how steps happen: while it watches the database or the output and
logs (`WATCHING`), in threads, while pages are served, and after a write that was not a step. The patches of a test
are part of the cache key.
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
"""Maximum number of cached steps; few worlds share a longer beginning."""

WATCHING = frozenset({"caplog", "capsys", "capfd", "capsysbinary", "capfdbinary", "recwarn"})
"""Fixtures with which a test observes how steps happen."""

_EVENTS = ("before_cursor_execute", "after_cursor_execute", "begin", "commit", "rollback")


@dataclass(frozen=True)
class Kept:
    """A cached step: the state of the world outside the database file, and the step's result."""

    time: datetime
    dice: tuple[object, ...]
    keys: dict[str, str]
    letters: list[Any]
    result: Any


class Beginning:
    """The steps of one world so far; anything else than a step ends the beginning."""

    is_watched = False
    """Whether the current test observes how steps happen."""

    def __init__(self, world: Any, file: Path) -> None:
        folder = str(file.parent)
        on = tuple(str(getattr(world.settings, one.name)).replace(folder, "") for one in fields(world.settings))
        self.world, self.file, self._steps = world, file, 0
        self._past, self._settings = _digest(on), world.settings
        self._listeners = self._listening()
        self._left: object = self._stamp()

    def end(self) -> None:
        """End the beginning, because something else may now read the database at any time."""
        self._left = None

    def step(self, name: str, words: object, act: Callable[[], Any]) -> Any:
        """Run `act`, or copy its effect from a world with the same beginning; return its result."""
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
        """Whether only steps have happened so far, not too many, and no test observes them."""
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
        """Return the state of the database files, which reading does not change."""
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
    """The cache of steps in a folder shared by all workers: databases, and the rest of the worlds."""

    def __init__(self) -> None:
        self._known: dict[bytes, Kept] = {}
        self._folder: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of this run, made on first use; the process that began the run removes it."""
        if self._folder is None:
            self._folder = Path(os.environ.get(_FOLDER) or make_folder())
        return self._folder

    def file_of(self, past: bytes) -> Path:
        """Return the path of a cached database."""
        return self.folder / f"{past.hex()}.db"

    def find(self, past: bytes) -> Kept | None:
        """Return the cached step, or None."""
        if past not in self._known and (rest := self.folder / f"{past.hex()}.rest").exists():
            self._known[past] = pickle.loads(rest.read_bytes())
        return self._known.get(past)

    def was_done_before(self, past: bytes) -> bool:
        """Whether a world has done this before; also records that one has now."""
        try:
            (self.folder / past.hex()).touch(exist_ok=False)
        except FileExistsError:
            return True
        return False

    def keep(self, past: bytes, file: Path, kept: Kept) -> None:
        """Cache a world for all workers, under a lock, so that none reads an incomplete one."""
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
    """Context manager: yield a temporary file, then move it to its place atomically."""
    new = file.with_name(f"{file.name}.{os.getpid()}")
    yield new
    new.replace(file)


KEPT = _Keeping()

_FOLDER = "BEGINNINGS_OF_TESTS"


def make_folder() -> str:
    """Make the folder of a run, inherited by workers started now; removed when this process ends."""
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="beginnings")
    atexit.register(_remove, os.environ[_FOLDER], os.getpid())
    return os.environ[_FOLDER]


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
