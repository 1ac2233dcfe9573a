"""What was acknowledged is on the disk; what would merely be done again after a power failure need not wait for it."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import event, make_url

from correspondence.core import db
from correspondence.inbound import mailbox
from tests.tables import START
from tests.world import mail_world

FULL, NORMAL = 2, 1
"""How SQLite calls a commit that waits for the disk, and one that leaves this to a later one."""


def safety(connection):
    return connection.exec_driver_sql("PRAGMA synchronous").scalar()


@pytest.fixture
def engine(tmp_path):
    engine = db.make_engine(f"sqlite:///{tmp_path / 'quick.db'}")
    yield engine
    engine.dispose()


def test_only_an_unsynced_transaction_leaves_the_disk_to_a_later_one(engine):
    with db.unsynced(engine) as connection:
        assert safety(connection) == NORMAL
    with engine.connect() as connection:
        assert safety(connection) == FULL


def test_a_transaction_that_failed_lets_the_next_one_wait_for_the_disk_again(engine):
    with pytest.raises(ZeroDivisionError), db.unsynced(engine):
        raise ZeroDivisionError
    with engine.connect() as connection:
        assert safety(connection) == FULL


def test_on_postgresql_too_only_that_transaction_leaves_the_disk_to_a_later_one(postgres_url):
    careful = make_url(postgres_url).update_query_dict({"options": "-c synchronous_commit=on"})
    engine = db.make_engine(careful.render_as_string(hide_password=False))
    with db.unsynced(engine) as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "off"
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    engine.dispose()


def test_a_mail_is_kept_and_carried_out_on_the_disk_but_claimed_without_it(tmp_path):
    town = mail_world(tmp_path)
    engine, commits = db.make_engine(town.settings.database_url), []
    event.listen(engine, "commit", lambda connection: commits.append(safety(connection)))
    mail = town.compose("ann@example.org", "play@games.example", "help")
    mailbox.store_message(engine, mail, "play@games.example", "ann@example.org", now=START)
    mailbox.drain(engine, town.settings, now=START, rng=random.Random(1))
    assert commits == [FULL, NORMAL, FULL]
    engine.dispose()
    town.close()
