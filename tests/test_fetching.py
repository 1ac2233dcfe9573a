"""Collecting mail from folders and mailboxes: marked only when kept, and nothing blocks the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError

from correspondence import transport
from correspondence.config import SettingError
from correspondence.replytext.limits import MESSAGE_LIMIT
from correspondence.transport.fetching import recipients_of, sender_of
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
    return transport.fetch(replace(SETTINGS, mail_fetch=f"maildir:{mail}"), desk.keep)


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


def test_failure_7_what_was_not_kept_stays_in_the_maildir(mail, desk):
    (mail / "new" / "1.x").write_bytes(addressed("r.one@games.example"))
    desk.trouble[""] = OperationalError("INSERT", {}, Exception("the database is down"))
    for _ in range(5):
        with pytest.raises(transport.FetchError, match="Nothing can be kept now"):
            fetch_from(mail, desk)
    desk.trouble.clear()
    assert fetch_from(mail, desk) == 1


def test_a_giant_in_a_maildir_is_kept_only_far_enough_to_be_refused(mail, desk):
    (mail / "new" / "1.x").write_bytes(addressed("r.one@games.example") + b"x" * (3 * MESSAGE_LIMIT))
    assert fetch_from(mail, desk) == 1
    assert MESSAGE_LIMIT < len(desk.kept[0][0]) < MESSAGE_LIMIT + 100


def test_a_folder_that_cannot_be_read_is_said_in_a_sentence(tmp_path, desk):
    (tmp_path / "file").touch()
    with pytest.raises(transport.FetchError, match=r"cannot be read: .+\."):
        fetch_from(tmp_path / "file", desk)
    assert transport.fetch(SETTINGS, desk.keep) == 0


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


def fetch_by_imap(box, desk, **limits):
    return transport.fetch_imap(box.url, desk.keep, domain="games.example", **limits)


def test_a_mailbox_is_read_by_peeking_and_marked_after_keeping(desk):
    with Mailbox(addressed("r.one@games.example"), addressed("r.two@games.example")) as box:
        assert (fetch_by_imap(box, desk), fetch_by_imap(box, desk)) == (2, 0)
    assert [to for _raw, to, _sender in desk.kept] == ["r.one@games.example", "r.two@games.example"]
    assert box.unseen() == [] and not any("CLOSE" in command for command in box.commands)
    assert all("BODY.PEEK[]" in command for command in box.commands if "FETCH" in command)
    assert 'LOGIN ann "secret@word"' in box.commands[1]


def test_failure_7_what_was_not_kept_stays_unseen(desk):
    desk.trouble[""] = OSError(28, "No space left on device")
    with Mailbox(addressed("r.one@games.example")) as box:
        for _ in range(5):
            with pytest.raises(transport.FetchError, match="Nothing can be kept now"):
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
    assert sum("UID FETCH 7" in command for command in box.commands) == 3


def test_failure_9_a_mailbox_that_falls_silent_is_given_up_and_tried_again(desk):
    with Mailbox(addressed("r.one@games.example"), is_silent=True) as box:
        with pytest.raises(transport.FetchError) as refused:
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
        transport.fetch(replace(SETTINGS, mail_fetch=place), desk.keep)
    assert "secret" not in str(refused.value)
