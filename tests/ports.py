"""Ports for servers that a test starts: none is given twice, or to a test that runs beside it.

They lie below those that the kernel gives to whoever asks for any (from 32768 on), so that no connection takes one
between the moment when a test chooses it and the moment when its server opens it.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from functools import cache
from itertools import chain, cycle

FIRST, EACH = 20_000, 1_000
"""The first port, and how many each worker of the tests has for itself."""


def free_port():
    return next(port for port in _ports() if _is_free(port))


@cache
def _ports():
    """A worker's ports, round and round; where they begin depends on the process, for two runs at once."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12
    first = FIRST + EACH * worker
    middle = first + os.getpid() * 37 % EACH
    return cycle(chain(range(middle, first + EACH), range(first, middle)))


def _is_free(port):
    with suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False
