"""Seeks that a robot takes when nobody has: after a wait, by the robot that fits, and never before a person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.core.time_control import per_move
from correspondence.matchmaking import robot_seeks
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Rating, SeekState
from correspondence.ops.pairing_sweeps import sweep_pairing
from tests.club import matches_of, pair, row, seek
from tests.post import text_of
from tests.robots import robots_in


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    town.robots = robots_in(town)
    yield town
    town.robots.stop()


def opponents(club):
    return [next(handle for handle in match[1:] if handle not in ("ann", "bob")) for match in matches_of(club)]


def wait(club):
    club.clock.go(seconds=robot_seeks.WAIT.total_seconds())
    club.robots.sweep()
    return pair(club)


def test_a_robot_comes_when_nobody_has_for_a_while_and_its_seeker_is_told(club):
    number = seek(club, "ann", pair="yes", robots="yes")
    assert pair(club) == 0
    assert wait(club) == 1
    assert opponents(club) == ["duel-robot-2"] and row(club, number).state == SeekState.TAKEN
    assert "duel-robot-2" in text_of(club.letter("ann"))


def test_without_the_word_no_robot_comes(club):
    seek(club, "ann", pair="yes")
    assert wait(club) == 0


def test_a_person_who_is_there_comes_before_any_robot(club):
    seek(club, "ann", pair="yes", robots="yes")
    club.clock.go(hours=7)
    seek(club, "bob", time_control=per_move(timedelta(days=2)))
    pair(club)
    assert [set(match[1:]) & {"ann", "bob"} for match in matches_of(club)] in ([{"ann", "bob"}], [{"ann"}])
    if opponents_are_people(club):
        assert matches_of(club)[0][0] == "duel"


def opponents_are_people(club):
    return all({"ann", "bob"} == set(match[1:]) for match in matches_of(club))


def test_two_seeks_that_can_be_paired_are_paired_though_both_would_take_robots(club):
    seek(club, "ann", pair="yes", robots="yes")
    seek(club, "bob", pair="yes", robots="yes", time_control=per_move(timedelta(days=2)))
    wait(club)
    assert opponents_are_people(club) and len(matches_of(club)) == 1


def test_a_game_with_a_robot_is_rated_only_where_the_seek_says_so(club):
    seek(club, "ann", robots="yes")
    seek(club, "bob", "plateau", robots="rated")
    wait(club)
    with db.reading(club.engine) as session:
        from correspondence.models import Match

        rated = {match.game: match.rated for match in session.exec(select(Match))}
    assert rated == {"duel": False, "plateau": True}


def test_the_robot_nearest_in_rating_comes(club):
    with db.transaction(club.engine) as session:
        for handle, rating in (("ann", 1900.0), ("duel-robot-1", 1000.0), ("duel-robot-4", 1850.0)):
            person = club.person(session, handle)
            session.add(rated(person.id, rating, club.time))
    seek(club, "ann", robots="yes")
    wait(club)
    assert opponents(club) == ["duel-robot-4"]


def rated(person_id, rating, at):
    made = Rating(
        person_id=person_id, game="duel", rating=rating, deviation=60.0, volatility=0.06, games=20, updated_at=at
    )
    made.established_until = at + timedelta(days=90)
    return made


def test_a_seek_for_several_games_gets_one_robot_at_a_time(club):
    seek(club, "ann", games=3, robots="yes")
    wait(club)
    assert sweep_pairing(club.runtime) == 0 and len(matches_of(club)) == 1
    wait(club)
    assert len(matches_of(club)) == 2


def test_a_condition_that_a_robot_does_not_meet_keeps_it_away(club):
    seek(club, "ann", robots="yes", again="never", games=2)
    wait(club)
    with db.transaction(club.engine) as session:
        session.add(rated(club.person(session, "duel-robot-1").id, 1000.0, club.time))
    assert len(matches_of(club)) == 1
    wait(club)
    assert len(set(opponents(club))) == len(opponents(club)), "no robot comes twice"


@pytest.mark.parametrize(("more", "sentence"), [
    ({"robots": "perhaps"}, "can be yes, no, or rated"),
    ({"robots": "yes", "time_control": per_move(timedelta(days=60))}, "at most 60 days at the start"),
])  # fmt: skip
def test_what_robots_cannot_play_is_said_when_the_seek_is_made(club, more, sentence):
    with pytest.raises(ChallengeError, match=sentence):
        seek(club, "ann", **more)


def test_a_seek_by_mail_and_by_page_can_ask_for_robots(club):
    club.agree("ann", "seek duel 3 days pair=yes robots=yes")
    page = club.client("bob").get("/seeks/new?game=plateau").get_data(as_text=True)
    assert 'name="robots"' in page
    club.client("bob").post("/seeks/new", data={"game": "plateau", "robots": "rated", "pace": "3", "kind": "count"})
    assert [row(club, number).robots for number in own(club)] == ["yes", "rated"]


def own(club):
    from correspondence.models import Seek

    with db.reading(club.engine) as session:
        people = [club.person(session, handle).id for handle in ("ann", "bob")]
        return list(session.exec(select(Seek.id).where(Seek.person_id.in_(people)).order_by(Seek.id)))


def test_the_setting_that_rates_games_with_robots_is_changed_by_mail_and_on_the_page(club):
    club.agree("ann", "settings robots on")
    club.client("bob").post("/robots/rated", data={"rated": "yes"})
    with db.reading(club.engine) as session:
        assert all(club.person(session, handle).rates_robots for handle in ("ann", "bob"))


def test_how_soon_robots_answer_is_set_on_the_page_and_a_forged_pace_is_refused(club):
    ann = club.client("ann")
    assert "/robots#mine" in ann.get("/settings").text
    ann.post("/robots/rated", data={"pace": "later"})
    with db.reading(club.engine) as session:
        assert club.person(session, "ann").robot_pace == "later"
    assert '<option value="later" selected>' in ann.get("/robots").text
    refused = ann.post("/robots/rated", data={"rated": "yes", "pace": "yesterday"})
    assert refused.status_code == 422 and "please choose one of these" in refused.text
    with db.reading(club.engine) as session:
        person = club.person(session, "ann")
        assert (person.robot_pace, person.rates_robots) == ("later", False)


def test_ratings_can_be_shown_without_robots_which_are_no_people(club):
    with db.transaction(club.engine) as session:
        for handle in ("ann", "duel-robot-3"):
            session.add(rated(club.person(session, handle).id, 1500.0, club.time))
    everybody, people = (
        club.client("ann").get(f"/ratings/duel{end}").get_data(as_text=True) for end in ("", "?robots=no")
    )
    assert "duel-robot-3" in everybody
    assert "duel-robot-3" not in people
    assert "ann" in people
    overview = club.client("ann").get("/ratings").get_data(as_text=True)
    assert "1 player has a rating" in overview and "duel-robot-3" not in overview
