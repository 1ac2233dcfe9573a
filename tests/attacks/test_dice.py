"""Russian Roulette: nobody chooses what a die shows, whatever they send with the move and however it fails."""

from __future__ import annotations

from functools import cache

import pytest
from sqlmodel import col, select

from correspondence.core import db
from correspondence.core.tokens import spell
from correspondence.inbound import mailbox
from correspondence.models import Inbound, InboundState, Letter, Person, Player, Remark, Seed
from correspondence.models.loading import moves_of
from correspondence.play import after_move, game_letters, record_moves
from correspondence.play.conditional import plans
from engines import GAMES
from engines.base import CHANCE, MoveError
from engines.chance import ChanceStream
from engines.options import read_options
from tests.world import KEY

OPENING = ("b3/c1=B", "c5/g7=B", "e3/c1=N", "a6/g7=N", "g3/b3=B", "f6/g7=R", "Bc4/c1=R", "h6/g7=Q")
CAPTURE = "Bg8^/a1=Y"
FACES = "YPBNRQ"
LOT = len(OPENING) + 2


@pytest.fixture
def table(world):
    """White is about to capture, so that a die will be thrown; `drawn` lists every draw, committed or not."""
    world.begin("before a capture", OPENING, lambda: play_opening(world))
    return world


def play_opening(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("proteus-dice", roulette="after")
    for ply, text in enumerate(OPENING):
        world.play(1, ("ann", "bob")[ply % 2], text)


@pytest.fixture
def drawn(monkeypatch):
    """Every lot that is drawn, whether or not it is committed: the numbers of the entries."""
    numbers, draw = [], record_moves.play_chance

    def watched(position, seed, ply, words):
        position, steps = draw(position, seed, ply, words)
        numbers.extend(range(ply, ply + len(steps)))
        return position, steps

    monkeypatch.setattr(record_moves, "play_chance", watched)
    return numbers


def record(world):
    with db.reading(world.runtime.engine) as session:
        return [move.text for move in moves_of(session, 1)]


def fate(world):
    """The face that the seed of the match holds for the throw after the capture."""
    with db.reading(world.runtime.engine) as session:
        face = ChanceStream(session.get_one(Seed, 1).secret, LOT).choice(FACES)
    return f"{{{face}}}"


@cache
def line_for(face):
    """A line of a plan that is possible if the die shows `face`, and with as few other faces as can be.

    A pyramid does nothing that a bishop could not do as well; every other face has a line of its own.
    """
    game = GAMES["proteus-dice"]
    before = game.start(read_options(game.Options, {"roulette": "after"}))
    for ply, text in enumerate((*OPENING, CAPTURE)):
        before = before.play(ply % 2, before.read(ply % 2, text))
    after = {shown: before.play(CHANCE, before.read(CHANCE, f"{{{shown}}}")) for shown in FACES}
    lines = {}
    for move in list(after[face].legal_moves(1))[:3]:
        here = after[face].after(1, move)
        for reply in here.legal_moves(0) if here.to_act == (0,) else ():
            text, answer = after[face].write(1, move), here.write(0, reply)
            if "g8" in answer or answer.startswith(face):
                lines[text, answer] = sum(reads(after[other], text, answer) for other in FACES)
    return min(lines, key=lines.get)


def reads(position, text, answer):
    try:
        here = position.play(1, position.read(1, text))
        here.play(0, here.read(0, answer))
    except MoveError:
        return False
    return True


# -- ways to send a move ---------------------------------------------------------------


def by_page(world, text, *, comment="", plan=""):
    form = {"move": text, "comment": comment, "plan": plan, "ply": str(len(OPENING)), "takebacks": "0"}
    return world.client("ann").post("/games/1/move", data=form)


def by_mail(world, text, *, comment="", plan=""):
    body = "\n".join(part for part in (text, plan, comment) if part)
    with db.reading(world.runtime.engine) as session:
        person = session.exec(select(Person).where(Person.handle == "ann")).one()
        player = session.exec(select(Player).where(col(Player.person_id) == person.id)).one()
        number = len(session.exec(select(Inbound.id)).all())
    to = f"r.{spell(KEY, player.token_id)}@{world.runtime.settings.mail_domain}"
    raw = (
        f"From: ann@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\nSubject: Re: your game\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
    mailbox.store_message(world.runtime.engine, raw.encode(), to, "ann@example.org", now=world.clock())
    drain(world)


def drain(world):
    mailbox.drain(world.runtime.engine, world.runtime.settings, now=world.clock(), rng=world.runtime.rng)


WAYS = {"page": by_page, "mail": by_mail}


def plan_for(face):
    return "if {} then {}".format(*line_for(face))


# -- the attack of the audit -----------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("wanted", FACES)
def test_a_plan_for_one_face_alone_does_not_bring_that_face(table, drawn, way, wanted):
    for _again in range(6):
        WAYS[way](table, CAPTURE, plan=plan_for(wanted))
    assert record(table)[len(OPENING) :] == [CAPTURE, fate(table)]
    assert drawn == [LOT]


@pytest.mark.parametrize("way", WAYS)
def test_the_move_stands_the_plan_alone_is_refused_and_the_player_reads_both(table, way):
    wrong = next(face for face in "QR" if f"{{{face}}}" != fate(table))
    answer = WAYS[way](table, CAPTURE, plan=plan_for(wrong))
    if way == "mail":
        with db.reading(table.runtime.engine) as session:
            text = session.exec(select(Letter).where(col(Letter.kind) == "answer")).one().text
    else:
        assert answer.status_code == 200
        text = answer.text
        assert line_for(wrong)[1] in text  # what was typed is kept
    assert "Bg8^/a1=Y" in text and "cannot be planned" in text


@pytest.mark.parametrize("way", WAYS)
def test_a_plan_that_fits_the_face_is_armed_with_the_move(table, way):
    WAYS[way](table, CAPTURE, plan=plan_for(fate(table)[1]))
    table.play(1, "bob", line_for(fate(table)[1])[0])
    assert record(table)[-1] == line_for(fate(table)[1])[1]


# -- every refusal that can come with a move -------------------------------------------

COMPANIONS = {
    "a plan that breaks off": {"plan": "if e6"},
    "a plan that is no plan": {"plan": "if then if then"},
    "a plan without end": {"plan": "if e6 then d4; " * 900},
    "a plan of the wrong side": {"plan": "if a2=P then a2=B"},
    "words without end": {"comment": "word " * 4000},
    "an address": {"comment": "write to ann@example.org"},
    "a token": {"comment": "r.aaaaaaaaaaaaaaaaaaaaaaaaaa@localhost"},
    "control characters": {"comment": "\x00\x07‮"},
    "a second act": {"comment": "draw"},
    "a resignation": {"comment": "resign"},
    "a second move": {"comment": "a3/a2=B"},
    "a challenge that is refused": {"comment": "challenge nobody duel"},
    "a challenge of oneself": {"comment": "challenge ann duel"},
    "an acceptance of nothing": {"comment": "accept 99"},
    "a setting that is none": {"comment": "settings colour blue"},
    "a preview": {"comment": "preview a3"},
    "a plan that would go on": {"comment": "plan on"},
    "a takeback": {"comment": "takeback"},
    "a pause": {"comment": "pause 99 days"},
    "a yes to nothing": {"comment": "yes"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("companion", COMPANIONS)
def test_no_companion_of_a_move_undoes_the_throw(table, drawn, way, companion):
    WAYS[way](table, CAPTURE, **COMPANIONS[companion])
    entered = record(table)[len(OPENING) :]
    assert entered[:2] in ([], [CAPTURE, fate(table)])
    assert drawn == [LOT] * (len(entered) // 2), "a lot was drawn and undone"
    if not entered:  # refused before anything was drawn: the move by itself is possible, and shows what it would have
        WAYS[way](table, CAPTURE)
        assert record(table)[len(OPENING) :] == [CAPTURE, fate(table)]


@pytest.mark.parametrize("way", WAYS)
def test_a_blocked_muted_or_talkative_opponent_changes_no_throw(table, drawn, way):
    with db.transaction(table.runtime.engine) as session:
        ann = session.exec(select(Person).where(Person.handle == "ann")).one()
        for _word in range(60):
            session.add(Remark(match_id=1, person_id=ann.id, ply=8, text="hm", at=table.clock()))
    WAYS[way](table, CAPTURE, comment="and one word more", plan=plan_for("Q"))
    assert record(table)[len(OPENING) :] == [CAPTURE, fate(table)] and drawn == [LOT]


# -- crashes ---------------------------------------------------------------------------

CRASHES = {
    "while entering": (record_moves, "enter"),
    "at the plan": (plans, "note_own_move"),
    "while plans answer": (after_move, "continue_play"),
    "at the letter": (game_letters, "turn"),
}


@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("where", CRASHES)
def test_a_crash_after_the_draw_and_a_second_try_show_the_same_face(table, monkeypatch, way, where, refuses):
    module, name = CRASHES[where]
    table.app.config["PROPAGATE_EXCEPTIONS"] = False
    with monkeypatch.context() as broken:
        broken.setattr(module, name, _raising(MoveError("That is refused.") if refuses else OSError("disk full")))
        answer = WAYS[way](table, CAPTURE)
    assert record(table) == list(OPENING)
    if way == "page":
        assert answer.status_code == 500 and "refused" not in answer.text  # not told as if another move would help
        by_page(table, CAPTURE)
    else:
        with db.transaction(table.runtime.engine) as session:
            for message in session.exec(select(Inbound)):
                assert message.state != InboundState.DONE
        table.clock.go(hours=1)
        drain(table)
    assert record(table)[len(OPENING) :] == [CAPTURE, fate(table)]


def _raising(error):
    def fails(*_given, **_named):
        raise error

    return fails


# -- a plan that throws ----------------------------------------------------------------


@pytest.mark.parametrize("crashes", [False, True])
def test_the_die_that_a_plan_throws_is_the_one_of_the_seed_too(world, monkeypatch, crashes):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("proteus-dice", roulette="after")
    for ply, text in enumerate(OPENING[:-1]):
        world.play(1, ("ann", "bob")[ply % 2], text)
    world.client("ann").post("/games/1/plan", data={"lines": f"if {OPENING[-1]} then {CAPTURE}", "ply": "7"})
    if crashes:
        with monkeypatch.context() as broken, pytest.raises(OSError):
            broken.setattr(game_letters, "planned", _raising(OSError("disk full")))
            broken.setattr(game_letters, "turn", _raising(OSError("disk full")))
            world.play(1, "bob", OPENING[-1])
        assert record(world) == list(OPENING[:-1])
    world.play(1, "bob", OPENING[-1])
    assert record(world)[len(OPENING) :] == [CAPTURE, fate(world)]
