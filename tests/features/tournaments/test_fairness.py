"""Fairness to people in tournaments: leaving, lapses, absence, operators."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence.community import blocking, erasure
from correspondence.core import db
from correspondence.features.tournaments import settling
from correspondence.features.tournaments.tables import TournamentConduct, TournamentPairing, TournamentState
from correspondence.models import Match
from correspondence.models.loading import person_of, players_of, position_of
from engines.refusal import Refusal
from tests.operators import act as operate
from tests.post import text_of
from tests.robots import robots_in
from tests.tournaments import begun, enter, games, lose, make, play_out, results, run_sweep, stand, table, withdraw
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join("ann", "bob", "cleo", "dan", "eve", vacation_hours_left=0)
    yield club
    club.close()


def of(club, number, name):
    return [(game, *both) for game, *both in games(club, number) if name in both]


def test_who_leaves_before_half_of_their_games_is_struck(club):
    number = begun(club, "ann", "bob", "cleo", "dan", "eve")
    first = of(club, number, "eve")[0]
    lose(club, first[0], next(name for name in first[1:] if name != "eve"))
    withdraw(club, number, "eve")
    assert len(of(club, number, "eve")) == 3, "running games go on"
    for game, *_both in of(club, number, "eve"):
        for _move in range(2):
            club.play(game, *next_move(club, game))
        if next_move(club, game)[0] != "eve":
            club.play(game, *next_move(club, game))
    club.wait(days=60)
    run_sweep(club)
    own = [one for one in results(club, number) if "eve" in one[:2]]
    assert {result for _first, _second, result, _game in own} == {"void"}
    assert table(club, number)[-1] == ("eve", 5, 0, 0)


def next_move(club, game):
    """Return who is to move in a game, and a legal move."""
    with db.reading(club.engine) as session:
        position = position_of(session.get_one(Match, game))
        seat = position.to_act[0]
        name = person_of(session, players_of(session, game)[seat]).handle
        return name, position.write(seat, next(iter(position.legal_moves(seat))))


def test_who_completed_half_keeps_results_and_loses_the_rest_without_a_game(club):
    number = begun(club, "ann", "bob", "cleo", "dan", at_once=1)
    for _time in range(2):
        game, *both = of(club, number, "dan")[0]
        lose(club, game, "dan")
        run_sweep(club)
        for game, *both in games(club, number):
            if "dan" not in both:
                lose(club, game, both[0])
        run_sweep(club)
    withdraw(club, number, "dan")
    for game, *_both in of(club, number, "dan"):
        lose(club, game, "dan")
    play_out(club, number)
    own = [one for one in results(club, number) if "dan" in one[:2]]
    assert len(own) == 3 and all(result in ("1-0", "0-1") for _first, _second, result, _game in own)
    assert stand(club, number).state is TournamentState.FINISHED


def test_withdrawing_changes_no_points_among_the_others(club):
    number = begun(club, "ann", "bob", "cleo", "dan")
    for game, *both in games(club, number):
        if "dan" not in both:
            lose(club, game, max(both))
    run_sweep(club)
    before = {line[0]: line[2] for line in table(club, number)}
    withdraw(club, number, "dan")
    after = {line[0]: line[2] for line in table(club, number)}
    assert after == before


def test_barred_member_enters_again_after_thirty_days(club):
    with db.transaction(club.engine) as session:
        dan = club.person(session, "dan").id
        session.add(TournamentConduct(person_id=dan, barred_until=club.time + settling.BARRED_FOR))
    other = make(club, "bob", players=3)
    with pytest.raises(Refusal, match="barred from new ones until"):
        enter(club, other, "dan")
    club.clock.go(days=31)
    enter(club, other, "dan")


def late_once(club, name="dan"):
    """Begin a tournament in which somebody loses one game on time; return its number."""
    number = begun(club, "ann", "bob", name, game="proteus-dice")
    game, first, second = next(one for one in games(club, number) if one[1] == name)
    club.open(game, first, second)
    for other, *both in games(club, number):
        if other != game:
            lose(club, other, both[0])
    club.time = club.stand(game).deadline  # exactly, or the service would seem to have been down
    club.wait(minutes=1)
    run_sweep(club)
    return number


def test_loss_on_time_is_a_point_and_the_third_one_bars(club):
    late_once(club)
    letters = [" ".join(text_of(one).split()) for one in club.letters("dan")]
    assert any("one point against you, and you have 1 of three" in one for one in letters)
    for _time in range(2):
        late_once(club)
    assert any("you get no new tournament games until" in " ".join(text_of(one).split()) for one in club.letters("dan"))
    with pytest.raises(Refusal, match="barred from new ones until"):
        enter(club, make(club, "bob", players=3), "dan")


def test_ten_other_games_take_a_point_away(club):
    with db.transaction(club.engine) as session:
        session.add(TournamentConduct(person_id=club.person(session, "ann").id, points=2, kept=8))
    number = begun(club, "ann", "bob", "cleo")
    play_out(club, number)
    with db.reading(club.engine) as session:
        conduct = session.get_one(TournamentConduct, club.person(session, "ann").id)
        assert (conduct.points, conduct.kept) == (1, 0)


def test_who_never_shows_gives_the_other_the_point(club):
    number = begun(club, "ann", "bob", "cleo")
    club.wait(days=30)
    run_sweep(club)
    assert {result for _first, _second, result, _game in results(club, number)} <= {"0-1", "void"}
    with db.reading(club.engine) as session:
        assert all(row.is_unshown for row in session.exec(select(TournamentPairing)))


def test_erased_member_leaves_and_the_tournament_goes_on(club):
    number = begun(club, "ann", "bob", "cleo", "dan")
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "dan"), now=club.time)
    run_sweep(club)
    play_out(club, number)
    assert stand(club, number).state is TournamentState.FINISHED
    assert club.client().get(f"/tournaments/{number}").status_code == 200


def test_annulled_game_counts_for_nobody(club):
    number = begun(club, "ann", "bob", "cleo")
    game, first, _second = games(club, number)[0]
    lose(club, game, first)
    run_sweep(club)
    club.join("op")
    operate(club, "annul", game=str(game))
    run_sweep(club)
    assert "void" in {result for _first, _second, result, _game in results(club, number)}


def test_robots_fill_up_within_the_hour(club):
    robots = robots_in(club)
    number = make(club, players=4, robots="fill")
    enter(club, number, "ann")
    assert games(club, number) == []
    club.clock.go(minutes=50)
    run_sweep(club)
    assert stand(club, number).state is TournamentState.RUNNING
    page = club.client().get(f"/tournaments/{number}").text
    assert "robot" in page
    robots.stop()


def test_round_that_has_passed_its_day_waits_for_nobody(club):
    number = begun(club, "ann", "bob", "cleo", "dan", kind="swiss", rounds=2, round_days=7)
    game, first, _second = games(club, number)[0]
    lose(club, game, first)
    club.clock.go(days=8)
    run_sweep(club)
    assert len(games(club, number)) == 3, "the late game goes on beside the second round"
    assert "Round 2 of" in " ".join(text_of(club.letter("ann")).split())


def test_blocked_members_do_not_meet_in_a_swiss_while_others_can_be_paired(club):
    names = ["ann", "bob", "cleo", "dan"]
    with db.transaction(club.engine) as session:
        blocking.block(session, club.person(session, "ann"), "cleo", now=club.time)
        blocking.block(session, club.person(session, "ann"), "dan", now=club.time)
    number = begun(club, *names, kind="swiss", rounds=1)
    assert {frozenset(both) for _game, *both in games(club, number)} == {
        frozenset({"ann", "bob"}),
        frozenset({"cleo", "dan"}),
    }
