"""What `python app.py` costs as a process: `python -m bench.process`.

Prints the processor time to its first answer at /health: in a folder that is up to date, in a new one, and where Python may
keep no byte code of ours; the memory after the imports; and the memory while pages and pictures are read. Memory is what
the kernel calls resident.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from sqlmodel import col, select

from bench.web import Club
from correspondence.core import db
from correspondence.models import Match
from correspondence.web.current import runtime_of

READS, STEPS = 4_200, 6
"""So many pages and pictures are read, and so often memory is looked at meanwhile."""

STARTS = 3
LONGEST = 60
"""Seconds that a start may take."""

BYTECODE = "bytecode"
"""The name of the folder in which byte code is kept."""

IMPORT = "import correspondence.wsgi, correspondence.ops.serve; print(open('/proc/self/statm').read())"


class Served(NamedTuple):
    """A running service."""

    pid: int
    port: int

    @property
    def seconds(self) -> float:
        """Processor time up to now."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Resident memory now."""
        return resident(Path(f"/proc/{self.pid}/statm").read_text())

    def status(self, path: str, visitor: int = 0) -> int:
        """Fetch an address; the status of its answer. Each visitor has an address and so a rate limit of their own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        connection.request("GET", path, headers={"X-Forwarded-For": f"10.0.{visitor // 250}.{1 + visitor % 250}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


def resident(statm: str) -> float:
    """Megabytes, from what the kernel says in pages."""
    return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def environment(folder: Path, port: int, *, compiles_each_time: bool = False) -> dict[str, str]:
    """The settings of a service of its own, which takes no mail.

    Its byte code is kept beside its folder, as Python keeps it unless PYTHONDONTWRITEBYTECODE forbids it. If it
    `compiles_each_time`, no more of it is kept.
    """
    return {
        **os.environ, "PYTHONPYCACHEPREFIX": str(folder.parent / BYTECODE),
        "PYTHONDONTWRITEBYTECODE": "yes" if compiles_each_time else "",
        "INSTANCE_DIR": str(folder), "SECRET_KEY": "a key", "MAIL_LISTEN": "",
        "HTTP_LISTEN": f"127.0.0.1:{port}", "BASE_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1",
    }  # fmt: skip


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port


@contextmanager
def served(folder: Path, *, compiles_each_time: bool = False) -> Iterator[Served]:
    """`python app.py` from its first /health to the end of the block."""
    port = free_port()
    variables = environment(folder, port, compiles_each_time=compiles_each_time)
    process = subprocess.Popen(
        [sys.executable, "app.py"], env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield _answering(Served(process.pid, port))
    finally:
        process.kill()  # it bears that at any moment, and a terminated one first ends what its worker does
        process.wait(LONGEST)


def _answering(service: Served) -> Served:
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        try:
            if service.status("/health") == 200:
                return service
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(f"python app.py did not answer at /health within {LONGEST} seconds.")


def start_seconds(folder: Path, *, compiles_each_time: bool = False) -> float:
    """Processor time of one start to its first /health."""
    with served(folder, compiles_each_time=compiles_each_time) as service:
        return service.seconds


def forget_our_byte_code(folder: Path) -> None:
    """Leave the byte code of libraries alone in this folder, as `pip` does, which compiles them."""
    for package in ("correspondence", "engines"):
        shutil.rmtree(folder / Path(package).resolve().relative_to("/"))


def import_megabytes(folder: Path) -> float:
    """Resident memory after the imports of `python app.py`, with the application made."""
    child = subprocess.run(
        [sys.executable, "-c", IMPORT], env=environment(folder, 0), capture_output=True, text=True, check=True
    )
    return resident(child.stdout)


def addresses(club: Club) -> Iterator[str]:
    """Pages and pictures of games, each address once, then from the beginning again."""
    with db.reading(club.engine) as session:
        found = select(Match.id, Match.ply).where(col(Match.ended_at).is_not(None)).order_by(col(Match.id))
        plies = [(number, ply) for number, most in session.exec(found.limit(200)) for ply in range(most)]
    return itertools.cycle(f"/games/{number}/{ply}{end}" for number, ply in plies for end in ("", ".svg", ".png"))


def memory_while_reading(club: Club, folder: Path, reads: int = READS) -> list[float]:
    """Resident megabytes of a service of this club before, and after each step of reading so many addresses."""
    paths = addresses(club)
    with served(folder) as service:
        found = [service.megabytes]
        for _step in range(STEPS):
            for number, path in enumerate(itertools.islice(paths, reads // STEPS)):
                assert service.status(path, number) == 200, path
            found.append(service.megabytes)
    return found


class Figures(NamedTuple):
    """Seconds of a start in a new folder, in one that is up to date, and without byte code of ours; and megabytes."""

    new_start: float
    start: float
    uncompiled_start: float
    imported: float
    reading: list[float]


def measure(folder: Path, club: Club, starts: int = STARTS, reads: int = READS) -> Figures:
    """All figures, the least of several starts; `club` is the one whose instance folder is `folder / "club"`."""
    import_megabytes(folder / "first")  # it compiles everything
    new = start_seconds(folder / "new")
    start = min(start_seconds(folder / "new") for _start in range(starts))
    memory = memory_while_reading(club, folder / "club", reads)
    imported = import_megabytes(folder / "new")
    forget_our_byte_code(folder / BYTECODE)
    uncompiled = min(start_seconds(folder / "new", compiles_each_time=True) for _start in range(starts))
    return Figures(new, start, uncompiled, imported, memory)


def table_of(figures: Figures) -> Table:
    """The figures as a table."""
    table = Table("python app.py", "measured", "goal")
    table.add_row("start, CPU seconds", f"{figures.start:.2f}", "1.00")
    table.add_row("start in a new folder, CPU seconds", f"{figures.new_start:.2f}", "")
    table.add_row("start without byte code of ours, CPU seconds", f"{figures.uncompiled_start:.2f}", "")
    table.add_row("memory after the imports, MB", f"{figures.imported:.0f}", "105")
    table.add_row("memory while pages are read, MB", " ".join(f"{each:.0f}" for each in figures.reading), "150, flat")
    return table


def main() -> None:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        club = Club(folder / "club", 1_000)
        Console(width=140).print(table_of(measure(folder, club)))
        runtime_of(club.app).close()


if __name__ == "__main__":
    main()
