"""A correspondence game service: partners found, moves checked, games kept, by mail and on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from correspondence.core.config import Settings

__all__ = ["create_app", "load_features"]


def create_app(settings: Settings | None = None) -> Flask:
    """Make the application (`correspondence.factory.create_app`), importing its parts only now."""
    from correspondence.factory import create_app as made

    return made(settings)


def load_features() -> None:
    """Import every feature, for a command that needs all tables but no application."""
    from correspondence.features import load

    load()
