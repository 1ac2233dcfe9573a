"""The whole way through real mail servers: a client, postfix, our listener, our letters, postfix, dovecot."""

from __future__ import annotations

import imaplib
import smtplib
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import make_msgid

import pytest
from sqlmodel import col, select

from correspondence import transport
from correspondence.accounts import accounts, joining
from correspondence.core import db
from correspondence.models import Address, Inbound, InboundState, Letter
from correspondence.ops.reception import recipient_check, store_callback
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.worker import sweep_mail
from correspondence.outbound import compose
from tests.mta import PASSWORD, servers
from tests.ports import free_port
from tests.post import reply_address, text_of

PATIENCE = 40.0
"""Seconds within which a mail must have come through."""


class Street:
    """A service and the mail servers around it."""

    def __init__(self, town, mta, lmtp):
        self.town, self.mta = town, mta
        self.settings = replace(
            town.settings, mail_listen=f"lmtp://127.0.0.1:{lmtp}", mail_send=f"smtp://127.0.0.1:{mta.smtp}"
        )
        self.runtime = replace(town.runtime, settings=self.settings)
        self.post = transport.open_post(self.settings)
        self.seen: set[str] = set()

    def send(self, sender, to, body, *, answering=None):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, "hello"
        message["Message-ID"] = make_msgid(domain="example.org")
        if answering is not None:
            message.replace_header("Subject", f"Re: {answering['Subject']}")
            message["In-Reply-To"] = answering["Message-ID"]
        message.set_content(body)
        with smtplib.SMTP("127.0.0.1", self.mta.smtp, "client.example", timeout=20) as client:
            client.send_message(message, sender, [to])

    def round(self):
        sweep_mail(self.runtime)
        sweep_outbox(self.runtime, self.post)

    @contextmanager
    def box(self, name):
        with imaplib.IMAP4("127.0.0.1", self.mta.imap, timeout=20) as box:
            box.login(name, PASSWORD)
            box.select("INBOX")
            yield box

    def letter(self, name):
        """The next letter that asks or answers something in somebody's mailbox, read there by IMAP."""

        def new():
            self.round()
            with self.box(f"{name}@example.org") as box:
                numbers = box.uid("SEARCH", "ALL")[1][0].split()
                for number in numbers:
                    if f"{name}{number}" not in self.seen:
                        self.seen.add(f"{name}{number}")
                        raw = box.uid("FETCH", number, "(BODY.PEEK[])")[1][0][1]
                        letter = message_from_bytes(raw, policy=default)
                        if not str(letter["Feedback-ID"]).startswith(("begun:", "receipt:")):
                            return letter
            return None

        return self.until(new)

    def until(self, act):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := act():
                return found
            time.sleep(0.1)
        raise AssertionError(f"nothing came; postfix says:\n{self.mta.log()[-3000:]}\n{self.mta.queue()}")

    def answer(self, letter, body):
        self.send(str(letter["To"]), reply_address(letter), body, answering=letter)


@pytest.fixture
def street(town):
    lmtp = free_port()
    listener = transport.listening.listen(
        replace(town.settings, mail_listen=f"lmtp://127.0.0.1:{lmtp}"),
        store_callback(town.runtime),
        recipient_check(town.runtime),
    )
    try:
        with servers(lmtp) as mta:
            street = Street(town, mta, lmtp)
            with closing(street.post):
                yield street
    finally:
        listener.stop()


def test_two_people_join_challenge_and_play_through_postfix_and_dovecot(street):
    for name in ("ann", "bob"):
        street.send(f"{name}@example.org", "play@games.example", f"join {name}")
        street.answer(street.letter(name), "yes")
        assert f"Welcome, {name}!" in text_of(street.letter(name))
    assert street.town.people() == ["ann", "bob"]
    street.send("ann@example.org", "play@games.example", "challenge bob proteus-tiles 3 days")
    street.answer(street.letter("ann"), "yes")
    challenge = street.letter("bob")
    assert "ann challenges you" in text_of(challenge)
    street.letter("ann")
    street.answer(challenge, "accept")
    play_by_mail(street, 1, moves=4)


def _letter_of_the_game(street, number, name):
    """The newest letter to somebody, if it is one of the game; else None: its turn letter may still be on its way."""
    newest = street.letter(name)
    return newest if f"[Game {number} vs" in str(newest["Subject"]) else None


def play_by_mail(street, number, moves):
    from correspondence.models import loading

    for ply in range(moves):
        street.until(lambda: street.round() or street.town.stand(number))
        with db.reading(street.town.engine) as session:
            position = loading.position_of(street.town.stand(number))
            seat = position.to_act[0]
            name = loading.persons_of(session, [loading.players_of(session, number)[seat]])[0].handle
        turn = street.until(lambda who=name: street.round() or _letter_of_the_game(street, number, who))
        assert turn["Return-Path"].startswith("<b.")
        picture = [part for part in turn.walk() if part.get_content_type() == "image/png"]
        assert len(picture) == 1 and turn["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        street.answer(turn, position.write(seat, next(iter(position.legal_moves(seat)))))
        street.until(lambda before=ply: street.round() or street.town.stand(number).ply > before)


def test_our_own_mailbox_is_read_by_imap(street):
    street.town.join("ann", "bob")
    number = street.town.match()
    turn = street.town.letter("ann")
    message = street.town.compose("ann@example.org", reply_address(turn), "c3/f2=B", answering=turn)
    with smtplib.SMTP("127.0.0.1", street.mta.smtp, "client.example", timeout=20) as client:
        client.sendmail("ann@example.org", ["service@example.org"], message)
    url = f"imap://service%40example.org:{PASSWORD}@127.0.0.1:{street.mta.imap}/INBOX"

    progress = transport.imap.Progress()

    def fetched():
        return transport.imap.fetch_imap(url, store_callback(street.runtime), progress, domain="games.example")

    assert street.until(fetched) == 1 and fetched() == 0
    street.round()
    assert street.town.moves(number) == ["c3/f2=B"]


def test_a_true_report_that_nobody_has_that_address_is_noted_at_the_letter_and_answered_by_nobody(street):
    town = street.town
    with db.transaction(town.engine) as session:
        joining.request_join(session, "gone", "gone@nowhere.games.example", now=town.time)
        token = max(session.exec(select(accounts.Token.id)))
        joining.confirm_join(session, token, now=town.time)
    town.deliver()
    with db.reading(town.engine) as session:
        letter = session.exec(select(Letter).where(col(Letter.kind) == "welcome")).one()
        street.post.post(
            compose.envelope_sender(letter, street.settings),
            "r.nobody@games.example",  # an address that our own listener refuses at RCPT with 550 5.1.1
            compose.compose(letter, street.settings),
        )

    def returned():
        street.round()
        with db.reading(town.engine) as session:
            return session.exec(select(Inbound).where(col(Inbound.recipient).startswith("b."))).all()

    [report] = street.until(returned)
    street.round()
    with db.reading(town.engine) as session:
        report = session.get(Inbound, report.id)
        assert (report.state, report.reason, report.sender) == (InboundState.DONE, "bounce: hard", "")
        noted = session.get(Letter, letter.id)
        assert noted.bounce == "hard" and "5.1.1" in noted.bounce_words
        assert session.exec(select(Address).where(col(Address.mail_key).startswith("gone@"))).one().bounce_score == 1
        assert b"multipart/report" in report.raw and b"message/delivery-status" in report.raw
        assert not session.exec(select(Letter).where(col(Letter.auto_submitted) == "auto-replied")).all()
