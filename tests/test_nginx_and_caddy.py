"""The pages behind nginx and Caddy, each with its file from `deploy/`: visitors, long forms, streams, and what is logged."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

from correspondence.models import ApiScope
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.web.throttle import SIGN_IN
from tests.deployment import DOMAIN, ROOT
from tests.ports import free_port
from tests.programs import token_of
from tests.test_commands_of_flask import environment, fetch
from tests.test_deployment_files import caddy_command, nginx_command
from tests.world import World

pytestmark = pytest.mark.deployment

COMMANDS = {"nginx": nginx_command, "caddy": caddy_command}
PACKAGES = {"nginx": "nginx-light", "caddy": "caddy"}
TOO_LONG = "That's more than we accept at once. Please send something shorter."


@dataclass
class Proxy:
    """A proxy that runs: its port, and the file that it logs to."""

    port: int
    log: Path

    def ask(self, method, path, body=None, visitor="127.0.0.1", **headers):
        """Status, headers and text of an answer to a visitor who comes from this address of the machine."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(visitor, 0))
        try:
            line.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            line.close()

    def announce(self, length):
        """The answer to somebody who announces a form of this length and sends only its beginning."""
        return self.ask("POST", "/sign-in", b"who=ann", Content_Length=str(length), Content_Type=FORM)


FORM = "application/x-www-form-urlencoded"


class Pages:
    """A club whose pages gunicorn serves as `deploy/` says."""

    def __init__(self, folder):
        self.world = World(folder / "instance")
        self.world.join("ann", "bob")
        self.token, self.port = token_of(self.world, "bob", ApiScope.READ), free_port()
        settings = {"HTTP_LISTEN": f"127.0.0.1:{self.port}", "BASE_URL": f"https://{DOMAIN}", "TRUSTED_PROXIES": "1"}
        self.env = environment(folder, INSTANCE_DIR=str(folder / "instance"), WEB_PROCESSES="1", **settings)

    def begin(self):
        words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "correspondence.wsgi:app"]
        self.process = subprocess.Popen(words, cwd=ROOT, env=self.env, stderr=subprocess.DEVNULL)
        fetch(f"http://127.0.0.1:{self.port}/health")

    def end(self):
        end(self.process)


def end(process):
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    pages = Pages(tmp_path_factory.mktemp("pages"))
    pages.begin()
    yield pages
    pages.end()
    pages.world.close()


@pytest.fixture(scope="module", params=COMMANDS)
def proxy(request, pages, tmp_path_factory):
    name = request.param
    if shutil.which(name, path="/usr/sbin:/usr/bin") is None:
        pytest.skip(f"{name} is not installed here (Debian: apt-get install {PACKAGES[name]})")
    folder, port = tmp_path_factory.mktemp(name), free_port()
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(COMMANDS[name](folder, port, pages.port), stdout=log, stderr=log, env=os.environ)
    fetch(f"http://127.0.0.1:{port}/health")
    yield Proxy(port, folder / "log")
    end(process)


def test_pages_come_through_with_their_headers(proxy):
    status, headers, text = proxy.ask("GET", "/", Host=DOMAIN)
    assert status == 200
    assert "</html>" in text
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "Secure" in proxy.ask("GET", "/games", Host=DOMAIN)[1]["Set-Cookie"]


def test_what_browsers_say_of_a_form_comes_through(proxy):
    for headers, status in (
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({"Origin": f"https://{DOMAIN}"}, 200),
        ({"Referer": f"https://{DOMAIN}/sign-in"}, 200),
        ({"Sec_Fetch_Site": "same-site", "Origin": f"https://blog.{DOMAIN}"}, 403),
        ({}, 403),
    ):
        answer = proxy.ask("POST", "/sign-in", b"who=nobody", Host=DOMAIN, Content_Type=FORM, **headers)
        assert answer[0] == status, headers


@pytest.mark.parametrize(("path", "encoding"), [("/help/fairness", "gzip"), (f"/t/{'a' * 26}", None)])
def test_pages_come_compressed_except_those_at_secret_addresses(proxy, path, encoding):
    line = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=30)
    line.request("GET", path, headers={"Host": DOMAIN, "Accept-Encoding": "gzip"})
    answer = line.getresponse()
    assert answer.headers["Content-Encoding"] == encoding and len(answer.read()) > 1000
    line.close()


def test_each_visitor_has_their_own_limit_and_a_forged_address_evades_none(proxy, pages):
    pages.end(), pages.begin()  # limits are counted anew
    forged = [
        proxy.ask("GET", "/t/short", visitor="127.0.0.7", X_Forwarded_For=f"192.0.2.{n}")[0]
        for n in range(SIGN_IN.burst + 3)
    ]
    assert forged == [404] * SIGN_IN.burst + [429] * 3
    assert proxy.ask("GET", "/t/short", visitor="127.0.0.8")[0] == 404


def test_a_form_that_is_too_long_for_the_service_is_refused_by_its_own_page(proxy):
    body = b"who=" + b"x" * ((1 << 20) + 1)
    for language, sentence in (("en", TOO_LONG), ("it", "È più di quanto possiamo ricevere in una volta")):
        status, headers, text = proxy.ask("POST", "/sign-in", body, Content_Type=FORM, Accept_Language=language)
        assert status == 413
        assert "text/html" in headers["Content-Type"]
        assert sentence in unescape(text)


@pytest.mark.parametrize("length", [3_000_000, 10**11])
def test_what_is_far_too_long_is_refused_at_once_by_the_same_sentence(proxy, length):
    status, headers, text = proxy.announce(length)
    assert (status, text.strip()) == (413, TOO_LONG) and headers["Content-Type"] == "text/plain; charset=utf-8"


def test_what_happens_reaches_a_program_while_it_listens(proxy, pages):
    wanted = {"Authorization": f"Bearer {pages.token}", "Accept": "text/event-stream", "Accept-Encoding": "gzip"}
    request = urllib.request.Request(f"http://127.0.0.1:{proxy.port}/api/v1/events", headers=wanted)
    with urllib.request.urlopen(request, timeout=10) as stream:  # a comment, after fifteen seconds, would come too late
        assert stream.headers["Content-Type"].startswith("text/event-stream") and stream.readline() == b"retry: 3000\n"
        pages.world.match()
        sweep_events(pages.world.runtime)
        assert next(line for line in stream if line.startswith(b"event:")) == b"event: challenge\n"


def test_while_the_pages_are_away_a_sentence_says_so_and_no_secret_of_a_link_is_logged(proxy, pages):
    pages.end()
    try:
        status, headers, text = proxy.ask("GET", "/t/secret-of-a-link", visitor="127.0.0.7")
        assert (status, headers["Retry-After"]) == (503, "60") and text.startswith("The pages are away for a moment.")
    finally:
        pages.begin()
    proxy.announce(3_000_000)
    logged = "".join(file.read_text() for file in proxy.log.parent.glob("*log"))
    assert "secret-of-a-link" not in logged and "127.0.0.7" not in logged
