"""What the database is asked: sweeps and main pages look rows up by an index, and ask no more than they must."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event, insert, text, update
from sqlmodel import SQLModel, col, select

from correspondence import transport
from correspondence.core import db
from correspondence.core.caching import clear_caches
from correspondence.features.webhooks.tables import DeliveryState, Webhook, WebhookDelivery
from correspondence.inbound import mailbox
from correspondence.models import (
    Event,
    EventKind,
    Inbound,
    Letter,
    Match,
    Move,
    Person,
    Player,
)
from correspondence.ops import due, worker
from correspondence.queries.events import heard
from tests import club
from tests.post import reply_address
from tests.tables import START, fresh_database
from tests.world import World, mail_world

GROWING = ("letter", "inbound", "match", "move", "player", "event", "webhook_delivery")
"""The tables that grow with every game and every mail."""

CROWD = 3_000
"""So many copies of somebody else's game, so that PostgreSQL has a reason to use an index."""

PARTIAL = {
    index.name
    for table in SQLModel.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
}
"""The indexes over few rows: to walk one of them from its beginning is no scan of the table."""

PAGES = {
    "own game": ("ann", "/games/{running}", 5),
    "onlooker": ("", "/games/{running}", 4),
    "history": ("", "/games/{over}", 7),
    "my games": ("ann", "/games", 10),
    "archive": ("", "/archive", 6),
    "archive of one game": ("", "/archive?game=duel", 6),
    "first page": ("", "/", 9),
    "watch": ("", "/watch", 4),
    "archive of one member": ("", "/archive?player=bob", 6),
    "member": ("ann", "/players/bob", 14),
    "what waits": ("ann", "/games/waiting.json", 3),
    "webhooks": ("cid", "/settings/webhooks", 4),
}
"""Who looks, at which address, and the most statements that the page may make."""

MOVE_BY_MAIL = {("sqlite", False): 15, ("sqlite", True): 17, ("postgresql", False): 17, ("postgresql", True): 20}
"""The most statements from the accepted bytes of a reply with a move to the committed letter to the opponent.

By the database, and whether the mover gets a receipt, too. Receipts are counted under a lock of the mailbox.
"""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def crowded(request, tmp_path_factory):
    """A world with games of ann and bob that begin, run and are over, among thousands of others."""
    url = fresh_database(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""
    town = mail_world(tmp_path_factory.mktemp("crowd"), database_url=url)
    town.join("ann", "bob", "cid", "dan")
    town.running, town.over = town.match(), town.match()
    for number in (town.running, town.over):
        town.open(number)
    town.resign(town.over, "bob")
    other = town.match(white="cid", black="dan")
    town.open(other, "cid", "dan")
    town.mail("cid@example.org", "play@games.example", "help")
    town.sweep()
    town.first_letters = [town.match() and town.letter("ann") for _game in range(3)]
    _crowd(town, other)
    yield town
    town.close()


def _crowd(town, other):
    """Copies of a game, finished and running in turn, with its players, moves, letters and a message each."""
    with db.transaction(town.engine) as session:
        rows = {
            table: [row.model_dump() for row in session.exec(select(table).where(col(number) == other))]
            for table, number in ((Match, Match.id), (Player, Player.match_id), (Move, Move.match_id))
        }
        rows[Letter] = [session.exec(select(Letter).where(col(Letter.match_id) == other)).first().model_dump()]
        rows[Inbound] = [session.exec(select(Inbound)).first().model_dump()]
        for table, few in rows.items():
            session.execute(insert(table), [_copied(table, row, n) for n in range(CROWD) for row in few])
        _events(session)
    with town.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("ANALYZE"))


def _events(session):
    """What cid's programs have heard, and what was posted to his webhook."""
    cid = {"person_id": 3, "kind": EventKind.GAME_STARTED, "match_id": 1, "at": START, "due_at": START}
    session.execute(insert(Event), [{"id": n, "number": n, **cid} for n in range(1, CROWD)])
    session.execute(update(Person).where(col(Person.id) == 3).values(event_number=CROWD - 1))
    session.add(
        Webhook(id=1, person_id=3, name="x", url="https://push.example/", kinds="", nonce="x", created_at=START)
    )
    session.flush()
    taken = {"webhook_id": 1, "state": DeliveryState.DELIVERED, "tries": 1, "status": 200, "at": START}
    session.execute(insert(WebhookDelivery), [{"event_id": n, **taken} for n in range(1, CROWD)])


def _copied(table, row, number):
    """A row of the copy of this number; every other game has ended, at a moment of its own."""
    game, is_over = 1_000 + number, number % 2
    ended = row.get("started_at", row.get("since")) or row.get("at")
    fresh = {"id": game} if table is Match else {"match_id": game}
    if table is Inbound:
        fresh = {"message_key": f"copy {number}"}
    if table is Letter:
        fresh = {"match_id": game, "key": f"copy {number}", "message_id": f"copy.{number}"}
    if table in (Match, Player):
        over = {"deadline": None, "remind_at": None, "ended_at": (ended or START) + timedelta(seconds=number)}
        fresh |= over if is_over else {}
    if table is Match and is_over:
        fresh |= {"result": "1-0", "indexed_at": ended}
    kept = {name: value for name, value in row.items() if name != "id"}
    return kept | fresh


@contextmanager
def statements_to(engine):
    """The statements that are sent meanwhile, each with its parameters and the connection that it goes through."""
    found = []

    def note(connection, _cursor, statement, parameters, _context, many):
        if statement.split()[0] in ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE"):
            rows_apart = many and isinstance(parameters, list)  # else one statement writes several rows
            found.append((statement, parameters[0] if rows_apart and parameters else parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


def scans(engine, statements):
    """Which of the growing tables these statements go through from one end to the other, with the statement."""
    ways = _sqlite_scans if engine.dialect.name == "sqlite" else _postgres_scans
    connection = engine.raw_connection()
    try:
        return [
            (table, statement)
            for statement, parameters in statements
            for table in ways(connection.cursor(), statement, parameters)
        ]
    finally:
        connection.close()


def _sqlite_scans(cursor, statement, parameters):
    """A search without a condition looks for a least or greatest value: it ends at the first row that the rest fits."""
    for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall():
        scan = re.match(
            rf"(SCAN|SEARCH) ({'|'.join(GROWING)})(?:_\d+)?\b(?: USING (?:COVERING )?INDEX (\w+))?(.*)", row[3]
        )
        if scan and scan[3] not in PARTIAL and (scan[1] == "SCAN" or (scan[3] and "(" not in scan[4])):
            yield scan[2]


def _postgres_scans(cursor, statement, parameters):
    cursor.execute(
        "SET random_page_cost = 1.1"
    )  # as on disks without heads, which find an index worth its while earlier
    plan = cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters).fetchone()[0][0]["Plan"]
    for node in _nodes(plan):
        goes_through = node["Node Type"] == "Seq Scan" or (
            "Index" in node["Node Type"] and "Index Cond" not in node and node.get("Index Name") not in PARTIAL
        )
        if node.get("Relation Name") in GROWING and goes_through:
            yield node["Relation Name"]


def _nodes(plan):
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def sweeps(town):
    posts = (transport.open_post(town.settings) for _post in range(2))
    return worker.sweeps(town.runtime, *posts)


def test_no_sweep_goes_through_what_grows(crowded):
    jobs = sweeps(crowded)
    with statements_to(crowded.engine) as first:
        for job in jobs.values():
            job()
    with statements_to(crowded.engine) as again:
        for job in jobs.values():
            job()
    assert len(again) >= len(jobs)
    assert not scans(crowded.engine, first + again)


def test_a_worker_with_nothing_to_do_asks_one_statement_that_goes_through_nothing_that_grows(crowded):
    jobs = sweeps(crowded)
    for _twice in range(2):
        due.run_due(crowded.runtime, lambda name: jobs[name]())
    run = []
    with statements_to(crowded.engine) as statements:
        due.run_due(crowded.runtime, run.append)
    assert run == [] and len(statements) == 1
    assert not scans(crowded.engine, statements)


@pytest.mark.parametrize("page", PAGES)
def test_no_main_page_goes_through_what_grows_or_asks_more_than_it_must(crowded, page):
    reader, address, most = PAGES[page]
    browser, path = crowded.client(reader), address.format(running=crowded.running, over=crowded.over)
    assert browser.get(path).status_code == 200
    clear_caches()
    with statements_to(crowded.engine) as statements:
        assert browser.get(path).status_code == 200
    assert not scans(crowded.engine, statements)
    assert len(statements) <= most


@pytest.mark.parametrize(("reader", "most"), [("ann", 2), ("", 1)])
def test_a_page_that_has_not_changed_is_known_by_one_statement(crowded, reader, most):
    browser, path = crowded.client(reader), f"/games/{crowded.running}"
    browser.get(path)
    tag = browser.get(path).headers["ETag"]
    with statements_to(crowded.engine) as statements:
        assert browser.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert not scans(crowded.engine, statements)
    assert len(statements) <= most


@pytest.mark.parametrize("has_receipt", [False, True], ids=["plain", "receipt"])
def test_a_move_by_mail_goes_through_nothing_that_grows_and_asks_no_more_than_it_must(crowded, has_receipt):
    with db.transaction(crowded.engine) as session:
        crowded.person(session, "ann").receipts = has_receipt
    if has_receipt:  # the first one makes the token that stops receipts
        _answered(crowded, crowded.first_letters[2])
    statements = _answered(crowded, crowded.first_letters[has_receipt])
    assert crowded.outcome() == "done: played"
    assert not scans(crowded.engine, statements)
    assert len(statements) <= MOVE_BY_MAIL[crowded.engine.dialect.name, has_receipt]


def _answered(town, letter):
    """What the database is asked when ann answers a letter with her first move."""
    mail = town.compose("ann@example.org", reply_address(letter), "c3/f2=B", answering=letter)
    with statements_to(town.engine) as statements:
        town.put(mail, reply_address(letter))
        mailbox.drain(town.engine, town.settings, now=town.time, rng=town.rng)
    return statements


@pytest.mark.parametrize(("after", "most"), [(CROWD - 1, 1), (CROWD - 3, 9)])
def test_a_program_that_asks_what_is_new_is_answered_by_indexes(crowded, after, most):
    with db.reading(crowded.engine) as session, statements_to(crowded.engine) as statements:
        found = heard(session, 3, after, base_url="https://games.example", now=START)
    assert len(found.values) == CROWD - 1 - after and not found.missed
    assert not scans(crowded.engine, statements)
    assert len(statements) <= most


LISTS = {
    "seeks": "/seeks",
    "partners": "/partners",
    "watch": "/watch",
    "archive": "/archive",
    "ratings": "/ratings",
    "ratings of one game": "/ratings/duel",
    "my games": "/games",
    "player": "/players/bob",
    "opponent of mine": "/players/ann",
    "puzzles": "/puzzles",
    "front page": "/",
}
"""The pages that list what members do, each by its address."""

GAMES_LISTED = ("proteus-dice", "duel", "plateau")


def more_happens(town, *handles):
    """Everybody seeks, once and again and again, plays one another, has finished a game, and challenges ann."""
    town.join(*handles)
    for handle, game in zip(handles, GAMES_LISTED, strict=True):
        club.seek(town, handle, game)
        club.seek(town, handle, game, games="2", rating="1300-1800", again="never")
        club.seek(town, handle, game, standing="3", reliability="50", language="en")
        for white, black in ((handle, "bob"), ("ann", handle), (handle, "ann")):
            town.match(game, white, black)
        over = town.match(game, "bob", handle)
        town.resign(over, handle)
        club.challenge(town, handle, "ann", game)
        club.challenge(town, "ann", handle, game)
    worker.sweep_openings(town.runtime)


@pytest.fixture(scope="module")
def growing(tmp_path_factory):
    """What each page asks in a world with few, and after that with many; by page and reader."""
    town = World(tmp_path_factory.mktemp("growing"))
    town.join("ann", "bob")
    more_happens(town, "cid", "dan", "eva")
    few = counts_of_lists(town)
    more_happens(town, "fay", "gus", "hal")
    more_happens(town, "ida", "jon", "kim")
    yield few, counts_of_lists(town)
    town.close()


def counts_of_lists(town):
    counts = {}
    for reader in ("", "ann"):
        browser = town.client(reader)
        for path in LISTS.values():
            browser.get(path)
            clear_caches()
            with statements_to(town.engine) as statements:
                assert browser.get(path).status_code < 400
            counts[path, reader] = len(statements)
    return counts


@pytest.mark.parametrize("reader", ["", "ann"], ids=["stranger", "member"])
@pytest.mark.parametrize("page", LISTS)
def test_a_list_asks_as_many_statements_for_many_as_for_few(growing, page, reader):
    few, many = (counts[LISTS[page], reader] for counts in growing)
    assert many <= few
