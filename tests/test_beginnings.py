"""Worlds take over what others did first of all, and differ in nothing from worlds that did it themselves."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Letter, LetterState
from correspondence.play import matches
from tests import beginnings
from tests.world import World


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A folder of its own for what is kept, and the names of steps that a world did itself."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(beginnings, "KEPT", keeping := beginnings._Keeping())
    keeping._folder = folder
    return folder


@pytest.fixture
def begin(kept, tmp_path):
    """Begin a world in a folder of its own: three people join, and a game is begun and opened."""
    worlds = []

    def begun(moves=("c3/f2=B",), **options):
        world = World(tmp_path / str(len(worlds)), delivers=True, **options)
        worlds.append(world)
        world.join("ann", "bob")
        number = world.match()
        for text in moves:
            world.play(number, "ann", text)
        return world

    yield begun
    for world in worlds:
        world.close()


def done_by_itself(monkeypatch):
    """The moves that worlds make from now on instead of taking them over."""
    made, make_move = [], matches.make_move

    def noted(session, player, text, **more):
        made.append(text)
        return make_move(session, player, text, **more)

    monkeypatch.setattr("tests.world.matches.make_move", noted)
    monkeypatch.setattr(beginnings, "patched", lambda: ())
    return made


def letters_of(world):
    return [(letter["To"], letter["Subject"], letter.get_content_type()) for letter in world.received]


def test_what_two_worlds_did_the_third_takes_over_and_stands_where_they_stand(begin, monkeypatch):
    moves = done_by_itself(monkeypatch)
    first, second, third = begin(), begin(), begin()
    assert moves == ["c3/f2=B", "c3/f2=B"]
    assert third.moves(1) == first.moves(1) and third.stand(1).position == second.stand(1).position
    assert letters_of(third) == letters_of(first) != []
    assert (third.time, third.rng.getstate()) == (first.time, first.rng.getstate())


def test_what_is_taken_over_goes_on_by_itself(begin):
    *_others, third = begin(), begin(), begin()
    third.play(1, "bob", "c6/a7=B")
    assert len(third.moves(1)) > 1 and letters_of(third)[-1][0] == "ann@example.org"


def test_worlds_that_began_otherwise_share_nothing(begin, monkeypatch):
    moves = done_by_itself(monkeypatch)
    for _time in range(3):
        begin()
    begin(rng=2)
    begin(operator="op@example.org")
    assert len(moves) == 4


def test_a_world_whose_letters_wait_takes_over_none_in_which_they_were_sent(begin):
    for _time in range(3):
        begin()
    waiting = begin(moves=())
    waiting.delivers = False
    waiting.play(1, "ann", "c3/f2=B")
    with db.reading(waiting.engine) as session:
        assert session.exec(select(Letter).where(Letter.state == LetterState.QUEUED)).all()


@pytest.mark.parametrize("watching", ["engine", "patch", "row"])
def test_a_world_takes_over_nothing_where_it_would_matter_how_it_is_done(begin, monkeypatch, watching):
    moves = done_by_itself(monkeypatch)
    for _time in range(3):
        begin()
    world = begin(moves=())
    if watching == "engine":
        db.event.listen(world.engine, "before_cursor_execute", lambda *_parts: None)
    elif watching == "patch":
        monkeypatch.setattr(beginnings, "patched", lambda: ("another",))
    else:
        with db.transaction(world.engine) as session:
            person = world.person(session, "ann")
            person.zone = "Asia/Tokyo"
            session.add(person)
    moves.clear()
    world.play(1, "ann", "c3/f2=B")
    assert moves == ["c3/f2=B"]
