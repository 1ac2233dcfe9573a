"""Every game, played to its end by answering letters, with options chosen in the challenge."""

from __future__ import annotations

import random
import re

import pytest

from correspondence.core import db
from correspondence.models import loading
from correspondence.render import raster
from engines import GAMES
from engines.base import CHANCE
from tests.conftest import SMALL
from tests.post import html_of, text_of
from tests.sizes import more

DOOR = "play@games.example"
MOST_LETTERS = 400
TABLES = [
    more("proteus-dice", ""),
    ("proteus-dice", "roulette=before trade_off=yes"),
    ("proteus-dice", "roulette=after polarity=yes warhorses=yes pawn_double=first"),
    more("proteus-dice", "wall_street=open"),
    ("proteus-dice", "wall_street=secret polarity=yes"),
    ("proteus-tiles", "repetition=draw"),
    ("duel", "board=sun"),
    ("plateau", ""),
]


def lively_move(position, seat, rng):
    """A legal move drawn at random, one that captures if a few tries find it: so that games come to their end."""
    moves = [position.random_move(seat, rng) for _try in range(8)]
    return next((move for move in moves if "x" in position.write(seat, move)), moves[0])


def whole_game(town, number, seed, monkeypatch):
    """Answer every letter that asks for a move with a legal move, until the game is over."""
    rng, full = random.Random(seed), raster.BOARD_SCALE
    for place in range(MOST_LETTERS):
        monkeypatch.setattr(raster, "BOARD_SCALE", SMALL if place % 4 else full)
        with db.reading(town.engine) as session:
            match = session.get(town.stand(number).__class__, number)
            if match.ended_at is not None:
                return match
            position = loading.position_of(match)
            seat = rng.choice(position.to_act)
            player = loading.players_of(session, number)[seat]
            name = loading.persons_of(session, [player])[0].handle
        seen = position.view(seat)
        move = lively_move(seen, seat, rng)
        letter = next(one for one in reversed(town.letters(name)) if f"[Game {number}" in str(one["Subject"]))
        assert "your move on the first line" in text_of(letter)
        outcome = town.answer(letter, seen.write(seat, move))
        assert outcome == "done: played", (outcome, text_of(town.letter(name)))
    return town.stand(number)


@pytest.mark.parametrize(("key", "options"), TABLES, ids=lambda value: value or "-")
def test_a_whole_game_is_played_by_answering_letters(town, monkeypatch, key, options):
    town.join("ann")
    town.join("bob", text_only=True)
    town.agree("ann", f"challenge bob {key} {options} 3 days")
    assert all(option in text_of(town.letter("bob")) for option in options.split())
    town.answer(town.letter("bob"), "accept")
    match = whole_game(town, 1, 3, monkeypatch)
    assert sorted(match.options.split()) == sorted(options.split())
    if match.ended_at is not None:
        for name in ("ann", "bob"):
            assert text_of(town.letter(name)).startswith(("You won", "You lost", "The game is over."))
    assert html_of(town.letter("ann")) and town.letter("bob").get_body(("html",)) is None
    with db.reading(town.engine) as session:
        entries = loading.entries_of(loading.moves_of(session, 1))
        assert GAMES[key].start(loading.options_of(match)) is not None and len(entries) == match.ply
    assert all(len(letter.as_bytes()) <= 60_000 for letter in town.received)


def test_a_puzzle_is_played_alone_by_mail(town):
    town.join("ann")
    town.agree("ann", "puzzle")
    letter = town.letter("ann")
    assert "[Game 1] " in str(letter["Subject"])
    with db.reading(town.engine) as session:
        match = session.get(type(town.stand(1)), 1)
        position = loading.position_of(match)
        assert loading.entries_of(loading.moves_of(session, 1))[0].seat == CHANCE
    move = position.write(0, next(iter(position.legal_moves(0))))
    assert town.answer(letter, move) == "done: played"
    assert town.stand(1).ply == 2
    assert "Your move is due by" in text_of(town.letter("ann"))


def test_hints_by_mail_solve_a_puzzle(town):
    town.join("ann")
    town.agree("ann", "puzzle")
    for _step in range(12):
        if town.stand(1).ended_at is not None:
            break
        turn = town.letter("ann")
        town.answer(turn, "hint")
        step = re.search(r"A step of a solution: (\S+)", text_of(town.letter("ann")))[1]
        assert town.answer(turn, step) == "done: played"
    assert town.stand(1).result == "1-0"
    assert "Solved." in text_of(town.letter("ann"))


def test_secrets_of_plateau_are_in_no_letter_to_the_opponent(town):
    town.join("ann", "bob")
    town.match("plateau")
    town.answer(town.letter("ann"), "+b1 xx,rb\nHello")
    text = text_of(town.letter("bob"))
    assert "ann played +b1 ??,r?" in text
    assert "Black: +b1 xx,rb" not in text
    assert "Hello" in text
    assert "??,r?" in html_of(town.letter("bob"))
    assert all("Bxx" not in part for part in (text, html_of(town.letter("bob"))))


def test_a_sealed_army_is_told_to_nobody_until_all_lies_open(town):
    town.join("ann", "bob")
    town.match("proteus-dice", wall_street="open")
    town.answer(town.letter("ann"), "army QPPPPPPP")
    town.mail("bob@example.org", DOOR, "history 1")
    assert "QPPPPPPP" not in "".join(letter.as_string() for letter in town.letters("bob"))
    assert "army ????????" in text_of(town.letter("bob"))


def test_words_with_a_sealed_choice_arrive_when_all_choices_are_in(town):
    town.join("ann", "bob")
    town.match("proteus-dice", wall_street="open")
    town.answer(town.letter("ann"), "army QPPPPPPP\nI hope for rain.")
    assert not any("I hope for rain" in letter.as_string() for letter in town.letters("bob"))
    town.answer(town.letter("bob"), "army PPPPPPPP\nI hope for snow.")
    texts = {name: text_of(town.letter(name)) for name in ("ann", "bob")}
    with db.reading(town.engine) as session:
        first = loading.persons_of(session, loading.players_of(session, 1))[
            loading.position_of(town.stand(1)).to_act[0]
        ]
    other = "I hope for snow." if first.handle == "ann" else "I hope for rain."
    assert other in texts[first.handle]
