"""A minimal IMAP server on loopback that stores flags and records every command."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress


class Mailbox:
    """Messages by UID with their flags; `is_silent` makes it stop answering after the greeting.

    It accepts any number of connections. With `idles` it supports IDLE and announces new mail, unless it
    `is_deaf`: then it sends nothing to idle clients. It answers NO to commands that `refuses` matches.
    """

    def __init__(self, *messages, is_silent=False, idles=False, can="", refuses="", context=None):
        self.messages = {7 + number: raw for number, raw in enumerate(messages)}
        self.flags = {number: set() for number in self.messages}
        self.folders: dict[str, list[bytes]] = {}
        self.commands: list[str] = []
        self.is_silent, self.is_deaf = is_silent, False
        self.can = f"{can} {'IDLE' if idles else ''}".strip()
        self.refuses, self.context = refuses, context
        self.validity = 1
        self.connections: list[socket.socket] = []
        self._came = threading.Condition()

    def __enter__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = (
            f"{'imaps' if self.context else 'imap'}://ann:secret%40word@127.0.0.1:{self._socket.getsockname()[1]}/INBOX"
        )
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self.hang_up()
        for thread in self._threads:
            thread.join()

    def hang_up(self):
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def arrive(self, raw):
        """Deliver a new message."""
        number = max(self.messages, default=6) + 1
        with self._came:
            self.flags[number] = set()
            self.messages[number] = raw
            self._came.notify_all()
        return number

    def unseen(self):
        return [number for number, flags in self.flags.items() if "\\Seen" not in flags]

    def _serve(self):
        while True:
            try:
                line, _peer = self._socket.accept()
            except OSError:
                return
            self.connections.append(line)
            self._threads.append(threading.Thread(target=self._host, args=(line,)))
            self._threads[-1].start()

    def _host(self, line):
        line.settimeout(20)
        with suppress(OSError, ValueError), self._secured(line) as line, line.makefile("rwb") as talk:
            talk.write(b"* OK here\r\n")
            talk.flush()
            self._talk(talk)

    def _secured(self, line):
        return self.context.wrap_socket(line, server_side=True) if self.context else line

    def _talk(self, talk):
        while command := talk.readline().decode().strip():
            self.commands.append(command)
            tag, _blank, rest = command.partition(" ")
            if self.is_silent:
                continue
            if rest == "IDLE":
                self._idle(talk, tag)
                continue
            if self.refuses and re.match(self.refuses, rest):
                talk.write(f"{tag} NO not this one\r\n".encode())
                talk.flush()
                continue
            for part in self._answer(rest):
                talk.write(part)
            talk.write(f"{tag} OK done\r\n".encode())
            talk.flush()
            if rest == "LOGOUT":
                return

    def _idle(self, talk, tag):
        talk.write(b"+ idling\r\n")
        talk.flush()
        done = threading.Event()
        teller = threading.Thread(target=self._tell, args=(talk, len(self.messages), done))
        teller.start()
        line = talk.readline()
        done.set()
        with self._came:
            self._came.notify_all()
        teller.join()
        self.commands.append(line.decode().strip())
        if line.strip() == b"DONE" and not self.is_deaf:
            talk.write(f"{tag} OK done\r\n".encode())
            talk.flush()

    def _tell(self, talk, known, done):
        with self._came:
            self._came.wait_for(lambda: done.is_set() or len(self.messages) > known)
        if not done.is_set() and not self.is_deaf:
            with suppress(OSError, ValueError):
                talk.write(f"* {len(self.messages)} EXISTS\r\n".encode())
                talk.flush()

    def _answer(self, rest):
        if rest == "CAPABILITY":
            yield f"* CAPABILITY IMAP4rev1 {self.can}\r\n".encode()
        elif rest.startswith(("SELECT", "EXAMINE")):
            newest = max(self.messages, default=6)
            yield f"* {len(self.messages)} EXISTS\r\n* OK [UIDVALIDITY {self.validity}] fine\r\n".encode()
            yield f"* OK [UIDNEXT {newest + 1}] fine\r\n".encode()
        elif rest == "UID SEARCH UNSEEN":
            yield f"* SEARCH {' '.join(map(str, self.unseen()))}\r\n".encode()
        elif found := re.match(r"UID SEARCH UID (\d+):\*", rest):
            above = [n for n in self.messages if n >= int(found[1])] or sorted(self.messages)[-1:]
            yield f"* SEARCH {' '.join(map(str, above))}\r\n".encode()
        elif found := re.match(r"UID FETCH (\d+) \(RFC822\.SIZE\)", rest):
            number = int(found[1])
            if number in self.messages:
                yield f"* 1 FETCH (UID {number} RFC822.SIZE {len(self.messages[number])})\r\n".encode()
        elif found := re.match(r"UID FETCH (\d+) .*BODY\.PEEK\[\]<0\.(\d+)>", rest):
            raw = self.messages[int(found[1])][: int(found[2])]
            yield f"* 1 FETCH (UID {found[1]} BODY[]<0> {{{len(raw)}}}\r\n".encode()
            yield raw + b")\r\n"
        elif found := re.match(r"UID STORE (\d+) \+FLAGS\.SILENT \((.+)\)", rest):
            self.flags[int(found[1])] |= set(found[2].split())
        elif found := re.match(r'UID (COPY|MOVE) (\d+) "(\w+)"', rest):
            self.folders.setdefault(found[3], []).append(self.messages[int(found[2])])
            if found[1] == "MOVE":
                del self.messages[int(found[2])], self.flags[int(found[2])]
