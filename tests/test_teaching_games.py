"""Games in which a robot teaches: how they begin, by mail and on pages, and what their letters and pages say."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.accounts.robots import note_watch
from correspondence.commands import Learn, Other
from correspondence.commands.reading import parse_commands
from correspondence.core import db
from correspondence.matchmaking import teaching_games
from correspondence.models import Match, RobotTurn
from correspondence.models.loading import position_of
from correspondence.play import lessons
from engines import GAMES
from engines.course import MOVES
from tests.post import html_of, text_of
from tests.robots import challenge, play_random_move, thinking_robots, to_move

DOOR = "play@games.example"
TAUGHT = ("duel", "plateau", "proteus-dice", "proteus-tiles")


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    with thinking_robots(town) as town.robots:
        yield town


def learn(club, name="ann", key="duel"):
    with db.transaction(club.engine) as session:
        return teaching_games.learn(session, club.person(session, name), key, now=club.time, rng=club.rng).id


def refused(club, key="duel"):
    with pytest.raises(teaching_games.ChallengeError) as error:
        learn(club, key=key)
    return str(error.value)


def robot_moves(club):
    club.robots.sweep()
    club.deliver()


def flat_text(letter):
    return " ".join(text_of(letter).split())


def turn_letters(club, name="ann"):
    return [letter for letter in club.letters(name) if "Your move is due by" in text_of(letter)]


def test_somebody_learns_a_game_by_mail_and_each_letter_explains_the_robots_move(club):
    club.agree("ann", "learn duel")
    club.deliver()
    assert "Your lesson in Duel has begun: game 1. duel-robot-2 moves first" in flat_text(club.letter("ann"))
    for number in range(1, 4):
        robot_moves(club)
        letter = turn_letters(club)[-1]
        assert f"Lesson {number} of {MOVES}" in flat_text(letter) and f"Lesson {number} of {MOVES}" in html_of(letter)
        play_random_move(club, 1, "ann")
    first = flat_text(turn_letters(club)[0])
    assert "The goal is a line: four of your own buttons that fill a row or a column." in first
    assert "You can place one of your buttons on" in first


def test_the_example_of_a_letter_can_be_sent_back_as_it_stands(club):
    learn(club)
    robot_moves(club)
    letter = turn_letters(club)[-1]
    example = re.search(r"For example, write: (\S+)", flat_text(letter))[1]
    club.answer(letter, example)
    assert club.moves(1)[1] == example


def test_after_ten_moves_the_robot_says_that_the_lesson_is_over_and_then_explains_nothing(club):
    number = learn(club, key="proteus-dice")
    for _turn in range(MOVES + 1):
        robot_moves(club)
        if club.stand(number).ended_at:
            pytest.skip("the game was over sooner")
        play_random_move(club, number, "ann")
    letters = [flat_text(letter) for letter in turn_letters(club)]
    assert "That was my tenth move, so the lesson is over" in letters[MOVES - 1] and "write hint" in letters[MOVES - 1]
    assert "Lesson" not in letters[MOVES]


def test_the_page_explains_to_the_learner_alone(club):
    number = learn(club)
    robot_moves(club)
    page = club.client("ann").get(f"/games/{number}").text
    assert "Lesson 1 of 10" in page and "The goal is a line" in page
    assert "Lesson" not in club.client("bob").get(f"/games/{number}").text
    play_random_move(club, number, "ann")
    assert "Lesson 1 of 10" in club.client("ann").get(f"/games/{number}/1").text
    waiting = club.client("ann").get(f"/games/{number}").text
    assert "is thinking" in waiting and "is thinking" not in page
    assert "Lesson" not in club.client("ann").get(f"/games/{number}").text


def test_a_lesson_is_told_again_word_for_word_after_a_move_was_taken_back(club):
    number = learn(club)
    robot_moves(club)
    with db.reading(club.engine) as session:
        before = lessons.course_so_far(session, session.get(Match, number))
    play_random_move(club, number, "ann")
    robot_moves(club)
    club.agree("ann", f"takeback {number}")
    club.robots.sweep()
    with db.reading(club.engine) as session:
        now = lessons.course_so_far(session, session.get(Match, number))
    assert now[: len(before)] == before


def test_an_ordinary_game_with_a_robot_explains_nothing(club):
    number = challenge(club, "ann", "duel-robot-2", seat=1)
    robot_moves(club)
    assert "Lesson" not in flat_text(turn_letters(club)[-1])
    assert "Lesson" not in club.client("ann").get(f"/games/{number}").text


def test_a_game_that_teaches_is_unrated_and_the_robot_moves_first(club):
    for key in TAUGHT:
        number = learn(club, key=key)
        assert not club.stand(number).rated and to_move(club, number) == [f"{key}-robot-2"]


def test_a_second_lesson_in_the_same_game_waits_until_the_first_is_over(club):
    number = learn(club)
    assert refused(club) == f"Your lesson in Duel is not over yet: it is game {number}."
    learn(club, key="plateau")
    move_over(club, number)
    assert learn(club) > number


def move_over(club, number):
    robot_moves(club)
    club.resign(number, "ann")


def test_who_cannot_learn_is_told_why_and_what_is_possible(club):
    assert refused(club, "duel-puzzle").startswith("Duel Puzzle is played alone")
    assert "We play" in refused(club, "chess")
    with db.transaction(club.engine) as session:
        note_watch(session, None)
    assert "switched off" in refused(club)


@pytest.mark.parametrize(("line", "command"), [
    ("learn duel", Learn("duel")),
    ("Learn Duel!", Learn("duel")),
    ("learn to play plateau", Learn("plateau")),
    ("learn proteus dice", Learn("proteus-dice")),
    ("impara duello", Learn("duel")),
    ("impara duel", Learn("duel")),
    ("learn duel words: a walk", Learn("duel", "a walk")),
    ("learn something new every day", Other("learn something new every day")),
    ("learn duel and chess at once", Other("learn duel and chess at once")),
])  # fmt: skip
def test_the_word_learn_takes_a_game_and_nothing_else(line, command):
    (read,) = parse_commands([line])
    assert type(read) is type(command)
    if isinstance(command, Learn):
        assert (read.key, read.words) == (command.key, command.words)


def test_learn_alone_is_asked_which_game(club):
    club.agree("ann", "learn")
    club.deliver()
    assert "Say which game you want to learn, for example: learn duel" in flat_text(club.letter("ann"))


def test_one_touch_begins_a_lesson_and_a_second_one_leads_to_it(club):
    client = club.client("ann")
    begun = client.post("/robots/learn", data={"game": "duel"})
    assert begun.status_code == 303 and begun.location.endswith("/games/1")
    again = client.post("/robots/learn", data={"game": "duel"}, follow_redirects=True)
    assert again.request.path == "/games/1" and "not over yet" in again.text
    wrong = client.post("/robots/learn", data={"game": "duel-puzzle"})
    assert wrong.status_code == 422 and "played alone" in wrong.text
    assert club.client().post("/robots/learn", data={"game": "duel"}).status_code == 403


def test_newcomers_are_offered_lessons_where_they_look_and_others_find_them(club):
    client, offer = club.client("ann"), "Learn by playing ten moves with a robot"
    assert offer in client.get("/").text and offer in client.get("/robots").text
    assert 'class="primary">Learn by playing ten moves' in client.get("/rules/duel").text
    club.resign(club.match("duel"), "ann")
    assert offer not in client.get("/").text
    assert 'class="quiet">Learn by playing ten' in client.get("/rules/duel").text
    assert 'class="primary">Learn by playing ten moves' in client.get("/rules/plateau").text
    assert offer not in client.get("/rules/duel-puzzle").text and offer not in club.client().get("/").text


def test_no_lesson_is_offered_while_robots_are_switched_off(club):
    with db.transaction(club.engine) as session:
        note_watch(session, None)
    for path in ("/", "/rules/duel"):
        assert "Learn by playing ten moves" not in club.client("ann").get(path).text


def test_the_search_of_a_robot_that_teaches_knows_what_was_told_and_no_secret(club):
    number = learn(club, key="plateau")
    robot_moves(club)
    play_random_move(club, number, "ann")
    with db.transaction(club.engine) as session:
        match = session.get(Match, number)
        assert lessons.known_keys(session, match) == ["goal", "you-open"]
        course = lessons.course_so_far(session, match)
        seen = position_of(match).view(1)
    assert GAMES["plateau"].presentation.lessons
    assert course[0].ply == 1
    assert seen.hands[0].count("?") == 10


def test_a_lesson_needs_no_row_of_its_own(club):
    learn(club)
    robot_moves(club)
    with db.reading(club.engine) as session:
        assert session.exec(select(Match.teaches)).all() == [True]
        assert len(session.exec(select(RobotTurn)).all()) == 1
