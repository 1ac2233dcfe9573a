"""Taking mail over real sockets: 250 means kept, and trouble of our own is never of class 5."""

from __future__ import annotations

import smtplib
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from correspondence import transport
from correspondence.core.config import SettingError
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.outbound import compose
from tests.incoming import RAW, Desk
from tests.outgoing import SETTINGS, letter


@pytest.fixture
def desk():
    return Desk()


@contextmanager
def listening(desk, scheme="smtp"):
    listener = transport.listening.listen(
        replace(SETTINGS, mail_listen=f"{scheme}://127.0.0.1:0"), desk.keep, desk.is_known
    )
    try:
        yield listener
    finally:
        listener.stop()


@pytest.fixture
def listener(desk):
    with listening(desk) as listener:
        yield listener


@pytest.fixture
def client(listener):
    with smtplib.SMTP("127.0.0.1", listener.port, "test", timeout=10) as client:
        yield client


class Lines:
    """A conversation by hand, for what client libraries get wrong."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        self.answer()
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def answer(self):
        lines = [self.file.readline().decode().strip()]
        while lines[-1][3:4] == "-":
            lines.append(self.file.readline().decode().strip())
        return lines[-1]

    def say(self, words):
        self.socket.sendall(words if isinstance(words, bytes) else words.encode() + b"\r\n")
        return self.answer()


def test_a_message_is_kept_once_for_each_recipient_with_its_envelope(client, desk):
    client.sendmail("ann@example.org", ["r.one@games.example", "play@games.example"], RAW)
    assert desk.kept == [
        (RAW, "r.one@games.example", "ann@example.org"),
        (RAW, "play@games.example", "ann@example.org"),
    ]


def test_250_is_answered_only_after_the_message_is_kept(desk):
    may_keep, kept = threading.Event(), []

    def keep(raw, recipient, sender):
        may_keep.wait(10)
        kept.append(recipient)

    desk.keep = keep
    with listening(desk) as listener, Lines(listener.port) as lines:
        for words in ("HELO x", "MAIL FROM:<a@b.org>", "RCPT TO:<play@games.example>", "DATA"):
            lines.say(words)
        lines.socket.sendall(RAW + b".\r\n")
        lines.socket.settimeout(0.3)
        with pytest.raises(TimeoutError):
            lines.answer()
        assert kept == []
        may_keep.set()
        lines.socket.settimeout(10)
        lines.file = lines.socket.makefile("rb")
        assert lines.answer().startswith("250") and kept == ["play@games.example"]


def test_the_null_sender_is_taken_and_told(client, desk):
    client.sendmail("", ["b.one@games.example"], RAW)
    assert desk.kept == [(RAW, "b.one@games.example", "")]


def test_unknown_recipients_are_refused_at_once(client, desk):
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt("nobody@games.example") == (550, b"5.1.1 Nobody of that name here")
    assert client.rcpt("r.one@games.example")[0] == 250
    client.send("RCPT TO:<r.zoë@games.example>\r\n".encode())
    assert client.getreply()[0] // 100 == 5


def test_case_of_a_recipient_is_left_to_who_knows_him(client, desk):
    desk.known = lambda recipient: recipient.lower() == "r.token@games.example"
    client.sendmail("a@b.org", ["R.ToKeN@Games.Example"], RAW)
    assert desk.kept[0][1] == "R.ToKeN@Games.Example"


def test_the_21st_recipient_must_come_again(client):
    client.ehlo()
    client.mail("ann@example.org")
    codes = [client.rcpt(f"r.{n}@games.example")[0] for n in range(21)]
    assert codes == [250] * 20 + [452]


def test_a_message_beyond_1_mib_is_refused_for_good_and_one_below_is_not(client, desk):
    line = b"x" * 70 + b"\r\n"
    client.sendmail("ann@example.org", ["play@games.example"], RAW + line * ((MESSAGE_LIMIT - len(RAW)) // len(line)))
    assert len(desk.kept) == 1
    with pytest.raises(smtplib.SMTPSenderRefused) as announced:
        client.sendmail("ann@example.org", ["play@games.example"], RAW + line * (MESSAGE_LIMIT // len(line) + 1))
    assert announced.value.smtp_code == 552
    client.rset()
    client.mail("a@b.org")
    client.rcpt("play@games.example")
    assert client.data(RAW + line * (MESSAGE_LIMIT // len(line) + 1))[0] == 552
    assert len(desk.kept) == 1


@pytest.mark.parametrize("trouble", [RuntimeError("db at /secret/path"), OSError(28, "No space left"), SystemError()])
def test_failure_19_trouble_while_keeping_is_451_without_a_word_about_it(client, desk, trouble):
    desk.trouble[""] = trouble
    with pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("ann@example.org", ["play@games.example"], RAW)
    assert refused.value.smtp_code == 451 and b"secret" not in refused.value.smtp_error
    desk.trouble.clear()
    client.sendmail("ann@example.org", ["play@games.example"], RAW)
    assert len(desk.kept) == 1


def test_failure_19_trouble_while_looking_somebody_up_is_451(client, desk):
    def known(_recipient):
        raise RuntimeError("database is down: /secret/path")

    desk.known = known
    client.ehlo()
    client.mail("ann@example.org")
    code, words = client.rcpt("play@games.example")
    assert code == 451 and b"secret" not in words


@pytest.mark.parametrize("length", [1_500, 60_000])
def test_failure_19_long_lines_are_accepted(client, desk, length):
    client.sendmail("ann@example.org", ["play@games.example"], RAW + b"x" * length + b"\r\n")
    assert b"x" * length in desk.kept[0][0]


def test_nul_bare_cr_and_bare_lf_do_not_get_through(listener, desk):
    with Lines(listener.port) as lines:
        for words in ("HELO x", "MAIL FROM:<a@b.org>", "RCPT TO:<play@games.example>", "DATA"):
            lines.say(words)
        answer = lines.say(b"Subject: x\0y\r\n\r\none\ntwo\rthree\n.\nfour\r\n..dots\r\n.\r\n")
    assert answer.startswith("250")
    assert desk.kept[0][0] == b"Subject: xy\r\n\r\none\r\ntwo\r\nthree\r\n.\r\nfour\r\n.dots\r\n"


def test_lmtp_answers_for_each_recipient(desk):
    desk.trouble["r.bad@games.example"] = RuntimeError("broken")
    with listening(desk, "lmtp") as listener, Lines(listener.port) as lines:
        assert lines.say("EHLO x").startswith("500")
        assert lines.say("LHLO x").startswith("250")
        lines.say("MAIL FROM:<a@b.org>")
        boxes = ("r.one@games.example", "r.bad@games.example", "nobody@games.example", "r.two@games.example")
        assert [lines.say(f"RCPT TO:<{box}>")[:3] for box in boxes] == ["250", "250", "550", "250"]
        assert lines.say("DATA").startswith("354")
        assert [lines.say(RAW + b".\r\n")[:3], lines.answer()[:3], lines.answer()[:3]] == [
            "250",
            "451",
            "250",
        ]
        assert lines.say("NOOP").startswith("250")
    assert [recipient for _raw, recipient, _sender in desk.kept] == [
        "r.one@games.example",
        "r.two@games.example",
    ]


def test_one_slow_message_holds_up_nobody(desk):
    slow = threading.Event()
    quick_keep = desk.keep

    def keep(raw, recipient, sender):
        if recipient.startswith("r.slow"):
            slow.wait(10)
        quick_keep(raw, recipient, sender)

    desk.keep = keep
    with listening(desk) as listener:
        sender = threading.Thread(target=send, args=(listener.port, "r.slow@games.example"))
        sender.start()
        try:
            for _ in range(5):
                send(listener.port, "play@games.example")
            assert len(desk.kept) == 5
        finally:
            slow.set()
            sender.join()
    assert len(desk.kept) == 6


def send(port, recipient):
    with smtplib.SMTP("127.0.0.1", port, "test", timeout=10) as client:
        client.sendmail("ann@example.org", [recipient], RAW)


def test_stopping_closes_the_port_and_open_conversations(desk):
    with listening(desk) as listener:
        assert listener.is_alive() and transport.is_listening("127.0.0.1", listener.port)
        with Lines(listener.port) as lines:
            lines.say("HELO x")
            listener.stop()
            assert lines.file.readline() == b""
        assert not listener.is_alive() and not transport.is_listening("127.0.0.1", listener.port)
        listener.stop()


@pytest.mark.parametrize("place", ["pop3://127.0.0.1:1", "smtp://nowhere", "127.0.0.1:2525", "smtp://127.0.0.1:x"])
def test_a_setting_that_cannot_be_listened_at_is_named(desk, place):
    with pytest.raises(SettingError):
        transport.listening.listen(replace(SETTINGS, mail_listen=place), desk.keep, desk.is_known)


def test_a_port_in_use_is_named(desk, listener):
    place = f"smtp://127.0.0.1:{listener.port}"
    with pytest.raises(SettingError, match=f"MAIL_LISTEN 127.0.0.1:{listener.port} cannot be opened"):
        transport.listening.listen(replace(SETTINGS, mail_listen=place), desk.keep, desk.is_known)


def test_no_address_and_no_token_is_logged(client, desk, caplog):
    caplog.set_level("DEBUG")
    client.sendmail("ann@example.org", [compose.envelope_sender(letter(id=9), SETTINGS)], RAW)
    assert "b.aaaa" not in caplog.text and "ann@example.org" not in caplog.text
