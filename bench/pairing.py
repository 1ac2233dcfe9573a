"""What a round of pairing costs, and how near it comes to the best: `python -m bench.pairing [SEEKS]`, 5,000 unless told.

Seeks are made up, in pools that are hard for different reasons, and planned without a database. Then a worker reads and
plans those that all fit. Seconds are of the processor.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import rustworkx as rx
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine

from correspondence.core import db, schema
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.matchmaking import pairing
from correspondence.matchmaking.candidates import Candidate
from correspondence.matchmaking.seek_columns import SeekColumns
from correspondence.models import Address, Person, Seek, SeekState
from correspondence.models.terms import terms_columns

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SEEKS = 5_000
COMPARED = 200
"""How many seeks are planned both ways; the greatest weight of all pairs takes long for more."""


def _seek(rng: random.Random, number: int, **conditions: Any) -> pairing.PairableSeek:
    """A seek for Duel of somebody of whom something is known, or nothing."""
    pace = per_move(rng.choice((1, 2, 3, 3, 5, 7)) * timedelta(days=1))
    columns = {
        "games_wanted": 1,
        "games_at_once": 0,
        "games_begun": 0,
        "reliability": 0,
        "rest_days": 0,
        "language": "",
    }
    columns |= {"pair_me": True, "any_options": False, "state": SeekState.OPEN} | conditions
    row = Seek(id=number, person_id=number, created_at=NOW - timedelta(hours=rng.uniform(0, 300)),
               **terms_columns(Terms("duel", "", pace)) | columns)  # fmt: skip
    tempo = rng.choice((None, timedelta(hours=rng.lognormvariate(2.5, 1))))
    rating = rng.choice((None, round(rng.gauss(1500, 250))))
    return pairing.PairableSeek(row, Candidate(number, f"p{number}", rating=rating, tempo=tempo))


def _alike(_rng: random.Random, number: int) -> pairing.PairableSeek:
    return _seek(random.Random(7), number)


def _near_ratings(rng: random.Random, number: int) -> pairing.PairableSeek:
    low = rng.randint(900, 2100)
    return _seek(rng, number, rating_low=low, rating_high=low + rng.choice((5, 20, 60)))


def _particular(rng: random.Random, number: int) -> pairing.PairableSeek:
    return _seek(
        rng,
        number,
        pair_me=rng.random() < 0.7,
        options=rng.choice(("", "board=sun", "board=moon")),
        seat=rng.choice((None, None, 0, 1)),
        language=rng.choice(("", "", "it", "en")),
        rating_low=rng.choice((None, 1400, 1600)),
        reliability=rng.choice((0, 80)),
    )


POOLS: dict[str, Callable[[random.Random, int], pairing.PairableSeek]] = {
    "all_fit": _seek,
    "sixty_percent_white": lambda rng, number: _seek(rng, number, seat=0 if number % 5 < 3 else 1),
    "all_white_but_a_few": lambda rng, number: _seek(rng, number, seat=0 if number % 80 else 1),
    "alike": _alike,
    "all_white": lambda rng, number: _seek(rng, number, seat=0),
    "near_ratings": _near_ratings,
    "particular": _particular,
    "groups_of_fifty": lambda rng, number: _seek(rng, number, options=f"group={number % 100}"),
}
"""How a pool is made, by its name."""


class Plan(NamedTuple):
    """What came of one pool."""

    seeks: int
    pairs: int
    seconds: float


def pool(name: str, seeks: int, seed: int = 7) -> list[pairing.PairableSeek]:
    """So many seeks of a pool, the same ones for the same seed."""
    rng = random.Random(seed)
    return [POOLS[name](rng, number) for number in range(1, seeks + 1)]


def plans(seeks: int = SEEKS) -> Iterator[tuple[str, Plan]]:
    """Each pool planned once."""
    for name in POOLS:
        waiting = pool(name, seeks)
        began = time.process_time()
        pairs = pairing.plan_pairs(waiting, now=NOW)
        yield name, Plan(seeks, len(pairs), time.process_time() - began)


def share_of_greatest(waiting: list[pairing.PairableSeek]) -> float:
    """The weight of a plan, to the greatest that any plan has."""
    weights = weights_of(waiting)
    graph = rx.PyGraph()
    place = {one.seek.id: graph.add_node(one.seek.id) for one in waiting}
    for pair, weight in weights.items():
        graph.add_edge(*(place[number] for number in pair), weight)
    best = rx.max_weight_matching(graph, max_cardinality=False, weight_fn=int)
    greatest = sum(weights[frozenset((graph[one], graph[other]))] for one, other in best)
    pairs = pairing.plan_pairs(waiting, now=NOW)
    return sum(weights[frozenset((pair.one, pair.other))] for pair in pairs) / greatest if greatest else 1.0


def weights_of(waiting: list[pairing.PairableSeek], now: datetime = NOW) -> dict[frozenset[int], int]:
    """The weight of each pair that fits, by the ids of its seeks."""
    columns = SeekColumns(waiting, now=now)
    numbers = [one.seek.id for one in waiting]
    return {
        frozenset((number, numbers[other])): weight
        for place, number in enumerate(numbers)
        for other, weight in columns.best(place, len(numbers))
    }


def round_seconds(folder: Path, seeks: int = SEEKS) -> float:
    """A worker's round up to its plan: so many seeks that all fit are read from a database and planned."""
    engine = db.make_engine(f"sqlite:///{folder}/pairing.db")
    schema.prepare(engine)
    _fill(engine, seeks)
    began = time.process_time()
    with db.reading(engine) as session:
        pairing.plan_pairs(pairing.pairable_seeks(session, "duel", now=NOW), now=NOW)
    spent = time.process_time() - began
    engine.dispose()
    return spent


def _fill(engine: Engine, seeks: int) -> None:
    rng = random.Random(7)
    with db.transaction(engine) as session:
        for number in range(1, seeks + 1):
            handle = f"p{number}"
            session.add(Person(id=number, handle=handle, handle_key=handle, joined_at=NOW))
            session.flush()
            mail = f"{handle}@example.org"
            session.add(Address(person_id=number, mail=mail, mail_key=mail, is_main=True, verified_at=NOW))
            session.add(_seek(rng, number).seek)


def measure(seeks: int, folder: Path) -> dict[str, Any]:
    """All figures, as `python -m bench` prints them."""
    spent = {name: plan.seconds for name, plan in plans(seeks)} | {"read_and_planned": round_seconds(folder, seeks)}
    shares = {name: share_of_greatest(pool(name, min(seeks, COMPARED))) for name in POOLS}
    return {"pairing_cpu_seconds": spent, "pairing_weight": shares}


def main(seeks: int) -> None:
    """Measure, and print a table."""
    table = Table("pool", "seeks", "pairs", "CPU seconds", f"weight of {COMPARED}, to the greatest")
    for name, plan in plans(seeks):
        share = share_of_greatest(pool(name, COMPARED))
        table.add_row(name, f"{plan.seeks:,}", f"{plan.pairs:,}", f"{plan.seconds:.2f}", f"{share:.4f}")
    with tempfile.TemporaryDirectory() as folder:
        table.add_row(
            "all_fit, read from a database", f"{seeks:,}", "", f"{round_seconds(Path(folder), seeks):.2f}", ""
        )
    Console(width=140).print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEKS)
