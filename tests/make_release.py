"""Write the database of a release to tests/releases: `python -m tests.make_release`.

In it people play games of every kind, and do a little of everything that stores rows. A later version must migrate
such a database and continue its games (tests/test_upgrades.py).
"""

from __future__ import annotations

import lzma
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import make_url

from correspondence.core import db
from correspondence.models import Match
from correspondence.models.loading import position_of
from correspondence.play import offers
from engines import GAMES
from tests.club import seek
from tests.postgres import server
from tests.tables import fresh_database
from tests.world import World, mail_world

RELEASES = Path(__file__).parent / "releases"
MOVES = 10
"""Number of moves after which a game is resigned, or left running."""


def main() -> None:
    """Write both databases of the installed version."""
    with tempfile.TemporaryDirectory() as folder:
        lived = Path(folder) / "sqlite"
        live(mail_world(lived))
        dump = Path(folder) / "dump.sql"
        with server() as url:
            fresh = fresh_database(url)
            live(mail_world(Path(folder) / "postgresql", database_url=fresh))
            address = make_url(fresh).set(drivername="postgresql").render_as_string(hide_password=False)
            subprocess.run(["pg_dump", "--no-owner", "--file", dump, address], check=True)
        keep(lived / "correspondence.db", RELEASES / f"{version('correspondence')}.db.xz")
        keep(dump, RELEASES / f"{version('correspondence')}.sql.xz")


def keep(file: Path, where: Path) -> None:
    """Write a file compressed."""
    with file.open("rb") as source, lzma.open(where, "wb", preset=9) as target:
        shutil.copyfileobj(source, target)
    print(where, where.stat().st_size)


def live(world: World) -> None:
    """Play the scenario that fills the database of a release."""
    world.join("ann", "bob", "cleo", receipts=True)
    for key in (key for key, game in GAMES.items() if len(game.seats) == 2):
        finished, running = world.match(key), world.match(key)
        play_on(world, finished, MOVES)
        world.resign(finished, "ann")
        play_on(world, running, MOVES)
        with db.transaction(world.engine) as session:
            offers.offer_pause(session, world.player(session, running, "ann"), 3, now=world.time)
    seek(world, "cleo", rated=False)
    world.mail("dora@example.org", "play@games.example", "join dora")
    world.close()


def play_on(world: World, number: int, moves: int) -> None:
    """Play some moves, each at another place in the list of legal ones."""
    for step in range(moves):
        with db.reading(world.engine) as session:
            match = session.get_one(Match, number)
            position = position_of(match)
            if match.ended_at is not None:
                return
            seat = position.to_act[0]
            legal = list(position.legal_moves(seat))
            text = position.write(seat, legal[step * 7 % len(legal)])
            name = next(n for n in ("ann", "bob") if world.player(session, number, n).seat == seat)
        world.clock.go(minutes=7)
        world.play(number, name, text)


if __name__ == "__main__":
    main()
