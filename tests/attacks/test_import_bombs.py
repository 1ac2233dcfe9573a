"""Files that are no records, or records made to hurt: each is refused in a sentence, with little work and memory."""

from __future__ import annotations

import gzip
import io
import os
import re
import resource
import subprocess
import sys
import zipfile

import pytest
from flask.cli import ScriptInfo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.archive import record_file
from correspondence.archive.record_file import RecordError
from correspondence.core.db import reading
from correspondence.models import Match, Move, Person
from correspondence.ops.cli import import_command, verify_command
from engines.verification.checks import head_of
from engines.verification.record_text import read_text
from tests.attacks.reach import ROOT
from tests.sizes import examples
from tests.world import World

MEMORY, SECONDS = 700 << 20, 20
"""What a command may use of memory and of processor time, the interpreter included."""

ENTRY = "1. Black: 5@b3 ; [%ts 2026-11-21T10:00:00Z] [%emt 0:00:10] hello"


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("club"))
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("duel")
    world.play(1, "ann", "5@b3", comment="hello")
    world.resign(1, "bob")
    yield world
    world.close()


@pytest.fixture(scope="module")
def record(club):
    return club.client().get("/games/1.record").text


def run(command, world, file):
    """A command of the command line within this process: its exit status and all that it printed."""
    info = ScriptInfo(create_app=lambda: world.app)
    done = world.app.test_cli_runner().invoke(command, [str(file)], obj=info)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def refused(world, tmp_path, raw):
    file = tmp_path / "a.record"
    file.write_bytes(raw)
    for command in (verify_command, import_command):
        status, sentence = run(command, world, file)
        assert status not in (0, None)
        assert sentence.strip().endswith(".")
        assert "Traceback" not in sentence
        assert len(sentence) < 600
    return sentence


def entries(record):
    return next(line for line in record.splitlines() if line.startswith("1. "))


BOMBS = {
    "empty": lambda text: b"",
    "zeros": lambda text: b"\0" * 1_000_000,
    "a zero in a comment": lambda text: text.replace("hello", "hel\0lo").encode(),
    "latin-1": lambda text: text.replace("hello", "h\xe9llo").encode("latin-1"),
    "utf-16": lambda text: text.encode("utf-16"),
    "surrogates": lambda text: text.encode() + b"\xed\xa0\x80",
    "gzip": lambda text: gzip.compress(text.encode()),
    "a tag of a megabyte": lambda text: f'[Long "{"x" * 5_000_000}"]\n{text}'.encode(),
    "a thousand tags": lambda text: "".join(f'[T{"x" * n} "1"]\n' for n in range(1000)).encode() + text.encode(),
    "a tag twice": lambda text: f'[Game "duel"]\n{text}'.encode(),
    "an open tag": lambda text: ('[Game "' + "\\" * 999_999).encode(),
    "a million entries": lambda text: text.encode() + b"".join(b"%d. Black: 5@b3\n" % n for n in range(2, 400_000)),
    "a number of many digits": lambda text: text.replace("1. ", "1" * 5000 + ". ").encode(),
    "a time of a million years": lambda text: re.sub(r"%emt \d+", "%emt 999999999", text).encode(),
    "the year one": lambda text: re.sub(r"%ts \d{4}", "%ts 0001", text).encode(),
    "the last year": lambda text: re.sub(r"%ts \d{4}-\d\d-\d\d", "%ts 9999-12-31", text).encode(),
    "the thirteenth month": lambda text: re.sub(r"%ts \d{4}-\d\d", "%ts 2026-13", text).encode(),
    "terms of many digits": lambda text: re.sub(r"bank=\d+", "bank=" + "9" * 5000, text).encode(),
    "a version of many digits": lambda text: text.replace('[Version "1"]', f'[Version "{"1" * 9000}"]').encode(),
    "options that are none": lambda text: text.replace('[Options "', '[Options "board=' + "9" * 5000 + " ").encode(),
    "many options": lambda text: text.replace('[Options "', '[Options "' + "a=b " * 100_000).encode(),
    "a game of another house": lambda text: text.replace('[Game "duel"]', '[Game "../../etc/passwd"]').encode(),
    "a move of a megabyte": lambda text: text.replace("5@b3", "5@b3" * 250_000).encode(),
    "a move of brackets": lambda text: text.replace("5@b3", "(" * 100_000).encode(),
    "a name of nothing": lambda text: re.sub(r'\[Black "ann"\]', '[Black "\u202e\u200b"]', text).encode(),
    "no name": lambda text: re.sub(r'\[Black "ann"\]', '[Black ""]', text).encode(),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_is_no_sound_record_is_refused_in_a_sentence_and_leaves_nothing(club, record, tmp_path, bomb):
    raw = BOMBS[bomb](record)
    assert raw != record.encode()
    if bomb.endswith(("nothing", "name")):  # such a record proves itself, but nobody can be called so
        file = tmp_path / "a.record"
        file.write_bytes(raw)
        status, sentence = run(import_command, make_again(tmp_path), file)
        assert status == 1 and sentence.strip().endswith(".")
    else:
        refused(club, tmp_path, raw)
    with reading(club.runtime.engine) as session:
        assert len(session.exec(select(Match)).all()) == 1 and len(session.exec(select(Person)).all()) == 2


def make_again(tmp_path):
    return World(tmp_path / "other")


def test_what_is_no_file_is_refused_in_a_sentence(club, tmp_path):
    for path in (tmp_path, tmp_path / "none", tmp_path / ("n" * 400)):
        status, sentence = run(verify_command, club, path)
        assert status == 2
        assert sentence.strip().endswith(".")
        assert "Traceback" not in sentence


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.mark.parametrize("endless", ["/dev/zero", "sparse", "lines"])
def test_a_file_without_end_costs_no_more_than_a_record_may(tmp_path, record, endless):
    file = tmp_path / "huge"
    if endless == "lines":
        file.write_text(record + "2. White: 5@c3 ; " + "x" * 30_000_000)
    else:
        with file.open("wb") as made:
            made.truncate(20 << 30)
    done = subprocess.run(
        [sys.executable, "-m", "flask", "verify", "/dev/zero" if endless == "/dev/zero" else str(file)], cwd=ROOT,
        env={**os.environ, "INSTANCE_DIR": str(tmp_path / "i"), "FLASK_APP": "app.py", "MAIL_LISTEN": ""},
        capture_output=True, text=True, preexec_fn=limited, timeout=120,
    )  # fmt: skip
    output = (done.stdout + done.stderr).strip()
    assert done.returncode in (1, 2)
    assert output.endswith(".")
    assert "Traceback" not in output


def test_archives_and_their_paths_are_no_records(club, tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../outside", "x" * 1000)
    refused(club, tmp_path, packed.getvalue())
    assert not (tmp_path.parent.parent / "outside").exists()


def sealed(text):
    """The record with the hash that fits it: whoever changes one can do that too."""
    bare = re.sub(r'\[Hash "\w*"\]\n', '[Hash "x"]\n', text)
    return bare.replace('[Hash "x"]', f'[Hash "{head_of(read_text(bare))}"]')


def test_names_and_words_of_a_sound_record_come_in_without_what_does_harm(record, tmp_path):
    other = make_again(tmp_path)
    hostile = record.replace('[Black "ann"]', f'[Black "<script>\u202e{"x" * 90}"]')
    hostile = hostile.replace("hello", f"<b>\u202e\x1b[31m eve@example.com r.{'a2' * 13}@x " + "y" * 9000)
    file = tmp_path / "a.record"
    file.write_text(sealed(hostile))
    assert run(import_command, other, file)[0] == 0
    with reading(other.runtime.engine) as session:
        names = [one.handle for one in session.exec(select(Person))]
        comment = session.exec(select(Move)).one().comment
    assert all(len(name) <= 40 and name.isprintable() for name in names)
    assert len(comment) <= 4000
    assert comment.isprintable()
    assert "eve@" not in comment
    assert "a2a2" not in comment
    page = other.client().get("/games/1").text
    assert "<script>x" not in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    other.close()


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_record_that_was_changed_anywhere_reads_or_is_refused_and_never_raises_anything_else(record, data):
    at = data.draw(st.integers(0, len(record)))
    gone = data.draw(st.integers(0, 12))
    signs = ["9" * 4400, "[", "]", '"', "\\", " ; ", "\n", "%ts ", f"%emt {'9' * 5000}:"]
    put = data.draw(st.one_of(st.text(max_size=12), st.sampled_from(signs)))
    try:
        record_file.verify(record[:at] + put + record[at + gone :])
    except RecordError as error:
        assert str(error).endswith(".")
