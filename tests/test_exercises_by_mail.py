"""Exercises by mail: one at a word, one each week for who wants it, solved by replying with the moves."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.commands import command_types as cmd
from correspondence.commands import parse_commands
from correspondence.core import db
from correspondence.models import Person
from correspondence.ops import worker
from correspondence.ops.due import due_sweeps
from correspondence.play import exercise_letters, exercises
from tests.exercises import attempt_of, exercise_of, found_in
from tests.post import html_of, reply_address, text_of

DOOR = "play@games.example"
FIRST, SECOND, LAST = "Gs@a3", "Mt@a2", "oa3#"


@pytest.fixture
def club(town):
    """ann and bob, who play, and cleo, who solves."""
    town.join("ann", "bob", "cleo")
    return town


@pytest.fixture
def tiles(club):
    """The number of an exercise of three moves; White solves it."""
    return found_in(club, "proteus-tiles")


def flat_text(letter):
    return " ".join(text_of(letter).split())


def asks(club, line, name="cleo"):
    """Somebody mails a line to the open address, and gets a letter."""
    club.received.clear()
    club.mail(f"{name}@example.org", DOOR, line)
    return club.letter(name)


def replies(club, letter, *lines):
    """cleo replies with these lines, and gets a letter."""
    club.received.clear()
    club.answer(letter, "\n".join(lines))
    return club.letter("cleo")


def wants(club, name="cleo", line="settings exercises weekly"):
    club.agree(name, line)
    club.received.clear()


def week(club, **span):
    """Time passes, and the letters of the week are written."""
    club.clock.go(**span)
    with db.reading(club.engine) as session:
        is_due = "exercises by mail" in due_sweeps(session, now=club.time)
    worker.sweep_exercises(club.runtime)
    club.deliver()
    return is_due


# -- the word ------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["exercise", "Exercise", "esercizio", "an exercise"])
def test_the_word_is_understood_in_both_languages(line):
    assert parse_commands([line]) == (cmd.Exercise(written=line),) or parse_commands([line])[0].number is None


@given(st.text(max_size=30))
def test_whatever_stands_behind_the_word_is_read_as_something(rest):
    assert len(parse_commands([f"exercise {rest}".replace("\n", " ")])) <= 1


def test_a_word_brings_the_exercise_of_the_day_with_its_board(club, tiles):
    letter = asks(club, "exercise")
    text = flat_text(letter)
    assert f"Exercise {tiles}. White to move: only one move wins by force within 3 moves" in text
    assert "From a game of Proteus with tiles between ann (Black) and bob (White)." in text
    assert "Reply with your move. To give up, write: solution" in text and "<img" in html_of(letter)
    assert f"/games/{exercise_of(club, tiles).match_id}" not in text_of(letter) + html_of(letter)


def test_one_may_be_asked_for_by_its_number(club, tiles):
    assert "White to move" in flat_text(asks(club, f"exercise {tiles}"))
    assert "There is no exercise 77." in flat_text(asks(club, "exercise 77"))


def test_where_there_is_none_a_sentence_says_so(club):
    assert "There is no exercise that you have not finished" in flat_text(asks(club, "exercise"))


def test_italian_readers_get_it_in_italian(club, tiles):
    with db.transaction(club.engine) as session:
        club.person(session, "cleo").language = "it"
    text = flat_text(asks(club, "esercizio"))
    assert "Tocca al bianco: una sola mossa porta alla vittoria forzata" in text or "Tocca al Bianco" in text


# -- replies -------------------------------------------------------------------------------------


def test_it_is_solved_by_replying_move_after_move(club, tiles):
    letter = asks(club, "exercise")
    letter = replies(club, letter, FIRST)
    assert "Gs@a3 is right. The reply is Mo@a1 (Black). 2 moves are left to win." in flat_text(letter)
    letter = replies(club, letter, SECOND)
    assert "1 move is left to win" in flat_text(letter)
    text = flat_text(replies(club, letter, LAST))
    assert "oa3# wins. That is the solution. You solved it at your first try" in text
    assert f"/games/{exercise_of(club, tiles).match_id}/11" in text
    assert attempt_of(club, "cleo", tiles).solved


def test_the_letters_of_one_exercise_bear_one_subject_in_its_thread(club, tiles):
    wants(club)
    week(club)
    letter = club.letter("cleo")
    answers = [replies(club, letter, text) for text in ("Gs@b1", FIRST)]
    assert {str(one["Subject"]) for one in (letter, *answers)} == {f"Exercise {tiles}: Proteus with tiles"}


def test_the_letter_teaches_the_notation_and_names_no_move_that_could_be_tried(club, tiles):
    letter = asks(club, "exercise")
    assert "Mo@b2 places the tile Mo on b2" in flat_text(letter) and "Mo@b2 places the tile" in html_of(letter)
    tree = json.loads(exercise_of(club, tiles).tree)
    below = text_of(letter).partition("Reply with your move")[2]
    assert not [
        move for move in (*tree["wins"], *tree["fails"]) if re.search(rf"(?<!\S){re.escape(move)}(?![\w@])", below)
    ]
    assert "places the tile" not in flat_text(replies(club, letter, FIRST)), "it is taught once"


def test_all_moves_in_one_mail_are_made_one_after_the_other(club, tiles):
    text = flat_text(replies(club, asks(club, "exercise"), FIRST, SECOND, LAST))
    assert "That is the solution." in text and attempt_of(club, "cleo", tiles).solved


def test_a_wrong_move_is_told_with_its_reason_and_another_can_be_tried(club, tiles):
    letter = replies(club, asks(club, "exercise"), "Mo@a1")
    assert "Mo@a1 does not win within 3 moves: Black escapes with Mt@a3." in flat_text(letter)
    assert "Your first try did not solve it" in flat_text(letter)
    letter = replies(club, letter, FIRST)
    assert "Gs@a3 is right" in flat_text(letter)
    text = flat_text(replies(club, letter, SECOND, LAST))
    assert "That is the solution." in text and "first try" not in text
    assert not attempt_of(club, "cleo", tiles).solved


@pytest.mark.parametrize("word", ["solution", "Solution.", "soluzione"])
def test_a_word_gives_it_up_and_tells_the_solution(club, tiles, word):
    text = flat_text(replies(club, asks(club, "exercise"), word))
    assert "The solution: Gs@a3 (White), Mo@a1 (Black), Mt@a2 (White)" in text and "Your first try did not" in text
    assert attempt_of(club, "cleo", tiles).opened_at is not None


def test_after_a_wrong_move_the_board_is_shown_once_more(club, tiles):
    letter = replies(club, asks(club, "exercise"), "Mo@a1")
    assert "Mo@a1 does not win within 3 moves" in flat_text(letter) and "<img" in html_of(letter)
    assert "Reply with another move, or with the word solution." in flat_text(letter)
    assert "Gs@a3 is right" in flat_text(replies(club, letter, FIRST))


def test_the_heading_of_the_weekly_letter_says_the_task_and_no_more(club, tiles):
    wants(club)
    week(club)
    letter = html_of(club.letter("cleo"))
    heading, below = letter.partition("<h1")[2].partition("</h1>")[0], letter.partition("</h1>")[2]
    assert "only one move wins" in heading and "From a game of" not in heading
    assert "From a game of Proteus with tiles" in below and below.count("only one move wins") == 0


def test_a_move_that_cannot_be_played_is_refused_and_can_be_written_again(club, tiles):
    letter = replies(club, asks(club, "exercise"), "Gs@b1")
    assert attempt_of(club, "cleo", tiles) is None
    assert "Gs@a3 is right" in flat_text(replies(club, letter, FIRST))


def test_the_same_mail_twice_does_no_second_move(club, tiles):
    letter = asks(club, "exercise")
    replies(club, letter, FIRST)
    again = replies(club, letter, FIRST)
    assert "The game has moved on since that letter, so nothing was played." in flat_text(again)
    assert exercises.line_of(attempt_of(club, "cleo", tiles)) == (FIRST,)
    assert "1 move is left" in flat_text(replies(club, again, SECOND)), "that letter shows where it stands"


def test_what_was_begun_on_the_page_goes_on_by_mail(club, tiles):
    club.client("cleo").post(f"/exercises/{tiles}", data={"move": FIRST})
    letter = asks(club, "exercise")
    assert "2 moves are left to win" in flat_text(letter)
    assert "1 move is left" in flat_text(replies(club, letter, SECOND))


def test_commands_beside_a_move_are_carried_out_too(club, tiles):
    text = flat_text(replies(club, asks(club, "exercise"), FIRST, "settings exercises weekly"))
    assert "Gs@a3 is right" in text and "weekly" in text
    with db.reading(club.engine) as session:
        assert club.person(session, "cleo").exercise_letters


def test_words_that_are_no_move_are_answered_and_try_nothing(club, tiles):
    assert "is not a move here" in flat_text(replies(club, asks(club, "exercise"), "what a lovely position"))
    assert attempt_of(club, "cleo", tiles) is None


def test_nobody_else_can_answer_for_the_solver(club, tiles):
    letter = asks(club, "exercise")
    club.answer(letter, FIRST, sender="bob@example.org")
    assert attempt_of(club, "cleo", tiles) is None and attempt_of(club, "bob", tiles) is None


def test_a_move_to_the_open_address_tries_no_exercise(club, tiles):
    asks(club, "exercise")
    club.mail("cleo@example.org", DOOR, FIRST)
    assert attempt_of(club, "cleo", tiles) is None


def test_what_was_withdrawn_meanwhile_is_said_not_to_be_shown(club, tiles):
    letter = asks(club, "exercise")
    with db.transaction(club.engine) as session:
        exercises.withdraw(session, tiles, now=club.time)
    assert f"Exercise {tiles} is not shown at present." in flat_text(replies(club, letter, FIRST))


# -- each week -----------------------------------------------------------------------------------


def test_nobody_gets_one_who_did_not_ask(club, tiles):
    assert not week(club, days=30) and club.letters("cleo") == []


def test_one_comes_each_week_and_none_twice(club, tiles):
    other = found_in(club, "duel")
    wants(club)
    assert week(club)
    assert not week(club, days=6)
    assert week(club, days=1)
    assert not week(club, days=6) and week(club, days=1)
    subjects = [str(letter["Subject"]) for letter in club.letters("cleo")]
    assert len(subjects) == 2 and {f"Exercise {tiles}: Proteus with tiles", f"Exercise {other}: Duel"} == set(subjects)
    found_in(club, "proteus-tiles")
    week(club, days=1)
    assert len(club.letters("cleo")) == 3, "where none was left one is looked for again the next day"


def test_the_letter_of_the_week_is_solved_by_replying(club, tiles):
    wants(club)
    week(club)
    letter = club.letter("cleo")
    assert "only one move wins by force within 3 moves" in flat_text(letter)
    assert f"/exercises/{tiles}" in text_of(letter)
    assert "Gs@a3 is right" in flat_text(replies(club, letter, FIRST))


def test_one_click_ends_them_and_the_settings_say_so(club, tiles):
    wants(club)
    week(club)
    letter = club.letter("cleo")
    assert letter["List-Unsubscribe"] and "Unsubscribe from exercises by mail:" in flat_text(letter)
    path = "/u/" + str(letter["List-Unsubscribe"]).partition("/u/")[2].partition(">")[0]
    club.client().post(path, data={"List-Unsubscribe": "One-Click"})
    with db.reading(club.engine) as session:
        assert not club.person(session, "cleo").exercise_letters
    found_in(club, "duel")
    assert not week(club, days=8)


@pytest.mark.parametrize(
    ("line", "is_on"),
    [
        ("settings exercises weekly", True),
        ("settings exercises no", False),
        ("impostazioni esercizi settimanale", True),
        ("impostazioni esercizi no", False),
    ],
)
def test_they_are_asked_for_and_ended_by_mail_in_both_languages(club, line, is_on):
    with db.transaction(club.engine) as session:
        club.person(session, "cleo").exercise_letters = not is_on
    club.agree("cleo", line)
    with db.reading(club.engine) as session:
        assert club.person(session, "cleo").exercise_letters is is_on
        assert (club.person(session, "cleo").exercise_due_at is not None) is is_on


def test_another_word_is_refused_with_what_is_possible(club):
    club.agree("cleo", "settings exercises sometimes")
    assert "An exercise comes weekly, or no" in flat_text(club.letter("cleo"))


def test_switching_off_and_on_brings_no_letter_before_its_week(club, tiles):
    found_in(club, "duel")
    wants(club)
    week(club)
    wants(club, line="settings exercises no")
    wants(club)
    assert not week(club, days=6)


def test_the_page_of_settings_switches_them_too(club):
    cleo = club.client("cleo")
    page = cleo.get("/settings/letters").text
    assert 'name="exercise_letters"' in page and 'name="exercise_letters" checked' not in page
    cleo.post(
        "/settings/letters", data={"exercise_letters": "on", "turn_delay": "0", "digest": "off", "digest_hour": "7"}
    )
    assert 'name="exercise_letters" checked' in cleo.get("/settings/letters").text


def test_a_worker_that_asks_twice_writes_once(club, tiles):
    wants(club)
    for _twice in range(2):
        with db.transaction(club.engine) as session:
            exercise_letters.write_weekly(session, club.person(session, "cleo").id, now=club.time)
    club.deliver()
    assert len(club.letters("cleo")) == 1
    with db.reading(club.engine) as session:
        assert session.get_one(Person, club.person(session, "cleo").id).exercise_due_at == club.time + timedelta(days=7)


def test_the_reply_address_of_each_step_is_its_own(club, tiles):
    first = asks(club, "exercise")
    second = replies(club, first, FIRST)
    assert reply_address(first) != reply_address(second)
