"""What the lists by mail tell: games, the history of one, partners; and taking a question back."""

from __future__ import annotations

import re

import pytest

from correspondence import commands as cmd
from correspondence.accounts import web_sessions
from correspondence.commands import registry
from correspondence.core import db
from correspondence.matchmaking import challenges
from correspondence.models import Rating
from correspondence.play import matches, offers
from tests.club import seek
from tests.post import text_of


@pytest.fixture
def table(town):
    """A game of Duel in which Bob has to answer Ann's first move."""
    town.join("ann", "bob", "cleo")
    town.number = town.match("duel")
    town.play(town.number, "ann", "5@b3")
    return town


def answer_to(town, name, line):
    town.received.clear()
    town.mail(f"{name}@example.org", "play@games.example", line)
    return re.sub(r"\s+", " ", text_of(town.letter(name)))


def act(town, name, use_case, *args, **more):
    with db.transaction(town.engine) as session:
        return use_case(session, town.player(session, town.number, name), *args, now=town.time, **more)


def test_every_command_has_a_handler():
    apart = {cmd.Other, cmd.PlanLine, cmd.Resign}  # by what the whole mail says
    assert {kind for kind, one in registry.declarations().items() if one.handler is None} == apart


# -- games -----------------------------------------------------------------------------


def test_a_game_is_listed_with_both_clocks_and_the_last_move(table):
    table.wait(hours=48)
    answer = answer_to(table, "bob", "games")
    assert f"game {table.number}, Duel against ann: YOUR TURN, until" in answer
    assert "you have 8 days, your opponent 10 days" in answer
    assert answer.index("You have 1 running game. It is your turn in 1.") < answer.index("write your answer above")
    assert "last move: Black 5@b3, 2 days ago" in answer
    assert f"game {table.number}, Duel against bob: your opponent is to move" in answer_to(table, "ann", "games")
    assert "It is not your turn in any of them." in answer_to(table, "ann", "games")


def test_an_open_offer_is_listed_for_the_one_who_got_it_and_the_one_who_made_it(table):
    act(table, "bob", matches.offer_draw)
    assert "a draw is offered to you: accept or decline" in answer_to(table, "ann", "games")
    assert "you offered a draw" in answer_to(table, "bob", "games")
    act(table, "bob", offers.offer_pause, 3)
    assert "a pause is proposed to you: accept or decline" in answer_to(table, "ann", "games")


def test_challenges_and_seeks_are_listed_with_their_numbers(table):
    with db.transaction(table.engine) as session:
        ann = table.person(session, "ann")
        number = challenges.challenge(session, ann, "cleo", "plateau", {}, now=table.time).id
    mine = seek(table, "ann")
    answer = answer_to(table, "ann", "games")
    assert f"Challenges: challenge {number}: you asked cleo to play Plateau" in answer
    assert "Your seeks:" in answer and f"{mine}. yours:" in answer
    assert f"Challenges: challenge {number}: ann asks you to play Plateau" in answer_to(table, "cleo", "games")


def test_a_hidden_move_is_listed_as_its_reader_may_know_it(town):
    town.join("ann", "bob")
    town.number = town.match("plateau")
    town.play(town.number, "ann", "+a1 xx,xr")
    assert "xx,xr" in answer_to(town, "ann", "games")
    assert "xx,xr" not in answer_to(town, "bob", "games") and "last move" in answer_to(town, "bob", "games")


# -- history ---------------------------------------------------------------------------


def test_the_history_ends_with_the_board_and_the_result(table):
    assert "1. Black: 5@b3 Duel: White to move" in answer_to(table, "ann", f"history {table.number}")
    act(table, "ann", matches.resign)
    answer = answer_to(table, "ann", f"history {table.number}")
    assert "1. Black: 5@b3" in answer
    assert "White wins by resignation." in answer
    assert "B5" in answer


# -- partners --------------------------------------------------------------------------


def test_partners_are_listed_with_when_they_were_last_seen(table):
    table.wait(days=3)
    assert "bob seen this week" in answer_to(table, "ann", "partners")
    table.wait(days=60)
    assert "bob not seen for a month" in answer_to(table, "ann", "partners")
    with db.transaction(table.engine) as session:
        web_sessions.begin(session, table.person(session, "bob"), now=table.time)
    assert "bob seen today" in answer_to(table, "ann", "partners")


def test_partners_are_listed_with_their_ratings(table):
    with db.transaction(table.engine) as session:
        numbers = {"rating": 1623.4, "deviation": 60, "volatility": 0.06, "games": 9}
        times = {"updated_at": table.time, "established_until": table.time}
        session.add(Rating(person_id=table.person(session, "bob").id, game="duel", **numbers, **times))
    assert "bob seen today Duel 1623" in answer_to(table, "ann", "partners")


# -- a question is taken back ----------------------------------------------------------


@pytest.mark.parametrize("line", ["no", "no wait", "no, wait", "wait", "cancel", "I changed my mind.", "no aspetta"])
def test_a_no_closes_the_question_whether_to_resign(table, line):
    act(table, "ann", matches.ask_to_resign)
    table.deliver()
    question = table.letter("ann")
    table.answer(question, line)
    assert "You have not resigned. The question is closed." in " ".join(text_of(table.letter("ann")).split())
    table.answer(question, "yes")
    assert table.stand(table.number).ended_at is None


def test_a_no_closes_a_proposal(table):
    table.mail("ann@example.org", "play@games.example", "away 5 days")
    proposed = table.letter("ann")
    table.answer(proposed, "no wait")
    assert "None of it was done. The question is closed." in " ".join(text_of(table.letter("ann")).split())
    table.answer(proposed, "yes")
    with db.reading(table.engine) as session:
        assert table.person(session, "ann").vacation_hours_at is None
