"""Process mail bombs with little memory, in processes that handle a few each.

Usage: `python -m tests.mail_failures.bombs FOLDER ADDRESSES`. ADDRESSES is the number of kinds of addresses, of three,
to which each bomb is sent, in rotation.

Prints one line for each bomb: its name, the outcome, seconds of processor time, and additional MiB of memory.
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
"""Maximum memory for one message, in bytes."""

SECONDS = 30
"""Maximum processor time for a bomb, in seconds; the aim is 2, but machines differ."""

IN_ONE_PROCESS = 12
"""Number of bombs per process; if one ends its process, the next process handles the others."""

MUCH = 40
"""Memory use in MiB after which a new process begins, so that no bomb profits from another's memory."""

KINDS = ("reply", "play", "bounce")
"""Our addresses at which mail is read in different ways."""

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
    """Receive and process one mail at one of our addresses; return the outcome."""
    engine = quicken(db.make_engine(town.settings.database_url))
    mailbox.store_message(engine, raw, box, "ann@example.org", now=datetime.now(UTC))
    mailbox.drain(engine, town.settings, now=datetime.now(UTC), rng=random.Random(1))
    with db.reading(engine) as session:
        last = session.exec(select(Inbound).order_by(Inbound.id.desc())).first()
    engine.dispose()
    return last.state.value if last.state != InboundState.TAKEN else last.reason[-80:]


def explode(town, boxes, name):
    """Process one bomb at these addresses under limits, print the result, and return its MiB."""
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
    for kind in KINDS:  # load what every mail needs once, before processes are forked
        take_in(town, plain("Good luck!"), boxes[kind])
    gc.freeze()  # keep existing objects out of garbage collection, so that children need not copy them
    left = [(name, in_turn(KINDS, turn, at_once=at_once, is_thorough=False)) for turn, name in enumerate(BOMBS)]
    while left:
        done, code = explode_some(town, boxes, left[:IN_ONE_PROCESS])
        if code:
            print(f"{left[done][0]}\tended with {code}\t{SECONDS}\t0", flush=True)
            done += 1
        left = left[done:]


def explode_some(town, boxes, chosen):
    """Process these bombs in a child process; return how many it survived, and its exit status."""
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
