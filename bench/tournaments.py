"""A year of organised play on a fake clock, through the pure formats: `python -m bench.tournaments [PEOPLE]`, 2,000 unless told.

People differ in strength, tempo and reliability: 5 % vanish on some day, 10 % are slow, some enter all they can, some
enter with a rating far below their strength. Nothing is stored and no letter is written; only the formats work.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from statistics import median

from rich.console import Console
from rich.table import Table

from correspondence.features.tournaments.formats import FORMATS, ladder, league
from correspondence.features.tournaments.formats.field import Entrant, Field, Pairing, Result, Round, Settings, Upcoming

START = datetime(2026, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
DAY = timedelta(days=1)
BANK, INCREMENT = timedelta(days=5), timedelta(hours=24)
"""Time control of all games: five days, and 24 hours more for each move."""

ROUND_DAYS, SEASON_DAYS = timedelta(days=60), timedelta(days=120)
PLIES = (30, 80)
ENTRIES_A_YEAR = 3  # those who flood enter ten times as many

TERMS = {
    "round-robin": (Settings(format="round-robin"), 7, 6),
    "round-robin, two at once": (Settings(format="round-robin", at_once=2), 7, 2),
    "round-robin with final": (Settings(format="round-robin", final=True), 14, 6),
    "swiss": (Settings(format="swiss", rounds=5), 16, 2),
    "knockout": (Settings(format="knockout"), 11, 4),
    "team-match": (Settings(format="team-match", clubs=("north", "south")), 12, 2),
}
"""Settings, number of entrants, and games that an entrant may have in it at once."""

LEAGUE, LADDER = "league", "ladder"
GAMES_IN_A_DIVISION, GAMES_ON_THE_LADDER = 8, ladder.MAX_OUTGOING + ladder.MAX_DEFENCES_AT_TOP

FILLED_AFTER = timedelta(hours=12)
"""Time after which robots fill up a tournament that has not begun."""

ROBOTS = 10_000  # their ids begin here


@dataclass
class Person:
    id: int
    strength: float
    rating: float
    hours: float  # median for a move
    limit: int
    vanishes: datetime | None
    entries: float = 0.0
    promised: int = 0  # games that the tournaments they entered may give them at once
    running: int = 0
    lapses: int = 0
    ended: int = 0
    barred_until: datetime | None = None


@dataclass
class Event:
    """A tournament: open while it has no field."""

    kind: str
    games: int
    entrants: list[tuple[Person, datetime]] = field(default_factory=list)
    field: Field | None = None
    waiting_since: datetime | None = None


@dataclass
class Figures:
    over_limit: int = 0
    waits: list[float] = field(default_factory=list)
    round_waits: list[float] = field(default_factory=list)
    taus: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    taus_of_all_play_all: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    filled: int = 0
    begun: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    games: int = 0
    seconds: float = 0.0


class Year:
    """The simulation: people, tournaments, and a heap of what happens when."""

    def __init__(self, people: int, seed: int = 39) -> None:
        self.rng = random.Random(seed)
        self.people = {number: self._person(number) for number in range(1, people + 1)}
        self.heap: list[tuple[datetime, int, str, tuple]] = []
        self.count = 0
        self.now = START
        self.open: dict[str, Event] = {}
        self.figures = Figures()
        self.events: list[Event] = []

    def _person(self, number: int) -> Person:
        rng = self.rng
        strength = rng.gauss(1500, 250)
        is_slow, floods, sandbags = rng.random() < 0.1, rng.random() < 0.03, rng.random() < 0.03
        return Person(
            id=number,
            strength=strength,
            rating=strength - 300 if sandbags else strength + rng.gauss(0, 80),
            hours=rng.uniform(20, 30) if is_slow else rng.lognormvariate(1.5, 0.8),
            limit=rng.choice((8, 12, 20)) * (3 if floods else 1),
            vanishes=START + YEAR * rng.random() if rng.random() < 0.05 else None,
            entries=ENTRIES_A_YEAR * (10 if floods else 1),
        )

    def at(self, moment: datetime, kind: str, *what: object) -> None:
        self.count += 1
        heappush(self.heap, (moment, self.count, kind, what))

    def run(self) -> Figures:
        """Let a year pass, then play on until nothing runs."""
        self._found_league_and_ladder()
        for day in range(365):
            self.at(START + day * DAY, "day")
        while self.heap:
            self.now, _count, kind, what = heappop(self.heap)
            getattr(self, f"on_{kind}")(*what)
        for event in self.events:
            if event.kind in (LEAGUE, LADDER):
                self._compare(event.kind, event.field)
        return self.figures

    def _found_league_and_ladder(self) -> None:
        people = list(self.people.values())
        for kind, share, games in ((LEAGUE, 10, GAMES_IN_A_DIVISION), (LADDER, 20, GAMES_ON_THE_LADDER)):
            event = Event(kind, games)
            for person in self.rng.sample(people, len(people) // share):
                person.promised += games
                event.entrants.append((person, START))
            self._begin(event, Settings(format=kind))

    def on_day(self) -> None:
        for person in self.people.values():
            if self._is_here(person) and self.rng.random() < person.entries / 365:
                self._enter(person, self._choice())
        for event in self.events:
            if event.kind == LADDER and self.now < START + YEAR:
                self._challenge(event)
            if event.kind == LEAGUE and event.field is not None:
                self._judge(event)
                self._ask(event)

    def _choice(self) -> str:
        """People take the open tournament that lacks the fewest entrants, or a random one if none is open."""
        lacking = {kind: TERMS[kind][1] - len(event.entrants) for kind, event in self.open.items()}
        return min(lacking, key=lacking.__getitem__) if lacking else self.rng.choice(list(TERMS))

    def _is_here(self, person: Person) -> bool:
        is_barred = person.barred_until is not None and self.now < person.barred_until
        return not is_barred and (person.vanishes is None or self.now < person.vanishes)

    def _enter(self, person: Person, kind: str) -> None:
        settings, players, games = TERMS[kind]
        if person.promised + games > person.limit:
            return
        if kind not in self.open:
            self.open[kind] = Event(kind, games)
            self.at(self.now + FILLED_AFTER, "wait", self.open[kind])
        event = self.open[kind]
        if all(person is not other for other, _at in event.entrants):
            person.promised += games
            event.entrants.append((person, self.now))
        if len(event.entrants) == players:
            self._begin(self.open.pop(kind), settings)

    def on_wait(self, event: Event) -> None:
        """Robots fill up a tournament that has waited; a team match waits for people."""
        settings, players, _games = TERMS[event.kind]
        if event.field is not None or event.kind == "team-match":
            return
        self.figures.filled += 1
        for number in range(players - len(event.entrants)):
            robot = Person(ROBOTS + number, self.rng.gauss(1400, 200), 1400, 0.1, 10**6, None)
            event.entrants.append((self.people.setdefault(robot.id, robot), self.now))
        self._begin(self.open.pop(event.kind), settings)

    def _begin(self, event: Event, settings: Settings) -> None:
        strongest = sorted(event.entrants, key=lambda entry: -entry[0].rating)
        clubs = settings.clubs or ("",)
        entrants = tuple(
            Entrant(id=p.id, seed=n, rating=p.rating, is_robot=p.id >= ROBOTS, entered_at=START,
                    club=clubs[n % len(clubs)], barred_until=p.barred_until)
            for n, (p, _at) in enumerate(strongest, 1)
        )  # fmt: skip
        event.field = Field(settings=settings, entrants=entrants, now=self.now)
        self.figures.begun[event.kind] += 1
        self.events.append(event)
        if event.kind in TERMS:
            self.figures.waits += [(self.now - at) / DAY for person, at in event.entrants if person.id < ROBOTS]
        self._ask(event)

    def _ask(self, event: Event) -> None:
        """Ask the format what begins, until it says nothing more."""
        form, began = FORMATS[event.field.settings.format], time.perf_counter()
        if self.now >= START + YEAR and event.kind == LEAGUE:
            return
        event.field = replace(event.field, now=self.now)
        while upcoming := form.next_pairings(event.field):
            self._record(event, upcoming)
        is_over = form.is_over(event.field)
        self.figures.seconds += time.perf_counter() - began
        if is_over:
            self._finish(event)

    def _record(self, event: Event, upcoming: Upcoming) -> None:
        pairings = {pairing.key: pairing for pairing in event.field.pairings}
        new = {p.round for p in upcoming.pairings if p.is_running} - {one.number for one in event.field.rounds}
        for pairing in upcoming.pairings:
            begun = replace(pairing, game=self._next_game()) if pairing.is_running else pairing
            pairings[pairing.key] = begun
            if begun.is_running:
                self._play(event, begun)
        rounds = event.field.rounds + tuple(self._round(event, number) for number in sorted(new))
        byes = event.field.byes + upcoming.byes
        event.field = replace(event.field, pairings=tuple(pairings.values()), byes=byes, rounds=rounds)

    def _next_game(self) -> int:
        self.figures.games += 1
        return self.figures.games

    def _round(self, event: Event, number: int) -> Round:
        days = {"swiss": ROUND_DAYS, LEAGUE: SEASON_DAYS}.get(event.field.settings.format)
        if event.waiting_since is not None:
            self.figures.round_waits.append((self.now - event.waiting_since) / DAY)
            event.waiting_since = None
        if days is not None:
            self.at(self.now + days, "due", event)
        return Round(number=number, began_at=self.now, ends_at=self.now + days if days else None)

    def on_due(self, event: Event) -> None:
        if event.kind == LEAGUE:
            self._judge(event)
        self._ask(event)

    def _play(self, event: Event, pairing: Pairing) -> None:
        """Begin a game: its end is drawn at once, and happens when its moves have been made."""
        both = [self.people[seat] for seat in pairing.seats]
        for person in both:
            person.running += 1
            self.figures.over_limit += person.running > person.limit
        moment, banks = self.now, [BANK, BANK]
        for ply in range(self.rng.randint(*PLIES)):
            person = both[ply % 2]
            thought = timedelta(hours=person.hours * self.rng.lognormvariate(0, 0.5))
            left = banks[ply % 2] + INCREMENT
            is_gone = person.vanishes is not None and moment + thought > person.vanishes
            if is_gone or thought > left:
                self.at(moment + left, "end", event, pairing.key, pairing.lost_by(person.id).result, person.id)
                return
            banks[ply % 2] = min(BANK, left - thought)
            moment += thought
        self.at(moment, "end", event, pairing.key, self._result(*both), None)

    def _result(self, first: Person, second: Person) -> Result:
        chance = 1 / (1 + 10 ** ((second.strength - first.strength) / 400))
        drawn = self.rng.random() < 0.1
        return Result.DRAWN if drawn else Result.FIRST_WINS if self.rng.random() < chance else Result.SECOND_WINS

    def on_end(self, event: Event, key: tuple, result: Result, late: int | None) -> None:
        pairing = next(pairing for pairing in event.field.pairings if pairing.key == key)
        for seat in pairing.seats:
            self.people[seat].running -= 1
        if not pairing.judged:
            ended = replace(pairing, result=result, timed_out=late, ended_at=self.now)
            pairings = tuple(ended if p is pairing else p for p in event.field.pairings)
            event.field = replace(event.field, pairings=pairings, now=self.now)
        self._count_lapse(event, pairing, late)
        running = sum(p.is_running for p in event.field.of_round(event.field.round))
        if running == 1 and event.field.settings.format == "swiss":
            event.waiting_since = self.now
        if event.kind != LEAGUE:
            self._ask(event)

    def _count_lapse(self, event: Event, pairing: Pairing, late: int | None) -> None:
        """Count a loss on time; at three, the person gets no new games for 30 days. Ten other ends take one away."""
        for seat in pairing.seats:
            person = self.people[seat]
            person.ended += seat != late
            if seat == late:
                person.lapses += 1
            elif person.ended % 10 == 0:
                person.lapses = max(0, person.lapses - 1)
            if person.lapses >= 3:
                person.lapses, person.barred_until = 0, self.now + 30 * DAY
        barred = {seat: self.people[seat].barred_until for seat in pairing.seats}
        entrants = tuple(replace(e, barred_until=barred.get(e.id, e.barred_until)) for e in event.field.entrants)
        event.field = replace(event.field, entrants=entrants)

    def _judge(self, event: Event) -> None:
        for pairing in league.to_judge(replace(event.field, now=self.now)):
            judged = replace(pairing, result=Result.DRAWN, judged=True, ended_at=self.now)
            pairings = tuple(judged if p is pairing else p for p in event.field.pairings)
            event.field = replace(event.field, pairings=pairings)

    def _challenge(self, event: Event) -> None:
        """One in ten of the ladder challenges somebody up to ten rungs above; most accept, some let it lapse."""
        event.field = replace(event.field, now=self.now)
        rungs = ladder.order(event.field)
        for rung, one in enumerate(rungs):
            if not rung or self.rng.random() > 0.1 or not self._is_here(self.people[one]):
                continue
            other = rungs[self.rng.randrange(max(0, rung - ladder.REACH), rung)]
            if ladder.refusal(event.field, one, other) is None:
                made = ladder.challenge(event.field, one, other, lapses_at=self.now + ladder.ANSWER_WITHIN)
                accepts = self._is_here(self.people[other])
                made = replace(made, game=self._next_game(), lapses_at=None) if accepts else made
                event.field = replace(event.field, pairings=(*event.field.pairings, made))
                if accepts:
                    self._play(event, made)
        self._ask(event)

    def _finish(self, event: Event) -> None:
        """Note the result once; everybody is free for other tournaments."""
        if event.kind not in (LEAGUE, LADDER) and event.games:
            for person, _at in event.entrants:
                person.promised -= event.games
            event.games = 0
            self.figures.ended[event.kind] += 1
            self._compare(event.kind, event.field)

    def _compare(self, kind: str, field: Field) -> None:
        """Note how well ranks order strength, and how well all play all would have done it."""
        rows = [row for row in FORMATS[field.settings.format].standings(field) if row.entrant in self.people]
        people = [(row, self.people[row.entrant].strength) for row in rows]
        if len({row.section for row in rows}) == 1 and kind != "round-robin with final" and len(people) > 2:
            self.figures.taus[kind].append(tau([(row.rank, strength) for row, strength in people]))
            ranks = self._all_play_all([row.entrant for row, _strength in people])
            self.figures.taus_of_all_play_all[kind].append(tau(ranks))
        elif kind == LEAGUE:
            self.figures.taus[kind].append(tau([(100 * row.section + row.rank, strength) for row, strength in people]))

    def _all_play_all(self, ids: list[int]) -> list[tuple[float, float]]:
        points = Counter(dict.fromkeys(ids, 0.0))
        for place, one in enumerate(ids):
            for other in ids[place + 1 :]:
                pairing = Pairing(
                    round=1, seats=(one, other), result=self._result(self.people[one], self.people[other])
                )
                points.update({one: pairing.points(one), other: pairing.points(other)})
        return [(-points[one], self.people[one].strength) for one in ids]


def tau(pairs: list[tuple[float, float]]) -> float:
    """Kendall's tau-b of ranks (1 is best) against strengths, which are all different."""
    agree = differ = level = 0
    for place, (rank, strength) in enumerate(pairs):
        for other_rank, other_strength in pairs[place + 1 :]:
            level += rank == other_rank
            agree += (other_rank - rank) * (strength - other_strength) > 0
            differ += (other_rank - rank) * (strength - other_strength) < 0
    total = len(pairs) * (len(pairs) - 1) // 2
    return (agree - differ) / (total * (total - level)) ** 0.5 if total > level else 0.0


def _mean(found: list[float]) -> str:
    return f"{sum(found) / len(found):.2f}" if found else "-"


def report(figures: Figures, people: int, seconds: float) -> None:
    table = Table("format", "begun", "ended", "Kendall's tau, mean", "all play all")
    for kind, begun in figures.begun.items():
        taus = [_mean(found[kind]) for found in (figures.taus, figures.taus_of_all_play_all)]
        perpetual = kind in (LEAGUE, LADDER)
        table.add_row(kind, str(begun), "perpetual" if perpetual else str(figures.ended[kind]), *taus)
    console = Console()
    console.print(table)
    waits = figures.round_waits or [0.0]
    console.print(
        f"{people} people, {figures.games} games, {seconds:.0f} s, of which the formats {figures.seconds:.0f} s"
    )
    console.print(
        f"days from entry to the first game: median {median(figures.waits or [0]):.2f}; robots filled {figures.filled}"
    )
    console.print(f"days a Swiss round waited for one game: median {median(waits):.1f}, longest {max(waits):.1f}")
    console.print(f"games begun above a person's own limit: {figures.over_limit}")


def main(people: int = 2_000) -> None:
    began = time.perf_counter()
    report(Year(people).run(), people, time.perf_counter() - began)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
