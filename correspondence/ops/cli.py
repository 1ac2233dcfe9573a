"""The `flask …` commands: worker, demo, mail, records, set-up check, reports, keys.

They are entry points of the package instead of commands of the app, so that each can say in a sentence why the
application does not start, and `receive` can tell its mail server to retry.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from flask import Flask
from flask.cli import NoAppException, ScriptInfo
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from correspondence import load_features, transport
from correspondence.accounts.accounts import person_by_handle
from correspondence.archive import import_export, monthly_file, record_file
from correspondence.community import reports
from correspondence.core import schema
from correspondence.core.config import KEY_FILE, exit_on_setting_error, read_settings, restrict_umask
from correspondence.core.db import make_engine, reading, transaction
from correspondence.core.runtime import Runtime
from correspondence.core.signing import check_signature
from correspondence.fairness import keys
from correspondence.inbound import dead_letters
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.ops import fingerprints, reception
from correspondence.queries import dead_mail
from correspondence.web.current import runtime_of
from engines import UnknownGame
from engines.verification.command import print_report, printable, read_file, read_keys

TEMPORARY_FAILURE = 75
"""Exit status after an internal failure, for an MTA's pipe: retry (EX_TEMPFAIL, sysexits.h)."""

NO_USER = 67
"""Exit status for an unknown recipient (EX_NOUSER)."""


@click.command("worker")
def worker_command() -> None:
    """Run the background work (clocks, incoming and outgoing mail) until interrupted."""
    from correspondence.ops.serve import work  # only this command needs the listener and the scheduler

    with exit_on_setting_error():
        work(_app())


@click.command("listen")
def listen_command() -> None:
    """Only receive mail at MAIL_LISTEN, until interrupted."""
    from correspondence.ops.serve import receive  # only this command and the worker need the listener

    with exit_on_setting_error():
        receive(_app())


@click.command("demo")
@click.option("--keep", type=click.Path(file_okay=False), help="Keep the demonstration's files in this folder.")
@click.option("--stay", is_flag=True, help="Serve the pages afterwards, until Ctrl-C.")
def demo_command(keep: str | None, stay: bool) -> None:
    """Play a complete game by real mail over loopback SMTP, and show its history page."""
    from correspondence.ops.demo import run  # only this command needs a terminal display

    sys.exit(run(Path(keep) if keep else None, stay=stay))


class _ForAPipe(click.Command):
    """A command that exits with EX_TEMPFAIL on usage errors too, so that an MTA retries."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, or exit with EX_TEMPFAIL."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.show()
            ctx.exit(TEMPORARY_FAILURE)


@click.command("receive", cls=_ForAPipe)
@click.argument("recipient")
@click.option("--sender", default="", help="The envelope sender that the MTA reports.")
def receive_command(recipient: str, sender: str) -> None:
    """Receive one message from standard input, for an MTA's pipe.

    Exit status: 0 if the message is stored, 67 if the recipient is unknown, 75 (try again) after any
    error of this service.
    """
    try:
        is_kept = _is_received(recipient, sender)
    except (Exception, KeyboardInterrupt, SystemExit) as error:  # loading the app exits if a setting is wrong
        click.echo(f"451 4.3.0 not taken, try again: {type(error).__name__}", err=True)
        sys.exit(TEMPORARY_FAILURE)
    if not is_kept:
        click.echo("550 5.1.1 nobody here has that address", err=True)
        sys.exit(NO_USER)


def _is_received(recipient: str, sender: str) -> bool:
    too_much = MESSAGE_LIMIT + 1  # one extra byte shows that a message is too big
    raw = transport.normalise_line_ends(sys.stdin.buffer.read(too_much))
    runtime = runtime_of(_app())
    if not reception.recipient_check(runtime)(recipient):
        return False
    reception.store_callback(runtime)(raw, recipient, sender)
    return True


NUMBER = click.IntRange(0, 2**31 - 1)
"""A row number as an argument; numbers too large for a column are refused."""


@click.command("export")
@click.argument("match", type=NUMBER)
@click.option("--as", "reader", metavar="HANDLE", help="Print only what this member may see.")
def export_command(match: int, reader: str | None) -> None:
    """Print the record of a match, including information still hidden from its players."""
    runtime = runtime_of(_app())
    with reading(runtime.engine) as session:
        try:
            handle = _handle_of(session, reader) if reader is not None else None
            text = import_export.export(session, match, runtime.signer, now=runtime.now(), reader=handle)
        except UnknownGame as error:
            raise click.ClickException(str(error)) from error
    if text is None:
        raise click.ClickException(f"There is no match {match}.")
    click.echo(text, nl=False)


def _handle_of(session: Session, name: str) -> str:
    """Return a member's handle as they spell it; raises ClickException if there is none."""
    person = person_by_handle(session, name)
    if person is None:
        raise click.ClickException(f"There is no member {printable(name)}.")
    return person.handle


@click.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--keys", "key_file", type=click.Path(dir_okay=False, path_type=Path),
              help="A saved correspondence-keys.json: public keys of another server, or of this one before.")  # fmt: skip
def verify_command(file: Path, key_file: Path | None) -> None:
    """Verify a record: moves, result, dice, seals, hashes, and the signed end.

    For a monthly archive (ZIP), verify its signature, hashes and every record. Exit status 0: verified, with a key of this
    service or of the list. 1: something is wrong or not proven. 3: something is open, or the key is unknown.
    """
    with file.open("rb") as opened:
        is_archive = opened.read(4) == b"PK\x03\x04"
    text = "" if is_archive else _text_of(file)
    known = known_keys(key_file)
    sys.exit(_verify_month(file, known) if is_archive else print_report(text, check_signature, known))


def known_keys(key_file: Path | None) -> list[str]:
    """Return this service's public keys and those of a saved list; raises ClickException."""
    runtime = runtime_of(_app())
    with reading(runtime.engine) as session:
        own = keys.own(session, runtime.signer)
    try:
        listed = read_keys(key_file) if key_file is not None else []
    except record_file.RecordError as error:
        raise click.ClickException(printable(str(error))) from error
    return list(dict.fromkeys([runtime.signer.public_key, *sorted(own), *listed]))


def _verify_month(file: Path, known: Sequence[str]) -> int:
    """Check a monthly archive and print the findings; returns the exit status."""
    try:
        with file.open("rb") as opened:
            found = monthly_file.check_month(opened)
    except monthly_file.MonthError as error:
        raise click.ClickException(str(error)) from error
    for sentence in found.wrong:
        click.echo(f"wrong   {sentence}")
    click.echo(f"{found.site}, {found.month}: {found.games} games, {found.free} of them CC0, signed by {found.key}")
    if found.wrong or not found.keys.issubset(known):
        click.echo("Not verified." if found.wrong else "It is signed by an unknown key.", err=True)
        return 1 if found.wrong else 3
    click.echo("Verified.")
    return 0


def _text_of(file: Path) -> str:
    """Return the text of a record file; raises ClickException."""
    try:
        return read_file(file)
    except record_file.RecordError as error:
        raise click.ClickException(printable(str(error))) from error


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_command(file: Path) -> None:
    """Add a finished game from its record, after verifying it."""
    runtime = runtime_of(_app())
    try:
        with transaction(runtime.engine) as session:
            number = import_export.import_record(session, _text_of(file), runtime.signer, now=runtime.now())
    except record_file.RecordError as error:
        raise click.ClickException(printable(str(error))) from error
    click.echo(f"Imported: {runtime.settings.base_url}/games/{number}")


@click.command("doctor")
def doctor_command() -> None:
    """Check the set-up without changing anything; exit status 1 if something is wrong."""
    from correspondence.ops.doctor import examine  # only this command needs sockets and pictures

    load_features()  # it compares their tables too
    restrict_umask()
    with exit_on_setting_error():
        runtime = Runtime(settings := read_settings(), make_engine(settings.database_url))
    findings = examine(runtime)
    runtime.close()
    for finding in findings:
        click.echo(f"{'ok  ' if finding.is_ok else 'FAIL' if finding.is_fatal else 'note'}  {finding.sentence}")
    sys.exit(1 if any(finding.is_fatal for finding in findings) else 0)


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Only count what would be deleted.")
def prune_command(*, dry_run: bool) -> None:
    """Delete data older than the KEEP_ settings allow now; a worker does so every hour."""
    from correspondence.ops import retention  # only this command and the worker prune

    runtime = runtime_of(_app())
    if dry_run:
        with reading(runtime.engine) as session:
            found = retention.would_prune(session, runtime.settings, now=runtime.now())
    else:
        found = retention.prune(runtime.engine, runtime.settings, now=runtime.now())
    for one in found:
        click.echo(f"{one.count:>8}  {one.what}, after {one.days} {'day' if one.days == 1 else 'days'}")
    if runtime.settings.mail_fetch:
        click.echo("Processed messages are kept, because the mailbox of MAIL_FETCH may deliver them again.")


@click.group("mail")
def mail_command() -> None:
    """Inspect and retry received messages and unsent letters."""


@mail_command.command("dead")
def dead_command() -> None:
    """List received messages that were set aside, and undelivered letters."""
    with reading(runtime_of(_app()).engine) as session:
        messages, letters = dead_mail.dead_messages(session), dead_mail.failed_letters(session)
        if not messages and not letters:
            click.echo("No message and no letter was set aside.", err=True)
        for one in messages:
            click.echo(f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {one.recipient}  {one.why}")
        for letter in letters:
            game = f" of game {letter.match_id}" if letter.match_id is not None else ""
            click.echo(f"letter {letter.number}  {letter.at:%Y-%m-%d %H:%M} UTC  {letter.kind}{game}  {letter.why}")


@mail_command.command("retry")
@click.argument("numbers", type=NUMBER, nargs=-1, required=True, metavar="ID...")
def retry_command(numbers: tuple[int, ...]) -> None:
    """Requeue received messages that were set aside."""
    runtime = runtime_of(_app())
    with transaction(runtime.engine) as session:
        revived = dead_letters.retry(session, numbers, now=runtime.now())
    _tell_revived("Message {number} will be processed again.", numbers, revived)


@mail_command.command("resend")
@click.argument("numbers", type=NUMBER, nargs=-1, metavar="[ID...]")
@click.option(
    "--failed",
    "since",
    metavar="SINCE",
    help="All that failed since this time, such as 2026-11-26, 2026-11-26T10:00 or 36h (ago).",
)
def resend_command(numbers: tuple[int, ...], since: str | None) -> None:
    """Requeue undelivered letters."""
    runtime = runtime_of(_app())
    if bool(numbers) == bool(since):
        raise click.UsageError("Say which letters: their numbers, or --failed SINCE.")
    start = _moment(since, runtime.now()) if since else None
    with transaction(runtime.engine) as session:
        wanted = numbers if start is None else dead_letters.failed_since(session, start)
        revived = dead_letters.resend(session, wanted, now=runtime.now())
    _tell_revived("Letter {number} will be sent again.", numbers or revived, revived)
    if start is not None:
        left = len(wanted) - len(revived)
        click.echo(
            f"{len(revived)} will be sent again."
            + (f" {left} are no longer stored, or contained a code." if left else "")
        )


def _moment(text: str, now: datetime) -> datetime:
    """Parse a time in UTC or relative to `now`; raises click.UsageError."""
    span = re.fullmatch(r"(\d{1,5})\s*([mhd])", text.strip())
    if span:
        return (
            now - int(span[1]) * {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}[span[2]]
        )
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise click.UsageError(
            f"“{text}” is no moment, such as 2026-11-26, 2026-11-26T10:00, 90m, 36h or 2d."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _tell_revived(sentence: str, numbers: Sequence[int], revived: Sequence[int]) -> None:
    """Print what happens to each number; raises ClickException if some were not set aside."""
    for number in revived:
        click.echo(sentence.format(number=number))
    others = sorted(set(numbers) - set(revived))
    if others:
        raise click.ClickException(f"Not set aside, so not changed: {', '.join(map(str, others))}.")


@mail_command.command("show")
@click.argument("number", type=NUMBER, metavar="ID")
def show_command(number: int) -> None:
    """Print a received message, without its attachments unless it is set aside."""
    with reading(runtime_of(_app()).engine) as session:
        raw = dead_letters.raw_of(session, number)
    if raw is None:
        raise click.ClickException(f"There is no message {number}.")
    if not raw:
        raise click.ClickException(f"The text of message {number} is no longer stored: it came a month ago or more.")
    click.echo(raw, nl=False)


@click.command("reports")
def reports_command() -> None:
    """List the last reports about players, newest first."""
    with reading(runtime_of(_app()).engine) as session:
        kept = reports.last_reports(session)
        if not kept:
            click.echo("Nobody has reported anybody.", err=True)
        for row, by, about in kept:
            game = f", game {row.match_id}" if row.match_id else ""
            click.echo(f"{row.at:%Y-%m-%d %H:%M} UTC  {by} about {about}{game}\n    {' '.join(row.text.split())}")


def _app() -> Flask:
    """Return the application; raises ClickException with a sentence if it cannot be loaded."""
    info: ScriptInfo = click.get_current_context().ensure_object(ScriptInfo)
    try:
        return info.load_app()
    except NoAppException:
        if info.app_import_path is not None:
            raise
        return _default_app()
    except SQLAlchemyError as error:
        raise click.ClickException(f"The database does not answer: {getattr(error, 'orig', error)}.") from error


def _default_app() -> Flask:
    """Return the default application, so that commands work in every folder without `--app`."""
    from correspondence.wsgi import app  # importing it creates the application

    return app


@click.group("key")
def key_command() -> None:
    """Manage the keys of the service: make, compare between hosts, change the signing key."""


@key_command.command("rotate")
def rotate_command() -> None:
    """Replace the key that signs records; the old one stays listed, to verify old records."""
    runtime = runtime_of(_app())
    signer = runtime.signer
    with transaction(runtime.engine) as session:
        new = keys.rotate(session, signer, today=runtime.now().date())
        fingerprints.renew(session, runtime.settings)
    click.echo(f"New key: {new}. It is listed at {runtime.settings.base_url}/.well-known/correspondence-keys.json")


@key_command.command("make")
def make_command() -> None:
    """Make all missing keys before the first start; then copy them to every host."""
    restrict_umask()
    with exit_on_setting_error():
        settings = read_settings()
        made = fingerprints.make_keys(settings)
    for file, is_new in made.items():
        click.echo(f"{'new' if is_new else 'kept'}  {file}")
    click.echo(f"Copy them to every host of the service, and the secret key with them: {settings.instance / KEY_FILE}")


@key_command.command("check")
@click.option("--accept-new-key", is_flag=True, help="Accept this host's keys and addresses as those of every host.")
def check_command(*, accept_new_key: bool) -> None:
    """Compare this host's keys and addresses with other hosts'; exit status 2 if one differs."""
    restrict_umask()
    with exit_on_setting_error():
        settings = read_settings()
        engine = make_engine(settings.database_url)
        schema.prepare(engine, migrates=settings.migrate)
        fingerprints.check(engine, settings, accepts=accept_new_key)
    engine.dispose()
    click.echo("This host has the keys and addresses that all others must have.")
