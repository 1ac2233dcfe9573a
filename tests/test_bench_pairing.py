"""A few days of a small club, simulated: nobody waits while somebody who fits waits too."""

from __future__ import annotations

from bench.pairing import simulate
from correspondence.core import db, schema


def test_nobody_waits_while_a_compatible_partner_waits_too(tmp_path):
    engine = db.make_engine(f"sqlite:///{tmp_path}/club.db")
    schema.prepare(engine)
    figures = simulate(engine, people=24, days=2)
    engine.dispose()
    print(figures)
    assert figures.begun > 2 and figures.missed == 0
