"""The set-up check says in one sentence each what is wrong and what to do, and ends with 1 where something is."""

from __future__ import annotations

import base64
import os
import re
import shutil
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, make_url, text

from correspondence.core import config, db, push_key, schema, signing, tokens
from correspondence.core.config import Settings, misspelt_names, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.fairness import keys
from correspondence.ops import doctor, mail_records, server_checks
from correspondence.ops.cli import doctor_command
from correspondence.ops.database_cli import migrate_command
from correspondence.ops.worker import sweep_clocks
from correspondence.outbound import dkim_signing
from correspondence.queries import readiness
from correspondence.transport import name_records
from tests.ports import free_port
from tests.smtp import Stub
from tests.tables import fresh_database
from tests.test_migrations import upgraded
from tests.test_readiness import roomy
from tests.test_signing import key
from tests.world import MAIL, mail_world

__all__ = ["key", "roomy"]

PUBLIC = {**MAIL, "operator": "club@example.org", "trusted_proxies": 1, "mail_listen": "", "http_listen": "127.0.0.1:1"}


def faults(world, **changes):
    """What the doctor finds wrong in a world with these settings."""
    settings = replace(world.settings, **{**PUBLIC, **changes})
    os.chmod(settings.instance, 0o700)
    for file in settings.instance.rglob("*"):
        file.chmod(0o700)
    return [one.sentence for one in doctor.examine(replace(world.runtime, settings=settings)) if one.is_fatal]


def run(folder, **settings):
    """The command's exit status, and what it says is wrong."""
    quiet = {"MAIL_LISTEN": "", "HTTP_LISTEN": f"127.0.0.1:{free_port()}"}
    done = CliRunner().invoke(doctor_command, env={"INSTANCE_DIR": str(folder), **quiet, **settings})
    assert "Traceback" not in done.output and done.exit_code in (0, 1, 2)
    return done.exit_code, [line[6:] for line in done.stdout.splitlines() if line.startswith("FAIL")]


@pytest.fixture
def working(world):
    sweep_clocks(world.runtime)
    return world


def test_with_everything_as_the_guide_says_nothing_is_wrong(working):
    assert faults(working) == []


def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made_but_the_key(tmp_path):
    assert run(tmp_path / "i") == (0, [])
    assert not (tmp_path / "i" / "correspondence.db").exists()


def test_tables_that_are_old_or_not_there_are_named_and_left_alone(tmp_path):
    upgraded(tmp_path, "0011").dispose()
    url = f"sqlite:///{tmp_path}/x.db"
    newest = schema.newest_revision()
    sentence = f"The database is of revision 0011, and this version needs {newest}: run flask migrate."
    status, lines = run(tmp_path / "i", DATABASE_URL=url)
    assert status == 1 and sentence in lines
    engine = db.make_engine(url)
    assert schema.revision_of(engine) == "0011"
    engine.dispose()
    status, lines = run(tmp_path / "other", MAIL_DOMAIN="games.example")
    assert status == 1 and "The database is empty: run flask migrate." in lines


def test_a_database_that_does_not_answer_is_a_sentence_without_its_password(tmp_path):
    status, lines = run(tmp_path / "i", DATABASE_URL=f"postgresql+psycopg://club:secret@127.0.0.1:{free_port()}/club")
    assert status == 1
    assert lines[0].startswith("The database: connection failed")
    assert "secret" not in "".join(lines)


def test_without_a_worker_it_says_which_command_to_start(tmp_path, world):
    settings = {"INSTANCE_DIR": str(tmp_path / "i"), "BASE_URL": "https://games.example"}
    assert CliRunner().invoke(migrate_command, env=settings).exit_code == 0
    status, lines = run(tmp_path / "i", BASE_URL="https://games.example")
    assert status == 1 and "No worker has ever run: start flask worker, or python app.py." in lines
    sweep_clocks(world.runtime)
    world.clock.go(minutes=5)
    assert faults(world)[0].startswith("No worker has run since 2026-11-21 12:00 UTC: start flask worker")


def test_a_member_without_a_worker_is_wrong_on_ones_own_machine_too(world):
    assert faults(world, mail_domain="localhost", base_url="http://127.0.0.1:5000") == []
    world.join("ann")
    [sentence] = faults(world, mail_domain="localhost", base_url="http://127.0.0.1:5000")
    assert sentence.startswith("No worker has ever run")


def test_a_disk_that_is_nearly_full_is_named(working, monkeypatch):
    monkeypatch.setattr(readiness, "LEAST_FREE", 1.1)
    [sentence] = faults(working)
    assert sentence.startswith(f"The disk of {working.settings.instance} is nearly full: ")


@pytest.mark.parametrize(("address", "what"), [
    ("games.example", "has no scheme, so links do not work: begin it with https://."),
    ("games.example:5000", "has no scheme"), ("ftp://games.example", "has no scheme"), ("https://", "has no scheme"),
    ("http://games.example", "is not https"), ("http://127.0.0.1:5000", "cannot be reached from other machines"),
])  # fmt: skip
def test_an_address_of_the_pages_that_leads_nowhere_or_is_not_private_is_named(working, address, what):
    [sentence] = [one for one in faults(working, base_url=address) if one.startswith(f"BASE_URL {address} ")]
    assert what in sentence


def test_a_server_for_others_needs_a_domain_and_an_operator(working):
    sentences = faults(working, mail_domain="localhost", operator="")
    assert [one.split(" is ")[0] for one in sentences] == ["MAIL_DOMAIN", "OPERATOR"]


def test_misspelt_settings_are_named_with_what_may_be_meant(working, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("MAIL_DOMIAN=games.example\nFLASK_DEBUG=1\nPOSTGRES_PASSWORD=x\n")
    (tmp_path / ".env").chmod(0o600)
    monkeypatch.setenv("BASEURL", "https://games.example")
    assert faults(working) == [
        "BASEURL is not a setting, so it has no effect. If you mean BASE_URL, correct it; otherwise remove it.",
        "MAIL_DOMIAN is not a setting, so it has no effect. If you mean MAIL_DOMAIN, correct it; otherwise remove it.",
    ]


def test_names_of_other_programs_are_not_taken_for_slips():
    others = ("PATH", "HOME", "MAIL", "LOGNAME", "LOG_LEVEL", "HTTP_PROXY", "PGPASSWORD", "DOMAIN", "WEB_CONCURRENCY",
              "INVOCATION_ID", "STATE_DIRECTORY", "SECRET_KEY_BASE", "DATABASE", "FLASK_APP", "OLDPWD")  # fmt: skip
    assert misspelt_names(dict.fromkeys(others, "x")) == {}
    assert misspelt_names({"mail_domain": "x", "TRUSTED_PROXY": "1"}) == {
        "mail_domain": "MAIL_DOMAIN", "TRUSTED_PROXY": "TRUSTED_PROXIES",
    }  # fmt: skip


@pytest.mark.parametrize("answers", [
    {"MAIL": "530 5.7.0 Authentication required"}, {"RCPT": "550 5.7.1 Client was not authenticated"},
    {"RCPT": "530 Must issue a STARTTLS command first"},
])  # fmt: skip
def test_a_relay_that_wants_a_password_is_named_with_where_to_write_it(working, answers):
    with Stub(answers=answers) as stub:
        [sentence] = faults(working, mail_send=f"smtp://{stub.host}:{stub.port}")
    assert "wants a user and a password" in sentence and "as user:password@" in sentence
    assert "DATA" not in stub.commands


def test_a_relay_that_refuses_our_letters_is_named_and_one_that_asks_for_patience_is_not(working):
    with Stub(answers={"RCPT": "554 5.7.1 Relay access denied"}) as stub:
        [sentence] = faults(working, mail_send=f"smtp://{stub.host}:{stub.port}")
    assert "cannot be used: 554 5.7.1 Relay access denied." in sentence
    with Stub(answers={"RCPT": "450 4.2.0 Greylisted"}) as stub:
        assert faults(working, mail_send=f"smtp://{stub.host}:{stub.port}") == []


def test_a_mailbox_that_cannot_be_reached_is_named_without_its_password(working, tmp_path):
    [sentence] = faults(working, mail_fetch=f"imap://club:secret@127.0.0.1:{free_port()}/INBOX")
    assert "The mailbox at 127.0.0.1 cannot be opened" in sentence and "secret" not in sentence
    assert "neither maildir:PATH nor imaps" in faults(working, mail_fetch="pop3://127.0.0.1")[0]
    (tmp_path / "file").touch()
    assert "cannot be read" in faults(working, mail_fetch=f"maildir:{tmp_path}/file/box")[0]
    assert faults(working, mail_fetch=f"maildir:{working.settings.instance}/box") == []


def test_a_file_that_others_can_read_is_wrong_and_ends_the_command_with_1(tmp_path):
    assert run(tmp_path / "i")[0] == 0
    (tmp_path / "i" / "secret_key").chmod(0o644)
    status, [sentence] = run(tmp_path / "i")
    assert status == 1 and "secret_key; make it private with: chmod" in sentence


def test_a_clock_that_differs_from_the_databases_is_wrong(postgres_url, tmp_path):
    settings = with_defaults(Settings(instance_dir=str(tmp_path), database_url=postgres_url))
    runtime = Runtime(settings, db.make_engine(postgres_url), now=lambda: datetime.now(UTC) + timedelta(minutes=2))
    sentences = [one.sentence for one in doctor.examine(runtime) if one.is_fatal]
    runtime.close()
    assert any("seconds ahead of the database's" in sentence for sentence in sentences)


GAMES = Settings(mail_domain="games.club", base_url="https://games.club", mail_send="smtp://127.0.0.1:25")
PUBLISHED = {
    ("games.club", "MX"): ["10 games.club."],
    ("games.club", "TXT"): ["something else", "v=spf1 mx -all"],
    ("_dmarc.games.club", "TXT"): ["v=DMARC1; p=none"],
    ("games.club", "A"): ["192.0.2.7"], ("192.0.2.7", "PTR"): ["games.club"],
}  # fmt: skip


def problems(settings=GAMES, **changed):
    known = {**PUBLISHED, **{tuple(name.split()): texts for name, texts in changed.get("but", {}).items()}}
    return list(mail_records.problems(settings, lambda name, kind: known.get((name, kind), [])))


def test_a_domain_with_all_its_records_is_well():
    assert problems() == []


@pytest.mark.parametrize(("but", "what"), [
    ({"games.club MX": []}, "no MX record, so no mail can arrive: publish games.club MX 10 games.club."),
    ({"games.club TXT": ["v=spf10"]}, "no SPF record"),
    ({"games.club TXT": ["v=spf1 mx -all", "V=SPF1 a -all"]}, "2 SPF records"),
    ({"_dmarc.games.club TXT": ["v=spf1"]}, "no DMARC record: publish _dmarc.games.club TXT"),
    ({"192.0.2.7 PTR": []}, "set its PTR record to games.club."),
    ({"192.0.2.7 PTR": ["vm-7.hoster.example"]}, "no matching reverse record"),
])  # fmt: skip
def test_each_record_that_lacks_is_named_with_what_to_publish(but, what):
    [sentence] = problems(but=but)
    assert what in sentence


def test_a_null_mx_is_none():
    assert "no MX record" in problems(but={"games.club MX": ["0 ."]})[0]


def test_a_dmarc_record_of_the_domain_above_counts_too():
    below = replace(GAMES, mail_domain="play.games.club")
    moved = {f"play.{name} {kind}": texts for (name, kind), texts in PUBLISHED.items() if not name.startswith("_")}
    assert problems(below, but=moved) == []


def remarks(settings=GAMES, dmarc="v=DMARC1; p=none"):
    known = {**PUBLISHED, ("_dmarc.games.club", "TXT"): [dmarc]}
    return list(mail_records.remarks(settings, lambda name, kind: known.get((name, kind), [])))


@pytest.mark.parametrize(("tags", "named"), [
    ("pct=100", "pct"), ("rf=afrf; PCT = 50", "rf, PCT"), ("ri=86400", "ri"), ("np=reject; t=y; rua=mailto:x@games.club", ""),
])  # fmt: skip
@pytest.mark.parametrize("domain", ["games.club", "play.games.club"])
def test_tags_that_dmarc_has_given_up_are_named(key, tags, named, domain):
    signing = replace(GAMES, mail_domain=domain, dkim_selector="play", dkim_key_file=str(key))
    assert [one.startswith(f"_dmarc.games.club holds {named}, which") for one in remarks(
        signing, f"v=DMARC1; p=reject; {tags}")] == [True] * bool(named)  # fmt: skip


def test_letters_that_are_signed_nowhere_are_a_remark_where_they_go_to_servers(key):
    assert "demand SPF and DKIM, both for games.club" in remarks()[0]
    assert remarks(replace(GAMES, dkim_selector="play", dkim_key_file=str(key))) == []
    assert remarks(replace(GAMES, mail_send="maildir:sent")) == []


def test_behind_a_smarthost_nobody_asks_for_the_name_of_our_address():
    assert problems(replace(GAMES, mail_send="smtps://u:p@smtp.example.net"), but={"192.0.2.7 PTR": []}) == []


def test_a_key_that_is_not_published_or_another_is_named(key):
    signing = replace(GAMES, dkim_selector="play", dkim_key_file=str(key))
    name, text = dkim_signing.record(signing)
    assert text in problems(signing)[0] and "is not published" in problems(signing)[0]
    other = base64.b64encode(b"another").decode()
    assert "publishes a different key" in problems(signing, but={f"{name} TXT": [f"v=DKIM1; p={other}"]})[0]
    assert problems(signing, but={f"{name} TXT": [text.replace("p=", "p = ")]}) == []


@given(st.text(max_size=60))
def test_whatever_the_dns_answers_is_read(text):
    assert list(mail_records.problems(GAMES, lambda name, kind: [text] if kind != "PTR" else [])) is not None


def test_without_a_network_the_dns_is_a_note_and_no_error(working, monkeypatch):
    def nobody(_name, _kind):
        raise name_records.NoAnswerError("nobody answers")

    monkeypatch.setattr(name_records, "ask", nobody)
    assert faults(working, mail_domain="games.club") == []


@pytest.mark.parametrize(
    "domain", ["localhost", "games.example", "games.example.org", "club.test", "box.LOCAL", "mail"]
)
def test_names_that_the_world_does_not_know_are_not_asked_for(domain):
    assert not mail_records.is_public(domain) and mail_records.is_public(f"{domain}.club")


def noted(world, **changes):
    """What the doctor notes without calling it wrong."""
    runtime = replace(world.runtime, settings=replace(world.settings, **{**PUBLIC, **changes}))
    return [one.sentence for one in doctor.examine(runtime) if not one.is_ok and not one.is_fatal]


@pytest.mark.parametrize(("answer", "is_named"), [("no", True), ("yes", False), ("", False)])
def test_a_clock_that_no_time_server_sets_is_named(working, monkeypatch, tmp_path, answer, is_named):
    program = tmp_path / "timedatectl"
    program.write_text(f'#!/bin/sh\ntest "$1" = show && echo {answer}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert any(sentence.startswith("No time server sets") for sentence in noted(working)) == is_named


def test_a_machine_that_cannot_be_asked_about_time_servers_is_not_blamed(working, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not any("time server" in sentence for sentence in noted(working))


@pytest.fixture
def on_postgresql(postgres_url, tmp_path):
    town = mail_world(tmp_path, database_url=fresh_database(postgres_url))
    yield town
    town.close()


def test_more_processes_than_postgresql_admits_are_named(on_postgresql):
    with db.reading(on_postgresql.engine) as session:
        shown = (
            session.execute(text(f"SHOW {name}")).scalar_one()
            for name in ("max_connections", "superuser_reserved_connections")
        )
        admitted, reserved = map(int, shown)
    most = (admitted - reserved) // db.CONNECTIONS - 2
    assert not any("connections" in sentence for sentence in noted(on_postgresql, web_processes=most))
    [note] = [sentence for sentence in noted(on_postgresql, web_processes=most + 1) if "connections" in sentence]
    assert f"{most + 1} processes of pages, a listener and a worker may open {db.CONNECTIONS * (most + 3)}, " in note


def test_more_threads_than_a_process_has_connections_are_named(on_postgresql):
    assert not any("WEB_THREADS" in sentence for sentence in noted(on_postgresql, web_threads=db.CONNECTIONS))
    [note] = [
        sentence for sentence in noted(on_postgresql, web_threads=db.CONNECTIONS + 1) if "WEB_THREADS" in sentence
    ]
    assert note.startswith("WEB_THREADS is 16, but a process opens 15 connections")


def test_a_process_opens_as_many_connections_as_the_doctor_counts(on_postgresql):
    with ExitStack() as opened:
        for _connection in range(db.CONNECTIONS):
            opened.enter_context(on_postgresql.engine.connect())
        assert on_postgresql.engine.pool.checkedout() == db.CONNECTIONS
        assert on_postgresql.engine.pool.overflow() == on_postgresql.engine.pool._max_overflow


def test_a_database_that_cannot_hold_all_letters_is_named(postgres_url, tmp_path):
    url = latin_database(postgres_url)
    status, _wrong = run(tmp_path / "i", DATABASE_URL=url)
    engine = db.make_engine(url)
    with db.reading(engine) as session:
        [sentence] = server_checks.postgresql_problems(session, Settings())
    engine.dispose()
    assert sentence.startswith("The database is in LATIN1, which lacks characters") and status == 0


def latin_database(url):
    """A new database as PostgreSQL makes it where nobody says what letters it is to hold."""
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text("DROP DATABASE IF EXISTS latin"))
        made = "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        connection.execute(text(made))
    server.dispose()
    return make_url(url).set(database="latin").render_as_string(hide_password=False)


KEYS = (config.KEY_FILE, signing.KEY_FILE, push_key.KEY_FILE)


@pytest.fixture
def second_machine(working, tmp_path):
    """An installation on the same database, in a folder of its own in which nothing is yet."""
    (working.settings.instance / config.KEY_FILE).write_text(working.settings.secret_key)
    assert push_key.push_key_of(working.settings).public_key  # it is made when it is asked for
    (tmp_path / "second").mkdir()
    for file in tmp_path.rglob("*"):
        file.chmod(0o700)
    return replace(working.settings, instance_dir=str(tmp_path / "second"))


def test_a_machine_without_the_keys_of_the_database_is_named_before_it_starts_anything(working, second_machine):
    [fault] = faults(working, instance_dir=second_machine.instance_dir)
    assert fault.startswith(f"{second_machine.instance} does not hold the keys that belong to this database")
    assert all(name in fault for name in KEYS)
    assert list(second_machine.instance.iterdir()) == []


def test_a_machine_with_another_key_is_named_too(working, second_machine):
    assert signing.signer_of(second_machine).public_key != signing.signer_of(working.settings).public_key
    assert len(faults(working, instance_dir=second_machine.instance_dir)) == 1


def test_where_another_key_was_used_once_both_machines_say_so(working, second_machine):
    with db.transaction(working.engine) as session:
        keys.register(session, signing.signer_of(second_machine), today=working.time.date())
    for folder in (second_machine.instance_dir, working.settings.instance_dir):
        [note] = [one for one in noted(working, instance_dir=folder) if "several keys" in one]
        assert all(name in note for name in KEYS)


def test_a_machine_with_the_keys_that_the_guide_names_answers_what_another_wrote(working, second_machine):
    guide = " ".join((Path(__file__).parents[1] / "docs" / "deploy.md").read_text().split())
    listed = re.search(r"then copy (`[\w.`, and]+`) from its", guide)[1]
    copied = re.findall(r"`([\w.]+)`", listed)
    assert set(KEYS) <= set(copied)
    for name in KEYS:
        shutil.copy(working.settings.instance / name, second_machine.instance)
    assert faults(working, instance_dir=second_machine.instance_dir) == []
    other = with_defaults(replace(second_machine, secret_key=""))
    written = tokens.spell(working.settings.secret_key, 7)
    assert tokens.read(other.secret_key, written) == 7


def test_a_key_that_was_changed_in_order_is_no_problem(working):
    with db.transaction(working.engine) as session:
        keys.rotate(session, signing.signer_of(working.settings), today=working.time.date())
    assert faults(working) == [] and not any("several keys" in one for one in noted(working))
