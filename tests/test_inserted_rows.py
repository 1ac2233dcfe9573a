"""Rows that their session does not change are inserted at once, or together at the end of a block that writes at once."""

from __future__ import annotations

import pytest
from sqlalchemy import insert
from sqlmodel import func, select

from correspondence.core import db
from correspondence.models import Scope, Suppression
from tests.tables import START
from tests.test_statements import statements_to

ADD, COUNT = insert(Suppression), select(func.count(Suppression.id))


def add(session, name):
    db.insert_row(session, ADD, {"mail_key": name, "scope": Scope.ALL, "reason": "", "since": START})


def test_a_row_is_there_at_once(world):
    with db.transaction(world.engine) as session:
        add(session, "ann@example.org")
        assert db.value(session, COUNT) == 1


def test_rows_of_a_block_are_inserted_by_one_statement_at_its_end(world):
    with db.transaction(world.engine) as session:
        with statements_to(world.engine) as statements, db.written_at_once(session):
            add(session, "ann@example.org")
            add(session, "bob@example.org")
            assert statements == []
        assert len(statements) == 1
        assert db.value(session, COUNT) == 2


def test_a_block_that_fails_inserts_none_of_its_rows_and_the_next_row_is_there_at_once(world):
    with db.transaction(world.engine) as session:
        with pytest.raises(ValueError, match="no"), db.written_at_once(session):
            add(session, "ann@example.org")
            raise ValueError("no")
        assert db.value(session, COUNT) == 0
        add(session, "bob@example.org")
        assert db.value(session, COUNT) == 1
