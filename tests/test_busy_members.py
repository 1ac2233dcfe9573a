"""A member with very many games costs no more than one with few, whatever is done in one of them.

SQLite says how much work a statement is: it calls back after so many instructions of its virtual machine
(https://www.sqlite.org/c3ref/progress_handler.html). They are the same in each run, as seconds are not.
"""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from sqlalchemy import event, insert
from sqlmodel import col, select

from correspondence.core import db
from correspondence.core.caching import clear_caches
from correspondence.inbound import mailbox
from correspondence.models import Match, Move, Player
from correspondence.ops.worker import sweep_deadlines
from tests.post import reply_address
from tests.world import mail_world

FEW, MANY = 150, 3_000
"""How many games the two members have in play, and as many finished ones."""

STEP = 20
"""After so many instructions a unit of work is counted."""

MORE = 1.25
"""What the work beside many games may be of that beside few: walking down a deeper index is a little more."""


@contextmanager
def work_of(engine):
    """A list that holds how many units of work the database does meanwhile, as its one number."""
    work = [0]

    def count():
        work[0] += 1

    def begin(connection, *_more):
        connection.connection.driver_connection.set_progress_handler(count, STEP)

    def end(connection, *_more):
        connection.connection.driver_connection.set_progress_handler(None, STEP)

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "after_cursor_execute", end)
    try:
        yield work
    finally:
        event.remove(engine, "before_cursor_execute", begin)
        event.remove(engine, "after_cursor_execute", end)


def copy_game(town, number, count, first=1_000):
    """So many games more, as this one is: over, or with the same one to move."""
    with db.transaction(town.engine) as session:
        for table, of_match in ((Match, Match.id), (Player, Player.match_id), (Move, Move.match_id)):
            rows = [
                row.model_dump(exclude={"id"}) for row in session.exec(select(table).where(col(of_match) == number))
            ]
            key = "id" if table is Match else "match_id"
            session.execute(insert(table), [{**row, key: first + copy} for copy in range(count) for row in rows])


def of_page(town, path, reader):
    """The work of a page that nobody has looked at."""
    browser = town.client(reader)
    assert browser.get(path).status_code == 200
    clear_caches()
    with work_of(town.engine) as work:
        assert browser.get(path).status_code == 200
    return work[0]


def of_page_known(town, path, reader):
    """The work of a page that the browser has."""
    browser = town.client(reader)
    tag = browser.get(path).headers["ETag"]
    with work_of(town.engine) as work:
        assert browser.get(path, headers={"If-None-Match": tag}).status_code == 304
    return work[0]


def of_mail(town, letter):
    """The work of a reply with a move, until the letter to the opponent is written."""
    to = reply_address(letter)
    town.put(town.compose("ann@example.org", to, "h4/d2=B", answering=letter), to)
    with work_of(town.engine) as work:
        mailbox.drain(town.engine, town.settings, now=town.time, rng=town.rng)
    assert town.outcome() == "done: played"
    return work[0]


def of_deadline(town, number):
    """The work of a worker who ends one game by its clock."""
    with db.transaction(town.engine) as session:
        session.get_one(Match, number).deadline = town.time
    with work_of(town.engine) as work:
        assert sweep_deadlines(town.runtime) == 1
    return work[0]


def all_work(folder, count):
    """What the database does, by what is done, beside so many games of the two that wait for bob, and as many finished ones."""
    town = mail_world(folder)
    town.join("ann", "bob", "cid")
    running, due, over = town.match(), town.match(), town.match()
    for number in (running, due, over):
        town.open(number)
    town.resign(over, "bob")
    town.play(running, "ann", "a3/g1=B")
    copy_game(town, running, count)
    copy_game(town, over, count, first=100_000)
    town.play(running, "bob", "e6/d8=B")
    work = {
        "own game": of_page(town, f"/games/{running}", "ann"),
        "another's game": of_page(town, f"/games/{running}", "cid"),
        "unchanged game": of_page_known(town, f"/games/{running}", "ann"),
        "move by mail": of_mail(town, town.letter("ann")),
        "finished game": of_page(town, f"/games/{over}", ""),
        "deadline": of_deadline(town, due),
    }
    town.close()
    return work


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return [all_work(tmp_path_factory.mktemp("busy"), count) for count in (FEW, MANY)]


@pytest.mark.parametrize(
    "act", ["own game", "unchanged game", "another's game", "finished game", "move by mail", "deadline"]
)
def test_what_is_done_in_one_game_is_no_more_work_beside_thousands_of_games_of_its_players(work, act):
    few, many = (each[act] for each in work)
    assert 0 < many <= few * MORE
