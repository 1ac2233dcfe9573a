"""Time is not judged by what we have not done yet: a mail that is unread, a letter that could not leave."""

from __future__ import annotations

import random
from contextlib import closing
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.models import Letter, LetterState, loading
from correspondence.ops import sending_sweeps, worker
from correspondence.outbound import outbox
from correspondence.play import extensions
from tests.post import reply_address, text_of
from tests.smtp import Stub, smtp_post

SECOND = timedelta(seconds=1)


@pytest.fixture
def game(anywhere):
    """Ann is to move, and nobody has absence to spend."""
    anywhere.join("ann", "bob")
    number = anywhere.match()
    anywhere.open(number)
    return anywhere, number


def deadline(town, number):
    return town.stand(number).deadline


def legal_move(town, number):
    """A move that White may make now."""
    seen = loading.position_of(town.stand(number)).view(0)
    return seen.write(0, next(iter(seen.legal_moves(0))))


def look_at_clocks(town, at):
    town.time = at
    worker.sweep_deadlines(town.runtime)


def answer(town, name, number, words):
    letter = [one for one in town.letters(name) if f"[Game {number} " in str(one["Subject"])][-1]
    town.put(town.compose(f"{name}@example.org", reply_address(letter), words, answering=letter), reply_address(letter))


def last_letter(session, town, number, reader):
    own = col(Letter.person_id) == town.person(session, reader).id
    return session.exec(select(Letter).where(own, Letter.match_id == number).order_by(col(Letter.id).desc())).first()


def hold_back(town, number, state=LetterState.QUEUED, answer="451 not now", reader="ann"):
    """The last letter of a game to a player stands as if the mail server had answered that to it."""
    with db.transaction(town.engine) as session:
        turn = last_letter(session, town, number, reader)
        turn.state, turn.answer = state, answer
        session.add(turn)


def test_a_move_that_came_in_time_counts_though_it_is_read_only_after_the_deadline(game):
    town, number = game
    town.time = deadline(town, number) - SECOND
    answer(town, "ann", number, legal_move(town, number))
    look_at_clocks(town, deadline(town, number) + timedelta(minutes=5))
    assert town.stand(number).result == "*"
    mailbox.drain(town.engine, town.settings, now=town.time, rng=town.rng)
    worker.sweep_deadlines(town.runtime)
    assert (town.outcome(), town.stand(number).result) == ("done: played", "*")


def test_a_mail_that_came_after_the_deadline_holds_no_clock_up(game):
    town, number = game
    town.time = deadline(town, number) + SECOND
    town.put(town.compose("bob@example.org", "play@games.example", "help"), "play@games.example")
    look_at_clocks(town, town.time + SECOND)
    assert town.stand(number).result == "0-1"


def test_who_could_not_be_told_of_their_turn_gets_all_their_time_anew_and_the_opponent_is_told(game):
    town, number = game
    with Stub(answers={"RCPT": "451 4.3.2 Not now"}) as stub, db.reading(town.engine) as session:
        number = town.match(white="bob", black="ann")
        town.open(number, "bob", "ann")
        span = deadline(town, number) - town.time
        hold_back(town, number, answer="", reader="bob")
        with closing(smtp_post(stub)) as post:
            outbox.send_due(
                town.engine, post, town.settings, now=lambda: town.time, still_wanted=sending_sweeps.still_wanted,
                rng=random.Random(1),
            )  # fmt: skip
        assert session.exec(select(Letter.answer).where(col(Letter.answer) != "")).first()
    late = deadline(town, number) + SECOND
    look_at_clocks(town, late)
    assert town.stand(number).result == "*" and deadline(town, number) == late + span
    town.deliver()
    assert "bob" in text_of(town.letter("ann"))


def test_who_has_seen_the_position_on_its_page_needs_no_letter(game):
    town, number = game
    hold_back(town, number)
    assert town.client("ann").post(f"/games/{number}/seen", data={"ply": town.stand(number).ply}).status_code == 303
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == "0-1"


@pytest.mark.parametrize(("state", "result"), [(LetterState.FAILED, "*"), (LetterState.SENT, "0-1")])
def test_a_letter_that_was_given_up_counts_and_one_that_left_does_not(game, state, result):
    town, number = game
    hold_back(town, number, state)
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == result


def leave(town, number, after):
    """The letter that told Ann of her turn left so long after she wanted it."""
    hold_back(town, number, LetterState.SENT, answer="")
    with db.transaction(town.engine) as session:
        turn = last_letter(session, town, number, "ann")
        turn.sent_at = turn.wanted_at + after
        session.add(turn)


def test_who_was_told_late_has_all_their_time_from_then_on_but_only_once(game):
    town, number = game
    first = deadline(town, number)
    leave(town, number, timedelta(hours=20))
    look_at_clocks(town, first + SECOND)
    assert town.stand(number).result == "*" and deadline(town, number) == first + timedelta(hours=20)
    town.deliver()
    assert "came late" in text_of(town.letter("bob"))
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == "0-1"


def test_some_minutes_of_delay_are_nobodys_loss(game):
    town, number = game
    leave(town, number, timedelta(minutes=14))
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == "0-1"


def test_a_letter_that_its_reader_wanted_later_did_not_come_late(game):
    town, _number = game
    with db.transaction(town.engine) as session:
        ann = town.person(session, "ann")
        ann.turn_delay = 120
        session.add(ann)
    other = town.match()
    town.open(other)
    with db.reading(town.engine) as session:
        turn = last_letter(session, town, other, "ann")
        assert turn.wanted_at - turn.created_at == timedelta(hours=2)
    leave(town, other, timedelta(minutes=1))
    look_at_clocks(town, deadline(town, other) + SECOND)
    assert town.stand(other).result == "0-1"


def test_a_letter_that_has_not_been_tried_is_late_only_where_the_mail_server_takes_none(game):
    town, number = game
    other = town.match(white="bob", black="ann")
    hold_back(town, number, answer="")
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == "0-1"
    assert town.stand(other).result == "*"


def test_one_delayed_letter_gives_no_time_to_those_whose_letters_leave(game):
    town, number = game
    other = town.match(white="bob", black="ann")
    town.open(other, "bob", "ann")
    hold_back(town, number, answer="451 4.7.1 Greylisted, please try again")
    hold_back(town, other, answer="", reader="bob")
    look_at_clocks(town, deadline(town, other) + SECOND)
    assert [town.stand(one).result for one in (number, other)] == ["*", "0-1"]


def test_that_happens_a_few_times_in_a_game_and_not_for_ever(game):
    town, number = game
    hold_back(town, number)
    for _time in range(extensions.MOST_EXTENSIONS):
        look_at_clocks(town, deadline(town, number) + SECOND)
        assert town.stand(number).result == "*"
    look_at_clocks(town, deadline(town, number) + SECOND)
    assert town.stand(number).result == "0-1"
