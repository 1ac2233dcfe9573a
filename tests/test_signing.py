"""DKIM: what is signed verifies, nothing that matters can be changed, and a wrong setting costs no letter."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from sqlmodel import SQLModel

from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.models import Letter, LetterState
from correspondence.ops import doctor
from correspondence.outbound import compose, dkim_signing, outbox
from tests.outgoing import SETTINGS, START, ScriptedPost, letter

dkim = pytest.importorskip("dkim")


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here")
    file = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run(["openssl", "genrsa", "-out", file, "2048"], check=True, capture_output=True)
    return file


@pytest.fixture
def settings(key):
    return replace(SETTINGS, dkim_selector="play", dkim_key_file=str(key))


def verifies(raw, settings):
    name, text = dkim_signing.record(settings)
    records = {f"{name}.".encode(): text.encode()}
    return dkim.verify(raw, dnsfunc=lambda domain, timeout=5: records.get(domain))


def a_letter(settings, **fields):
    whole = letter(id=9, match_id=12, stop_token_id=3, in_reply_to="g12.p1.u1.x@", html="<p>Zoë</p>", **fields)
    return dkim_signing.signed(compose.compose(whole, settings), settings)


def test_a_signed_letter_verifies_against_the_record_that_doctor_prints(settings):
    raw = a_letter(settings)
    assert raw.startswith(b"DKIM-Signature:") and verifies(raw, settings)
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    "name", "From Subject References List-Unsubscribe List-Unsubscribe-Post Auto-Submitted".split()
)
def test_no_header_that_matters_can_be_changed(settings, name):
    raw = a_letter(settings)
    changed = re.sub(rb"(?m)^(%s: .*)\r$" % name.encode(), rb"\1 x\r", raw)
    assert changed != raw and not verifies(changed, settings)
    assert not verifies(raw.replace(b"It is your turn", b"It is over"), settings)


def test_what_is_not_asked_for_is_not_signed():
    raw = compose.compose(letter(id=9), SETTINGS)
    assert dkim_signing.signed(raw, SETTINGS) == raw and dkim_signing.problem(SETTINGS) == ""


def test_doctor_says_the_record_and_what_is_wrong(town, settings, tmp_path):
    def findings(**more):
        runtime = replace(town.runtime, settings=replace(settings, **more))
        return list(doctor._signatures(runtime))

    [well] = findings()
    assert well.is_ok and "play._domainkey.games.example TXT “v=DKIM1; k=rsa; p=MII" in well.sentence
    (tmp_path / "no.pem").write_text("no key")
    wrong = {"dkim_selector": "", "dkim_key_file": "/no/such.pem"}
    sentences = [findings(**{name: value})[0] for name, value in wrong.items()]
    sentences += findings(dkim_key_file=str(tmp_path / "no.pem"))
    assert all(one.is_fatal for one in sentences)
    assert [one.sentence.split()[0] for one in sentences] == ["DKIM_SELECTOR", "DKIM_KEY_FILE", "DKIM_KEY_FILE"]


def test_a_wrong_key_keeps_the_queue(settings, tmp_path):
    engine = db.make_engine(f"sqlite:///{tmp_path}/o.db")
    SQLModel.metadata.create_all(engine)
    with db.transaction(engine) as session:
        session.add(one := letter())
    broken = replace(settings, dkim_key_file="/no/such.pem")
    sweep = {"now": lambda: START, "still_wanted": lambda *_given: True, "rng": random.Random(1)}
    with pytest.raises(SettingError):
        outbox.send_due(engine, ScriptedPost(), broken, **sweep)
    with db.reading(engine) as session:
        kept = session.get(Letter, one.id)
        assert (kept.state, kept.tries) == (LetterState.QUEUED, 0)
    post = ScriptedPost()
    assert outbox.send_due(engine, post, settings, **sweep) == 1 and verifies(post.taken[0][2], settings)
    engine.dispose()
