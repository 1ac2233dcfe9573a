"""Scenes as SVG: self-contained, with title and description for screen readers."""

from __future__ import annotations

from xml.sax.saxutils import escape

from engines.scene import Scene


def render(scene: Scene) -> str:
    """The scene as one SVG document."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img">'
        f"<title>{escape(scene.title)}</title><desc>{escape(scene.summary)}</desc></svg>"
    )
