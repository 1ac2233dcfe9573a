"""The set-up check: problems of an installation, as sentences that tell operators the remedy."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import Engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import select

from correspondence import transport
from correspondence.accounts import robots
from correspondence.core import schema, signing
from correspondence.core.config import MAILDIR, SettingError, Settings, address_of, is_loopback, misspelt_names
from correspondence.core.db import reading
from correspondence.core.i18n import lost_zone_notice
from correspondence.core.runtime import Runtime
from correspondence.fairness import keys
from correspondence.models import Heartbeat, Person
from correspondence.ops import fingerprints, mail_records, server_checks
from correspondence.ops.clock_guard import ClockGuard
from correspondence.outbound import dkim_signing, letter_pictures, refusals
from correspondence.queries import dead_mail, readiness
from correspondence.robots import robot_turns
from correspondence.transport import name_records
from correspondence.web.material import faults_of
from engines import BROUGHT, GAMES, LEFT_OUT
from engines.svg import render


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: good (`is_ok`), a note, or a fatal fault that the operator must fix."""

    sentence: str
    is_ok: bool = True
    is_fatal: bool = False


PATIENCE = 5.0
"""Time limit for each step of a conversation with a server, in seconds."""


FAILED_WITHIN = timedelta(days=7)
"""Maximum age of a failed letter that is reported."""


def examine(runtime: Runtime) -> list[Finding]:
    """Run all checks without changing anything; a check that raises gives a fatal finding."""
    findings: list[Finding] = []
    for check in _CHECKS:
        try:
            findings.extend(check(runtime))
        except (SettingError, OSError, SQLAlchemyError, ValueError) as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split()).rstrip(".")
            findings.append(_fatal(f"{(check.__doc__ or '').strip(' .')}: {reason}."))
    return findings


def _note(sentence: str) -> Finding:
    return Finding(sentence, is_ok=False)


def _fatal(sentence: str) -> Finding:
    return Finding(sentence, is_ok=False, is_fatal=True)


def _instance(runtime: Runtime) -> Iterator[Finding]:
    """The instance folder."""
    problems = list(readiness.disk_problems(runtime.settings))
    yield from map(_fatal, problems)
    if not problems:
        yield Finding(f"The instance folder {runtime.settings.instance} can be written, and its disk has room.")


def _names(_runtime: Runtime) -> Iterator[Finding]:
    """Names of settings."""
    for name, meant in misspelt_names().items():
        yield _fatal(
            f"{name} is not a setting, so it has no effect. If you mean {meant}, correct it; otherwise remove it."
        )


def _privacy(runtime: Runtime) -> Iterator[Finding]:
    """File permissions."""
    exposed = False
    for place in _private_places(runtime.settings):
        open_to_others = [file for file in _below(place) if stat.S_IMODE(file.lstat().st_mode) & 0o077]
        if open_to_others:
            exposed = True
            names = ", ".join(str(file) for file in open_to_others[:3])
            more = f" and {len(open_to_others) - 3} more" if len(open_to_others) > 3 else ""
            yield _fatal(f"Others on this machine can read {names}{more}; make it private with: chmod -R go= {place}")
    if not exposed:
        yield Finding("Only this user can read the service's files.")


def _private_places(settings: Settings) -> list[Path]:
    """The instance folder, and our other files and folders outside it."""
    database = make_url(settings.database_url)
    places = [Path(".env"), Path(settings.dkim_key_file)] if settings.dkim_key_file else [Path(".env")]
    places += [Path(where.removeprefix(MAILDIR)) for where in (settings.mail_send, settings.mail_fetch)
              if where.startswith(MAILDIR)]  # fmt: skip
    if database.get_backend_name() == "sqlite" and database.database:
        places += [Path(database.database + end) for end in ("", "-wal", "-shm")]
    resolved = (place.resolve() for place in places if place.exists())
    return [settings.instance, *(place for place in resolved if not place.is_relative_to(settings.instance))]


def _below(place: Path) -> Iterator[Path]:
    """Yield a file or folder and everything listable below it, without symbolic links."""
    yield place
    for folder, folders, files in os.walk(place):
        yield from (Path(folder, name) for name in (*folders, *files) if not Path(folder, name).is_symlink())


def _database(runtime: Runtime) -> Iterator[Finding]:
    """The database."""
    revision, newest = _revision(runtime.engine), schema.newest_revision()
    differing = schema.differences(runtime.engine) if revision == newest else []
    if revision is None and runtime.settings.migrate and not _is_for_others(runtime.settings):
        yield _note("The database is empty; the first start makes its tables.")
    elif revision is None:
        yield _fatal("The database is empty: run flask migrate.")
    elif revision != newest:
        yield _fatal(f"The database is of revision {revision}, and this version needs {newest}: run flask migrate.")
    elif differing:
        yield _fatal(f"The tables differ from what this version expects: {'; '.join(differing[:3])}.")
    else:
        yield Finding(f"The database answers; its tables are at revision {revision}, as they should be.")


def _work(runtime: Runtime) -> Iterator[Finding]:
    """Background work."""
    if not _has_tables(runtime):
        return
    with reading(runtime.engine) as session:
        is_new = session.get(Heartbeat, 1) is None and session.exec(select(Person.id).limit(1)).first() is None
        problems = list(readiness.work_problems(session, runtime.settings, now=runtime.now()))
    if is_new and not _is_for_others(runtime.settings):
        yield _note("No worker has ever run here, and nobody has joined: start python app.py, or flask worker.")
        return
    yield from map(_fatal, problems)
    if not problems:
        yield Finding("A worker is running, and nothing has waited too long.")


def _keys(runtime: Runtime) -> Iterator[Finding]:
    """Keys of this installation."""
    if not _has_tables(runtime):
        return
    with reading(runtime.engine) as session:
        listed, difference = keys.in_use(session), fingerprints.problem(session, runtime.settings)
    if difference:
        yield _fatal(difference)
        return
    has_key = (runtime.settings.instance / signing.KEY_FILE).exists()
    if listed and not (has_key and runtime.signer.public_key in listed):
        yield _fatal(
            f"{runtime.settings.instance} does not hold the keys that belong to this database, so letters from here could "
            "not be answered: copy secret_key, signing_key and push_key from the machine that has them."
        )
    elif len(listed) > 1:
        yield _note(
            "Records have been signed with several keys: if another machine uses this database, make sure that it has the "
            "same secret_key, signing_key and push_key."
        )


def _clock(runtime: Runtime) -> Iterator[Finding]:
    """The clock."""
    ClockGuard(runtime.engine, runtime.now).demand()
    if runtime.engine.dialect.name == "postgresql":
        yield Finding("The clock of this machine agrees with the database's.")
    if problem := server_checks.time_problem():
        yield _note(problem)


def _zones(runtime: Runtime) -> Iterator[Finding]:
    """Time zones of members."""
    if not _has_tables(runtime):
        return
    with reading(runtime.engine) as session:
        lost = [zone for zone in session.exec(select(Person.zone).distinct()) if lost_zone_notice(zone)]
    if lost:
        yield _note(
            f"Members use time zones that are not known here, so they get UTC: {', '.join(sorted(lost)[:5])}. "
            "If they are newer than this machine, update the package tzdata."
        )


def _server(runtime: Runtime) -> Iterator[Finding]:
    """The database server."""
    if runtime.engine.dialect.name == "postgresql":
        with reading(runtime.engine) as session:
            yield from map(_note, server_checks.postgresql_problems(session, runtime.settings))


def _revision(engine: Engine) -> str | None:
    """Return the last migration of the database, without creating a missing SQLite file."""
    url = engine.url
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        return None
    return schema.revision_of(engine)


def _has_tables(runtime: Runtime) -> bool:
    return _revision(runtime.engine) == schema.newest_revision()


def _is_for_others(settings: Settings) -> bool:
    """Whether this installation is meant for people on other machines."""
    return settings.mail_domain != "localhost" or not is_loopback(urlsplit(settings.base_url).hostname or "")


def _dead_mail(runtime: Runtime) -> Iterator[Finding]:
    """Mail set aside."""
    if not _has_tables(runtime):
        return
    with reading(runtime.engine) as session:
        messages = dead_mail.dead_messages(session)
        failed = dead_mail.count_failed(session, since=runtime.now() - FAILED_WITHIN)
        refusing = refusals.resting(session, now=runtime.now())
    if messages:
        yield _note(f"Messages set aside: {len(messages)}; flask mail dead lists them.")
    if failed:
        yield _note(
            f"{failed} {'letter' if failed == 1 else 'letters'} found undelivered in the last week: flask mail dead says why; "
            "flask mail resend --failed SINCE sends them again, for example those since 2d."
        )
    for one in refusing:
        yield _note(f"{one.name} refuses our letters, which wait for some hours: {one.words}")


def _addresses(runtime: Runtime) -> Iterator[Finding]:
    """Public addresses."""
    settings, site = runtime.settings, urlsplit(runtime.settings.base_url)
    local, grave = is_loopback(site.hostname or ""), _fatal if _is_for_others(settings) else _note
    if settings.mail_domain == "localhost":
        yield grave("MAIL_DOMAIN is localhost: letters can be answered only from this machine.")
    if site.scheme not in ("http", "https") or not site.hostname:
        yield _fatal(f"BASE_URL {settings.base_url} has no scheme, so links do not work: begin it with https://.")
    elif local and settings.mail_domain != "localhost":
        yield _fatal(f"BASE_URL {settings.base_url} cannot be reached from other machines; set it to your site.")
    elif not local and site.scheme == "http":
        yield _fatal(f"BASE_URL {settings.base_url} is not https: sign-in links and sessions are not encrypted.")
    if not settings.operator:
        yield grave("OPERATOR is empty: mail to postmaster@ and abuse@ is stored, but nobody is notified.")
    yield Finding(f"People write to play@{settings.mail_domain} and find pages at {settings.base_url}.")


def _proxies(runtime: Runtime) -> Iterator[Finding]:
    """Reverse proxies."""
    settings, count = runtime.settings, runtime.settings.trusted_proxies
    is_behind = is_loopback(address_of(settings.http_listen)[0])
    if not count and is_behind and not is_loopback(urlsplit(settings.base_url).hostname or ""):
        yield _fatal(
            f"Pages at {settings.base_url} come through a proxy, but TRUSTED_PROXIES is 0: all visitors share one "
            "limit. Set it to the number of proxies, each of which must add to X-Forwarded-For."
        )
    elif count and not is_behind:
        yield _note(
            f"HTTP_LISTEN {settings.http_listen} can be reached without the proxies, so visitors can forge their "
            "addresses: listen on 127.0.0.1, or let a firewall admit only the proxies."
        )
    elif count:
        yield Finding(
            f"Visitors' addresses come from X-Forwarded-For, set by the proxies (TRUSTED_PROXIES is {count})."
        )


def _ports(runtime: Runtime) -> Iterator[Finding]:
    """Listening ports."""
    for name, listen in (("HTTP_LISTEN", runtime.settings.http_listen), ("MAIL_LISTEN", runtime.settings.mail_listen)):
        if not listen:
            continue
        host, port = address_of(listen)
        if name == "MAIL_LISTEN" and transport.is_ours(host, port):
            yield Finding(f"Mail is received at {listen}.")
        elif transport.is_listening(host, port):
            yield _note(
                f"{name} {host}:{port} is in use: by this service if it is running, otherwise by another program."
            )
        else:
            yield Finding(f"{name} {host}:{port} is free.")
    front = runtime.settings.mail_front
    if front and not transport.takes_mail(*address_of(front)):
        yield _fatal(f"The mail server of MAIL_FRONT does not greet at {front}, so no mail comes in: start it again.")
    elif front:
        yield Finding(f"The mail server at {front} greets; mail comes through it.")
    elif runtime.settings.mail_listen.startswith("lmtp:") and is_loopback(address_of(runtime.settings.mail_listen)[0]):
        yield _note("Mail comes by LMTP from a mail server. Set MAIL_FRONT to its address, so that its end is noticed.")


def _post(runtime: Runtime) -> Iterator[Finding]:
    """Outgoing mail."""
    settings = runtime.settings
    where = settings.mail_send.split("@")[-1]
    post = transport.open_post(settings, timeout=PATIENCE)
    trouble = post.trouble(f"play@{settings.mail_domain}", settings.operator if "@" in settings.operator else "")
    yield _fatal(f"MAIL_SEND {where}: {trouble}") if trouble else Finding(f"Letters leave through {where}.")


def _fetching(runtime: Runtime) -> Iterator[Finding]:
    """The mailbox named in MAIL_FETCH."""
    settings = runtime.settings
    if not settings.mail_fetch:
        return
    where = settings.mail_fetch.split("@")[-1]
    trouble = transport.collecting.fetch_trouble(settings, timeout=PATIENCE)
    yield _fatal(f"MAIL_FETCH {where}: {trouble}") if trouble else Finding(f"Mail is fetched from {where}.")


def _records(runtime: Runtime) -> Iterator[Finding]:
    """DNS records of the mail domain."""
    settings = runtime.settings
    if not mail_records.is_public(settings.mail_domain):
        return
    try:
        name_records.demand_answers()
        problems = list(mail_records.problems(settings, name_records.ask))
        remarks = list(mail_records.remarks(settings, name_records.ask))
    except name_records.NoAnswerError as error:
        yield _note(f"The DNS could not be asked about {settings.mail_domain}: {error}.")
        return
    yield from map(_fatal, problems)
    yield from map(_note, remarks)
    if not problems:
        yield Finding(f"The DNS has all records that mail of {settings.mail_domain} needs.")


def _signatures(runtime: Runtime) -> Iterator[Finding]:
    """DKIM signatures."""
    why_not = dkim_signing.problem(runtime.settings)
    if why_not:
        yield _fatal(why_not)
    elif dkim_signing.is_enabled(runtime.settings):
        name, text = dkim_signing.record(runtime.settings)
        yield Finding(f"Letters are signed with DKIM; publish this DNS record: {name} TXT “{text}”")


def _pictures(runtime: Runtime) -> Iterator[Finding]:
    """Pictures in letters."""
    game = next(iter(GAMES.values()))
    picture = letter_pictures.board_png(render(game.start(game.Options()).draw()), 1.0)
    if picture is None:
        yield _note("Boards cannot be rendered as PNG here; letters have text boards only.")
    else:
        yield Finding(f"Boards are rendered as PNG ({len(picture) // 1024} KB).")


def _games(_runtime: Runtime) -> Iterator[Finding]:
    """Games of installed packages."""
    yield from map(_note, LEFT_OUT)
    for key in sorted(BROUGHT):
        yield from map(_note, faults_of(GAMES[key]))
    if BROUGHT:
        yield Finding(f"Games of installed packages: {', '.join(sorted(BROUGHT))}.")


def _robots(runtime: Runtime) -> Iterator[Finding]:
    """Robots."""
    if not _has_tables(runtime):
        return
    with reading(runtime.engine) as session:
        stuck = robot_turns.stuck(session)
        are_awake = robots.are_awake(session, now=runtime.now())
    if not runtime.settings.thinking_processes:
        yield Finding("A worker with these settings runs no robots (ROBOTS, ROBOT_WORKERS).")
    elif are_awake:
        yield Finding(f"Robots can be challenged; a worker runs them in {runtime.settings.robot_workers} process(es).")
    else:
        yield Finding("No worker has run robots within the last day, so nobody can challenge them until one starts.")
    for match_id, tries in stuck:
        yield _note(f"The robot of game {match_id} has failed {tries} times; the log of the worker says why.")


_CHECKS: tuple[Callable[[Runtime], Iterator[Finding]], ...] = (
    _instance,
    _privacy,
    _names,
    _database,
    _server,
    _keys,
    _clock,
    _zones,
    _work,
    _dead_mail,
    _addresses,
    _proxies,
    _ports,
    _post,
    _fetching,
    _signatures,
    _records,
    _pictures,
    _games,
    _robots,
)
