"""The pages behind gunicorn, with the settings that `deploy/` brings."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request

from correspondence.models import ApiScope
from tests.ports import free_port
from tests.programs import token_of
from tests.test_commands_of_flask import ROOT, environment, fetch
from tests.world import World


def test_gunicorn_serves_the_pages_and_logs_requests_without_what_visitors_typed(tmp_path):
    port = free_port()
    env = environment(
        tmp_path,
        HTTP_LISTEN=f"127.0.0.1:{port}",
        BASE_URL=f"http://127.0.0.1:{port}",
        LOG_FORMAT="json",
        WEB_PROCESSES="2",
    )
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "correspondence.wsgi:app"]
    server = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert json.loads(fetch(f"http://127.0.0.1:{port}/health"))["status"] == "ok"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/archive?player=somebody-typed-this", timeout=10) as page:
            assert page.status == 200
    finally:
        server.send_signal(signal.SIGTERM)
        log = server.communicate(timeout=30)[1].decode()
    assert server.returncode == 0
    lines = [json.loads(line) for line in log.splitlines()]
    requests = [line["message"] for line in lines if line["logger"] == "gunicorn.access"]
    assert any(message.startswith('"GET /archive" 200') for message in requests)
    assert "somebody-typed-this" not in log and "127.0.0.1" not in "".join(requests)


def test_gunicorn_ends_with_two_on_a_host_that_differs_from_others(tmp_path):
    port = free_port()
    env = environment(tmp_path, HTTP_LISTEN=f"127.0.0.1:{port}", BASE_URL="https://games.example")
    words = [sys.executable, "-m", "flask", "reports"]
    assert subprocess.run(words, cwd=ROOT, env=env, capture_output=True, timeout=60).returncode == 0
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "correspondence.wsgi:app"]
    other = {**env, "BASE_URL": "https://other.example"}
    done = subprocess.run(words, cwd=ROOT, env=other, capture_output=True, timeout=60)
    assert done.returncode == 2 and b"BASE_URL is https://other.example" in done.stderr


def test_a_stream_of_events_ends_at_once_and_whole_with_its_process(tmp_path):
    world = World(tmp_path / "instance", web_threads=8)
    world.join("ann", "bob")
    token = token_of(world, "bob", ApiScope.READ)
    world.close()
    port = free_port()
    env = environment(
        tmp_path, INSTANCE_DIR=str(tmp_path / "instance"), HTTP_LISTEN=f"127.0.0.1:{port}", WEB_PROCESSES="1",
        BASE_URL=f"http://127.0.0.1:{port}",
    )  # fmt: skip
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "correspondence.wsgi:app"]
    server = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        fetch(f"http://127.0.0.1:{port}/health")
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/events", headers=headers)
        with urllib.request.urlopen(request, timeout=20) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            assert stream.readline() == b"retry: 3000\n"
            server.send_signal(signal.SIGTERM)
            stream.read()  # raises IncompleteRead where the stream is cut instead of ended
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    assert server.returncode == 0
