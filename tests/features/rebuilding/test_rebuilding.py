"""Games written again from the letters that players hold, after the database is gone."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner
from flask.cli import ScriptInfo
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.archive import import_export
from correspondence.core.db import reading
from correspondence.core.signing import check_signature, make_new_key, signer_of
from correspondence.features.rebuilding.command import rebuild_command
from correspondence.features.rebuilding.mailboxes import read_mailbox
from correspondence.features.rebuilding.rebuild import rebuild
from correspondence.models import Match
from correspondence.models.loading import persons_of, players_of, position_of
from engines.verification.checks import ClaimState, check_record
from tests.sizes import examples
from tests.world import World, mail_world

GAMES = [("proteus-dice", {"roulette": "before"}), ("proteus-dice", {"wall_street": "secret", "roulette": "after"}),
         ("proteus-tiles", {}), ("duel", {"board": "sun"}), ("plateau", {})]  # fmt: skip


def play(town, number, plies, rng):
    """Random moves by mail: each answers the newest letter of the game that calls for one."""
    for _ply in range(plies):
        with reading(town.engine) as session:
            match = session.get_one(Match, number)
            position = position_of(match)
            if not position.to_act:
                return
            seat = position.to_act[0]
            name = persons_of(session, players_of(session, number))[seat].handle
        text = position.view(seat).write(seat, position.random_move(seat, rng))
        town.wait(minutes=rng.randrange(1, 90))
        letter = next(one for one in reversed(town.letters(name)) if f"<g{number}." in str(one["List-Id"]))
        assert town.answer(letter, text).startswith("done"), text


def resign(town, number, name):
    town.wait(minutes=7)
    letter = next(one for one in reversed(town.letters(name)) if f"<g{number}." in str(one["List-Id"]))
    town.answer(letter, "resign")
    town.wait(minutes=1)
    town.answer(town.letter(name), "yes")


def mailbox(letters):
    raw = [re.sub(rb"(?m)^(>*From )", rb">\1", letter.as_bytes()) for letter in letters]
    return b"".join(b"From MAILER-DAEMON Sat Nov 21 09:00:00 2026\n" + one + b"\n" for one in raw)


def letters_in(raw):
    return read_mailbox(io.BytesIO(raw)).letters


def exported(town, number):
    with reading(town.engine) as session:
        return import_export.export(session, number, signer_of(town.settings), now=town.time)


def essence(record):
    """A record without what no letter tells: the time each move took, comments, and the time control."""
    return re.sub(r"(?m)^\[(Terms|Date) .*\n|(?<=Z\]) .*$", "", record)


@pytest.fixture(scope="module")
def played_town(tmp_path_factory):
    """A town in which five games were played by mail to their ends; and the letters of each player."""
    folder = tmp_path_factory.mktemp("told")
    town, rng = mail_world(folder), random.Random(4)
    town.join("ann", "bob", receipts=True, text_only=True)
    for key, options in GAMES:
        number = town.match(key, **options)
        play(town, number, 9, rng)
        resign(town, number, rng.choice(["ann", "bob"]))
    yield town, {name: mailbox(town.letters(name)) for name in ("ann", "bob")}, folder
    town.close()


def keys(town):
    return [signer_of(town.settings).public_key]


@pytest.mark.parametrize("at", range(len(GAMES)), ids=[f"{key} {options}" for key, options in GAMES])
def test_a_game_is_the_same_record_again_from_the_letters_of_both(played_town, at):
    town, boxes, _folder = played_town
    games = rebuild([*letters_in(boxes["bob"]), *letters_in(boxes["ann"])], keys(town))
    game = games[at]
    assert (game.gaps, game.wrong) == ((), ())
    assert game.report.state == ClaimState.HOLDS, game.report.first_wrong
    assert essence(game.record) == essence(exported(town, at + 1))


def test_the_order_of_letters_does_not_matter_and_doubles_do_no_harm(played_town):
    town, boxes, _folder = played_town
    letters = [*letters_in(boxes["ann"]), *letters_in(boxes["bob"]), *letters_in(boxes["ann"])]
    first = [game.record for game in rebuild(letters, keys(town))]
    random.Random(2).shuffle(letters)
    assert [game.record for game in rebuild(letters, keys(town))] == first


def test_what_is_missing_is_named_and_nothing_is_made_up(played_town):
    town, boxes, _folder = played_town
    letters = [letter for letter in letters_in(boxes["ann"]) if letter.number == 4]
    without = [letter for letter in letters if not 4 <= letter.ply <= 8]
    game = rebuild(without, keys(town))[0]
    assert any(re.search(r"Entries 4 to \d+ are not in the letters", gap) for gap in game.gaps)
    assert not game.is_whole
    assert "\n4. " not in game.record
    assert "\n3. " in game.record
    assert check_record(game.record, check_signature).first_wrong is None


def test_a_forged_letter_is_named_and_nothing_of_it_is_taken(played_town):
    town, boxes, _folder = played_town
    raw = boxes["ann"]
    forged = re.sub(rb"ply=(\d+);", lambda found: b"ply=%d;" % (int(found[1]) + 1), raw, count=1)
    games = rebuild([*letters_in(forged), *letters_in(boxes["bob"])], keys(town))
    assert "no known key signed its head" in games[0].wrong[0] and games[0].report.state == ClaimState.HOLDS
    assert all(not game.wrong for game in games[1:])


def test_without_a_key_nothing_is_believed(played_town):
    _town, boxes, _folder = played_town
    games = rebuild(letters_in(boxes["ann"]), [])
    assert all(not game.record and "known key" in game.gaps[0] for game in games)


def test_words_for_the_dice_are_read_from_the_first_letters(tmp_path):
    town, rng = mail_world(tmp_path), random.Random(5)
    town.join("ann", receipts=True, text_only=True)
    town.join("bob", receipts=True, text_only=True, language="it")
    long = "a long walk in the rain, and back again by the other side of the river, " * 2
    town.agree("ann", f"challenge bob proteus-dice wall_street=open 3 days\nwords: {long}")
    town.answer(town.letter("bob"), "accetto\nparole: sotto la pioggia")
    play(town, 1, 6, rng)
    resign(town, 1, "bob")
    whole = exported(town, 1)
    assert long.strip() in whole
    assert "sotto la pioggia" in whole
    assert ": roll " in whole
    for names in (("ann", "bob"), ("bob", "ann")):
        for written in (list, as_earlier_letters):
            letters = [one for name in names for one in letters_in(mailbox(written(town.letters(name))))]
            [game] = rebuild(letters, [signer_of(town.settings).public_key])
            assert essence(game.record) == essence(whole)
    town.close()


def as_earlier_letters(letters):
    """The letters with the sentences that once stood above a player's own randomness."""
    for letter in letters:
        english = re.sub(r"Randomness from (\S+):", r"Words of \1 for the dice:", letter.get_content())
        letter.set_content(re.sub(r"Casualità di (\S+):", r"Parole di \1 per i dadi:", english))
        assert "Randomness" not in letter.get_content()
        yield letter


def test_a_running_game_stays_open_and_its_secrets_hidden(town):
    town.join("ann", "bob", receipts=True, text_only=True)
    number = town.match("plateau")
    play(town, number, 3, random.Random(1))
    game = rebuild(letters_in(mailbox(town.received)), keys(town))[0]
    assert game.report.state == ClaimState.OPEN
    assert "[Seed" not in game.record
    assert '[Result "*"]' in game.record
    assert game.record.count("\n1. ") == 1


def test_the_words_of_both_players_are_told_in_letters_and_the_draws_follow_from_them(town):
    town.join("ann", "bob", receipts=True, text_only=True)
    town.agree(
        "ann", "challenge bob proteus-dice roulette=before wall_street=open\nwords: a walk in the rain " + "ha " * 40
    )
    town.answer(town.letter("bob"), "accept\nwords: tra il “dire” e il fare, perché no; [%ts] | mare")
    play(town, 1, 24, random.Random(3))
    resign(town, 1, "ann")
    original = exported(town, 1)
    assert re.search(r'Words[01] "a walk', original)
    assert "tra il" in original
    assert re.search(r"\*: roll", original)
    game = rebuild(letters_in(mailbox(town.received)), keys(town))[0]
    assert game.is_whole and essence(game.record) == essence(original)


def test_a_move_that_was_taken_back_is_not_in_the_record(town):
    town.join("ann", "bob", receipts=True, text_only=True)
    number = town.match("duel")
    play(town, number, 5, random.Random(3))
    with reading(town.engine) as session:
        match = session.get_one(Match, number)
        last = next(p for p in persons_of(session, players_of(session, number))
                    if p.handle != _to_move(session, match))  # fmt: skip
    town.time += timedelta(minutes=5)
    town.answer(town.letter(last.handle), "takeback")
    other = {"ann": "bob", "bob": "ann"}[last.handle]
    town.time += timedelta(minutes=5)
    town.answer(town.letter(other), "takeback")
    assert town.stand(number).ply == 4
    play(town, number, 4, random.Random(9))
    resign(town, number, "ann")
    game = rebuild(letters_in(mailbox(town.received)), keys(town))[0]
    assert game.is_whole and essence(game.record) == essence(exported(town, number))


def _to_move(session, match):
    seat = position_of(match).to_act[0]
    return persons_of(session, players_of(session, match.id))[seat].handle


# -- how a game ended --------------------------------------------------------------------


@pytest.fixture
def resigned(town):
    """A game of six moves by mail that bob resigned, and all its letters."""
    town.join("ann", "bob", receipts=True, text_only=True)
    number = town.match("duel")
    play(town, number, 6, random.Random(3))
    resign(town, number, "bob")
    return town, letters_in(mailbox(town.received))


def test_the_proven_end_beats_heads_of_letters_that_are_dated_later(resigned):
    town, letters = resigned
    late = [replace(letter, at=letter.at + timedelta(days=9)) for letter in letters if letter.ply == 2]
    game = rebuild([*letters, *late], keys(town))[0]
    assert game.is_whole and essence(game.record) == essence(exported(town, 1))


def test_times_names_and_terms_come_back_with_the_end(resigned):
    town, letters = resigned
    assert rebuild(letters, keys(town))[0].record == exported(town, 1)


def test_without_a_signed_end_no_words_of_a_letter_end_a_game(resigned):
    town, letters = resigned
    game = rebuild([replace(letter, end=None) for letter in letters], keys(town))[0]
    assert '[Result "*"]' in game.record
    assert "resignation" not in game.record
    assert not game.is_whole
    assert "No letter proves how the game ended." in game.gaps


@pytest.mark.parametrize("change", [
    lambda end: ((end[0].replace("1-0", "0-1"), end[1])), lambda end: (end[0], "A" * 86 + "=="),
    lambda end: (end[0].replace("/games/1", "/games/2"), end[1]),
])  # fmt: skip
def test_an_end_that_was_not_signed_is_not_taken(resigned, change):
    town, letters = resigned
    forged = [replace(letter, end=change(letter.end)) if letter.end else letter for letter in letters]
    game = rebuild(forged, keys(town))[0]
    assert not game.is_whole and '[Result "*"]' in game.record


def test_the_record_of_another_game_that_is_attached_to_a_letter_is_ignored(resigned):
    town, letters = resigned
    other = town.match("duel")
    play(town, other, 4, random.Random(5))
    resign(town, other, "ann")
    attached = tuple(exported(town, other).splitlines())
    cheating = [replace(letter, lines=(*letter.lines, "", *attached)) for letter in letters if letter.ply == 2]
    for mailbox_of_a_cheat in ([*letters, *cheating], [letter for letter in [*letters, *cheating] if not letter.end]):
        game = rebuild(mailbox_of_a_cheat, keys(town))[0]
        assert "/games/2" not in game.record and "/games/1" in game.record
    assert rebuild([*letters, *cheating], keys(town))[0].record == exported(town, 1)


def test_two_signed_ends_that_differ_are_refused(resigned):
    town, letters = resigned
    last = next(letter for letter in letters if letter.end)
    text = last.end[0].replace("\n1-0\n", "\n0-1\n")
    other = replace(last, end=(text, signer_of(town.settings).sign_text(text.encode())[1]))
    game = rebuild([*letters, other], keys(town))[0]
    assert not game.record
    assert not game.is_whole
    assert "2 different ends" in game.gaps[0]


def test_comments_come_back_as_their_hashes(town):
    town.join("ann", "bob", receipts=True, text_only=True)
    number = town.match("duel")
    play(town, number, 2, random.Random(3))
    with reading(town.engine) as session:
        name = _to_move(session, session.get_one(Match, number))
        text = next(iter(position_of(session.get_one(Match, number)).legal_moves(0)))
        text = position_of(session.get_one(Match, number)).write(0, text)
    town.play(number, name, text, comment="A fine move, I think.")
    resign(town, number, "bob")
    game = rebuild(letters_in(mailbox(town.received)), keys(town))[0]
    assert game.is_whole
    assert "{comment " in game.record
    assert "fine move" not in game.record


# -- the command -------------------------------------------------------------------------


@pytest.fixture
def bare(played_town, tmp_path):
    """A new installation after the old one was lost, but for its signing key."""
    _town, boxes, folder = played_town
    world = World(tmp_path / "new", mail_domain="games.example", base_url="https://games.example")
    shutil.copy(folder / "signing_key", tmp_path / "new" / "signing_key")
    for name, raw in boxes.items():
        (tmp_path / f"{name}.mbox").write_bytes(raw)
    yield world, tmp_path
    world.close()


def run(world, *words):
    info = ScriptInfo(create_app=lambda: world.app)
    done = CliRunner().invoke(rebuild_command, [str(word) for word in words], obj=info)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_games_of_players_mailboxes_are_games_here_again_and_verify(bare, played_town):
    world, folder = bare
    status, output = run(world, folder / "bob.mbox", folder / "ann.mbox")
    assert status == 0, output
    assert output.count("Added: https://games.example/games/") == len(GAMES)
    page = world.client().get("/games/3/evidence").text
    assert "Verified: all checks have passed." in page
    files = sorted((folder / "new" / "rebuilt").iterdir())
    assert [file.name for file in files] == [f"game-{n}.record" for n in range(1, 6)]
    status, output = run(world, folder / "bob.mbox", folder / "ann.mbox")
    assert status == 0 and output.count("Not added: This game is already here") == len(GAMES)


def test_it_never_writes_over_a_game_that_still_runs(town, tmp_path):
    town.join("ann", "bob", receipts=True, text_only=True)
    number = town.match("duel")
    play(town, number, 4, random.Random(3))
    before = list(town.received)
    resign(town, number, "bob")
    (tmp_path / "all.mbox").write_bytes(mailbox(town.received))
    (tmp_path / "early.mbox").write_bytes(mailbox(before))
    world = World(tmp_path, mail_domain="games.example", base_url="https://games.example")
    with world.runtime.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE match SET ended_at = NULL, result = '*', reason = ''")
    status, output = run(world, tmp_path / "all.mbox", "--into", tmp_path / "out")
    assert status == 0 and "still runs here, and is left as it is" in output
    status, output = run(world, tmp_path / "early.mbox", "--into", tmp_path / "out")
    assert status == 3 and "Added" not in output
    world.close()


def test_exit_statuses_say_what_came_of_it(bare):
    world, folder = bare
    (folder / "none.mbox").write_bytes(b"From x\nSubject: hello\n\nnothing\n")
    assert run(world, folder / "none.mbox") == (2, f"{folder}/none.mbox: 1 messages, 0 letters of games.\n"
                                                  "There is no letter of a game in these files.\n")  # fmt: skip
    assert run(world, folder / "absent.mbox")[0] == 2
    (folder / "keys.json").write_text(json.dumps({"keys": 7}))
    status, output = run(world, folder / "ann.mbox", "--keys", folder / "keys.json")
    assert status == 1 and "is not a list of keys" in output
    forged = (folder / "ann.mbox").read_bytes().replace(b"hash=", b"hash=0", 1)
    (folder / "forged.mbox").write_bytes(forged)
    status, output = run(world, folder / "forged.mbox", folder / "bob.mbox")
    assert status == 1 and "Left out" in output


def test_a_key_of_another_server_marks_its_games_as_foreign(played_town, tmp_path):
    town, boxes, _folder = played_town
    world = World(tmp_path / "other")
    make_new_key(signer_of(world.settings))
    with world.runtime.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM signing_key")
    for name, raw in boxes.items():
        (tmp_path / f"{name}.mbox").write_bytes(raw)
    status, output = run(world, tmp_path / "ann.mbox", tmp_path / "bob.mbox")
    assert status == 1 and "known key" in output
    listed = {"keys": [{"key": keys(town)[0], "from": "2026-11-21", "until": None}]}
    (tmp_path / "keys.json").write_text(json.dumps(listed))
    status, output = run(world, tmp_path / "ann.mbox", tmp_path / "bob.mbox", "--keys", tmp_path / "keys.json")
    assert status == 0 and output.count("Added:") == len(GAMES)
    assert "signed elsewhere" in world.client().get("/games/1/evidence").text
    world.close()


# -- hostile mailboxes -------------------------------------------------------------------


@pytest.mark.parametrize("raw", [
    b"", b"From ", b"From x", b"\0" * 5_000_000, b"From a\n" * 50_000, b"X" * 3_000_000,
    b"From a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 9_000,
    b"From a\nCorrespondence-Head: ply=999999999999; hash=; sig=\nList-Id: <g1.games.x>\n\nhello\n",
    b"From a\nCorrespondence-Head: ply=1; hash=" + b"a" * 64 + b"; sig=" + b"A" * 86 + b"==\nList-Id: <g9.games.x>\n"
    b"Date: Sat, 99 Nov 99999 99:99:99 +9999\n\n" + b"[Game \"duel\"]\n" * 5_000,
])  # fmt: skip
def test_hostile_mailboxes_are_read_without_harm(raw):
    for game in rebuild(letters_in(raw), ["11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]):
        assert not game.record
        assert game.gaps
        assert all(gap.endswith(".") for gap in game.gaps)


@settings(max_examples=examples(25), deadline=None)
@given(st.binary(max_size=400), st.integers(0, 6_000))
def test_any_bytes_within_a_mailbox_raise_nothing(played_town, noise, at):
    town, boxes, _folder = played_town
    raw = boxes["ann"][:6_000]
    rebuild(letters_in(raw[:at] + noise + raw[at:]), keys(town))
