"""The starter set: robots' games for a new installation, which count for nobody and can be removed."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text
from sqlmodel import col, func, select

from correspondence.archive import monthly, openings
from correspondence.core import db, schema
from correspondence.features.reviews.tables import Review, ReviewReader
from correspondence.features.samples import files, loading, making, removing
from correspondence.features.samples.plan import BookKind, ExerciseKind, SampleKind
from correspondence.features.samples.sweep import sweep
from correspondence.features.samples.tables import SampleGame, SampleOpening, SampleSet
from correspondence.models import (
    Continuation,
    Exercise,
    ExerciseAttempt,
    ImportedRecord,
    Match,
    Opening,
    Person,
    RatingChange,
)
from correspondence.ops.due import due_sweeps
from correspondence.ops.worker import sweep_openings
from correspondence.play import exercises
from correspondence.play.exercise_course import Verdict
from engines import GAMES
from engines.options import choices_of, options_from, read_options
from engines.record import Entry, replay
from engines.search import find_exercise
from engines.verification.record_text import result_of
from tests.reviews import resigned
from tests.world import World

FEW = Path(__file__).parent / "few"
"""A small starter set for tests."""


def load(world, folder=FEW):
    with db.transaction(world.engine) as session:
        loading.want(session)
    more = True
    while more:
        with db.transaction(world.engine) as session:
            more = loading.load_next(session, world.runtime.signer, now=world.time, folder=folder)
    sweep_openings(world.runtime)


def remove(world):
    with db.transaction(world.engine) as session:
        return removing.remove(session)


def count(world, table):
    with db.reading(world.engine) as session:
        return session.exec(select(func.count()).select_from(table)).one()


@pytest.fixture
def club(tmp_path):
    """A new installation with its samples, and ann, who plays."""
    world = World(tmp_path)
    world.join("ann", "bob")
    load(world)
    return world


# -- loading -----------------------------------------------------------------------------------


def test_new_installation_asks_for_samples_and_older_one_does_not(tmp_path):
    for name, people in (("new", 0), ("old", 1)):
        engine = db.make_engine(f"sqlite:///{tmp_path}/{name}.db")
        upgrade(engine, "0050")
        with engine.begin() as connection:
            for _person in range(people):
                add_person(connection)
        schema.prepare(engine)
        with db.reading(engine) as session:
            row = session.get(SampleSet, 1)
            assert (row is not None and row.is_due) == (not people)
        engine.dispose()


def test_worker_loads_what_is_due_and_then_rests(tmp_path):
    world = World(tmp_path)
    assert "samples" not in due_names(world)
    with db.transaction(world.engine) as session:
        session.add(SampleSet(next_batch=10_000))
    assert "samples" in due_names(world)
    assert sweep(world.runtime) == 0
    assert "samples" not in due_names(world)


def test_samples_are_imported_once(club):
    games, openings_before = count(club, SampleGame), count(club, SampleOpening)
    load(club)
    assert games == count(club, SampleGame) == count(club, Match) > 3
    assert openings_before == count(club, SampleOpening) > 10


def test_samples_count_for_no_member(club):
    assert count(club, RatingChange) == 0
    with db.reading(club.engine) as session:
        assert monthly.months(session) == []
        players = session.exec(select(Person).where(col(Person.departed_at).is_not(None))).all()
        assert {person.handle for person in players} <= {loading.handle_of(level) for level in range(1, 6)}
    assert "sample-robot" not in club.client("ann").get("/players").text
    assert "sample-robot" not in club.client().get("/ratings").text
    assert "sample-robot" not in club.client().get("/watch").text


def test_page_of_a_sample_says_that_robots_played(club):
    page = club.client().get(f"/games/{with_comments(club)}").text
    assert "Robots played this game" in page
    assert "Turning points" in page


def test_comment_stands_on_the_board_before_its_move(club):
    number = with_comments(club)
    with db.reading(club.engine) as session:
        ply, best, *_chances = json.loads(session.get(SampleGame, number).turning)[0]
    assert best in club.client().get(f"/games/{number}/{ply - 1}/try").text


def test_samples_stand_in_the_archive_and_in_openings(club):
    page = club.client().get("/archive?game=duel").text
    assert "sample-robot-4" in page


def test_exercises_of_samples_can_be_solved(club):
    with db.reading(club.engine) as session:
        row = session.exec(select(Exercise)).first()
        (win,) = json.loads(row.tree)["wins"]
    with db.transaction(club.engine) as session:
        played = exercises.play(session, club.person(session, "ann"), row.id, win, now=club.time)
    assert played.verdict is not Verdict.WRONG


# -- openings ----------------------------------------------------------------------------------


def test_openings_show_how_robots_went_on_and_say_so(club):
    page = club.client().get("/openings/duel").text
    of, every = map(int, re.search(r"(\d+) of these (\d+) games are samples", page).groups())
    assert 0 < of <= every
    first = files.read("book", FEW)[0]["moves"]
    assert next(iter(first)) in page


def test_openings_go_on_move_by_move_without_scripts(club):
    answer = club.client().post("/openings/duel", data={"move": "8@a1", "options": "", "moves": ""})
    assert answer.status_code == 303 and answer.headers["Location"] == "/openings/duel?moves=8@a1#board"
    assert club.client().get("/openings/duel?moves=8@a1").status_code == 200
    assert club.client().post("/openings/duel", data={"move": "zz"}).status_code == 422
    assert club.client().get("/openings/chess").status_code == 404
    assert club.client().get("/openings/duel?moves=zz").status_code == 404


def test_name_of_a_sample_robot_leads_to_its_games(club):
    answer = club.client().get("/players/sample-robot-4")
    assert answer.headers["Location"] == "/archive?player=sample-robot-4"


# -- removing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_removed_samples_leave_nothing_and_their_numbers_are_not_used_again(kind, request, tmp_path):
    url = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    club = World(tmp_path, database_url=url) if url else World(tmp_path)
    club.join("ann", "bob")
    load(club)
    with db.reading(club.engine) as session:
        last = session.exec(select(func.max(Match.id))).one()
        exercise = session.exec(select(Exercise.id)).first()
    with db.transaction(club.engine) as session:
        exercises.give_up(session, club.person(session, "ann"), exercise, now=club.time)
        session.add(Review(match_id=last, asked_at=club.time, budget=1))
        session.flush()
        session.add(ReviewReader(match_id=last, person_id=club.person(session, "ann").id))
    assert remove(club) == last
    for table in (Match, SampleGame, SampleOpening, Opening, Continuation, Exercise, ExerciseAttempt, ImportedRecord):
        assert count(club, table) == 0, table
    assert club.client().get(f"/games/{last}").status_code == 404
    assert resigned(club) > last
    club.close()


def test_removal_keeps_what_people_played(club):
    number = resigned(club)
    sweep_openings(club.runtime)
    before = count(club, Continuation)
    remove(club)
    assert before >= count(club, Continuation) > 0
    assert club.client().get(f"/games/{number}").status_code == 200
    with db.reading(club.engine) as session:
        assert session.get(SampleSet, 1).is_due is False


# -- making ------------------------------------------------------------------------------------


def test_the_same_code_makes_the_same_samples():
    kind = SampleKind("duel", "", 1, (2, 1))
    one, other = (next(making.samples(kind)) for _time in range(2))
    assert one == other and making.SHORTEST <= len(one.entries) <= making.LONGEST


def test_book_counts_every_game_at_its_first_move():
    book = making.book(BookKind("duel", "", 12, 1), lambda _line: None)
    assert sum(sum(counts[:3]) for counts in book.values()) == 12
    assert all(sum(below[:3]) >= making.FEWEST for counts in book.values() for below in counts[3].values())


def test_made_exercises_are_proven():
    game, ply, tree = next(making.exercises(ExerciseKind("duel", "", 1, 1, 60)))
    seat = game.positions[ply].to_act[0]
    played = game.entries[ply][1]
    again = find_exercise("duel", game.positions[ply], seat, played, 3, making.EXERCISE_BUDGET, random.Random(ply))
    assert again == tree


@pytest.mark.parametrize("part", files.PARTS)
def test_files_are_read_as_they_were_made(part, tmp_path):
    lines = files.read(part, FEW)
    files.write(lines, tmp_path / f"{part}.jsonl")
    assert files.read(part, tmp_path) == lines


# -- the set that is delivered -----------------------------------------------------------------


def test_delivered_games_cover_every_game_with_each_option():
    played = {(line["game"], words) for line in files.read("games") for words in line["options"].split() or [""]}
    for key, _words in set(played):
        for choice in choices_of(GAMES[key].Options):
            for value in set(choice.values) - {choice.default}:
                assert (key, f"{choice.name}={value}") in played


def test_delivered_games_replay():
    lines = files.read("games")
    assert len(lines) == 30
    assert sum(bool(line["turning"]) for line in lines) == 3
    for line in lines:
        game, options = GAMES[line["game"]], options_from(line["options"])
        last = replay(game, read_options(game.Options, options), [Entry(*entry) for entry in line["entries"]])
        assert result_of(last.outcome) == line["result"]


def test_delivered_files_are_small():
    assert sum((files.FOLDER / f"{part}.jsonl").stat().st_size for part in files.PARTS) < 2_000_000


def test_delivered_exercises_are_proven_to_their_end():
    lines = files.read("exercises")
    assert len(lines) == 60
    for line in lines:
        game = GAMES[line["game"]]
        position = game.start(read_options(game.Options, options_from(line["options"])))
        for seat, move in line["entries"][: line["ply"]]:
            position = position.play(seat, position.read(seat, move))
        (solver,) = position.to_act
        assert is_lost_to(solver, follow(position, solver, line["tree"]))


def test_delivered_book_begins_at_the_first_position(tmp_path):
    for line in files.read("book"):
        game = GAMES[line["game"]]
        start = game.start(read_options(game.Options, options_from(line["options"])))
        keys = {key for key, *_rest in loading.continuations(game.key, line["options"], start, line["moves"])}
        assert openings.start_key(game, line["options"]) in keys


# -- helpers -----------------------------------------------------------------------------------


def follow(position, seat, node):
    """Play the first win of an exercise to its end."""
    while node is not None:
        text, step = next(iter(node["wins"].items()))
        position = position.play(seat, position.read(seat, text))
        for other, answer in step["line"]:
            position = position.play(other, position.read(other, answer))
        node = step["then"]
    return position


def is_lost_to(solver, position):
    """Whether everything that the others can still do ends in a win of the solver."""
    if not position.to_act:
        return position.outcome.winners == (solver,)
    (seat,) = position.to_act
    moves = position.legal_moves(seat)
    return seat != solver and all(is_lost_to(solver, position.after(seat, move)) for move in moves)


def due_names(world):
    with db.reading(world.engine) as session:
        return due_sweeps(session, now=world.time)


def with_comments(world):
    with db.reading(world.engine) as session:
        return session.exec(select(SampleGame.match_id).where(col(SampleGame.turning) != "[]")).first()


def upgrade(engine, revision):
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def add_person(connection):
    columns = {column["name"]: column for column in inspect(connection).get_columns("person")}
    needed = {n: 0 for n, c in columns.items() if not c["nullable"] and c["default"] is None}
    needed |= {"handle": "ann", "handle_key": "ann", "joined_at": "2026-01-01 00:00:00"}
    needed.pop("id", None)
    names = ", ".join(needed)
    values = ", ".join(f":{name}" for name in needed)
    connection.execute(text(f"INSERT INTO person ({names}) VALUES ({values})"), needed)


def test_lists_say_that_robots_played_a_sample_game(world):
    load(world)
    world.join("ann", "bob")
    for path in ("/archive", "/"):
        page = world.client().get(path).text
        assert "sample game, played by robots" in page and "imported, not signed here" not in page
