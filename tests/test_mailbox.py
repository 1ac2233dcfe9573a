"""Mail in, answers out: joining, challenging and playing by letter, and everything that must not happen."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import func, select

from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.inbound.mailbox import answering
from correspondence.models import Inbound, InboundState, Match, Person, loading
from correspondence.play import matches
from tests.post import html_of, reply_address, text_of

DOOR = "play@games.example"


@pytest.fixture
def game(town):
    town.join("ann", "bob")
    return town, town.match()


def test_joining_by_mail_takes_an_answer_and_no_page(town):
    town.mail("ann@example.org", DOOR, "join ann")
    assert town.people() == []
    town.answer(town.letter("ann"), "yes")
    assert town.people() == ["ann"]
    assert "Welcome, ann!" in text_of(town.letter("ann"))


def test_a_yes_whose_handle_was_taken_meanwhile_is_answered_but_not_for_ever(town):
    town.mail("ann@example.org", DOOR, "join ann")
    town.mail("amy@example.org", DOOR, "join ann")
    question = town.letter("amy")
    town.answer(town.letter("ann"), "yes")
    assert town.answer(question, "yes") == "done: joining refused"
    assert "is taken" in text_of(town.letter("amy"))
    for _time in range(answering.ANSWERS_A_DAY):
        town.answer(question, "yes")
    assert len(town.letters("amy")) == answering.ANSWERS_A_DAY


@pytest.mark.parametrize(
    "address", ["ann@localhost", "ann@club.local", "Ann@Example.test", "ann+games@mail.example.org"]
)
def test_any_address_that_a_letter_reaches_can_join(town, address):
    town.mail(f'"Ann, of the club" <{address}>', DOOR, "Join ann")
    town.answer(town.received[-1], "Yes", sender=address)
    assert town.people() == ["ann"]


def test_an_address_is_not_confirmed_by_somebody_else(town):
    town.mail("ann@example.org", DOOR, "join ann")
    town.answer(town.letter("ann"), "yes", sender="eve@example.org")
    assert town.people() == []


def test_a_stranger_who_asks_for_help_gets_one_friendly_answer_and_no_account(town):
    town.mail("ann@example.org", DOOR, "help")
    assert "join YOURNAME" in text_of(town.letter("ann"))
    assert town.people() == []


def test_a_stranger_who_misnames_a_game_is_told_which_are_played(town):
    town.mail("ann@example.org", DOOR, "rules plateaux")
    assert "We play proteus-dice, proteus-tiles, duel, duel-puzzle and plateau" in " ".join(
        text_of(town.letter("ann")).split()
    )


def test_a_challenge_is_made_and_accepted_by_mail(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob proteus-dice 3 days")
    letter = town.letter("bob")
    assert "ann challenges you" in text_of(letter) and "3 days a move" in text_of(letter)
    town.answer(letter, "accept")
    assert town.stand(1).result == "*"
    assert town.stand(1).bank == 3 * 86400


def test_a_challenge_is_declined_by_mail(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob proteus-dice")
    town.answer(town.letter("bob"), "decline")
    assert "declined your challenge" in text_of(town.letter("ann"))
    assert town.stand(1) is None


def test_a_bare_reply_is_a_move(game):
    town, number = game
    town.answer(_turn(town, "ann"), "c3/f2=B")
    assert town.moves(number) == ["c3/f2=B"]
    assert [str(letter["To"]) for letter in town.received] == ["bob@example.org"]


def _turn(town, name):
    """The letter that says it is somebody's turn; what was received before is put away."""
    letter = town.letter(name)
    town.received.clear()
    return letter


def test_talk_rides_along_with_a_move(game):
    town, number = game
    town.answer(_turn(town, "ann"), "c3/f2=B\n\nGood luck, and greetings from Torino!\n")
    assert town.moves(number) == ["c3/f2=B"]
    assert "greetings from Torino" in text_of(town.letter("bob"))


def test_the_letter_has_the_board_as_text_and_as_a_picture_and_says_how_to_answer(game):
    town, _number = game
    letter = _turn(town, "ann")
    text = text_of(letter)
    assert "p  .  p  .  p" in text
    assert "Reply with: " in text
    assert "due by" in text
    assert letter.get_body(("html",)) is not None and "cid:" in html_of(letter)
    (picture,) = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert picture.get_content().startswith(b"\x89PNG")
    assert len(letter.as_bytes()) < 100_000


def test_an_illegal_move_is_answered_with_a_sentence_the_board_and_what_is_possible(game):
    town, number = game
    town.answer(_turn(town, "ann"), "c6/f2=B")
    assert town.moves(number) == []
    text = text_of(town.letter("ann"))
    assert "> c6/f2=B" in text
    assert "Reply with a number" in text
    assert "p  .  p  .  p" in text


def test_half_a_move_is_asked_about_and_not_played(game):
    town, number = game
    town.answer(_turn(town, "ann"), "c3")
    assert town.moves(number) == []
    assert "c3/" in text_of(town.letter("ann"))


def test_a_number_answers_numbered_choices(game):
    town, number = game
    town.answer(_turn(town, "ann"), "c3/f2")
    town.answer(town.letter("ann"), "2")
    assert town.moves(number) == ["c3/f2=B"]


def test_the_same_mail_twice_plays_once(game):
    town, number = game
    letter = _turn(town, "ann")
    raw = town.compose("ann@example.org", reply_address(letter), "c3/f2=B", answering=letter)
    for _copy in range(2):
        town.put(raw, reply_address(letter))
        town.sweep()
    assert town.moves(number) == ["c3/f2=B"]
    assert len(town.letters("bob")) == 1
    with db.reading(town.engine) as session:
        assert session.exec(select(func.count()).select_from(Inbound)).one() == 1


def test_the_same_move_in_a_new_mail_is_said_to_be_played_already(game):
    town, number = game
    letter = _turn(town, "ann")
    town.answer(letter, "c3/f2=B")
    town.play(number, "bob", "c6/a7=B")
    town.answer(letter, "c3/f2=B")
    assert town.moves(number) == ["c3/f2=B", "c6/a7=B"]
    assert "already been played" in text_of(town.letter("ann"))


def test_the_same_move_again_is_played_already_even_where_no_letter_is_named(game):
    town, number = game
    box = reply_address(_turn(town, "ann"))
    for _time in range(2):
        town.mail("ann@example.org", box, "c3/f2=B")
    assert town.moves(number) == ["c3/f2=B"]
    assert "already been played" in text_of(town.letter("ann"))


def test_a_move_in_answer_to_an_old_letter_is_asked_about_with_the_board_and_a_number_plays_it(game):
    town, number = game
    old = _turn(town, "ann")
    town.answer(old, "c3/f2=B")
    town.play(number, "bob", "c6/a7=B")
    legal = legal_moves(town, number)[0]
    town.answer(old, legal)
    question = town.letter("ann")
    text = " ".join(text_of(question).split())
    assert "older letter, so nothing was played" in text
    assert f"(1) {legal}" in text
    assert "p . p . p" in text
    assert len(town.moves(number)) == 2
    town.answer(question, "1")
    assert town.moves(number)[2] == legal


def legal_moves(town, number):
    """The legal moves of whoever is to move, as they are written."""
    position = loading.position_of(town.stand(number))
    seat = position.to_act[0]
    return [position.write(seat, move) for move in position.legal_moves(seat)]


def test_a_reply_to_an_old_letter_moves_nothing_and_says_where_the_game_stands(game):
    town, number = game
    old = _turn(town, "ann")
    town.answer(old, "c3/f2=B")
    town.play(number, "bob", "c6/a7=B")
    town.answer(old, "e3/f2=N")
    assert len(town.moves(number)) == 2
    text = text_of(town.letter("ann"))
    assert "you played c3/f2=B there" in text and "Your move is due by" in text


def test_prose_that_holds_a_square_is_never_a_move(game):
    town, number = game
    town.answer(_turn(town, "ann"), "a3 is bad, so c3/f2=B")
    assert town.moves(number) == []


def test_a_quotation_is_never_executed(game):
    town, number = game
    letter = _turn(town, "ann")
    quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
    town.answer(letter, f"Let me think about it.\n\nOn Saturday Correspondence wrote:\n{quoted}\n> c3/f2=B\n")
    assert town.moves(number) == []
    assert "Let me think" in text_of(town.letter("bob"))


def test_somebody_elses_address_does_not_move_and_the_owner_is_told(game):
    town, number = game
    letter = _turn(town, "ann")
    town.answer(letter, "c3/f2=B", sender="eve@example.org")
    assert town.moves(number) == []
    assert [str(notice["To"]) for notice in town.received] == ["ann@example.org"]
    assert "not one of your addresses" in " ".join(text_of(town.letter("ann")).split())


def test_the_opponents_token_does_not_move_for_him(game):
    town, number = game
    letter = _turn(town, "ann")
    town.answer(letter, "c3/f2=B", sender="bob@example.org")
    assert town.moves(number) == []


def test_an_altered_token_is_nobodys(game):
    town, number = game
    letter = _turn(town, "ann")
    reply_to = reply_address(letter)
    altered = reply_to[:4] + ("a" if reply_to[4] != "a" else "b") + reply_to[5:]
    assert town.mail("ann@example.org", altered, "c3/f2=B").startswith("rejected")
    assert town.moves(number) == [] and town.received == []


def test_a_token_works_in_any_letter_case(game):
    town, number = game
    letter = _turn(town, "ann")
    town.mail("Ann@Example.ORG", reply_address(letter).upper(), "c3/f2=B", answering=letter)
    assert town.moves(number) == ["c3/f2=B"]


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<x.example.org>"},
        {"X_Autoreply": "yes"},
    ],
    ids=str,
)
def test_machine_mail_is_silence(game, header):
    town, number = game
    letter = _turn(town, "ann")
    assert town.answer(letter, "c3/f2=B", **header).startswith("ignored")
    assert town.moves(number) == [] and town.received == []


def test_resigning_asks_once_and_yes_does_it(game):
    town, number = game
    town.answer(_turn(town, "ann"), "resign")
    assert town.stand(number).result == "*"
    question = town.letter("ann")
    assert "really resign" in text_of(question)
    town.answer(question, "yes")
    assert town.stand(number).result == "0-1"


def test_yes_to_something_else_resigns_nothing(game):
    town, number = game
    letter = _turn(town, "ann")
    town.answer(letter, "resign")
    town.answer(letter, "yes")
    assert town.stand(number).result == "*"


def test_a_draw_is_offered_and_accepted_by_mail(game):
    town, number = game
    town.answer(_turn(town, "ann"), "draw")
    town.answer(town.letter("bob"), "draw")
    assert town.stand(number).result == "1/2-1/2"


def test_two_acts_in_one_mail_are_one_act_and_a_question(game):
    town, number = game
    town.answer(_turn(town, "ann"), "draw\nc3/f2=B")
    assert town.moves(number) == []
    assert "One mail can do only one thing" in text_of(town.letter("ann"))


def test_a_finished_game_takes_no_move(game):
    town, number = game
    letter = _turn(town, "ann")
    town.wait(days=11)
    town.answer(letter, "c3/f2=B")
    assert town.moves(number) == []
    assert "is over" in text_of(town.letter("ann"))


@pytest.mark.parametrize("body", ["", " \n\n "], ids=["empty", "blank"])
def test_an_empty_mail_gets_a_hint_and_no_move(game, body):
    town, number = game
    town.answer(_turn(town, "ann"), body, subject="Re: [Game 1 vs bob] your turn")
    assert town.moves(number) == []
    assert "no text of your own" in text_of(town.letter("ann"))


def test_a_mail_in_html_alone_is_read(game):
    town, number = game
    letter = _turn(town, "ann")
    raw = (
        f"From: ann@example.org\nTo: {reply_address(letter)}\nMessage-ID: <h@example.org>\nSubject: Re: x\n"
        "Content-Type: text/html; charset=utf-8\n\n<div>c3/f2=B</div><blockquote type=cite>e3/f2=B</blockquote>"
    ).encode()
    town.put(raw, reply_address(letter))
    town.sweep()
    assert town.moves(number) == ["c3/f2=B"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe",
        b"From: ann@example.org\n\nc3",
        b"From: ann@example.org\nContent-Type: text/plain; charset=klingon\n\nhallo",
        b"From: <<>>\nSubject: =?utf-8?q?=0D=0A?=\n\nx",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n--x--",
    ],
    ids=["nothing", "bytes", "half", "charset", "headers", "mime"],
)
def test_broken_mail_has_an_outcome_and_harms_nobody(game, raw):
    town, number = game
    letter = _turn(town, "ann")
    for to in (DOOR, reply_address(letter)):
        town.put(raw, to)
    outcome = town.sweep()
    assert outcome.split(":")[0] in ("done", "rejected", "ignored") and outcome.split(": ")[1]
    assert town.moves(number) == []


def test_a_message_that_fails_never_blocks_the_rest_and_dies_after_three_tries(game):
    town, number = game
    letter = _turn(town, "ann")
    with db.transaction(town.engine) as session:
        session.get_one(Match, number).position = "not a position"
    town.put(town.compose("ann@example.org", reply_address(letter), "c3/f2=B", answering=letter), reply_address(letter))
    town.put(town.compose("ann@example.org", DOOR, "partners"), DOOR)
    for _try in range(5):
        town.sweep()
        town.time += timedelta(minutes=5)
    with db.reading(town.engine) as session:
        poison, good = session.exec(select(Inbound).order_by(Inbound.id))
        assert (poison.state, poison.tries, good.state) == (InboundState.DEAD, 3, InboundState.DONE)
        assert "JSONDecodeError" in poison.reason and poison.raw


def test_a_bad_pace_is_refused_with_a_sentence(town):
    town.join("ann", "bob")
    town.mail("ann@example.org", DOOR, "challenge bob proteus-dice -3 days")
    assert town.letters("bob") == []
    assert "time" in text_of(town.letter("ann")).casefold() or "pace" in text_of(town.letter("ann")).casefold()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("challenge ann proteus-dice", "cannot challenge yourself"),
        ("challenge nobody7 proteus-dice", "Nobody here is called"),
        ("challenge bob chess", "We play"),
        ("challenge bob proteus-dice roulette=maybe", "can be none, before or after"),
        ("challenge bob proteus-dice colour=red", "There is no option"),
        ("accept", "No challenge is waiting"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(town, line, sentence):
    town.join("ann", "bob")
    town.agree("ann", line)
    assert sentence in text_of(town.letter("ann"))


@pytest.mark.parametrize(
    "line", ["help", "games", "show 1", "history 1", "record 1", "rules proteus-dice", "partners", "settings"]
)
def test_questions_are_answered(game, line):
    town, _number = game
    town.received.clear()
    town.mail("ann@example.org", DOOR, line)
    assert len(town.letters("ann")) == 1
    assert len(text_of(town.letter("ann")).splitlines()) >= 5


def test_a_letter_in_italian_is_in_italian(town):
    town.join("ann", "bob")
    with db.transaction(town.engine) as session:
        person = session.exec(select(Person).where(Person.handle == "ann")).one()
        person.language = "it"
        session.add(person)
    town.match()
    assert "la prima mossa è tua" in text_of(town.letter("ann"))


@pytest.fixture
def refused(town):
    """Ann mails lines to the address of her letters that belong to no game: what each of them is answered."""
    town.join("ann", "bob")
    town.mail("ann@example.org", DOOR, "help")
    desk = town.letter("ann")

    def answers(*lines):
        found = []
        for line in lines:
            before = len(town.letters("ann"))
            town.wait(minutes=1)
            town.answer(desk, line)
            found.append([" ".join(text_of(letter).split()) for letter in town.letters("ann")[before:]])
        return found

    return answers


def test_the_third_refusal_for_the_same_reason_is_the_last_until_something_succeeds_or_a_day_has_passed(town, refused):
    answers = refused("accept 91", "accept 92", "accept 91")
    assert [len(texts) for texts in answers] == [1, 1, 0]  # the same words are refused once
    words = ["what is this?", "who is there?", "hello hello", "anybody?"]
    answers = refused(*words)
    assert [len(texts) for texts in answers] == [1, 1, 1, 0]
    assert "third mail here" in answers[2][0] and "third mail here" not in answers[1][0]
    assert refused("games")[0] and len(refused("is it on?")[0]) == 1  # something succeeded, so it begins anew
    town.wait(hours=26)
    assert len(refused("anybody?")[0]) == 1


def test_mistakes_of_different_kinds_are_all_answered(refused):
    lines = ["accept 91", "renew 92", "rules plateaux", "block nobody7", "write nobody7: hello", "pause 99 days"]
    assert [len(texts) for texts in refused(*lines)] == [1] * 6


def test_who_is_to_move_is_answered_however_often_they_err(town, refused):
    town.match()
    turn = town.letter("ann")
    for number, rank in enumerate((4, 5, 6, 7, 8, 4, 5), start=1):
        town.wait(minutes=3)
        town.received.clear()
        town.answer(turn, f"c{rank}/f2=B")
        assert len(town.letters("ann")) == 1, number
    assert "third mail" not in text_of(town.letter("ann"))


def test_the_same_half_move_twice_is_answered_twice(game):
    town, _number = game
    turn = _turn(town, "ann")
    for count in (1, 2):
        town.answer(turn, "c3")
        assert len(town.letters("ann")) == count and "c3/" in text_of(town.letter("ann"))


def test_a_move_that_was_played_already_is_said_each_time(game):
    town, number = game
    turn = _turn(town, "ann")
    town.answer(turn, "c3/f2=B")
    for count in (1, 2, 3):
        town.answer(turn, "c3/f2=B")
        assert len(town.letters("ann")) == count
    assert town.moves(number) == ["c3/f2=B"]


def test_the_same_words_again_and_again_within_minutes_are_a_programs_and_end_in_silence(game):
    town, _number = game
    turn = _turn(town, "ann")
    for _time in range(6):
        town.answer(turn, "c9/f2=B")
    assert len(town.letters("ann")) == 3
    town.wait(minutes=11)
    town.answer(turn, "c9/f2=B")
    assert len(town.letters("ann")) == 4


def test_refusals_in_one_game_do_not_silence_another(town):
    town.join("ann", "bob", "cleo")
    town.match()
    bob = town.letters("ann")[-1]
    town.match(black="cleo")
    cleo = town.letter("ann")
    town.answer(bob, "c3/f2=B")
    for rank in (3, 4, 5, 6, 7):
        town.answer(bob, f"e{rank}/f2=B")
    before = len(town.letters("ann"))
    town.answer(cleo, "e9/f2=B")
    assert len(town.letters("ann")) == before + 1


def test_automatic_answers_to_one_stranger_are_limited(town):
    for _mail in range(30):
        town.mail("ann@example.org", DOOR, "help")
    assert len(town.letters("ann")) <= 10


def test_a_line_of_moves_is_tried_without_being_played(game):
    town, number = game
    town.answer(_turn(town, "ann"), "preview c3/f2=B c6/a7=B")
    assert town.moves(number) == [] and town.letters("bob") == []
    text = text_of(town.letter("ann"))
    assert "The board after c3/f2=B c6/a7=B; nothing was played." in text and "7  b  .  .  .  p" in text


@pytest.mark.parametrize(("line", "sentence"), [
    ("preview c3/f2=B c3/f2=B", "c3"),
    ("preview c9/f2=B", "is not a move"),
    ("preview c3", "which other die"),
])  # fmt: skip
def test_a_line_that_cannot_be_tried_is_told_where_it_fails(game, line, sentence):
    town, number = game
    town.answer(_turn(town, "ann"), line)
    text = text_of(town.letter("ann"))
    assert town.moves(number) == [] and sentence in text
    assert "Reply with a number" not in text


def test_where_something_is_hidden_one_tries_what_one_sees(town):
    town.join("ann", "bob")
    town.match("plateau")
    town.answer(_turn(town, "ann"), "preview +b1 xx,rb")
    assert town.moves(1) == [] and "The board after +b1 xx,rb; nothing was played." in text_of(town.letter("ann"))


def test_a_reply_address_ends_a_month_after_the_last_letter_about_a_game_that_is_over(town):
    town.join("ann", "bob")
    town.match()
    turn = town.letter("ann")
    box = reply_address(turn)
    town.wait(days=2)
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, 1, "bob"), now=town.time)

    def is_known():
        with db.reading(town.engine) as session:
            return mailbox.is_known(session, box, town.settings, now=town.time)

    town.wait(days=29)
    town.answer(turn, "Well played!")
    assert "Well played!" in text_of(town.letter("bob")) and is_known()
    town.wait(days=2)
    assert not is_known()
