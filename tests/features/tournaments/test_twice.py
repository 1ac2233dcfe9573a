"""Nothing in a tournament happens twice: with two workers, with a worker that is killed, on both databases."""

from __future__ import annotations

import os
import random
import signal
from multiprocessing import get_context

import pytest
from sqlmodel import col, func, select

from correspondence.core import db
from correspondence.features.tournaments import entering, running, sweep
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import TournamentPairing, TournamentState
from correspondence.models import Letter, Match
from engines.refusal import Refusal
from tests.post import at_once
from tests.tournaments import begun, enter, games, lose, make, results, run_sweep, stand, table

FORK = get_context("fork")
EIGHT = ["ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"]


@pytest.fixture
def club(anywhere):
    anywhere.join(*EIGHT)
    return anywhere


def count(club, what, *conditions):
    with db.reading(club.engine) as session:
        return session.exec(select(func.count()).select_from(what).where(*conditions)).one()


def entering_as(club, number, name):
    def act():
        with db.transaction(club.engine) as session:
            person = club.person(session, name)
            entering.enter(session, person, number, now=club.time, rng=random.Random(name))

    return act


def test_entrants_who_race_for_the_last_places_begin_it_once(club):
    number = make(club, players=4)
    answers = at_once(*[entering_as(club, number, name) for name in EIGHT], refusals=(Refusal,))
    assert answers.count("done") == 4
    assert stand(club, number).state is TournamentState.RUNNING
    assert len(games(club, number)) == 6 == count(club, Match)


def test_one_person_enters_once(club):
    number = make(club, players=4)
    answers = at_once(*[entering_as(club, number, "ann")] * 4, refusals=(Refusal,))
    assert answers.count("done") == 1 and sum("already" in answer for answer in answers) == 3


def test_two_workers_pair_a_round_once(club):
    number = begun(club, *EIGHT, kind="swiss", rounds=3)
    for game, _first, second in games(club, number):
        lose(club, game, second)
    at_once(*[lambda: sweep.sweep(club.runtime)] * 4)
    assert len(games(club, number)) == 4
    assert count(club, TournamentPairing) == 8 == count(club, Match)
    letters = count(club, Letter, col(Letter.kind) == "tournament", col(Letter.key).contains(":round2:"))
    assert letters == 8


def test_games_that_end_while_a_round_is_paired_are_counted(club):
    number = begun(club, *EIGHT, name="All")
    found = games(club, number)

    def ends(game, loser):
        return lambda: lose(club, game, loser)

    free, busy = [], set()
    for game, *both in found:
        if not busy & set(both):
            free.append(ends(game, both[1]))
            busy |= set(both)
    at_once(*free, *[lambda: sweep.sweep(club.runtime)] * 2)
    run_sweep(club)
    assert sum(result != "*" for _first, _second, result, _game in results(club, number)) == len(free)


def killed_at(club, monkeypatch, module, name):
    """Sweep in another process, which dies as soon as it has done this."""
    whole = getattr(module, name)

    def and_die(*args, **named):
        whole(*args, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    def work():
        club.engine.dispose(close=False)
        setattr(module, name, and_die)
        sweep.sweep(club.runtime)

    process = FORK.Process(target=work)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("name", ["begin_game", "_open_round", "record"])
def test_worker_killed_half_way_leaves_nothing_and_the_next_one_does_it_all(club, monkeypatch, name):
    number = begun(club, *EIGHT, kind="swiss", rounds=3)
    for game, _first, second in games(club, number):
        lose(club, game, second)
    killed_at(club, monkeypatch, running, name)
    assert games(club, number) == [] and count(club, Match) == 4
    run_sweep(club)
    assert len(games(club, number)) == 4
    assert {played for _handle, _rank, _points, played in table(club, number)} == {1}


def test_nobody_enters_a_tournament_that_does_not_exist(club):
    with pytest.raises(TournamentError, match="no tournament 99"):
        enter(club, 99, "ann")
