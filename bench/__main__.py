"""All benchmarks: `python -m bench [--json] [--quick] [--only NAME …]`, in less than ten minutes.

Prints one table: what was measured, what is aimed at, and beside it the machine's own limits in the same run.
`--json` prints one object instead, for comparing two commits; README.md beside this file says what its keys mean.
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from bench import engines, long_mails, mail, pairing, process, sweeps, web
from correspondence.web.current import runtime_of

Figures = dict[str, Any]
"""Part of the object that `--json` prints."""

AIMS = {
    "service_move.proteus-dice": 1.8, "service_move": 2.0, "playout.plateau": 1.0, "playout.proteus-dice": 4.5,
    "mail_move": 0.05, "page.own": 0.5, "page.after_move": 0.12, "page.onlooker": 0.7, "page.archive": 0.4,
    "page.archive_player": 0.4, "page.player": 0.4, "page.front": 0.4,
    "page.unchanged": 0.8, "empty_sweeps": 5.0, "start_cpu_seconds": 1.0, "rss_after_import_mb": 105.0,
    "memory_mb.end": 150.0, "growth": 1.1, "sizes.position": 4096,
    "long_mail_cpu_seconds": 0.5, "pairing_cpu_seconds": 5.0, "pairing_weight": 0.99,
}  # fmt: skip
"""What is aimed at, by the beginning of a figure's name; the longest one that fits holds."""

MOST_AT_BEST = ("empty_sweeps", "start", "rss", "memory_mb", "growth", "sizes", "pairing_cpu", "long_mail")
"""Figures that ought to be small; all others that have an aim ought to be great."""


class Extent(NamedTuple):
    """How much is measured: rounds, the sizes that are compared, and how many pages are read for the memory."""

    rounds: int
    smallest: int
    largest: int
    reads: int


WHOLE = Extent(rounds=5, smallest=1_000, largest=1_000_000, reads=4_200)
QUICK = Extent(rounds=2, smallest=400, largest=4_000, reads=600)


def measure_engines(extent: Extent, _folder: Path) -> Figures:
    """Moves against python-chess in the least round, and the largest positions."""
    found: Figures = {"service_move": {}, "playout": {}, "sizes": {"position": {}}, "machine": {}}
    for case in engines.CASES:
        moves, games = engines.service_moves(case, extent.rounds), engines.playouts(case, extent.rounds)
        found["service_move"][case], found["playout"][case] = min(moves.ratios), min(games.ratios)
        found["sizes"]["position"][case] = engines.sizes(case)[0]
    found["machine"] = {
        "chess_service_moves_per_second": max(moves.theirs),
        "chess_playout_per_second": max(games.theirs),
    }
    return found


def measure_mail(extent: Extent, folder: Path) -> Figures:
    """Moves by mail beside few and many games, and sweeps that find nothing beside many."""
    clubs = {size: mail.club_of(folder, size) for size in (extent.smallest, extent.largest)}
    large = clubs[extent.largest]
    idle = sweeps.measure(large)
    found = mail.measure(clubs, 4 * extent.rounds)  # which are short
    many, spent = found[extent.largest].ratio, {size: min(one.processor) for size, one in found.items()}
    return {
        "mail_move": many,
        "mail_move_commits": 1 / many,
        "mail_move_with_receipt": found[extent.largest].ratio_with_receipt,
        "empty_sweeps": idle.commits,
        "sweeps": {name: spent / idle.commit for name, spent in idle.sweeps.items()},
        "growth": {"mail_move": spent[extent.largest] / spent[extent.smallest]},
        "sizes": {"games_in_play": extent.largest, "mail_database_mb": _megabytes(folder / str(extent.largest))},
        "machine": {"commits_per_second": max(found[extent.largest].commits)},
    }


def measure_pages(extent: Extent, folder: Path) -> Figures:
    """Pages against a bare page, beside few and many games, and the process that serves them."""
    first = web.Club(folder / "first", 0)  # its games are played once, and copied
    sizes = (("club", extent.smallest), ("many", extent.largest))
    clubs = {size: web.Club(folder / name, size, like=first) for name, size in sizes}
    runtime_of(first.app).close()
    small, many = (_pages(club, extent.rounds) for club in clubs.values())
    started = process.measure(folder, clubs[extent.smallest], reads=extent.reads)
    for club in clubs.values():
        runtime_of(club.app).close()
    return {
        "page": {key: figures.ratio for key, figures in many.items()},
        "page_kilobytes": {key: figures.weight / 1024 for key, figures in many.items()},
        "growth": {"page": statistics.mean(small[key].ratio / many[key].ratio for key in many)},
        "start_cpu_seconds": started.start,
        "start_new_cpu_seconds": started.new_start,
        "start_uncompiled_cpu_seconds": started.uncompiled_start,
        "rss_after_import_mb": started.imported,
        "memory_mb": {"begin": started.reading[0], "middle": started.reading[3], "end": started.reading[-1]},
        "sizes": {"finished_games": extent.largest, "web_database_mb": _megabytes(folder / "many")},
        "machine": {"bare_pages_per_second": 1 / min(_bare_seconds(figures) for figures in many.values())},
    }


def measure_pairing(extent: Extent, folder: Path) -> Figures:
    """Rounds of pairing where many seeks wait."""
    return pairing.measure(min(extent.largest, pairing.SEEKS), folder)


def measure_long_mails(_extent: Extent, _folder: Path) -> Figures:
    """The longest mails, of the lines that cost most."""
    return {"long_mail_cpu_seconds": long_mails.measure()}


def _pages(club: web.Club, rounds: int) -> dict[str, web.Figures]:
    return {page.key: web.measure(club, page, rounds, web.PAGES) for page in club.pages()}


def _bare_seconds(figures: web.Figures) -> float:
    return min(seconds * ratio for seconds, ratio in zip(figures.seconds, figures.ratios, strict=True))


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.glob("*.db*")) / (1 << 20)


PARTS: dict[str, Callable[[Extent, Path], Figures]] = {
    "engines": measure_engines,
    "mail": measure_mail,
    "pages": measure_pages,
    "pairing": measure_pairing,
    "long_mails": measure_long_mails,
}
"""What `--only` chooses from."""


def merged(one: Figures, other: Figures) -> Figures:
    """Both, and where both hold something of the same name, what each of them holds there."""
    common = {name: merged(one[name], other[name]) for name in one.keys() & other.keys()}
    return one | other | common


def flat(figures: Figures, before: str = "") -> Iterator[tuple[str, float]]:
    """Each number with its name, in which dots lead inwards."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def aim_of(name: str) -> float | None:
    """What is aimed at for a figure; None for what is only told."""
    fitting = [
        beginning for beginning in AIMS if name == beginning or name.startswith((f"{beginning}.", f"{beginning} "))
    ]
    return AIMS[max(fitting, key=len)] if fitting else None


def table_of(figures: Figures) -> Table:
    """All figures as one table."""
    table = Table("figure", "measured", "aim", title="Ratios are to the machine's own limits, in the same run")
    for name, value in flat(figures):
        aim = aim_of(name)
        is_met = aim is not None and (value <= aim if name.startswith(MOST_AT_BEST) else value >= aim)
        table.add_row(name, f"{value:,.3g}" if value < 1000 else f"{value:,.0f}", _told(aim, is_met))
    return table


def _told(aim: float | None, is_met: bool) -> str:
    return "" if aim is None else f"{aim:g} {'met' if is_met else 'MISSED'}"


def main() -> None:
    """Measure what is asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures how fast the service is.")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: a look, not a measurement")
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be given several times")
    options = parser.parse_args()
    logging.disable()
    figures: Figures = {}
    for name in options.only or PARTS:
        print(f"measuring: {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            figures = merged(figures, PARTS[name](QUICK if options.quick else WHOLE, Path(folder)))
    print(json.dumps(figures, indent=2)) if options.json else Console(width=140).print(table_of(figures))


if __name__ == "__main__":
    main()
