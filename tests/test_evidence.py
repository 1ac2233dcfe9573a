"""What letters, pages and files publish as evidence: commitments, seals, heads, signatures, and the checker itself."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256

import pytest
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.core.signing import Signer, check_signature, signer_of
from correspondence.fairness import keys
from correspondence.fairness.checker_file import checker_file
from correspondence.models import DailySeed, OfferSeed, Seed
from engines.verification.chain import signed_message
from tests.post import html_of, text_of
from tests.test_records import play_on, record


@pytest.fixture
def table(town):
    """ann has challenged bob to Plateau, whose pieces are hidden; bob's letter is the last."""
    town.join("ann", "bob")
    town.agree("ann", "challenge bob plateau 3 days")
    return town


def secret_of(town, number=1):
    with reading(town.engine) as session:
        return session.get_one(Seed, number).secret


def test_the_challenge_tells_the_commitment_that_the_game_keeps_and_its_end_opens(town):
    table = town
    table.join("ann", "bob")
    table.agree("ann", "challenge bob proteus-dice roulette=after 3 days")
    with reading(table.engine) as session:
        offered = sha256(session.exec(select(OfferSeed)).one().secret).hexdigest()
    challenge = table.letter("bob")
    assert offered in text_of(challenge) and offered in html_of(challenge)
    table.answer(challenge, "accept")
    assert sha256(secret_of(table)).hexdigest() == offered
    first = "ann" if "To play, reply" in text_of(table.letter("ann")) else "bob"
    table.play(1, first, "c3/f2=B")
    for name in ("ann", "bob"):
        letters = [one for one in table.letters(name) if one["Correspondence-Head"] and offered in text_of(one)]
        assert len(letters) == 1 and offered in html_of(letters[0])
    secret = secret_of(table).hex()
    assert all(secret not in text_of(letter) + html_of(letter) for letter in table.received)
    table.answer(table.letter("bob"), "resign")
    table.answer(table.letter("bob"), "yes")
    assert secret in text_of(table.letter("ann")) and secret in html_of(table.letter("ann"))


def test_a_hidden_choice_is_told_with_its_seal_to_the_opponent(table):
    table.answer(table.letter("bob"), "accept")
    first, second = ("ann", "bob") if "To play, reply" in text_of(table.letter("ann")) else ("bob", "ann")
    table.play(1, first, "+b1 xx,rb")
    seals = re.findall(r"^1=([0-9a-f]{64})\r?$", text_of(table.letter(second)), re.M)
    assert len(seals) == 1 and f"1={seals[0]}" in html_of(table.letter(second))
    assert "rb" not in re.sub(r"[0-9a-f]{16,}", "", text_of(table.letter(second)).split("+b1")[1][:40])


def test_every_letter_of_a_game_has_the_signed_head_and_its_first_digits(table):
    table.answer(table.letter("bob"), "accept")
    letter = next(one for one in reversed(table.received) if one["Correspondence-Head"])
    found = re.fullmatch(r"ply=(\d+); hash=([0-9a-f]{64}); sig=(\S+)", str(letter["Correspondence-Head"]))
    ply, head, signature = int(found[1]), found[2], found[3]
    signer = signer_of(table.settings)
    message = signed_message("https://games.example/games/1", ply, head)
    assert check_signature(signer.public_key, signature, message)
    assert not check_signature(signer.public_key, signature, signed_message("https://games.example/games/2", ply, head))
    assert head[:8] in text_of(letter) and head[:8] in html_of(letter)


@pytest.fixture
def running(world):
    world.join("ann"), world.join("bob")
    number = world.match("proteus-dice", wall_street="open")
    play_on(world, number, 7)
    return number


def test_the_evidence_page_says_what_holds_and_what_is_open_and_shows_no_seed(world, running):
    page = world.client("ann").get(f"/games/{running}/evidence")
    with reading(world.runtime.engine) as session:
        secret = session.get_one(Seed, running).secret
    assert page.status_code == 200 and "the rest must wait until the game is over" in page.text
    assert secret.hex() not in page.text and sha256(secret).hexdigest() in page.text
    world.resign(running, "bob")
    page = world.client().get(f"/games/{running}/evidence")
    assert secret.hex() in page.text and "Verified: all checks have passed." in page.text
    assert "The end is signed by the key" in page.text and "end-1\n" in page.text
    assert world.client().get("/games/99/evidence").status_code == 404


def test_the_game_page_and_the_seeks_tell_their_commitments(world, running):
    with reading(world.runtime.engine) as session:
        commitment = sha256(session.get_one(Seed, running).secret).hexdigest()
    assert commitment in world.client().get(f"/games/{running}/evidence").text
    world.client("ann").post("/seeks/new", data={"game": "duel", "pace": "3"})
    with reading(world.runtime.engine) as session:
        offered = session.exec(select(OfferSeed)).all()[-1]
    page = world.client("bob").get("/seeks").text
    assert sha256(offered.secret).hexdigest() in page and offered.secret.hex() not in page


def test_the_deal_of_tomorrow_is_committed_to_today_and_opened_the_day_after(world):
    page = world.client().get("/puzzles").text
    today = world.clock().date()
    with reading(world.runtime.engine) as session:
        rows = {row.day: row.secret for row in session.exec(DailySeed.__table__.select()).all()}
    assert sha256(rows[today]).hexdigest() in page
    later = today + timedelta(days=1)
    assert sha256(rows[later]).hexdigest() in page
    assert all(secret.hex() not in page for secret in rows.values())
    world.clock.go(days=1)
    page = world.client().get("/puzzles").text
    assert rows[today].hex() in page and rows[later].hex() not in page


def test_the_record_of_a_solved_deal_of_the_day_keeps_the_seed_until_the_day_is_over(world):
    world.join("ann")
    number = int(world.client("ann").post("/puzzles/today").location.rsplit("/", 1)[1])
    world.resign(number, "ann")
    assert "[Seed" not in record(world, number, 1)
    world.clock.go(days=1)
    assert "[Seed" in record(world, number, 1)


def test_old_keys_stay_listed_when_the_key_changes_and_old_records_still_verify(world, running):
    world.resign(running, "bob")
    client, signer = world.client(), signer_of(world.runtime.settings)
    before, old = record(world, running), signer.public_key
    with transaction(world.runtime.engine) as session:
        new = keys.rotate(session, signer, today=world.clock().date())
    listed = client.get("/.well-known/correspondence-keys.json").get_json()["keys"]
    assert [key["key"] for key in listed if key["until"] is None] == [new] and old in {key["key"] for key in listed}
    assert f'[Key "{new}"]' in record(world, running) and f'[Key "{old}"]' in before


def checked(folder, text, *words):
    """What `python verify.pyz` says of a record, in a folder where there is nothing else: exit status and lines."""
    (folder / "verify.pyz").write_bytes(checker_file())
    (folder / "a.record").write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "verify.pyz", *words, "a.record"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def test_the_public_key_is_kept_beside_the_private_one_and_never_beside_another(tmp_path):
    def signer(folder, private="", public=""):
        (tmp_path / folder).mkdir()
        for name, text in {"signing_key": private, "signing_key.public": public}.items():
            if text:
                (tmp_path / folder / name).write_text(text)
        return Signer("https://games.example", tmp_path / folder / "signing_key")

    first, kept = signer("first"), tmp_path / "first" / "signing_key.public"
    assert first.public_key in kept.read_text() and kept.stat().st_mode & 0o077 == 0
    private, public = first.key_file.read_text(), kept.read_text()
    assert signer("moved", private, public).public_key == first.public_key
    assert signer("damaged", private, "half written").public_key == first.public_key
    other = signer("other", f"{'B' * 42}A=\n", public)
    assert other.public_key != first.public_key
    key, signature = other.sign_text(b"a text")
    assert key == other.public_key and check_signature(other.public_key, signature, b"a text")


def test_the_checker_is_one_file_that_needs_nothing_of_the_service(world, running, tmp_path):
    status, report = checked(tmp_path, record(world, running))
    assert status == 3 and "open" in report
    world.resign(running, "bob")
    text = record(world, running)
    status, report = checked(tmp_path, text)
    assert status == 3 and "It is signed by an unknown key" in report
    (tmp_path / "keys.json").write_text(world.client().get("/.well-known/correspondence-keys.json").text)
    assert checked(tmp_path, text, "--keys", "keys.json")[0] == 0
    status, report = checked(tmp_path, text.replace("[%ts 2026", "[%ts 2025", 1))
    assert status == 1 and "The hash does not match the moves" in report


def test_what_a_record_brings_along_does_nothing_to_a_terminal(world, running, tmp_path):
    """A record could clear the screen and print that it is verified, where only the exit status says otherwise."""
    world.resign(running, "bob")
    text = record(world, running)
    hostile = "\x1b[2J\x1b[HVerified: all of it.\x1b[8m\u202e"
    for changed in (
        re.sub(r"(?m)^2\. (\w+): (.+?) ; ", rf"2. \1: {hostile} ; ", text),
        re.sub(r'\[Reason ".*"\]', f'[Reason "{hostile}"]', text),
        re.sub(r'\[Game ".*"\]', f'[Game "{hostile}"]', text),
        re.sub(r'\[Terms ".*"\]', f'[Terms "{hostile}"]', text),
    ):
        status, report = checked(tmp_path, changed)
        assert status == 1 and changed != text
        assert all(char.isprintable() or char == "\n" for char in report)


def test_the_page_about_fairness_and_the_checker_can_be_fetched(world):
    page = world.client().get("/help/fairness").text
    assert "416d0a7729e42ff861ad618f44fa4d67" in page and "does not prove" in page
    assert world.client().get("/help/verify.pyz").data == checker_file()
