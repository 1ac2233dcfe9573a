"""Locations of files that are not code: templates, migrations, deployment files and documents."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """Return the folder `templates`, `migrations`, `deploy` or `docs` of the package or checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
