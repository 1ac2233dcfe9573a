"""Static files of the service and of its features."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import current_app

_STATIC = "static"


def is_static(endpoint: str | None) -> bool:
    """Whether an endpoint serves static files."""
    return endpoint is not None and endpoint.rpartition(".")[2] == _STATIC


def static_file(endpoint: str, name: str) -> Path:
    """Return the static file that an endpoint serves under a name."""
    blueprint = endpoint.rpartition(".")[0]
    owner = current_app.blueprints[blueprint] if blueprint else current_app
    assert owner.static_folder is not None
    return Path(owner.static_folder) / name


@cache
def version_of(file: Path) -> str:
    """Return a hash of a static file's content, for its URL."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:10]
