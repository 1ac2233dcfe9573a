"""The migrations make exactly the tables that the code knows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import PrimaryKeyConstraint, UniqueConstraint, inspect, text
from sqlmodel import SQLModel, select

from correspondence.accounts.accounts import PeopleError, checked_handle
from correspondence.core import db, schema
from correspondence.models import Address, Person, Purpose, Seek, Token
from correspondence.outbound import letters
from tests.tables import empty_database


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_end_where_the_models_stand(kind, request, tmp_path):
    url = f"sqlite:///{tmp_path}/x.db"
    if kind == "postgresql":
        url = empty_database(request.getfixturevalue("postgres_url"))
    engine = db.make_engine(url)
    schema.prepare(engine)
    schema.prepare(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


@pytest.mark.parametrize("table", SQLModel.metadata.sorted_tables, ids=str)
def test_no_index_is_the_beginning_of_another_which_would_serve_as_well(table):
    keys = [one for one in table.constraints if isinstance(one, UniqueConstraint | PrimaryKeyConstraint)]
    indexes = [one for one in table.indexes if one.dialect_options["sqlite"]["where"] is None]
    columns = {one: [column.name for column in one.columns] for one in (*keys, *indexes)}
    served = [one for one in indexes for other in columns if one is not other and _begins(columns[other], columns[one])]
    assert [one.name for one in served if not one.unique] == []


def _begins(longer, shorter):
    return longer[: len(shorter)] == shorter


def test_what_an_older_database_holds_is_kept_under_the_new_names(tmp_path):
    engine = db.make_engine(f"sqlite:///{tmp_path}/x.db")
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        person = dict.fromkeys(_required(connection, "person"), 0) | {
            "handle": "ann", "handle_key": "ann", "language": "en", "zone": "UTC", "digest": "off", "over_letters": 0,
            "hours": '{"sleep":[22,7]}', "joined_at": "2026-01-01 00:00:00",
        }  # fmt: skip
        _insert(connection, "person", person)
        token = {"purpose": "desk", "person_id": 1, "payload": "{}", "created_at": "2026-01-01 00:00:00"}
        _insert(connection, "token", token)
        address = {"person_id": 1, "verified_at": "2026-01-01 00:00:00", "score": 0}
        for name in ("first", "second"):
            _insert(connection, "address", address | {"mail": f"{name}@x.org", "mail_key": f"{name}@x.org"})
    schema.prepare(engine)
    with db.reading(engine) as session:
        assert letters.mail_of(session, session.get(Person, 1)) == "first@x.org"
        assert [one.is_main for one in session.exec(select(Address).order_by(Address.id))] == [True, False]
        person = session.get(Person, 1)
        assert (person.off_hours, person.game_over_letters) == ('{"sleep":[22,7]}', False)
        assert session.get(Token, 1).purpose == Purpose.COMMANDS
    engine.dispose()


def test_members_with_handles_alike_stay_and_the_first_keeps_others_away(tmp_path):
    engine = upgraded(tmp_path, "0036")
    with engine.begin() as connection:
        usual = dict.fromkeys(_required(connection, "person"), 0) | {"joined_at": "2026-01-01 00:00:00"}
        for handle in ("paul", "pauI", "Staff", "ann_"):
            _insert(connection, "person", usual | {"handle": handle, "handle_key": handle.casefold()})
    schema.prepare(engine)
    with db.reading(engine) as session:
        kept = {person.handle: person.handle_skeleton for person in session.exec(select(Person))}
        assert kept == {"paul": "paul", "pauI": None, "Staff": "staff", "ann_": "ann"}
        for handle in ("Pau1", "paui", "ann"):
            with pytest.raises(PeopleError, match="looks too much|is taken"):
                checked_handle(session, handle)
    engine.dispose()


def test_members_whose_handles_no_longer_look_alike_get_a_skeleton_each(tmp_path):
    engine = upgraded(tmp_path, "0043")
    with engine.begin() as connection:
        usual = dict.fromkeys(_required(connection, "person"), 0) | {"joined_at": "2026-01-01 00:00:00"}
        for handle, before in (("neil", "nell"), ("nell", None), ("Ian", "lan"), ("lan", None)):
            row = {"handle": handle, "handle_key": handle.casefold(), "handle_skeleton": before}
            _insert(connection, "person", usual | row)
    schema.prepare(engine)
    with db.reading(engine) as session:
        kept = {person.handle: person.handle_skeleton for person in session.exec(select(Person))}
        assert kept == {"neil": "neil", "nell": "nell", "Ian": "lan", "lan": None}
    engine.dispose()


def test_open_challenges_of_before_can_be_answered_for_thirty_days_more(tmp_path):
    engine = upgraded(tmp_path, "0037")
    with engine.begin() as connection:
        person = dict.fromkeys(_required(connection, "person"), 0) | {
            "handle": "ann", "handle_key": "ann", "language": "en", "zone": "UTC", "joined_at": "2026-01-01 00:00:00",
        }  # fmt: skip
        _insert(connection, "person", person)
        offer = dict.fromkeys(_required(connection, "seek"), 0) | {
            "person_id": 1, "game": "duel", "options": "", "policy": "automatic",
            "created_at": "2026-01-01 00:00:00",
        }  # fmt: skip
        for state, opponent in (("open", 1), ("open", None), ("declined", 1)):
            _insert(connection, "seek", offer | {"state": state, "opponent_id": opponent})
    schema.prepare(engine)
    with db.reading(engine) as session:
        challenge, seek, answered = session.exec(select(Seek).order_by(Seek.id)).all()
        assert challenge.expires_at > datetime.now(UTC) + timedelta(days=29)
        assert seek.expires_at is None and answered.expires_at is None
    engine.dispose()


def upgraded(folder, revision):
    """A database in `folder` as it was at this revision."""
    engine = db.make_engine(f"sqlite:///{folder}/x.db")
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    return engine


def _required(connection, table):
    columns = inspect(connection).get_columns(table)
    needed = [column for column in columns if not column["nullable"] and not column["primary_key"]]
    return [column["name"] for column in needed if column["default"] is None]


def _insert(connection, table, row):
    names = ", ".join(f'"{name}"' for name in row)
    connection.execute(text(f'INSERT INTO "{table}" ({names}) VALUES ({", ".join(f":{name}" for name in row)})'), row)
