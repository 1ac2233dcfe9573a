"""A digest shows each game that waits, and is answered with a line for each: one mail, one answer, lines in order."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from correspondence.accounts import relations
from correspondence.core import db
from correspondence.models.loading import position_of
from correspondence.ops.worker import sweep_digests
from correspondence.play import matches
from correspondence.render.board_text import board_text
from engines import spoken
from engines import text as boards
from tests.post import html_of, reply_address, text_of


@pytest.fixture
def club(town):
    """Ann, who wants one letter a day and receipts, is to move in game 1 (dice), game 2 (Duel) and game 3 (dice)."""
    town.join("ann", digest="daily", receipts=True)
    town.join("bob", "cleo")
    for game, black in (("proteus-dice", "bob"), ("duel", "cleo"), ("proteus-dice", "cleo")):
        town.match(game, black=black)
    town.digest = daily(town)
    town.received.clear()
    return town


def daily(town):
    town.wait(hours=24)
    sweep_digests(town.runtime)
    town.deliver()
    return next(letter for letter in reversed(town.letters("ann")) if kind(letter) == "digest")


def kind(letter):
    return str(letter["Feedback-ID"]).split(":")[0]


def flat_text(letter):
    return " ".join(text_of(letter).split())


def lines_of(letter):
    return [line.rstrip() for line in text_of(letter).splitlines()]


@pytest.mark.parametrize("form", ["words", "braille"])
def test_a_digest_and_its_answers_show_boards_in_the_form_that_their_reader_chose(town, form):
    town.join("ann", digest="daily", receipts=True, board=form)
    town.join("bob")
    numbers = [town.match("duel"), town.match("proteus-dice")]
    digest = daily(town)
    for number in numbers:
        scene = position_of(town.stand(number)).scene(0)
        assert set(map(str.rstrip, board_text(scene, form, 0).splitlines())) <= set(lines_of(digest))
        assert not set(filter(None, boards.render(scene, bottom=0).splitlines()[1:5])) & set(lines_of(digest))
        if form == "words":
            assert f"<li>{spoken.sentences(scene)[0]}</li>" in html_of(digest)
    town.received.clear()
    assert town.answer(digest, "1: 5@b3\n2: c3/f2=B").startswith("done")
    scene = position_of(town.stand(1)).scene(0)
    text = " ".join(flat_text(one) for one in town.letters("ann"))
    assert " ".join(board_text(scene, form, 0).split()) in text.replace("· ", "").replace("| ", "")


def test_a_digest_shows_the_board_of_each_game_and_an_address_for_the_move(club):
    for number in (1, 2, 3):
        board = boards.render(position_of(club.stand(number)).scene(0), bottom=0)
        assert board.splitlines()[1].rstrip() in lines_of(club.digest)
        links = re.findall(rf"mailto:(r\.\w+@\S+?)\?subject=(game%20{number}\S*?)(?=[\s\"])", text_of(club.digest))
        assert links == [(reply_address(club.digest), f"game%20{number}%2C%20move%201")]
        assert f"subject=game%20{number}" in html_of(club.digest)
    assert "Reply with: " in flat_text(club.digest) and "Game" not in str(club.digest["Subject"])


def test_a_reply_with_a_line_for_each_game_plays_each_and_has_one_answer_in_their_order(club):
    club.answer(club.digest, "3: c3/f2=B\n2: 5@b3\n1: c9/f2=B")
    assert [club.moves(number) for number in (1, 2, 3)] == [[], ["5@b3"], ["c3/f2=B"]]
    (answer,) = club.letters("ann")
    words = flat_text(answer)
    places = [words.index(name) for name in ("Game 3 against cleo", "Game 2 against cleo", "Game 1 against bob")]
    assert places == sorted(places)
    assert words.count("Played:") == 2
    assert words.count("cleo has") == 2


def test_a_game_in_the_answer_that_needs_another_word_is_settled_by_a_number(club):
    club.answer(club.digest, "1: c3/f2\n2: 5@b3")
    answer = club.letter("ann")
    number, line = re.search(r"\((\d+)\) game 1: (c3/\S+)", text_of(answer)).groups()
    club.answer(answer, number)
    assert club.moves(1) == [line]


def test_the_address_of_a_game_in_a_digest_plays_there(club):
    link = re.search(r"mailto:\S*game%202\S*", text_of(club.digest))[0]
    parts = urlsplit(link)
    club.mail("ann@example.org", unquote(parts.path), "5@b3", subject=parse_qs(parts.query)["subject"][0])
    assert club.moves(2) == ["5@b3"] and "[Game 2 vs cleo]" in str(club.letter("ann")["Subject"])


def test_lines_between_the_quoted_games_play_each(club):
    quoted = text_of(club.digest).replace("\r\n", "\n").splitlines()
    body = []
    for line in quoted:
        body.append(f"> {line}")
        if "/games/1" in line and "settings" not in line:
            body.append("1: c3/f2=B")
        if "/games/2" in line:
            body.append("2: 5@b3")
    club.answer(club.digest, "On Sunday Correspondence wrote:\n" + "\n".join(body))
    assert (club.moves(1), club.moves(2)) == (["c3/f2=B"], ["5@b3"])


def test_a_digest_of_yesterday_plays_nothing_on_the_board_of_today(club):
    club.time += timedelta(minutes=1)
    club.play(2, "ann", "5@b3")
    position = position_of(club.stand(2))
    club.play(2, "cleo", position.write(1, next(iter(position.view(1).legal_moves(1)))))
    position = position_of(club.stand(2))
    move = position.write(0, next(iter(position.view(0).legal_moves(0))))
    club.answer(club.digest, f"2: {move}")
    assert len(club.moves(2)) == 2 and "you played 5@b3 there" in flat_text(club.letter("ann"))
    club.received.clear()
    link = re.search(r"mailto:\S*game%202\S*", text_of(club.digest))[0]
    club.mail("ann@example.org", reply_address(club.digest), move, subject=parse_qs(urlsplit(link).query)["subject"][0])
    assert len(club.moves(2)) == 2


def test_a_digest_with_one_game_is_answered_with_a_bare_move(town):
    town.join("ann", digest="daily")
    town.join("bob")
    town.match()
    town.answer(daily(town), "c3/f2=B")
    assert town.moves(1) == ["c3/f2=B"]


def test_a_digest_tells_no_move_without_its_game_and_asks_which(club):
    club.answer(club.digest, "c3/f2=B")
    assert club.moves(1) == club.moves(3) == []
    assert "(1) game 1: c3/f2=B (against bob)" in flat_text(club.letter("ann"))


def test_what_stands_below_the_first_ten_lines_of_an_answer_is_named_as_not_read(club):
    lines = [f"2: 5@b{rank}" for rank in (9, 9, 9, 9, 9, 9, 9, 9, 9, 9)]
    club.answer(club.digest, "\n".join([*lines, "3: c3/f2=B"]))
    assert club.moves(3) == [] and "· 3: c3/f2=B" in text_of(club.letter("ann"))


def test_a_digest_of_very_many_games_and_much_news_stays_below_60_kb_and_says_what_is_missing(town, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 100)
    town.join("ann", digest="daily")
    others = [f"opponent-{letter}-{'x' * 6}" for letter in "abcdefghjkmnp"]
    town.join(*others)
    for number in range(60):
        town.match(random.Random(number).choice(["plateau", "proteus-tiles", "duel"]), black=others[number % 13])
    for number in range(1, 31):
        with db.transaction(town.engine) as session:
            player = town.player(session, number, others[(number - 1) % 13])
            matches.say(session, player, "è una bella giornata. " * 150, now=town.time, is_meant=True)
    letter = daily(town)
    assert len(letter.as_bytes()) < 60_000
    assert "60 games wait for your move" in str(letter["Subject"]) and "There is more news" in flat_text(letter)
    assert "more games wait for your move" in flat_text(letter)


def test_a_board_in_a_digest_shows_what_its_reader_may_see(town):
    town.join("ann", "bob", digest="daily")
    town.match("plateau")
    rng = random.Random(3)
    for _ply in range(3):
        position = position_of(town.stand(1))
        seat = position.to_act[0]
        town.play(1, ("ann", "bob")[seat], position.write(seat, position.view(seat).random_move(seat, rng)))
    position = position_of(town.stand(1))
    reader = position.to_act[0]
    town.wait(hours=24)
    sweep_digests(town.runtime)
    town.deliver()
    letter = town.letter(("ann", "bob")[reader])
    mine, theirs = (boards.render(position.scene(seat), bottom=reader) for seat in (reader, 1 - reader))
    assert kind(letter) == "digest" and mine in text_of(letter).replace("\r\n", "\n")
    assert mine != theirs and theirs not in text_of(letter).replace("\r\n", "\n")


def test_the_moment_of_a_digest_is_what_its_reader_saw(club):
    club.time += timedelta(minutes=1)
    club.answer(club.digest, "2: 5@b3")
    club.answer(club.digest, "2: 5@b3")
    assert club.moves(2) == ["5@b3"] and "already been played" in flat_text(club.letter("ann"))
