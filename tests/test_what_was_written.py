"""What somebody wrote is done line by line, in order, with one answer; what they struck out or hid was not written."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Move, Remark
from tests.post import html_of, reply_address, text_of
from tests.replies import clients

ASKED = "One mail can do only one thing in a game"


@pytest.fixture
def duel(town):
    """Ann is to place a die; what came before is forgotten."""
    town.join("ann", "bob")
    town.number = town.match("duel")
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


def in_html(town, page, plain=""):
    """An answer to the letter of ann's turn, written as HTML."""
    raw = clients.mail(plain, f"<html><body>{page}</body></html>", "8bit")
    town.put(raw.replace(b"ann@post.example", b"ann@example.org"), reply_address(town.turn))
    return town.sweep()


# -- one answer, lines in order ------------------------------------------------------


@pytest.mark.parametrize("second", ["resign", "draw", "6@b2", "takeback", "pause 3 days"])
def test_of_a_move_and_what_acts_too_the_move_is_played_and_the_other_asked_about_in_one_letter(duel, second):
    assert duel.answer(duel.turn, f"5@a2\n{second}") == "done: played"
    assert duel.moves(duel.number) == ["5@a2"]
    answer = " ".join(text_of(duel.letter("ann")).split())
    assert len(duel.letters("ann")) == 1
    assert answer.index("Played: 5@a2") < answer.index(f"> {second} {ASKED}")


def test_to_resign_and_to_move_gets_one_letter_that_asks_about_both(duel):
    assert duel.answer(duel.turn, "resign\n5@a2") == "done: resign"
    assert duel.moves(duel.number) == [] and len(duel.letters("ann")) == 1
    letter = duel.letter("ann")
    for part in (text_of(letter), html_of(letter)):
        assert part.index("Do you really resign") < part.index("5@a2") < part.index(ASKED)
    duel.answer(letter, "yes")
    assert duel.stand(duel.number).result == "0-1"


def test_a_question_beside_a_resignation_is_answered_in_the_letter_that_asks_back(duel):
    duel.answer(duel.turn, "games\nresign")
    assert len(duel.letters("ann")) == 1
    text = text_of(duel.letter("ann"))
    assert "Do you really resign" in text and "Your games:" in text


def test_commands_and_moves_are_answered_in_the_order_in_which_they_stand(duel):
    duel.answer(duel.turn, "5@a2\ngames\nrules duel\ndraw")
    text = text_of(duel.letter("ann"))
    order = [text.index(words) for words in ("Played: 5@a2", "Your games:", "/rules/duel", "> draw")]
    assert len(duel.letters("ann")) == 1 and order == sorted(order)


def test_resigning_a_game_that_is_over_is_refused_in_one_letter_with_the_other_answers(duel):
    duel.answer(duel.turn, "resign")
    duel.answer(duel.letter("ann"), "yes")
    duel.received.clear()
    assert duel.answer(duel.turn, "games\nresign") == "done: refused"
    assert len(duel.letters("ann")) == 1


# -- courtesy ------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    "accept\n\nThanks for asking!", "accept\nThank you, I look forward to it", "accept, thanks", "accept please",
    "accept\n\nCheers\nBob", "accept. Thank you!", "Accept - thanks", "accept\nThis will be a good game, I am sure",
])  # fmt: skip
def test_thanks_below_or_behind_an_accept_need_no_second_letter(town, words):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel 3 days")
    challenge = town.letter("bob")
    town.received.clear()
    assert town.answer(challenge, words) == "done: accept"
    assert len(town.letters("bob")) <= 1
    assert not any(re.search("anks|Thank|Cheers|good game", text_of(letter)) for letter in town.received)


@pytest.mark.parametrize(("words", "is_told"), [
    ("Hi Bob, fancy a game of this?", True), ("Shall we play at the weekend?", True),
    ("Hi Bob", False), ("Thanks for this lovely service!", False),
])  # fmt: skip
def test_a_sentence_beside_a_challenge_is_said_to_reach_nobody(town, words, is_told):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob plateau 3 days")
    town.answer(town.letter("ann"), f"challenge bob duel 3 days\n{words}")
    assert ("were not passed on to anybody" in text_of(town.letter("ann"))) is is_told
    assert words not in text_of(town.letter("bob"))


@pytest.mark.parametrize("line", ["resign, please", "please", "thanks", "I resign myself to losing, thanks"])
def test_courtesy_alone_or_in_prose_is_no_command(duel, line):
    duel.answer(duel.turn, line)
    assert (duel.outcome() == "done: resign") is line.startswith("resign")


def test_a_short_line_that_is_no_command_is_still_answered_beside_one_that_was_done(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel seat=white 3 days")  # so that bob begins
    challenge = town.letter("bob")
    town.received.clear()
    town.answer(challenge, "accept\nfoobar")
    assert any("foobar" in text_of(letter) for letter in town.letters("bob"))


@pytest.mark.parametrize(("first", "sentence"), [
    ("games", "asks you to play Duel"), ("accept 77", "No challenge number 77"),
])  # fmt: skip
def test_lines_that_are_no_commands_are_named_in_the_letter_that_is_written_anyway(town, first, sentence):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel seat=black 3 days")
    challenge = town.letter("bob")
    town.received.clear()
    town.answer(challenge, f"{first}\nfoobar\nThanks!\n")
    [answer] = [" ".join(text_of(letter).split()) for letter in town.letters("bob")]
    assert sentence in answer
    assert "> foobar We don't know this command." in answer
    assert "Thanks" not in answer
    town.received.clear()
    town.answer(challenge, "games\nfoobar\nbarfoo\n")
    [answer] = [" ".join(text_of(letter).split()) for letter in town.letters("bob")]
    assert "> foobar > barfoo" in answer and "We don't know these commands." in answer


@pytest.mark.parametrize("first", ["accept", "decline"])
def test_other_words_beside_an_answer_ask_again(town, first):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel seat=black 3 days")
    challenge = town.letter("bob")
    town.received.clear()
    town.answer(challenge, f"{first}\nfoobar\nThanks!\n")
    [answer] = [" ".join(text_of(letter).split()) for letter in town.letters("bob")]
    assert "a clear answer" in answer
    assert "> foobar" in answer
    assert "accept, or decline" in answer
    town.answer(town.letter("bob"), first)
    assert (town.stand(1) is not None) is (first == "accept")


# -- struck out and hidden -----------------------------------------------------------


@pytest.mark.parametrize("page", [
    "<s>5@a2</s>", "<del>5@a2</del>", "<strike>5@a2</strike>", "<S>5@a2</S>", "<div><s>5@a2</s></div>",
    '<span style="text-decoration:line-through">5@a2</span>', '<p style="text-decoration: underline line-through">5@a2</p>',
    '<span style="TEXT-DECORATION-LINE : Line-Through">5@a2</span>', "<s><div>5@a2</div></s>", "<s><b>5@a2</s></b>",
])  # fmt: skip
def test_what_was_struck_out_is_not_played_even_where_the_plain_part_does_not_show_it(duel, page):
    assert in_html(duel, f"{page}<div>Let me think.</div>", plain="5@a2\nLet me think.\n") == "done: said"
    assert duel.moves(duel.number) == [] and talk_in(duel) == ["Let me think."]


def test_a_correction_on_the_same_line_is_played(duel):
    in_html(duel, "<div><s>6@b2</s> 5@a2</div>")
    assert duel.moves(duel.number) == ["5@a2"]


def test_a_word_that_was_struck_out_breaks_no_line_in_two(duel):
    in_html(duel, "<div>I will not play <del>6@b2 nor</del> 5@a2</div>")
    assert duel.moves(duel.number) == []
    assert "> I will not play 5@a2" in text_of(duel.letter("ann"))


def test_of_a_mail_that_is_struck_out_altogether_nothing_is_done(duel):
    in_html(duel, "<s>5@a2</s>", plain="5@a2\n")
    assert duel.moves(duel.number) == [] and "no text of your own" in text_of(duel.letter("ann"))


@pytest.mark.parametrize("hidden", [
    'style="display:none"', 'style="display: none !important"', 'style="visibility:hidden"', "hidden", 'hidden=""',
    'style="font-size:0"', 'style="font-size:0px;line-height:0"', 'style="font-size:1px"', 'style="mso-hide:all"',
    'style="color:#fff;background:#FFFFFF"', 'style="color:white;background-color:rgb(255, 255, 255)"',
    'style="color:transparent"', 'style="color:rgba(9,9,9,0)"', 'style="opacity:0"',
    'style="max-height:0px;overflow:hidden"', 'style="position:absolute;left:-9999px"', 'style="text-indent:-999em"',
])  # fmt: skip
@pytest.mark.parametrize("tag", ["div", "span", "p", "td"])
def test_what_cannot_be_seen_is_not_played(duel, hidden, tag):
    assert in_html(duel, f"<{tag} {hidden}>5@a2</{tag}><div>Hello</div>") == "done: said"
    assert duel.moves(duel.number) == [] and talk_in(duel) == ["Hello"]


@pytest.mark.parametrize("seen", [
    'style="font-size:16px"', 'style="font-size:small"', 'style="font-size:0.9em"', 'style="opacity:0.9"', 'style=""',
    'style="color:#fff;background:#000"', 'style="color:white"', 'style="height:0"', 'style="text-decoration:none"',
    'style="overflow:hidden"', 'style="visibility:visible"', 'style="left:-3px"', 'style="color:rgba(1.2.3"',
])  # fmt: skip
def test_what_can_be_seen_is_played(duel, seen):
    in_html(duel, f"<div {seen}>5@a2</div>")
    assert duel.moves(duel.number) == ["5@a2"]


# -- above, below and between --------------------------------------------------------


@pytest.mark.parametrize("client", clients.CLIENTS)
@pytest.mark.parametrize("form", ["plain", "html"])
def test_a_remark_below_the_quotation_is_told_beside_a_move_above_it(duel, client, form):
    typed = ["5@a2", "That took me a while."]
    plain = clients.plain_reply(client, "en", "around", text_of(duel.turn).replace("\r\n", "\n"), typed)
    html = clients.html_reply(client, "en", "around", html_of(duel.turn), typed)
    raw = clients.mail(plain if form == "plain" else "", html if form == "html" else "", "8bit")
    duel.put(raw.replace(b"ann@post.example", b"ann@example.org"), reply_address(duel.turn))
    assert duel.sweep() == "done: played"
    assert duel.moves(duel.number) == ["5@a2"] and talk_in(duel) == ["That took me a while."]


@pytest.mark.parametrize("footer", [
    "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    "This message and any attachments are confidential and intended solely for the addressee.",
    "CONFIDENTIALITY NOTICE: if you are not the intended recipient, delete it.",
    "Questo messaggio e gli eventuali allegati sono riservati.",
    "Diese E-Mail enthält vertrauliche Informationen.",
])  # fmt: skip
@pytest.mark.parametrize("mark", ["", "> "])
def test_what_a_mail_server_adds_below_is_not_told(duel, footer, mark):
    quoted = "\n".join((mark + row).rstrip() for row in text_of(duel.turn).splitlines())
    duel.answer(duel.turn, f"5@a2\n\nHello!\n\n{quoted}\n\n{footer}\n")
    assert duel.moves(duel.number) == ["5@a2"] and talk_in(duel) == ["Hello!"]
