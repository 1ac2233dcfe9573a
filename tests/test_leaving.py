"""What is kept about a member is his to fetch and to have erased; games stay with those he played."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from sqlmodel import SQLModel, col, select

from correspondence import blocking, leaving, listings, people, records, talk
from correspondence.db import reading, transaction
from correspondence.models import Address, Inbound, Letter, Match, Move, Person, Player, Token
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
    done = club.begin("ann", "bob")
    club.move(done, "ann", "3@a1", comment="To my friend: hello.")
    club.resign(done, "bob")
    running = club.begin("ann", "bob")
    club.move(running, "ann", "3@a1")
    fresh = club.begin("bob", "ann")
    with transaction(club.house.engine) as session:
        ann = people.person_called(session, "ann")
        seat = session.exec(select(Player).where(Player.match_id == running, Player.person_id == ann.id)).one()
        talk.keep_note(session, seat, "A private thought.", ply=None, now=club.clock())
        blocking.block(session, ann, "cleo", now=club.clock())
        listings.show(session, ann, listings.Shown(post="1 Lane, Town", shows_post=True))
        ann.hours, ann.digest = "22-7", "daily"
    return club, done, running, fresh


def forget(world, handle):
    with transaction(world.house.engine) as session:
        leaving.forget(session, people.person_called(session, handle), now=world.clock())


def names_of_people(session, person_id):
    """The tables that hold rows about a person."""
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            names = any(key.column.table.name == "person" for key in column.foreign_keys)
            if names and session.execute(table.select().where(column == person_id)).first():
                yield table.name


def test_nothing_about_a_departed_member_is_left_but_what_belongs_to_games(busy):
    club, *_games = busy
    with reading(club.house.engine) as session:
        number = people.person_called(session, "ann").id
        assert {"address", "letter", "block", "listing", "remark", "player"} <= set(names_of_people(session, number))
    forget(club, "ann")
    with reading(club.house.engine) as session:
        assert set(names_of_people(session, number)) <= leaving.KEPT
        gone = session.get(Person, number)
        fresh = Person(handle=gone.handle, handle_key=gone.handle_key, joined_at=gone.joined_at, id=gone.id)
        fresh.session_number, fresh.departed_at = gone.session_number, gone.departed_at
        assert gone.model_dump() == fresh.model_dump()
        kept = {
            table.name: str(session.execute(table.select()).all())
            for table in SQLModel.metadata.sorted_tables
        }
    for trace, there in (("private thought", []), ("1 Lane", []), ("ann@example.com", []), ("hello", ["letter"])):
        assert [name for name, rows in kept.items() if trace in rows] == there  # what others were told is theirs


def test_finished_games_stay_and_verify_and_running_ones_end(busy):
    club, done, running, fresh = busy
    forget(club, "ann")
    with reading(club.house.engine) as session:
        results = {match.id: match.result for match in session.exec(select(Match))}
        assert results == {done: "1-0", running: "0-1", fresh: "*"}
        assert not session.get_one(Match, fresh).rated
        moves = list(session.exec(select(Move).where(Move.match_id == done)))
        assert [move.comment for move in moves if move.comment] == []
    page = club.client("bob").get(f"/games/{done}").text
    assert "departed player" in page
    record = club.client("bob").get(f"/games/{done}.record").text
    assert "departed player" in record and "hello" not in record
    assert records.read_record(record)


def test_whoever_played_with_a_departed_member_is_told(busy):
    club, _done, running, _fresh = busy
    forget(club, "ann")
    with reading(club.house.engine) as session:
        bob = people.person_called(session, "bob")
        told = select(Letter.match_id).where(Letter.kind == "over", Letter.person_id == bob.id)
        assert running in set(session.exec(told))


def test_nobody_can_take_the_name_of_a_departed_member(busy):
    club, *_games = busy
    forget(club, "ann")
    with transaction(club.house.engine) as session, pytest.raises(people.PeopleError, match="taken"):
        people.request_join(session, "ANN", "new@example.org", now=club.clock())
    assert club.client("bob").get("/players/ann").status_code == 404
    assert "the games remain" in club.client("bob").get("/players/departed player").text


def test_the_page_asks_once_and_then_erases_and_signs_out(busy):
    club, *_games = busy
    ann = club.client("ann")
    assert "Really?" not in ann.get("/settings/mydata").text
    assert "Really?" in ann.get("/settings/mydata/forget").text
    assert people_called(club, "ann") is not None
    assert ann.post("/settings/mydata/forget").status_code == 303
    assert people_called(club, "ann") is None
    assert ann.get("/games").status_code in (302, 303, 401, 403)


def people_called(world, handle):
    with reading(world.house.engine) as session:
        return people.person_called(session, handle)


def test_the_copy_holds_rows_records_letters_and_no_secrets_of_others(busy):
    club, done, running, _fresh = busy
    answer = club.client("ann").post("/settings/mydata/fetch")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as file:
        assert file.testzip() is None
        inside = {name: file.read(name).decode() for name in file.namelist()}
    person = json.loads(inside["rows/person.json"])
    assert person["handle"] == "ann" and json.loads(inside["rows/listing-person_id.json"])["post"] == "1 Lane, Town"
    assert "A private thought." in inside["rows/remark-person_id.json"]
    assert f"/games/{done}" in inside["games.records"] and f"/games/{running}" in inside["games.records"]
    assert "To: ann@example.com" in inside["letters.mbox"] and "bob@example.com" not in "".join(inside.values())
    assert club.client().post("/settings/mydata/fetch").status_code in (302, 303, 401, 403)


def test_by_mail_forget_me_asks_once_and_yes_erases(town):
    town.join("ann", "bob")
    town.mail("ann@example.org", DOOR, "forget me")
    asked = town.letter("ann")
    assert "reply with the word yes" in text_of(asked)
    assert people_known(town) == {"ann", "bob"}
    town.answer(asked, "yes")
    assert people_known(town) == {"bob", "departed player"}
    with reading(town.engine) as session:
        assert session.exec(select(Address.mail)).all() == ["bob@example.org"]
        assert not any(b"ann@example.org" in raw for raw in session.exec(select(Inbound.raw)))
        assert session.exec(select(Token).where(col(Token.person_id) == 1)).all() == []


def test_by_mail_a_no_erases_nothing_and_an_old_yes_neither(town):
    town.join("ann", "bob")
    town.mail("ann@example.org", DOOR, "forget me")
    asked = town.letter("ann")
    town.answer(asked, "no")
    town.wait(days=4)
    town.answer(asked, "yes")
    assert people_known(town) == {"ann", "bob"}


def people_known(town):
    with reading(town.engine) as session:
        return set(session.exec(select(Person.handle)))


def test_by_mail_export_brings_a_link_that_works_once(club):
    with transaction(club.house.engine) as session:
        leaving.offer_copy(session, people.person_called(session, "ann"), now=club.clock())
    link = club.link_in("export")
    assert club.client().get(link).status_code == 200
    assert club.client().post(link).mimetype == "application/zip"
    assert club.client().post(link).mimetype != "application/zip"
