"""A line can name the game it is about, wherever it is mailed to; what leaves the game open is asked about."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence.commands import InGame, Other, loose_name, named_in_subject, read_line
from correspondence.core import db
from correspondence.models import Inbound, Letter, Player, Remark, Token
from correspondence.models.loading import position_of
from correspondence.play import matches
from tests.post import reply_address, text_of

DOOR = "play@games.example"


@pytest.fixture
def club(town):
    """Ann is to move in game 1, Proteus with dice against Bob, and in game 2, Duel against Cleo."""
    town.join("ann", "bob", "cleo")
    town.match()
    town.match("duel", black="cleo")
    town.mail("ann@example.org", DOOR, "help")
    town.desk = town.letter("ann")
    town.received.clear()
    return town


def latest_text(town, name="ann"):
    return " ".join(text_of(town.letter(name)).split())


def talk_in(town):
    with db.reading(town.engine) as session:
        return [(remark.match_id, remark.text) for remark in session.exec(select(Remark).order_by(col(Remark.id)))]


def to_desk(town, body, **more):
    """A mail of Ann's to the address of her letters that belong to no game."""
    return town.mail("ann@example.org", reply_address(town.desk), body, **more)


# -- lines that name a game --------------------------------------------------------------


@pytest.mark.parametrize("line", ["move 2 5@b3", "2 5@b3", "game 2: 5@b3", "2: 5@b3", "#2 5@b3", "Game 2, 5@b3",
                                  "in game 2: 5@b3", "partita 2: 5@b3", "MOVE 2: 5@b3", "game #2 5@b3"])  # fmt: skip
def test_a_move_that_names_its_game_is_played_there_by_mail_to_any_address_of_the_writers(club, line):
    assert to_desk(club, line) == "done: played"
    assert (club.moves(1), club.moves(2)) == ([], ["5@b3"])


@pytest.mark.parametrize("subject", ["game 2", "Re: game 2", "Partita 2", "[Game 2 vs cleo] your turn"])
def test_a_subject_names_the_game_of_the_lines_below_it(club, subject):
    assert to_desk(club, "5@b3\nGood luck!", subject=subject) == "done: played"
    assert club.moves(2) == ["5@b3"] and "Good luck!" in latest_text(club, "cleo")


def test_a_game_named_on_a_line_of_its_own_is_that_of_the_lines_below_it(club):
    to_desk(club, "game 2\n5@b3\n\ngame 1\nc3/f2=B\n")
    assert (club.moves(1), club.moves(2)) == (["c3/f2=B"], ["5@b3"])


def test_a_game_that_is_named_and_nothing_else_is_shown(club):
    to_desk(club, "game 2")
    assert "The board of game 2: Duel" in latest_text(club)


def test_one_mail_plays_in_several_games_and_each_line_has_its_own_result_in_the_one_answer(club):
    to_desk(club, "1: c9/f2=B\n2: 5@b3\n7: c3")
    (letter,) = club.letters("ann")
    answer = " ".join(text_of(letter).split())
    assert (club.moves(1), club.moves(2)) == ([], ["5@b3"])
    assert answer.index("Game 1 against bob. ") < answer.index("Played: 5@b3") < answer.index("There is no game 7.")


def test_a_number_in_answer_to_several_games_names_its_game(club):
    club.match(black="cleo")
    to_desk(club, "1: c3/f2\n3: c3/f2")
    first = club.letter("ann")
    numbers = [line.split()[0].strip("()") for line in text_of(first).splitlines() if "game 3: c3/" in line]
    club.answer(first, numbers[0])
    assert club.moves(1) == [] and len(club.moves(3)) == 1


def test_words_below_a_move_go_along_with_it_and_words_in_a_named_game_go_there(club):
    to_desk(club, "2 5@b3\nHave fun, Cleo!")
    to_desk(club, "say 1: Hello Bob!\ngame 2: Hello again!")
    club.wait(minutes=6)
    assert club.moves(2) == ["5@b3"] and talk_in(club) == [(1, "Hello Bob!"), (2, "Hello again!")]


@pytest.mark.parametrize("line", ["resign 2", "game 2: resign", "I resign game 2", "abbandono 2"])
def test_resigning_in_a_named_game_asks_once_in_that_game(club, line):
    to_desk(club, line)
    assert "[Game 2 vs cleo]" in str(club.letter("ann")["Subject"]) and "really resign" in latest_text(club)
    club.answer(club.letter("ann"), "yes")
    assert (club.stand(1).result, club.stand(2).result) == ("*", "0-1")


def test_a_yes_in_another_game_answers_no_question(club):
    to_desk(club, "resign 2")
    club.answer(club.letter("ann"), "game 1: yes")
    assert (club.stand(1).result, club.stand(2).result) == ("*", "*")


def test_a_draw_is_offered_and_accepted_by_the_number_of_the_game(club):
    to_desk(club, "draw 1")
    with db.transaction(club.engine) as session:
        player = club.player(session, 1, "bob")
        assert matches.offer_draw(session, player, now=club.time)
    assert club.stand(1).result == "1/2-1/2"


def test_a_plan_a_preview_and_a_question_name_their_game_too(club):
    club.play(1, "ann", "c3/f2=B")
    position = position_of(club.stand(1))
    position = position.play(1, position.read(1, "c6/a7=B"))
    reply = position.write(0, next(iter(position.legal_moves(0))))
    to_desk(club, f"game 1: if c6/a7=B then {reply}\ngame 2: preview 5@b3\nplan 1")
    answer = latest_text(club)
    assert f"if c6/a7=B then {reply}" in answer and "The board after 5@b3; nothing was played." in answer


# -- in reply to a letter of a game ---------------------------------------------------------


def turn_of(town, number, name="ann"):
    """The reply address of somebody in a game."""
    from correspondence.core import tokens

    with db.reading(town.engine) as session:
        return f"r.{tokens.spell(town.settings.secret_key, town.player(session, number, name).token_id)}@games.example"


def test_a_reply_to_the_letter_of_another_game_plays_in_the_game_that_it_names(club):
    club.mail("ann@example.org", turn_of(club, 1), "game 2: 5@b3")
    assert (club.moves(1), club.moves(2)) == ([], ["5@b3"])


@pytest.mark.parametrize("line", ["2 5@b3", "move 2 5@b3", "2: 5@b3", "game 2: 5@b3"])
def test_a_reply_to_the_letter_of_a_game_may_name_that_game(club, line):
    assert club.mail("ann@example.org", turn_of(club, 2), line) == "done: played"
    assert club.moves(2) == ["5@b3"]


def test_a_number_that_may_be_that_of_a_move_or_of_another_game_is_asked_about(club):
    club.mail("ann@example.org", turn_of(club, 1), "2: 5@b3")
    assert (club.moves(1), club.moves(2)) == ([], [])
    answer = latest_text(club)
    assert "You wrote move 2, but the game is at move 1." in answer and "(1) game 2: 5@b3" in answer
    club.answer(club.letter("ann"), "1")
    assert (club.moves(1), club.moves(2)) == ([], ["5@b3"])


def test_a_reply_to_a_letter_that_shows_one_game_is_a_move_there(club):
    to_desk(club, "show 2")
    club.answer(club.letter("ann"), "5@b3")
    assert club.moves(2) == ["5@b3"]


# -- lines that leave the game open ---------------------------------------------------------


def test_a_move_that_fits_one_running_game_is_asked_about_there_and_one_plays_it(club):
    to_desk(club, "5@b3")
    question = club.letter("ann")
    assert "Game 2 against cleo: reply 1 to play 5@b3." in latest_text(club)
    assert "[Game 2 vs cleo]" in str(question["Subject"])
    assert club.moves(2) == []
    club.answer(question, "1")
    assert club.moves(2) == ["5@b3"]


def test_a_move_to_no_square_is_answered_with_the_games_and_not_called_an_unknown_command(club):
    to_desk(club, "games")
    club.answer(club.letter("ann"), "9@z9")
    assert "9@z9" in latest_text(club) and "We don't know" not in latest_text(club)
    assert "Game 1 against bob" in latest_text(club) or "game 1" in latest_text(club)


def test_half_a_move_that_fits_one_running_game_is_asked_about_in_that_game(club):
    to_desk(club, "c3/f2")
    assert "[Game 1 vs bob]" in str(club.letter("ann")["Subject"]) and "c3/f2=" in latest_text(club)
    club.answer(club.letter("ann"), "1")
    assert len(club.moves(1)) == 1


def test_a_move_that_fits_two_games_is_asked_about_and_the_number_names_the_game(club):
    club.match(black="cleo")
    to_desk(club, "c3/f2=B")
    answer = latest_text(club)
    assert "(1) game 1: c3/f2=B (against bob)" in answer and "(2) game 3: c3/f2=B (against cleo)" in answer
    club.answer(club.letter("ann"), "2")
    assert (club.moves(1), club.moves(3)) == ([], ["c3/f2=B"])


def test_a_command_that_leaves_its_game_open_is_asked_about(club):
    to_desk(club, "draw")
    assert str(club.letter("ann")["Subject"]) == "Not done: draw"
    answer = latest_text(club)
    assert "(1) game 1: draw (against bob)" in answer and "(2) game 2: draw (against cleo)" in answer
    club.answer(club.letter("ann"), "2")
    club.wait(minutes=6)
    assert "offers you a draw" in latest_text(club, "cleo") and not club.letters("bob")


def test_a_move_that_fits_no_game_is_told_how_to_name_one(club):
    to_desk(club, "z9@z9")
    to_desk(club, "9@h9")
    assert "for example: game 1: 9@h9" in latest_text(club)
    assert (club.moves(1), club.moves(2)) == ([], [])


def test_who_has_no_running_game_is_told_so(town):
    town.join("ann")
    town.mail("ann@example.org", DOOR, "draw")
    assert "You have no running game" in latest_text(town)


# -- what cannot be done -----------------------------------------------------------------------


def test_a_game_of_others_an_unknown_one_and_one_that_is_over_get_a_sentence(club):
    club.match(white="bob", black="cleo")
    with db.transaction(club.engine) as session:
        matches.resign(session, club.player(session, 1, "ann"), now=club.time)
    for line, sentence in [
        ("game 3: c3/f2=B", "You do not play in game 3"),
        ("game 99: c3/f2=B", "There is no game 99."),
        ("1 c3/f2=B", "Game 1 is over."),
    ]:
        to_desk(club, line)
        assert sentence in latest_text(club)
    assert (club.moves(1), club.moves(3)) == ([], [])


def test_a_game_in_which_it_is_not_ones_turn_gets_a_sentence(club):
    club.play(2, "ann", "5@b3")
    club.received.clear()
    to_desk(club, "2 4@c3")
    assert "turn" in latest_text(club) and club.moves(2) == ["5@b3"]


def test_a_stated_move_in_the_subject_must_be_the_next_one(club):
    club.play(2, "ann", "5@b3")
    to_desk(club, "4@c3", subject="game 2, move 1")
    assert club.moves(2) == ["5@b3"] and "you played 5@b3 there" in latest_text(club)


# -- who writes ------------------------------------------------------------------------------------


def rows_of_games(town):
    with db.reading(town.engine) as session:
        return [one.model_dump() for kind in (Player, Token, Remark) for one in session.exec(select(kind))]


@pytest.mark.parametrize("line", ["2 5@b3", "game 2: 5@b3", "5@b3", "draw 2", "resign 2", "game 2: You are a fool"])
def test_a_mail_without_an_address_of_ours_plays_nothing_and_its_answer_can_be_answered(club, line):
    before = rows_of_games(club)
    club.mail("ann@example.org", DOOR, line)
    assert rows_of_games(club) == before and club.moves(2) == []
    (letter,) = club.received
    assert str(letter["To"]) == "ann@example.org" and "Game 2 against cleo" in latest_text(club)


def test_the_letter_that_asks_about_such_a_mail_proves_who_answers(club):
    club.mail("ann@example.org", DOOR, "2 5@b3")
    question = club.letter("ann")
    club.answer(question, "1", sender="cleo@example.org")
    assert club.moves(2) == []
    club.answer(question, "1")
    assert club.moves(2) == ["5@b3"]


def test_the_address_of_somebody_else_names_no_game_for_them(club):
    assert club.mail("cleo@example.org", reply_address(club.desk), "2 5@b3").startswith("rejected")
    assert club.moves(2) == []


def test_a_question_about_a_game_is_stale_once_the_game_has_gone_on(club):
    to_desk(club, "5@b3")
    question = club.letter("ann")
    club.play(2, "ann", "5@b3")
    club.answer(question, "1")
    assert "already been played" in latest_text(club) and club.moves(2) == ["5@b3"]


def test_a_line_in_a_letter_to_a_member_names_no_game(club):
    to_desk(club, "write bob: look at this\ngame 2: 5@b3")
    club.wait(minutes=6)
    assert club.moves(2) == [] and "game 2: 5@b3" in latest_text(club, "bob")
    club.answer(club.letter("bob"), "2 5@b3\ngame 1: what a game")
    club.wait(minutes=6)
    assert "2 5@b3 game 1: what a game" in latest_text(club)


def test_every_mail_that_names_a_game_ends_in_an_outcome_of_its_own(club):
    to_desk(club, "2 5@b3")
    with db.reading(club.engine) as session:
        last = session.exec(select(Inbound).order_by(col(Inbound.id).desc())).first()
        assert (last.reason, session.exec(select(Letter.id).where(Letter.key == "")).first()) == ("played", None)


# -- reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["game 7 was fun", "Game 7 is over.", "Game 7, Duel against bob: YOUR TURN", "5 b3",
                                  "game on", "I have 7 games", "12. c3/f2=B", "move 12: c3/f2=B"])  # fmt: skip
def test_prose_and_numbered_moves_name_no_game(line):
    assert isinstance(read_line(line), Other)


@given(st.integers(1, 999_999_999), st.text(max_size=80))
def test_whatever_follows_the_name_of_a_game_is_read_or_left_and_never_raises(number, text):
    command = read_line(f"game {number}: x{text}")
    assert not isinstance(command, InGame) or command.match == number
    assert loose_name(f"{number}: {text}") is None or loose_name(f"{number}: {text}").number == number
    named_in_subject(f"game {number} {text}")


def test_time_passes_and_a_letter_of_yesterday_is_told_from_the_board_of_today(club):
    to_desk(club, "show 2")
    yesterday = club.letter("ann")
    club.time += timedelta(days=1)
    club.play(2, "ann", "5@b3")
    club.answer(yesterday, "4@c3")
    assert club.moves(2) == ["5@b3"] and "you played 5@b3 there" in latest_text(club)


@pytest.mark.parametrize("to", ["door", "desk"])
def test_a_mail_whose_subject_is_a_game_alone_shows_that_game(club, to):
    club.received.clear()
    address = "play@games.example" if to == "door" else reply_address(club.desk)
    club.mail("ann@example.org", address, "", subject="game 2")
    [letter] = [" ".join(text_of(one).split()) for one in club.letters("ann")]
    assert "The board of game 2" in letter and "nothing has been done yet" not in letter


@pytest.mark.parametrize("line", ["challenge bob to duel", "challenge bob to a game of duel, 3 days"])
def test_a_challenge_is_read_as_people_say_it(club, line):
    assert to_desk(club, line) == "done: challenge"
