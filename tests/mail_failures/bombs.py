"""Bombs, each taken in and read with little memory, by a process that takes some of them and then ends.

Usage: `python -m tests.mail_failures.bombs FOLDER ADDRESSES`: to how many of three kinds of addresses each bomb goes, the
next bomb to the next.

Prints one line for each bomb: its name, the outcome, seconds of processor time, MiB that it needed besides.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import resource
import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import select

from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.models import Inbound, InboundState
from tests import test_machine_mail, test_replytext
from tests.mail_failures.boxes import every_box
from tests.sizes import in_turn
from tests.tables import quicken
from tests.world import mail_world

MEMORY = 200 << 20
"""Bytes that one message may cost."""

SECONDS = 30
"""Seconds of processor time after which a bomb counts as gone off; the aim is 2, but machines differ."""

IN_ONE_PROCESS = 12
"""So many bombs are taken in before the next process begins; one that ends its process leaves the others to the next."""

MUCH = 40
"""After a bomb that needed so many MiB the next process begins, so that none has what another left behind."""

KINDS = ("reply", "play", "bounce")
"""The addresses of ours that read mail in different ways."""

HEAD = b"From: ann@example.org\r\nSubject: x\r\n"
PARTS = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def html(page):
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + page.encode()[: MESSAGE_LIMIT - 200]


def plain(text):
    return HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()[: MESSAGE_LIMIT - 200]


BOMBS = {
    "nested 1,000 deep": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" * 1_000,
    "letters in letters": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 1_000,
    "200,000 parts": PARTS + b"--b\r\n\r\n\r\n" * 200_000,
    "as many parts as fit": PARTS + b"--b\r\n\r\n\r\n" * 100_000,
    "2,000 brackets in From": b"From: " + b"(" * 2_000 + b"\r\n\r\nc3/f2=B",
    "50,000 quotes in To": HEAD + b"To: " + b'"' * 50_000 + b"\r\n\r\nc3/f2=B",
    "20,000 addresses in To": HEAD + b"To: " + b"a@b.c, " * 9_000 + b"\r\n\r\nc3/f2=B",
    "dots in From": b"From: " + b"a." * 50_000 + b"\r\n\r\nc3/f2=B",
    "a header over 200,000 lines": HEAD + b"To: a\r\n" + b" b\r\n" * 200_000 + b"\r\nc3/f2=B",
    "ten thousand references": HEAD + b"References: " + b"<a@b> " * 10_000 + b"\r\n\r\nc3/f2=B",
    "a report of many recipients": HEAD
    + b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: message/delivery-status\r\n\r\n" + b"Action: failed\r\nStatus: 5.1.1\r\n\r\n" * 30_000,
    "a line of moves": plain("preview " + "c3/f2=B " * 10_000),
    "commands without end": plain("help\n" * 50_000),
    "a long move": plain("c3/" + "f2" * 100_000),
    **{f"text: {name}": plain(text) for name, text in test_replytext.BOMBS.items()},
    **{f"parts: {name}": HEAD + raw for name, raw in test_replytext.RAW_BOMBS.items()},
    **{f"html: {name}": html(page) for name, page in test_replytext.HTML_BOMBS.items()},
    **{f"fields: {name}": raw + b"\r\n\r\nc3/f2=B" for name, raw in test_machine_mail.BOMBS.items()},
}  # fmt: skip


def take_in(town, raw, box):
    """Take one mail in at an address of ours and act on it; returns how it ended."""
    engine = quicken(db.make_engine(town.settings.database_url))
    mailbox.store_message(engine, raw, box, "ann@example.org", now=datetime.now(UTC))
    mailbox.drain(engine, town.settings, now=datetime.now(UTC), rng=random.Random(1))
    with db.reading(engine) as session:
        last = session.exec(select(Inbound).order_by(Inbound.id.desc())).first()
    engine.dispose()
    return last.state.value if last.state != InboundState.TAKEN else last.reason[-80:]


def explode(town, boxes, name):
    """Take one bomb in at these addresses of ours, under limits, and print what it did; the MiB that it needed."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(before.ru_utime + before.ru_stime) + SECONDS
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    worst, outcomes = 0.0, []
    for box in boxes:
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        outcomes.append(take_in(town, BOMBS[name], box))
        worst = max(worst, resource.getrusage(resource.RUSAGE_SELF).ru_utime - start)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before.ru_maxrss) >> 10
    print(f"{name}\t{' '.join(outcomes)}\t{worst:.2f}\t{grown}", flush=True)
    return grown


def main(folder, at_once):
    logging.disable()
    town = mail_world(folder)
    _number, boxes = every_box(town)
    town.close()
    for kind in KINDS:  # so that what every mail needs is loaded once, before bombs have processes of their own
        take_in(town, plain("Good luck!"), boxes[kind])
    gc.freeze()  # what is there already need not be copied for every process
    left = [(name, in_turn(KINDS, turn, at_once=at_once, is_thorough=False)) for turn, name in enumerate(BOMBS)]
    while left:
        done, code = explode_some(town, boxes, left[:IN_ONE_PROCESS])
        if code:
            print(f"{left[done][0]}\tended with {code}\t{SECONDS}\t0", flush=True)
            done += 1
        left = left[done:]


def explode_some(town, boxes, chosen):
    """Let a process take these bombs in; how many it survived, and how it ended."""
    survived, dots = os.pipe()
    if child := os.fork():
        os.close(dots)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with open(survived, "rb") as pipe:
            return len(pipe.read()), code
    for name, kinds in chosen:
        grown = explode(town, [boxes[kind] for kind in kinds], name)
        os.write(dots, b".")
        if grown >= MUCH:
            break
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
