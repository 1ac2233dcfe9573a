"""The signed end of a game: what it covers, who keeps it, what changes it, and what is never taken for it."""

from __future__ import annotations

import base64
import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from hashlib import sha256

import pytest
from click.testing import CliRunner
from flask.cli import ScriptInfo
from sqlmodel import col, select

from correspondence.archive import import_export
from correspondence.archive.import_export import import_record
from correspondence.community import erasure
from correspondence.core.db import reading, transaction
from correspondence.core.signing import check_signature, make_new_key, signer_of
from correspondence.fairness import ends, keys
from correspondence.fairness.ends import Signature
from correspondence.mime.policy import WIRE
from correspondence.models import ImportedRecord, Match, Move, Player, SignedEnd
from correspondence.models.loading import UNBEGUN
from correspondence.ops.cli import verify_command
from correspondence.play import game_end
from engines.verification.chain import first_hash, undated_hash
from engines.verification.checks import ClaimState, check_record
from engines.verification.ending import GameEnd, comments_hash, read_end, times_hash, words_line
from engines.verification.record_text import AGREEMENT
from engines.verification.signatures import end_of
from tests.operators import act, appoint, undo
from tests.test_records import play_on, record
from tests.world import World

HEAD = "c3b48c2e031637bda4a7f904e8bd6276326e65c83c44476d4f26e707a6b20c9b"
TIMES = "a83604051aeefea86fefb5103987ba0a03a84e75895617c7820759620ee2d1b2"
COMMENTS = "f224d25628221c41c1f6308de08697831aeabc9ed753c4875cbeebc8fbe3c2bd"
END_TAGS = r'(?m)^\[(Ended|EndKey|End|Amended) ".*"\]\n'


# -- the known answers of the contract ---------------------------------------------------


def test_the_known_answers_of_times_and_comments():
    assert times_hash(["0:31:00", "2:00:00"]) == TIMES
    assert comments_hash(["Hello!", ""]) == COMMENTS
    assert comments_hash([f"{{comment {sha256(b'Hello!').hexdigest()}}}"]) == COMMENTS


@pytest.mark.parametrize(("end", "answer"), [
    (GameEnd(
        "https://games.example.org/games/1", 2, HEAD, "1-0", "resignation", "2026-11-22T13:00:00Z", ("ann", "bob"), "2026.11.22",
        "Casual game", "", "", "10 days + 36 hours a move, at most 10 days", words_line(["a walk in the rain", ""]), TIMES,
        COMMENTS,
    ), "09f2ac71f903dec616a30a36f698007657fe1be32628708de71035f72175d942"),
    (GameEnd(
        "https://games.example.org/games/2", 0, HEAD, "*", "called off: nobody moved", "2026-11-22T13:00:00Z",
        ('ann "the ace"',), "2026.11.22", "Casual game", "", "", "", words_line([]), times_hash([]), comments_hash([]),
        "2026-11-23T09:00:00Z annulled",
    ), "0dba98ab8ac2bcf811cd81f1af17344910ffc62e4c999d67fbf3ff7f0475de8a"),
])  # fmt: skip
def test_the_known_answers_of_the_signed_text(end, answer):
    assert sha256(end.text.encode()).hexdigest() == answer
    assert read_end(end.text) == end


def test_texts_of_another_form_are_no_ends():
    end = GameEnd("s", 0, HEAD, "1-0", "", "", ("ann",), "", "", "", "", "", "", "", "")
    for text in ("", "end-1", end.text.replace("end-1", "end-2"), end.text.replace("\n0\n", "\n-1\n"), "\n" * 40):
        assert read_end(text) is None


# -- signed once, when the game ends -----------------------------------------------------


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo", "olga")
    return world


def played(world, plies=5, game="duel"):
    number = world.match(game)
    play_on(world, number, plies)
    return number


def rows_of(world, number):
    with reading(world.engine) as session:
        query = select(SignedEnd).where(col(SignedEnd.match_id) == number).order_by(col(SignedEnd.number))
        return session.exec(query).all()


def report_on(world, text):
    with reading(world.engine) as session:
        return check_record(text, check_signature, keys.own(session, signer_of(world.settings)))


def changed_by_game_end(world, number, result, reason):
    with transaction(world.engine) as session:
        match = session.get_one(Match, number)
        if reason == UNBEGUN:
            game_end.end_by_service(session, match, result, reason, now=world.time)
        else:
            game_end.finish(session, match, result, reason, world.time)


@pytest.mark.parametrize(("result", "reason", "plies"), [
    ("1-0", "resignation", 5), ("1/2-1/2", AGREEMENT, 4), ("0-1", "time", 3), ("*", UNBEGUN, 0),
])  # fmt: skip
def test_every_end_is_signed_once_and_the_record_proves_it_whole(club, result, reason, plies):
    number = played(club, plies)
    club.clock.go(hours=1)
    changed_by_game_end(club, number, result, reason)
    text = record(club, number)
    assert text == record(club, number) and len(rows_of(club, number)) == 1
    assert report_on(club, text).state == ClaimState.HOLDS, report_on(club, text).findings
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))
    assert tags["Ended"] == f"{club.time:%Y-%m-%dT%H:%M:%SZ}" and (tags["Result"], tags["Reason"]) == (result, reason)


def test_games_that_end_by_their_rules_are_signed_too(club):
    number = played(club, 400)
    assert report_on(club, record(club, number)).state == ClaimState.HOLDS


def test_a_game_that_goes_on_has_no_end(club):
    text = record(club, played(club))
    assert not re.search(END_TAGS, text)
    early = report_on(club, text.replace("[Chain", '[Ended "2026-11-21T13:00:00Z"]\n[Chain')).first_wrong
    assert early.claim == "end" and early.line


# -- what is not proven complete ------------------------------------------------------------


@pytest.fixture
def finished(club):
    number = played(club, 6)
    with transaction(club.engine) as session:
        silent = session.exec(select(Move).where(col(Move.ply) == 3)).one()
        silent.comment = ""
        session.add(silent)
    running = record(club, number)
    club.clock.go(hours=1)
    club.resign(number, "bob")
    return club, number, running, record(club, number)


def cut(text, running, entries):
    """A finished record as if it had ended earlier, with all that an earlier record of it proves."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', running, re.M))
    lines = [line for line in text.splitlines() if not re.match(rf"({entries + 1}|\d\d)\. ", line)]
    changed = "\n".join(lines) + "\n"
    for name in ("Hash", "Signature", "Key"):
        changed = re.sub(rf'(?m)^\[{name} ".*"\]$', f'[{name} "{tags[name]}"]', changed)
    return changed


def test_a_record_cut_at_an_earlier_signed_head_is_not_proven_whole(club):
    number = played(club, 5)
    running = record(club, number)
    play_on(club, number, 1, seed=5)
    club.resign(number, "bob")
    changed = cut(record(club, number), running, 5)
    for forged in (changed, re.sub(END_TAGS, "", changed)):
        report = report_on(club, forged)
        states = {finding.claim: finding.state.value for finding in report.findings}
        assert states["chain"] == states["signature"] == "holds" and states["end"] == "wrong"
        assert "not proven complete: the end is not signed" in report.first_wrong.sentence


def old_style(text):
    """The record as one from before there were commitments, with its hash made anew."""
    old = re.sub(END_TAGS, "", text)
    old = re.sub(r'(?m)^\[(Commitment|Seed|Seals|Chain|Signature|Key|Words0|Words1) ".*"\]\n', "", old)
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', old, re.M))
    head, seats = first_hash(tags["Game"], int(tags["Version"]), tags["Options"]), {"*": -1, "White": 0, "Black": 1}
    for number, seat, move in re.findall(r"^(\d+)\. (\S+): (.*?) ; ", old, re.M):
        head = undated_hash(head, int(number), seats[seat], move)
    return re.sub(r'\[Hash "\w+"\]', f'[Hash "{head}"]', old)


def test_old_style_records_with_other_throws_are_foreign(club):
    number = club.match("proteus-dice", wall_street="open")
    play_on(club, number, 2)
    club.resign(number, "bob")
    text = record(club, number)
    throw = re.search(r"\*: (roll \S+)", text)[1]
    forged = old_style(text.replace(throw, "roll 1-6" if throw != "roll 1-6" else "roll 2-6"))
    report = report_on(club, forged)
    assert report.first_wrong.claim == "end" and not report.is_proven_whole
    with transaction(club.engine) as session:
        again = import_record(session, forged, signer_of(club.settings), now=club.time)
    with reading(club.engine) as session:
        assert session.get_one(ImportedRecord, again).is_foreign


def command(world, file, *words):
    done = CliRunner().invoke(verify_command, [str(file), *words], obj=ScriptInfo(create_app=lambda: world.app))
    return done.exit_code, done.output


def test_exit_statuses_say_whether_the_end_is_signed_and_by_whom(finished, elsewhere, tmp_path):
    world, _number, _running, text = finished
    file = tmp_path / "a.record"
    file.write_text(text)
    assert command(world, file)[0] == 0
    file.write_text(re.sub(END_TAGS, "", text))
    status, output = command(world, file)
    assert status == 1 and "not proven complete: the end is not signed" in output
    file.write_text(text)
    status, output = command(elsewhere, file)
    assert status == 3 and "signed by an unknown key" in output
    (tmp_path / "keys.json").write_text(world.client().get("/.well-known/correspondence-keys.json").text)
    assert command(elsewhere, file, "--keys", str(tmp_path / "keys.json"))[0] == 0


@pytest.mark.parametrize("change", [
    "person SET handle = 'anne' WHERE handle = 'ann'", "move SET spent = spent + 1 WHERE ply = 2",
    "move SET comment = 'No.' WHERE comment <> ''", "move SET comment = '' WHERE comment <> ''",
    "move SET comment = 'New.' WHERE comment = ''", "match SET bank = bank + 60", "match SET reason = 'time'",
    "player SET words = 'x' WHERE seat = 0", "match SET started_at = '2026-11-20 12:00:00.000000'",
    "signed_end SET text = replace(text, ':', '.')", "signed_end SET signature = key",
])  # fmt: skip
def test_whatever_row_of_an_end_is_changed_is_named(finished, change):
    world, number, _running, _text = finished
    with world.engine.begin() as connection:
        assert connection.exec_driver_sql(f"UPDATE {change}").rowcount
    assert report_on(world, record(world, number)).first_wrong is not None


# -- letters -----------------------------------------------------------------------------


def end_told(letter):
    """The text and the signature of the end that a letter tells, read back from its bytes by the standard library."""
    value = str(message_from_bytes(letter.as_bytes(), policy=default)["Correspondence-End"])
    found = re.fullmatch(r"text=([A-Za-z0-9+/=]+);sig=([A-Za-z0-9+/=]+)", "".join(value.split()))
    return base64.b64decode(found[1]).decode(), found[2]


def test_the_letters_of_a_result_tell_the_signed_end_and_no_others_do(town):
    town.join("ann", "bob")
    number = town.match("duel")
    play_on(town, number, 3)
    assert all(letter["Correspondence-End"] is None for letter in town.received)
    town.resign(number, "bob")
    for name in ("ann", "bob"):
        text, signature = end_told(town.letter(name))
        assert check_signature(signer_of(town.settings).public_key, signature, text.encode())
        assert read_end(text).reason == "resignation" and text == rows_of(town, number)[0].text


@pytest.mark.parametrize("names", [("ann", "bob"), ("a" * 600, "b" * 900), ("ü" * 500, "b")])
def test_the_header_of_an_end_survives_whatever_its_length(names):
    end = GameEnd("https://games.example/games/1", 2, HEAD, "1-0", "resignation", "2026-11-22T13:00:00Z", names, "2026.11.22",
                  "Casual game", "", "", "bank=1", words_line([]), TIMES, COMMENTS)  # fmt: skip
    signed = Signature(1, end.text, "k", "A" * 86 + "==")
    letter = EmailMessage(policy=WIRE)
    letter["Correspondence-End"] = signed.header
    letter.set_content("The game is over.")
    assert all(len(line) <= 998 for line in letter.as_bytes().split(b"\r\n"))
    assert end_told(letter) == (end.text, signed.signature)


# -- comments that are left out ----------------------------------------------------------


def test_comments_that_a_reader_muted_are_left_out_by_their_hashes(club):
    number = club.match("duel")
    club.play(number, "ann", "3@a1", comment="To my friend: hello.")
    club.resign(number, "bob")
    whole = record(club, number)
    hash_of_comment = sha256(b"To my friend: hello.").hexdigest()
    with reading(club.engine) as session:
        ann = club.person(session, "ann").id
    club.client("bob").post("/players/ann/mute")
    with reading(club.engine) as session:
        bob = club.person(session, "bob").id
    muted = record(club, number, bob)
    assert "hello" not in muted
    assert f"{{comment {hash_of_comment}}}" in muted
    assert ann != bob
    assert report_on(club, muted).state == report_on(club, whole).state == ClaimState.HOLDS
    for changed in (muted.replace(hash_of_comment, "0" * 64), muted.replace(f" {{comment {hash_of_comment}}}", "")):
        assert report_on(club, changed).first_wrong.claim == "end"


@pytest.mark.parametrize(
    "comment", ["[%emt 9:00:00] late", "a [%x] b", "\\[%ts x]", "{comment " + "a" * 64 + "}", "\\n"]
)
def test_comments_that_look_like_something_else_are_proven_as_they_are(club, comment):
    number = club.match("duel")
    club.play(number, "ann", "3@a1", comment=comment)
    club.resign(number, "bob")
    report = report_on(club, record(club, number))
    assert report.state == ClaimState.HOLDS and report.record.notes[0].comment == comment


# -- what changes a finished record ------------------------------------------------------


def amended(world, number):
    text = record(world, number)
    assert report_on(world, text).state == ClaimState.HOLDS, report_on(world, text).first_wrong
    return [value.partition(" ")[2] for value in re.findall(r'(?m)^\[Amended "(.*)"\]$', text)]


def test_decisions_of_operators_and_their_undoing_are_signed_anew(club):
    appoint(club, "olga")
    number = played(club, 6)
    club.resign(number, "bob")
    undo(club, act(club, "correct", game=str(number), result="0-1"))
    act(club, "annul", game=str(number))
    assert amended(club, number) == ["corrected", "corrected", "annulled"]
    page = club.client().get(f"/games/{number}/evidence").text
    assert page.count("end-1\n") == len(rows_of(club, number)) == 4 and "✗" not in page
    with club.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE signed_end SET text = replace(text, 'bob', 'eve') WHERE number = 2")
    assert club.client().get(f"/games/{number}/evidence").text.count("✗") == 1


def test_hidden_words_and_their_undoing_are_signed_anew(club):
    appoint(club, "olga")
    number = club.match("duel")
    club.play(number, "ann", "3@a1", comment="Rude.")
    club.resign(number, "bob")
    done = act(club, "hide-talk", game=str(number), handle="ann")
    assert "Rude" not in record(club, number) and amended(club, number) == ["hidden"]
    undo(club, done)
    assert "Rude" in record(club, number) and amended(club, number) == ["hidden", "shown"]


def test_merged_accounts_are_signed_anew_in_all_their_games(club):
    appoint(club, "olga")
    other, mutual = club.match("duel", "bob", "cleo"), played(club, 4)
    club.play(other, "bob", "3@a1"), club.play(other, "cleo", "3@b1")
    club.resign(other, "cleo"), club.resign(mutual, "bob")
    act(club, "merge", handle="ann", other="bob", again="bob")
    assert amended(club, other) == ["merged"] and '"ann"' in record(club, other)
    assert amended(club, mutual)[-1] == "merged" and '"bob"' not in record(club, mutual)


def test_erasure_signs_anew_without_the_name_and_deletes_what_was_signed_before(club):
    number = club.match("duel")
    club.play(number, "ann", "3@a1", comment="Hello!"), club.play(number, "bob", "3@b1", comment="Hello, ann.")
    club.resign(number, "bob")
    with transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
    assert amended(club, number) == ["erased"] and len(rows_of(club, number)) == 1
    text = record(club, number)
    assert '"ann"' not in text
    assert "Hello!" not in text
    assert f"{{comment {sha256(b'Hello!').hexdigest()}}}" in text
    with club.engine.connect() as connection:
        letters = connection.exec_driver_sql("SELECT count(*) FROM letter WHERE \"end\" <> ''").scalar()
    assert letters == 0 and "Hello!" not in club.client("bob").get(f"/games/{number}").text


def test_games_that_ended_before_are_signed_once_but_not_imported_ones(club, elsewhere):
    number = played(club)
    club.resign(number, "bob")
    with club.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM signed_end")
    assert not report_on(club, record(club, number)).is_proven_whole
    for _start in range(2):
        ends.sign_earlier(club.engine, now=club.time)
    assert amended(club, number) == ["signed later"] and len(rows_of(club, number)) == 1
    again = brought(elsewhere, re.sub(END_TAGS, "", record(club, number)))
    ends.sign_earlier(elsewhere.engine, now=club.time)
    assert rows_of(elsewhere, again) == []


# -- import ------------------------------------------------------------------------------


def brought(world, text):
    with transaction(world.engine) as session:
        return import_record(session, text, signer_of(world.settings), now=world.time)


def exported(world, number):
    with reading(world.engine) as session:
        return import_export.export(session, number, signer_of(world.settings), now=world.time)


@pytest.fixture
def elsewhere(tmp_path):
    other = World(tmp_path / "elsewhere")
    make_new_key(signer_of(other.settings))
    with other.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM signing_key")
    yield other
    other.close()


def test_a_foreign_record_leaves_as_it_came(finished, elsewhere):
    _world, _number, _running, text = finished
    number = brought(elsewhere, text)
    assert exported(elsewhere, number) == text
    with reading(elsewhere.engine) as session:
        assert session.get_one(ImportedRecord, number).is_foreign


def test_what_is_signed_is_kept_though_it_cannot_be_shown(finished, elsewhere):
    """A service with longer names and other words signs what is shown here only in part."""
    world, _number, _running, text = finished
    changed = text.replace('[Black "ann"]', f'[Black "{"ann " * 30}the third"]').replace("hm", "hm\u202e!")
    changed = changed.replace('[Event "Correspondence game"]', '[Event "Cup"]\n[Round "3"]\n[Section "B"]')
    end = check_record(changed, check_signature)
    key, signature = signer_of(world.settings).sign_text(_end_text(changed).encode())
    changed = re.sub(r'\[End ".*"\]', f'[End "{signature}"]', changed)
    assert end.record and check_record(changed, check_signature, [key]).state == ClaimState.HOLDS
    number = brought(elsewhere, changed)
    again = exported(elsewhere, number)
    assert check_record(again, check_signature, [key]).state == ClaimState.HOLDS
    assert "\u202e" not in elsewhere.client().get(f"/games/{number}").text
    assert '[Round "3"]' in again and f'[Black "{"ann " * 30}the third"]' in again


def _end_text(text):
    return end_of(check_record(text, check_signature).record).text


def test_our_own_record_comes_back_as_ours_and_a_cut_one_does_not(finished):
    world, number, _running, text = finished
    with transaction(world.engine) as session:
        for move in session.exec(select(Move)).all():
            move.hash = "0" * 64  # as if the game were here no longer
            session.add(move)
    again, cut_one = brought(world, text), None
    with transaction(world.engine) as session:
        assert session.get_one(ImportedRecord, again).is_foreign is False
        for move in session.exec(select(Move)).all():
            move.hash = "1" * 64
            session.add(move)
    cut_one = brought(world, re.sub(END_TAGS, "", text))
    with reading(world.engine) as session:
        assert session.get_one(ImportedRecord, cut_one).is_foreign is True
        assert session.exec(select(Player.match_id).where(col(Player.match_id) == number)).first() == number
