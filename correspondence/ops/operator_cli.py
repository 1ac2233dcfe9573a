"""The `flask operator` commands: access to the admin page, and the operator's acts."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import click

from correspondence.accounts import operators
from correspondence.accounts.accounts import PeopleError
from correspondence.core.db import reading, transaction
from correspondence.moderation import acts, register
from correspondence.moderation.acts import Act, Given, Operator
from correspondence.ops.cli import NUMBER, _app
from correspondence.web.current import runtime_of
from engines.refusal import Refusal
from engines.wording import _

_METAVARS = {"again": "HANDLE-AGAIN", "english": "TEXT", "switch": "on|off", "result": "1-0|0-1|1/2-1/2"}
"""Names of arguments in the help, if the parameter's name is unclear."""

_HELPS = {
    "days": "Number of days; by default a suspension has no end, and a banner is shown for a week.",
    "italian": "The same text in Italian, for members who use Italian.",
    "letter": "“yes” also sends it by letter; otherwise it is only shown on the pages.",
    "words": "Part of the message; by default, all that the member said in the game.",
}
"""The help texts of options."""


@click.group("operator")
def operator_command() -> None:
    """Manage operators, and perform their acts."""


@operator_command.command("add")
@click.argument("handle")
def add_command(handle: str) -> None:
    """Make a member an operator, who sees the Admin page."""
    runtime = runtime_of(_app())
    click.echo(f"{_appoint(handle, is_operator=True)} sees the Admin page: {runtime.settings.base_url}/desk")


@operator_command.command("remove")
@click.argument("handle")
def remove_command(handle: str) -> None:
    """Remove a member as operator."""
    click.echo(f"{_appoint(handle, is_operator=False)} no longer sees the Admin page.")


@operator_command.command("list")
def list_command() -> None:
    """List the operators."""
    with reading(runtime_of(_app()).engine) as session:
        handles = operators.operators(session)
    for handle in handles:
        click.echo(handle)
    if not handles:
        click.echo("Nobody sees the Admin page. To let a member see it: flask operator add HANDLE", err=True)


def _appoint(handle: str, *, is_operator: bool) -> str:
    try:
        with transaction(runtime_of(_app()).engine) as session:
            return operators.appoint(session, handle, is_operator=is_operator).handle
    except PeopleError as error:
        raise click.UsageError(str(error)) from error


@operator_command.command("acts")
@click.option("--about", "handle", default="", help="Only the acts about this member.")
@click.option("--most", default=50, help="Maximum number of acts.")
def acts_command(handle: str, most: int) -> None:
    """List operators' acts, newest first."""
    with reading(runtime_of(_app()).engine) as session:
        try:
            kept = acts.kept(session, most, handle=handle)
        except Refusal as error:
            raise click.ClickException(str(error)) from error
    if not kept:
        click.echo("No act of an operator is kept.", err=True)
    for one in kept:
        game = f"game {one.match_id}" if one.match_id else ""
        about = "  ".join(filter(None, (one.kind, one.handle, game, one.detail)))
        click.echo(
            f"{one.number}  {one.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC  {one.operator}  {about}\n    {one.reason}"
        )
        if one.reversed_at is not None:
            click.echo(f"    reversed by {one.reversed_by}, {one.reversed_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


@operator_command.command("undo")
@click.argument("number", type=NUMBER)
def undo_command(number: int) -> None:
    """Reverse an act, by its number in the list of acts."""
    runtime = runtime_of(_app())
    try:
        with transaction(runtime.engine) as session:
            register.undo(session, number, Operator(), now=runtime.now())
    except Refusal as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Act {number} has been reversed.")


def _command_of(act: Act) -> click.Command:
    """Build the command of an act: required parameters are arguments, all others options."""

    def run(reason: str, yes: bool, **typed: Any) -> None:
        runtime = runtime_of(_app())
        given = Given(reason=reason, **{name: text or "" for name, text in typed.items()})
        try:
            with transaction(runtime.engine) as session:
                click.echo(acts.plan(session, act, Operator(), given, now=runtime.now()).sentence)
            if not yes:
                click.confirm("Do it?", abort=True)
            with transaction(runtime.engine) as session:
                row = acts.perform(session, act, Operator(), given, now=runtime.now())
        except Refusal as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"Done: act {row.id}.")

    parameters: list[click.Parameter] = [click.Argument([name], metavar=_METAVARS.get(name)) for name in act.needs]
    parameters += [click.Option([f"--{name}"], help=_HELPS[name]) for name in act.takes]
    parameters += [
        click.Option(["--reason"], required=True, help="The reason; it is stored, and the people concerned are told."),
        click.Option(["--yes"], is_flag=True, help="Do not ask for confirmation."),
    ]
    return click.Command(act.name, callback=run, params=parameters, help=f"{_(act.title)}.")


for _one in register.ACTS.values():
    operator_command.add_command(_command_of(_one))
