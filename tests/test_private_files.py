"""What the service keeps can be read by its user alone, whichever process made it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.request
from dataclasses import replace

import pytest

from correspondence.ops.doctor import examine
from tests.ports import free_port
from tests.test_commands_of_flask import ROOT, environment, forked, open_to_others  # noqa: F401 - a fixture

MAIL = b"From: ann@example.org\nTo: play@localhost\nMessage-ID: <1@example.org>\n\njoin ann\n"


@pytest.mark.parametrize(("command", "given"), [
    (["receive", "play@localhost"], MAIL), (["doctor"], None), (["export", "1"], None),
    (["backup", "{}/b.tar.gz"], None),
], ids=["receive", "doctor", "export", "backup"])  # fmt: skip
def test_what_a_command_makes_is_private(forked, tmp_path, command, given):  # noqa: F811
    folder = tmp_path / "instance"
    if command[0] == "backup":  # which needs a database
        forked(folder, "receive", "play@localhost", given=MAIL)
    forked(folder, *(word.format(folder) for word in command), given=given)
    assert (folder / "correspondence.db").exists() is (command != ["doctor"]) and (folder / "secret_key").exists()
    assert open_to_others(folder) == []


@pytest.mark.parametrize("command", [["app.py"], ["worker"], ["run", "--port", "{}"]], ids=["app.py", "worker", "run"])
def test_what_a_running_service_makes_is_private_the_journal_of_the_database_too(forked, tmp_path, command):  # noqa: F811
    folder, port = tmp_path / "instance", free_port()
    here = f"127.0.0.1:{port}"
    given = {"HTTP_LISTEN": here, "BASE_URL": f"http://{here}", "WORKER_INTERVAL": "0.1", "ROBOTS": "no"}
    service = forked.start(folder, *(word.format(port) for word in command), **given)
    try:
        _until(lambda: (folder / "correspondence.db-wal").exists() and (folder / "correspondence.db-shm").exists())
        if "worker" not in command:
            _until(lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).status == 200)
        if "run" not in command:
            pipe = ["receive", "--sender", "ann@example.org", "play@localhost"]
            assert forked(folder, *pipe, given=MAIL).returncode == 0
            _until(lambda: list((folder / "sent" / "new").glob("*")))
        assert open_to_others(folder) == []
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()
    assert open_to_others(folder) == []


def _until(is_so):
    until = time.monotonic() + 60
    while True:
        try:
            if is_so():
                return
        except OSError:
            pass
        assert time.monotonic() < until
        time.sleep(0.1)


def faults(world, **changes):
    settings = replace(world.runtime.settings, mail_listen="", http_listen="127.0.0.1:1", **changes)
    findings = examine(replace(world.runtime, settings=settings))
    return [finding.sentence for finding in findings if "Others on this machine" in finding.sentence]


def test_the_doctor_says_what_others_can_read_and_how_to_mend_it(world, tmp_path):
    folder = world.runtime.settings.instance
    subprocess.run(["chmod", "-R", "go=", str(folder)], check=True)
    assert faults(world) == []
    (folder / "correspondence.db").chmod(0o644)
    (sentence,) = faults(world)
    assert str(folder / "correspondence.db") in sentence
    subprocess.run(sentence.partition("with: ")[2].split(), check=True)
    assert faults(world) == []


def test_the_doctor_looks_at_folders_and_keys_elsewhere(world, tmp_path_factory):
    subprocess.run(["chmod", "-R", "go=", str(world.runtime.settings.instance)], check=True)
    place = tmp_path_factory.mktemp("elsewhere")
    box, key = place / "box", place / "dkim.pem"
    (box / "new").mkdir(parents=True)
    (box / "new" / "1.M1.here").write_text("a letter")
    key.write_text("a key")
    os.chmod(box, 0o755), os.chmod(box / "new" / "1.M1.here", 0o640), os.chmod(key, 0o644)
    sentences = faults(world, mail_send=f"maildir:{box}", dkim_key_file=str(key))
    assert any("1.M1.here" in one for one in sentences) and any(str(key) in one for one in sentences)
