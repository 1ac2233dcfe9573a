"""pgbouncer in front of PostgreSQL: many client connections share a few server connections."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres import unprivileged

PORT = 6432
"""Part of the name of its socket; it listens at no network port."""

SETTINGS = """
[databases]
* = host={server}

[pgbouncer]
unix_socket_dir = {folder}
listen_port = {port}
listen_addr =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
logfile = {folder}/log
pidfile = {folder}/pid
"""


@contextmanager
def pooler(server, size=2):
    """Context manager: run pgbouncer for the server in this socket folder; yield its own socket folder."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("pgbouncer is not installed here (Debian: apt-get install pgbouncer)")
    who, folder = unprivileged(), Path(tempfile.mkdtemp(prefix="pool"))
    folder.chmod(0o755)
    (folder / "pgbouncer.ini").write_text(SETTINGS.format(server=server, folder=folder, port=PORT, size=size))
    (folder / "users").write_text('"postgres" ""\n')
    if who:
        os.chown(folder, who["user"], who["group"])
    process = subprocess.Popen(
        [program, "-q", folder / "pgbouncer.ini"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who
    )
    try:
        until = time.monotonic() + 20
        while not (folder / f".s.PGSQL.{PORT}").exists():
            assert time.monotonic() < until and process.poll() is None, (folder / "log").read_text()
            time.sleep(0.05)
        yield folder
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
