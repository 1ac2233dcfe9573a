"""Scenes as text boards: at most 72 columns, printable ASCII."""

from __future__ import annotations

from engines.scene import Scene

WIDTH = 72
"""The widest line of a text board, in characters."""


def render(scene: Scene) -> str:
    """The scene as lines of printable ASCII, at most `WIDTH` columns wide."""
    width = max(len(cell.text) for row in scene.rows for cell in row)
    lines = [
        f"{label} " + " ".join(cell.text.ljust(width) for cell in row).rstrip()
        for label, row in zip(scene.ranks, scene.rows, strict=True)
    ]
    lines.append("  " + " ".join(label.ljust(width) for label in scene.files).rstrip())
    return "\n".join(lines)
