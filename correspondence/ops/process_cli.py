"""The `flask process` commands, which list running and missing processes."""

from __future__ import annotations

import click

from correspondence.clocks import processes
from correspondence.core.db import reading, transaction
from correspondence.ops.cli import _app
from correspondence.web.current import runtime_of


@click.group("process")
def process_command() -> None:
    """Show running and missing processes of the service."""


@process_command.command("list")
def list_command() -> None:
    """List running and missing processes, with their last signs of life."""
    runtime = runtime_of(_app())
    now = runtime.now()
    with reading(runtime.engine) as session:
        for one in processes.known(session, now=now):
            state = "missing" if processes.is_missing(one, now) else "runs"
            click.echo(f"{state:<8} {one.name}  {one.at:%Y-%m-%d %H:%M:%S} UTC  process {one.pid}")


@process_command.command("forget")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def forget_command(names: tuple[str, ...]) -> None:
    """Stop reporting these processes as missing; `mail`: the service no longer receives mail."""
    with transaction(runtime_of(_app()).engine) as session:
        unknown = [name for name in names if not processes.forget(session, name)]
    if unknown:
        raise click.ClickException(f"There is no process {', '.join(unknown)}: flask process list names all.")
