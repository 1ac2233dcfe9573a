"""What robots answer to offers, and what they say: always something, in the reader's language, and never a command."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.commands import Other
from correspondence.commands.reading import parse_commands
from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.move_text import looks_like_move
from correspondence.models import By, Letter, Match, Offer, OfferState, RobotTurn
from correspondence.play import matches, offers
from correspondence.robots import lines, offers_to_robots
from engines.wording import _
from tests.post import text_of
from tests.robots import challenge, made_by, play_random_move, robots_in, to_move, turn_of


@pytest.fixture
def club(town):
    town.join("ann", language="it")
    town.join("bob")
    town.robots = robots_in(town)
    yield town
    town.robots.stop()


def playing(club, name="bob", **more):
    """A game in which somebody has moved and the robot has answered."""
    number = challenge(club, name, "duel-robot-2", seat=0, **more)
    play_random_move(club, number, name)
    club.robots.sweep()
    return number


def does(club, number, name, act, **more):
    with db.transaction(club.engine) as session:
        return act(session, club.player(session, number, name), now=club.time, **more)


def open_offers(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Offer).where(Offer.state == OfferState.OPEN)).all()


def test_a_robot_gives_a_move_back_in_a_friendly_game(club):
    number = playing(club)
    does(club, number, "bob", offers.offer_takeback)
    club.robots.sweep()
    assert made_by(club, number) == [] and to_move(club, number) == ["bob"]
    club.deliver()
    assert "taken back" in " ".join(text_of(club.letter("bob")).split())


def test_in_a_rated_game_it_says_that_moves_stand(club):
    number = playing(club, rated=True)
    does(club, number, "bob", offers.offer_takeback)
    club.robots.sweep()
    assert len(made_by(club, number)) == 2 and open_offers(club) == []
    club.deliver()
    assert "I do not agree to takebacks" in " ".join(text_of(club.letter("bob")).split())


def test_a_robot_agrees_to_a_pause(club):
    number = playing(club)
    does(club, number, "bob", offers.offer_pause, days=5)
    club.robots.sweep()
    with db.reading(club.engine) as session:
        assert offers.pause_of(session, session.get(Match, number), club.time) is not None


def test_an_early_draw_is_declined_with_a_word_in_the_readers_language(club):
    number = playing(club, "ann")
    does(club, number, "ann", matches.offer_draw)
    club.robots.sweep()
    assert open_offers(club) == [] and club.stand(number).ended_at is None
    club.deliver()
    text = " ".join(text_of(club.letter("ann")).split())
    with in_language("it"):
        assert any(_(line) in text for line in lines.NO_DRAW)


@pytest.mark.parametrize(("rated", "judged", "agrees"), [
    (False, 0.0, True), (False, 0.4, False), (True, 0.0, False), (True, -0.6, True), (False, None, False),
])  # fmt: skip
def test_a_late_draw_is_taken_by_who_does_not_stand_better(club, monkeypatch, rated, judged, agrees):
    monkeypatch.setattr(offers_to_robots, "EARLIEST_DRAW", 2)
    monkeypatch.setattr(offers_to_robots, "outlook", lambda *_words: judged)
    number = playing(club, rated=rated)
    does(club, number, "bob", matches.offer_draw)
    club.robots.sweep()
    assert (club.stand(number).result == "1/2-1/2") == agrees and open_offers(club) == []


@pytest.mark.parametrize(("quiet", "hours"), [((None, None), 0), ((12, 14), 2)])
def test_its_answer_waits_for_the_quiet_hours_of_its_reader_and_for_nothing_else(club, quiet, hours):
    with db.transaction(club.engine) as session:
        bob = club.person(session, "bob")
        bob.zone, (bob.quiet_from, bob.quiet_until) = "UTC", quiet
        session.add(bob)
    number = playing(club, rated=True)
    does(club, number, "bob", offers.offer_takeback)
    club.robots.sweep()
    with db.reading(club.engine) as session:
        letter = session.exec(select(Letter).where(Letter.match_id == number, Letter.kind == "talk")).one()
    assert club.time.hour == 12 and letter.due_at == club.time + timedelta(hours=hours)


@pytest.mark.parametrize("key", ["duel", "plateau"])
def test_what_a_robot_answers_is_read_on_the_page_at_once(club, key):
    """In Plateau words of people are held back for as long as they can be recalled; a robot recalls nothing."""
    number = challenge(club, "bob", f"{key}-robot-2", key, seat=0, rated=True)
    play_random_move(club, number, "bob")
    does(club, number, "bob", matches.offer_draw)
    club.robots.sweep()
    page = club.client("bob").get(f"/games/{number}").get_data(as_text=True)
    assert any(line in page for line in lines.NO_DRAW)


def test_an_offer_made_while_a_robot_thinks_is_answered_before_it_moves(club):
    number = challenge(club, "bob", "duel-robot-2", seat=0)
    play_random_move(club, number, "bob")
    does(club, number, "bob", offers.offer_takeback)
    club.robots.sweep()
    assert made_by(club, number) == [] and to_move(club, number) == ["bob"]


def test_a_robot_greets_with_its_first_move_in_the_language_of_its_opponent(club):
    playing(club, "ann")
    with in_language("it"):
        greetings = [_(line) for line in lines.GREETINGS]
    assert any(line in " ".join(text_of(club_letter(club)).split()) for line in greetings)


def club_letter(club):
    club.deliver()
    return club.letter("ann")


def test_a_robot_speaks_of_a_turn_of_the_game_and_else_says_nothing(club):
    number = playing(club)
    with db.transaction(club.engine) as session:
        player = club.player(session, number, "duel-robot-2")
        player.turn_ply = 9
        rng = random.Random(1)
        remarks = {lines.line_for(session, player, 20, -40, rng) for _try in range(30)}
        quiet = {lines.line_for(session, player, *both, rng) for both in ((20, 10), (None, -40), (20, None))}
    assert remarks == {"", *lines.SURPRISED} and quiet == {""}


PLAN = "if 3@b1 then 4@b2"


def test_a_robot_says_the_same_to_opponents_who_have_planned_and_stops_no_plan(club):
    greetings = {plan: greeted(club, plan) for plan in ("", PLAN)}
    assert greetings[""][0] == greetings[PLAN][0] in lines.GREETINGS
    assert [moves[2:] for _line, moves in greetings.values()] == [[], ["4@b2"]]


def greeted(club, plan):
    """What a robot says with its first move to somebody with this plan, and the moves after that."""
    number = challenge(club, "bob", "duel-robot-2", seat=0)
    club.play(number, "bob", "3@a1", plan=plan)
    with db.transaction(club.engine) as session:
        robot = club.player(session, number, "duel-robot-2")
        line = lines.line_for(session, robot, None, None, random.Random(1))
        matches.make_move(session, robot, "3@b1", now=club.time, by=By.ROBOT, comment=line, is_meant=True)
    return line, club.moves(number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_a_robot_says_is_a_command_or_a_move(language):
    with in_language(language):
        remarks = [_(line) for line in lines.ALL]
    if language != "en":
        assert not set(remarks) & set(lines.ALL), "every line is translated"
    for line in remarks:
        assert all(isinstance(command, Other) for command in parse_commands([line]))
        assert not looks_like_move(line)


def test_what_a_robot_thinks_of_its_game_is_kept_where_nobody_reads_it(club):
    number = playing(club)
    assert isinstance(turn_of(club, number), RobotTurn)
    record = club.client("bob").get(f"/games/{number}.record").get_data(as_text=True)
    assert "outlook" not in record
