"""`review 12`: a second opinion asked for by mail, answered at once, and a letter when it is made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.commands import parse_commands
from correspondence.core import db
from correspondence.features.reviews import command, turns
from correspondence.features.reviews.tables import Review, ReviewReader
from correspondence.models import Match
from correspondence.render.charts import LINE_LENGTH, result_line
from tests.post import html_of, text_of
from tests.reviews import make, make_here, played, resigned, seen
from tests.robots import robots_in
from tests.test_judgements import DUEL

DOOR = "play@games.example"


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    robots_in(town).stop()
    return town


def flat_text(letter):
    return " ".join(text_of(letter).replace("\u00a0", " ").split())


def asks(club, name, line, answering=None):
    """Somebody mails a line, and reads what is answered."""
    club.received.clear()
    if answering is None:
        club.agree(name, line)
    else:
        club.answer(answering, line)
    return flat_text(club.letter(name))


def cheap(club, number):
    """Let what waits be made quickly."""
    with db.transaction(club.engine) as session:
        row = session.get(Review, number)
        row.budget = 200
        session.add(row)


@pytest.mark.parametrize(
    ("line", "number"), [("review 12", 12), ("Review #12", 12), ("parere 12", 12), ("review", None)]
)
def test_both_languages_ask_for_it(line, number):
    (read,) = parse_commands([line])
    assert isinstance(read, command.ReviewCommand) and read.match == number


@given(st.text(max_size=30))
def test_whatever_stands_behind_the_word_is_read_as_something(rest):
    assert len(parse_commands([f"review {rest}".replace("\n", " ")])) <= 1


def test_it_is_promised_at_once_and_comes_in_a_letter_when_it_is_made(club):
    number = played(club)
    assert f"A robot is looking at game {number}: it has judged 0 of 15 moves." in asks(club, "ann", f"review {number}")
    cheap(club, number)
    club.received.clear()
    make(club)
    club.deliver()
    letter, best = club.letter("ann"), seen(club, number).moves[11].best
    assert "a second opinion" in letter["Subject"] and f"on game {number}: it had 3 turning points." in flat_text(
        letter
    )
    assert f"12. White, 3b2=B3: Here {best} would have kept" in flat_text(letter)
    assert "▁" in text_of(letter) or "█" in text_of(letter)
    assert f"https://games.example/games/{number}#review" in flat_text(letter)
    assert "cid:" in html_of(letter) and best in html_of(letter)
    assert max(map(len, text_of(letter).splitlines())) <= 78
    assert not club.letters("bob")


def test_what_is_made_already_is_the_answer(club):
    number = played(club)
    make_here(club, number, budget=1_000)
    assert "Turning points" in asks(club, "bob", f"review {number}")
    with db.reading(club.engine) as session:
        assert session.exec(select(ReviewReader)).all() == []


def test_in_reply_to_the_last_letter_of_a_game_no_number_is_needed(club):
    number = played(club)
    assert f"A robot is looking at game {number}" in asks(club, "ann", "review", answering=club.letter("ann"))


def test_two_who_ask_get_one_letter_each(club):
    number = resigned(club)
    for name in ("ann", "bob", "ann"):
        asks(club, name, f"review {number}")
    cheap(club, number)
    club.received.clear()
    make(club)
    make(club)
    club.deliver()
    assert [len(club.letters(name)) for name in ("ann", "bob")] == [1, 1]


def test_a_running_game_is_refused_by_mail_too(club):
    number = club.match("duel")
    for turn, text in enumerate(DUEL[:8]):
        club.play(number, ("ann", "bob")[turn % 2], text)
    letter = club.letter("ann")
    assert "isn't over yet" in asks(club, "ann", f"review {number}")
    assert "isn't over yet" in asks(club, "ann", "review", answering=letter)
    with db.reading(club.engine) as session:
        assert session.exec(select(Review)).all() == []


@pytest.mark.parametrize(("line", "sentence"), [
    ("review 999", "There is no game 999."), ("review", "Please say which game"),
])  # fmt: skip
def test_what_cannot_be_judged_is_answered_with_a_sentence(club, line, sentence):
    assert sentence in asks(club, "ann", line)


def test_without_robots_the_answer_says_so(town):
    town.join("ann", "bob")
    number = resigned(town)
    assert "No robots are running on this server" in asks(town, "ann", f"review {number}")


def test_who_waits_is_told_when_it_could_not_be_made(club):
    number = resigned(club)
    asks(club, "ann", f"review {number}")
    club.received.clear()
    with db.transaction(club.engine) as session:
        turns.give_up(session, number, now=club.time)
    club.deliver()
    assert f"could not be made. Ask for it again: review {number}" in flat_text(club.letter("ann"))


def test_it_is_written_in_the_language_of_its_reader(club):
    number = played(club)
    with db.transaction(club.engine) as session:
        person = club.person(session, "ann")
        person.language = "it"
        session.add(person)
        assert session.get(Match, number).ended_at is not None
    assert f"Un robot esamina la partita {number}" in asks(club, "ann", f"parere {number}")
    cheap(club, number)
    club.received.clear()
    make(club)
    club.deliver()
    assert "avrebbe conservato" in flat_text(club.letter("ann")) and "Here " not in flat_text(club.letter("ann"))


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=300))
def test_a_course_of_any_length_is_a_line_that_fits_a_letter(course):
    known = [one for one in course if one is not None]
    assert len(result_line(course)) == min(len(known), LINE_LENGTH)
