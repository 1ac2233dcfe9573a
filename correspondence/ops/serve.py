"""Runs everything in one process: pages, mail listener and background jobs, until interrupted."""

from __future__ import annotations

import ctypes
import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Flask
from werkzeug.serving import BaseWSGIServer, make_server

from correspondence import transport
from correspondence.core.config import SettingError, address_of
from correspondence.core.runtime import Runtime
from correspondence.inbound import admission
from correspondence.ops import worker
from correspondence.web.current import runtime_of

_QUIET = {"apscheduler": logging.ERROR, "mail.log": logging.WARNING, "werkzeug": logging.WARNING}
"""Log levels of libraries that log too much; a late sweep needs no log line, it just runs next time."""


_M_ARENA_MAX = -8
"""The option of glibc's mallopt (malloc.h) that limits its heaps."""


def serve(app: Flask) -> None:
    """Serve pages, receive mail and send letters until SIGINT or SIGTERM; prints the addresses on the terminal."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_args: stop.set())
    _share_one_heap()
    with running(app, web=True):
        print(_address_lines(runtime_of(app)), flush=True)
        stop.wait()
    print("Stopped; nothing is lost, what was due is done at the next start.")


def work(app: Flask) -> None:
    """Run the worker without the pages (`flask worker`) until SIGINT or SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_args: stop.set())
    with running(app, web=False):
        print("The worker runs. Stop it with Ctrl-C.", flush=True)
        stop.wait()


def _share_one_heap() -> None:
    """Let all threads take memory from one heap: glibc gives each its own, and keeps in them what pages needed once."""
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such heaps
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


@contextmanager
def running(app: Flask, *, web: bool) -> Iterator[None]:
    """Context manager: the parts run within the block; at its end all have been stopped, in order."""
    runtime = runtime_of(app)
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(level)
    listener = _listen(runtime)
    try:
        robots = worker.robots_of(runtime)
        scheduler = worker.start(runtime, robots)
        try:
            parts = app.extensions.setdefault("correspondence_parts", {})
            parts.update(worker=lambda: bool(scheduler.running))
            if listener is not None:
                parts.update(mail=listener.is_alive)
            with _pages(app, runtime) if web else _no_pages():
                yield
        finally:
            robots.stop()
            scheduler.shutdown(wait=True)
    finally:
        if listener is not None:
            listener.stop()
        runtime.engine.dispose()


def _listen(runtime: Runtime) -> transport.Listener | None:
    if not runtime.settings.mail_listen:
        return None
    return transport.listen(
        runtime.settings,
        worker.store_callback(runtime),
        worker.recipient_check(runtime),
        admission.rcpt_policy(runtime),
    )


@contextmanager
def _pages(app: Flask, runtime: Runtime) -> Iterator[BaseWSGIServer]:
    host, port = address_of(runtime.settings.http_listen)
    if transport.is_listening(host, port):
        raise SettingError(f"HTTP_LISTEN {host}:{port} is taken by another program; set another port.")
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


def _address_lines(runtime: Runtime) -> str:
    settings = runtime.settings
    lines = [f"Pages      {settings.base_url}"]
    if settings.mail_listen:
        lines.append(f"Mail in    play@{settings.mail_domain}, taken at {settings.mail_listen}")
    lines.append(f"Letters    {settings.mail_send.split('@')[-1]}")
    if settings.shows_letters:
        lines.append(f"           to be read at {settings.base_url}/mail")
    return "\n".join(lines)
