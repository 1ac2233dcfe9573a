"""What is kept about a member is theirs to fetch and to have erased; games stay with those he played."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from sqlalchemy import update
from sqlmodel import SQLModel, col, func, select

from correspondence.accounts import accounts, joining
from correspondence.archive import record_file
from correspondence.community import blocking, data_export, directory, erasure, reports
from correspondence.community.person_keys import PERSON_KEYS, Ownership
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.matchmaking import seeks
from correspondence.models import Address, Inbound, Letter, LetterState, Match, Move, Person, Player, Token
from correspondence.play import analysis, chat, matches
from tests.post import text_of

DOOR = "play@games.example"


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


@pytest.fixture
def busy(club):
    """Ann has finished one game, plays a second and has not moved in a third; she left traces everywhere."""
    done = club.match("duel")
    club.play(done, "ann", "3@a1", comment="To my friend: hello.")
    club.resign(done, "bob")
    running = club.match("duel")
    club.play(running, "ann", "3@a1")
    fresh = club.match("duel", "bob", "ann")
    with transaction(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        seat = session.exec(select(Player).where(Player.match_id == running, Player.person_id == ann.id)).one()
        chat.keep_note(session, seat, "A private thought.", ply=None, now=club.clock())
        blocking.block(session, ann, "cleo", now=club.clock())
        directory.save_preferences(session, ann, directory.DirectoryPreferences(post="1 Lane, Town", shows_post=True))
        ann.off_hours, ann.digest = "22-7", "daily"
    return club, done, running, fresh


def forget(world, handle):
    with transaction(world.runtime.engine) as session:
        erasure.forget(session, accounts.person_by_handle(session, handle), now=world.clock())


def names_of_people(session, person_id):
    """The tables that hold rows about a person."""
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            names = any(key.column.table.name == "person" for key in column.foreign_keys)
            if names and session.execute(table.select().where(column == person_id)).first():
                yield table.name


def test_no_address_of_a_departed_member_is_ever_somebody_elses(busy):
    """SQLite would give the highest numbers again, and old letters would spell what is somebody else's."""
    club, *_games = busy
    with transaction(club.runtime.engine) as session:
        erasure.ask(session, accounts.person_by_handle(session, "ann"), now=club.clock())
    with reading(club.runtime.engine) as session:
        before = {table: set(session.exec(select(table.id))) for table in (Token, Letter)}
    forget(club, "ann")
    with transaction(club.runtime.engine) as session:
        there = {table: set(session.exec(select(table.id))) for table in (Token, Letter)}
        erasure.ask(session, accounts.person_by_handle(session, "bob"), now=club.clock())
    with reading(club.runtime.engine) as session:
        for table, numbers in before.items():
            fresh = set(session.exec(select(table.id))) - there[table]
            assert fresh and not fresh & numbers


def test_nothing_about_a_departed_member_is_left_but_what_belongs_to_games(busy):
    club, *_games = busy
    with reading(club.runtime.engine) as session:
        number = accounts.person_by_handle(session, "ann").id
        assert {"address", "letter", "block", "directory_listing", "remark", "player"} <= set(
            names_of_people(session, number)
        )
    forget(club, "ann")
    with reading(club.runtime.engine) as session:
        assert set(names_of_people(session, number)) <= {"player", "rating", "rating_change", "seek"}
        gone = session.get(Person, number)
        fresh = Person(handle=gone.handle, handle_key=gone.handle_key, joined_at=gone.joined_at, id=gone.id)
        fresh.departed_at, fresh.handle_skeleton = gone.departed_at, gone.handle_skeleton
        assert gone.model_dump() == fresh.model_dump()
        kept = {  # as tuples: a row leaves out the middle of what it shows
            table.name: repr([tuple(row) for row in session.execute(table.select())])
            for table in SQLModel.metadata.sorted_tables
        }
    for trace, there in (("private thought", []), ("1 Lane", []), ("ann@example.org", []), ("hello", ["letter"])):
        assert [name for name, rows in kept.items() if trace in rows] == there  # what others were told is theirs


def test_finished_games_stay_and_verify_and_running_ones_end(busy):
    club, done, running, fresh = busy
    forget(club, "ann")
    with reading(club.runtime.engine) as session:
        results = {match.id: match.result for match in session.exec(select(Match))}
        assert results == {done: "1-0", running: "0-1", fresh: "*"}
        assert not session.get_one(Match, fresh).rated
        moves = list(session.exec(select(Move).where(Move.match_id == done)))
        assert [move.comment for move in moves if move.comment] == []
    page = club.client("bob").get(f"/games/{done}").text
    assert "departed player" in page
    record = club.client("bob").get(f"/games/{done}.record").text
    assert "departed player" in record and "hello" not in record
    assert record_file.read_record(record)


def test_whoever_played_with_a_departed_member_is_told(busy):
    club, _done, running, _fresh = busy
    forget(club, "ann")
    with reading(club.runtime.engine) as session:
        bob = accounts.person_by_handle(session, "bob")
        statement = select(Letter.match_id).where(Letter.kind == "over", Letter.person_id == bob.id)
        assert running in set(session.exec(statement))


def test_nobody_can_take_the_name_of_a_departed_member(busy):
    club, *_games = busy
    forget(club, "ann")
    with transaction(club.runtime.engine) as session, pytest.raises(accounts.PeopleError, match="taken"):
        joining.request_join(session, "ANN", "new@example.org", now=club.clock())
    assert club.client("bob").get("/players/ann").status_code == 404
    assert "the games remain" in club.client("bob").get("/players/departed player").text


def test_the_page_asks_once_and_then_erases_and_signs_out(busy):
    club, *_games = busy
    ann = club.client("ann")
    assert "Really?" not in ann.get("/settings/mydata").text
    assert "Really?" in ann.get("/settings/mydata/forget").text
    assert people_called(club, "ann") is not None
    assert ann.post("/settings/mydata/forget").location.endswith("/settings/mydata/forget")
    assert people_called(club, "ann") is not None
    assert ann.post("/settings/mydata/forget", data={"confirmed": "yes"}).status_code == 303
    assert people_called(club, "ann") is None
    assert ann.get("/games").status_code in (302, 303, 401, 403)


def people_called(world, handle):
    with reading(world.runtime.engine) as session:
        return accounts.person_by_handle(session, handle)


def test_the_copy_holds_rows_records_letters_and_no_secrets_of_others(busy):
    club, done, running, _fresh = busy
    letters_leave(club)
    inside = export_chunks(club, "ann")
    person = json.loads(inside["rows/person.json"])
    assert (
        person["handle"] == "ann"
        and json.loads(inside["rows/directory_listing-person_id.json"])["post"] == "1 Lane, Town"
    )
    assert "A private thought." in inside["rows/remark-person_id.json"]
    assert f"/games/{done}" in inside["games.records"] and f"/games/{running}" in inside["games.records"]
    assert "To: ann@example.org" in inside["letters.mbox"] and "bob@example.org" not in "".join(inside.values())
    assert club.client().post("/settings/mydata/fetch").status_code in (302, 303, 401, 403)


def letters_leave(world):
    with transaction(world.runtime.engine) as session:
        session.execute(update(Letter).values(state=LetterState.SENT))


def export_chunks(world, handle):
    """The files that a member fetches, by name."""
    answer = world.client(handle).post("/settings/mydata/fetch")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as file:
        assert file.testzip() is None
        return {name: file.read(name).decode() for name in file.namelist()}


def test_every_key_that_names_a_person_was_decided_to_be_own_or_of_others():
    named = {
        f"{table.name}.{column.name}"
        for table in SQLModel.metadata.sorted_tables
        for column in table.columns
        if any(key.column.table.name == "person" for key in column.foreign_keys)
    }
    assert named == set(PERSON_KEYS)


def test_nothing_that_others_wrote_about_a_member_is_in_the_members_copy(busy):
    club, _done, running, _fresh = busy
    before = export_chunks(club, "bob")
    with transaction(club.runtime.engine) as session:
        ann, number = accounts.person_by_handle(session, "ann"), running
        blocking.block(session, ann, "bob", now=club.clock())
        blocking.mute(session, ann, "bob", now=club.clock())
        reports.report(session, ann, "bob", "Bob is rude.", match_id=number, operator="", now=club.clock())
    after = export_chunks(club, "bob")
    assert after == before
    of_others = [
        key.replace(".", "-") for key, meaning in PERSON_KEYS.items() if meaning.ownership == Ownership.OF_OTHERS
    ]
    assert of_others and not {f"rows/{name}.json" for name in of_others} & after.keys()
    [block, mute, complaint] = (
        json.loads(export_chunks(club, "ann")[f"rows/{name}-person_id.json"].splitlines()[-1])
        for name in ("block", "mute", "member_report")
    )
    assert block["other"] == mute["other"] == complaint["about"] == "bob" and complaint["text"] == "Bob is rude."


def test_the_copy_names_no_row_by_a_number_that_others_move(busy):
    club, _done, running, _fresh = busy
    with transaction(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        last = analysis.try_move(session, ann, running, 1, None, "5@b1", now=club.clock())
        analysis.try_move(session, ann, running, 1, last, "4@c1", now=club.clock())
        seeks.seek(session, ann, "duel", {}, now=club.clock(), rng=club.runtime.rng)
    inside = export_chunks(club, "ann")
    tables = {
        name: [json.loads(line) for line in text.splitlines()]
        for name, text in inside.items()
        if name.startswith("rows/")
    }
    numbered = {name for name, rows in tables.items() if any("id" in row for row in rows)}
    assert numbered == {"rows/seek-person_id.json"}  # seeks are called by their number
    assert all([row["place"] for row in rows] == list(range(1, len(rows) + 1)) for rows in tables.values())
    assert [row["parent"] for row in tables["rows/variation-person_id.json"]] == [None, 1]
    ids = {key for rows in tables.values() for row in rows for key in row if key.endswith("_id")}
    assert ids == {"match_id", "answers_id", "after_match_id", "message_id", "last_message_id"}


def test_words_of_somebody_muted_and_letters_that_have_not_left_are_not_in_the_copy(club):
    running = club.match("duel")
    club.play(running, "ann", "3@a1")
    club.play(running, "bob", "3@b1", comment="With a move.")
    with transaction(club.runtime.engine) as session:
        bob = session.exec(select(Player).where(Player.match_id == running, Player.person_id == 2)).one()
        matches.say(session, bob, "Apart from moves.", now=club.clock())
    assert "With a move." in export_chunks(club, "ann")["games.records"]
    assert "Apart from moves." not in "".join(export_chunks(club, "ann").values())
    with transaction(club.runtime.engine) as session:
        blocking.mute(session, accounts.person_by_handle(session, "ann"), "bob", now=club.clock())
    assert "With a move." not in "".join(export_chunks(club, "ann").values())
    assert "With a move." not in club.client("ann").get(f"/games/{running}.record").text
    assert "With a move." in club.client("bob").get(f"/games/{running}.record").text


def test_mail_that_somebody_else_sent_to_a_members_reply_address_is_not_in_the_members_copy(town):
    town.join("ann", "bob")
    town.open(town.match())
    letter = town.letter("bob")
    town.answer(letter, "This is the mail of ann.", sender="ann@example.org")
    town.answer(letter, "This is the mail of bob.")
    with reading(town.engine) as session:
        owners = set(session.exec(select(Inbound.person_id).where(func.length(Inbound.raw) > 0)))
        assert owners == {2}
    mails = mails_of(town, 2)
    assert "This is the mail of bob." in mails and "This is the mail of ann." not in mails


def mails_of(town, number):
    """The mails in the copy of a member's data, fetched without a page."""
    made = b"".join(data_export.export_chunks(town.engine, number, signer=signer_of(town.settings), now=town.time))
    with zipfile.ZipFile(io.BytesIO(made)) as file:
        return file.read("mails.mbox").decode()


def test_by_mail_forget_me_asks_once_and_yes_erases(town):
    town.join("ann", "bob")
    town.agree("ann", "forget me")
    question = town.letter("ann")
    assert "reply with the word yes" in text_of(question)
    assert people_known(town) == {"ann", "bob"}
    town.answer(question, "yes")
    assert people_known(town) == {"bob", "departed player"}
    with reading(town.engine) as session:
        assert session.exec(select(Address.mail)).all() == ["bob@example.org"]
        assert not any(b"ann@example.org" in raw for raw in session.exec(select(Inbound.raw)))
        assert session.exec(select(Token).where(col(Token.person_id) == 1)).all() == []


def test_by_mail_a_no_erases_nothing_and_an_old_yes_neither(town):
    town.join("ann", "bob")
    town.agree("ann", "forget me")
    question = town.letter("ann")
    town.answer(question, "no")
    town.wait(days=4)
    town.answer(question, "yes")
    assert people_known(town) == {"ann", "bob"}


def people_known(town):
    with reading(town.engine) as session:
        return set(session.exec(select(Person.handle)))


def test_by_mail_export_brings_a_link_that_works_once(club):
    with transaction(club.runtime.engine) as session:
        erasure.send_export_link(session, accounts.person_by_handle(session, "ann"), now=club.clock())
    link = club.link_in("export")
    assert club.client().get(link).status_code == 200
    assert club.client().post(link).mimetype == "application/zip"
    assert club.client().post(link).mimetype != "application/zip"


def test_what_is_left_out_of_an_export_is_named_by_columns_that_are_there():
    columns = {f"{table}.{column.name}" for table, one in SQLModel.metadata.tables.items() for column in one.columns}
    assert columns >= data_export.INTERNAL
