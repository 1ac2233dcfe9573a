"""Games whose time runs out together are ended several in one transaction: as one by one, and each once by any worker."""

from __future__ import annotations

import copy
import multiprocessing
import os
import shutil
import signal
import threading
from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from bench.deadlines import Club
from correspondence.core import db
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.core.time_control import Policy
from correspondence.mime.mail_keys import mail_key
from correspondence.models import (
    Address,
    Cause,
    ClockStop,
    Heartbeat,
    Letter,
    LetterState,
    Match,
    Outage,
    Person,
    Player,
    Rating,
    RatingChange,
    Scope,
    Suppression,
    Token,
    Vacation,
)
from correspondence.models.loading import locked, locked_if_free, players_of
from correspondence.ops import worker
from correspondence.ops.due_rows import TOGETHER, groups_without_a_common_person
from correspondence.outbound import kinds
from correspondence.play import game_end, game_letters, reminders
from tests.tables import copied_database, fresh_database

PEOPLE, GAMES = 40, 26

BY_CHANCE = {"id", "message_id", "last_message_id", "stop_token_id", "digest"}
"""Columns that are no two times the same."""


def club_of(folder, database, games, people):
    club = Club(folder, games, database, people=people)
    with db.transaction(club.engine) as session:
        session.merge(Heartbeat(id=1, at=club.began))
    club.engine.dispose()
    return club


def copied(model, folder, server_url):
    """The same club once more, in a folder and a database of its own; to copy it takes a tenth of the time."""
    shutil.copytree(model.settings.instance_dir, folder, dirs_exist_ok=True)
    club = copy.copy(model)
    database = copied_database(server_url, model.settings.database_url) if server_url else ""
    club.settings = with_defaults(Settings(instance_dir=str(folder), secret_key="a key", database_url=database))
    club.engine = db.make_engine(club.settings.database_url)
    return club


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server_url(request):
    """The URL of a server of PostgreSQL; empty for SQLite."""
    return request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""


@pytest.fixture(scope="module")
def model(server_url, tmp_path_factory):
    database = fresh_database(server_url) if server_url else ""
    return club_of(tmp_path_factory.mktemp("club"), database, GAMES, PEOPLE)


@pytest.fixture
def club(model, server_url, tmp_path):
    club = copied(model, tmp_path, server_url)
    yield club
    club.engine.dispose()


def runs_out(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Match.deadline)).first() + timedelta(seconds=1)


def late_player(session, number):
    [player] = [player for player in players_of(session, number) if player.since is not None]
    return player


def spends_a_day_of_absence(session, match, late):
    session.get_one(Person, late.person_id).vacation_hours_left = 100


def cannot_be_reached(session, match, late):
    address = session.exec(select(Address).where(col(Address.person_id) == late.person_id)).one()
    session.add(Suppression(mail_key=mail_key(address.mail), scope=Scope.ALL, reason="bounced", since=late.since))


def had_a_letter_that_failed(session, match, late):
    add_letter(session, match, late, state=LetterState.FAILED)


def had_a_letter_that_left_late(session, match, late):
    add_letter(session, match, late, state=LetterState.SENT, sent_at=late.since + timedelta(hours=9))


def add_letter(session, match, late, **columns):
    session.add(Letter(
        key=f"turn of {match.id}", kind=kinds.TURN.name, person_id=late.person_id, match_id=match.id, ply=match.ply,
        recipient="late@example.org", mailbox="late@example.org", subject="", text="", html="", message_id=f"{match.id}",
        created_at=late.since, due_at=late.since, wanted_at=late.since, **columns,
    ))  # fmt: skip


def was_paused(session, match, late):
    begins = late.since + timedelta(hours=1)
    session.add(ClockStop(match_id=match.id, cause=Cause.PAUSE, begins_at=begins, ends_at=begins + timedelta(days=1)))


def was_away(session, match, late):
    begins = late.since + timedelta(hours=1)
    session.add(
        Vacation(person_id=late.person_id, begins_at=begins, ends_at=begins + timedelta(days=2), is_applied=True)
    )


def must_be_claimed(session, match, late):
    match.policy = Policy.CLAIM


def is_not_rated(session, match, late):
    match.rated = False


def wants_no_win_on_time(session, match, late):
    [winner] = [player for player in players_of(session, match.id) if player.id != late.id]
    session.get_one(Person, winner.person_id).refuses_time_wins = True


def wants_no_such_letters(session, match, late):
    session.get_one(Person, late.person_id).game_over_letters = False


KINDS = [
    spends_a_day_of_absence, cannot_be_reached, had_a_letter_that_failed, had_a_letter_that_left_late, was_paused,
    was_away, must_be_claimed, is_not_rated, wants_no_win_on_time, wants_no_such_letters,
]  # fmt: skip
"""What makes the end of a game unlike that of others, one game each; further games are like most."""


def all_kinds(club):
    """Games in which nobody plays twice, one of each kind and three more, as numbers."""
    numbers = list(range(1, 2 * (len(KINDS) + 3), 2))
    with db.transaction(club.engine) as session:
        for number, change in zip(numbers, KINDS, strict=False):
            change(session, session.get_one(Match, number), late_player(session, number))
    return numbers


def state_of(session):
    """All that may differ between two ways of ending games, as text and in one order."""
    session.flush()
    found = []
    for table in (Match, Player, Person, Letter, Rating, RatingChange, ClockStop, Vacation, Token):
        names = [column.name for column in table.__table__.columns if column.name not in BY_CHANCE]
        rows = session.connection().execute(select(*(getattr(table, name) for name in names))).all()
        found += [f"{table.__name__} {dict(zip(names, row, strict=True))}" for row in rows]
    return sorted(found)


def afterwards(club, act):
    """What is stored when `act` is done, which is undone then."""
    with db.Session(club.engine) as session:
        act(session)
        found = state_of(session)
        session.rollback()
    return found


def free(session, numbers):
    """These matches, held together; all of them are free."""
    matches = locked_if_free(session, numbers)
    assert {match.id for match in matches} == set(numbers)
    return matches


def test_games_are_ended_together_as_they_are_one_by_one(club):
    numbers, now = all_kinds(club), runs_out(club)

    def one_by_one(session):
        for number in numbers:
            game_end.on_timeout(session, [locked(session, number)], now=now)

    together = afterwards(club, lambda session: game_end.on_timeout(session, free(session, numbers), now=now))
    assert together == afterwards(club, one_by_one) != afterwards(club, lambda _session: None)


def test_players_are_reminded_together_as_they_are_one_by_one(club):
    numbers, now = all_kinds(club), runs_out(club) - timedelta(minutes=1)

    def one_by_one(session):
        for number in numbers:
            reminders.remind(session, [locked(session, number)], now=now)

    together = afterwards(club, lambda session: reminders.remind(session, free(session, numbers), now=now))
    assert together == afterwards(club, one_by_one) != afterwards(club, lambda _session: None)


def test_what_has_happened_since_a_game_was_found_due_counts(club):
    now = runs_out(club)
    with db.transaction(club.engine) as session:
        match = locked(session, 3)
        match.deadline += timedelta(hours=1)
        session.add(Outage(begins_at=match.deadline, ends_at=match.deadline, is_applied=True))
    with db.transaction(club.engine) as session:
        game_end.on_timeout(session, free(session, [1, 3]), now=now)
    with db.reading(club.engine) as session:
        assert session.get_one(Match, 1).ended_at == now and session.get_one(Match, 3).ended_at is None


def test_a_game_that_fails_among_others_leaves_nothing_half_done_and_holds_up_nobody(club, monkeypatch):
    with db.transaction(club.engine) as session:
        session.get_one(Match, 3).position = "torn"
    worker.sweep_clocks(service(club))
    with db.reading(club.engine) as session:
        assert session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all() == [3]
        written = Counter(session.exec(select(Letter.match_id).where(col(Letter.kind) == "over")).all())
    assert written == {number: 2 for number in range(1, GAMES + 1) if number != 3}


def test_a_worker_that_is_killed_among_several_games_leaves_each_to_be_ended_once(club, monkeypatch):
    write, letters = game_letters.over, iter(range(33))

    def die_in_the_second_group(*args, **words):
        if next(letters) == 32:
            os.kill(os.getpid(), signal.SIGKILL)
        return write(*args, **words)

    runtime = service(club)
    club.engine.dispose()  # a process that is forked must not share its connections
    with monkeypatch.context() as patched:
        patched.setattr(game_letters, "over", die_in_the_second_group)
        process = multiprocessing.get_context("fork").Process(target=worker.sweep_clocks, args=[runtime])
        process.start()
        process.join(60)
    assert process.exitcode == -signal.SIGKILL
    worker.sweep_clocks(runtime)
    with db.reading(club.engine) as session:
        assert session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all() == []
        written = Counter(session.exec(select(Letter.match_id).where(col(Letter.kind) == "over")).all())
    assert written == dict.fromkeys(range(1, GAMES + 1), 2)


def service(club, engine=None):
    """A service that has run until all time runs out."""
    now = runs_out(club)
    with db.transaction(club.engine) as session:
        session.merge(Heartbeat(id=1, at=now - timedelta(seconds=1)))
    return Runtime(club.settings, engine or club.engine, now=lambda: now)


@pytest.fixture(scope="module")
def large_model(postgres_url, tmp_path_factory):
    return club_of(tmp_path_factory.mktemp("large"), fresh_database(postgres_url), 200, 20)


@pytest.fixture
def large_club(large_model, postgres_url, tmp_path):
    club = copied(large_model, tmp_path, postgres_url)
    yield club
    club.engine.dispose()


def test_who_ends_games_together_waits_for_no_game_and_no_person_that_somebody_holds(large_club):
    engine, now = large_club.engine, runs_out(large_club)
    with db.transaction(engine) as holder:
        locked(holder, 1)
        person = players_of(holder, 4)[0].person_id
        holder.get_one(Person, person, with_for_update=db.NO_KEY_UPDATE)
        with db.transaction(engine) as session:
            session.execute(text("SET LOCAL lock_timeout = '2s'"))
            matches = locked_if_free(session, [1, 4, 7])
            assert {match.id for match in matches} == {7}
            game_end.on_timeout(session, matches, now=now)
    with db.reading(engine) as session:
        assert [session.get_one(Match, number).ended_at for number in (1, 4, 7)] == [None, None, now]


def test_a_sweep_ends_at_last_what_somebody_held(large_club):
    is_held, is_over = threading.Event(), threading.Event()

    def hold():
        with db.transaction(large_club.engine) as session:
            locked(session, 1)
            is_held.set()
            is_over.wait(1)

    holder = threading.Thread(target=hold)
    holder.start()
    assert is_held.wait(10)
    worker.sweep_clocks(service(large_club))
    is_over.set()
    holder.join()
    with db.reading(large_club.engine) as session:
        assert session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all() == []


def test_two_workers_end_each_game_once_and_rate_in_some_order_without_a_deadlock(large_club):
    engines = [db.make_engine(large_club.settings.database_url) for _worker in range(2)]
    runtimes = [service(large_club, engine) for engine in engines]
    threads = [threading.Thread(target=worker.sweep_clocks, args=[runtime]) for runtime in runtimes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    with db.reading(large_club.engine) as session:
        assert session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all() == []
        over = session.exec(select(Letter.match_id).where(col(Letter.kind) == "over")).all()
        assert Counter(over) == dict.fromkeys(range(1, 201), 2)
        assert deadlocks(session) == 0
        for rating in session.exec(select(Rating)).all():
            assert_in_one_order(session, rating)
    for engine in engines:
        engine.dispose()


def deadlocks(session):
    statement = text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return session.execute(statement).scalar_one()


def assert_in_one_order(session, rating):
    """Each change of a person's rating begins where the one before it ended, and the last one is what they have."""
    changes = session.exec(
        select(RatingChange)
        .where(col(RatingChange.person_id) == rating.person_id)
        .order_by(col(RatingChange.games_before))
    ).all()
    assert [change.games_before for change in changes] == list(range(rating.games))
    before = [change.rating_before for change in changes[1:]]
    assert [change.rating for change in changes] == [*before, rating.rating]


PERSONS = st.dictionaries(st.integers(1, 60), st.frozensets(st.integers(1, 30), max_size=3), max_size=60)


@given(PERSONS, st.integers(1, TOGETHER))
def test_groups_hold_each_game_once_and_nobody_twice(persons, most):
    groups = groups_without_a_common_person(persons, most)
    assert sorted(number for group in groups for number in group) == sorted(persons)
    for group in groups:
        seated = [person for number in group for person in persons[number]]
        assert 1 <= len(group) <= most and len(seated) == len(set(seated))


def test_games_of_different_people_are_as_many_together_as_may_be():
    persons = {number: {2 * number, 2 * number + 1} for number in range(40)}
    assert [len(group) for group in groups_without_a_common_person(persons, 16)] == [16, 16, 8]


@pytest.mark.parametrize("error", [OperationalError("UPDATE", {}, Exception("deadlock detected")), ValueError("torn")])
def test_a_group_that_fails_as_a_whole_is_ended_one_by_one(club, monkeypatch, error):
    end = game_end.on_timeout

    def fail_together(session, matches, **words):
        if len(matches) > 1:
            raise error
        end(session, matches, **words)

    monkeypatch.setattr(game_end, "on_timeout", fail_together)
    worker.sweep_clocks(service(club))
    with db.reading(club.engine) as session:
        assert session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all() == []
