"""Eight people live a whole Swiss by mail, through a real SMTP listener and a real SMTP server for their letters."""

from __future__ import annotations

import smtplib
from contextlib import closing
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import make_msgid

import pytest

from correspondence import transport
from correspondence.features.tournaments.tables import TournamentState
from correspondence.ops.reception import recipient_check, store_callback
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.worker import sweep_mail
from tests.ports import free_port
from tests.post import reply_address, text_of
from tests.smtp import Inbox
from tests.tournaments import games, run_sweep, stand, table
from tests.world import MAIL, World

EIGHT = ["ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"]
PLAY = "play@games.example"


class Mail:
    """The service between a listener and a server: mails in by SMTP, letters out by SMTP."""

    def __init__(self, town, port, inbox):
        self.town, self.port, self.inbox = town, port, inbox
        settings = replace(town.settings, mail_send=f"smtp://127.0.0.1:{inbox.port}")
        self.runtime = replace(town.runtime, settings=settings)
        self.post = transport.open_post(settings)

    def send(self, name, to, body, answering=None):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"{name}@example.org", to, "hello"
        message["Message-ID"] = make_msgid(domain="example.org")
        if answering is not None:
            message["In-Reply-To"] = answering["Message-ID"]
        message.set_content(body)
        with smtplib.SMTP("127.0.0.1", self.port, "client.example", timeout=20) as client:
            client.send_message(message, f"{name}@example.org", [to])
        self.round()

    def round(self):
        sweep_mail(self.runtime)
        run_sweep(self.town)
        sweep_outbox(self.runtime, self.post)

    def letters(self, name):
        own = [one for one in self.inbox.envelopes if f"{name}@example.org" in one.rcpt_tos]
        return [message_from_bytes(one.content, policy=default) for one in own]

    def say(self, name, body):
        """Write to the open address, and agree to what it proposes."""
        self.send(name, PLAY, body)
        letter = self.letters(name)[-1]
        if "yes" in text_of(letter) and str(letter["Feedback-ID"]).startswith("proposal"):
            self.send(name, reply_address(letter), "yes", letter)
        return " ".join(text_of(self.letters(name)[-1]).split())

    def resign(self, name, game):
        found = [one for one in self.letters(name) if f"[Game {game} " in str(one["Subject"])]
        if found:
            self.send(name, reply_address(found[0]), "resign", found[0])
            question = self.letters(name)[-1]
            self.send(name, reply_address(question), "yes", question)
        else:
            self.say(name, f"resign {game}")


@pytest.fixture
def mail(tmp_path):
    town = World(tmp_path, **MAIL)
    town.join(*EIGHT)
    port = free_port()
    listener = transport.listening.listen(
        replace(town.settings, mail_listen=f"smtp://127.0.0.1:{port}"), store_callback(town.runtime),
        recipient_check(town.runtime),
    )  # fmt: skip
    try:
        with Inbox() as inbox:
            mail = Mail(town, port, inbox)
            with closing(mail.post):
                yield mail
    finally:
        listener.stop()
        town.close()


def test_eight_people_play_a_swiss_of_three_rounds_by_mail(mail):
    answer = mail.say("ann", 'tournament new swiss duel players=8 rounds=3 name="Autumn"')
    assert "https://games.example/tournaments/1" in answer
    for name in EIGHT:
        assert "You are in tournament 1, Autumn." in mail.say(name, "enter 1")
    started = [one for name in EIGHT for one in mail.letters(name) if "it has begun" in str(one["Subject"])]
    assert len(started) == 8
    for number in (1, 2, 3):
        found = games(mail.town, 1)
        assert len(found) == 4, number
        if number == 2:
            assert "is being played" in mail.say("hal", "tournament 1")
        for game, first, _second in found:
            mail.resign(first, game)
        mail.round()
    assert stand(mail.town, 1).state is TournamentState.FINISHED
    standings = table(mail.town, 1)
    assert sum(points for _name, _rank, points, _played in standings) == 12
    assert {played for _name, _rank, _points, played in standings} == {3}
    for name in EIGHT:
        subjects = [str(one["Subject"]) for one in mail.letters(name) if "[Tournament 1]" in str(one["Subject"])]
        assert len(subjects) == 4, subjects
        answer = " ".join(text_of(mail.letters(name)[-1]).split())
        rank = next(row[1] for row in standings if row[0] == name)
        assert f"Autumn is over: you have come {rank} of 8" in answer
