"""Settings of gunicorn for the pages: `gunicorn -c deploy/gunicorn.conf.py correspondence.wsgi:app`.

HTTP_LISTEN says where the pages are served, WEB_PROCESSES and WEB_THREADS by how many. The log goes to standard error as
LOG_FORMAT says, requests too, without query strings and without visitors' addresses.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

from correspondence.core.config import read_settings
from correspondence.core.log_format import FORMATS
from correspondence.core.log_repeats import OnceAMinute

settings = read_settings()

bind = settings.http_listen
workers, threads = settings.web_processes, settings.web_threads
worker_class = "gthread"
control_socket_disable = True  # it would lie in a home directory, which the service's user does not have
timeout = 60
graceful_timeout = 5
max_requests, max_requests_jitter = 10_000, 1_000
access_log_format = '"%(m)s %(U)s" %(s)s %(b)s %(M)sms'
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {"()": f"{FORMATS[settings.log_format].__module__}.{FORMATS[settings.log_format].__name__}"}
    },
    "filters": {"repeats": {"()": f"{OnceAMinute.__module__}.{OnceAMinute.__name__}"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["repeats"]}},
    "root": {"level": "INFO", "handlers": ["stderr"]},
    "loggers": {
        name: {"level": "INFO", "handlers": ["stderr"], "propagate": False}
        for name in ("gunicorn.error", "gunicorn.access")
    },
}


def on_starting(_server: Any) -> None:
    """End with the sentence of a wrong setting, or of a host that differs from others: a process of pages would start anew."""
    first = subprocess.run([sys.executable, "-c", "import correspondence.wsgi"], check=False)
    if first.returncode:
        sys.exit(first.returncode)


def post_worker_init(worker: Any) -> None:
    """Let a process give signs of life; told to end, it also ends its streams of events, which wait for longer than it does."""
    from correspondence.ops import heartbeats  # the process that starts others needs no pages
    from correspondence.web.current import runtime_of

    worker.heartbeats = heartbeats.of_pages(runtime_of(worker.wsgi))
    end_gracefully = signal.getsignal(signal.SIGTERM)

    def end(number: int, frame: Any) -> None:
        runtime_of(worker.wsgi).stopping.set()
        end_gracefully(number, frame)  # type: ignore[operator, misc]

    signal.signal(signal.SIGTERM, end)


def worker_exit(_server: Any, worker: Any) -> None:
    """Let nobody miss a process that ends, unless it ends because the process that started it was killed."""
    if hasattr(worker, "heartbeats") and os.getppid() == worker.ppid:
        worker.heartbeats.stop()
