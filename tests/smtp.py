"""Foreign mail servers on loopback: a stub with scripted faults, and working ones."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing, suppress

from aiosmtpd.controller import Controller

from correspondence.transport.posting import Server, SmtpPost


class Stub:
    """A minimal server that answers each command as scripted, and can drop the connection."""

    def __init__(self, *, greeting="220 stub", answers=None, drops_after_data=False, offers=()):
        self.greeting = greeting
        self.answers = answers or {}
        self.drops_after_data = drops_after_data
        self.offers = offers
        self.received: list[bytes] = []
        self.times: list[float] = []
        self.commands: list[str] = []
        self.connections = 0

    def __enter__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.host, self.port = self._socket.getsockname()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _serve(self):
        while True:
            try:
                line, _peer = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            line.settimeout(5)
            with closing(line), line.makefile("rwb") as talk, suppress(OSError):
                self._talk(talk)

    def _say(self, talk, text):
        talk.write(text.encode() + b"\r\n")
        talk.flush()

    def _talk(self, talk):
        self._say(talk, self.greeting)
        while command := talk.readline().decode().strip():
            self.commands.append(command)
            verb = command.split()[0].upper()
            answer = self.answers.get(verb, "250 OK")
            if answer is None:
                return
            if verb == "DATA" and answer == "250 OK":
                self._say(talk, "354 go on")
                if not self._data(talk):
                    return
                continue
            for offer in self.offers if verb == "EHLO" else ():
                self._say(talk, f"250-{offer}")
            self._say(talk, "221 bye" if verb == "QUIT" else answer)
            if verb == "QUIT":
                return

    def _data(self, talk):
        lines = []
        while (line := talk.readline()) not in (b".\r\n", b""):
            lines.append(line)
        self.received.append(b"".join(lines))
        self.times.append(time.monotonic())
        answer = self.answers.get("END", "250 kept")
        if self.drops_after_data or answer is None:
            return False
        self._say(talk, answer)
        return True


def smtp_post(stub, **limits):
    return SmtpPost(Server(stub.host, stub.port), "games.example", **{"timeout": 5, "data_timeout": 5, **limits})


class Inbox:
    """A working server; `envelopes` are the mails it accepted."""

    def __init__(self, **options):
        self.envelopes = []
        self._options = options

    async def handle_DATA(self, _server, _session, envelope):
        self.envelopes.append(envelope)
        return "250 2.0.0 Taken"

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.host, self.port = free.getsockname()
        self._controller = Controller(self, hostname=self.host, port=self.port, **self._options)
        self._controller.start()
        return self

    def __exit__(self, *_):
        self._controller.stop()


class Refuser(Inbox):
    """A server with scripted refusals: `at_mail` all senders, `at_rcpt` and `at_data` by domain.

    The domain `*` stands for all others. `tried` lists every recipient that was offered.
    """

    def __init__(self, *, at_mail="", at_rcpt=None, at_data=None):
        super().__init__()
        self.at_mail, self.at_rcpt, self.at_data = at_mail, at_rcpt or {}, at_data or {}
        self.tried = []

    def open_up(self):
        """Accept everything from now on."""
        self.at_mail, self.at_rcpt, self.at_data = "", {}, {}

    async def handle_MAIL(self, _server, _session, envelope, address, options):
        if self.at_mail:
            return self.at_mail
        envelope.mail_from, envelope.mail_options = address, options
        return "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        self.tried.append(address)
        if refusal := self._of(self.at_rcpt, address):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        return self._of(self.at_data, envelope.rcpt_tos[0]) or await super().handle_DATA(server, session, envelope)

    @staticmethod
    def _of(answers, address):
        return answers.get(address.partition("@")[2], answers.get("*", ""))
