"""What becomes of the games of entrants who left a section in which all play all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from correspondence.features.tournaments.formats.field import Field, Pairing, Result

__all__ = ["merged", "settle", "struck", "undecided"]


def merged(field: Field, planned: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return the planned pairings, each as the field has it if it has been recorded."""
    return tuple(field.by_key.get(pairing.key, pairing) for pairing in planned)


def struck(field: Field, pairings: Sequence[Pairing]) -> frozenset[int]:
    """Return the leavers whose last game has ended with fewer than half of their games completed."""
    return frozenset(
        one for one in _leavers(field, pairings) if not _is_half(field, pairings, one) and not _plays(pairings, one)
    )


def undecided(field: Field, pairings: Sequence[Pairing]) -> frozenset[int]:
    """Return the leavers who may still be struck, because games of theirs run."""
    return frozenset(
        one for one in _leavers(field, pairings) if not _is_half(field, pairings, one) and _plays(pairings, one)
    )


def settle(field: Field, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return the pairings of a section as they count.

    All games of struck leavers are void. Games that other leavers owe are lost, those between two leavers void.
    """
    if not field.leavers:
        return tuple(pairings)
    out, open_ones = struck(field, pairings), undecided(field, pairings)
    left = _leavers(field, pairings) - open_ones
    return tuple(_counted(pairing, out, left, open_ones) for pairing in pairings)


def _counted(pairing: Pairing, out: frozenset[int], left: frozenset[int], open_ones: frozenset[int]) -> Pairing:
    if not out.isdisjoint(pairing.seats):
        return replace(pairing, result=Result.VOID)
    if not pairing.is_running or pairing.game is not None or not open_ones.isdisjoint(pairing.seats):
        return pairing
    gone = [seat for seat in pairing.seats if seat in left]
    if len(gone) == 2:
        return replace(pairing, result=Result.VOID)
    return pairing.lost_by(gone[0]) if gone else pairing


def _leavers(field: Field, pairings: Sequence[Pairing]) -> frozenset[int]:
    return field.leavers and frozenset(seat for p in pairings for seat in p.seats if seat in field.leavers)


def _is_half(field: Field, pairings: Sequence[Pairing], leaver: int) -> bool:
    own = [pairing for pairing in pairings if leaver in pairing.seats]
    return 2 * sum(_is_completed(field, pairing, leaver) for pairing in own) >= len(own)


def _plays(pairings: Sequence[Pairing], leaver: int) -> bool:
    return any(p.is_running and p.game is not None and leaver in p.seats for p in pairings)


def _is_completed(field: Field, pairing: Pairing, leaver: int) -> bool:
    """Whether a game ended otherwise than on the leaver's own time after leaving, or by being owed."""
    if pairing.is_running or pairing.result is Result.VOID:
        return False
    if pairing.is_unplayed:
        return pairing.points(leaver) > 0
    left_at, ended_at = field.by_id[leaver].left_at, pairing.ended_at
    is_after = left_at is None or ended_at is None or ended_at > left_at
    return not (pairing.timed_out == leaver and is_after)
