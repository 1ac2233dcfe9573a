"""Knockout: who loses a tie is out.

A tie is two games with the seats exchanged; if level, two more; then less counted time, then the higher seed. It
begins as soon as both entrants are known. From four entrants on, the losers of the semi-finals play for third place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from correspondence.features.tournaments.formats.bracket import FREE, Tie, bracket, third_place
from correspondence.features.tournaments.formats.field import Bye, Field, Pairing, Result, Row, Upcoming

__all__ = ["is_over", "next_pairings", "settled", "standings"]


def next_pairings(field: Field) -> Upcoming:
    """Return the games of all ties that are due, and at the start the byes of the strongest."""
    ties = list(_ties(field))
    pairings = [pairing for tie in ties for pairing in _due(field, tie)]
    known = {bye.entrant for bye in field.byes}
    free = [tie.winner for tie in ties if tie.is_free and tie.winner not in {*known, FREE, None}]
    return Upcoming(tuple(pairings), tuple(Bye(round=1, entrant=one, points=0.0) for one in free if one))


def standings(field: Field) -> tuple[Row, ...]:
    """Return the rows by the round reached. Losers of one round share a rank, robots below people."""
    rounds = bracket(field)
    places = {entrant.id: _place(field, rounds, entrant.id) for entrant in field.placed}
    order = sorted(places, key=lambda one: (places[one], field.by_id[one].seed))
    return tuple(_row(field, one, places[one]) for one in order)


def is_over(field: Field) -> bool:
    """Whether every tie has been won."""
    return all(tie.winner is not None for tie in _ties(field))


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games as they count."""
    return field.pairings


def _ties(field: Field) -> Iterator[Tie]:
    rounds = bracket(field)
    yield from (tie for of_round in rounds for tie in of_round)
    third = third_place(field, rounds)
    if third is not None:
        yield third


def _due(field: Field, tie: Tie) -> Iterator[Pairing]:
    """Yield the games of a tie that begin; those of a barred entrant are lost without a game."""
    if not tie.legs_to_begin or not tie.one or not tie.other:
        return
    first, second = sorted((tie.one, tie.other), key=lambda one: field.by_id[one].seed)
    barred = [seat for seat in (first, second) if field.is_barred(seat)]
    for leg in tie.legs_to_begin:
        pairing = Pairing(round=tie.round, seats=(first, second) if leg % 2 else (second, first), leg=leg)
        if len(barred) == 2:
            yield replace(pairing, result=Result.VOID)
        else:
            yield pairing.lost_by(barred[0]) if barred else pairing


def _place(field: Field, rounds: Sequence[Sequence[Tie]], entrant: int) -> tuple[int, int, int]:
    """Return rank, best and worst of an entrant."""
    tie = next((t for of_round in reversed(rounds) for t in of_round if entrant in (t.one, t.other)), None)
    if tie is None:
        return 1, 1, 1
    third = third_place(field, rounds)
    if tie.winner == entrant:
        return 1, 1, 1
    if tie.winner is None:
        further = sum(t.winner is not None for t in rounds[tie.round - 1])
        return 1 + further, 1, _worst(field, rounds, tie.round, entrant)
    if third is not None and tie.round == len(rounds) - 1:
        return _place_in(third, entrant)
    return _place_of_loser(field, rounds, tie.round, entrant)


def _place_in(third: Tie, entrant: int) -> tuple[int, int, int]:
    if third.winner is None:
        return 3, 3, 4
    rank = 3 if third.winner == entrant else 4
    return rank, rank, rank


def _worst(field: Field, rounds: Sequence[Sequence[Tie]], number: int, entrant: int) -> int:
    """Return the rank of losing in a round, for a robot the lowest one."""
    losing = len(rounds[number - 1]) + 1
    losers = sum(not tie.is_free for tie in rounds[number - 1])
    has_third = len(field.placed) >= 4 and number == len(rounds) - 1
    return losing + losers - 1 if field.by_id[entrant].is_robot or has_third else losing


def _place_of_loser(field: Field, rounds: Sequence[Sequence[Tie]], number: int, entrant: int) -> tuple[int, int, int]:
    """Return the shared rank of the losers of a round; that of robots follows when all of its losers are known."""
    ties = [tie for tie in rounds[number - 1] if not tie.is_free]
    losing = len(rounds[number - 1]) + 1
    if not field.by_id[entrant].is_robot:
        return losing, losing, losing
    losers = [tie.loser for tie in ties if tie.loser is not None]
    robots = sum(field.by_id[one].is_robot for one in losers)
    best, worst = losing + len(losers) - robots, losing + len(ties) - robots
    return best, best, worst


def _row(field: Field, entrant: int, place: tuple[int, int, int]) -> Row:
    rank, best, worst = place
    own = field.of_entrant(entrant)
    return Row(
        entrant=entrant,
        round=max((pairing.round for pairing in own), default=1),
        rank=rank,
        points=sum(pairing.points(entrant) for pairing in own),
        played=sum(not p.is_running and p.result is not Result.VOID for p in own),
        best=best,
        worst=worst,
        seats=field.seats_of(entrant),
    )
