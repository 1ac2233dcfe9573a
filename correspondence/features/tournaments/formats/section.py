"""Standings of one group in which all play all: a section of a round robin, a division of a league.

Order: points, direct encounter, Sonneborn-Berger, wins, then shared ranks. Robots stand below people with as many
points; struck entrants stand last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from correspondence.features.tournaments.formats.field import Field, Pairing, Result, Row
from correspondence.features.tournaments.formats.leavers import merged, settle, struck, undecided
from correspondence.features.tournaments.formats.ranking import among, by_direct_encounter, by_value, ranks, split

__all__ = ["Section"]

MAX_OPEN_GAMES = 3
"""Maximum number of open games whose results are tried in all combinations for `best` and `worst`.

With more of them, bounds follow from points alone. Results only remove combinations, so bounds only narrow.
"""

ENDS = (Result.FIRST_WINS, Result.DRAWN, Result.SECOND_WINS)


@dataclass(frozen=True)
class Section:
    """A group of entrants, by seed, with all the games that they play, as `schedule` plans them."""

    field: Field
    members: tuple[int, ...]
    planned: tuple[Pairing, ...]

    @cached_property
    def recorded(self) -> tuple[Pairing, ...]:
        """All games, as recorded so far."""
        return merged(self.field, self.planned)

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """All games as they count (`settle`)."""
        return settle(self.field, self.recorded)

    @cached_property
    def struck(self) -> frozenset[int]:
        """Members who are struck: now, or earlier if all their games have been recorded as void."""
        void = {one for one in self.members if self._is_void(one)}
        return struck(self.field, self.recorded) | void

    def _is_void(self, member: int) -> bool:
        own = [pairing for pairing in self.recorded if member in pairing.seats]
        return bool(own) and all(pairing.result is Result.VOID for pairing in own)

    @cached_property
    def is_over(self) -> bool:
        """Whether every game has a result."""
        return not any(pairing.is_running for pairing in self.pairings)

    @cached_property
    def is_certain(self) -> bool:
        """Whether no open game can alter a rank."""
        return all(best == worst for best, worst in self.bounds().values())

    @cached_property
    def points(self) -> Mapping[int, float]:
        """Points of each member."""
        return among(self.pairings, self.members)

    @cached_property
    def games_of(self) -> Mapping[int, tuple[Pairing, ...]]:
        """Games of each member, as they count."""
        return {member: tuple(p for p in self.pairings if member in p.seats) for member in self.members}

    def sonneborn_berger(self, member: int) -> float:
        """Sum over a member's games: the points in it times the opponent's final points."""
        return sum(p.points(member) * self.points[p.opponent(member)] for p in self.games_of[member])

    def wins(self, member: int) -> int:
        """Number of games won, also without a game."""
        return sum(pairing.points(member) == 1 for pairing in self.games_of[member])

    @cached_property
    def groups(self) -> list[list[int]]:
        """Members who share a rank, best first."""
        still_in = [member for member in self.members if member not in self.struck]
        robots = {member for member in self.members if self.field.by_id[member].is_robot}
        splitters = [
            by_value(self.points.__getitem__),
            by_value(lambda member: member not in robots),
            by_direct_encounter(self.pairings),
            by_value(self.sonneborn_berger),
            by_value(self.wins),
        ]
        return split(still_in, splitters) + ([sorted(self.struck)] if self.struck else [])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Members, best first; those who share a rank by seed."""
        return tuple(one for group in self.groups for one in sorted(group, key=self.members.index))

    def rows(self) -> tuple[Row, ...]:
        """Return the standings, best first; those who share a rank by seed."""
        rank_of, bounds = dict(ranks(self.groups)), self.bounds()
        return tuple(self._row(member, rank_of[member], bounds[member]) for member in self.order)

    def _row(self, member: int, rank: int, bounds: tuple[int, int]) -> Row:
        own = self.games_of[member]
        level = [other for other in self.members if self.points[other] == self.points[member]]
        first = sum(p.seats[0] == member for p in own if _has_seats(p))
        return Row(
            entrant=member,
            round=self.planned[0].round if self.planned else 1,
            section=self.planned[0].section if self.planned else 1,
            rank=rank,
            points=self.points[member],
            played=sum(not p.is_running and p.result is not Result.VOID for p in own),
            tiebreaks={
                "direct_encounter": among(self.pairings, level)[member],
                "sonneborn_berger": self.sonneborn_berger(member),
                "wins": self.wins(member),
            },
            best=bounds[0],
            worst=bounds[1],
            seats=(first, sum(map(_has_seats, own)) - first),
            is_struck=member in self.struck,
        )

    def bounds(self) -> Mapping[int, tuple[int, int]]:
        """Return the best and the worst rank that each member can still get."""
        futures = list(self.futures())
        if not futures:
            return self._bounds_by_points()
        of_each = [dict(ranks(future.groups)) for future in futures]
        return {m: (min(r[m] for r in of_each), max(r[m] for r in of_each)) for m in self.members}

    def first(self, count: int) -> tuple[int, ...] | None:
        """Return the first `count` members who are still in, best first by seed among equals; None if not certain."""
        futures = list(self.futures())
        if not futures:
            return self._first_by_points(count)
        tops = {self._top(future, count) for future in futures}
        return tops.pop() if len(tops) == 1 else None

    def _top(self, future: Section, count: int) -> tuple[int, ...]:
        top = [one for one in future.order if not self.field.by_id[one].has_left][:count]
        return tuple(sorted(top, key=self.members.index))

    def _first_by_points(self, count: int) -> tuple[int, ...] | None:
        bounds = self._bounds_by_points()
        top = [one for one in self.members if bounds[one][1] <= count]
        rest = [one for one in self.members if one not in top]
        is_certain = len(top) == count and all(bounds[one][0] > count for one in rest)
        return tuple(top) if is_certain and not any(self.field.by_id[one].has_left for one in top) else None

    def futures(self) -> Iterator[Section]:
        """Yield this section with every combination of results of its open games; nothing if there are too many."""
        open_games = [p for p in self.recorded if p.is_running and self._can_be_played(p)]
        if len(open_games) <= MAX_OPEN_GAMES:
            choices = [self._ends(pairing) for pairing in open_games]
            yield from (self._after(ends) for ends in product(*choices))

    def _after(self, ends: Sequence[Pairing]) -> Section:
        if not ends:
            return self
        by_key = {pairing.key: pairing for pairing in ends}
        return Section(
            replace(self.field, pairings=tuple(by_key.get(p.key, p) for p in self.recorded)),
            self.members,
            tuple(by_key.get(p.key, p) for p in self.planned),
        )

    def _can_be_played(self, pairing: Pairing) -> bool:
        """Whether an open game has begun or will: games that a leaver owes never begin."""
        return pairing.game is not None or not any(self.field.by_id[seat].has_left for seat in pairing.seats)

    def _ends(self, pairing: Pairing) -> list[Pairing]:
        """Return the pairing with each end that makes a difference; a leaver's loss on time may get them struck."""
        ends = [replace(pairing, result=result, ended_at=self.field.now) for result in ENDS]
        leavers = [seat for seat in pairing.seats if self.field.by_id[seat].has_left]
        return ends + [replace(pairing.lost_by(one), timed_out=one, ended_at=None) for one in leavers]

    def _bounds_by_points(self) -> Mapping[int, tuple[int, int]]:
        low, high = {}, {}
        unsure = undecided(self.field, self.recorded)
        for member in self.members:
            low[member], high[member] = self._points_at_the_end(member, unsure)
        return {
            one: (
                1 + sum(low[other] > high[one] for other in self.members),
                len(self.members)
                if one in unsure or one in self.struck
                else sum(high[other] >= low[one] for other in self.members if other not in self.struck),
            )
            for one in self.members
        }

    def _points_at_the_end(self, member: int, unsure: frozenset[int]) -> tuple[float, float]:
        """Return the fewest and the most points that a member can have at the end."""
        low, high = 0.0, 0.0
        for pairing in self.games_of[member]:
            may_be_void = not unsure.isdisjoint(pairing.seats)
            low += 0.0 if may_be_void else pairing.points(member)
            high += 1.0 if pairing.is_running else pairing.points(member)
        return low, high


def _has_seats(pairing: Pairing) -> bool:
    """Whether a game counts for the balance of seats: it began, or will."""
    return not pairing.is_unplayed and pairing.result is not Result.VOID
