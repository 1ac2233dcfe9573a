"""The spam filter that docs/deploy.md sets up in front: a real rspamd behind a real postfix, and what it writes."""

from __future__ import annotations

import shutil
import smtplib
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import dns.flags
import dns.message
import dns.rdatatype
import dns.rrset
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP

from correspondence.mime.authentication import AuthResult, auth_result_of, is_dmarc_failure, is_marked_spam
from tests.deployment import DEPLOY, postfix_settings
from tests.mta import servers
from tests.ports import free_port

OURS = "games.example"

ZONE = {
    ("good.example.", "TXT"): ['"v=spf1 ip4:192.0.2.9 -all"'],
    ("_dmarc.good.example.", "TXT"): ['"v=DMARC1; p=reject"'],
    ("good.example.", "A"): ["192.0.2.9"],
    ("good.example.", "MX"): ["10 good.example."],
    ("forged.example.", "TXT"): ['"v=spf1 -all"'],
    ("_dmarc.forged.example.", "TXT"): ['"v=DMARC1; p=reject"'],
    ("forged.example.", "A"): ["192.0.2.8"],
}

PASSED = f"""Authentication-Results: {OURS};
\tdkim=none;
\tdmarc=pass (policy=reject) header.from=good.example;
\tspf=pass ({OURS}: domain of a@good.example designates 192.0.2.9 as permitted sender) smtp.mailfrom=a@good.example
"""
FORGED = f"""Authentication-Results: {OURS};
\tdkim=none;
\tdmarc=fail reason="SPF not aligned (relaxed), No valid DKIM" header.from=forged.example (policy=reject);
\tspf=pass ({OURS}: domain of x@good.example designates 192.0.2.9 as permitted sender) smtp.mailfrom=x@good.example
"""


def test_fields_that_rspamd_writes_are_read():
    passed, forged = (fields.replace("\n", "\r\n").encode() + b"\r\nhello\r\n" for fields in (PASSED, FORGED))
    assert (is_dmarc_failure(passed, OURS), is_dmarc_failure(forged, OURS)) == (False, True)
    assert auth_result_of(passed, "a@good.example", OURS) == AuthResult.PASS
    assert auth_result_of(forged, "x@forged.example", OURS) == AuthResult.FAIL


@contextmanager
def name_server():
    """A DNS that knows ZONE alone; yields its port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_answer, args=(line,))
        thread.start()
        port = line.getsockname()[1]
        try:
            yield port
        finally:
            line.sendto(b"", ("127.0.0.1", port))
            thread.join()


def _answer(line):
    while True:
        packet, peer = line.recvfrom(4096)
        if not packet:
            return
        question = dns.message.from_wire(packet)
        answer = dns.message.make_response(question)
        answer.flags |= dns.flags.RA
        name_asked = question.question[0]
        key = str(name_asked.name).lower(), dns.rdatatype.to_text(name_asked.rdtype)
        if key in ZONE:
            answer.answer.append(dns.rrset.from_text(name_asked.name, 60, "IN", key[1], *ZONE[key]))
        elif not any(name == key[0] for name, _kind in ZONE):
            answer.set_rcode(3)
        line.sendto(answer.to_wire(), peer)


@contextmanager
def spam_filter(folder, names):
    """A rspamd with the files of deploy/, which marks what has four points; yields its port."""
    if not shutil.which("rspamd"):
        pytest.skip("there is no spam filter here (Debian: apt-get install rspamd)")
    port, etc = free_port(), folder / "etc"
    shutil.copytree("/etc/rspamd", etc)
    for file in (DEPLOY / "rspamd").glob("*.conf"):
        shutil.copy(file, etc / "local.d")
    actions = etc / "local.d" / "actions.conf"
    actions.write_text(actions.read_text().replace("add_header = 8;", "add_header = 4;"))
    for worker in ("controller", "normal"):
        (etc / "local.d" / f"worker-{worker}.inc").write_text(f'bind_socket = "127.0.0.1:{free_port()}";')
    (etc / "local.d" / "options.inc").write_text(
        f'dns {{ nameserver = ["127.0.0.1:{names}"]; }} pidfile = "{folder}/pid";'
    )
    (etc / "local.d" / "worker-proxy.inc").write_text(
        f'bind_socket = "127.0.0.1:{port}"; milter = yes; upstream "local" {{ default = yes; self_scan = yes; }}'
    )
    places = [f"--var={name}={etc}" for name in ("CONFDIR", "LOCAL_CONFDIR")]
    places += [f"--var={name}={folder}" for name in ("DBDIR", "RUNDIR", "LOGDIR")]
    with open(folder / "out", "w") as out:
        command = ["rspamd", "-f", "-i", "-c", etc / "rspamd.conf", *places]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise TimeoutError(f"nobody answers at port {port}")


class Service:
    """What the service would be handed by LMTP."""

    def __init__(self):
        self.taken = []

    async def handle_DATA(self, _server, _session, envelope):
        self.taken.append(envelope.content)
        return "250 kept"


class LmtpController(Controller):
    def factory(self):
        return LMTP(self.handler)


def send(port, author, **headers):
    """Send a mail as if from 192.0.2.9, which is allowed to send for good.example alone."""
    fields = {
        "From": author, "To": f"play@{OURS}", "Subject": "hello", "Date": "Thu, 26 Nov 2026 17:00:00 +0000",
        "Message-ID": f"<{time.time()}@far.example>", **headers,
    }  # fmt: skip
    raw = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in fields.items()) + "\r\njoin cleo\r\n"
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.ehlo("far.example")
        client.docmd("XCLIENT ADDR=192.0.2.9 NAME=good.example HELO=good.example")
        client.ehlo("good.example")
        client.sendmail("a@good.example", [f"play@{OURS}"], raw.encode())


@pytest.mark.deployment
def test_spam_filter_of_the_guide_marks_and_takes_foreign_marks_away(tmp_path):
    service, port = Service(), free_port()
    controller = LmtpController(service, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        with name_server() as names, spam_filter(Path(tmp_path), names) as milter:
            milters = [text for text in postfix_settings(OURS, p11332=milter) if "milter" in text]
            others = [f"myhostname = {OURS}", "smtpd_authorized_xclient_hosts = 127.0.0.0/8", "mynetworks = 127.0.0.2/32",
                      "smtpd_relay_restrictions = reject_unauth_destination",
                      "smtpd_recipient_restrictions = reject_unauth_destination"]  # fmt: skip
            with servers(port, *others, *milters) as mta:
                send(mta.smtp, "a@good.example", X_Spam_Flag="NO")
                send(
                    mta.smtp,
                    "x@forged.example",
                    Authentication_Results=f"{OURS}; dmarc=pass header.from=forged.example",
                )
                send(mta.smtp, "a@good.example", X_Spam_Flag="YES", X_Spam="yes")  # worth five points by itself
                until = time.monotonic() + 30
                while len(service.taken) < 3 and time.monotonic() < until:
                    time.sleep(0.1)
    finally:
        controller.stop()
    good, forged, spam = service.taken
    assert auth_result_of(good, "a@good.example", OURS) == AuthResult.PASS and not is_marked_spam(good)
    assert is_dmarc_failure(forged, OURS) and b"dmarc=pass" not in forged
    assert is_marked_spam(spam) and spam.lower().count(b"x-spam-flag:") == 1
    assert b"X-Spam-Flag: NO" not in good
