"""The mail of a test world without sockets: mails in, their effects, and letters out."""

from __future__ import annotations

import re
import threading
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid

from sqlmodel import select

from correspondence.core import db, tokens
from correspondence.inbound import mailbox
from correspondence.models import Inbound, Letter, LetterState
from correspondence.ops.sending_sweeps import still_wanted, sweep_letter_requests
from correspondence.outbound import outbox, recovery_codes
from engines.base import MoveError


def reply_address(letter):
    """Return the bare address in the Reply-To of a letter."""
    [(_name, address)] = getaddresses([str(letter["Reply-To"])])
    return address


class Post:
    """The incoming and outgoing mail of a world."""

    def mail(self, sender, to, body, *, answering=None, subject="", **headers):
        """Receive a mail, process it, and deliver all letters; return the outcome of the mail."""
        self.put(self.compose(sender, to, body, answering=answering, subject=subject, **headers), to, sender)
        return self.sweep()

    def compose(self, sender, to, body, *, answering=None, subject="", **headers):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject or "hello"
        message["Message-ID"] = make_msgid(domain="example.org")
        if answering is not None:
            message["In-Reply-To"] = answering["Message-ID"]
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        return message.as_bytes()

    def put(self, raw, to, sender="ann@example.org"):
        mailbox.store_message(self.engine, raw, to, sender, now=self.time)

    def sweep(self):
        mailbox.drain(self.engine, self.settings, now=self.time, rng=self.rng)
        self.deliver()
        return self.outcome()

    def outcome(self):
        with db.reading(self.engine) as session:
            last = session.exec(select(Inbound).order_by(Inbound.id.desc())).first()
            return f"{last.state.value}: {last.reason}"

    def answer(self, letter, body, *, sender=None, **headers):
        return self.mail(sender or str(letter["To"]), reply_address(letter), body, answering=letter, **headers)

    def deliver(self):
        sweep_letter_requests(self.runtime)
        with db.transaction(self.engine) as session:
            due = session.exec(select(Letter).where(Letter.state == LetterState.QUEUED).order_by(Letter.id))
            for letter in list(due):
                why_not = outbox.reason_not_to_send(session, letter, still_wanted)
                letter.state = LetterState.SENT if why_not is None else LetterState.CANCELLED
                letter.answer = why_not or ""
                session.add(letter)
                if why_not is None:
                    self.received.receive(letter, self.settings)
                    recovery_codes.settle(session, letter, self.settings.secret_key)

    def agree(self, name, body, *, subject=""):
        """Send a mail to the open address, and answer the resulting proposal with yes."""
        outcome = self.mail(f"{name}@example.org", "play@games.example", body, subject=subject)
        return self.answer(self.letter(name), "yes") if outcome.endswith("proposed") else outcome

    def letters(self, name):
        return self.received.to(name)

    def letter(self, name):
        """Return the newest letter to a person."""
        return self.letters(name)[-1]

    def token_of(self, letter):
        return tokens.read(self.settings.secret_key, re.search(r"r\.(\w{26})@", reply_address(letter))[1])


def text_of(letter):
    return letter.get_body(("plain",)).get_content()


def html_of(letter):
    return letter.get_body(("html",)).get_content()


def at_once(*acts, refusals=(MoveError,)):
    """Run all functions concurrently in threads; return each result, or the text of its refusal."""
    barrier, results = threading.Barrier(len(acts)), []

    def run(act):
        barrier.wait()
        try:
            results.append(act() or "done")
        except refusals as error:
            results.append(str(error))

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
