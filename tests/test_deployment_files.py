"""What an operator installs fits together: settings, commands, ports and names in units, proxies, containers and guide."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from urllib.parse import urlsplit

import pytest

from correspondence.core.config import Settings, address_of, read_settings
from tests.deployment import (
    DEPLOY,
    DOMAIN,
    GUIDE,
    KNOWN,
    ROOT,
    SERVICES,
    commands_of,
    environment_of,
    lines_to_type,
    postfix_settings,
    settings_in,
    unit,
)
from tests.ports import free_port

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMMANDS = {*PROJECT["entry-points"]["flask.commands"], "run"}
SAMPLE = settings_in((DEPLOY / "settings.env").read_text())
COMPOSE = (DEPLOY / "compose.yaml").read_text()
CONTAINERS = settings_in((DEPLOY / "club.env.example").read_text())
FOR_COMPOSE = {"DOMAIN", "PAGES", "POSTGRES_PASSWORD"}
LONG_RUNNING = [file for file in SERVICES if file.stem.rstrip("@").endswith(("-web", "-listen", "-worker"))]

HARDENED = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
            "PrivateDevices": "yes", "CapabilityBoundingSet": "", "UMask": "0077", "User": "correspondence"}  # fmt: skip


def names(files):
    return [file.name for file in files]


def test_every_setting_in_the_files_is_one_that_the_service_reads():
    named = {*SAMPLE, *(CONTAINERS.keys() - FOR_COMPOSE)}
    named |= set(re.findall(r"^    (?:  )?([A-Z_]+): ", COMPOSE, re.M)) - {"POSTGRES_USER", "POSTGRES_DB", *FOR_COMPOSE}
    named |= {name for file in SERVICES for name in environment_of(file)}
    named |= set(re.findall(r"\b([A-Z_]{4,})=", (DEPLOY / "Containerfile").read_text())) - {"PATH"}
    assert named - KNOWN == set() and len(named) >= 14


def test_the_sample_of_settings_can_be_used(tmp_path):
    settings = read_settings({**SAMPLE, "INSTANCE_DIR": str(tmp_path)})
    assert settings.trusted_proxies == 1
    assert not settings.migrate
    assert not settings.shows_letters
    assert urlsplit(settings.base_url).scheme == "https" and settings.mail_domain == DOMAIN


def test_every_command_in_units_containers_and_guide_exists():
    called = re.findall(r"\bflask ([a-z-]+)", "\n".join([COMPOSE, *lines_to_type()]))
    called += [words[1] for file in SERVICES for words in commands_of(file) if words[0].endswith("/flask")]
    called += re.findall(
        r"\bflask ([a-z-]+)", " ".join(word for file in SERVICES for one in commands_of(file) for word in one)
    )
    called += [line.split()[1] for line in lines_to_type() if line.startswith("correspondence ")]
    assert set(called) - COMMANDS == set() and {"migrate", "listen", "worker", "backup", "restore", "doctor"} <= set(
        called
    )


def test_what_the_units_call_is_brought_by_the_extra_that_the_guide_installs():
    extras = PROJECT["optional-dependencies"]
    assert {re.match(r"[\w-]+", one).group() for one in extras["server"]} >= {"gunicorn", "psycopg"}
    mentions = re.findall(r"source\[([a-z,]+)\]", GUIDE.read_text() + (DEPLOY / "Containerfile").read_text())
    assert len(mentions) >= 4
    assert set(mentions) == {"server,dkim"}
    assert extras["dkim"]


def test_files_in_command_lines_exist_where_the_guide_puts_them():
    texts = [file.read_text() for file in (*SERVICES, DEPLOY / "Containerfile", DEPLOY / "compose.yaml")]
    inside = re.findall(r"/opt/correspondence/source/([\w./-]*\w)", "\n".join([*texts, *lines_to_type()]))
    assert inside and [path for path in inside if not (ROOT / path).exists()] == []
    assert (DEPLOY / "correspondence").stat().st_mode & 0o111


def test_the_ports_of_service_proxies_and_mail_server_agree():
    pages, mail = address_of(SAMPLE["HTTP_LISTEN"]), address_of(SAMPLE["MAIL_LISTEN"])
    nginx, caddy = (DEPLOY / "nginx/correspondence.conf").read_text(), (DEPLOY / "caddy/Caddyfile").read_text()
    assert re.findall(r"proxy_pass http://([\d.]+):(\d+);", nginx) == [(pages[0], str(pages[1]))]
    assert re.findall(r"reverse_proxy \{\$PAGES:([\d.]+):(\d+)\}", caddy) == [(pages[0], str(pages[1]))]
    assert f"virtual_transport = lmtp:inet:{mail[0]}:{mail[1]}" in postfix_settings(DOMAIN)
    assert re.findall(r"PAGES: web:(\d+)", COMPOSE) == re.findall(r"HTTP_LISTEN: 0\.0\.0\.0:(\d+)", COMPOSE)
    assert f"127.0.0.1:{mail[1]}:{mail[1]}" in COMPOSE and f"lmtp://0.0.0.0:{mail[1]}" in COMPOSE


def test_nothing_but_the_proxy_can_reach_the_pages_or_the_listener():
    for place in (SAMPLE["HTTP_LISTEN"], SAMPLE["MAIL_LISTEN"]):
        assert address_of(place)[0] == "127.0.0.1"
    assert re.findall(r'ports: \["(?!127\.0\.0\.1:)([\d:]+)", "([\d:]+)"\]', COMPOSE) == [("80:80", "443:443")]


@pytest.mark.parametrize("file", SERVICES, ids=names(SERVICES))
def test_every_service_runs_as_a_user_that_may_do_nothing_else(file):
    lines = unit(file)["Service"]
    assert {name: lines.get(name) for name in HARDENED} == HARDENED
    assert lines["WorkingDirectory"] == "/etc/correspondence"  # where .env is read from
    assert SAMPLE["INSTANCE_DIR"] == f"/var/lib/{lines['StateDirectory']}"


@pytest.mark.parametrize("file", LONG_RUNNING, ids=names(LONG_RUNNING))
def test_what_runs_for_years_comes_back_by_itself_after_the_tables_are_up_to_date(file):
    head, lines = unit(file)["Unit"], unit(file)["Service"]
    assert "correspondence-migrate.service" in head["After"].split() and head["StartLimitIntervalSec"] == "0"
    assert lines["Restart"] == "always" and int(lines["TimeoutStopSec"]) > 5


def test_workers_leave_the_port_of_the_mail_to_the_listener():
    assert len(LONG_RUNNING) == 3
    listening = {file.name: environment_of(file).get("MAIL_LISTEN", SAMPLE["MAIL_LISTEN"]) for file in LONG_RUNNING}
    assert listening["correspondence-worker@.service"] == "" and listening["correspondence-listen.service"]


def test_the_backup_goes_where_it_may_be_written_and_nothing_younger_than_a_month_is_deleted():
    [backup] = [file for file in SERVICES if "backup" in file.name]
    place = unit(backup)["Service"]["ReadWritePaths"]
    written, deleted = commands_of(backup)
    assert f'"{place}/' in written[2]
    assert deleted[1] == place
    assert deleted[deleted.index("-mtime") + 1] == "+31"
    assert any(place in line for line in lines_to_type() if line.startswith("install -d"))
    timer = unit(DEPLOY / "systemd/correspondence-backup.timer")
    assert timer["Install"]["WantedBy"] == "timers.target" and timer["Timer"]["Persistent"] == "yes"


def test_the_limits_of_mail_server_and_proxy_are_those_of_the_service(world):
    from correspondence.mime.limits import MESSAGE_LIMIT

    assert f"message_size_limit = {MESSAGE_LIMIT}" in postfix_settings(DOMAIN)
    assert world.app.config["MAX_CONTENT_LENGTH"] == 1 << 20
    assert (
        "client_max_body_size 2m;" in (DEPLOY / "nginx/correspondence.conf").read_text()
    )  # so that the service answers


def test_the_connections_that_the_guide_counts_are_those_that_a_pool_opens():
    from sqlalchemy.pool import QueuePool

    from correspondence.core.db import make_engine

    pool = make_engine("postgresql+psycopg:///none").pool
    assert isinstance(pool, QueuePool) and pool.size() + pool._max_overflow == 15
    assert "opens at most 15 connections" in GUIDE.read_text() and Settings().web_processes == 2


def test_the_shell_understands_every_line_of_the_guide():
    text = "\n".join(lines_to_type())
    done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(["sh", "-n", DEPLOY / "correspondence"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nginx_logs_no_visits_in_any_server_that_certbot_may_add():
    assert "\naccess_log off;\n" in (DEPLOY / "nginx/correspondence.conf").read_text().partition("\nserver {")[0]


def test_what_the_guide_does_to_a_stopped_service_waits_until_its_processes_have_ended():
    stops = [line for line in lines_to_type() if line.startswith("systemctl stop correspondence")]
    assert stops == ["systemctl stop correspondence.target 'correspondence-*.service'"] * 2  # the target waits for none


def test_each_version_that_the_guide_installs_runs_with_its_own_units():
    lines = lines_to_type()
    installed = [line for line in lines if "pip install" in line and "source[" in line]
    assert len(installed) == len([line for line in lines if re.match(r"cp .*deploy/systemd/\* ", line)]) == 3


def test_the_image_begins_with_an_empty_folder_for_the_instance():
    text = (DEPLOY / "Containerfile").read_text()
    assert "install -d -o correspondence -m 700 /var/lib/correspondence" in text
    assert "--create-home" not in text  # which copies files that everybody may read, and the doctor complains


def test_every_program_that_the_guide_starts_is_one_that_it_installs():
    lines = lines_to_type()
    installed = {word for line in lines if line.startswith("apt-get install") for word in line.split()}
    for program, package in {"curl": "curl", "openssl": "openssl", "git": "git", "hostnamectl": "dbus"}.items():
        assert any(line.startswith(f"{program} ") for line in lines) and package in installed


def test_nginx_understands_its_file(tmp_path):
    if shutil.which("nginx", path="/usr/sbin:/usr/bin") is None:
        pytest.skip("nginx is not installed here (Debian: apt-get install nginx-light)")
    done = subprocess.run(nginx_command(tmp_path, free_port(), 5000, "-t"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def nginx_command(folder, port, pages, *words):
    """How nginx is started with its file from `deploy/`, at other ports, with `gzip on` as Debian has it."""
    site = (DEPLOY / "nginx/correspondence.conf").read_text()
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("    listen [::]:80;\n", "")
    site = site.replace("/var/log/nginx/error.log", "stderr")
    (folder / "site.conf").write_text(site.replace("127.0.0.1:5000", f"127.0.0.1:{pages}"))
    paths = "".join(
        f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ {paths} gzip on; access_log {folder}/access.log; include {folder}/site.conf; }}\n"
    )
    return ["/usr/sbin/nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf"), *words]


def test_caddy_understands_its_file(tmp_path):
    if shutil.which("caddy") is None:
        pytest.skip("Caddy is not installed here (Debian: apt-get install caddy)")
    words = ["caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "caddy/Caddyfile"]
    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": "/usr/bin", "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr


def caddy_command(folder, port, pages):
    """How Caddy is started with its file from `deploy/`, without TLS and at other ports."""
    text = (DEPLOY / "caddy/Caddyfile").read_text()
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}}\n{text}")
    surroundings = [f"HOME={folder}", f"DOMAIN=http://:{port}", f"PAGES=127.0.0.1:{pages}"]
    return ["env", *surroundings, "caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def test_systemd_understands_the_units():
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed here")
    units = [file for file in (DEPLOY / "systemd").iterdir() if "@" not in file.name]
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if str(DEPLOY) in line or line.startswith("correspondence")]
    assert [line for line in complaints if "is not executable" not in line] == []
