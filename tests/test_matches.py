"""What happens inside a match, through the use cases: turns, time, draws, resignation, talk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import By, Move, loading
from correspondence.play import claims, matches, moves_ahead, offers
from correspondence.play.conditional import plan_commands, plans
from engines.base import MoveError
from tests.post import text_of

QUICK = "Rxh8"


@pytest.fixture
def table(town):
    town.join("ann", "bob")
    number = town.match()
    return town, number


def test_the_player_to_move_gets_one_letter_and_the_other_none(table):
    town, _number = table
    assert [str(letter["To"]) for letter in town.received if "Game" in letter["Subject"]] == ["ann@example.org"]


def test_a_move_passes_the_turn_and_writes_to_the_other(table):
    town, number = table
    town.received.clear()
    town.play(number, "ann", "c3/f2=B")
    assert town.moves(number) == ["c3/f2=B"]
    (letter,) = town.received
    assert letter["To"] == "bob@example.org"
    assert "ann played c3/f2=B." in text_of(letter)


def test_nobody_moves_twice_or_out_of_turn(table):
    town, number = table
    with pytest.raises(MoveError, match="not your turn"):
        town.play(number, "bob", "c6/a7=B")
    town.play(number, "ann", "c3/f2=B")
    with pytest.raises(MoveError, match="not your turn"):
        town.play(number, "ann", "e3/f2=N")
    assert town.moves(number) == ["c3/f2=B"]


def test_a_refused_move_changes_nothing(table):
    town, number = table
    before = town.stand(number)
    with pytest.raises(MoveError):
        town.play(number, "ann", "c6/f2=B")
    assert town.stand(number) == before
    assert town.moves(number) == []


@pytest.mark.parametrize(
    ("text", "more"),
    [("c6/f2=B", {}), ("hello", {}), ("c3/f2=B", {"ply": 7}), ("c3/f2=B", {"takebacks": 3})],
    ids=["illegal", "no move", "stale", "taken back"],
)
def test_a_refused_move_leaves_nothing_to_undo(table, text, more):
    town, number = table
    with db.transaction(town.engine) as session:
        player = town.player(session, number, "ann")
        with pytest.raises(MoveError):
            matches.make_move(session, player, text, now=town.time, by=By.MAIL, **more)
        assert not session.new and not session.dirty


def test_a_plan_that_comes_with_a_move_is_known_though_there_was_none_before(table):
    town, number = table
    with db.transaction(town.engine) as session, db.asking_once(session):
        player = town.player(session, number, "ann")
        match = loading.locked(session, number)
        moves_ahead.ask_ahead_of_move(session, match, has_words=False, now=town.time)
        assert plans.plan_of(session, number, player.person_id) is None
        plans.arm(session, match, player, {}, now=town.time)
        assert plans.plan_of(session, number, player.person_id) is not None


@pytest.mark.parametrize("thing", ["a draw offer", "a pause", "words"])
def test_a_letter_tells_what_is_there_beside_the_game(table, thing):
    town, number = table
    town.open(number)
    with db.transaction(town.engine) as session:
        ann, match = town.player(session, number, "ann"), loading.locked(session, number)
        if thing == "a draw offer":
            matches.offer_draw(session, ann, now=town.time)
        elif thing == "a pause":
            offers.offer_pause(session, ann, 3, now=town.time)
        comment = "Good luck!" if thing == "words" else ""
        position = loading.position_of(match)
        move = position.write(0, next(iter(position.legal_moves(0))))
        matches.make_move(session, ann, move, now=town.time, by=By.MAIL, comment=comment)
    town.deliver()
    sentences = {"a draw offer": "offers you a draw", "a pause": "proposes to stop all clocks", "words": "Good luck!"}
    assert sentences[thing] in text_of(town.letter("bob"))


def test_a_move_for_an_earlier_position_is_refused_and_says_what_was_played(table):
    town, number = table
    town.play(number, "ann", "c3/f2=B", ply=0)
    town.play(number, "bob", "c6/a7=B", ply=1)
    with pytest.raises(matches.StaleMove, match=r"you played c3/f2=B there"):
        town.play(number, "ann", "e3/f2=N", ply=0)
    with pytest.raises(matches.StaleMove, match="already been played"):
        town.play(number, "ann", "c3/f2=B", ply=0)


def test_a_move_for_an_entry_that_was_taken_back_is_told_so(table):
    """Its letter was read right before the take-back, which marks letters that show what is gone."""
    town, number = table
    town.play(number, "ann", "c3/f2=B")
    with pytest.raises(matches.StaleMove, match="taken back since"):
        town.play(number, "bob", "c6/a7=B", ply=2)


def test_each_entry_is_chained_to_all_before(table):
    town, number = table
    town.play(number, "ann", "c3/f2=B")
    town.play(number, "bob", "c6/a7=B")
    with db.reading(town.engine) as session:
        hashes = [move.hash for move in session.exec(select(Move).order_by(Move.ply))]
    assert len(set(hashes)) == 2 and all(len(hashed) == 64 for hashed in hashes)


def test_resigning_ends_the_match_for_the_other_even_out_of_turn(table):
    town, number = table
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, number, "bob"), now=town.time)
    town.deliver()
    match = town.stand(number)
    assert (match.result, match.reason) == ("1-0", "resignation")
    assert match.deadline is None
    assert {str(letter["To"]) for letter in town.received[-2:]} == {"ann@example.org", "bob@example.org"}
    assert "White wins by resignation." in text_of(town.letter("ann"))


def test_a_draw_is_offered_and_accepted(table):
    town, number = table
    with db.transaction(town.engine) as session:
        assert matches.offer_draw(session, town.player(session, number, "ann"), now=town.time) is False
    town.deliver()
    assert "offers you a draw" in text_of(town.letter("bob"))
    with db.transaction(town.engine) as session:
        assert matches.offer_draw(session, town.player(session, number, "bob"), now=town.time) is True
    assert town.stand(number).result == "1/2-1/2"


def test_an_offer_lapses_with_the_opponents_move(table):
    town, number = table
    town.play(number, "ann", "c3/f2=B")
    with db.transaction(town.engine) as session:
        matches.offer_draw(session, town.player(session, number, "ann"), now=town.time)
    town.play(number, "bob", "c6/a7=B")
    with db.reading(town.engine) as session:
        assert matches.open_offer(session, town.stand(number)) is None


def test_the_reminder_comes_once_a_turn_at_four_fifths_of_the_time(table):
    town, _number = table
    town.received.clear()
    town.wait(days=7, hours=23)
    assert town.received == []
    town.wait(hours=2)
    town.wait(hours=2)
    (letter,) = town.received
    assert letter["To"] == "ann@example.org" and "bob is waiting for you" in text_of(letter)


def test_time_that_runs_out_loses_the_match_without_a_page_being_opened(table):
    town, number = table
    town.open(number)
    town.wait(days=10, seconds=-1)
    assert town.stand(number).result == "*"
    town.wait(seconds=2)
    match = town.stand(number)
    assert (match.result, match.reason) == ("0-1", "time")
    assert "Black wins on time." in text_of(town.letter("bob"))


def test_a_move_in_the_last_second_stands(table):
    town, number = table
    town.time += timedelta(days=10, seconds=-1)
    town.play(number, "ann", "c3/f2=B")
    town.wait(seconds=5)
    assert town.stand(number).result == "*"


def test_the_bank_shrinks_by_the_time_spent_and_grows_by_the_increment(table):
    town, number = table
    town.time += timedelta(days=4)
    town.play(number, "ann", "c3/f2=B")
    with db.reading(town.engine) as session:
        assert town.player(session, number, "ann").bank == int(timedelta(days=7.5).total_seconds())


def test_what_is_said_goes_to_the_opponent_without_addresses(table):
    town, number = table
    with db.transaction(town.engine) as session:
        words = "Hello! Write me at ann@example.org or r.abcdefghijklmnopqrstuvwxyz@games.example."
        matches.say(session, town.player(session, number, "ann"), words, now=town.time)
    town.deliver()
    letter = text_of(town.letter("bob"))
    assert "Hello!" in letter
    assert "ann@example.org" not in letter
    assert "abcdefghijklmnop" not in letter


def test_all_letters_of_one_game_to_one_reader_are_one_thread(table):
    town, number = table
    for white, black in (("c3/f2=B", "c6/a7=B"), ("e3/f2=N", "e6/a7=N")):
        town.play(number, "ann", white)
        town.play(number, "bob", black)
    letters = [letter for letter in town.letters("bob") if "Game" in letter["Subject"]]
    assert len(letters) == 2
    assert len({letter["Message-ID"] for letter in letters}) == 2
    assert all(f"<g{number}@games.example>" in letter["References"] for letter in letters)
    assert letters[1]["In-Reply-To"] == letters[0]["Message-ID"]
    assert letters[1]["Subject"] == f"Re: {letters[0]['Subject']}"


LATE_ACTS = {
    "move": lambda session, player, now: matches.make_move(session, player, "c3/f2=B", now=now, by=By.WEB),
    "resign": lambda session, player, now: matches.resign(session, player, now=now),
    "ask whether to resign": lambda session, player, now: matches.ask_to_resign(session, player, now=now),
    "draw": lambda session, player, now: matches.offer_draw(session, player, now=now),
    "takeback": lambda session, player, now: offers.offer_takeback(session, player, now=now),
    "pause": lambda session, player, now: offers.offer_pause(session, player, 3, now=now),
    "claim": lambda session, player, now: claims.claim(session, player, now=now),
    "nudge": lambda session, player, now: claims.nudge(session, player, now=now),
    "plan": lambda session, player, now: plan_commands.enter(session, player, "if c3/f2=B then c6/a7=B", now=now),
    "plan on": lambda session, player, now: plan_commands.resume(session, player, now=now),
}


@pytest.mark.parametrize("act", LATE_ACTS)
def test_whatever_comes_after_the_end_is_refused_in_the_same_words(table, act):
    town, number = table
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, number, "ann"), now=town.time)
    before = town.stand(number)
    with db.transaction(town.engine) as session, pytest.raises(matches.MatchError, match=f"^Game {number} is over.$"):
        LATE_ACTS[act](session, town.player(session, number, "bob"), town.time)
    assert town.stand(number) == before
