"""The command about operators, who see the desk at /desk."""

from __future__ import annotations

import click

from correspondence.accounts import operators
from correspondence.accounts.accounts import PeopleError
from correspondence.core.db import reading, transaction
from correspondence.ops.cli import _app
from correspondence.web.current import runtime_of


@click.group("operator")
def operator_command() -> None:
    """Look after who sees the operator's desk."""


@operator_command.command("add")
@click.argument("handle")
def add_command(handle: str) -> None:
    """Let a member see the desk."""
    runtime = runtime_of(_app())
    click.echo(f"{_appoint(handle, is_operator=True)} sees the desk: {runtime.settings.base_url}/desk")


@operator_command.command("remove")
@click.argument("handle")
def remove_command(handle: str) -> None:
    """Let a member see the desk no longer."""
    click.echo(f"{_appoint(handle, is_operator=False)} sees the desk no longer.")


@operator_command.command("list")
def list_command() -> None:
    """List the members who see the desk."""
    with reading(runtime_of(_app()).engine) as session:
        for handle in operators.operators(session):
            click.echo(handle)


def _appoint(handle: str, *, is_operator: bool) -> str:
    try:
        with transaction(runtime_of(_app()).engine) as session:
            return operators.appoint(session, handle, is_operator=is_operator).handle
    except PeopleError as error:
        raise click.UsageError(str(error)) from error
