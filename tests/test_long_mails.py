"""Long mails: what the games read of them is bounded, and what was not looked at is asked about, never passed on."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest
from sqlmodel import select

from bench import long_mails
from correspondence.core import db
from correspondence.mime.limits import LINE_LIMIT
from correspondence.models import Match, Move, Remark
from correspondence.models.loading import position_of
from correspondence.play.conditional import plan_commands, syntax
from engines import GAMES
from engines.base import Position
from tests.post import text_of

MOST_READ = 40
"""How many times games may parse a text because of one mail."""


@pytest.fixture
def watched(monkeypatch):
    """Functions that are told each text that a game is asked to read or to parse; nothing is changed by it."""
    watchers = []

    def watch(kind, name):
        known = getattr(kind, name)

        def watching(position, seat, text):
            for watcher in watchers:
                watcher(name, text)
            return known(position, seat, text)

        monkeypatch.setattr(kind, name, watching)

    watch(Position, "read")
    for game in GAMES.values():
        watch(type(game.start(game.Options())), "parse")
    return watchers


@pytest.fixture
def read(watched):
    """What games were asked to read, and what they parsed of it."""
    texts = {"read": [], "parse": []}
    watched.append(lambda name, text: texts[name].append(text))
    return texts


@pytest.mark.parametrize("name", long_mails.TABLES)
def test_no_mail_makes_a_game_read_more_than_forty_texts(tmp_path, read, name, is_thorough):
    desk = long_mails.Desk(tmp_path, *long_mails.TABLES[name])

    def texts_read(lines):
        for texts in read.values():
            texts.clear()
        desk.seconds(lines)
        return max(map(len, read.values()))

    rounds = 60 if is_thorough else 8
    lines = long_mails.worst_mail(desk.position, texts_read, random.Random(name), rounds=rounds, length=200)
    assert 0 < texts_read(lines) <= MOST_READ
    assert 0 < texts_read([*lines, *(f"bar {place}" for place in range(1_800))]) <= MOST_READ


@pytest.mark.parametrize("name", long_mails.TABLES)
def test_no_plan_makes_a_game_read_more_than_forty_texts(tmp_path, read, name):
    desk = long_mails.Desk(tmp_path, *long_mails.TABLES[name])
    move, plan = move_and_plan(desk.position, random.Random(name))
    wrong = [f"{line}, if {place} then e5" for place, line in enumerate(plan)]
    for lines in (plan, wrong, [*plan[:5], *long_mails.WORDS], ["How are you?", *wrong, *plan]):
        for texts in read.values():
            texts.clear()
        desk.seconds([move, *lines])
        assert 0 < max(map(len, read.values())) <= MOST_READ


@pytest.mark.parametrize("game", ["proteus-dice", "proteus-tiles", "duel"])
def test_two_plans_that_answer_one_another_make_a_game_read_no_more(town, read, game):
    begin(town, game)
    with db.transaction(town.engine) as session:
        position = position_of(session.get_one(Match, town.number))
        moves = alternating_moves(position, syntax.DEEPEST + 4)
        plan_commands.enter(session, town.player(session, town.number, "bob"), plan_of(moves[:-4]), now=town.time)
    for texts in read.values():
        texts.clear()
    assert town.answer(town.turn, f"{moves[0]}\n{plan_of(moves[1:-3])}") == "done: played"
    assert town.moves(town.number) == moves[: syntax.DEEPEST + 1]
    assert max(map(len, read.values())) <= MOST_READ


def alternating_moves(position, count):
    """The beginning of a game at random, as text, in which nobody moves twice in a row."""
    for seed in range(100):
        rng, moves, now = random.Random(seed), [], position
        while now.to_act == (len(moves) % 2,) and len(moves) < count:
            (seat,) = now.to_act
            moves.append(now.write(seat, move := now.random_move(seat, rng)))
            now = now.after(seat, move)
        if len(moves) == count:
            return moves
    raise AssertionError("no such game was found")


def plan_of(moves):
    """The plan of the side that answers these moves in turn."""
    return ", ".join(f"if {move} then {answer}" for move, answer in zip(moves[::2], moves[1::2], strict=True))


def move_and_plan(position, rng):
    """A move of the side to move, and forty lines that answer what its opponent may play."""
    seat = position.to_act[0]
    view = position.view(seat)
    move = view.random_move(seat, rng)
    after, lines = position.after(seat, move), []
    for _line in range(40 if after.to_act == (1 - seat,) else 0):
        expected = after.random_move(1 - seat, rng)
        then = after.after(1 - seat, expected)
        answer = then.write(seat, then.random_move(seat, rng)) if seat in then.to_act else "e5"
        lines.append(f"if {after.write(1 - seat, expected)} then {answer}")
    return view.write(seat, move), lines or ["if e5 then e6"] * 40


def test_plan_lines_beyond_those_that_were_read_are_given_back(town):
    begin(town, "duel")
    with db.reading(town.engine) as session:
        move, plan = move_and_plan(position_of(session.get_one(Match, town.number)), random.Random(2))
    assert town.answer(town.turn, "\n".join([move, *plan])) == "done: played"
    answer = " ".join(text_of(town.letter("ann")).split())
    assert "At most 16 moves can be planned at a time" in answer
    assert all(f"· {line}" in answer for line in plan[20:])
    with db.reading(town.engine) as session:
        kept = plan_commands.plan_view(session, town.player(session, town.number, "ann")).lines
    assert 0 < len(kept) <= 8


class Neighbour:
    """Another process with the same database, which tries to write while a game reads a text."""

    def __init__(self, engine, *, writes):
        self.engine, self.end = engine, "COMMIT" if writes else "ROLLBACK"
        self.may_write = []

    def __call__(self, _name, _text):
        with closing(sqlite3.connect(self.engine.url.database, timeout=0, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("UPDATE person SET board = board")
                connection.execute(self.end)
            except sqlite3.OperationalError:
                self.may_write.append(False)
            else:
                self.may_write.append(True)


LONG_TALK = [f"How are you today? {'na' * (place % 60)}" for place in range(LINE_LIMIT)]


@pytest.mark.parametrize("name", long_mails.TABLES)
def test_games_read_long_mails_while_others_may_write(tmp_path, watched, name):
    desk = long_mails.Desk(tmp_path, *long_mails.TABLES[name])
    neighbour = Neighbour(desk.engine, writes=False)
    lines = long_mails.worst_mail(desk.position, len, random.Random(name), rounds=1, length=200)
    watched.append(neighbour)
    for words in (lines, LONG_TALK):
        desk.process(words)
    assert neighbour.may_write
    assert all(neighbour.may_write)


def test_a_move_that_is_read_while_somebody_else_writes_is_played_once(town, watched):
    begin(town, "proteus-dice")
    neighbour = Neighbour(town.engine, writes=True)
    watched.append(neighbour)
    assert town.answer(town.turn, "c3/f2=B\n\nGood luck!") == "done: played"
    assert town.moves(town.number).count("c3/f2=B") == 1
    assert talk_in(town) == ["Good luck!"]
    assert neighbour.may_write[0]


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


def begin(town, game, **options):
    town.join("ann", "bob")
    town.number = town.match(game, **options)
    town.turn = town.letter("ann")
    town.received.clear()


@pytest.mark.parametrize("line", ["bar baz", "How are you today?"])
@pytest.mark.parametrize("game", ["plateau", "duel", "proteus-dice", "proteus-tiles"])
def test_a_long_mail_of_talk_is_passed_on_up_to_its_limit(town, game, line):
    begin(town, game)
    town.answer(town.turn, "\n".join(f"{line} {'na' * (place % 60)}" for place in range(LINE_LIMIT)))
    assert [len(talk) for talk in talk_in(town)] == [4_000] and town.letters("bob") != []


@pytest.mark.parametrize("place", [0, 45, 199, 1_500])
def test_a_secret_among_many_doubtful_lines_is_never_passed_on(town, place):
    begin(town, "proteus-dice", wall_street="secret")
    faces = random.Random(4)
    lines = [f"{''.join(faces.choices('PBNRQY', k=8))} {number}" for number in range(LINE_LIMIT)]
    lines[place] = "setup PPPQPPPP is mine"
    town.answer(town.turn, "\n".join(lines))
    assert talk_in(town) == [] and town.letters("bob") == []
    assert "pass these words on" not in text_of(town.letter("ann"))


def test_doubtful_lines_beyond_those_looked_at_are_asked_about(town):
    begin(town, "duel")
    lines = [f"{1 + place % 8} then on {'abcd'[place % 4]}{1 + place // 8 % 4}" for place in range(200)]
    assert town.answer(town.turn, "\n".join(["Hello!", *lines])) == "done: asked"
    assert talk_in(town) == []
    assert town.moves(town.number) == []
    assert "199" not in text_of(town.letter("ann"))
