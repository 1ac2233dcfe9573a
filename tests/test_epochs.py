"""After a restore nobody becomes somebody else: no number is given twice, and players learn what is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, select

from correspondence.core import db
from correspondence.models import Letter, LostNumbers, Match, Purpose, Token
from correspondence.models.epochs import numbered_tables
from correspondence.models.loading import position_of
from correspondence.ops import backups, epochs
from tests.post import text_of
from tests.tables import empty_database
from tests.test_backups import empty, kept, reopened
from tests.test_web_sessions import is_in
from tests.world import MAIL, World

GAMES, OTHERS = 1_000, 1_000_000


@pytest.fixture(params=["sqlite", "postgresql"])
def loss(request, tmp_path):
    """A world of which a backup is kept, and what restores it in another place."""
    urls = ["", ""]
    if request.param == "postgresql":
        urls = [empty_database(request.getfixturevalue("postgres_url")) for _world in range(2)]
    loss = Loss(tmp_path, *urls)
    yield loss
    loss.close()


class Loss:
    """A world, and its life after a restore."""

    def __init__(self, folder, old_url, new_url):
        self.folder, self.new_url = folder, new_url
        self.world = World(folder / "old", delivers=True, database_url=old_url, **MAIL)
        self.world.join("ann", "bob")
        self.worlds = [self.world]

    def back_up(self):
        self.file = kept(self.world, self.folder)

    def restore(self):
        """The world as the backup goes on from it, five minutes after what was last done in the lost one."""
        settings = empty(self.folder, self.new_url)
        self.restored = backups.restore(settings, self.file, now=self.world.time + timedelta(minutes=5))
        again = reopened(settings)
        again.time = self.world.time + timedelta(minutes=5)
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
    return table.name in {"heartbeat", "service_state", "exercise_search", "robot_watch"}


def test_after_a_restore_every_table_goes_on_beyond_what_was_lost(loss):
    loss.world.match()
    loss.back_up()
    again = loss.restore()
    with db.reading(again.engine) as session:
        gaps = {row.table_name: row for row in session.exec(select(LostNumbers))}
        assert set(gaps) == set(numbered_tables())
        for name, gap in gaps.items():
            size = GAMES if name in epochs.TYPED else OTHERS
            assert gap.last - gap.first + 1 >= size and gap.last % size == 0
    assert again.match() == gaps["match"].last + 1 == 2001 == loss.restored.epoch.next_game
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
    loss = Loss(tmp_path, "", "")
    loss.world.match()
    with db.transaction(loss.world.engine) as session:
        settings = empty(tmp_path, epoch_games=50)
        assert epochs.begin(session, settings, now=loss.world.time).next_game == 101
        assert epochs.begin(session, settings, now=loss.world.time).next_game == 201
    assert loss.world.match() == 201
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
    assert again.answer(letter, "resign").endswith("its reply address has ended")
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


def test_who_plays_nothing_is_told_nothing(loss):
    loss.back_up()
    again = loss.restore()
    assert loss.restored.epoch.letters == 0 and len(again.letters("ann")) == 0


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
