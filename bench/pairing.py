"""A month of a club: seeks and pairing alone, with people of differing tempo, time zones and habits.

    python -m bench.pairing [PEOPLE] [DAYS]

Games are not played out: each lasts as long as the tempo of its two makes it, then somebody resigns. After every
round of pairing it is asked of all who still wait whether any two of them would fit; there must be none. Prints
how long people waited. Needs nothing but a temporary folder; the clock is simulated.
"""

from __future__ import annotations

import random
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from statistics import median

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from correspondence.core import db, schema
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.core.time_control import per_move
from correspondence.matchmaking import challenges, pairing, seeks
from correspondence.models import Address, Match, Pairing, Person, Seek, SeekState
from correspondence.models.loading import players_of
from correspondence.ops.pairing_sweeps import sweep_pairing
from correspondence.ops.schedule import PAIRING_INTERVAL
from correspondence.ops.worker import sweep_seeks
from correspondence.play import matches

START = datetime(2026, 11, 1, tzinfo=UTC)
STEP = timedelta(hours=2)
"""How often people are looked at; the service pairs in between as often as it always does."""

ROUNDS = 2
"""Rounds of pairing after each step; one that comes too early for somebody is made good by the next."""

GAMES = ("duel", "proteus-dice", "proteus-tiles", "plateau")


@dataclass
class Habit:
    """How somebody lives: his hour of the day, how often he looks for games, and how fast he plays."""

    number: int
    hour: int
    eagerness: float
    days_a_move: int
    games: tuple[str, ...]
    variety: str
    pairs: bool
    most: int


@dataclass
class Figures:
    """What came of it; times are waiting times of seeks that led to a game."""

    posted: int = 0
    begun: int = 0
    rounds: int = 0
    missed: int = 0
    waits: list[timedelta] = field(default_factory=list)
    left_waiting: int = 0

    def __str__(self) -> str:
        """The figures as lines."""
        waits = sorted(self.waits)
        spans = [waits[min(int(len(waits) * share), len(waits) - 1)] for share in (0.5, 0.9, 0.99)] if waits else []
        words = ", ".join(f"{name} {span}" for name, span in zip(("median", "90 %", "99 %"), spans, strict=False))
        return (
            f"{self.posted} seeks, {self.begun} games begun, {self.left_waiting} seeks waiting at the end\n"
            f"waiting time: {words}; at once {sum(not span for span in waits)} of {len(waits)}\n"
            f"{self.rounds} rounds of pairing, {self.missed} pairs that fitted and were left waiting"
        )


def simulate(engine: Engine, people: int, days: int, *, seed: int = 1) -> Figures:
    """Let so many people seek and be paired for so many days; returns what came of it."""
    rng, now, figures = random.Random(seed), [START], Figures()
    settings = with_defaults(
        Settings(instance_dir="", database_url=str(engine.url), secret_key="bench", mail_listen="")
    )
    runtime = Runtime(settings, engine, now=lambda: now[0], rng=random.Random(seed))
    habits = [_person(engine, rng, number) for number in range(people)]
    ends: list[tuple[datetime, int]] = []
    known = 0
    while now[0] < START + timedelta(days=days):
        now[0] += STEP
        for habit in habits:
            if (now[0].hour - habit.hour) % 24 < 3 and rng.random() < habit.eagerness:
                figures.posted += _post(runtime, rng, habit, now[0])
        for _round in range(ROUNDS):
            sweep_pairing(runtime)
            figures.rounds += 1
            now[0] += PAIRING_INTERVAL
        figures.missed += _left_out(runtime, now[0])
        sweep_seeks(runtime)
        known = _note_begun(runtime, rng, figures, ends, known)
        _end(runtime, ends, now[0])
        now[0] -= ROUNDS * PAIRING_INTERVAL  # steps stay on the hour
    with db.reading(engine) as session:
        found = select(Seek).where(col(Seek.state) == SeekState.OPEN)
        figures.left_waiting = len(session.exec(found).all())
    return figures


def _person(engine: Engine, rng: random.Random, number: int) -> Habit:
    with db.transaction(engine) as session:
        person = Person(handle=f"p{number}", handle_key=f"p{number}", joined_at=START, turn_letters=False)
        session.add(person)
        session.flush()
        mail = f"p{number}@example.org"
        session.add(Address(person_id=person.id, mail=mail, mail_key=mail, is_main=True, verified_at=START))
        chosen = tuple(rng.sample(GAMES, rng.choice((1, 1, 2, 3))))
        return Habit(person.id, rng.randrange(24), rng.choice((0.05, 0.2, 0.5)), rng.choice((1, 2, 3, 3, 5, 7)),
                     chosen, rng.choice(("", "", "7", "30", "never")), rng.random() < 0.7,
                     rng.choice((2, 4, 8)))  # fmt: skip


def _post(runtime: Runtime, rng: random.Random, habit: Habit, now: datetime) -> int:
    words = {"again": habit.variety, "pair": "yes" if habit.pairs else "no", "games": str(rng.choice((1, 1, 2)))}
    try:
        with db.transaction(runtime.engine) as session:
            person = session.get_one(Person, habit.number)
            if _busy(session, habit):
                return 0
            pace = per_move(timedelta(days=habit.days_a_move))
            seeks.seek(session, person, rng.choice(habit.games), {}, words, time_control=pace, now=now, rng=runtime.rng)
    except challenges.ChallengeError:
        return 0
    return 1


def _busy(session: Session, habit: Habit) -> bool:
    found = select(Seek).where(col(Seek.person_id) == habit.number, col(Seek.state) == SeekState.OPEN)
    return len(session.exec(found).all()) >= habit.most


def _left_out(runtime: Runtime, now: datetime) -> int:
    """How many pairs fit each other and wait all the same."""
    with db.reading(runtime.engine) as session:
        waiting = [wish for game in GAMES for wish in pairing.pairable_seeks(session, game, now=now)]
    return sum(pairing.agreement(one, other, now=now) is not None for one, other in combinations(waiting, 2))


def _note_begun(
    runtime: Runtime, rng: random.Random, figures: Figures, ends: list[tuple[datetime, int]], known: int
) -> int:
    with db.reading(runtime.engine) as session:
        found = (
            select(Pairing.id, Match.id, Match.started_at, Match.bank, Seek.created_at)
            .join(Match, col(Match.id) == col(Pairing.match_id))
            .join(Seek, col(Seek.id) == col(Pairing.seek_id))
            .where(col(Pairing.id) > known)
            .order_by(col(Pairing.id))
        )
        for number, match, started, bank, posted in session.exec(found):
            known = number
            figures.waits.append(started - posted)
            if all(match != other for _at, other in ends):
                figures.begun += 1
                ends.append((started + timedelta(seconds=bank) * rng.uniform(1, 12), match))
    return known


def _end(runtime: Runtime, ends: list[tuple[datetime, int]], now: datetime) -> None:
    for due in [due for due in ends if due[0] <= now]:
        ends.remove(due)
        with db.transaction(runtime.engine) as session:
            matches.resign(session, runtime.rng.choice(players_of(session, due[1])), now=now)


def main() -> None:
    """Run it for 200 people and a month, or for as many as the command line says."""
    words = [*sys.argv[1:3], "200", "30"][:2] if len(sys.argv) < 2 else [*sys.argv[1:3], "30"]
    people, days = int(words[0]), int(words[1])
    with tempfile.TemporaryDirectory() as folder:
        engine = db.make_engine(f"sqlite:///{Path(folder)}/bench.db")
        schema.prepare(engine)
        began = datetime.now(UTC)
        figures = simulate(engine, people, days)
        print(f"{people} people, {days} days (took {(datetime.now(UTC) - began).seconds} s)\n{figures}")
        print(f"mean {sum(figures.waits, timedelta(0)) / max(len(figures.waits), 1)}, "
              f"median {median(figures.waits) if figures.waits else '-'}")  # fmt: skip
        engine.dispose()


if __name__ == "__main__":
    main()
