"""Ports for servers that tests start; no two concurrent tests get the same one.

They are below the kernel's ephemeral ports (from 32768 on), so that no connection takes one
between its choice by a test and its opening by the server.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from functools import cache
from itertools import chain, cycle

FIRST, EACH = 20_000, 1_000
"""The first port, and the number of ports reserved for each worker."""


def free_port():
    return next(port for port in _ports() if _is_free(port))


@cache
def _ports():
    """Yield a worker's ports cyclically, starting at a place that depends on the process."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12
    first = FIRST + EACH * worker
    middle = first + os.getpid() * 37 % EACH
    return cycle(chain(range(middle, first + EACH), range(first, middle)))


def _is_free(port):
    with suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False
