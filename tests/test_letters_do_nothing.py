"""Whatever a mail program makes of our letters, no line of them is a move or a command that would do anything."""

from __future__ import annotations

import random

import pytest

from correspondence.commands import CommandError, InvalidCommand, Other, looks_like_move, read_line
from correspondence.core import db, tokens
from correspondence.models.loading import position_of
from correspondence.outbound.letters import wrapped
from engines import GAMES
from tests.post import text_of
from tests.sizes import in_turn

ASKED = ["9@z9", "zz/zz=Q", "show", "history", "record", "games", "seeks", "letters", "settings", "help", "partners",
         "ratings", "plan", "draw", "takeback", "pause 3 days"]  # fmt: skip


def does_something(line):
    try:
        command = read_line(line)
    except CommandError as error:
        command = InvalidCommand(line, str(error))
    return not isinstance(command, (Other, InvalidCommand)) or looks_like_move(line)


@pytest.mark.parametrize(("game", "options"), [
    ("proteus-dice", {}), ("proteus-dice", {"roulette": "before"}), ("proteus-tiles", {}), ("duel", {}),
    ("plateau", {}),
], ids=str)  # fmt: skip
def test_no_line_of_a_letter_is_executable(town, game, options, is_thorough):
    town.join("ann", "bob")
    number, rng = town.match(game, **options), random.Random(5)
    lines = in_turn(ASKED, len(game), at_once=len(ASKED) // 2, is_thorough=is_thorough)
    for at, question in enumerate(lines):
        position = position_of(town.stand(number))
        seat = position.to_act[0]
        name = ("ann", "bob")[seat]
        move = position.write(seat, position.view(seat).random_move(seat, rng))
        more = (f"I think of {move}", f"preview {move}", f"rules {game}") if at % 4 == 0 else ()
        for body in (question, *more, f"draw\n{move}\nresign"):
            town.mail(*_reply(town, number, name, body))
    town.wait(minutes=6)
    lines = {(str(letter["Subject"]), line) for letter in town.received for line in text_of(letter).splitlines()}
    assert [line for line in lines if does_something(line[1])] == []


def _reply(town, number, name, body):
    with db.reading(town.engine) as session:
        token = tokens.spell(town.settings.secret_key, town.player(session, number, name).token_id)
    return f"{name}@example.org", f"r.{token}@games.example", body


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("width", range(40, 80))
def test_the_notation_is_broken_so_that_no_move_stands_alone(game, width):
    rows = wrapped(game.notation, width).splitlines()
    assert all(len(row) <= width or " " not in row for row in rows)
    assert [row for row in rows if looks_like_move(row)] == []
    assert " ".join(wrapped(game.notation, width).split()) == " ".join(game.notation.split())
