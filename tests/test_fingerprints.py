"""All hosts of a service have the same keys and addresses: one that differs does not start, and says in what."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from click.testing import CliRunner
from sqlmodel import select

from correspondence.core import db, schema
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.core.signing import make_new_key, signer_of
from correspondence.models import Fingerprint
from correspondence.ops import fingerprints
from correspondence.ops.cli import key_command
from correspondence.ops.doctor import examine
from correspondence.outbound import dkim_signing
from tests.tables import fresh_database
from tests.test_commands_of_flask import forked as forked

FILES = ("signing_key", "push_key", "dkim.pem")


@pytest.fixture(params=["sqlite", "postgresql"])
def hosts(request, tmp_path):
    """The settings of two hosts of one service, each with its own folder, all keys being made and copied."""
    url = f"sqlite:///{tmp_path}/x.db"
    if request.param == "postgresql":
        url = fresh_database(request.getfixturevalue("postgres_url"))
    first, second = (host(tmp_path / name, url) for name in ("first", "second"))
    fingerprints.make_keys(first)
    for name in FILES:
        shutil.copy(first.instance / name, second.instance / name)
    started(first)
    return first, second


def host(folder, url, **changes):
    given = Settings(
        instance_dir=str(folder), database_url=url, secret_key="the key of all hosts", mail_domain="games.example",
        base_url="https://games.example", dkim_selector="s", dkim_key_file=str(folder / "dkim.pem"),
    )  # fmt: skip
    return with_defaults(replace(given, **changes))


def started(settings, **how):
    engine = db.make_engine(settings.database_url)
    try:
        schema.prepare(engine)
        fingerprints.check(engine, settings, **how)
    finally:
        engine.dispose()


def test_a_host_with_the_same_keys_and_addresses_starts_again_and_again(hosts):
    for settings in (*hosts, *hosts):
        started(settings)


CHANGES = {
    "secret_key": lambda one: replace(one, secret_key="another"),
    "BASE_URL": lambda one: replace(one, base_url="https://other.example"),
    "MAIL_DOMAIN": lambda one: replace(one, mail_domain="other.example"),
    "signing_key": lambda one: (make_new_key(signer_of(one)), one)[1],
    "push_key": lambda one: ((one.instance / "push_key").write_text(f"{'A' * 42}E="), one)[1],
    "DKIM_KEY_FILE": lambda one: ((one.instance / "dkim.pem").unlink(), fingerprints.make_keys(one), one)[2],
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_host_that_differs_does_not_start_and_says_in_what(hosts, name):
    other = CHANGES[name](hosts[1])
    with pytest.raises(fingerprints.DifferentHost, match=rf"this service have: \S*{name}") as refused:
        started(other)
    assert not [one for one in CHANGES if one != name and one in str(refused.value).partition("Give it")[0]]
    assert "the key of all hosts" not in str(refused.value)
    started(hosts[0])


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_on_purpose_is_from_then_on_what_all_must_have(hosts, name):
    other = CHANGES[name](hosts[1])
    started(other, accepts=True)
    started(other)
    with pytest.raises(fingerprints.DifferentHost, match=name):
        started(hosts[0])


def test_one_machine_may_change_its_own_ports_but_a_host_without_addresses_is_refused(hosts, tmp_path):
    url = f"sqlite:///{tmp_path}/alone.db"
    for port in (5000, 5001):
        started(host(tmp_path / "first", url, base_url=f"http://127.0.0.1:{port}", mail_domain="localhost"))
    started(hosts[0])
    with pytest.raises(fingerprints.DifferentHost, match="BASE_URL is http://127.0.0.1:5000, MAIL_DOMAIN is localhost"):
        started(replace(hosts[1], base_url="http://127.0.0.1:5000", mail_domain="localhost"))


@pytest.mark.parametrize("name", ["signing_key", "push_key"])
def test_a_key_that_is_missing_is_named_and_not_made_anew(hosts, name):
    (hosts[1].instance / name).unlink()
    with pytest.raises(fingerprints.DifferentHost, match=f"{name} is missing"):
        started(hosts[1])
    assert not (hosts[1].instance / name).exists()


@pytest.mark.parametrize("name", CHANGES)
def test_the_doctor_names_the_difference_and_changes_nothing(hosts, name):
    other = CHANGES[name](hosts[1])
    runtime = Runtime(other, db.make_engine(other.database_url))
    assert name in next(one.sentence for one in examine(runtime) if "others of this service" in one.sentence)
    runtime.close()
    started(hosts[0])


def test_the_database_holds_neither_keys_nor_addresses(hosts):
    engine = db.make_engine(hosts[0].database_url)
    with db.reading(engine) as session:
        kept = {row.name: row.value for row in session.exec(select(Fingerprint))}
    engine.dispose()
    assert set(kept) >= {*CHANGES, "salt"}
    assert all(len(kept[name]) == 64 and "games.example" not in kept[name] for name in CHANGES)


def test_a_rotated_key_is_the_one_that_others_must_have(hosts):
    engine = db.make_engine(hosts[0].database_url)
    with db.transaction(engine) as session:
        make_new_key(signer_of(hosts[0]))
        fingerprints.renew(session, hosts[0])
    engine.dispose()
    started(hosts[0])
    with pytest.raises(fingerprints.DifferentHost, match="signing_key"):
        started(hosts[1])


def test_all_keys_are_made_beforehand_and_none_is_replaced(tmp_path):
    settings = {"INSTANCE_DIR": str(tmp_path), "DKIM_SELECTOR": "s", "DKIM_KEY_FILE": str(tmp_path / "dkim.pem")}
    first = CliRunner().invoke(key_command, ["make"], env=settings)
    made = {name: (tmp_path / name).read_bytes() for name in ("secret_key", *FILES)}
    again = CliRunner().invoke(key_command, ["make"], env=settings)
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.stdout.count("new  /") == 3 and again.stdout.count("kept  /") == 3
    assert made == {name: (tmp_path / name).read_bytes() for name in made}
    assert [oct((tmp_path / name).stat().st_mode & 0o777) for name in made] == ["0o600"] * 4
    assert dkim_signing.problem(Settings(dkim_selector="s", dkim_key_file=settings["DKIM_KEY_FILE"])) == ""


def test_a_process_that_differs_ends_with_a_sentence_and_two(forked, tmp_path):
    assert forked(tmp_path, "reports", BASE_URL="https://games.example").returncode == 0
    for words in (["worker"], ["keys", "check"]):
        other = forked(tmp_path, *words, BASE_URL="https://other.example")
        assert other.returncode == 2 and b"BASE_URL is https://other.example" in other.stderr
        assert b"Traceback" not in other.stderr
    assert forked(tmp_path, "keys", "check", "--accept-new-key", BASE_URL="https://other.example").returncode == 0
    assert forked(tmp_path, "reports", BASE_URL="https://other.example").returncode == 0
