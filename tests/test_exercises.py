"""Exercises: looked for in finished games when nothing else is to do, tried on pages, rated once for each member."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence.accounts import operators
from correspondence.community import erasure
from correspondence.core import db
from correspondence.models import Exercise, ExerciseAttempt, ExerciseRating, ExerciseSearch, Match, Person
from correspondence.play import exercise_course, exercise_words, exercises
from correspondence.play.exercise_course import Verdict
from correspondence.play.exercises import ExerciseError
from correspondence.ratings.glicko2 import Strength, after_games
from correspondence.robots import exercise_turns
from engines.base import MoveError
from engines.search.thinker import answer
from tests.exercises import BUDGET, attempt_of, exercise_of, found_in, search_all
from tests.operators import act, undo
from tests.reviews import ask, played, resigned, seen
from tests.robots import challenge, play_random_move, robots_in, thinking_robots, to_move
from tests.test_fetching import until
from tests.test_judgements import DUEL, TILES
from tests.test_robot_turns import CRASHER

FIRST, SECOND, LAST = "Gs@a3", "Mt@a2", "oa3#"
"""The solution of the exercise in the game of tiles, of which White is the solver."""


@pytest.fixture
def club(town):
    """ann and bob, who play, and cleo, who looks on."""
    town.join("ann", "bob", "cleo")
    return town


def try_move(world, name, number, text):
    with db.transaction(world.engine) as session:
        return exercises.play(session, world.person(session, name), number, text, now=world.time)


def give_up(world, name, number):
    with db.transaction(world.engine) as session:
        exercises.give_up(session, world.person(session, name), number, now=world.time)


def standing(world, name):
    with db.reading(world.engine) as session:
        return exercises.standing_of(session, world.person(session, name).id, now=world.time)


def words_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def page(world, number, name="", **query):
    return world.client(name).get(f"/exercises/{number}", query_string=query)


# -- looking for them --------------------------------------------------------------------------


def test_a_finished_game_gives_the_position_in_which_a_win_was_missed(club):
    number = found_in(club, "duel")
    row = exercise_of(club, number)
    assert (row.game, row.ply, row.seat, row.moves) == ("duel", 12, 0, 1)
    assert list(json.loads(row.tree)["wins"]) == ["5d3=W5#"]


def test_the_front_page_names_the_exercise_of_the_day_as_soon_as_there_is_one(club):
    stranger = club.client()
    before = stranger.get("/")
    number = found_in(club, "duel")
    after = stranger.get("/", headers={"If-None-Match": before.headers["ETag"]})
    assert "/exercises" not in main_part(before.text) and "/exercises" in main_part(after.text)
    with db.transaction(club.engine) as session:
        exercises.withdraw(session, number, now=club.time)
    assert "/exercises" not in main_part(stranger.get("/", headers={"If-None-Match": after.headers["ETag"]}).text)


def main_part(page):
    return page[page.index("<main") : page.index("</main>")]


def test_what_robots_find_when_nothing_waits_is_the_same(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with thinking_robots(club, exercise_budget=BUDGET) as robots:
        for _sweep in range(6):
            robots.sweep()
    with db.reading(club.engine) as session:
        assert [row.ply for row in session.exec(select(Exercise))] == [12]
        assert session.get_one(ExerciseSearch, 1).ply == -1


def test_robots_without_a_budget_look_for_none(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with thinking_robots(club) as robots:
        robots.sweep()
    with db.reading(club.engine) as session:
        assert session.get(ExerciseSearch, 1) is None


def test_second_opinions_come_before_exercises(club):
    robots_in(club).stop()
    number = resigned(club)
    club.clock.go(hours=2)
    ask(club, "ann", number, budget=20)
    with thinking_robots(club, exercise_budget=BUDGET) as robots:
        robots.sweep()
    assert seen(club, number).is_done
    with db.reading(club.engine) as session:
        assert session.get_one(ExerciseSearch, 1).match_id == number, "one position is searched after it"


def test_no_game_is_searched_twice_and_new_ones_are(club):
    first = found_in(club, "duel")
    assert search_all(club) == [first]
    with db.transaction(club.engine) as session:
        session.delete(session.get_one(Exercise, first))
    club.clock.go(days=1)
    assert search_all(club) == []
    assert found_in(club, "proteus-tiles") is not None


def test_a_game_that_has_just_ended_rests_for_an_hour(club):
    played(club, "duel")
    assert search_all(club) == []
    club.clock.go(minutes=59)
    assert search_all(club) == []
    club.clock.go(minutes=20)
    assert len(search_all(club)) == 1


def test_running_games_and_those_called_off_are_never_searched(club):
    played(club, "duel", DUEL[:13])
    with db.transaction(club.engine) as session:
        off = session.get_one(Match, played(club, "duel"))
    with db.transaction(club.engine) as session:
        session.get_one(Match, off.id).result = "*"
    club.clock.go(days=2)
    assert search_all(club) == []


def test_two_workers_never_search_the_same_position(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with db.transaction(club.engine) as session:
        leased = exercise_turns.claim(session, BUDGET, now=club.time)
        assert leased is not None and exercise_turns.claim(session, BUDGET, now=club.time) is None
    club.clock.go(minutes=6)
    with db.transaction(club.engine) as session:
        again = exercise_turns.claim(session, BUDGET, now=club.time)
        assert (again.match_id, again.ply) == (leased.match_id, leased.ply), (
            "the lease of a worker that was killed ran out"
        )
        assert not exercise_turns.keep(session, leased, {"exercise": None}, now=club.time), "it comes too late"
        assert exercise_turns.keep(session, again, {"exercise": None}, now=club.time)


def test_a_search_that_keeps_failing_leaves_its_position_out(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with thinking_robots(club, exercise_budget=BUDGET, command=[sys.executable, "-c", CRASHER]) as robots:
        for _sweep in range(exercise_turns.MOST_TRIES):
            robots.sweep()
    with db.reading(club.engine) as session:
        row = session.get_one(ExerciseSearch, 1)
        assert (row.ply, row.tries, row.lease) == (len(DUEL) - 2, 0, "")


def test_a_worker_that_stops_gives_its_position_back(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with db.transaction(club.engine) as session:
        leased = exercise_turns.claim(session, BUDGET, now=club.time)
        exercise_turns.give_back(session, leased, now=club.time)
        assert exercise_turns.claim(session, BUDGET, now=club.time).ply == leased.ply


ENDLESS = """
import json, pathlib, sys, time
from engines.search.thinker import answer
for line in sys.stdin:
    question = json.loads(line)
    if "most_moves" in question:
        pathlib.Path(sys.argv[1]).touch()
        time.sleep(600)
    print(json.dumps(answer(question)), flush=True)
"""
"""A process whose searches for exercises never end."""


def test_a_robots_turn_interrupts_the_search_for_an_exercise(club, tmp_path):
    played(club, "duel")
    club.clock.go(hours=2)
    begun = tmp_path / "begun"
    command = [sys.executable, "-c", ENDLESS, str(begun)]
    with thinking_robots(club, exercise_budget=BUDGET, command=command) as robots, ThreadPoolExecutor(1) as other:
        number = challenge(club, "ann", "duel-robot-1", seat=0)
        sweep = other.submit(robots.sweep)
        until(begun.exists)
        play_random_move(club, number, "ann")
        assert sweep.result(timeout=60) == 1 and to_move(club, number) == ["ann"]
    with db.reading(club.engine) as session:
        row = session.get_one(ExerciseSearch, 1)
        assert (row.lease, row.tries) == ("", 0), "its position is searched again"


def test_the_process_is_asked_about_the_view_of_the_mover_alone(club):
    number = played(club, "plateau", ["+b1 xr,xb", "+d4 xx,rr"])
    club.resign(number, "ann")
    club.clock.go(hours=2)
    with db.transaction(club.engine) as session:
        leased = exercise_turns.claim(session, BUDGET, now=club.time)
    assert leased.question["seat"] == 0 and "?" in leased.question["position"]


# -- attempts ----------------------------------------------------------------------------------


def test_a_first_try_is_solved_move_by_move_and_counts(club):
    number = found_in(club, "proteus-tiles")
    for text in (FIRST, SECOND):
        assert try_move(club, "cleo", number, text).verdict is Verdict.OPEN
    assert try_move(club, "cleo", number, LAST).verdict is Verdict.SOLVED
    attempt, row = attempt_of(club, "cleo", number), exercise_of(club, number)
    assert attempt.solved
    assert attempt.opened_at == club.time
    assert (row.tried, row.solved) == (1, 1)


def test_ratings_move_by_the_glicko_code_of_games(club):
    number = found_in(club, "duel")
    try_move(club, "cleo", number, "8a3=B4")
    loser, winner = (after_games(Strength(), [(Strength(), score)], periods=0) for score in (0.0, 1.0))
    assert standing(club, "cleo").rating == loser.rating
    assert exercise_of(club, number).rating == winner.rating
    assert attempt_of(club, "cleo", number).rating_before == 1500


def test_one_wrong_move_ends_the_first_try_and_a_second_counts_no_more(club):
    number = found_in(club, "duel")
    assert try_move(club, "cleo", number, "8a3=B4").verdict is Verdict.WRONG
    before = (standing(club, "cleo"), exercise_of(club, number).rating)
    with pytest.raises(ExerciseError, match="You have finished exercise"):
        try_move(club, "cleo", number, "5d3=W5#")
    give_up(club, "cleo", number)
    assert (standing(club, "cleo"), exercise_of(club, number).rating) == before
    assert not attempt_of(club, "cleo", number).solved


def test_giving_up_counts_as_not_solved_once(club):
    number = found_in(club, "duel")
    for _time in range(2):
        give_up(club, "cleo", number)
    assert (standing(club, "cleo").tried, standing(club, "cleo").solved) == (1, 0)


def test_a_move_that_cannot_be_played_is_refused_and_counts_nothing(club):
    number = found_in(club, "duel")
    with pytest.raises(MoveError):
        try_move(club, "cleo", number, "zz9")
    assert attempt_of(club, "cleo", number) is None and standing(club, "cleo").tried == 0


def test_moves_are_read_as_everywhere_in_any_way_they_may_be_written(club):
    number = found_in(club, "duel")
    assert try_move(club, "cleo", number, "5d3").verdict is Verdict.SOLVED


@given(moves=st.lists(st.sampled_from([FIRST, SECOND, LAST, "Mo@a1", "zz9", "", "Gs@a1"]), max_size=14))
def test_any_line_of_moves_is_answered_or_refused_in_a_sentence(moves):
    row = Exercise(
        game="proteus-tiles",
        options="",
        seat=1,
        position=ROW["position"],
        tree=ROW["tree"],
        moves=3,
        match_id=1,
        ply=11,
    )
    try:
        course = exercise_course.course(row, moves)
    except MoveError as error:
        assert str(error)
        return
    assert len(course.steps) == len(moves) and course.line == tuple(moves)
    assert exercise_words.verdict(row, course) or not moves
    assert (course.verdict is Verdict.SOLVED) == (list(moves) == [FIRST, SECOND, LAST])


@pytest.fixture(scope="module", autouse=True)
def tiles_row():
    """The exercise in the game of tiles, found without a world."""
    from engines.codec import dump
    from tests.test_forced_wins import course, exercise

    ROW.update(
        position=dump(course("proteus-tiles", TILES)[11].view(1)), tree=json.dumps(exercise("proteus-tiles", TILES, 11))
    )


ROW: dict[str, str] = {}


# -- which one ---------------------------------------------------------------------------------


def test_the_exercise_of_the_day_is_the_same_for_everybody_all_day(club):
    first = found_in(club, "duel")
    club.clock.go(days=1)
    days = set()
    for hour in range(23):
        with db.reading(club.engine) as session:
            days.add(exercises.of_day(session, club.time.date()).id)
        if hour == 3:
            found_in(club, "proteus-tiles")
        club.time = club.time.replace(hour=hour, minute=30)
    assert days == {first}, "what was found today waits until tomorrow"


def test_exercises_take_turns_day_by_day(club):
    both = {found_in(club, "duel"), found_in(club, "proteus-tiles")}
    club.clock.go(days=1)
    for _day in range(4):
        with db.reading(club.engine) as session:
            two = [exercises.of_day(session, club.time.date() + timedelta(days=more)).id for more in (0, 1)]
        assert set(two) == both
        club.clock.go(days=1)


def test_what_is_proposed_is_near_in_strength_and_not_finished_yet(club):
    easy, hard = found_in(club, "duel"), found_in(club, "proteus-tiles")
    with db.transaction(club.engine) as session:
        session.get_one(Exercise, easy).rating, session.get_one(Exercise, hard).rating = 1100, 1550

    def proposed(name):
        with db.reading(club.engine) as session:
            person = club.person(session, name) if name else None
            return [one.number for one in exercises.proposed(session, person and person.id, now=club.time)]

    assert proposed("cleo") == [hard, easy]
    give_up(club, "cleo", hard)
    assert proposed("cleo") == [easy] and set(proposed("")) == {easy, hard}


# -- pages -------------------------------------------------------------------------------------


def test_the_page_shows_the_exercise_of_the_day_to_everybody(club):
    assert "None has been found yet" in club.client().get("/exercises").text
    number = found_in(club, "duel")
    for name in ("", "cleo"):
        text = words_of(club.client(name).get("/exercises").text)
        assert "Black to move: only one move wins at once." in text
        assert "From a game of Duel between ann (Black) and bob (White)." in text
        assert f"Exercise {number}" in text


def test_the_exercise_of_the_day_is_not_proposed_once_more(club):
    numbers = {found_in(club, "duel"), found_in(club, "proteus-tiles")}
    for name in ("", "cleo"):
        text = club.client(name).get("/exercises").text
        assert [text.count(f'href="/exercises/{number}"') for number in numbers] == [1, 1]


def test_no_move_stands_in_the_field_because_it_may_be_the_one_to_be_found(club):
    number = found_in(club, "duel")
    for path in ("/exercises", f"/exercises/{number}"):
        field = re.search(r'<input id="move"[^>]*>', club.client().get(path).text)[0]
        assert 'placeholder=""' in field


def test_how_members_fared_is_said_in_numbers(club):
    number = found_in(club, "duel")
    give_up(club, "cleo", number)
    assert "Tried by 1 member, solved by 0." in words_of(page(club, number).text)
    try_move(club, "bob", number, "5d3")
    assert "Tried by 2 members, solved by 1." in words_of(page(club, number).text)


def test_the_game_is_linked_only_when_the_answer_is_known(club):
    number = found_in(club, "duel")
    link = f"/games/{exercise_of(club, number).match_id}/12"
    assert link not in page(club, number).text and link not in page(club, number, "cleo").text
    assert "5d3=W5#" not in re.sub(r"(?s)<details.*?</details>", "", page(club, number).text)
    shown = club.client().post(f"/exercises/{number}/solution", follow_redirects=True).text
    assert link in shown and "5d3=W5# (Black)" in shown
    solved = club.client().post(f"/exercises/{number}", data={"move": "5d3"}, follow_redirects=True).text
    assert link in solved and "5d3=W5# wins. That is the solution." in solved


def test_a_member_who_has_not_finished_cannot_ask_the_address_for_the_answer(club):
    number = found_in(club, "duel")
    link = f"/games/{exercise_of(club, number).match_id}/12"
    for query in ({"moves": "5d3"}, {"solution": "shown"}, {"moves": "8a3"}):
        text = page(club, number, "cleo", **query).text
        assert link not in text
        assert "That is the solution" not in text
        assert "does not win" not in text
    assert attempt_of(club, "cleo", number) is None, "a GET writes nothing"


def test_a_wrong_move_is_told_with_what_refutes_it_and_can_be_tried_again(club):
    number = found_in(club, "proteus-tiles")
    cleo = club.client("cleo")
    text = words_of(cleo.post(f"/exercises/{number}", data={"move": "Mo@a1"}, follow_redirects=True).text)
    assert "Mo@a1 does not win within 3 moves: Black escapes with Mt@a3." in text
    assert "Your first try did not solve it" in text and "Try another move" in text
    text = words_of(page(club, number, "cleo").text)
    assert "White to move: only one move wins by force within 3 moves" in text and "The solution" not in text
    line = ""
    for move in (FIRST, SECOND, LAST):
        answered = cleo.post(f"/exercises/{number}", data={"move": move, "moves": line})
        assert answered.status_code == 303
        line = "; ".join(filter(None, [line, move]))
    text = words_of(cleo.get(answered.location).text)
    assert "oa3# wins. That is the solution." in text and "The position in game" in text
    assert standing(club, "cleo").solved == 0 and attempt_of(club, "cleo", number).opened_at is not None


def test_a_right_move_is_answered_and_the_line_goes_on(club):
    number = found_in(club, "proteus-tiles")
    cleo = club.client("cleo")
    text = words_of(cleo.post(f"/exercises/{number}", data={"pick": FIRST}, follow_redirects=True).text)
    assert "Gs@a3 is right. The reply is Mo@a1 (Black). 2 moves are left to win." in text
    assert "2 moves are left" in words_of(page(club, number, "cleo").text), "it is kept"


def test_a_move_that_cannot_be_played_gets_the_sentence_of_the_engine(club):
    number = found_in(club, "duel")
    for name in ("", "cleo"):
        refused = club.client(name).post(f"/exercises/{number}", data={"move": "9z9"})
        assert refused.status_code == 422 and 'role="alert"' in refused.text
    assert club.client().post(f"/exercises/{number}/read", data={"move": "5d3"}).json["state"] == "good"
    assert club.client().get(f"/exercises/{number}/moves.json").json["tree"]


@pytest.mark.parametrize("path", ["/exercises/999", "/exercises/999/moves.json"])
def test_there_is_no_page_of_an_exercise_that_there_is_not(club, path):
    assert club.client().get(path).status_code == 404


@pytest.mark.parametrize("line", ["zz9", "5d3; 5d3", "; ; ;", "5d3;" * 40, "\x00"])
def test_a_line_in_the_address_that_leads_nowhere_shows_the_beginning(club, line):
    number = found_in(club, "duel")
    answered = page(club, number, moves=line)
    assert answered.status_code == 200 and "That is the solution" not in answered.text


def test_an_operator_withdraws_an_exercise_and_nobody_else_can(club):
    number = found_in(club, "duel")
    assert club.client("cleo").post(f"/exercises/{number}/withdraw").status_code == 404
    with db.transaction(club.engine) as session:
        operators.appoint(session, "ann")
    assert "Withdraw this exercise" in page(club, number, "ann").text
    for _twice in range(2):
        assert club.client("ann").post(f"/exercises/{number}/withdraw").status_code == 303
    assert page(club, number).status_code == 404 and search_all(club) == [number], "it is not found again"
    assert "None has been found yet" in club.client().get("/exercises").text


def test_a_game_without_a_result_any_more_shows_no_exercise_until_it_has_one_again(club):
    number = found_in(club, "duel")
    for result, status in (("*", 404), ("1-0", 200)):
        with db.transaction(club.engine) as session:
            session.get_one(Match, exercise_of(club, number).match_id).result = result
        assert page(club, number).status_code == status
        assert ("None has been found yet" in club.client().get("/exercises").text) is (status == 404)


def test_a_game_that_an_operator_annuls_gives_no_exercise_until_that_is_reversed(club):
    number = found_in(club, "duel")
    done = act(club, "annul", game=str(exercise_of(club, number).match_id))
    assert page(club, number).status_code == 404
    undo(club, done)
    assert page(club, number).status_code == 200


# -- what is kept of people --------------------------------------------------------------------


def test_tries_belong_to_their_member_and_go_with_them(club):
    number = found_in(club, "duel")
    give_up(club, "cleo", number)
    with zipfile.ZipFile(io.BytesIO(club.client("cleo").post("/settings/mydata/fetch").data)) as file:
        copy = "".join(file.read(name).decode() for name in file.namelist() if "exercise" in name)
    assert '"rating_before"' in copy and '"tried"' in copy
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "cleo"), now=club.time)
    with db.reading(club.engine) as session:
        assert not session.exec(select(ExerciseAttempt)).all() and not session.exec(select(ExerciseRating)).all()
        assert session.get_one(Exercise, number).tried == 1, "how hard it is stays known"


def test_an_erased_player_is_named_as_the_archive_names_them(club):
    number = found_in(club, "duel")
    with db.transaction(club.engine) as session:
        bob = club.person(session, "bob")
        bob_id = bob.id
        erasure.forget(session, bob, now=club.time)
    with db.reading(club.engine) as session:
        handle = session.get_one(Person, bob_id).handle
    assert handle != "bob" and f"{handle} (White)" in words_of(page(club, number).text)
    assert "bob (White)" not in page(club, number).text


def test_nobody_sees_how_somebody_else_has_fared(club):
    number = found_in(club, "proteus-tiles")
    try_move(club, "cleo", number, FIRST)
    for name in ("ann", ""):
        text = words_of(page(club, number, name).text)
        assert "2 moves are left" not in text and "cleo" not in text
    with db.reading(club.engine) as session:
        assert session.exec(select(ExerciseAttempt).order_by(col(ExerciseAttempt.id))).one().line == FIRST


def test_the_answer_of_a_process_is_a_tree_that_the_page_can_read(club):
    played(club, "duel")
    club.clock.go(hours=2)
    with db.transaction(club.engine) as session:
        leased = exercise_turns.claim(session, BUDGET, now=club.time)
    assert set(answer(leased.question)) == {"exercise"}
