"""Games of entrants who take the place of somebody who never showed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from correspondence.features.tournaments.formats.field import Field, Pairing, Result

__all__ = ["replacements"]


def replacements(field: Field) -> Iterator[Pairing]:
    """Yield, for each void pairing of the latest round with a replaced entrant, that of the replacement."""
    for pairing in field.of_round(field.round):
        holders = (field.holder(pairing.seats[0]), field.holder(pairing.seats[1]))
        taken = replace(pairing, seats=holders, game=None, result=Result.RUNNING, ended_at=None, timed_out=None)
        if pairing.result is Result.VOID and holders != pairing.seats and taken.key not in field.by_key:
            yield taken
