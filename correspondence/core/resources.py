"""Finds the files that are not code: templates of pages and letters, migrations, and what is installed beside them."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The folder `templates`, `migrations` or `deploy`: inside an installed package, beside it in a checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
