"""One process that runs pages, mail listener and background jobs until interrupted."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.serving import BaseWSGIServer, make_server

from correspondence import transport
from correspondence.clocks import outages, processes
from correspondence.clocks.processes import FETCHER, LISTENER, ROBOTS, TAKES_MAIL, WEB, WORKER
from correspondence.core.config import SettingError, Settings, address_of, is_loopback
from correspondence.core.db import transaction
from correspondence.core.log_format import set_up_logging
from correspondence.core.runtime import Runtime
from correspondence.ops import schedule
from correspondence.ops.heartbeats import Heartbeats, LastDone, LivingPart
from correspondence.ops.reception import Reception
from correspondence.web.current import runtime_of

_QUIET = {"apscheduler": logging.ERROR, "mail.log": logging.WARNING, "werkzeug": logging.WARNING}
"""Log levels of noisy libraries; a late sweep needs no log line, it just runs next time."""


_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
"""Options of glibc's mallopt (malloc.h): number of heaps, and size of separate blocks."""

_LARGE = 32 << 10
"""Size in bytes from which a block is allocated separately: whole pages and pictures."""


def serve(app: Flask) -> None:
    """Serve pages, receive mail and send letters until SIGINT or SIGTERM; prints addresses."""
    _keep_memory_small()
    _run(app, address_lines(runtime_of(app).settings), web=True)


def work(app: Flask) -> None:
    """Run the worker without the pages (`flask worker`) until SIGINT or SIGTERM."""
    _keep_memory_small()
    _run(app, "The worker is running. Stop it with Ctrl-C.", web=False)


def receive(app: Flask) -> None:
    """Only receive mail (`flask listen`) until SIGINT or SIGTERM; raises SettingError."""
    runtime = runtime_of(app)
    if not runtime.settings.mail_listen:
        raise SettingError("MAIL_LISTEN is empty, so mail cannot be received: set it to smtp://host:port.")
    _keep_memory_small()
    set_up_logging(runtime.settings)
    stop = _stop_signal()
    reception = Reception(runtime, stands_by=False)
    heartbeats = Heartbeats(runtime, [LivingPart(LISTENER, reception.sign, lets_mail_in=reception.lets_mail_in)])
    heartbeats.start()
    print(f"Mail is received at {runtime.settings.mail_listen}. Stop it with Ctrl-C.", flush=True)
    _wait(stop)
    reception.stop()
    heartbeats.stop()
    runtime.engine.dispose()


def _run(app: Flask, greeting: str, *, web: bool) -> None:
    """Run until a signal; hanging work is abandoned and repeated after the next start."""
    set_up_logging(runtime_of(app).settings)
    stop = _stop_signal()
    with running(app, web=web) as parts:
        print(greeting, flush=True)
        _wait(stop)
    print("Stopped; nothing is lost, what was due is done at the next start.", flush=True)
    if parts.hangs:
        os._exit(0)


def _stop_signal() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_args: stop.set())
    return stop


def _wait(stop: threading.Event) -> None:
    """Wait for the signal, waking once a second in case it reached another thread."""
    while not stop.wait(1.0):
        pass


def _keep_memory_small() -> None:
    """Make all threads share one heap, and return large blocks to the system when freed.

    By default, glibc gives each thread a heap, which keeps the memory that pages once needed. A large block, such as a
    page or a picture, would stay in the heap too, and later leave a hole for small ones.
    """
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such heaps
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_ARENA_MAX, 1)
        mallopt(_M_MMAP_THRESHOLD, _LARGE)


@dataclass(slots=True)
class Parts:
    """The state of a process's parts; `hangs` if one of them did not stop."""

    hangs: bool = False


@contextmanager
def running(app: Flask, *, web: bool) -> Iterator[Parts]:
    """Context manager: run the parts within the block, then stop them in order.

    A part that does not stop within `schedule.GRACE` is left running, and `hangs` is set.
    """
    runtime, running_parts = runtime_of(app), Parts()
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(level)
    reception, progress = Reception(runtime, stands_by=not web), schedule.progress_of(runtime)
    heartbeats = Heartbeats(runtime, list(_heard_parts(runtime, reception, progress, web=web)))
    try:
        if web:
            _expect_mail_by_settings(runtime)
        robots = schedule.robots_of(runtime, progress[ROBOTS].note)
        scheduler = schedule.start(runtime, robots, progress)
        heartbeats.start()
        try:
            parts = app.extensions.setdefault("correspondence_parts", {})
            parts.update(worker=lambda: bool(scheduler.running))
            if runtime.settings.mail_listen:
                parts.update(mail=reception.is_up)
            with _pages(app, runtime) if web else _no_pages():
                yield running_parts
        finally:
            runtime.stopping.set()
            robots.stop()
            running_parts.hangs = not schedule.stop(runtime, scheduler)
    finally:
        reception.stop()
        heartbeats.stop()
        runtime.engine.dispose()


def _heard_parts(
    runtime: Runtime, reception: Reception, progress: Mapping[str, LastDone], *, web: bool
) -> Iterator[LivingPart]:
    """Yield the parts of this process that give signs of life."""
    settings = runtime.settings
    yield LivingPart(WORKER, progress[WORKER].sign)
    if settings.mail_listen:
        yield LivingPart(LISTENER, reception.sign, is_expected=web, lets_mail_in=reception.lets_mail_in)
    if settings.mail_fetch:
        yield LivingPart(FETCHER, progress[FETCHER].sign)
    if settings.thinking_processes:
        yield LivingPart(ROBOTS, progress[ROBOTS].sign)
    if web:
        yield LivingPart(WEB, runtime.now)


def _expect_mail_by_settings(runtime: Runtime) -> None:
    """Stop expecting mail if this process is the whole service and receives none."""
    if runtime.settings.mail_listen or runtime.settings.mail_fetch:
        return
    with transaction(runtime.engine) as session:
        if not any(one.part in TAKES_MAIL for one in processes.known(session, now=runtime.now())):
            outages.expect_no_mail(session)


@contextmanager
def _pages(app: Flask, runtime: Runtime) -> Iterator[BaseWSGIServer]:
    host, port = address_of(runtime.settings.http_listen)
    if transport.is_listening(host, port):
        raise SettingError(f"HTTP_LISTEN {host}:{port} is in use by another program; set another port.")
    server = make_server(host, port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, name="pages", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def _no_pages() -> Iterator[None]:
    yield


def _served_elsewhere(settings: Settings) -> str:
    """Return a warning if BASE_URL names another port of this machine; empty if not."""
    address = urlsplit(settings.base_url)
    port = address_of(settings.http_listen)[1]
    if not is_loopback(address.hostname or "") or address.port in (None, port):
        return ""
    return f" in letters, by BASE_URL; but they are served at port {port}: set BASE_URL to match"


def address_lines(settings: Settings) -> str:
    """Return the start-up lines: addresses of the pages, incoming mail and letters."""
    lines = [f"Pages      {settings.base_url}{_served_elsewhere(settings)}"]
    if settings.mail_listen:
        lines.append(f"Mail in    play@{settings.mail_domain}, taken at {settings.mail_listen}")
    lines.append(f"Letters    {settings.mail_send.split('@')[-1]}")
    if settings.shows_letters:
        lines.append(f"           to be read at {settings.base_url}/mail")
    return "\n".join(lines)
