"""Commands that need no application: migrate, backup, restore, deploy-files, epoch."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from correspondence import load_features
from correspondence.core import resources, schema
from correspondence.core.config import Settings, exit_on_setting_error, read_settings, restrict_umask
from correspondence.core.db import make_engine, transaction
from correspondence.core.runtime import utc_now
from correspondence.ops import backups, epochs


@click.command("migrate")
def migrate_command() -> None:
    """Migrate the database to the newest revision; safe to run several times at once."""
    settings = _settings()
    engine = make_engine(settings.database_url)
    with exit_on_setting_error():
        before = schema.prepare(engine)
    engine.dispose()
    newest = schema.newest_revision()
    click.echo(f"The tables are at revision {newest}{', as they were' if before == newest else ''}.")


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup_command(file: Path) -> None:
    """Write database and keys into one archive, safely while the service runs."""
    settings = _settings()
    try:
        backups.backup(settings, file)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Written: {file}")


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--resend",
    is_flag=True,
    help="Send the letters and messages that were waiting in the backup; some may be sent twice.",
)
def restore_command(file: Path, *, resend: bool) -> None:
    """Restore a backup into an empty INSTANCE_DIR and database."""
    load_features()  # their numbers are skipped too, and their waiting messages dropped
    try:
        with exit_on_setting_error():
            restored = backups.restore(_settings(), file, now=utc_now(), resends=resend)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Restored. {_waiting_sentence(restored.waiting, resends=resend)}")
    click.echo(_epoch_sentence(restored.epoch))


@click.command("deploy-files")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def deploy_files_command(folder: Path) -> None:
    """Write the configuration files that docs/deploy.md describes into a folder."""
    try:
        shutil.copytree(resources.folder("deploy"), folder, dirs_exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"The files cannot be written to {folder}: {error}.") from error
    click.echo(f"Written to {folder}; docs/deploy.md says where each belongs.")


@click.group("epoch")
def epoch_command() -> None:
    """Continue after a failover."""


@epoch_command.command("new")
@click.option("--nothing-lost", is_flag=True, help="Send no letters, because the standby had all data.")
def new_command(*, nothing_lost: bool) -> None:
    """Skip numbers that a lost machine may have used, and tell the players what is lost.

    Run it once after a standby was promoted, while no process of the service runs. `flask restore` does it by itself.
    """
    load_features()  # their numbers are skipped too
    settings = _settings()
    engine = make_engine(settings.database_url)
    with exit_on_setting_error():
        schema.prepare(engine, migrates=settings.migrate)
    with exit_on_setting_error(), transaction(engine) as session:
        epoch = epochs.begin(session, settings, now=utc_now(), tells_players=not nothing_lost)
    engine.dispose()
    click.echo(_epoch_sentence(epoch))


def _epoch_sentence(epoch: epochs.Epoch) -> str:
    members = "1 member is" if epoch.letters == 1 else f"{epoch.letters} members are"
    return (
        f"What happened after {epoch.kept_until:%Y-%m-%d %H:%M:%S} UTC is lost; {members} told. "
        f"The next game is {epoch.next_game}."
    )


def _waiting_sentence(waiting: int, *, resends: bool) -> str:
    if not waiting:
        return "No letters were waiting to be sent."
    letters = "1 letter" if waiting == 1 else f"{waiting} letters"
    if resends:
        return f"Waiting to be sent: {letters}. They will be sent."
    return f"Waiting to be sent: {letters}. They will not be sent, because they may have been sent since."


def _settings() -> Settings:
    restrict_umask()
    with exit_on_setting_error():
        settings = read_settings()
    return settings
