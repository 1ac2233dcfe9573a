"""A mailbox server of a few commands, on loopback, that remembers flags and every command it was given."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress


class Mailbox:
    """Messages by UID with their flags; `is_silent` makes it stop answering after the greeting."""

    def __init__(self, *messages, is_silent=False):
        self.messages = {7 + number: raw for number, raw in enumerate(messages)}
        self.flags = {number: set() for number in self.messages}
        self.folders: dict[str, list[bytes]] = {}
        self.commands: list[str] = []
        self.is_silent = is_silent

    def __enter__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"imap://ann:secret%40word@127.0.0.1:{self._socket.getsockname()[1]}/INBOX"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def unseen(self):
        return [number for number, flags in self.flags.items() if "\\Seen" not in flags]

    def _serve(self):
        while True:
            try:
                line, _peer = self._socket.accept()
            except OSError:
                return
            line.settimeout(5)
            with line, line.makefile("rwb") as talk:
                talk.write(b"* OK here\r\n")
                talk.flush()
                with suppress(OSError):
                    self._talk(talk)

    def _talk(self, talk):
        while command := talk.readline().decode().strip():
            self.commands.append(command)
            tag, _blank, rest = command.partition(" ")
            if self.is_silent:
                continue
            for part in self._answer(rest):
                talk.write(part)
            talk.write(f"{tag} OK done\r\n".encode())
            talk.flush()
            if rest == "LOGOUT":
                return

    def _answer(self, rest):
        if rest == "CAPABILITY":
            yield b"* CAPABILITY IMAP4rev1\r\n"
        elif rest.startswith("SELECT"):
            yield f"* {len(self.messages)} EXISTS\r\n* OK [UIDVALIDITY 1] fine\r\n".encode()
        elif rest == "UID SEARCH UNSEEN":
            yield f"* SEARCH {' '.join(map(str, self.unseen()))}\r\n".encode()
        elif found := re.match(r"UID FETCH (\d+) .*BODY\.PEEK\[\]<0\.(\d+)>", rest):
            number = int(found[1])
            raw, flags = self.messages[number][: int(found[2])], " ".join(sorted(self.flags[number]))
            yield f"* 1 FETCH (UID {number} FLAGS ({flags}) BODY[]<0> {{{len(raw)}}}\r\n".encode()
            yield raw + b")\r\n"
        elif found := re.match(r"UID STORE (\d+) \+FLAGS\.SILENT \((.+)\)", rest):
            self.flags[int(found[1])] |= set(found[2].split())
        elif found := re.match(r"UID COPY (\d+) (\w+)", rest):
            self.folders.setdefault(found[2], []).append(self.messages[int(found[1])])
