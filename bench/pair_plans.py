"""What a round of pairing costs, and how near it comes to the best: `python -m bench.pair_plans [SEEKS]`, 5,000 unless told.

Seeks are made up, in pools that are hard for different reasons, and planned without a database. Then a worker's whole
round is run where so many seeks wait in a database and no two fit. Seconds are of the processor, and more than they
would be alone on the machine.
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

from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine

from correspondence.core import db, schema
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.matchmaking import pairing
from correspondence.matchmaking.candidates import Candidate
from correspondence.models import Address, Person, Seek, SeekState
from correspondence.models.terms import terms_columns
from correspondence.ops.pairing_sweeps import sweep_pairing

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SEEKS = 5_000
COMPARED = 200
"""How many seeks are planned both ways; the greatest weight takes seconds for as many."""


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


def pool(name: str, seeks: int) -> list[pairing.PairableSeek]:
    """So many seeks of a pool, the same ones each time."""
    rng = random.Random(7)
    return [POOLS[name](rng, number) for number in range(1, seeks + 1)]


def plans(seeks: int = SEEKS) -> Iterator[tuple[str, Plan]]:
    """Each pool planned once."""
    for name in POOLS:
        waiting = pool(name, seeks)
        began = time.process_time()
        pairs = pairing.plan_pairs(waiting, now=NOW)
        yield name, Plan(seeks, len(pairs), time.process_time() - began)


def share_of_greatest(name: str, seeks: int = COMPARED) -> float:
    """The weight of the plan that large groups get, to the greatest there is."""
    waiting = pool(name, seeks)
    weights = [_weight(waiting, work) for work in (0, seeks**3)]
    return weights[0] / weights[1]


def _weight(waiting: list[pairing.PairableSeek], work: int) -> int:
    by_id = {one.seek.id: one for one in waiting}
    pairs = pairing.plan_pairs(waiting, now=NOW, work=work)
    return sum(pairing.weight(by_id[pair.one], by_id[pair.other], now=NOW) or 0 for pair in pairs)


def round_seconds(folder: Path, seeks: int = SEEKS) -> float:
    """A worker's whole round where so many seeks wait in a database, and no two fit."""
    engine = db.make_engine(f"sqlite:///{folder}/pairing.db")
    schema.prepare(engine)
    _fill(engine, seeks)
    settings = Settings(instance_dir=str(folder), database_url=str(engine.url), secret_key="bench", mail_listen="")
    runtime = Runtime(with_defaults(settings), engine, now=lambda: NOW, rng=random.Random(1))
    began = time.process_time()
    sweep_pairing(runtime)
    spent = time.process_time() - began
    engine.dispose()
    return spent


def _fill(engine: Engine, seeks: int) -> None:
    with db.transaction(engine) as session:
        for number in range(1, seeks + 1):
            handle = f"p{number}"
            session.add(Person(id=number, handle=handle, handle_key=handle, joined_at=NOW))
            session.flush()
            mail = f"{handle}@example.org"
            session.add(Address(person_id=number, mail=mail, mail_key=mail, is_main=True, verified_at=NOW))
            terms = Terms("duel", "", per_move(timedelta(days=3)))
            session.add(Seek(**terms_columns(terms), person_id=number, seat=0, pair_me=True, created_at=NOW))


def measure(seeks: int, folder: Path) -> dict[str, Any]:
    """All figures, as `python -m bench` prints them."""
    return {
        "pairing_cpu_seconds": {name: plan.seconds for name, plan in plans(seeks)}
        | {"whole_round": round_seconds(folder, seeks)},
        "pairing_weight": {name: share_of_greatest(name, min(seeks, COMPARED)) for name in ("all_fit", "near_ratings")},
    }


def main(seeks: int) -> None:
    """Measure, and print two tables."""
    table = Table("pool", "seeks", "pairs", "CPU seconds")
    for name, plan in plans(seeks):
        table.add_row(name, f"{plan.seeks:,}", f"{plan.pairs:,}", f"{plan.seconds:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        table.add_row("whole round, none fit", f"{seeks:,}", "0", f"{round_seconds(Path(folder), seeks):.2f}")
    shares = Table(f"pool of {COMPARED}", "weight as in a large group, to the greatest")
    for name in POOLS:
        shares.add_row(name, f"{share_of_greatest(name):.4f}") if name != "all_white" else None
    console = Console(width=140)
    console.print(table)
    console.print(shares)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEKS)
