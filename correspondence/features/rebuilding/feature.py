"""The feature's value; its command is an entry point (pyproject.toml)."""

from __future__ import annotations

from pathlib import Path

from correspondence.features import Feature

FEATURE = Feature(name="rebuilding", folder=Path(__file__).parent)
