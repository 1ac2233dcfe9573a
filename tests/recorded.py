"""Load the whole games in tests/records, and the samples in the packages of games."""

from __future__ import annotations

from pathlib import Path

from correspondence.testing.sample_record import SampleRecord, read_sample
from engines import GAMES

RECORDS = Path(__file__).parent / "records"


def recorded(name: str) -> SampleRecord:
    """Return the record or sample of this name."""
    key = name.removesuffix("-sample")
    return read_sample(
        GAMES[key].presentation.sample() if key != name else RECORDS.joinpath(f"{name}.record").read_text()
    )
