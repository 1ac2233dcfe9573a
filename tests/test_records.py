"""Records: written, read back, replayed, and found out when changed."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.archive.record_file import RecordError, read_record, verify
from correspondence.core.db import reading
from correspondence.core.signing import check_signature, signer_of
from correspondence.models import Match, Move
from correspondence.models.loading import moves_of, position_of
from correspondence.queries.queries import record_of
from engines.base import CHANCE
from engines.verification.checks import check_record
from engines.verification.command import print_report, read_file
from engines.verification.record_text import read_text
from tests.games import CASES


def play_on(world, number, plies, seed=1):
    """Random legal moves, each by whoever is to act."""
    rng, names = random.Random(seed), {0: "ann", 1: "bob"}
    for _ply in range(plies):
        with reading(world.runtime.engine) as session:
            match = session.get_one(Match, number)
            if match.ended_at is not None:
                return
            position = position_of(match)
        seat = rng.choice(position.to_act)
        text = position.view(seat).write(seat, position.random_move(seat, rng))
        world.clock.go(minutes=rng.randrange(1, 600))
        world.play(number, names[seat], text, comment=rng.choice(["", "so\nbe it \\ or ; not", "[%emt 0:00:01] hm"]))


def record(world, number, person=None):
    runtime = world.runtime
    with reading(runtime.engine) as session:
        return record_of(session, number, person, signer=signer_of(runtime.settings), now=runtime.now())


@pytest.fixture
def finished(world):
    world.join("ann"), world.join("bob")
    number = world.match("duel", board="sun")
    play_on(world, number, 9)
    world.resign(number, "bob")
    return world, number


@pytest.mark.parametrize("case", [case for case in CASES if case.key != "duel-puzzle"], ids=str)
def test_a_record_read_back_is_the_game_that_was_played(world, case):
    world.join("ann"), world.join("bob")
    number = world.match(case.key, **case.options)
    play_on(world, number, 12)
    world.resign(number, "ann")
    proved = verify(record(world, number))
    with reading(world.runtime.engine) as session:
        moves = moves_of(session, number)
    assert [(e.seat, e.text) for e in proved.entries] == [(m.seat, m.text) for m in moves]
    assert [n.comment for n in proved.notes] == [m.comment for m in moves]
    assert [n.at for n in proved.notes] == [m.at.replace(microsecond=0) for m in moves]
    assert [n.spent for n in proved.notes] == [timedelta(seconds=m.spent) for m in moves]
    assert proved.handles == ("ann", "bob") and proved.hash == moves[-1].hash
    assert {e.seat for e in proved.entries} <= {CHANCE, 0, 1}


def test_the_record_says_who_played_what_and_how_it_ended(finished):
    world, number = finished
    text = record(world, number)
    for tag in ('[Game "duel"]', '[Options "board=sun"]', '[Black "ann"]', '[White "bob"]', '[Result "1-0"]',
                '[Reason "resignation"]', '[Date "2026.11.21"]', '[Words0 ""]', '[Words1 ""]', '[Seals ""]', '[Chain "2"]',
                '[Terms "bank=864000 increment=129600 cap=864000"]'):  # fmt: skip
        assert tag in text.splitlines()
    assert re.search(r"^1\. Black: \S+ ; \[%ts 2026-11-21T[0-9:]+Z\] \[%emt \d+:\d\d:\d\d\]", text, re.M)


@pytest.mark.parametrize(("before", "line_end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_byte_order_mark_and_windows_line_ends_are_no_fault(finished, tmp_path, capsys, before, line_end):
    world, number = finished
    text = record(world, number)
    file = tmp_path / "game.record"
    file.write_bytes((before + text.replace("\n", line_end)).encode())
    saved = read_file(file)
    key = read_text(saved).tags["EndKey"]
    assert check_record(saved, check_signature) == check_record(text, check_signature)
    assert print_report(saved, check_signature, [key]) == 0 and "Verified" in capsys.readouterr().out
    assert verify(saved).hash == verify(text).hash


def test_a_changed_move_breaks_the_chain(finished):
    text = record(*finished)
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("1. "))
    lines[at] = re.sub(r"[1-8]@", lambda found: "8@" if found[0] != "8@" else "7@", lines[at], count=1)
    with pytest.raises(RecordError, match=r"changed|cannot be played"):
        verify("\n".join(lines))


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('[Result "1-0"]', '[Result "1/2-1/2"]', "does not explain"),
    ('[Result "1-0"]', '[Result "2-0"]', "A result can be"),
    ('[Game "duel"]', '[Game "go"]', "no game “go”"),
    ('[Version "1"]', '[Version "9"]', "version 9"),
    ("board=sun", "board=moon", "board"),
    ('[Black "ann"]\n', "", "Black"),
    ('[Game "duel"]\n', "", "Game"),
    ("1. Black:", "1. Green:", "read as an entry"),
    ("2. White:", "3. White:", "Found entry 3 where entry 2 should be"),
    ('[Terms "bank', '[Terms "tank', "terms"),
    ("[%ts 2026-11-21T", "[%ts 2026-13-41T", "time"),
    ('[Hash "', '[Mash "', "missing: Hash"),
])  # fmt: skip
def test_what_cannot_be_read_or_proved_is_told_in_a_sentence(finished, old, new, sentence):
    text = record(*finished)
    assert old in text
    with pytest.raises(RecordError, match=sentence) as refused:
        verify(text.replace(old, new, 1))
    assert str(refused.value)[-1] in ".?!"


def test_a_game_that_ended_by_its_rules_cannot_claim_another_end(world):
    world.join("ann"), world.join("bob")
    number = world.match("duel")
    play_on(world, number, 400)
    text = record(world, number)
    assert verify(text).reason == read_record(text).reason != "resignation"
    with pytest.raises(RecordError, match="According to its moves"):
        verify(re.sub(r'\[Reason "[^"]*"\]', '[Reason "resignation"]', text))


def test_while_it_runs_secrets_and_the_seed_stay_out_of_the_record(world):
    ann, bob = world.join("ann"), world.join("bob")
    number = world.match("plateau")
    play_on(world, number, 6)
    with reading(world.runtime.engine) as session:
        secret = [m.text for m in session.exec(select(Move)) if m.seat == 0 and m.text.startswith("+")]
    assert all(f": {text} ;" in record(world, number, ann.id) for text in secret)
    for viewer in (bob.id, None):
        shown = record(world, number, viewer)
        assert "[Seed" not in shown and not any(f": {text} ;" in shown for text in secret)
    assert read_record(record(world, number)).result == "*"
    world.resign(number, "bob")
    assert verify(record(world, number)).result == "1-0"


def test_words_with_a_move_are_for_the_players_until_the_end(world):
    world.join("ann"), world.join("bob")
    number = world.match("duel")
    world.play(number, "ann", "5@b3", comment="hello bob")
    assert "hello bob" not in record(world, number)
    assert "hello bob" in record(world, number, 2)
    world.resign(number, "bob")
    assert "hello bob" in record(world, number)
