"""Settings: from the environment or a file, made complete on first start, refused with a sentence."""

from __future__ import annotations

import re
import stat
from dataclasses import fields
from pathlib import Path

import pytest

from correspondence.core.config import SettingError, Settings, address_of, read_settings, with_defaults

ROOT = Path(__file__).resolve().parent.parent


def test_every_setting_is_explained_in_the_example_file():
    named = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)
    assert sorted(named) == sorted(field.name.upper() for field in fields(Settings))


def test_every_setting_is_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    assert [field.name for field in fields(Settings) if field.name.upper() not in readme] == []


def test_the_first_start_makes_the_folder_and_a_private_key_and_the_second_keeps_it(tmp_path):
    folder = tmp_path / "deep" / "instance"
    first = with_defaults(Settings(instance_dir=str(folder)))
    key = folder / "secret_key"
    assert len(first.secret_key) == 64 and stat.S_IMODE(key.stat().st_mode) == 0o600
    assert with_defaults(Settings(instance_dir=str(folder))) == first
    assert first.database_url == f"sqlite:///{folder}/correspondence.db"


def test_the_environment_speaks_before_the_defaults(tmp_path):
    settings = read_settings(
        {"INSTANCE_DIR": str(tmp_path), "WORKER_INTERVAL": "0.5", "BASE_URL": "https://x.example/"}
    )
    assert settings.worker_interval == 0.5 and settings.base_url == "https://x.example"


@pytest.mark.parametrize("interval", ["", "soon", "-1", "0", "nan", "1e9"])
def test_an_interval_that_cannot_be_is_refused_with_its_name(tmp_path, interval):
    with pytest.raises(SettingError, match="WORKER_INTERVAL"):
        read_settings({"INSTANCE_DIR": str(tmp_path), "WORKER_INTERVAL": interval})


def test_addresses_to_listen_on():
    assert address_of("127.0.0.1:5000") == ("127.0.0.1", 5000)
    assert address_of("smtp://[::1]:2525") == ("::1", 2525)
    for wrong in ("", "localhost", "host:port", "host:99999"):
        with pytest.raises(SettingError):
            address_of(wrong)


@pytest.mark.parametrize("count", ["0", "65", "two", ""])
def test_pages_are_served_by_at_least_one_process_and_one_thread(tmp_path, count):
    for name in ("WEB_PROCESSES", "WEB_THREADS"):
        with pytest.raises(SettingError, match=f"{name} must be a whole number from 1 to 64"):
            read_settings({"INSTANCE_DIR": str(tmp_path), name: count})
