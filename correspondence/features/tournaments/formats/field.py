"""What a format sees of a tournament: settings, entrants, pairings and byes at one moment, as frozen values.

A format knows entrants by their ids, which are unique within the tournament. `Field` is its only argument, and `Row`
and `Upcoming` are its answers; nothing here touches a table, a clock or a letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

__all__ = ["Bye", "EntrantState", "Entrant", "Field", "Pairing", "Result", "Round", "Row", "Settings", "Upcoming"]


class Result(StrEnum):
    """Result of a game as written in the contract; the first seat is named first."""

    FIRST_WINS = "1-0"
    SECOND_WINS = "0-1"
    DRAWN = "1/2-1/2"
    RUNNING = "*"
    VOID = "void"
    """Does not count for anybody: struck, called off, or owed by two entrants who both left."""


POINTS: Mapping[Result, tuple[float, float]] = MappingProxyType(
    {Result.FIRST_WINS: (1.0, 0.0), Result.SECOND_WINS: (0.0, 1.0), Result.DRAWN: (0.5, 0.5)}
)
"""Points of the two seats; results that are missing here give none."""


class EntrantState(StrEnum):
    """State of an entrant. Being barred is a date (`Entrant.barred_until`), not a state."""

    IN = "in"
    WITHDRAWN = "withdrawn"
    REMOVED = "removed"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Terms of a tournament that its format uses. Numbers are at least 1 unless said."""

    format: str
    """Key of `FORMATS`."""
    rounds: int = 0
    """Number of rounds of a Swiss tournament; other formats ignore it."""
    games: int = 1
    """Games of a pairing, 1 or 2; the second has the seats exchanged."""
    at_once: int = 0
    """Round robin: maximum number of running games of an entrant; 0 means no limit."""
    final: bool = False
    """Round robin: section winners meet again until one section is left."""
    advance: int = 1
    """Round robin with finals: entrants of each section who advance, 1 to 3."""
    boards: int = 0
    """Team match: maximum number of boards; 0 means as many as the smaller team has."""
    clubs: tuple[str, ...] = ()
    """Team match: names of the two clubs."""


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """One entrant with what was known when they entered."""

    id: int
    seed: int
    """Order of strength at the start, from 1. Unique, except that a replacement has the seed of whom they replace.

    In a ladder and a league: the order in which they entered.
    """
    rating: float = 1500.0
    """Rating at entry."""
    is_robot: bool = False
    state: EntrantState = EntrantState.IN
    entered_at: datetime | None = None
    """The latest time they entered. Required in ladders."""
    left_at: datetime | None = None
    """When they withdrew or were removed; None while they are in."""
    barred_until: datetime | None = None
    """They get no new games before this time."""
    replaced_by: int | None = None
    """Id of the entrant who took their place because they never showed. They have no row in the standings then."""
    first_round: int = 1
    """First round they may play. Above 1 for a late entrant of a Swiss tournament."""
    sits_out: frozenset[int] = frozenset()
    """Rounds of a Swiss tournament, or seasons of a league, that they asked to sit out."""
    avoids: frozenset[int] = frozenset()
    """Swiss: ids of entrants whom they do not meet as long as another pairing exists, because of a block."""
    earlier_stays: tuple[tuple[datetime, datetime], ...] = ()
    """Ladder: when they entered and left before `entered_at`, so that re-entering moves nobody else."""
    active_at: datetime | None = None
    """Ladder: when they last moved or answered, or the end of an announced absence."""
    club: str = ""
    """Team match: name of their club."""
    board: int = 0
    """Team match: place that their captain gave them, from 1; 0 if the captain gave none."""

    @property
    def has_left(self) -> bool:
        """Whether they withdrew, were removed or were replaced."""
        return self.state is not EntrantState.IN or self.replaced_by is not None


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """One game of a tournament: begun, to begin, or decided without a game.

    `key` identifies it. A pairing without a game and with a result is a game lost without being played.
    """

    round: int
    """Stage (round robin), round (Swiss, knockout), season (league), 1 (team match), number of the challenge (ladder)."""
    section: int = 1
    """Section of a round robin, division of a league; else 1."""
    seats: tuple[int, int]
    """Ids of the entrants, in the order of the game's seats."""
    leg: int = 1
    """Number of the game among the games that these two play in this round, from 1."""
    board: int = 0
    """Board of a team match, from 1; else 0."""
    game: int | None = None
    """Number of the game; None if none has begun."""
    result: Result = Result.RUNNING
    """The result that counts here. A judged game keeps its judgement, whatever the game becomes later."""
    judged: bool = False
    timed_out: int | None = None
    """Id of the entrant who lost on time."""
    ended_at: datetime | None = None
    """When the result became known. Required in ladders."""
    began_at: datetime | None = None
    """Ladder: when the challenge was made. Required there."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Knockout: counted time that each seat used."""
    challenger: int | None = None
    """Ladder: id of the challenger."""
    lapses_at: datetime | None = None
    """Ladder: when an unanswered challenge counts as lost; None once it has been answered."""

    @property
    def key(self) -> tuple[int, int, int, int]:
        """Identity within the tournament: round, leg, and the two ids in ascending order."""
        return (self.round, self.leg, *sorted(self.seats))  # type: ignore[return-value]

    @property
    def is_running(self) -> bool:
        """Whether the result is open, with a game or before it."""
        return self.result is Result.RUNNING

    @property
    def is_unplayed(self) -> bool:
        """Whether it was decided without a game."""
        return self.game is None and not self.is_running

    def points(self, entrant: int) -> float:
        """Points of an entrant in this game; 0 while it runs, if it is void, and for those who do not play in it."""
        if entrant not in self.seats or self.result not in POINTS:
            return 0.0
        return POINTS[self.result][self.seats.index(entrant)]

    def opponent(self, entrant: int) -> int:
        """Return the id of the other entrant."""
        return self.seats[1] if self.seats[0] == entrant else self.seats[0]

    def lost_by(self, entrant: int) -> Pairing:
        """Return this pairing as lost by one of its entrants."""
        return replace(self, result=Result.SECOND_WINS if self.seats[0] == entrant else Result.FIRST_WINS)


@dataclass(frozen=True, kw_only=True)
class Bye:
    """A round in which an entrant has no opponent."""

    round: int
    entrant: int
    points: float = 1.0
    """Swiss: points for it. A bye of the pairing has one a game, a requested or missed round half of that, or 0."""
    requested: bool = False
    """Whether the entrant chose not to play: they sat the round out, came late or were barred."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """Days of one round, stage or season."""

    number: int
    began_at: datetime
    ends_at: datetime | None = None
    """Last day, with the days by which it was extended; None if it lasts until all its games are over."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the standings."""

    entrant: int | None
    """Id; None in a team match, whose rows are clubs."""
    club: str = ""
    round: int = 1
    """The stage or season whose standings the row belongs to."""
    section: int = 1
    rank: int
    """Within the section. Shared ranks count 1, 1, 3."""
    points: float = 0.0
    played: int = 0
    """Games with a result, without byes and struck games."""
    tiebreaks: Mapping[str, float] = field(default_factory=dict)
    """By name, in the order in which they apply."""
    best: int
    worst: int
    seats: tuple[int, int] = (0, 0)
    """Number of games in the first and in the second seat, running ones too."""
    is_struck: bool = False
    """Whether the entrant left before half of their games: they stand last with no points."""


@dataclass(frozen=True)
class Upcoming:
    """What begins now: `next_pairings` returns it, empty if nothing is due.

    Each pairing without a result is a game to begin; each with a result is recorded without a game. If the field
    already has a pairing with the same key, the new one is its result.
    """

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pairings or self.byes)


@dataclass(frozen=True, kw_only=True)
class Field:
    """A tournament that has begun, at one moment. Whoever left before the start is not part of it."""

    settings: Settings
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
    rounds: tuple[Round, ...] = ()
    now: datetime

    @cached_property
    def by_id(self) -> Mapping[int, Entrant]:
        """Entrants by id."""
        return MappingProxyType({entrant.id: entrant for entrant in self.entrants})

    @cached_property
    def placed(self) -> tuple[Entrant, ...]:
        """Entrants who have a place, by seed: all but those who were replaced."""
        return tuple(sorted((e for e in self.entrants if e.replaced_by is None), key=lambda e: (e.seed, e.id)))

    @cached_property
    def leavers(self) -> frozenset[int]:
        """Ids of all who withdrew, were removed or were replaced."""
        return frozenset(entrant.id for entrant in self.entrants if entrant.has_left)

    @cached_property
    def round(self) -> int:
        """Number of the latest round, stage or season; 0 before the first."""
        return max([0, *(pairing.round for pairing in self.pairings), *(bye.round for bye in self.byes)])

    @cached_property
    def by_key(self) -> Mapping[tuple[int, int, int, int], Pairing]:
        """Pairings by key."""
        return MappingProxyType({pairing.key: pairing for pairing in self.pairings})

    def of_round(self, number: int, section: int = 0) -> tuple[Pairing, ...]:
        """Return the pairings of a round, of one section if it is given."""
        return tuple(p for p in self.pairings if p.round == number and section in (0, p.section))

    def until(self, number: int) -> Field:
        """Return the tournament without the rounds after this one, as for the page of an earlier season."""
        pairings = tuple(pairing for pairing in self.pairings if pairing.round <= number)
        return replace(self, pairings=pairings, byes=tuple(bye for bye in self.byes if bye.round <= number))

    def without_leavers_after(self, moment: datetime) -> Field:
        """Return the tournament as if those who left after a moment were still in."""
        back = [e.left_at is not None and e.left_at > moment and e.replaced_by is None for e in self.entrants]
        entrants = [
            replace(e, state=EntrantState.IN, left_at=None) if is_back else e
            for e, is_back in zip(self.entrants, back, strict=True)
        ]
        return replace(self, entrants=tuple(entrants))

    def holder(self, entrant: int) -> int:
        """Return the id of the entrant who has this entrant's place now: the last replacement."""
        while (follower := self.by_id[entrant].replaced_by) is not None:
            entrant = follower
        return entrant

    def is_barred(self, entrant: int) -> bool:
        """Whether an entrant gets no new games now."""
        until = self.by_id[entrant].barred_until
        return until is not None and self.now < until

    def is_due(self, number: int) -> bool:
        """Whether the last day of a round has passed."""
        ends = (one.ends_at for one in self.rounds if one.number == number)
        return any(end is not None and end <= self.now for end in ends)

    def running(self) -> Counter[int]:
        """Return the number of running games of each entrant."""
        return Counter(seat for p in self.pairings if p.is_running for seat in p.seats)

    def seats_of(self, entrant: int) -> tuple[int, int]:
        """Return how many games an entrant has in the first and in the second seat, without void and unplayed ones."""
        games = [p for p in self.of_entrant(entrant) if not p.is_unplayed and p.result is not Result.VOID]
        first = sum(p.seats[0] == entrant for p in games)
        return first, len(games) - first

    def of_entrant(self, entrant: int) -> tuple[Pairing, ...]:
        """Return the pairings of an entrant, in the order of `pairings`."""
        return tuple(self._by_entrant.get(entrant, ()))

    @cached_property
    def _by_entrant(self) -> Mapping[int, list[Pairing]]:
        found: dict[int, list[Pairing]] = {}
        for pairing in self.pairings:
            for seat in pairing.seats:
                found.setdefault(seat, []).append(pairing)
        return found
