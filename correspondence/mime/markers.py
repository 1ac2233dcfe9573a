"""The line in each of our letters above which people write their answer, by language."""

from __future__ import annotations

OUR_MARKERS: tuple[str, ...] = (
    "--- write your answer above this line ---",
    "--- scrivi la tua risposta sopra questa riga ---",
)
"""The marker lines, one per language; below them a letter contains only our own text."""
