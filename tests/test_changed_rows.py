"""Whatever single thing is changed in the rows of a game or in the head of a letter, the checker names it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.core import db
from correspondence.core.signing import check_signature
from correspondence.models import Match, Move, Player, Seed
from engines.refusal import Refusal
from engines.verification.chain import signed_message
from engines.verification.checks import ClaimState, check_record
from tests.test_records import play_on, record

CASES = [("proteus-dice", {"roulette": "after", "wall_street": "open"}), ("plateau", {}),
         ("proteus-dice", {"wall_street": "secret"})]  # fmt: skip


@pytest.fixture(params=CASES, ids=lambda case: case[0] + "".join(case[1]))
def finished(world, request):
    world.join("ann"), world.join("bob")
    key, options = request.param
    form = {"game": key, "handle": "bob", "pace": "3", "words": "under a red umbrella", "seat": "0"}
    options = {f"option-{name}": value for name, value in options.items()}
    world.client("ann").post("/challenge", data={**form, **options})
    world.client("bob").post(f"/challenges/{world.offer()}/accept", data={"words": "blue socks"})
    play_on(world, 1, 9)
    world.resign(1, "bob")
    assert check_record(record(world, 1), check_signature).state == ClaimState.HOLDS
    return world


def flipped(text, at):
    """The text with one character changed."""
    return text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]


def is_named(world, change):
    """Whether the checker names what this change of rows did; the rows are as before afterwards."""
    with db.transaction(world.runtime.engine) as session:
        undo = change(session)
        session.flush()
    try:
        wrong = check_record(record(world, 1), check_signature).first_wrong
        return wrong is not None and wrong.sentence[-1] == "."
    except Refusal as error:
        return str(error)[-1] == "."
    finally:
        with db.transaction(world.runtime.engine) as session:
            undo(session)


def setting(model, number, name, value):
    """A change of one column of one row, which returns how to undo it."""

    def change(session):
        row = session.get_one(model, number)
        before = getattr(row, name)
        setattr(row, name, value)
        session.add(row)

        def undo(later):
            again = later.get_one(model, number)
            setattr(again, name, before)
            later.add(again)

        return undo

    return change


def rows(world, model):
    with db.reading(world.runtime.engine) as session:
        found = session.exec(select(model).where(col(model.match_id) == 1)).all()
        return sorted(found, key=lambda row: (getattr(row, "ply", 0), getattr(row, "seat", 0)))


def test_every_sign_of_every_move_and_its_seat_moment_and_seal(finished):
    unnamed = []
    for move in rows(finished, Move):
        places = range(0, len(move.text), max(1, len(move.text) // 3))
        changes = {f"text {at}": ("text", flipped(move.text, at)) for at in places}
        changes["seat"] = ("seat", 1 - move.seat if move.seat >= 0 else 0)
        changes["moment"] = ("at", move.at + timedelta(seconds=1))
        if move.seal:
            changes["seal"] = ("seal", flipped(move.seal, 5))
        for what, (name, value) in changes.items():
            if not is_named(finished, setting(Move, move.id, name, value)):
                unnamed.append((move.ply, what))
    assert unnamed == []


def test_the_head_the_game_its_options_and_its_seed(finished):
    last = rows(finished, Move)[-1]
    assert is_named(finished, setting(Move, last.id, "hash", flipped(last.hash, 7)))
    for name, value in {"version": 9, "game": "duel", "options": "polarity=yes", "result": "1/2-1/2"}.items():
        assert is_named(finished, setting(Match, 1, name, value)), name
    secret = rows(finished, Seed)[0].secret
    for at in range(0, len(secret), 7):
        changed = secret[:at] + bytes([secret[at] ^ 1]) + secret[at + 1 :]
        assert is_named(finished, setting(Seed, 1, "secret", changed)), at


def test_the_words_of_a_player_where_dice_followed_from_them(finished):
    """One changed sign gives another first roll in 29 of 30 cases, so some change of each player's words is named."""
    if "roll" not in rows(finished, Move)[0].text:
        return
    for player in rows(finished, Player):
        changes = (setting(Player, player.id, "words", flipped(player.words, at)) for at in range(3))
        assert any(is_named(finished, change) for change in changes), player.seat


def test_every_sign_of_the_head_of_a_letter(town):
    town.join("ann", "bob")
    town.match("duel")
    head = str(town.letter("ann")["Correspondence-Head"])
    assert holds(town, head)
    assert [
        at for at in range(len(head)) if holds(town, flipped(head, at)) or holds(town, head[:at] + head[at + 1 :])
    ] == []


def holds(town, head):
    """Whether the signature of a letter's head is ours, for the first game here."""
    from correspondence.core.signing import signer_of

    read = re.fullmatch(r"ply=(0|[1-9]\d*); hash=([0-9a-f]{64}); sig=([A-Za-z0-9+/]{86}==)", head)
    if read is None:
        return False
    message = signed_message("https://games.example/games/1", int(read[1]), read[2])
    return bool(check_signature(signer_of(town.settings).public_key, read[3], message))
