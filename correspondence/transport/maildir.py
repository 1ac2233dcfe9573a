"""Maildir folders: one file for each letter, written so that a crash leaves a whole letter or none.

A letter is written and synced in `tmp`, then renamed into `new`; other programs move what they have
shown to `cur`. The same folder can be opened by any mail program while we write to it.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

MOST_SHOWN = 100
"""The most letters that a list shows."""

SIZE_LIMIT = 4 << 20
"""Bytes of a letter that are read for showing."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class KeptLetter:
    """A letter in a folder, taken apart for showing: decoded headers, both bodies, pictures by Content-ID.

    `key` names it in its folder. `html` is as it was sent: show it where no script can run.
    """

    key: str
    headers: tuple[tuple[str, str], ...]
    text: str = ""
    html: str = ""
    images: dict[str, bytes] = field(default_factory=dict)

    def header(self, name: str) -> str:
        """The first header of that name; empty where there is none."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), "")


def deliver(folder: Path, raw: bytes) -> str:
    """Put a letter into `new`, durably; returns its key. Makes the folder. Raises OSError."""
    make(folder)
    key = f"{time.time_ns() // 1000}.P{os.getpid()}Q{next(_numbers)}R{os.urandom(4).hex()}.here"
    draft = folder / "tmp" / key
    with draft.open("xb") as out:
        out.write(raw)
        out.flush()
        os.fsync(out.fileno())
    draft.rename(folder / "new" / key)
    sync(folder / "new")
    return key


def make(folder: Path) -> None:
    """Make the three folders of a Maildir where they are missing; only this user may read them."""
    for name in ("tmp", "new", "cur"):
        (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)


def sync(folder: Path) -> None:
    """Make renames in `folder` durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def letters_in(path: str | Path, most: int = MOST_SHOWN) -> list[KeptLetter]:
    """The letters in a folder, newest first; one that went away meanwhile is left out."""
    newest = sorted(_files(Path(path)), key=_age)[:most]
    return [letter for letter in map(_opened, newest) if letter is not None]


def read_letter(path: str | Path, key: str) -> KeptLetter | None:
    """One letter by its key; None where there is none of that key."""
    return next((_opened(file) for file in _files(Path(path)) if _key(file) == key), None)


def _files(folder: Path) -> list[Path]:
    places = (folder / name for name in ("new", "cur"))
    return [file for place in places if place.is_dir() for file in place.iterdir() if file.name[:1] != "."]


def _key(file: Path) -> str:
    return file.name.partition(":")[0]


def _age(file: Path) -> tuple[int, str]:
    try:
        return -file.stat().st_mtime_ns, file.name
    except OSError:
        return 0, file.name


def _opened(file: Path) -> KeptLetter | None:
    try:
        with file.open("rb") as source:
            return _taken_apart(_key(file), source.read(SIZE_LIMIT))
    except OSError:
        return None


def _taken_apart(key: str, raw: bytes) -> KeptLetter:
    try:
        message = message_from_bytes(raw, policy=default)
        texts, pages, images = _contents(message)
        return KeptLetter(key, _headers(message), "\n".join(texts), "\n".join(pages), images)
    except Exception:  # foreign mail in the folder can make the standard library raise almost anything
        return KeptLetter(key, (), raw[:10_000].decode("utf-8", "replace"))


def _contents(message: EmailMessage) -> tuple[list[str], list[str], dict[str, bytes]]:
    texts, pages, images = [], [], {}
    for part in message.walk():
        kind = part.get_content_type()
        if kind == "text/plain":
            texts.append(part.get_content())
        elif kind == "text/html":
            pages.append(part.get_content())
        elif part.get_content_maintype() == "image":
            images[str(part["Content-ID"] or "").strip("<> ")] = bytes(part.get_payload(decode=True) or b"")
    return texts, pages, images


def _headers(message: EmailMessage) -> tuple[tuple[str, str], ...]:
    return tuple((name, re.sub(r"\s+", " ", str(message[name]))) for name in dict.fromkeys(message.keys()))
