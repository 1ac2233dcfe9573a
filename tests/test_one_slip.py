"""A move with one slip, or with letters of another alphabet, is played or asked about, and never told as talk."""

from __future__ import annotations

import random

import pytest
from sqlmodel import select

from correspondence.core import db, tokens
from correspondence.core.lookalikes import in_latin
from correspondence.models import Move, Remark
from correspondence.models.loading import position_of
from tests.post import text_of

NEIGHBOURS = {
    "1": "2q", "2": "13w", "3": "24e", "4": "35r", "5": "46t", "a": "sz", "b": "vn", "c": "xv", "d": "sf", "e": "wr",
    "f": "dg", "g": "fh", "h": "gj", "@": "2!", "=": "-+", "/": ".-",
}  # fmt: skip


def slips(move, rng, count):
    """Some of the ways in which one key goes wrong."""
    found = set()
    for at, sign in enumerate(move):
        found |= {move[:at] + move[at + 1 :], move[:at] + sign + move[at:], move[:at] + "z" + move[at + 1 :]}
        found |= {move[:at] + other + move[at + 1 :] for other in NEIGHBOURS.get(sign.lower(), "")}
        found.add(move[:at] + move[at + 1 : at + 2] + sign + move[at + 2 :])
    return rng.sample(sorted(found - {move}), count)


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


@pytest.mark.parametrize("game", ["duel", "proteus-dice", "proteus-tiles", "plateau"])
def test_no_slip_of_a_key_is_told_to_the_opponent(town, game, is_thorough):
    town.join("ann", "bob", board="words")  # no pictures, which take most of the time of a long walk
    number, rng = town.match(game), random.Random(8)
    for _ in range(30 if is_thorough else 12):
        position = position_of(town.stand(number))
        if not position.to_act:
            break
        name, seat = ("ann", "bob")[position.to_act[0]], position.to_act[0]
        move = position.write(seat, position.view(seat).random_move(seat, rng))
        letter = next(one for one in reversed(town.letters(name)) if "Your move is due by" in text_of(one))
        outcome = town.answer(letter, slips(move, rng, 1)[0])
        assert outcome in ("done: refused", "done: played", "done: asked") and talk_in(town) == []
        if outcome != "done: played":
            town.answer(letter, move)
        town.wait(minutes=6)


@pytest.mark.parametrize(("typed", "meant"), [("3@1", "3@a1"), ("6@4c", "6@c4"), ("5@z3", "5@a3"), ("5@@a2", "5@a2")])
def test_a_slip_is_answered_with_the_moves_that_it_may_be_and_a_number_plays_one(town, typed, meant):
    town.join("ann", "bob")
    number = town.match("duel")
    town.received.clear()
    with db.reading(town.engine) as session:
        token = town.player(session, number, "ann").token_id
    address = f"r.{tokens.spell(town.settings.secret_key, token)}@games.example"
    town.mail("ann@example.org", address, typed)
    text = text_of(town.letter("ann"))
    offered = [row.split(") ")[1].strip() for row in text.splitlines() if row.startswith("  (")]
    assert offered
    assert talk_in(town) == []
    assert town.moves(number) == []
    town.answer(town.letter("ann"), "1")
    assert town.moves(number) == [offered[0]]
    assert meant in offered or len(offered) == 5


@pytest.mark.parametrize("typed", ["5@а2", "５@а2", "5 @ а2", "5@а２"])
def test_a_move_with_a_look_alike_is_that_move(town, typed):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), typed)
    assert town.moves(number) == ["5@a2"]


def test_a_command_with_a_look_alike_is_that_command(town):
    town.join("ann", "bob")
    town.match("duel")
    turn = town.letter("ann")
    assert town.answer(turn, "drаw") == "done: draw"
    assert town.answer(turn, "rеsign") == "done: resign"


@pytest.mark.parametrize(("line", "read"), [
    ("Вxh4/а7=N", "Bxh4/a7=N"), ("с3/f2=В", "c3/f2=B"), ("привет", "привет"), ("сор", "сор"), ("καλημέρα", "καλημέρα"),
    ("Hallo Jörg", "Hallo Jörg"), ("e4 — привет", "e4 — привет"), ("5@α2", "5@a2"),
])  # fmt: skip
def test_only_words_that_mix_alphabets_are_read_as_latin(line, read):
    assert in_latin(line) == read


@pytest.mark.parametrize("talk", ["See you at 5", "I am 3rd today", "ok", "2nd coffee", "back at 10:30", "привет, Bob"])
def test_talk_with_digits_is_talk(town, talk):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), talk)
    assert talk_in(town) == [talk] and town.moves(number) == []


@pytest.mark.parametrize("typed", ["3@1", "6@4c", "5@z3", "4@b2"])
def test_a_slip_while_the_other_is_to_move_is_told_to_its_writer_and_not_to_the_other(town, typed):
    town.join("ann", "bob")
    number = town.match("duel")
    town.play(number, "ann", "5@b3")
    town.received.clear()
    turn = town.answer(next_letter(town, number), typed)
    assert turn == "done: refused" and town.letters("bob") == []
    assert "turn" in " ".join(text_of(town.letter("ann")).split())
    town.wait(minutes=10)
    assert town.letters("bob") == []


def next_letter(town, number):
    """A letter of the game that Ann can answer, written now."""
    town.mail("ann@example.org", "play@games.example", f"show {number}")
    return town.letters("ann").pop()
