"""Headless Firefox, controlled by its own protocol Marionette."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

from tests.ports import free_port

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LONGEST_START = 60.0
"""Maximum time for Firefox to start, in seconds."""


class Firefox:
    """One browser with one window."""

    def __init__(self, port: int) -> None:
        self._socket, self._number = _connected(port), 0
        self._stream = self._socket.makefile("rb")
        self._read()  # the greeting
        self.do("WebDriver:NewSession", pageLoadStrategy="eager", unhandledPromptBehavior="accept")

    def go(self, address: str) -> None:
        """Open a page and wait until it has loaded."""
        self.do("WebDriver:Navigate", url=address)

    def add_cookie(self, **cookie: object) -> None:
        """Add a cookie for the site of the open page."""
        self.do("WebDriver:AddCookie", cookie=cookie)

    def run(self, script: str) -> object:
        """Run a script in the open page and return its result."""
        return self.do("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def do(self, command: str, **given: object) -> dict[str, object]:
        """Send a command and return the answer; raise RuntimeError with Firefox's error message."""
        self._number += 1
        words = json.dumps([0, self._number, command, given]).encode()
        self._socket.sendall(b"%d:%s" % (len(words), words))
        _kind, _number, error, answer = self._read()
        if error:
            raise RuntimeError(error["message"])
        return answer

    def _read(self) -> object:
        length = b""
        while (one := self._stream.read(1)) != b":":
            length += one
        return json.loads(self._stream.read(int(length)))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
        self._socket.close()


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + LONGEST_START
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@contextmanager
def running(profile):
    """Context manager: run a Firefox with a separate profile."""
    port = free_port()
    profile.joinpath("user.js").write_text(
        f'user_pref("marionette.port", {port});\n'
        'user_pref("dom.disable_open_during_load", false);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n'
    )
    words = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        browser = Firefox(port)
        yield browser
        browser.close()
    finally:
        process.terminate()
        process.wait(30)
