"""After a restore nobody becomes somebody else: no number is given twice, and players learn what is lost."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, select

from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.models import Letter, LostNumbers, Match, Purpose, Token
from correspondence.models.epochs import numbered_tables
from correspondence.models.loading import position_of
from correspondence.ops import backups, epochs
from tests.post import reply_address, text_of
from tests.programs import Program
from tests.tables import empty_database
from tests.test_backups import empty, kept, reopened
from tests.test_commands_of_flask import environment
from tests.test_web_sessions import is_in
from tests.world import MAIL, World

GAMES, OTHERS = 1_000, 1_000_000


@pytest.fixture(params=["sqlite", "postgresql"])
def loss(request, tmp_path):
    """A world of which a backup is kept, and what restores it in another place."""
    urls = ["", "", ""]
    if request.param == "postgresql":
        urls = [empty_database(request.getfixturevalue("postgres_url")) for _world in range(3)]
    loss = Loss(tmp_path, *urls)
    yield loss
    loss.close()


class Loss:
    """A world, and its life after a restore, or two of the same backup."""

    def __init__(self, folder, old_url, *new_urls):
        self.folder, self.new_urls = folder, list(new_urls)
        self.world = World(folder / "old", delivers=True, database_url=old_url, **MAIL)
        self.world.join("ann", "bob")
        self.worlds = [self.world]

    def back_up(self):
        self.file = kept(self.world, self.folder)

    def restore(self, minutes=5):
        """The world as the backup goes on from it, some minutes after what was last done in the lost one."""
        settings = empty(self.folder / str(len(self.worlds)), self.new_urls.pop(0))
        self.restored = backups.restore(settings, self.file, now=self.world.time + timedelta(minutes=minutes))
        again = reopened(settings)
        again.time = self.world.time + timedelta(minutes=minutes)
        self.worlds.append(again)
        again.deliver()
        return again

    def close(self):
        for world in self.worlds:
            world.close()


def asked_for_link(world, handle):
    world.client().post("/sign-in", data={"who": handle})
    return world.link_in("sign_in")


# -- numbers ---------------------------------------------------------------------------


def test_every_sequence_of_the_database_is_one_that_an_epoch_raises(loss):
    with loss.world.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            counting = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        else:
            counting = (
                "SELECT table_name FROM information_schema.columns WHERE table_schema = current_schema() "
                "AND column_default LIKE 'nextval%'"
            )
        found = set(connection.execute(text(counting)).scalars())
    single = {table.name for table in SQLModel.metadata.sorted_tables if table.name in found and _is_one_row(table)}
    assert found - single == set(numbered_tables())
    assert {"token", "letter", "match", "seek", "person", "inbound", "web_session"} <= found


def _is_one_row(table):
    return table.name in {"heartbeat", "service_state", "exercise_search", "robot_watch", "sample_set"}


def test_after_a_restore_every_table_goes_on_beyond_what_was_lost(loss):
    loss.world.match()
    loss.back_up()
    again = loss.restore()
    with db.reading(again.engine) as session:
        gaps = {row.table_name: row for row in session.exec(select(LostNumbers))}
        assert set(gaps) == set(numbered_tables())
        for name, gap in gaps.items():
            size = GAMES if name in epochs.TYPED else OTHERS
            assert gap.last - gap.first + 1 == size + 5 * size // 100  # five minutes later
    assert again.match() == gaps["match"].last + 1 == 1052 == loss.restored.epoch.next_game
    with db.reading(again.engine) as session:
        for table in (Token, Match, Letter):
            gap, numbers = gaps[table.__tablename__], session.exec(select(table.id)).all()
            assert max(numbers) > gap.last and not any(gap.first <= number <= gap.last for number in numbers)


def test_the_number_of_a_row_that_is_gone_is_never_given_again(loss):
    numbers = []
    for _time in range(2):
        with db.transaction(loss.world.engine) as session:
            person = loss.world.person(session, "ann")
            token = Token(purpose=Purpose.COMMANDS, person_id=person.id, created_at=loss.world.time)
            session.add(token)
            session.flush()
            numbers.append(token.id)
        with db.transaction(loss.world.engine) as session:
            session.delete(session.get(Token, numbers[-1]))
    assert numbers[1] > numbers[0]


def test_the_gap_is_a_setting(tmp_path):
    loss = Loss(tmp_path, "")
    loss.world.match()
    with db.transaction(loss.world.engine) as session:
        settings = empty(tmp_path, epoch_games=50)
        assert epochs.begin(session, settings, now=loss.world.time).next_game == 52
        assert epochs.begin(session, settings, now=loss.world.time + timedelta(minutes=3)).next_game == 105
    assert loss.world.match() == 105
    loss.close()


# -- people ----------------------------------------------------------------------------


def test_a_lost_sign_in_link_signs_nobody_in_and_says_why(loss):
    loss.back_up()
    lost = asked_for_link(loss.world, "ann")
    again = loss.restore()
    asked_for_link(again, "bob")
    browser = again.client()
    page = browser.get(lost)
    assert page.status_code == 404 and "We have lost a machine since" in page.text
    assert browser.post(lost).status_code == 404 and not is_in(browser)


def test_a_link_and_a_letter_that_the_backup_holds_go_on_working(loss):
    number = loss.world.match()
    letter, link = loss.world.letter("ann"), asked_for_link(loss.world, "ann")
    loss.back_up()
    again = loss.restore()
    browser = again.client()
    assert browser.post(link).status_code == 303 and is_in(browser)
    again.answer(letter, "c3/f2=B")
    assert again.moves(number) == ["c3/f2=B"]


def test_mail_to_a_lost_address_is_answered_and_changes_nothing(loss):
    loss.back_up()
    lost = loss.world.match("duel")
    letter = loss.world.letter("ann")
    again = loss.restore()
    assert again.answer(letter, "resign").endswith("its reply address has expired")
    assert "a letter that we lost with a machine" in text_of(again.letter("ann"))
    number = again.match("duel")
    again.answer(letter, "resign")
    assert number != lost and again.moves(number) == []


def test_the_page_of_a_lost_game_says_what_happened_and_belongs_to_no_other(loss):
    loss.back_up()
    lost = loss.world.match()
    again = loss.restore()
    page = again.client("ann").get(f"/games/{lost}")
    assert page.status_code == 404 and "we have lost a machine since" in page.text
    assert again.client("ann").get(f"/games/{again.match()}").status_code == 200


# -- what players are told -------------------------------------------------------------


def test_players_are_told_up_to_which_move_their_games_are_kept(loss):
    number = loss.world.match()
    loss.world.play(number, "ann", "c3/f2=B")
    loss.back_up()
    again = loss.restore()
    assert loss.restored.epoch.letters == 2
    words = {name: text_of(again.letters(name)[0]) for name in ("ann", "bob")}
    assert all(f"/games/{number}" in word and "Kept up to move" in word for word in words.values())
    assert "It is not your turn." in words["ann"] and "It is your turn." in words["bob"]


def test_member_whose_only_game_was_lost_is_told(loss):
    loss.back_up()
    loss.world.match()
    again = loss.restore()
    text = " ".join(text_of(again.letter("ann")).split())
    assert loss.restored.epoch.letters == 2 and "You have no running game from before" in text


def test_member_who_was_not_here_for_half_a_year_and_plays_nothing_is_not_told(loss):
    with db.transaction(loss.world.engine) as session:
        loss.world.person(session, "bob").joined_at = loss.world.time - timedelta(days=200)
        loss.world.person(session, "bob").seen_at = loss.world.time - timedelta(days=190)
    loss.back_up()
    again = loss.restore()
    assert loss.restored.epoch.letters == 1 and len(again.letters("bob")) == 0


# -- the same backup, twice ------------------------------------------------------------


def test_backup_that_is_restored_twice_gives_no_number_of_its_first_life(loss):
    loss.world.match()
    loss.back_up()
    first = loss.restore(minutes=5)
    for _game in range(3):
        first.match()
    link = asked_for_link(first, "ann")
    second = loss.restore(minutes=6)
    assert _numbers(first, Match).isdisjoint(_numbers(second, Match, beyond=1))
    asked_for_link(second, "bob")
    browser = second.client()
    assert browser.post(link).status_code == 404 and not is_in(browser)
    assert second.client("ann").get(f"/games/{max(_numbers(first, Match))}").status_code == 404
    second.match()
    assert _numbers(first, Match) & _numbers(second, Match) == {1}


def _numbers(world, table, beyond=0):
    with db.reading(world.engine) as session:
        return set(session.exec(select(table.id).where(table.id > beyond)))


def test_page_of_the_first_life_of_a_backup_is_refused_in_the_second(loss):
    number = loss.world.match("duel")
    loss.back_up()
    first = loss.restore(minutes=5)
    form = _form(first, number, "ann")
    second = loss.restore(minutes=6)
    assert _form(second, number, "ann") != form
    text, _other = _openings(second, number)
    assert second.client("ann").post(f"/games/{number}/move", data={**form, "move": text}).status_code == 409


def test_numbers_that_grow_too_large_are_refused_with_a_sentence(tmp_path):
    loss = Loss(tmp_path, "")
    loss.world.match()
    long_after = loss.world.time + timedelta(days=365)
    with db.transaction(loss.world.engine) as session, pytest.raises(SettingError, match="EPOCH_NUMBERS to a tenth"):
        epochs.begin(session, loss.world.settings, now=long_after)
    loss.close()


# -- open pages and programs -----------------------------------------------------------


def _form(world, number, name):
    """The hidden fields of the form in which a page takes a move."""
    page = world.client(name).get(f"/games/{number}").text
    return dict(re.findall(r'name="(ply|takebacks)" value="(\d+)"', page[page.index('data-moves="') :])[:2])


@pytest.fixture
def gone_on(loss):
    """What bob saw of a lost position, the game in which another move was made instead, and a move there."""
    number = loss.world.match("duel")
    loss.back_up()
    lost, other = _openings(loss.world, number)
    loss.world.play(number, "ann", lost)
    form = _form(loss.world, number, "bob")
    program = Program(loss.world, "bob").get(f"/games/{number}").json
    loss.restore()
    again = loss.worlds[-1]
    again.play(number, "ann", other)
    return again, number, form, program, _openings(again, number)[0]


def test_open_page_of_a_lost_position_moves_nothing_in_another(gone_on):
    again, number, form, _program, text = gone_on
    browser = again.client("bob")
    page = browser.post(f"/games/{number}/move", data={**form, "move": text})
    assert page.status_code == 409
    assert "We lost a machine since then" in page.text
    assert len(again.moves(number)) == 1
    read = browser.post(f"/games/{number}/read", data={**form, "move": text}, headers={"Accept": "application/json"})
    assert "has gone on" in read.json["sentence"]
    assert browser.get(f"/games/{number}/moves.json", query_string=form).status_code == 409
    for act, who in {"draw": browser, "takeback": browser, "pause": browser, "plan": again.client("ann")}.items():
        answer = who.post(f"/games/{number}/{act}", data={**form, "days": "3", "lines": f"if {text} then {text}"})
        assert "We lost a machine since then" in answer.text and answer.status_code in (409, 422)
    fresh = {**_form(again, number, "bob"), "move": text}
    assert browser.post(f"/games/{number}/move", data=fresh).status_code == 303 and len(again.moves(number)) == 2


def test_program_that_knows_a_lost_position_moves_nothing_in_another(gone_on):
    again, number, _form, seen, text = gone_on
    program, moves = Program(again, "bob"), f"/games/{number}/moves"
    known = {"ply": seen["ply"], "takebacks": seen["takebacks"]}
    refused = program.post(moves, {**known, "move": text})
    assert refused.status_code == 409 and "We lost a machine since then" in refused.json["detail"]
    refused = program.post(moves, {"ply": seen["ply"], "move": text})
    assert refused.status_code == 409 and "send its “takebacks”" in refused.json["detail"]
    for act in ("draw", "takeback"):
        assert program.post(f"/games/{number}/{act}", known).status_code == 409
        assert program.post(f"/games/{number}/{act}", {"ply": seen["ply"]}).status_code == 409
    plan = {"lines": f"if {text} then {text}", "ply": seen["ply"]}
    assert program.put(f"/games/{number}/plan", plan).status_code == 409
    assert again.moves(number)[1:] == []
    now = program.get(f"/games/{number}").json
    fresh = {"ply": now["ply"], "takebacks": now["takebacks"], "move": text}
    assert program.post(moves, fresh).status_code == 200
    assert program.post(moves, fresh).status_code == 200 and len(again.moves(number)) == 2


def test_games_that_begin_after_the_loss_need_no_takebacks(loss):
    loss.back_up()
    again = loss.restore()
    number = again.match("duel")
    move = {"ply": 0, "move": _openings(again, number)[0]}
    assert Program(again, "ann").post(f"/games/{number}/moves", move).status_code == 200


def test_open_page_that_polls_learns_that_its_game_has_changed(loss):
    number = loss.world.match("duel")
    loss.back_up()
    before = loss.world.client("ann").get(f"/games/{number}/ply.json")
    again = loss.restore()
    after = again.client("ann").get(f"/games/{number}/ply.json", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200 and after.json["takebacks"] != before.json["takebacks"]


def test_subject_of_a_lost_digest_moves_nothing(gone_on):
    again, number, _form, _program, text = gone_on
    desk = reply_address(again.letters("bob")[0])
    again.mail("bob@example.org", desk, text, subject=f"game {number}, move 2")
    assert len(again.moves(number)) == 1
    again.mail("bob@example.org", desk, text, subject=f"game {number}, move 2 ({_takebacks(again, number)})")
    assert len(again.moves(number)) == 2


def _takebacks(world, number):
    with db.reading(world.engine) as session:
        return session.get(Match, number).takebacks


def test_answer_to_a_lost_offer_accepts_no_other(loss):
    number = loss.world.match("duel")
    loss.world.play(number, "ann", _openings(loss.world, number)[0])
    loss.world.play(number, "bob", _openings(loss.world, number)[0])
    loss.back_up()
    loss.world.client("ann").post(f"/games/{number}/draw", data=_moment(loss.world, number))
    loss.world.deliver()
    lost = loss.world.letter("bob")
    again = loss.restore()
    again.client("ann").post(f"/games/{number}/draw", data=_moment(again, number))
    again.answer(lost, "draw")
    assert again.stand(number).ended_at is None and "We lost a machine" in text_of(again.letter("bob"))


def _moment(world, number):
    with db.reading(world.engine) as session:
        match = session.get(Match, number)
        return {"ply": str(match.ply), "takebacks": str(match.takebacks)}


def test_a_move_for_a_lost_position_is_not_played_in_another(loss):
    number = loss.world.match("duel")
    loss.back_up()
    first, second = _openings(loss.world, number)
    loss.world.play(number, "ann", first)
    lost = loss.world.letter("bob")
    again = loss.restore()
    again.play(number, "ann", second)
    answer = _openings(again, number)[0]
    fresh = again.letter("bob")
    again.answer(lost, answer)
    assert again.moves(number) == [second] and "We lost a machine" in text_of(again.letter("bob"))
    again.answer(fresh, answer)
    assert again.moves(number) == [second, answer]


def _openings(world, number):
    with db.reading(world.engine) as session:
        position = position_of(session.get(Match, number))
        seat = position.to_act[0]
        return [position.write(seat, move) for move, _at in zip(position.legal_moves(seat), range(2), strict=False)]


def test_commands_without_an_application_know_the_tables_of_features(tmp_path):
    def flask(*words):
        given = environment(tmp_path / "instance", FLASK_APP="")
        done = subprocess.run(
            [sys.executable, "-m", "flask", *words],
            cwd=tmp_path,
            env=given,
            capture_output=True,
            text=True,
            timeout=200,
        )
        return done.stdout + done.stderr

    flask("migrate")
    assert "The next game is" in flask("epoch", "new", "--nothing-lost")
    assert "The tables differ" not in flask("doctor")
    with closing(sqlite3.connect(tmp_path / "instance" / "correspondence.db")) as connection:
        skipped = {name for (name,) in connection.execute("SELECT DISTINCT table_name FROM lost_numbers")}
    assert skipped == set(numbered_tables()) and "webhook" in skipped
