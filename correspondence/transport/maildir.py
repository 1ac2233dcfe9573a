"""Maildir folders: one file per letter, complete or absent even after a crash.

A letter is written and synced in `tmp`, then renamed into `new`; mail programs move letters that they have shown to
`cur`. A mail program can use the folder at the same time.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

from correspondence.mime import policy

MOST_SHOWN = 100
"""Maximum number of letters in a list."""

SIZE_LIMIT = 4 << 20
"""Maximum size of a letter that is read for showing it, in bytes."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A letter in a folder, parsed for display: decoded headers, bodies, images by Content-ID.

    `key` identifies it in its folder. `html` is not sanitised: show it only if no script can run.
    """

    key: str
    headers: tuple[tuple[str, str], ...]
    text: str = ""
    html: str = ""
    images: dict[str, bytes] = field(default_factory=dict)

    def header(self, name: str) -> str:
        """Return the first header of that name; empty if there is none."""
        return next((value for field_name, value in self.headers if field_name.lower() == name.lower()), "")


def deliver(folder: Path, raw: bytes) -> str:
    """Write a letter durably into `new`, creating the folder; return its key. Raises OSError."""
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
    """Create the missing folders of a Maildir, readable by this user only."""
    for name in ("tmp", "new", "cur"):
        (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)


def sync(folder: Path) -> None:
    """Make renames in `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def letters_in(path: str | Path, most: int = MOST_SHOWN) -> list[StoredLetter]:
    """Return the letters in a folder, newest first, without any removed meanwhile."""
    newest = sorted(_files(Path(path)), key=_age)[:most]
    return [letter for letter in map(_read, newest) if letter is not None]


def read_letter(path: str | Path, key: str) -> StoredLetter | None:
    """Return the letter with this key; None if there is none."""
    return next((_read(file) for file in _files(Path(path)) if _key(file) == key), None)


def _files(folder: Path) -> list[Path]:
    subfolders = (folder / name for name in ("new", "cur"))
    return [
        file for subfolder in subfolders if subfolder.is_dir() for file in subfolder.iterdir() if file.name[:1] != "."
    ]


def _key(file: Path) -> str:
    return file.name.partition(":")[0]


def _age(file: Path) -> tuple[int, str]:
    try:
        return -file.stat().st_mtime_ns, file.name
    except OSError:
        return 0, file.name


def _read(file: Path) -> StoredLetter | None:
    try:
        with file.open("rb") as source:
            return _parse(_key(file), source.read(SIZE_LIMIT))
    except OSError:
        return None


def _parse(key: str, raw: bytes) -> StoredLetter:
    try:
        message = message_from_bytes(raw, policy=policy.READ)
        texts, pages, images = _contents(message)
        return StoredLetter(key, _headers(message), "\n".join(texts), "\n".join(pages), images)
    except Exception:  # foreign mail in the folder can make the standard library raise almost anything
        return StoredLetter(key, (), raw[:10_000].decode("utf-8", "replace"))


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
