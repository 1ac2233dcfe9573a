"""Addresses of PostgreSQL for several hosts: servers of which one takes writes, and pgbouncer in front of them."""

from __future__ import annotations

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.ops import backups
from tests.pooling import PORT, pooler
from tests.standby import pair
from tests.tables import empty_database
from tests.test_backups import empty, kept, reopened
from tests.world import MAIL, World

TWO = "postgresql+psycopg://games:p%40ss@/games?host=db1:5432&host=db2:5433&target_session_attrs=read-write"


def test_programs_of_postgresql_get_all_hosts_and_no_password():
    address = db.libpq_address(make_url(f"{TWO}&prepare_threshold=none"))
    expected = "dbname=games user=games target_session_attrs=read-write host=db1,db2 port=5432,5433"
    assert set(address.split()) == set(expected.split())
    assert db.libpq_address(make_url("postgresql+psycopg:///correspondence")) == "dbname=correspondence"


@pytest.mark.parametrize("words", ["None", "-1", "five", ""])
def test_threshold_that_is_no_number_is_refused_with_a_sentence(words):
    with pytest.raises(SettingError, match="prepare_threshold is a number"):
        db.make_engine(f"postgresql+psycopg:///games?prepare_threshold={words}x")


def test_backup_of_several_hosts_is_restored(postgres_url, tmp_path):
    urls = [_with_absent_host(empty_database(postgres_url)) for _world in range(2)]
    world = World(tmp_path / "old", delivers=True, database_url=urls[0], **MAIL)
    world.join("ann", "bob")
    number = world.match("duel")
    settings = empty(tmp_path, urls[1])
    backups.restore(settings, kept(world, tmp_path), now=world.time)
    again = reopened(settings)
    assert again.stand(number).ended_at is None
    for one in (world, again):
        one.close()


def _with_absent_host(url):
    """The same database, behind a host that is away."""
    url = make_url(url)
    hosts = ["/no/such/host", url.query["host"]]
    return url.update_query_dict({"host": hosts, "target_session_attrs": "read-write"}).render_as_string(False)


@pytest.mark.thorough
def test_address_of_two_servers_leads_to_the_one_that_takes_writes():
    with pair() as servers:
        engine = db.make_engine(servers.url_of_both())
        for fails_over in (False, True):
            servers.catch_up()
            if fails_over:
                servers.fail_over()
            with engine.connect() as connection:
                assert not connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one()
        engine.dispose()


@pytest.fixture
def pooled(postgres_url):
    """The URL of a database behind a pgbouncer that has one connection to it."""
    url = make_url(empty_database(postgres_url))
    with pooler(url.query["host"], size=1) as folder:
        yield url.update_query_dict({"host": str(folder), "port": str(PORT)}).render_as_string(False)


def test_service_works_behind_pgbouncer_without_prepared_statements(pooled, tmp_path):
    world = World(tmp_path, delivers=True, database_url=f"{pooled}&prepare_threshold=none", **MAIL)
    world.join("ann", "bob")
    number = world.match()
    world.open(number)
    for _time in range(8):  # more often than psycopg waits before it prepares a statement
        for name in ("ann", "bob"):
            assert world.client(name).get(f"/games/{number}").status_code == 200
    world.answer(world.letter("ann"), "resign")
    world.answer(world.letter("ann"), "yes")
    assert world.stand(number).ended_at is not None
    world.close()


def test_prepared_statements_are_what_fails_behind_pgbouncer(pooled):
    with pytest.raises(DBAPIError, match="prepared statement"):
        _ask_often(pooled)
    _ask_often(f"{pooled}&prepare_threshold=none")


def _ask_often(url):
    engine = db.make_engine(url)
    try:
        for _connection in range(2):
            with engine.connect() as first, engine.connect() as second:
                for connection in (first, second):
                    for _time in range(8):
                        connection.execute(text("SELECT count(*) FROM pg_class WHERE relname = :name"), {"name": "x"})
                        connection.commit()
    finally:
        engine.dispose()
