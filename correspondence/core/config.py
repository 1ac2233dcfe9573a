"""Settings: one frozen value, read once from the environment and `.env`."""

from __future__ import annotations

import difflib
import ipaddress
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dotenv import dotenv_values

from engines.refusal import Refusal

KEY_FILE = "secret_key"
"""The file in the instance folder that holds the secret key if SECRET_KEY is not set."""

MAILDIR = "maildir:"
"""The prefix of `MAIL_SEND` if letters are written to a folder."""

USUAL_PACE, MOST_PACE = 120, 60_000
"""Default and maximum of MAIL_PACE, in letters a minute to one domain."""

MOST_PROXIES = 10
"""Maximum of `TRUSTED_PROXIES`."""

MOST_THREADS = 64
"""Maximum of `WEB_PROCESSES` and `WEB_THREADS`."""

SHORTEST_TOKEN = 20
"""Minimum length of `METRICS_TOKEN`, in characters."""

LEAST_DAYS = {
    "keep_pictures": 0,
    "keep_letters": 30,
    "keep_messages": 35,
    "keep_tokens": 0,
    "keep_clock_logs": 30,
    "keep_events": 7,
}
"""Minimum of each retention setting, in days; younger data may still be needed."""

_MOST = {
    **dict.fromkeys(("exercise_budget", "stranger_answers", "stranger_requests"), 1_000_000),
    **dict.fromkeys(("stranger_domain_answers", "stranger_provider_answers"), 1_000_000),
    "epoch_games": 1_000_000,
    "epoch_numbers": 100_000_000,
}

_LEAST = {"epoch_games": 1, "epoch_numbers": 1, "web_processes": 1, "web_threads": 1}

MOST_DAYS = 36_500
"""Maximum of a retention setting, in days: practically unlimited."""

LONGEST_DELAY = 86_400
"""Maximum delay of a robot's answer, in seconds."""

_NEAR = 0.84
"""Minimum similarity of a misspelt name to a setting (`difflib.SequenceMatcher.ratio`)."""

WRONG_SETTING = 2
"""Exit status of a process with an invalid setting."""


class SettingError(Refusal):
    """Raised for an invalid setting; str() is a sentence with its name and valid values."""


@contextmanager
def exit_on_setting_error() -> Iterator[None]:
    """Context manager: print a SettingError without a traceback, and exit with WRONG_SETTING."""
    try:
        yield
    except SettingError as error:
        print(error, file=sys.stderr)
        sys.exit(WRONG_SETTING)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings that differ between installations; `.env.example` explains each.

    `database_direct_url` bypasses a connection pooler, for a worker that listens for changes; empty for none.
    `mail_listen`, `mail_fetch` and `operator` are empty for none. `mail_front` is the mail server that passes mail on
    to `mail_listen`, empty for none on this host; while it does not greet, no mail can come in. `mail_authserv_id` is
    empty if no mail server in front checks From lines. `mail_pace` is the maximum number of letters a minute to one
    domain (`letter_interval`). With `mail_refuse`, an internet-facing listener refuses strangers' mail that would
    otherwise be dropped (inbound/admission.py). `worker_interval` is in seconds. `trusted_proxies` is the number of
    reverse proxies whose X-Forwarded-For entries are trusted. `robot_delay` is the range of a robot's delay, in
    seconds. `features` lists the features that are switched off, each name with a hyphen. `exercise_budget` is the
    maximum number of moves tried per position in the search for exercises; 0 disables the search. With `migrate`, the
    database is migrated at start. `log_format` is text or json. `keep_…` are retention times in days
    (ops/retention.py). `web_processes` and `web_threads` are for gunicorn only (deploy/gunicorn.conf.py).
    `metrics_token` is empty if no metrics are served. `stranger_…` limit the answers to people without an account
    (inbound/mailbox/stranger_budget.py): `requests` are answers a day to `join`, `help` and `rules`; `answers` are
    those a day to other mail, `domain_answers` those an hour for each domain, `provider_answers` the same for each
    public mail provider. `epoch_games` and `epoch_numbers` are the minimum numbers of game and other row numbers that a
    new epoch skips.
    """

    instance_dir: str = "instance"
    database_url: str = ""
    database_direct_url: str = ""
    secret_key: str = ""
    base_url: str = "http://127.0.0.1:5000"
    http_listen: str = "127.0.0.1:5000"
    mail_domain: str = "localhost"
    mail_listen: str = "smtp://127.0.0.1:2525"
    mail_front: str = ""
    mail_fetch: str = ""
    mail_send: str = ""
    mail_pace: str = ""
    mail_authserv_id: str = ""
    mail_refuse: bool = False
    worker_interval: float = 5.0
    trusted_proxies: int = 0
    robots: bool = True
    robot_workers: int = 1
    robot_delay: str = "2-20"
    exercise_budget: int = 50_000
    operator: str = ""
    features: str = ""
    dkim_selector: str = ""
    dkim_key_file: str = ""
    migrate: bool = True
    log_format: str = "text"
    keep_pictures: int = 1
    keep_letters: int = 365
    keep_messages: int = 365
    keep_tokens: int = 365
    keep_clock_logs: int = 365
    keep_events: int = 30
    web_processes: int = 2
    web_threads: int = 8
    metrics_token: str = ""
    stranger_answers: int = 100
    stranger_requests: int = 1_000
    stranger_domain_answers: int = 20
    stranger_provider_answers: int = 200
    epoch_games: int = 1_000
    epoch_numbers: int = 1_000_000

    @property
    def thinking_processes(self) -> int:
        """Number of processes of this worker that search moves for robots; 0 if robots are off."""
        return self.robot_workers if self.robots else 0

    @property
    def features_off(self) -> frozenset[str]:
        """The names of the features that are switched off."""
        return frozenset(word.lstrip("-") for word in self.features.replace(",", " ").split())

    def has_feature(self, name: str) -> bool:
        """Whether a feature is switched on."""
        return name not in self.features_off

    @property
    def instance(self) -> Path:
        """The instance folder as an absolute path."""
        return Path(self.instance_dir).resolve()

    @property
    def letter_interval(self) -> timedelta:
        """Minimum time between two letters to one domain; zero for no limit, as to a local server."""
        is_near = is_loopback(urlsplit(self.mail_send).hostname or "")
        pace = pace_of(self.mail_pace) if self.mail_pace else (0 if is_near else USUAL_PACE)
        return timedelta(minutes=1) / pace if pace else timedelta(0)

    @property
    def shows_letters(self) -> bool:
        """Whether a page may show all letters: mail goes to a folder, and pages are local only."""
        hosts = (urlsplit(self.base_url).hostname or "", self.http_listen.rpartition(":")[0].strip("[]"))
        is_here = all(is_loopback(host) for host in hosts) and self.trusted_proxies == 0
        return is_here and self.mail_send.startswith(MAILDIR)


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings of this process: the environment overrides `.env` in the working folder.

    Creates the instance folder and the secret key on first use. Raises SettingError.
    """
    texts = {**_from_file(), **(os.environ if environ is None else environ)}
    values: dict[str, Any] = {f.name: _value(f.name, f.type, texts[f.name.upper()]) for f in _fields_in(texts)}
    return with_defaults(Settings(**values))


def misspelt_names(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Map names in the environment and `.env` that look like misspelt settings to the settings."""
    known = [field.name.upper() for field in fields(Settings)]
    names = {*_from_file(), *(os.environ if environ is None else environ)} - set(known)
    near = {name: difflib.get_close_matches(name.upper(), known, 1, _NEAR) for name in sorted(names)}
    return {name: meant[0] for name, meant in near.items() if meant}


def with_defaults(settings: Settings) -> Settings:
    """Complete settings with defaults in the instance folder; create it and the secret key.

    Raises SettingError.
    """
    folder = settings.instance
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingError(f"INSTANCE_DIR {folder} cannot be made: {error.strerror}.") from error
    values = {f.name: getattr(settings, f.name) for f in fields(Settings)}
    values["database_url"] = settings.database_url or f"sqlite:///{folder / 'correspondence.db'}"
    values["mail_send"] = settings.mail_send or f"maildir:{folder / 'sent'}"
    values["secret_key"] = settings.secret_key or _key_from(folder / KEY_FILE)
    _demand_hyphens(settings.features)
    delay_of(settings.robot_delay)
    pace_of(settings.mail_pace or "off")
    _demand_long(settings.metrics_token)
    if settings.mail_front:
        address_of(settings.mail_front)
    values["base_url"] = settings.base_url.rstrip("/")
    if settings.mail_refuse and settings.mail_listen.startswith("lmtp:"):
        raise SettingError(
            "MAIL_REFUSE is for MAIL_LISTEN=smtp://… that faces the internet: behind LMTP, set it to no."
        )
    return Settings(**values)


def address_of(listen: str) -> tuple[str, int]:
    """Parse host and port of `host:port` or `scheme://host:port`; raise SettingError if invalid."""
    host, _, port = listen.rpartition("//")[2].rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise SettingError(f"“{listen}” is not host:port, such as 127.0.0.1:5000.")
    return host.strip("[]"), int(port)


def delay_of(text: str) -> tuple[float, float]:
    """Parse a robot delay, such as `2-20` or `0`, to its range in seconds. Raises SettingError."""
    low, _sep, high = text.partition("-")
    try:
        least, most = float(low), float(high or low)
    except ValueError:
        least, most = 1.0, 0.0
    if not 0 <= least <= most <= LONGEST_DELAY:
        raise SettingError(f"ROBOT_DELAY is seconds, such as 0 or 2-20, up to {LONGEST_DELAY}, not “{text}”.")
    return least, most


def pace_of(text: str) -> int:
    """Parse MAIL_PACE, in letters a minute to one domain; 0 for no limit. Raises SettingError."""
    if text.casefold() == "off":
        return 0
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_PACE):
        raise SettingError(f"MAIL_PACE is letters a minute to one domain, from 1 to {MOST_PACE}, or off, not “{text}”.")
    return int(text)


def _demand_hyphens(features: str) -> None:
    bare = [word for word in features.replace(",", " ").split() if not word.startswith("-")]
    if bare:
        raise SettingError(f"FEATURES is a list of features to switch off, such as -{bare[0]}, not “{bare[0]}”.")


def _demand_long(token: str) -> None:
    if token and len(token) < SHORTEST_TOKEN:
        raise SettingError(
            f"METRICS_TOKEN must have at least {SHORTEST_TOKEN} characters, or be empty: nobody shall guess it."
        )


def is_loopback(host: str) -> bool:
    """Whether a host name or IP address is the loopback interface."""
    try:
        return host.casefold() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def restrict_umask() -> None:
    """Make all files that this process creates from now on private to its user."""
    os.umask(0o077)


def _from_file() -> dict[str, str]:
    return {name: text for name, text in dotenv_values(".env").items() if text is not None}


def _fields_in(texts: Mapping[str, str]) -> list[Any]:
    return [field for field in fields(Settings) if field.name.upper() in texts]


def _value(name: str, kind: Any, text: str) -> str | float:
    if kind == "bool":
        return _choice(name, text.strip())
    if kind == "int":
        return _days(name, text.strip()) if name in LEAST_DAYS else _count(name, text.strip())
    return _seconds(name, text) if kind == "float" else text.strip()


def _choice(name: str, text: str) -> bool:
    if text.casefold() not in ("yes", "no"):
        raise SettingError(f"{name.upper()} must be yes or no, not “{text}”.")
    return text.casefold() == "yes"


def _days(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and LEAST_DAYS[name] <= int(text[:9]) <= MOST_DAYS):
        sentence = (
            f"{name.upper()} must be a whole number of days from {LEAST_DAYS[name]} to {MOST_DAYS}, not “{text}”."
        )
        raise SettingError(sentence)
    return int(text)


def _count(name: str, text: str) -> int:
    least, most = _LEAST.get(name, 0), _MOST.get(name, MOST_THREADS if name.startswith("web_") else MOST_PROXIES)
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= most):
        raise SettingError(f"{name.upper()} must be a whole number from {least} to {most}, not “{text}”.")
    return int(text)


def _seconds(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 3600:
        raise SettingError(f"{name.upper()} must be a number of seconds up to 3600, not “{text}”.")
    return number


def _key_from(file: Path) -> str:
    """Return the key in `file`; create it with a random key if it does not exist."""
    if not file.exists():
        try:
            with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(secrets.token_hex(32))
        except FileExistsError:
            pass
    return file.read_text().strip()
