"""The line in each of our letters above which an answer is written."""

from __future__ import annotations

OUR_MARKERS: tuple[str, ...] = (
    "--- write your answer above this line ---",
    "--- scrivi la tua risposta sopra questa riga ---",
)
"""The lines, one per language, below which a letter contains only our own text."""
