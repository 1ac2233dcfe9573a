"""Collecting mail from folders and mailboxes: marked only when kept, and nothing blocks the rest."""

from __future__ import annotations

import os
import re
import socket
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from correspondence import transport
from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.inbound import fetch_progress
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.models import FetchProgress
from correspondence.ops import worker
from correspondence.transport import fetching
from correspondence.transport.fetching import recipients_of, sender_of
from correspondence.transport.idling import ROUND, WITHOUT
from correspondence.transport.imap import TIMEOUT
from tests.imap import Mailbox
from tests.incoming import Desk, addressed
from tests.outgoing import SETTINGS


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture
def mail(tmp_path):
    for name in ("tmp", "new", "cur"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    return tmp_path / "mail"


def fetch_from(mail, desk):
    return transport.collecting.fetch(replace(SETTINGS, mail_fetch=f"maildir:{mail}"), desk.keep)


def test_a_maildir_is_emptied_from_new_to_cur_and_never_from_tmp(mail, desk):
    (mail / "new" / "1.x").write_bytes(addressed("r.one@games.example"))
    (mail / "tmp" / "2.x").write_bytes(addressed("r.two@games.example"))
    (mail / "cur" / "3.x:2,").write_bytes(addressed("r.three@games.example"))
    assert (fetch_from(mail, desk), fetch_from(mail, desk)) == (1, 0)
    assert [(to, sender) for _raw, to, sender in desk.kept] == [("r.one@games.example", "ann@example.org")]
    assert desk.kept[0][0] == addressed("r.one@games.example").replace(b"\n", b"\r\n")
    assert sorted(file.name for file in (mail / "cur").iterdir()) == ["1.x:2,S", "3.x:2,"]
    assert [file.name for file in (mail / "tmp").iterdir()] == ["2.x"]


def test_failure_8_poison_in_a_maildir_comes_first_and_the_rest_is_done(mail, desk):
    (mail / "new" / "1.poison").write_bytes(addressed("r.poison@games.example"))
    (mail / "new" / "2.good").write_bytes(addressed("r.good@games.example"))
    desk.trouble["r.poison@games.example"] = ValueError("cannot be kept")
    assert [fetch_from(mail, desk) for _ in range(4)] == [1, 0, 0, 0]
    assert [to for _raw, to, _sender in desk.kept] == ["r.good@games.example"]
    assert list((mail / "new").iterdir()) == []
    assert [file.name for file in (mail / ".Dead" / "new").iterdir()] == ["1.poison"]


def test_what_is_no_file_in_a_maildir_is_passed_over_and_logged_once(mail, desk, tmp_path, caplog):
    (tmp_path / "secret").write_bytes(addressed("r.secret@games.example"))
    (mail / "new" / "1.link").symlink_to(tmp_path / "secret")
    (mail / "new" / "2.gone").symlink_to(tmp_path / "nothing")
    os.mkfifo(mail / "new" / "3.pipe")
    for number in range(fetching.BATCH):
        (mail / "new" / f"4.{number}").mkdir()
    (mail / "new" / "5.good").write_bytes(addressed("r.good@games.example"))
    assert [fetch_from(mail, desk) for _ in range(3)] == [1, 0, 0]
    assert [to for _raw, to, _sender in desk.kept] == ["r.good@games.example"]
    assert len(caplog.records) == fetching.BATCH + 3 and "is not a file" in caplog.text
    assert len(list((mail / "new").iterdir())) == fetching.BATCH + 3


def test_failure_7_what_was_not_kept_stays_in_the_maildir(mail, desk):
    (mail / "new" / "1.x").write_bytes(addressed("r.one@games.example"))
    desk.trouble[""] = OperationalError("INSERT", {}, Exception("the database is down"))
    for _ in range(5):
        with pytest.raises(transport.fetching.FetchError, match="Nothing can be kept now"):
            fetch_from(mail, desk)
    desk.trouble.clear()
    assert fetch_from(mail, desk) == 1


def test_a_giant_in_a_maildir_is_kept_only_far_enough_to_be_refused(mail, desk):
    (mail / "new" / "1.x").write_bytes(addressed("r.one@games.example") + b"x" * (3 * MESSAGE_LIMIT))
    assert fetch_from(mail, desk) == 1
    assert MESSAGE_LIMIT < len(desk.kept[0][0]) < MESSAGE_LIMIT + 100


def test_a_folder_that_cannot_be_read_is_said_in_a_sentence(tmp_path, desk):
    (tmp_path / "file").touch()
    with pytest.raises(transport.fetching.FetchError, match=r"cannot be read: .+\."):
        fetch_from(tmp_path / "file", desk)
    assert transport.collecting.fetch(SETTINGS, desk.keep) == 0


RECIPIENTS = {
    "delivered": (addressed("list@x.org", Delivered_To="r.one@games.example"), ["r.one@games.example"]),
    "original first": (
        addressed("r.b@games.example", Delivered_To="me@host", X_Original_To="R.A@Games.Example"),
        ["R.A@Games.Example"],
    ),
    "two of ours": (
        addressed("Ann <r.a@games.example>, r.b@games.example, x@y.z"),
        ["r.a@games.example", "r.b@games.example"],
    ),
    "in Cc": (addressed("x@y.z", Cc="r.a@games.example"), ["r.a@games.example"]),
    "foreign but delivered": (addressed("x@y.z", Delivered_To="me@host.example"), ["me@host.example"]),
    "nobody": (addressed("undisclosed-recipients:;"), ["play@games.example"]),
    "no headers": (b"", ["play@games.example"]),
}


@pytest.mark.parametrize("name", RECIPIENTS)
def test_recipients_are_found_where_deliveries_leave_them(name):
    raw, recipients = RECIPIENTS[name]
    assert recipients_of(raw, "games.example") == recipients


@pytest.mark.parametrize(
    ("raw", "sender"),
    [
        (addressed("x@y.z", Return_Path="<bob@b.org>"), "bob@b.org"),
        (addressed("x@y.z", Return_Path="<>"), ""),
        (addressed("x@y.z", Return_Path="nonsense"), "unknown"),
        (addressed("x@y.z"), "ann@example.org"),
        (b"", "unknown"),
    ],
)
def test_only_a_null_return_path_makes_the_null_sender(raw, sender):
    assert sender_of(raw) == sender


def fetch_by_imap(box, desk, progress=None, **limits):
    progress = progress or desk.__dict__.setdefault("progress", transport.imap.Progress())
    return transport.imap.fetch_imap(box.url, desk.keep, progress, domain="games.example", **limits)


def test_a_mailbox_is_read_by_peeking_and_marked_after_keeping(desk):
    with Mailbox(addressed("r.one@games.example"), addressed("r.two@games.example")) as box:
        assert (fetch_by_imap(box, desk), fetch_by_imap(box, desk)) == (2, 0)
    assert [to for _raw, to, _sender in desk.kept] == ["r.one@games.example", "r.two@games.example"]
    assert box.unseen() == [] and not any("CLOSE" in command for command in box.commands)
    commands = [re.sub(r"<.*|^\w+ ", "", command) for command in box.commands if "FETCH" in command]
    assert commands == [f"UID FETCH {n} ({what}" for n in (7, 8) for what in ("RFC822.SIZE)", "BODY.PEEK[]")]
    assert 'LOGIN ann "secret@word"' in box.commands[1]


def test_failure_7_what_was_not_kept_stays_unseen(desk):
    desk.trouble[""] = OSError(28, "No space left on device")
    with Mailbox(addressed("r.one@games.example")) as box:
        for _ in range(5):
            with pytest.raises(transport.fetching.FetchError, match="Nothing can be kept now"):
                fetch_by_imap(box, desk)
        assert box.unseen() == [7]
        desk.trouble.clear()
        assert fetch_by_imap(box, desk) == 1
        assert box.unseen() == []


def test_failure_8_poison_in_a_mailbox_comes_first_and_the_rest_is_done(desk):
    desk.trouble["r.poison@games.example"] = ValueError("cannot be kept")
    with Mailbox(addressed("r.poison@games.example"), addressed("r.good@games.example")) as box:
        assert [fetch_by_imap(box, desk) for _ in range(4)] == [1, 0, 0, 0]
    assert box.folders == {"Dead": [addressed("r.poison@games.example")]}
    assert sum("UID FETCH 7 (BODY" in command for command in box.commands) == 3


def test_a_server_that_can_move_is_asked_to_move_what_failed(desk):
    desk.trouble["r.poison@games.example"] = ValueError("cannot be kept")
    with Mailbox(addressed("r.poison@games.example"), can="MOVE") as box:
        for _ in range(3):
            fetch_by_imap(box, desk)
    assert box.folders == {"Dead": [addressed("r.poison@games.example")]} and box.messages == {}


def test_a_message_that_the_server_will_not_give_does_not_block_the_rest(desk):
    with Mailbox(addressed("r.one@games.example"), addressed("r.two@games.example"), refuses="UID FETCH 7") as box:
        assert fetch_by_imap(box, desk) == 1
        assert box.unseen() == [7]
        box.refuses = ""
        assert fetch_by_imap(box, desk) == 1
    assert [to for _raw, to, _sender in desk.kept] == ["r.two@games.example", "r.one@games.example"]


def test_what_failed_is_dead_although_its_folder_is_there_already(desk):
    desk.trouble["r.poison@games.example"] = ValueError("cannot be kept")
    with Mailbox(addressed("r.poison@games.example"), refuses="CREATE") as box:
        for _ in range(3):
            fetch_by_imap(box, desk)
    assert box.folders == {"Dead": [addressed("r.poison@games.example")]}
    assert box.flags[7] == {"\\Seen", "\\Deleted"}


def test_what_cannot_be_copied_is_not_deleted(desk):
    desk.trouble["r.poison@games.example"] = ValueError("cannot be kept")
    with Mailbox(addressed("r.poison@games.example"), refuses="UID COPY") as box:
        for _ in range(3):
            fetch_by_imap(box, desk)
    assert box.flags[7] == set()


def test_imaps_needs_a_certificate_that_can_be_trusted(desk, server_context, certificate, monkeypatch):
    with Mailbox(addressed("r.one@games.example"), context=server_context) as box:
        with pytest.raises(transport.fetching.FetchError, match="CERTIFICATE_VERIFY_FAILED"):
            fetch_by_imap(box, desk)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        assert fetch_by_imap(box, desk) == 1


def test_mail_that_somebody_looked_at_first_is_taken_in_all_the_same(desk):
    with Mailbox(addressed("r.old@games.example")) as box:
        box.flags[7].add("\\Seen")  # it was there, and read, before we came
        assert fetch_by_imap(box, desk) == 0
        box.flags[box.arrive(addressed("r.new@games.example"))].add("\\Seen")
        assert (fetch_by_imap(box, desk), fetch_by_imap(box, desk)) == (1, 0)
    assert [to for _raw, to, _sender in desk.kept] == ["r.new@games.example"]


def test_a_mailbox_that_is_numbered_anew_is_known_by_its_flags(desk):
    with Mailbox(addressed("r.one@games.example"), addressed("r.two@games.example")) as box:
        assert fetch_by_imap(box, desk) == 2
        box.validity = 2
        box.messages = {1: box.messages[7], 2: addressed("r.three@games.example")}
        box.flags = {1: {"\\Seen"}, 2: set()}
        assert (fetch_by_imap(box, desk), fetch_by_imap(box, desk)) == (1, 0)
    assert desk.progress == transport.imap.Progress(2, 2, {})


def test_how_far_a_mailbox_was_collected_outlives_the_process(town, monkeypatch):
    with Mailbox(addressed("play@games.example")) as box:
        runtime = replace(town.runtime, settings=replace(town.settings, mail_fetch=box.url))
        assert (worker.sweep_fetch(runtime), worker.sweep_fetch(runtime)) == (1, 0)
        monkeypatch.setattr(worker.mailbox, "store_message", explode)
        failing = box.arrive(addressed("play@games.example", X="2"))
        assert worker.sweep_fetch(runtime) == 0
        with db.reading(town.engine) as session:
            assert fetch_progress.progress_of(session, box.url) == transport.imap.Progress(1, failing, {failing: 1})
            [row] = session.exec(select(FetchProgress))
            assert "secret" not in row.mailbox_hash
        box.flags[failing].add("\\Seen")
        monkeypatch.undo()
        assert (worker.sweep_fetch(runtime), worker.sweep_fetch(runtime)) == (1, 0)


def explode(*_given, **_named):
    raise ValueError("cannot be kept")


def until(happened, seconds=30.0):
    """Wait for something that a thread does."""
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.02)
    return happened()


@contextmanager
def watching(box, desk, **limits):
    watch = transport.idling.Watch(box.url, lambda: fetch_by_imap(box, desk), **{"timeout": 2, **limits})
    try:
        yield watch
    finally:
        watch.stop()


def test_new_mail_is_told_by_idle_and_taken_in_at_once(desk):
    with Mailbox(addressed("r.one@games.example"), idles=True) as box, watching(box, desk, every=60):
        assert until(lambda: len(desk.kept) == 1 and any("IDLE" in command for command in box.commands))
        box.arrive(addressed("r.two@games.example"))
        assert until(lambda: len(desk.kept) == 2)
        assert not any("CLOSE" in command or "EXPUNGE" in command for command in box.commands)


def test_idle_is_ended_and_begun_anew_round_after_round(desk):
    with Mailbox(idles=True) as box, watching(box, desk, every=0.2):
        assert until(lambda: sum("IDLE" in command for command in box.commands) >= 3)
        assert sum(command == "DONE" for command in box.commands) >= 2
    assert ROUND < 29 * 60


def test_failure_9_a_server_that_hangs_in_silence_while_idle_delays_mail_by_one_round(desk):
    with Mailbox(idles=True) as box, watching(box, desk, every=0.3, without=0.2, timeout=0.5):
        assert until(lambda: any("IDLE" in command for command in box.commands))
        box.is_deaf = True
        box.arrive(addressed("r.one@games.example"))
        assert until(lambda: len(desk.kept) == 1, 5)
    assert ROUND + WITHOUT + TIMEOUT < 5 * 60


def test_a_line_that_breaks_while_idle_is_dialled_again(desk):
    with Mailbox(idles=True) as box, watching(box, desk, every=60, without=0.1):
        assert until(lambda: any("IDLE" in command for command in box.commands))
        box.hang_up()
        assert until(lambda: sum("IDLE" in command for command in box.commands) >= 2)
        box.arrive(addressed("r.one@games.example"))
        assert until(lambda: len(desk.kept) == 1)


def test_a_server_without_idle_is_looked_into_now_and_then(desk):
    with Mailbox() as box, watching(box, desk, without=0.1):
        box.arrive(addressed("r.one@games.example"))
        assert until(lambda: len(desk.kept) == 1)


def test_a_watch_that_cannot_reach_its_mailbox_says_so_once_and_stops_when_told(desk, caplog):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    looked = []
    watch = transport.idling.Watch(f"imap://ann:secret@127.0.0.1:{port}", lambda: looked.append(1), without=0.02)
    assert until(lambda: len(looked) > 3)
    watch.stop()
    assert caplog.text.count("cannot be watched") == 1 and "secret" not in caplog.text


def test_failure_9_a_mailbox_that_falls_silent_is_given_up_and_tried_again(desk):
    with Mailbox(addressed("r.one@games.example"), is_silent=True) as box:
        with pytest.raises(transport.fetching.FetchError) as refused:
            fetch_by_imap(box, desk, timeout=0.3)
        assert "secret" not in str(refused.value)
        box.is_silent = False
        assert fetch_by_imap(box, desk) == 1


def test_a_giant_in_a_mailbox_is_fetched_only_far_enough_to_be_refused(desk):
    with Mailbox(addressed("r.one@games.example") + b"x" * (2 * MESSAGE_LIMIT)) as box:
        assert fetch_by_imap(box, desk) == 1
    assert MESSAGE_LIMIT < len(desk.kept[0][0]) < MESSAGE_LIMIT + 100


@pytest.mark.parametrize("place", ["pop3://a:secret@b", "imaps://", "imap://host"])
def test_a_setting_that_cannot_be_fetched_from_is_named_without_its_password(desk, place):
    with pytest.raises(SettingError, match="MAIL_FETCH") as refused:
        transport.collecting.fetch(replace(SETTINGS, mail_fetch=place), desk.keep)
    assert "secret" not in str(refused.value)
