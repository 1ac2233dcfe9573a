"""The benchmark of the pages runs, and measures pages rather than refusals."""

from __future__ import annotations

from bench.web import report


def test_every_page_is_fetched_and_weighed():
    found = report(60, rounds=1, count=2, models=1, running=8)
    assert set(found) >= {"own", "after_move", "onlooker", "unchanged"}
    assert all(
        figures.weight > 2_000 and len(figures.ratios) == 1 for key, figures in found.items() if key != "unchanged"
    )
