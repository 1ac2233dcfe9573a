"""The bracket of a knockout: who meets whom in each round, and who won, as far as it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from correspondence.features.tournaments.formats.field import Field, Pairing, Result

__all__ = ["FREE", "LEGS", "Tie", "bracket", "third_place"]

FREE = 0
"""Stands in the bracket for an opponent who does not exist."""

LEGS = 2
"""Games that are played at once, with the seats exchanged."""

MAX_LEGS = 4
"""Number of games after which used time decides."""


@dataclass(frozen=True)
class Tie:
    """One pairing of the bracket. Ids are None while unknown; `FREE` means no opponent."""

    round: int
    one: int | None
    other: int | None
    games: tuple[Pairing, ...] = ()
    winner: int | None = None
    legs_to_begin: tuple[int, ...] = ()
    """Numbers of the games that are due."""

    @property
    def loser(self) -> int | None:
        """Id of the loser; None while unknown, `FREE` if there was no opponent."""
        if self.winner is None:
            return None
        return self.other if self.winner == self.one else self.one

    @property
    def is_free(self) -> bool:
        """Whether one side has no opponent."""
        return FREE in (self.one, self.other)


def bracket(field: Field) -> tuple[tuple[Tie, ...], ...]:
    """Return the ties of each round, first round first, so that ties 2n and 2n + 1 lead to tie n of the next one."""
    line: list[int | None] = [*_first_line([entrant.id for entrant in field.placed])]
    rounds: list[tuple[Tie, ...]] = []
    while len(line) > 1:
        number = len(rounds) + 1
        ties = tuple(_tie(field, number, line[n], line[n + 1]) for n in range(0, len(line), 2))
        rounds.append(ties)
        line = [tie.winner for tie in ties]
    return tuple(rounds)


def third_place(field: Field, rounds: Sequence[Sequence[Tie]]) -> Tie | None:
    """Return the tie for third place, in the round of the final; None with fewer than four entrants."""
    if len(field.placed) < 4:
        return None
    one, other = (tie.loser for tie in rounds[-2])
    return _tie(field, len(rounds), one, other)


def _first_line(ids: Sequence[int]) -> list[int]:
    """Return the ids in the order of the bracket: the strongest meet last and have the byes."""
    places = [0]
    while len(places) < len(ids):
        places = [each for place in places for each in (place, 2 * len(places) - 1 - place)]
    return [ids[place] if place < len(ids) else FREE for place in places]


def _tie(field: Field, number: int, one: int | None, other: int | None) -> Tie:
    if one is None or other is None:
        return Tie(number, one, other)
    if one == FREE or other == FREE:
        return Tie(number, one, other, winner=one or other)
    games = _games(field, number, {one, other})
    return _decided(field, Tie(number, one, other, games), one, other)


def _games(field: Field, number: int, both: set[int]) -> tuple[Pairing, ...]:
    """Return the games of these two, also those of whom they replaced, except games that were begun anew."""
    games = [p for p in field.of_round(number) if {field.holder(seat) for seat in p.seats} == both]
    return tuple(p for p in games if p.result is not Result.VOID or set(p.seats) == both)


def _decided(field: Field, tie: Tie, one: int, other: int) -> Tie:
    """Return a tie of two entrants with its winner, or the games that are due."""
    gone = [entrant for entrant in (one, other) if field.by_id[entrant].has_left]
    if any(game.is_running for game in tie.games):
        return tie
    lead = _lead(field, tie.games, one)
    if tie.games and lead:
        return _won(tie, one if lead > 0 else other)
    if gone == [one] or gone == [other]:
        return _won(tie, other if gone == [one] else one)
    if gone or len(tie.games) >= MAX_LEGS:
        return _won(tie, _by_time(field, tie.games, one, other))
    legs = tuple(range(len(tie.games) + 1, len(tie.games) + 1 + LEGS))
    return Tie(tie.round, one, other, tie.games, legs_to_begin=legs)


def _won(tie: Tie, winner: int) -> Tie:
    return Tie(tie.round, tie.one, tie.other, tie.games, winner)


def _lead(field: Field, games: Sequence[Pairing], one: int) -> float:
    """Return how many more points this entrant has than the other."""
    own = [p.points(seat) * (1 if field.holder(seat) == one else -1) for p in games for seat in p.seats]
    return sum(own)


def _by_time(field: Field, games: Sequence[Pairing], one: int, other: int) -> int:
    """Return who used less counted time; if equal, the higher seed."""
    used = {one: 0.0, other: 0.0}
    for game in games:
        for seat, seconds in zip(game.seats, game.seconds, strict=True):
            used[field.holder(seat)] += seconds
    return min((one, other), key=lambda entrant: (used[entrant], field.by_id[entrant].seed))
