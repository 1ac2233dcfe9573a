"""Reading the whole games that stand in tests/records, and the samples that lie with their games."""

from __future__ import annotations

from pathlib import Path

from correspondence.testing.sample_record import SampleRecord, read_sample
from engines import GAMES

RECORDS = Path(__file__).parent / "records"


def recorded(name: str) -> SampleRecord:
    """The record of that name; the samples lie with their games."""
    key = name.removesuffix("-sample")
    return read_sample(
        GAMES[key].presentation.sample() if key != name else RECORDS.joinpath(f"{name}.record").read_text()
    )
