"""How much mail one writer may send in, over real sockets; and the operator's boxes."""

from __future__ import annotations

import smtplib
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlmodel import select

from correspondence import transport
from correspondence.core import db, tokens
from correspondence.core.config import SettingError, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.inbound import admission, dead_letters
from correspondence.models import Inbound, Letter
from correspondence.ops import reception
from correspondence.transport import listening
from tests.deployment import GUIDE
from tests.incoming import RAW
from tests.ports import free_port
from tests.post import reply_address, text_of
from tests.reports import complaint
from tests.world import mail_world


@contextmanager
def door(town, scheme="smtp", allows=None):
    """The listener of a real installation; yields how a recipient is answered at RCPT."""
    settings = replace(town.settings, mail_listen=f"{scheme}://127.0.0.1:0")
    parts = (
        reception.store_callback(town.runtime),
        reception.recipient_check(town.runtime),
        allows or admission.rcpt_policy(town.runtime),
    )
    listener = transport.listening.listen(settings, *parts)
    try:
        with smtplib.SMTP("127.0.0.1", listener.port, "test", timeout=10) as client:
            client.ehlo()

            def ask(recipient, sender="ann@example.org"):
                client.rset()
                assert client.mail(sender)[0] == 250
                return client.rcpt(recipient)

            ask.client = client
            yield ask
    finally:
        listener.stop()


@contextmanager
def facing(town, **settings):
    """The listener that faces the internet itself; yields what hands it a mail and returns its answer."""
    port = free_port()
    given = {"mail_listen": f"smtp://127.0.0.1:{port}", "mail_refuse": True, **settings}
    town.settings = replace(town.settings, **given)
    listener = reception.Reception(replace(town.runtime, settings=town.settings), stands_by=False)
    try:
        yield lambda sender, to, *heads: handed_over(port, sender, to, heads)
    finally:
        listener.stop()


def handed_over(port, sender, recipients, heads):
    """The answer to RCPT, or to DATA if that takes all recipients."""
    lines = [*heads, f"From: {sender}", "To: play@games.example", "Message-ID: <1@x>", "", "Cheap watches"]
    with smtplib.SMTP("127.0.0.1", port, "far.example", timeout=10) as client:
        client.ehlo()
        client.mail(sender)
        for recipient in recipients:
            code, words = client.rcpt(recipient)
            if code != 250:
                return f"{code} {words.decode()}"
        code, words = client.data("\r\n".join(lines))
        return f"{code} {words.decode()}"


DOOR, SPAM = ["play@games.example"], "X-Spam-Flag: YES"
FORGED = "Authentication-Results: mx.games.example; dmarc=fail header.from=x.org"


def test_listener_that_faces_the_internet_refuses_marked_mail_of_strangers_after_data(town):
    town.join("ann", "bob")
    town.match()
    box = reply_address(town.letter("ann"))
    with facing(town, mail_authserv_id="mx.games.example") as hand:
        assert hand("x@x.org", DOOR, SPAM) == admission.SPAM
        assert hand("x@x.org", DOOR, FORGED) == admission.FORGED
        assert hand("x@x.org", DOOR).startswith("250")
        assert hand("ann@example.org", DOOR, SPAM, FORGED).startswith("250")
        assert hand("x@x.org", [box], SPAM).startswith("250") and hand("x@x.org", [*DOOR, box], SPAM).startswith("250")
        assert hand("x@x.org", ["postmaster@games.example"], SPAM, FORGED).startswith("250")


def test_listener_that_faces_the_internet_refuses_strangers_at_rcpt_when_no_answer_is_left(town):
    town.join("ann")
    with facing(town, stranger_answers=1, stranger_requests=1, stranger_domain_answers=9) as hand:
        for sender, words in (("a@a.org", "hello"), ("b@b.org", "help")):
            assert hand("x@x.org", DOOR).startswith("250")
            town.mail(sender, DOOR[0], words)
        assert hand("x@x.org", DOOR) == admission.SPENT and hand("ann@example.org", DOOR).startswith("250")
        assert hand("x@x.org", ["abuse@games.example"]).startswith("250")
        town.clock.go(hours=25)
        assert hand("x@x.org", DOOR).startswith("250")


def test_domain_of_senders_that_had_its_answers_is_refused_alone(town):
    with facing(town, stranger_domain_answers=1) as hand:
        town.mail("a@big.org", DOOR[0], "help")
        assert hand("b@big.org", DOOR) == admission.SPENT and hand("b@small.org", DOOR).startswith("250")


def test_listener_behind_another_mail_server_refuses_no_marked_mail(town):
    with facing(town, mail_authserv_id="mx.games.example", mail_refuse=False) as hand:
        assert hand("x@x.org", DOOR, SPAM, FORGED).startswith("250")
    with pytest.raises(SettingError, match="MAIL_REFUSE"):
        with_defaults(replace(town.settings, mail_listen="lmtp://127.0.0.1:0", mail_refuse=True))


def test_guide_names_every_answer_of_the_listener():
    answers = {admission.SPENT, admission.FORGED, admission.SPAM, listening.TOO_MUCH, listening.NOBODY}
    assert [answer for answer in answers if f"`{answer}`" not in GUIDE.read_text()] == []


def knock(allows, times, recipient="play@games.example", sender="x@y.org", peer=""):
    return [allows(recipient, sender, peer) for _ in range(times)].count(True)


def test_beyond_the_limit_of_one_token_mail_is_put_off_with_450_and_not_refused(town):
    town.join("ann", "bob")
    town.match()
    box = reply_address(town.letter("ann"))
    with door(town) as ask:
        codes = [ask(box)[0] for _ in range(admission.PER_TOKEN.burst + 1)]
        assert codes == [250] * admission.PER_TOKEN.burst + [450]
        assert ask(box.upper()) == (450, b"4.7.1 Too many messages; please try again later")
        assert ask("play@games.example")[0] == 250
        town.wait(seconds=admission.PER_TOKEN.seconds)
        assert ask(box)[0] == 250


def test_one_person_has_one_limit_for_all_his_tokens(town):
    town.join("ann", "bob")
    for _ in range(4):
        town.match()
    boxes = {reply_address(letter) for letter in town.letters("ann")}
    allows, most = admission.rcpt_policy(town.runtime), admission.PER_PERSON.burst
    assert len(boxes) == 4
    assert sum(knock(allows, most, box) for box in boxes) == most
    assert not allows(boxes.pop(), "other@x.org", "") and allows("play@games.example", "bob@example.org", "")


def test_the_open_box_counts_by_envelope_sender_and_bounces_do_not_count(town):
    allows, most = admission.rcpt_policy(town.runtime), admission.PER_PERSON.burst
    assert knock(allows, most + 9, sender="Ann@Example.org") == most
    assert knock(allows, 9, sender="bob@example.org") == 9
    assert knock(allows, most + 9, "b.some@games.example", sender="") == most + 9


def test_one_peer_has_a_limit_unless_it_is_our_own_mail_server(town):
    allows, most = admission.rcpt_policy(town.runtime), admission.PER_PEER.burst

    def from_everybody(peer):
        return [allows("play@games.example", f"p{n}@x.org", peer) for n in range(most + 5)].count(True)

    assert from_everybody("192.0.2.7") == most
    assert from_everybody("127.0.0.1") == from_everybody("::1") == from_everybody("") == most + 5


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_the_listener_names_the_peer_only_where_it_is_not_our_mail_server(town, scheme):
    calls = []
    settings = replace(town.settings, mail_listen=f"{scheme}://127.0.0.1:0")
    listener = transport.listening.listen(settings, print, lambda _box: True, lambda *who: not calls.append(who))
    kind = smtplib.LMTP if scheme == "lmtp" else smtplib.SMTP
    try:
        with kind("127.0.0.1", listener.port, "test") as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt("play@games.example")
    finally:
        listener.stop()
    assert calls == [("play@games.example", "ann@example.org", "127.0.0.1" if scheme == "smtp" else "")]


def test_failure_19_a_database_that_is_down_is_451_at_every_step(town):
    away = Runtime(town.settings, db.make_engine("sqlite:////no/such/folder.db"), now=lambda: town.time)
    settings = replace(town.settings, mail_listen="smtp://127.0.0.1:0")
    token = f"r.{tokens.spell(town.settings.secret_key, 1)}@games.example"
    listener = transport.listening.listen(
        settings, reception.store_callback(away), reception.recipient_check(away), admission.rcpt_policy(away)
    )
    try:
        with smtplib.SMTP("127.0.0.1", listener.port, "test") as client:
            client.ehlo()
            client.mail("ann@example.org")
            assert client.rcpt(token)[0] == 451
            assert client.rcpt("play@games.example")[0] == 250  # which needs no database
            assert client.data(RAW) == (451, b"4.3.0 Trouble on our side; please try again later")
    finally:
        listener.stop()
        away.engine.dispose()


def test_an_address_beyond_ascii_is_answered_553(town):
    with door(town) as ask:
        ask.client.send("RSET\r\n")
        assert ask.client.getreply()[0] == 250
        for words in ("MAIL FROM:<zoë@example.org>", "MAIL FROM:<ann@example.org>", "RCPT TO:<plaÿ@games.example>"):
            ask.client.send(words.encode() + b"\r\n")
            code, message = ask.client.getreply()
            assert (code == 250) if words.isascii() else (code, message[:5]) == (553, b"5.6.7"), words


# -- the operator ------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path):
    """A town with an operator."""
    town = mail_world(tmp_path)
    town.settings = replace(town.settings, operator="op@example.net")
    yield town
    town.close()


@pytest.mark.parametrize("box", ["postmaster@games.example", "PostMaster@Games.Example", "abuse@games.example"])
def test_mail_to_postmaster_and_abuse_goes_to_the_operator(club, box):
    outcome = club.mail("zoe@example.org", box, "help\n\nYour letters come twice.", subject="Twice")
    assert outcome == "done: passed on to the operator"
    [letter] = club.received
    assert letter["To"] == "op@example.net" and letter["Auto-Submitted"] == "auto-replied"
    words = text_of(letter)
    assert "Your letters come twice." in words
    assert "zoe@example.org" in words
    assert "Subject: Twice" in words
    assert "every command" not in words  # “help” was no command here


def test_postmaster_is_there_even_without_a_domain(town):
    with door(town) as ask:
        assert ask("postmaster")[0] == ask("Postmaster")[0] == ask("abuse@games.example")[0] == 250
        assert ask("abuse")[0] == 550


def test_a_complaint_to_abuse_stops_letters_and_reaches_the_operator(club):
    club.join("ann", "bob")
    club.match()
    with db.reading(club.engine) as session:
        to_ann = session.exec(select(Letter).where(Letter.kind == "turn")).first()
    from correspondence.outbound import compose

    sender = compose.envelope_sender(to_ann, club.settings)
    club.received.clear()
    club.put(complaint(sender=sender), "abuse@games.example", "fbl@provider.example")
    assert club.sweep() == "done: complaint: complaint"
    assert [letter["To"] for letter in club.received] == ["op@example.net"]
    with db.reading(club.engine) as session:
        assert session.get(Letter, to_ann.id).bounce == "complaint"


def test_our_own_letters_that_come_back_to_postmaster_make_no_loop(club):
    club.mail("zoe@example.org", "postmaster@games.example", "Hello.")
    own = club.received[-1]
    club.put(own.as_bytes(), "postmaster@games.example", "op@example.net")
    assert club.sweep().startswith("ignored: loop") and len(club.received) == 1


def test_the_operator_is_not_buried_and_nothing_is_lost(club):
    for number in range(60):
        club.mail("zoe@example.org", "abuse@games.example", f"Complaint {number}.")
    assert len(club.received) == 50 and club.outcome() == "done: kept: more than 50 in a day"
    with db.reading(club.engine) as session:
        last = session.exec(select(Inbound).order_by(Inbound.id.desc())).first()
        assert b"Complaint 59." in dead_letters.raw_of(session, last.id) and dead_letters.raw_of(session, 999) is None


def test_without_an_operator_such_mail_is_kept_and_says_so(town):
    assert town.mail("zoe@example.org", "abuse@games.example", "Hello.") == "done: kept: OPERATOR is not set"
    assert town.received == []
