"""The file of a month: records and a signed manifest in a reproducible ZIP.

Files are read as untrusted input: nothing is unpacked to disk, names and sizes are checked before reading, and the
manifest counts only if its signature is valid.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, BinaryIO

from correspondence.core.signing import Signer, check_signature
from engines.refusal import Refusal
from engines.verification.checks import check_record
from engines.verification.claims import ClaimState
from engines.verification.record_text import MOST_CHARACTERS
from engines.wording import _

CC0 = "CC0-1.0"
"""The SPDX name of the licence under which players may publish their games."""

FORMAT = "archive-1"
"""The format named in the manifest and its signature."""

MANIFEST, SIGNATURE, ABOUT = "manifest.json", "manifest.sig", "README.txt"
"""The names of the files in the ZIP besides the records."""

MOST_GAMES = 200_000
"""Maximum number of games checked in one file."""

MOST_BYTES = 2_000_000_000
"""Maximum unpacked size, in bytes; each part is read only to its declared length."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LONGEST_MANIFEST = 100_000_000
_RECORD_NAME = re.compile(r"games/[1-9][0-9]{0,11}\.record")
_ABOUT = """Finished games of {site}, ended in {month} (UTC).

games/N.record is the record of game N. manifest.json lists them with the SHA-256 of each file and its licence.
"CC0-1.0" means that both players gave the game to everybody: https://creativecommons.org/publicdomain/zero/1.0/
null means that nobody said so. Comments, and attempts at a deal of the day, are left out. Who has left is not named.

manifest.sig holds an Ed25519 signature, in base64, over these lines, joined by line feeds, with none at the end:
{format}
{site}
{month}
the SHA-256 of manifest.json in hex
The keys are at {site}/.well-known/correspondence-keys.json

"flask verify FILE" checks all of this and every record; docs/fairness.md says how to check without us.
"""


class MonthError(Refusal):
    """Raised for an invalid or unverified monthly file; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class GameOfMonth:
    """One finished game: its number, its public record, and whether all players chose CC0."""

    number: int
    record: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class WrittenMonth:
    """A written month: its bytes, its manifest, its number of games, and how many are CC0."""

    content: bytes
    manifest: str
    games: int
    free: int


def write_month(month: str, games: Sequence[GameOfMonth], signer: Signer) -> WrittenMonth:
    """Write the file of a month such as `2026-11`; `games` may be in any order.

    Raises SettingError if the key is unreadable.
    """
    ordered = sorted(games, key=lambda game: game.number)
    records = {f"games/{game.number}.record": game.record.encode() for game in ordered}
    listed = [
        {"game": game.number, "file": name, "sha256": sha256(raw).hexdigest(), "licence": CC0 if game.is_free else None}
        for game, (name, raw) in zip(ordered, records.items(), strict=True)
    ]
    site = signer.base_url
    manifest = json.dumps({"format": FORMAT, "site": site, "month": month, "games": listed}, indent=1) + "\n"
    key, signature = signer.sign_text(signed_text(site, month, manifest.encode()))
    files = {
        ABOUT: _ABOUT.format(site=site, month=month, format=FORMAT).encode(),
        MANIFEST: manifest.encode(),
        SIGNATURE: (json.dumps({"key": key, "signature": signature}, indent=1) + "\n").encode(),
        **records,
    }
    return WrittenMonth(_zipped(files), manifest, len(ordered), sum(game.is_free for game in ordered))


def signed_text(site: str, month: str, manifest: bytes) -> bytes:
    """Return the signed text of a month: format, site, month, and SHA-256 of the manifest."""
    return f"{FORMAT}\n{site}\n{month}\n{sha256(manifest).hexdigest()}".encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, raw in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, raw, compresslevel=9)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class CheckedMonth:
    """The result of checking a monthly file: its claimed site, its key, and its faults.

    The faults are sentences. `keys` are all keys with a signature in it.
    """

    site: str
    month: str
    key: str
    games: int
    free: int
    wrong: tuple[str, ...]
    keys: frozenset[str]


def check_month(file: BinaryIO) -> CheckedMonth:
    """Check signature, hashes and every record, but not the key's owner. Raises MonthError."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _checked(archive)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise MonthError(_("This is not a monthly archive: it can't be read as a ZIP file.")) from error


def _checked(archive: zipfile.ZipFile) -> CheckedMonth:
    names = archive.namelist()
    if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise MonthError(_("This is not a monthly archive: unpacked, it is larger than any of ours can be."))
    if len(names) > MOST_GAMES + 3 or len(set(names)) != len(names):
        raise MonthError(_("This is not a monthly archive: it has too many files, or one of them twice."))
    strange = next(
        (name for name in names if name not in (MANIFEST, SIGNATURE, ABOUT) and not _RECORD_NAME.fullmatch(name)), None
    )
    if strange is not None:
        raise MonthError(
            _("This is not a monthly archive: “{name}” doesn't belong in it.").format(name=ascii(strange[:60]))
        )
    raw = _read(archive, MANIFEST, _LONGEST_MANIFEST)
    manifest, signed = _json(raw, MANIFEST), _json(_read(archive, SIGNATURE, 10_000), SIGNATURE)
    site, month, key = (str(one) for one in (manifest.get("site"), manifest.get("month"), signed.get("key")))
    listed = _listed(manifest)
    wrong = []
    if not check_signature(key, str(signed.get("signature")), signed_text(site, month, raw)):
        wrong.append(_("The signature does not match the manifest."))
    records = {name for name in names if _RECORD_NAME.fullmatch(name)}
    wrong += [_("{name} is not in the manifest.").format(name=name) for name in sorted(records - listed.keys())]
    keys = {key}
    wrong += [sentence for name, entry in listed.items() for sentence in _trouble(archive, name, entry, records, keys)]
    return CheckedMonth(
        site,
        month,
        key,
        len(listed),
        sum(row.get("licence") == CC0 for row in listed.values()),
        tuple(wrong),
        frozenset(keys),
    )


def _listed(manifest: dict[str, Any]) -> dict[str, dict[str, Any]]:
    rows = manifest.get("games")
    if manifest.get("format") != FORMAT or not isinstance(rows, list) or len(rows) > MOST_GAMES:
        raise MonthError(_("The manifest cannot be read."))
    if not all(isinstance(row, dict) and isinstance(row.get("file"), str) for row in rows):
        raise MonthError(_("The manifest cannot be read."))
    return {row["file"]: row for row in rows}


def _trouble(
    archive: zipfile.ZipFile, name: str, row: dict[str, Any], records: set[str], keys: set[str]
) -> Iterator[str]:
    """Return the faults of one record of the manifest as sentences; add its keys to `keys`."""
    if name not in records:
        yield _("{name} is in the manifest, but not in the archive.").format(name=ascii(name[:60]))
        return
    raw = _read(archive, name, 4 * MOST_CHARACTERS)
    if sha256(raw).hexdigest() != row.get("sha256"):
        yield _("{name} doesn't have the SHA-256 that the manifest gives.").format(name=name)
        return
    report = check_record(raw.decode("utf-8", "replace"), check_signature)
    if report.record is not None:
        keys.update(key for name in ("Key", "EndKey") if (key := report.record.tags.get(name)))
    if report.state == ClaimState.WRONG and report.first_wrong is not None:
        yield _("{name}: {why}").format(name=name, why=report.first_wrong.sentence)


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Read a file in the ZIP; raise MonthError if it is missing or too large."""
    try:
        with archive.open(name) as opened:
            raw = opened.read(most + 1)
    except (KeyError, zipfile.BadZipFile, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
        raise MonthError(_("{name} cannot be read.").format(name=name)) from error
    if len(raw) > most:
        raise MonthError(_("{name} is larger than any file of its kind.").format(name=name))
    return raw


def _json(raw: bytes, name: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise MonthError(_("{name} cannot be read.").format(name=name)) from error
    if not isinstance(value, dict):
        raise MonthError(_("{name} cannot be read.").format(name=name))
    return value
