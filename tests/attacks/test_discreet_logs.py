"""What stands in logs when everything is told that libraries can tell: no address, token, password, cookie or move."""

from __future__ import annotations

import logging
import re
import smtplib
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlmodel import select

from correspondence import transport
from correspondence.core import db, log_redaction
from correspondence.core.config import Settings
from correspondence.core.tokens import spell
from correspondence.models import Inbound
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.serve import running
from correspondence.ops.worker import sweep_fetch, sweep_mail
from correspondence.outbound import outbox
from tests.ports import free_port
from tests.smtp import Stub
from tests.world import KEY, World

MOVE, TALK, PASSWORD = "+b1 xx,rb", "words for bob alone", "s3cret-pass/word"
QUOTED = PASSWORD.replace("/", "%2F")
SECRETS = [MOVE, "xx,rb", TALK, PASSWORD, QUOTED, KEY, "ann@example.org", "bob@example.org", "nobody@elsewhere"]
TOKEN = re.compile(r"(?<![a-z2-7])(?=[a-z]*[2-7])[a-z2-7]{26}(?![a-z2-7])", re.IGNORECASE)
COOKIE = re.compile(r"session=[\w.-]{20,}|eyJ[\w-]{20,}\.")


class Lines(logging.Handler):
    """Every line as a log file would have it."""

    def __init__(self):
        super().__init__(0)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


@contextmanager
def told_everything():
    """All that is logged within the block, every logger telling all that it can."""
    kept = Lines()
    known = logging.root.manager.loggerDict.values()
    loggers = [logging.getLogger(), *(one for one in known if isinstance(one, logging.Logger))]
    before = [(one, one.level, one.disabled) for one in loggers]
    for one in loggers:
        one.level, one.disabled = logging.DEBUG, False
        one.manager._clear_cache()
    logging.root.addHandler(kept)
    try:
        yield kept.lines
    finally:
        logging.root.removeHandler(kept)
        for one, level, disabled in before:
            one.level, one.disabled = level, disabled
        logging.root.manager._clear_cache()


def leaks(lines):
    text = "\n".join(lines)
    return [secret for secret in SECRETS if secret in text] + TOKEN.findall(text) + COOKIE.findall(text)


def mail(world, sender, recipient, body):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, recipient, "hello"
    message.set_content(body)
    port = int(world.runtime.settings.mail_listen.rpartition(":")[2])
    with smtplib.SMTP("127.0.0.1", port) as client, suppress(smtplib.SMTPException):
        client.send_message(message, sender, [recipient])


@pytest.fixture
def refusing(tmp_path):
    """A world whose relay wants a password and then refuses everybody by name."""
    answers = {"AUTH": "235 2.7.0 fine", "RCPT": "550 5.1.1 <nobody@elsewhere> bob@example.org is unknown"}
    with Stub(answers=answers, offers=("stub", "AUTH PLAIN")) as stub:
        world = World(
            tmp_path, mail_listen=f"smtp://127.0.0.1:{free_port()}", http_listen=f"127.0.0.1:{free_port()}",
            mail_send=f"smtp://post:{QUOTED}@{stub.host}:{stub.port}",
        )  # fmt: skip
        for handle in ("ann", "bob"):
            world.join(handle)
        yield world
        world.close()


def get(world, path):
    with suppress(urllib.error.HTTPError):
        urllib.request.urlopen(f"http://{world.runtime.settings.http_listen}{path}", timeout=10).read()


def test_mail_and_pages_leave_no_secret_in_any_log(refusing, capfd):
    number, tokens = refusing.match("plateau"), [spell(KEY, n) for n in range(1, 6)]
    with told_everything() as lines:
        with running(refusing.app, web=True):
            for one in logging.root.manager.loggerDict.values():
                if isinstance(one, logging.Logger):
                    one.setLevel(logging.DEBUG)
            mail(refusing, "ann@example.org", f"r.{tokens[2]}@localhost", f"{MOVE}\n\n{TALK}")
            mail(refusing, "ann@example.org", f"r.{tokens[0][:-1]}a@localhost", MOVE)
            mail(refusing, "nobody@elsewhere", "play@localhost", f"seek duel\n{MOVE}")
            for path in ("/", f"/t/{tokens[0]}", f"/u/{tokens[1]}", f"/i/{tokens[2]}", f"/calendar/{tokens[3]}.ics",
                         f"/games/{number}/try/{tokens[4]}", f"/archive?player={MOVE.replace(' ', '+')}"):  # fmt: skip
                get(refusing, path)
        client = refusing.client("ann")
        client.post("/sign-in", data={"who": "ann@example.org"})
        client.post(f"/games/{number}/move", data={"move": MOVE, "ply": "0", "comment": TALK})
        sweep_mail(refusing.runtime)
        post = transport.open_post(refusing.runtime.settings)
        outbox.send_due(
            refusing.runtime.engine, post, refusing.runtime.settings, now=refusing.clock,
            still_wanted=lambda *_: True, rng=refusing.runtime.rng,
        )  # fmt: skip
        post.close()
    assert any("werkzeug" in line for line in lines) and any("mail.log" in line for line in lines)
    assert any("sqlalchemy" in line for line in lines)
    assert leaks(lines) == []
    assert leaks(capfd.readouterr()) == []


def test_a_database_that_fails_in_the_middle_leaves_no_secret_in_logs_or_rows(refusing, capfd):
    number, token = refusing.match("plateau"), spell(KEY, 3)
    refusing.app.config.update(TESTING=False)
    with told_everything() as lines, running(refusing.app, web=False):
        with refusing.runtime.engine.connect() as connection:
            connection.exec_driver_sql("ALTER TABLE move RENAME TO gone")
            connection.exec_driver_sql("COMMIT")
        mail(refusing, "ann@example.org", f"r.{token}@localhost", f"{MOVE}\n\n{TALK}")
        client = refusing.client("ann")
        answer = client.post(f"/games/{number}/move", data={"move": MOVE, "ply": "0", "comment": TALK})
        sweep_mail(refusing.runtime)
    assert answer.status_code == 503 and "Traceback" not in answer.text
    with db.reading(refusing.runtime.engine) as session:
        reasons = [one.reason for one in session.exec(select(Inbound))]
    assert any("Traceback" in line and "OperationalError" in line for line in lines)
    assert leaks(lines) == leaks(reasons) == []
    assert leaks(capfd.readouterr()) == []


@pytest.mark.parametrize("setting", ["database_url", "mail_send", "mail_fetch"])
def test_a_server_that_is_out_of_reach_is_named_without_its_password(tmp_path, capfd, setting):
    urls = {
        "database_url": "postgresql+psycopg://post:{}@127.0.0.1:1/x", "mail_send": "smtp://post:{}@127.0.0.1:1",
        "mail_fetch": "imap://post:{}@127.0.0.1:1/INBOX",
    }  # fmt: skip
    with told_everything() as lines:
        try:
            world = World(tmp_path, **{setting: urls[setting].format(QUOTED)})
        except Exception:
            logging.getLogger("test").exception("no start with %s", urls[setting].format(QUOTED))
        else:
            world.join("ann")
            sweep_outbox(world.runtime, transport.open_post(world.runtime.settings))
            with suppress(transport.fetching.FetchError):
                sweep_fetch(world.runtime)
            world.close()
    assert leaks(lines) == leaks(capfd.readouterr()) == []


def test_a_secret_is_redacted_until_the_application_is_closed_and_logs_are_then_as_they_were():
    text, before = f"the password is {PASSWORD}", logging.getLogRecordFactory()
    settings = Settings(secret_key=KEY, mail_send=f"smtp://post:{QUOTED}@relay.example")
    one, other = log_redaction.attach(settings), log_redaction.attach(settings)
    one.close()
    assert PASSWORD not in log_redaction.redacted(text), "the other application still has it"
    other.close()
    assert log_redaction.redacted(text) == text and logging.getLogRecordFactory() is before


def test_an_application_that_is_closed_gives_its_secrets_up(tmp_path):
    own_key = "a key that no other application has"
    world = World(tmp_path, secret_key=own_key)
    assert own_key not in log_redaction.redacted(own_key)
    world.close()
    assert log_redaction.redacted(own_key) == own_key


def test_an_error_with_words_of_a_player_is_told_by_its_kind_and_place_alone():
    log_redaction.attach(Settings(secret_key=KEY))
    with told_everything() as lines:
        try:
            int(f"{MOVE} ann@example.org")
        except ValueError:
            logging.getLogger("anything").exception("move %s", 7)
    assert leaks(lines) == []
    assert "ValueError" in lines[-1]
    assert "test_discreet_logs.py" in lines[-1]


@given(st.emails(), st.text(max_size=20), st.integers(1, 10**9))
@example("ann@example.org", "", 33)  # a token of letters alone
def test_whatever_stands_around_an_address_or_a_token_its_name_is_gone(address, around, number):
    token, name = spell(KEY, number), address.rpartition("@")[0]
    line = log_redaction.redacted(f"{around} <{address}> r.{token}@x /t/{token} {around}")
    assert f"<{name}@" not in line and token not in line
