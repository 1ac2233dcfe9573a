"""Handing letters on, to real servers and into folders; and who may speak with mail servers at all."""

from __future__ import annotations

import ast
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from correspondence import transport
from correspondence.core.config import SettingError
from correspondence.outbound import compose
from correspondence.transport.posting import Server, SmtpPost
from tests.incoming import RAW
from tests.outgoing import SETTINGS, letter
from tests.smtp import Inbox, Stub, smtp_post

PACKAGE = Path(transport.__file__).parent.parent


def test_a_letter_arrives_by_smtp_as_it_was_composed():
    raw = compose.compose(letter(id=9, text=".\n..\n.dots\nGrüße\n"), SETTINGS)
    with Inbox() as inbox:
        post = transport.open_post(replace(SETTINGS, mail_send=f"smtp://{inbox.host}:{inbox.port}"))
        assert post.post("b.x@games.example", "ann@example.org", raw) == "250 2.0.0 Taken"
        post.close()
    [taken] = inbox.envelopes
    assert (taken.content, taken.mail_from, taken.rcpt_tos) == (raw, "b.x@games.example", ["ann@example.org"])


def test_letters_of_one_sweep_share_a_connection_and_a_closed_one_is_opened_again():
    with Stub() as stub:
        post = smtp_post(stub)
        for _ in range(3):
            post.post("a@b.org", "c@d.org", RAW)
        assert stub.connections == 1
        post.close()
        post.post("a@b.org", "c@d.org", RAW)
        post.close()
    assert stub.connections == 2 and len(stub.received) == 4


def test_a_connection_that_the_server_closed_meanwhile_is_no_failure():
    with Stub() as stub:
        post = smtp_post(stub)
        post.post("a@b.org", "c@d.org", RAW)
        post._kept[0][0].sock.shutdown(socket.SHUT_RDWR)
        post.post("a@b.org", "c@d.org", RAW)
        stub.answers["MAIL"] = "421 enough for one connection"
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        post.close()
    assert (stub.connections, len(stub.received), refused.value.code) == (3, 2, 421)


REFUSALS = {
    ("MAIL", "451 later"): (False, False, 451, True),
    ("MAIL", "550 spammer"): (False, False, 550, True),
    ("MAIL", "552 5.3.4 too big"): (True, False, 552, False),
    ("MAIL", "530 5.7.0 Authentication required"): (False, False, 530, True),
    ("RCPT", "450 greylisted"): (False, False, 450, False),
    ("RCPT", "550 5.1.1 unknown"): (True, False, 550, False),
    ("RCPT", "421 too many"): (False, False, 421, False),
    ("RCPT", None): (False, False, 0, False),
    ("DATA", "451 later"): (False, False, 451, False),
    ("DATA", "554 no"): (True, False, 554, False),
    ("DATA", None): (False, False, 0, False),
    ("END", "452 full"): (False, False, 452, False),
    ("END", "554 5.7.1 policy"): (True, False, 554, False),
    ("END", None): (False, True, 0, False),
    ("END", "nonsense"): (False, True, 0, False),
}


@pytest.mark.parametrize(("step", "answer"), REFUSALS)
def test_refusals_are_told_apart_by_what_can_be_done(step, answer):
    with Stub(answers={step: answer}) as stub:
        post = smtp_post(stub)
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        error = refused.value
        assert (error.permanent, error.uncertain, error.code, error.relay_down) == REFUSALS[step, answer]
        assert answer in (None, "nonsense") or error.answer == answer
        stub.answers.clear()
        assert post.post("a@b.org", "c@d.org", RAW) == "250 kept"
        post.close()


def test_failure_11_silence_after_the_whole_letter_is_uncertain():
    with Stub(drops_after_data=True) as stub:
        post = smtp_post(stub)
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        assert refused.value.uncertain and stub.received == [RAW]


def test_a_relay_out_of_reach_is_logged_once(caplog):
    with socket.create_server(("127.0.0.1", 0)) as free:
        host, port = free.getsockname()
    post = SmtpPost(Server(host, port), "games.example")
    for _ in range(3):
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        assert refused.value.relay_down and not refused.value.permanent
    assert caplog.text.count("takes no letters") == 1
    assert "cannot be used" in post.trouble()


@pytest.mark.parametrize("greeting", ["554 no service here", "421 busy", "garbage"])
def test_a_relay_that_turns_everybody_away_is_down(greeting):
    with Stub(greeting=greeting) as stub:
        post = smtp_post(stub)
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        assert refused.value.relay_down and not refused.value.permanent


def test_a_server_that_says_nothing_is_not_waited_for_for_ever():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        post = SmtpPost(Server(*mute.getsockname()), "games.example", timeout=0.3)
        with pytest.raises(transport.PostError) as refused:
            post.post("a@b.org", "c@d.org", RAW)
        assert refused.value.relay_down


def test_a_password_is_never_sent_in_the_clear():
    with Stub(offers=("AUTH PLAIN LOGIN",)) as stub:
        trouble = SmtpPost(Server("127.1", stub.port, user="u", password="p"), "x").trouble()
    assert "it offers no encryption, so the password was not sent" in trouble
    assert not any("AUTH" in command for command in stub.commands)


def test_starttls_is_used_where_it_is_offered_whoever_signed(server_context):
    with Inbox(tls_context=server_context, require_starttls=True) as inbox:
        post = transport.open_post(replace(SETTINGS, mail_send=f"smtp://{inbox.host}:{inbox.port}"))
        assert post.trouble() == ""
        post.post("a@b.org", "c@d.org", RAW)
        post.close()
    assert inbox.envelopes[0].content == RAW


def test_smtps_needs_a_certificate_that_can_be_trusted(server_context, certificate, monkeypatch):
    with Inbox(ssl_context=server_context) as inbox:
        settings = replace(SETTINGS, mail_send=f"smtps://{inbox.host}:{inbox.port}")
        with pytest.raises(transport.PostError, match="CERTIFICATE_VERIFY_FAILED"):
            transport.open_post(settings).post("a@b.org", "c@d.org", RAW)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        post = transport.open_post(settings)
        post.post("a@b.org", "c@d.org", RAW)
        post.close()
    assert len(inbox.envelopes) == 1


@pytest.mark.parametrize("place", ["", "http://x", "smtp://", "smtp://u:secret@host:port", "smtps://u:se/cret@"])
def test_a_setting_that_cannot_be_posted_to_is_named_without_its_password(place):
    with pytest.raises(SettingError, match="MAIL_SEND") as refused:
        transport.open_post(replace(SETTINGS, mail_send=place))
    assert "cret" not in str(refused.value)


def test_usual_ports_and_quoted_passwords_are_understood():
    def server(place):
        return transport.open_post(replace(SETTINGS, mail_send=place)).server

    assert server("smtp://mail.example") == Server("mail.example", 25)
    assert server("smtps://u%40x:p%2Fq@mail.example") == Server("mail.example", 465, True, "u@x", "p/q")
    assert server("smtp://u:p@mail.example").port == 587
    assert "p%2Fq" not in repr(server("smtps://u:p%2Fq@mail.example"))


# -- letters in a folder ---------------------------------------------------------------


@pytest.fixture
def box(tmp_path):
    return transport.open_post(replace(SETTINGS, mail_send=f"maildir:{tmp_path / 'sent'}"))


def test_a_letter_lands_in_the_maildir_untouched_below_its_return_path(box):
    raw = compose.compose(letter(id=9), SETTINGS)
    box.post("b.x@games.example", "ann@example.org", raw)
    [file] = (box.folder / "new").iterdir()
    assert file.read_bytes() == b"Return-Path: <b.x@games.example>\r\n" + raw
    assert list((box.folder / "tmp").iterdir()) == [] and box.trouble() == ""
    box.close()


def test_a_folder_that_cannot_be_written_keeps_the_queue(tmp_path):
    (tmp_path / "file").touch()
    box = transport.MaildirPost(tmp_path / "file" / "sent")
    with pytest.raises(transport.PostError) as refused:
        box.post("a@b.org", "c@d.org", RAW)
    assert refused.value.relay_down and "cannot be written" in box.trouble()


def test_letters_are_read_back_newest_first_with_both_bodies_and_pictures(box):
    picture = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>"
    for n in range(3):
        page = f'<p>Zoë {n}</p><img src="%%picture%%">'
        raw = compose.compose(letter(id=9, subject=f"Letter {n} ♔", html=page, picture=picture), SETTINGS)
        box.post("b.x@games.example", "ann@example.org", raw)
    (box.folder / "new" / ".hidden").write_text("x")
    found = transport.letters_in(box.folder)
    assert [one.header("subject") for one in found] == ["Letter 2 ♔", "Letter 1 ♔", "Letter 0 ♔"]
    newest = found[0]
    assert "It is your turn." in newest.text and "Zoë 2" in newest.html
    [(cid, png)] = newest.images.items()
    assert f"cid:{cid}" in newest.html and png.startswith(b"\x89PNG")
    assert newest.header("Return-Path") == "<b.x@games.example>" and newest.header("X-None") == ""
    assert transport.read_letter(box.folder, newest.key) == newest
    assert len(transport.letters_in(box.folder, most=2)) == 2


def test_a_letter_that_was_looked_at_keeps_its_key(box):
    box.post("a@b.org", "ann@example.org", RAW)
    [file] = (box.folder / "new").iterdir()
    file.rename(box.folder / "cur" / f"{file.name}:2,S")
    assert transport.read_letter(box.folder, file.name).key == file.name


@pytest.mark.parametrize("key", ["", "..", "../../secret", "/etc/passwd", "none", ".hidden", "a:2,S"])
def test_no_key_leads_out_of_the_folder(box, key):
    box.post("a@b.org", "ann@example.org", RAW)
    (box.folder / "secret").write_text("x")
    assert transport.read_letter(box.folder, key) is None
    assert transport.letters_in(box.folder / "nowhere") == []


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe",
        b"Content-Type: text/plain; charset=x-none\n\nx",
        b"From: =?utf-8?q?a=0D=0A?= <a@b>\n\nx",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\n--b--",
        b"Message-ID: <[a@b]>\n\nx",
    ],
)
def test_a_foreign_letter_in_the_folder_does_no_harm(box, raw):
    box.post("a@b.org", "ann@example.org", RAW)
    (box.folder / "new" / "1.foreign").write_bytes(raw)
    assert {one.key for one in transport.letters_in(box.folder)} >= {"1.foreign"}


# -- the house -------------------------------------------------------------------------


def test_failure_18_only_transport_speaks_with_mail_servers():
    speakers = {"smtplib", "imaplib", "poplib", "mailbox", "aiosmtpd", "imapclient"}
    for file in PACKAGE.rglob("*.py"):
        tree = ast.walk(ast.parse(file.read_text()))
        names = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
        tree = ast.walk(ast.parse(file.read_text()))
        names |= {node.module or "" for node in tree if isinstance(node, ast.ImportFrom) and not node.level}
        spoken = {name.partition(".")[0] for name in names} & speakers
        assert not spoken or file.parent.name == "transport" or file.name == "demo.py", file
