"""What people install: a wheel that needs nothing of the checkout it was built in."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.deployment import GUIDE
from tests.ports import free_port
from tests.test_commands_of_flask import ROOT
from tests.test_records import record

CODE = ("correspondence", "engines")


def outside(folder, **more):
    """An environment that knows nothing of the checkout, with an instance of its own."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "FLASK", "VIRTUAL_ENV"))}
    return {**kept, "INSTANCE_DIR": str(folder / "instance"), "MAIL_LISTEN": "", **more}


def run(folder, *words, **more):
    done = subprocess.run(words, cwd=folder, env=outside(folder, **more), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the source distribution, built from a copy of what the repository holds."""
    folder = tmp_path_factory.mktemp("built")
    copy = folder / "source"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "instance", "build", "dist"))
    run(copy, sys.executable, "-m", "hatchling", "build", "-d", str(folder))
    return folder


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """A fresh environment into which the wheel was installed; it shares the libraries, but not the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder / "env")}))
    [wheel] = built.glob("*.whl")
    libraries = sysconfig.get_path("purelib")
    run(folder, sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile",
        "--target", str(packages), str(wheel))  # fmt: skip
    # a plain line makes the libraries importable, and does not read the .pth file that leads to the checkout
    (packages / "libraries.pth").write_text(libraries + "\n")
    return folder


def python(folder):
    return str(folder / "env" / "bin" / "python")


def test_the_wheel_holds_two_packages_and_all_their_files(built):
    [wheel] = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(CODE)
    assert any(name.endswith(".dist-info/entry_points.txt") for name in names)
    for shipped in ("templates", "migrations", "deploy"):
        there = [path for path in (ROOT / shipped).rglob("*.*") if "__pycache__" not in str(path)]
        files = {str(path.relative_to(ROOT)) for path in there}
        assert files and {f"correspondence/_data/{name}" for name in files} <= set(names)
    for folder, ending in (("correspondence/locale", ".po"), ("correspondence/web/static", "")):
        files = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(f"*{ending}") if path.is_file()}
        assert files and files <= set(names)


def test_the_source_distribution_holds_what_the_wheel_is_built_from(built):
    [source] = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "app.py", "migrations/env.py"} <= names
    assert any(name.startswith("templates/mail/") for name in names)


def test_what_is_installed_comes_from_the_wheel_alone(installed):
    where = run(installed, python(installed), "-c", "import correspondence, engines\n"
                "print(correspondence.__file__, engines.__file__)")  # fmt: skip
    assert all(Path(file).is_relative_to(installed / "env") for file in where.split())


@pytest.mark.thorough
def test_a_demonstration_plays_outside_the_checkout_and_leaves_nothing_behind_unless_asked(installed, tmp_path):
    output = run(installed, python(installed), "-m", "flask", "demo", TMPDIR=str(tmp_path))
    assert "25 moves by mail" in output and "White wins" in output
    assert list(tmp_path.iterdir()) == []


def test_every_command_works_in_any_folder(installed, world):
    world.join("ann", "bob")
    world.resign(world.match("duel"), "bob")
    (installed / "game.record").write_text(record(world, 1))
    flask = (python(installed), "-m", "flask")
    run(installed, *flask, "import", "game.record")
    assert "[Game" in run(installed, *flask, "export", "1")
    output = run(installed, *flask, "--app", "correspondence.wsgi", "routes")
    assert "health" in output


def test_wheel_writes_the_files_that_the_guide_installs(installed, tmp_path):
    target = tmp_path / "source" / "deploy"
    for _time in range(2):  # an upgrade writes them anew
        run(installed, python(installed), "-m", "flask", "deploy-files", str(target))
    assert files_below(target) == files_below(ROOT / "deploy")
    assert f"flask deploy-files {'/opt/correspondence/source/deploy'}" in GUIDE.read_text()


def files_below(folder):
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }


def test_the_service_starts_outside_the_checkout(installed):
    port = free_port()
    addresses = {"HTTP_LISTEN": f"127.0.0.1:{port}", "BASE_URL": f"http://127.0.0.1:{port}"}
    service = subprocess.Popen(
        [python(installed), "-m", "correspondence"], cwd=installed, env=outside(installed, **addresses),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert answered(service, f"http://127.0.0.1:{port}/health")["status"] == "ok"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/join", timeout=10) as page:
            assert b"<form" in page.read()
    finally:
        service.send_signal(signal.SIGTERM)
        service.communicate(timeout=30)
    assert service.returncode == 0


def answered(service, address):
    for _try in range(300):
        assert service.poll() is None, service.stdout.read().decode()
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return json.load(answer)
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the service never answered")


def test_a_wrong_setting_is_told_in_a_sentence(installed):
    wrong = outside(installed, WORKER_INTERVAL="soon")
    words = [python(installed), "-m", "correspondence"]
    done = subprocess.run(words, cwd=installed, env=wrong, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "WORKER_INTERVAL must be" in done.stderr
    assert "Traceback" not in done.stderr
