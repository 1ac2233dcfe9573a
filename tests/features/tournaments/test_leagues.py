"""Leagues in real use: seasons begin and end, the best go up, games are judged, members rest and return."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlmodel import col, func, select

from correspondence.core import db
from correspondence.features.tournaments import judging, sweep
from correspondence.features.tournaments.formats.field import Result
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import Tournament, TournamentJudging, TournamentPairing
from correspondence.models import Letter, Match
from correspondence.robots.spare_work import due
from engines.refusal import Refusal
from tests.leagues import divisions, enter, judge, leave, rest, view
from tests.post import at_once, text_of
from tests.programs import Program
from tests.tournaments import games, lose, run_sweep
from tests.world import mail_world

FIVE = ["ann", "bob", "cleo", "dan", "eve"]
TWELVE = [f"p{number:02}" for number in range(12)]


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join(*FIVE)
    yield club
    club.close()


def refused(act, *args):
    with pytest.raises(Refusal) as caught:
        act(*args)
    return str(caught.value)


def last(club, name):
    return " ".join(text_of(club.letter(name)).split())


def news(club, name):
    """Return the subjects of somebody's letters about the league."""
    return [str(one["Subject"]) for one in club.letters(name) if "[League of Duel]" in str(one["Subject"])]


def play_season(club, strength=str):
    """Play all games of the running season to the end, the stronger by `strength` (lower is better) winning."""
    for game, *both in games(club, 1):
        lose(club, game, max(both, key=strength))
    run_sweep(club)


def pairings(club, season):
    with db.reading(club.engine) as session:
        query = select(TournamentPairing).where(TournamentPairing.round == season)
        return list(session.exec(query.order_by(col(TournamentPairing.id))))


def test_three_found_a_league_and_the_next_wait(club):
    enter(club, "ann", "bob")
    assert view(club).season == 0 and view(club).waiting == ["ann", "bob"]
    enter(club, "cleo", "dan")
    assert [sorted(one) for one in divisions(club)] == [["ann", "bob", "cleo"]]
    assert view(club).waiting == ["dan"] and len(games(club, 1)) == 3
    letter = next(text_of(one) for one in club.letters("ann") if "season 1" in str(one["Subject"]))
    text = " ".join(letter.split())
    assert "Season 1 has begun (League of Duel), division 1: you play" in text and "league duel rest" in text
    with db.reading(club.engine) as session:
        match = session.get_one(Match, games(club, 1)[0][0])
        assert (match.event, match.round, match.section) == ("Duel league", "1", "1")


def test_league_through_two_seasons(anywhere):
    """Twelve play in two divisions; one goes up and one down; one rests, one leaves, one is new."""
    anywhere.join(*TWELVE, "new")
    found_at_once(anywhere, TWELVE)
    assert sorted(map(len, divisions(anywhere))) == [6, 6]
    upper, lower = (set(one) for one in divisions(anywhere))
    assert len(games(anywhere, 1)) == 30
    play_season_but(anywhere, "")
    after_one = divisions(anywhere, 1)
    assert after_one == [sorted(upper), sorted(lower)], "the stronger has won each game"
    assert view(anywhere).season == 2 and view(anywhere).seasons == 2
    best_below, worst_above = sorted(lower)[0], sorted(upper)[-1]
    assert best_below in divisions(anywhere)[0] and worst_above in divisions(anywhere)[1]
    assert "come 1 of 6 in division 2, with 5 points" in last_season_letter(anywhere, best_below)
    # the second season: rest, leave, enter, and games that outlast it
    upper_now, lower_now = divisions(anywhere)
    rest(anywhere, upper_now[0])
    leave(anywhere, lower_now[-1])
    enter(anywhere, "new")
    slow = next(
        one for one in games(anywhere, 1) if sorted(one[1:]) in [sorted(upper_now)[:2], sorted(lower_now)[:2]]
    )  # whose result decides about a place
    play_season_but(anywhere, slow[0])
    anywhere.time += timedelta(days=113)
    run_sweep(anywhere)
    assert "the season ends soon" in news(anywhere, slow[1])[-1]
    assert run_sweep(anywhere) == 0
    anywhere.time += timedelta(days=7)
    run_sweep(anywhere)
    assert view(anywhere).season == 2, "it waits for the judgement"
    assert (judge(anywhere), judge(anywhere)) == (1, 0)
    run_sweep(anywhere)
    assert view(anywhere).season == 3
    [judged] = [row for row in pairings(anywhere, 2) if row.is_judged]
    assert judged.match_id == slow[0] and judged.result is not Result.RUNNING
    everybody = {name for division in divisions(anywhere) for name in division}
    assert everybody == {*TWELVE, "new"} - {upper_now[0], lower_now[-1]}
    lose(anywhere, slow[0], slow[1])
    run_sweep(anywhere)
    [again] = [row for row in pairings(anywhere, 2) if row.is_judged]
    assert again.result == judged.result, "the judgement stands"
    with db.reading(anywhere.engine) as session:
        assert session.get_one(Match, slow[0]).ended_at is not None
        query = select(func.count()).select_from(Letter).where(col(Letter.key).like("%season%"))
        assert (
            session.exec(query).one()
            == session.exec(select(func.count(func.distinct(Letter.key))).where(col(Letter.key).like("%season%"))).one()
        )


def found_at_once(club, names):
    """Let all of them enter while nobody else does, so that the first season has them all."""
    from correspondence.features.tournaments import fields, leagues, perpetual
    from correspondence.features.tournaments.tables import Format

    with db.transaction(club.engine) as session:
        for name in names:
            entrant = perpetual.enter(session, club.person(session, name), Format.LEAGUE, "duel", now=club.time)
        tournament = session.get_one(Tournament, entrant.tournament_id)
        assert fields.field_of(session, tournament, now=club.time).round == 0
        leagues.advance(session, tournament, now=club.time, rng=club.rng)
    club._deliver_at_once()


def play_season_but(club, slow):
    for game, *both in games(club, 1):
        if game != slow:
            lose(club, game, max(both))
    run_sweep(club)
    assert run_sweep(club) == 0


def last_season_letter(club, name):
    found = [text_of(one) for one in club.letters(name) if "season 2" in str(one["Subject"])]
    return " ".join(found[-1].split())


def test_each_refusal_is_a_sentence(club):
    assert "Nobody is there yet. To be the first, write: league duel enter" in refused(rest, club, "ann")
    enter(club, "ann", "bob", "cleo")
    assert "You are in already: League of Duel." in refused(enter, club, "ann")
    assert "You are not in: League of Duel." in refused(leave, club, "dan")
    rest(club, "ann")
    assert "You rest in season 2 already." in refused(rest, club, "ann")
    leave(club, "ann")
    enter(club, "ann")
    assert view(club, "ann").is_in and not view(club, "ann").rests


def test_leaver_plays_on_and_a_season_of_too_few_waits(club):
    enter(club, "ann", "bob", "cleo")
    leave(club, "cleo")
    assert len(games(club, 1)) == 3
    play_season(club)
    assert view(club).season == 2 and [sorted(one) for one in divisions(club)] == [["ann", "bob"]]
    assert len(games(club, 1)) == 2, "two who are left play two games"
    leave(club, "bob")
    play_season(club)
    assert view(club).season == 2 and view(club).waiting == []
    enter(club, "dan", "eve")
    assert view(club).season == 3
    assert sorted(divisions(club)[0]) == ["ann", "dan"]
    assert view(club).waiting == ["eve"]


@pytest.mark.parametrize(
    ("seat", "answer", "expected"),
    [
        (0, {"expected": 0.85}, Result.FIRST_WINS),
        (0, {"expected": 0.84}, Result.DRAWN),
        (1, {"expected": 0.9}, Result.SECOND_WINS),
        (1, {"expected": 0.1}, Result.FIRST_WINS),
        (1, {"expected": 0.5}, Result.DRAWN),
        (0, {"unjudged": True}, Result.DRAWN),
    ],
)
def test_judgement_needs_eighty_five_per_cent(seat, answer, expected):
    assert judging.verdict(seat, answer) is expected


def test_without_robots_games_are_drawn_after_a_day(club):
    enter(club, "ann", "bob", "cleo")
    club.time += timedelta(days=113)
    run_sweep(club)
    assert "ends on" in last(club, "ann") and "as the highest robot judges it" in last(club, "ann")
    for days in (7, 1):
        club.time += timedelta(days=days)
        run_sweep(club)
        run_sweep(club)
    assert view(club).season == 2
    assert {(row.result, row.is_judged) for row in pairings(club, 1)} == {(Result.DRAWN, True)}


def test_failed_searches_end_in_a_draw(club):
    enter(club, "ann", "bob", "cleo")
    club.time += timedelta(days=121)
    run_sweep(club)
    for _try in range(judging.MOST_TRIES):
        with db.transaction(club.engine) as session:
            leased = judging.claim(session, due(judging, session, now=club.time), now=club.time)
            judging.give_back(session, leased)
            leased = judging.claim(session, leased.pairing_id, now=club.time)
            judging.fail(session, leased, now=club.time)
            assert judging.keep(session, leased, {"unjudged": True}, now=club.time) is False
            session.flush()
            row = session.get_one(TournamentPairing, leased.pairing_id)
        club.time += judging.AGAIN_AFTER - judging.AGAIN_AFTER
        with db.transaction(club.engine) as session:
            for waiting in session.exec(select(TournamentJudging)).all():
                waiting.due_at = club.time if waiting.pairing_id == row.id and waiting.due_at else waiting.due_at
    with db.reading(club.engine) as session:
        assert session.get_one(TournamentPairing, row.id).result is Result.DRAWN
        assert judging.given_up(session, since=club.time - timedelta(days=1)) == [row.match_id]


def test_game_that_ends_before_its_judgement_counts_as_it_ended(club):
    enter(club, "ann", "bob", "cleo")
    club.time += timedelta(days=121)
    run_sweep(club)
    game, first, _second = games(club, 1)[0]
    lose(club, game, first)
    assert judge(club) == 2
    run_sweep(club)
    [row] = [one for one in pairings(club, 1) if one.match_id == game]
    assert (row.result, row.is_judged) == (Result.SECOND_WINS, False)


def test_two_workers_begin_a_season_once(anywhere):
    anywhere.join(*FIVE)
    enter(anywhere, "ann", "bob", "cleo")
    for game, *both in games(anywhere, 1):
        lose(anywhere, game, max(both))

    def act():
        with db.transaction(anywhere.engine) as session:
            sweep.handle(session, 1, now=anywhere.time, rng=random.Random(1))

    assert at_once(act, act, act, refusals=(TournamentError,)).count("done") == 3
    assert len(pairings(anywhere, 2)) == 3 and len(games(anywhere, 1)) == 3


# -- by mail, page and program -----------------------------------------------------------


def say(club, name, body):
    club.agree(name, body)
    return last(club, name)


def test_league_is_lived_by_mail(club):
    assert "The first season begins as soon as three have entered." in say(club, "ann", "league duel")
    assert "You are in the league" in say(club, "ann", "league duel enter")
    for name in ("bob", "cleo"):
        say(club, name, "league duel enter")
    answer = say(club, "ann", "league duel")
    assert "season 1" in answer
    assert "Division 1" in answer
    assert "Your games:" in answer
    assert "You rest in season 2" in say(club, "ann", "league duel rest")
    assert "You rest in the next season." in say(club, "ann", "league duel")
    assert "league duel" in say(club, "ann", "tournaments")
    assert "You have left the league." in say(club, "ann", "league duel leave")
    assert "write instead league duel" in say(club, "bob", "enter 1")
    assert "To see it, write: league duel" in say(club, "bob", "tournament 1")
    assert "league duel enter" in say(club, "ann", "help ladders")


def test_league_is_lived_on_the_page(club):
    ann = club.client("ann")
    assert "as soon as three have entered" in club.client().get("/leagues/duel").text
    assert "You are in the league" in ann.post("/leagues/duel/enter", follow_redirects=True).text
    enter(club, "bob", "cleo")
    page = ann.get("/leagues/duel").text
    assert "Division 1" in page
    assert "My games" in page
    assert "Season 1" in page
    assert "You rest in season 2" in ann.post("/leagues/duel/rest", follow_redirects=True).text
    assert ann.post("/leagues/duel/rest").status_code == 409
    assert "You have left" in ann.post("/leagues/duel/leave", follow_redirects=True).text
    assert club.client().get("/leagues/duel/1").status_code == 200
    assert club.client().get("/leagues/duel/2").status_code == 404 == club.client().get("/leagues/checkers").status_code
    assert club.client().get("/tournaments/1").headers["Location"] == "/leagues/duel"
    assert 'href="/leagues/duel"' in club.client().get("/tournaments").text


def test_document_of_a_league_is_as_promised(club):
    enter(club, "ann", "bob", "cleo")
    play_season(club)
    found = club.client().get("/tournaments/1.json").json
    assert (found["format"], found["round"], found["rounds"]) == ("league", 2, 2)
    assert {one["round"] for one in found["pairings"]} == {1, 2}
    assert {one["section"] for one in found["pairings"]} == {1}
    assert [one["handle"] for one in found["standings"]] and "sonneborn_berger" in found["standings"][0]["tiebreaks"]


def test_program_lives_in_a_league(club):
    ann = Program(club, "ann")
    assert ann.get("/leagues/duel").json == {"id": None, "season": 0, "ends_at": None, "is_in": False, "rests": False}
    assert ann.post("/leagues/duel/enter").status_code == 200
    assert ann.post("/leagues/duel/rest").status_code == 200
    assert ann.get("/leagues/duel").json["rests"] is True
    assert ann.post("/leagues/duel/leave").status_code == 200
    assert "detail" in ann.post("/leagues/duel/leave").json
