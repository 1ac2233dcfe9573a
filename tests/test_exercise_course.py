"""The course of exercises: themes from easy to hard, a member's progress, and a page that leads on if there is none."""

from __future__ import annotations

import re
from html import unescape

import pytest

from correspondence.core import db
from correspondence.features.samples.files import FOLDER
from correspondence.models import Exercise
from correspondence.play import exercise_course, exercise_themes, exercises
from tests.features.samples.test_samples import load
from tests.world import World


@pytest.fixture
def club(tmp_path):
    """A new installation with the whole starter set, and ann, who plays."""
    world = World(tmp_path)
    world.join("ann", "bob")
    return world


def course_of(world, handle=""):
    with db.reading(world.engine) as session:
        person = world.person(session, handle).id if handle else None
        return exercise_themes.themes(session, person)


def solve(world, handle, number, *, is_right=True):
    """Solve an exercise at the first try, or give it up."""
    with db.transaction(world.engine) as session:
        person = world.person(session, handle)
        if not is_right:
            return exercises.give_up(session, person, number, now=world.time)
        for step in exercise_course.solution(session.get_one(Exercise, number)):
            exercises.play(session, person, number, step.text, now=world.time)


def test_the_starter_set_gives_themes_from_easy_to_hard(club):
    load(club, FOLDER)
    course = course_of(club)
    assert len(course) >= 4 and sum(len(theme.listed) for theme in course) == 60
    assert {"a line of four", "three pieces in line"} <= {theme.win for theme in course}
    for theme in course:
        moves = [one.moves for one in theme.listed]
        assert moves == sorted(moves)
    page = unescape(club.client().get("/exercises/course").text)
    assert "Duel, won by a line of four" in page
    assert page.count("<h2>") == len(course)
    assert "next" not in page


def test_a_member_sees_what_is_done_and_what_comes_next(club):
    load(club)
    [theme, *_others] = course_of(club, "ann")
    first = theme.next_number
    solve(club, "ann", first)
    [theme, *_others] = course_of(club, "ann")
    assert theme.solved == 1
    assert theme.next_number != first
    assert theme.listed[0].solved is True
    page = club.client("ann").get("/exercises/course").text
    assert f"1 of {len(theme.listed)} solved" in page and "solved</span>" in page
    for one in theme.listed[1:]:
        solve(club, "ann", one.number, is_right=False)
    [theme, *_others] = course_of(club, "ann")
    assert theme.next_number is None and theme.solved == 1
    assert "all done" in club.client("ann").get("/exercises/course").text
    assert course_of(club, "bob")[0].solved == 0


def test_a_solved_exercise_leads_to_the_next_of_its_theme(club):
    load(club, FOLDER)
    numbers = [one.number for one in course_of(club)[0].listed]
    solve(club, "ann", numbers[0])
    with db.reading(club.engine) as session:
        wins = [step.text for step in exercise_course.solution(session.get_one(Exercise, numbers[0]))]
    path = f"/exercises/{numbers[0]}"
    for who in ("ann", ""):
        page = club.client(who).get(path, query_string={"moves": "; ".join(wins)}).text
        assert re.search(rf'href="/exercises/{numbers[1]}#board">Next in this theme', page), who
    assert "Next in this theme" not in club.client("bob").get(path).text


def test_the_last_of_a_theme_leads_a_member_back_to_what_is_left(club):
    load(club, FOLDER)
    numbers = [one.number for one in course_of(club)[0].listed]
    with db.reading(club.engine) as session:
        last = session.get_one(Exercise, numbers[-1])
        assert exercise_themes.next_after(session, last, None) is None
        assert exercise_themes.next_after(session, last, club.person(session, "ann").id) == numbers[0]


def test_without_exercises_the_page_leads_to_robots_puzzles_and_rules(club):
    page = club.client("ann").get("/exercises/course").text
    assert all(f'href="/{path}"' in page for path in ("robots", "puzzles", "rules"))
    assert "/exercises/course" not in club.client("ann").get("/exercises").text.partition("<main")[2]


def test_withdrawn_exercises_are_not_in_the_course(club):
    load(club)
    number = course_of(club)[0].listed[0].number
    with db.transaction(club.engine) as session:
        exercises.withdraw(session, number, now=club.time)
    assert number not in {one.number for theme in course_of(club) for one in theme.listed}
