"""`flask samples`: make, load and remove the starter set."""

from __future__ import annotations

from pathlib import Path

import click

from correspondence.core.db import transaction
from correspondence.features.samples import files, loading, removing
from correspondence.ops.cli import _app
from correspondence.web.current import runtime_of


@click.group("samples")
def samples_command() -> None:
    """Sample games, exercises and openings for a new installation, played by robots."""


@samples_command.command("make")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), default=files.FOLDER, show_default=True,
              help="The folder of the files.")  # fmt: skip
@click.option("--part", "parts", multiple=True, type=click.Choice(files.PARTS), help="Only this part.")
def make_command(into: Path, parts: tuple[str, ...]) -> None:
    """Let robots play the starter set again, about 15 minutes of one core; the same code makes the same files."""
    for part in parts or files.PARTS:
        files.make(part, into, click.echo)


@samples_command.command("load")
def load_command() -> None:
    """Load the starter set, which a worker does by itself in a new installation."""
    runtime = runtime_of(_app())
    with transaction(runtime.engine) as session:
        is_wanted = loading.want(session)
    if not is_wanted:
        raise click.ClickException("The samples are loaded already.")
    more = True
    while more:
        with transaction(runtime.engine) as session:
            more = loading.load_next(session, runtime.signer, now=runtime.now())
    click.echo("The samples are loaded.")


@samples_command.command("remove")
def remove_command() -> None:
    """Remove the starter set: games, exercises, attempts at them, and openings. Numbers are not used again."""
    runtime = runtime_of(_app())
    with transaction(runtime.engine) as session:
        count = removing.remove(session)
    click.echo(f"Removed: {count} sample games." if count != 1 else "Removed: 1 sample game.")
