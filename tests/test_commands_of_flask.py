"""What the README documents, run as a reader would run it: the service, the demonstration, the commands."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import tarfile
import time
import urllib.request
from pathlib import Path

import pytest

from tests.forked_flask import ForkedFlask
from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def environment(folder, **more):
    return {**os.environ, "INSTANCE_DIR": str(folder), "MAIL_LISTEN": "", "FLASK_APP": "app.py", **more}


@pytest.fixture(scope="module")
def forked():
    """Runs commands in processes that have imported everything already, to their end; `forked.start` only starts one."""
    parent = ForkedFlask(ROOT)

    def run(folder, *words, given=None, **more):
        return parent.run(words, environment(folder, **more), given)

    run.start = lambda folder, *words, **more: parent.start(words, environment(folder, **more))
    yield run
    parent.close()


def open_to_others(folder):
    """What others than its owner may read or write in a folder."""
    found = [folder, *folder.rglob("*")]
    return [str(file) for file in found if stat.S_IMODE(file.lstat().st_mode) & 0o077]


@pytest.fixture(scope="module")
def played(forked, tmp_path_factory):
    """An instance in which the demonstration has been played."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    done = forked(folder, "demo", "--keep", str(folder))
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return folder, done.stdout.decode()


def test_the_demonstration_plays_a_whole_game_by_mail_and_what_it_keeps_is_private(played):
    folder, output = played
    assert "25 moves by mail" in output and "White wins" in output
    assert re.search(r"http://127\.0\.0\.1:\d+/games/1", output)
    assert (folder / "correspondence.db").exists() and open_to_others(folder) == []


def test_a_demonstration_that_is_interrupted_leaves_nothing_behind(forked, tmp_path):
    demonstration = forked.start(tmp_path / "i", "demo", TMPDIR=str(tmp_path))
    until = time.monotonic() + 60
    while b"join ann" not in demonstration.output():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert list(tmp_path.iterdir())
    demonstration.send_signal(signal.SIGINT)
    assert demonstration.wait().returncode == 1 and list(tmp_path.iterdir()) == []


def test_an_exported_record_verifies_and_a_changed_one_does_not(forked, played, tmp_path):
    folder, _told = played
    record = forked(folder, "export", "1").stdout
    file = tmp_path / "game.record"
    file.write_bytes(record)
    good = forked(folder, "verify", str(file))
    assert good.returncode == 0 and b"Verified: proteus-dice, 25 entries, result 1-0" in good.stdout
    file.write_bytes(record.replace(b"a3/g1=B", b"a3/e1=B"))
    bad = forked(folder, "verify", str(file))
    assert bad.returncode != 0 and b"Traceback" not in bad.stderr


def test_a_record_survives_export_and_import_and_is_imported_once(forked, played, tmp_path):
    folder, _told = played
    record = forked(folder, "export", "1").stdout
    file = tmp_path / "game.record"
    file.write_bytes(record)
    elsewhere = tmp_path / "elsewhere"
    assert forked(elsewhere, "import", str(file)).returncode == 0
    again = forked(elsewhere, "export", "1").stdout
    assert without_site(again) == without_site(record)
    twice = forked(elsewhere, "import", str(file))
    assert twice.returncode != 0
    assert b"This game is already here" in twice.stderr


def without_site(record):
    return [line for line in record.decode().splitlines() if not line.startswith("[Site")]


def test_what_cannot_be_exported_or_verified_is_said_in_a_sentence(forked, tmp_path):
    for words in (["export", "99"], ["verify", str(ROOT / "README.md")], ["verify", str(tmp_path / "none")]):
        done = forked(tmp_path / "i", *words)
        assert done.returncode != 0
        assert done.stderr.strip().endswith(b".")
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "export N",
        "mail show N",
        "mail retry N",
        "mail resend N",
        "operator undo N",
        "postal contest a N 1 x",
    ],
)
def test_a_number_that_no_row_can_have_is_refused_in_a_sentence(forked, tmp_path, words):
    done = forked(tmp_path / "i", *words.replace("N", "9" * 20).split())
    assert done.returncode == 2
    assert b"is not in the range" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_backup_holds_database_and_key_for_its_owner_alone(forked, played, tmp_path):
    folder, _told = played
    file = tmp_path / "backup.tar.gz"
    assert forked(folder, "backup", str(file)).returncode == 0
    with tarfile.open(file) as archive:
        assert sorted(archive.getnames()) == ["correspondence.db", "push_key", "secret_key", "signing_key"]
    assert file.stat().st_mode & 0o077 == 0


def test_the_doctor_finds_a_fresh_set_up_well(forked, tmp_path):
    done = forked(tmp_path / "fresh", "doctor")
    assert done.returncode == 0, done.stdout
    assert b"FAIL" not in done.stdout and b"MAIL_DOMAIN is localhost" in done.stdout


def test_the_doctor_names_what_is_wrong(forked, tmp_path):
    done = forked(tmp_path / "fresh", "doctor", MAIL_SEND=f"smtp://127.0.0.1:{free_port()}")
    assert done.returncode == 1 and b"MAIL_SEND" in done.stdout


def test_a_wrong_setting_is_a_sentence_and_no_traceback(forked, tmp_path):
    done = forked(tmp_path / "fresh", "doctor", WORKER_INTERVAL="soon")
    assert done.returncode != 0
    assert b"WORKER_INTERVAL must be a number of seconds" in done.stderr and b"Traceback" not in done.stderr


def test_a_mail_servers_pipe_is_taken_known_or_refused(forked, tmp_path):
    message = b"From: ann@example.org\nTo: play@localhost\nMessage-ID: <1@example.org>\n\nhelp\n"
    assert forked(tmp_path / "i", "receive", "play@localhost", given=message).returncode == 0
    assert forked(tmp_path / "i", "receive", "nobody@localhost", given=message).returncode == 67
    broken = forked(
        tmp_path / "i", "receive", "play@localhost", given=message, DATABASE_URL="sqlite:////nowhere/at/all.db"
    )
    assert broken.returncode == 75
    assert forked(tmp_path / "i", "receive", given=message).returncode == 75
    wrong = forked(tmp_path / "i", "receive", "play@localhost", given=message, WORKER_INTERVAL="soon")
    assert wrong.returncode == 75


def test_every_command_in_the_readme_exists(forked, tmp_path):
    listed = forked(tmp_path / "i", "--help").stdout.decode()
    for name in set(re.findall(r"`flask (\w+)", README)):
        assert re.search(rf"^  {name}\b", listed, re.M), name


def test_the_readmes_first_command_serves_everything_and_its_mail_joins(tmp_path):
    web, mail = free_port(), free_port()
    env = environment(
        tmp_path / "i",
        HTTP_LISTEN=f"127.0.0.1:{web}",
        BASE_URL=f"http://127.0.0.1:{web}",
        MAIL_LISTEN=f"smtp://127.0.0.1:{mail}",
        WORKER_INTERVAL="0.1",
    )
    (main,) = re.findall(r"pip install -e \. && (python app\.py)", README)
    process = subprocess.Popen(
        [sys.executable, *main.split()[1:]], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        assert json.loads(fetch(f"http://127.0.0.1:{web}/health"))["status"] == "ok"
        (snippet,) = re.findall(r"python3 - <<'END'\n(.*?)\nEND", README, re.S)
        subprocess.run([sys.executable, "-c", snippet.replace("2525", str(mail))], check=True, timeout=30)
        until = time.monotonic() + 20
        while "please confirm your address" not in (page := fetch(f"http://127.0.0.1:{web}/mail")):
            assert time.monotonic() < until, page
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=30)[0].decode()
    assert process.returncode == 0
    assert "Pages" in output
    assert "Traceback" not in output


def fetch(url):
    until = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(url, timeout=10) as page:
                return page.read().decode()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
