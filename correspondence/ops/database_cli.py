"""The commands about the whole database: migrate, backup, restore. They need the settings, not the application."""

from __future__ import annotations

from pathlib import Path

import click

from correspondence.core import schema
from correspondence.core.config import Settings, exit_on_setting_error, read_settings, restrict_umask
from correspondence.core.db import make_engine
from correspondence.ops import backups


@click.command("migrate")
def migrate_command() -> None:
    """Bring the tables of the database up to date; several at once do it once."""
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
    "--resend", is_flag=True, help="Send the letters and messages that waited in the backup; they may go out twice."
)
def restore_command(file: Path, *, resend: bool) -> None:
    """Put a backup into an empty INSTANCE_DIR and database."""
    try:
        waiting = backups.restore(_settings(), file, resends=resend)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Restored. {_waiting_sentence(waiting, resends=resend)}")


def _waiting_sentence(waiting: int, *, resends: bool) -> str:
    if not waiting:
        return "No letter waited to be sent."
    letters = "1 letter" if waiting == 1 else f"{waiting} letters"
    if resends:
        return f"{letters} waited to be sent, and will be."
    return f"{letters} waited to be sent, and will not be, because they may have left since."


def _settings() -> Settings:
    restrict_umask()
    with exit_on_setting_error():
        settings = read_settings()
    return settings
