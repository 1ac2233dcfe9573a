"""Robots as members: who they are, how games with them begin, and that nobody can be taken for one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, joining
from correspondence.accounts import robots as robot_accounts
from correspondence.core import db
from correspondence.core.config import SettingError, Settings, read_settings, with_defaults
from correspondence.core.time_control import TimeControl, TimeControlError
from correspondence.matchmaking import robot_games
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Letter, Match, Person, Seed, Seek, SeekState, Token
from correspondence.models.loading import position_of
from correspondence.play.matches import resign
from correspondence.robots import RobotPool
from engines.options import OptionError
from engines.verification.seals import commitment
from tests.post import text_of
from tests.robots import challenge, made_by, play_random_move, robots_in, seat_of, thinking_robots, to_move
from tests.test_robot_seeks import rated

DOOR = "play@games.example"
DAY = timedelta(days=1)


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    robots = robots_in(town)
    yield town
    robots.stop()


def all_robots(world):
    with db.reading(world.engine) as session:
        return [person.handle for person in session.exec(select(Person).where(Person.robot_level > 0))]


def test_every_game_for_two_has_a_robot_for_each_level_and_the_puzzle_has_none(club):
    games = ("proteus-dice", "proteus-tiles", "duel", "plateau")
    assert set(all_robots(club)) >= {f"{game}-robot-{level}" for game in games for level in range(1, 6)}
    assert not any("puzzle" in handle for handle in all_robots(club))


def test_robots_are_made_once_however_often_a_worker_starts(club):
    before = all_robots(club)
    again = robots_in(club)
    again.stop()
    assert all_robots(club) == before


def test_a_member_of_long_ago_keeps_the_handle_of_a_robot(town):
    with db.transaction(town.engine) as session:
        session.add(Person(handle="Duel-Robot-3", handle_key="duel-robot-3", joined_at=town.time))
    robots_in(town).stop()
    assert "duel-robot-3-x" in all_robots(town) and "duel-robot-3" not in all_robots(town)


def test_nobody_is_asked_to_report_a_robot(club):
    friends, friendly = club.match("duel"), challenge(club, "ann", "duel-robot-1")
    page = {number: club.client("ann").get(f"/games/{number}").text for number in (friends, friendly)}
    assert "Report bob" in page[friends] and "Report" not in page[friendly]


@pytest.mark.parametrize("handle", ["duel-robot-1", "Duel-Robot-9", "robo7", "my-r0b0t", "ro_bot", "ROBOTNIK", "r08ot"])
def test_nobody_joins_under_a_handle_that_looks_like_a_robot(club, handle):
    with db.transaction(club.engine) as session, pytest.raises(accounts.PeopleError, match="Only robots"):
        joining.request_join(session, handle, "x@example.org", now=club.time)


def test_a_robot_has_no_address_and_no_way_in(club):
    number = challenge(club, "ann", "duel-robot-1")
    with db.reading(club.engine) as session:
        robot = club.person(session, "duel-robot-1")
        assert session.exec(select(Letter).where(Letter.person_id == robot.id)).all() == []
        assert session.exec(select(Token).where(Token.person_id == robot.id)).all() == []
    assert number is not None


def test_a_challenged_robot_accepts_at_once_and_the_game_is_friendly(club):
    number = challenge(club, "ann", "duel-robot-1")
    assert not club.stand(number).rated and club.stand(number).ended_at is None


def test_games_with_robots_are_rated_where_somebody_says_so_or_has_set_it(club):
    assert club.stand(challenge(club, "ann", "duel-robot-1", rated=True)).rated
    with db.transaction(club.engine) as session:
        club.person(session, "ann").rates_robots = True
    assert club.stand(challenge(club, "ann", "duel-robot-2")).rated
    assert not club.stand(challenge(club, "ann", "duel-robot-3", rated=False)).rated


def test_a_rated_game_with_a_robot_rates_both(club):
    number = challenge(club, "ann", "duel-robot-1", rated=True, seat=0)
    play_random_move(club, number, "ann")
    with db.transaction(club.engine) as session:
        resign(session, club.player(session, number, "ann"), now=club.time)
    shown = club.client("ann").get("/ratings/duel?provisional=yes").get_data(as_text=True)
    profile = club.client("ann").get("/players/duel-robot-1").get_data(as_text=True)
    assert "ann" in shown
    assert "A robot of this site, at the level “Newcomer”" in profile
    assert "Write to" not in profile


@pytest.mark.parametrize(("robot", "more", "sentence"), [
    ("duel-robot-1", {"key": "plateau"}, "only plays Duel"),
    ("duel-robot-1", {"key": "duel-puzzle"}, "only plays Duel"),
    ("duel-robot-9", {}, "Nobody here is called"),
    ("duel-puzzle-robot-1", {"key": "duel-puzzle"}, "Nobody here is called"),
    ("duel-robot-1", {"time_control": TimeControl(40 * DAY, 40 * DAY, 40 * DAY)}, "at most 60 days"),
    ("duel-robot-1", {"time_control": TimeControl(90 * DAY, 0 * DAY, 90 * DAY)}, "at most 60 days"),
    ("duel-robot-1", {"time_control": TimeControl(DAY / 48, DAY / 48, DAY / 48)}, "between one hour and ninety days"),
    ("duel-robot-1", {"options": {"board": "moon"}}, "board"),
    ("duel-robot-1", {"options": {"level": "9"}}, "level"),
])  # fmt: skip
def test_a_robot_says_what_it_does_not_play(club, robot, more, sentence):
    with pytest.raises((ChallengeError, TimeControlError, OptionError), match=sentence):
        challenge(club, "ann", robot, **more)


def test_a_hundred_challenges_at_once_end_with_a_sentence_at_the_eleventh(club):
    for _game in range(robot_games.MOST_GAMES):
        challenge(club, "ann", "duel-robot-1")
        club.clock.go(minutes=2)
    with pytest.raises(ChallengeError, match="10 games with robots"):
        challenge(club, "ann", "duel-robot-2")
    challenge(club, "bob", "duel-robot-1")


def test_nobody_can_challenge_robots_while_nobody_thinks_for_them(club):
    idle = RobotPool(club.engine, 0, (0, 0), now=club.clock, rng=club.rng)
    idle.prepare(exist=True)
    idle.stop()
    with pytest.raises(ChallengeError, match="Robots are switched off here"):
        challenge(club, "ann", "duel-robot-1")
    page = club.client("ann").get("/robots")
    assert "Robots are switched off here" in page.get_data(as_text=True)


def test_robots_never_play_robots(club):
    with db.transaction(club.engine) as session, pytest.raises(ChallengeError, match="don't play robots"):
        robot, other = (club.person(session, f"duel-robot-{level}") for level in (1, 2))
        terms = session.exec(select(Seek).where(Seek.person_id == robot.id)).one().terms
        robot_games.challenge(session, robot, other, terms, seat=None, now=club.time, rng=club.rng)


def test_the_seed_of_a_game_with_a_robot_was_committed_to_before_the_challenge(club):
    with db.reading(club.engine) as session:
        robot = club.person(session, "duel-robot-1")
        promised = robot_games.commitments(session, [robot.id])[robot.id]
    number = challenge(club, "ann", "duel-robot-1", words="a walk in the rain")
    record = club.client("ann").get(f"/games/{number}.record").get_data(as_text=True)
    assert f'[Commitment "{promised}"]' in record and "a walk in the rain" in record
    with db.reading(club.engine) as session:
        assert robot_games.commitments(session, [robot.id])[robot.id] != promised
        assert commitment(session.get(Seed, number).secret) == promised


def test_the_offer_of_a_robot_is_in_no_list_and_cannot_be_taken(club):
    with db.reading(club.engine) as session:
        offers = session.exec(select(Seek).where(Seek.state == SeekState.OPEN)).all()
    assert len(offers) >= 20
    assert "duel-robot" not in club.client("ann").get("/seeks").get_data(as_text=True)
    answer = club.client("ann").post(f"/seeks/{offers[0].id}/take", data={})
    assert "There is no open seek" in answer.get_data(as_text=True)
    with db.reading(club.engine) as session:
        assert session.exec(select(Match)).all() == []


def test_somebody_plays_a_robot_again_with_seats_exchanged(club):
    number = challenge(club, "ann", "duel-robot-1", seat=0)
    club.resign(number, "ann")
    club.client("ann").post(f"/games/{number}/rematch", data={})
    assert seat_of(club, number + 1, "ann") == 1


def test_settings_of_robots_are_checked_with_a_sentence(tmp_path):
    for wrong in ({"ROBOTS": "maybe"}, {"ROBOT_WORKERS": "many"}, {"ROBOT_DELAY": "soon"}, {"ROBOT_DELAY": "9-3"}):
        with pytest.raises(SettingError, match=next(iter(wrong))):
            read_settings({"INSTANCE_DIR": str(tmp_path), **wrong})
    settings = with_defaults(Settings(instance_dir=str(tmp_path), robots=False))
    assert settings.thinking_processes == 0


# -- by mail -----------------------------------------------------------------------------


@pytest.fixture
def village(town):
    town.join("ann", "bob")
    with thinking_robots(town) as town.robots:
        yield town


@pytest.mark.parametrize("line", [
    "challenge duel-robot-1 duel", "challenge duel-robot-1", "challenge duel-robot-1 3 days", "sfida duel-robot-1",
    "challenge robot 1 to duel", "challenge a robot to duel 3 days", "sfida un robot a duel", "challenge robot-1 duel",
])  # fmt: skip
def test_a_line_by_mail_begins_a_game_with_a_robot(village, line):
    village.agree("ann", line)
    assert village.stand(1).game == "duel"
    assert any("robot" in name for name in ([*to_move(village, 1), text_of(village.letter("ann"))]))


def test_a_whole_game_by_mail_against_a_robot(village):
    village.agree("ann", "challenge duel-robot-1 duel seat=white")
    for _turn in range(60):
        village.robots.sweep()
        village.deliver()
        if village.stand(1).ended_at is not None:
            break
        letter = village.letter("ann")
        village.answer(letter, legal_move(village))
    assert village.stand(1).ended_at is not None
    assert {by for _seat, by in made_by(village, 1)} == {"mail", "robot"}
    assert all("robot" not in str(letter["To"]) for letter in village.received)


def legal_move(world):
    seat = seat_of(world, 1, "ann")
    with db.reading(world.engine) as session:
        seen = position_of(session.get(Match, 1)).view(seat)
    return seen.write(seat, seen.random_move(seat, world.rng))


def test_a_refused_challenge_by_mail_says_why(village):
    village.agree("ann", "challenge duel-robot-1 plateau")
    assert "only plays Duel" in " ".join(text_of(village.letter("ann")).split())


def answer_to(village, name, line):
    """What the answer to a line says."""
    village.mail(f"{name}@example.org", DOOR, line)
    village.deliver()
    return " ".join(text_of(village.letter(name)).split())


def test_robots_are_listed_by_mail_with_level_rating_and_the_line_that_challenges_each(village):
    with db.transaction(village.engine) as session:
        session.add(rated(village.person(session, "duel-robot-2").id, 1320.0, village.time))
    answer = answer_to(village, "ann", "robots")
    for robot in ("duel-robot-1", "proteus-dice-robot-5", "proteus-tiles-robot-3", "plateau-robot-1"):
        assert f"challenge {robot} " in answer
    assert re.search(r"challenge duel-robot-2 [A-Z][a-z ]+, 1320", answer) and "no rating yet" in answer
    assert "duel-puzzle-robot" not in answer


def test_every_line_of_that_list_begins_the_game_it_stands_under(village):
    answer = answer_to(village, "ann", "robots")
    listed = re.findall(r"challenge (\S+-robot-\d)", answer)
    assert len(listed) == len(set(listed)) >= 20
    for robot in listed[::4]:
        village.agree("bob", f"challenge {robot}")
    assert [village.stand(number).game for number in range(1, len(listed[::4]) + 1)] == [
        robot.partition("-robot")[0] for robot in listed[::4]
    ]


def test_the_list_of_robots_speaks_italian(town):
    town.join("ida", language="it")
    town.robots = robots_in(town)
    answer = answer_to(town, "ida", "i robot")
    town.robots.stop()
    assert "sfida duel-robot-1 " in answer and "challenge" not in answer


def test_where_nobody_thinks_for_them_the_list_says_that_robots_are_switched_off(town):
    town.join("ann")
    assert "Robots are switched off here" in answer_to(town, "ann", "robots")


@pytest.mark.parametrize(("line", "sentence"), [
    ("seek duel 3 days pair=yes robts=yes", "Did you mean robots?"),
    ("seek duel 3 days pair=yes robot=yes", "Did you mean robots?"),
    ("seek duel 3 days pari=yes robots=yes", "Did you mean pair?"),
    ("seek duel 3 days pair=yes robots=yes zebra=yes", "There is no option “zebra” here"),
    ("seek duel 3 days pair=yes robots=perhaps", "can be yes, no, or rated"),
    ("seek duel 3 days pair=maybe robots=yes", "can be yes or no"),
    ("challenge duel-robot-1 400 days", "from one hour to ninety days"),
    ("challenge duel-robot-1 90 days", "at most 60 days"),
    ("challenge duel-robot-1 3 seconds", "seconds"),
    ("challenge duel-robot-1 board=moon", "board"),
    ("challenge duel-robot-1 level=9", "level"),
    ("challenge duel-robot-77", "Nobody here is called"),
    ("challenge robot 77 to duel", "Nobody here is called"),
])  # fmt: skip
def test_what_cannot_be_played_with_robots_is_answered_in_a_sentence(village, line, sentence):
    village.agree("ann", line)
    text = " ".join(" ".join(text_of(letter).split()) for letter in village.letters("ann"))
    assert sentence in text and "Traceback" not in text
    with db.reading(village.engine) as session:
        assert session.exec(select(Match)).all() == []


def test_are_awake_ends_a_day_after_the_last_worker(club):
    with db.reading(club.engine) as session:
        assert robot_accounts.are_awake(session, now=club.time)
        assert not robot_accounts.are_awake(session, now=club.time + timedelta(days=2))
