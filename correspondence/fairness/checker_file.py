"""Build the standalone checker `verify.pyz`, which runs on any Python from 3.11.

It contains the engines and `engines.verification`, and needs only the standard library. Without the package
`cryptography` it reports that signatures were not checked. The build is reproducible.
"""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

import engines

_MAIN = '''"""Check records: python verify.pyz FILE..."""

import base64
import sys

from engines.verification.command import main


def check_signature(key, signature, message):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
        public.verify(base64.b64decode(signature, validate=True), message)
    except (ValueError, InvalidSignature):
        return False
    return True


sys.exit(main(sys.argv[1:], check_signature))
'''

_EPOCH = (1980, 1, 1, 0, 0, 0)


@cache
def checker_file() -> bytes:
    """Return the bytes of `verify.pyz`."""
    folder = Path(engines.__file__).parent
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".html", ".record"))
    buffer = io.BytesIO(b"")
    buffer.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry("__main__.py"), _MAIN)
        for path in files:
            archive.writestr(_entry(f"engines/{path.relative_to(folder).as_posix()}"), path.read_bytes())
    return buffer.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
