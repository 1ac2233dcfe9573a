"""The `flask postal` commands: members without a mail address, their helpers, and what they contest on paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlmodel import Session

from correspondence.accounts import postal_members
from correspondence.accounts.accounts import PeopleError, person_by_handle
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import erasure, postal_contests
from correspondence.core.db import reading, transaction
from correspondence.core.runtime import Runtime
from correspondence.models import Person
from correspondence.ops.cli import _app
from correspondence.outbound.letters import mail_of
from correspondence.web.current import runtime_of
from engines.refusal import Refusal


class RefusedError(click.ClickException):
    """A wrong input: its sentence, and exit status 2."""

    exit_code = 2


@contextmanager
def _changing(runtime: Runtime) -> Iterator[Session]:
    """A transaction whose refusals end the command with their sentence and exit status 2."""
    try:
        with transaction(runtime.engine) as session:
            yield session
    except Refusal as error:
        raise RefusedError(str(error)) from error


@click.group("postal")
def postal_command() -> None:
    """Look after members who play by post."""


@postal_command.command("add")
@click.argument("handle")
@click.option("--name", required=True, help="The name on the envelope.")
@click.option("--address", required=True, help="The postal address; \\n or a comma and a blank ends a line.")
@click.option("--helper", required=True, help="The handle of a member who is asked to help.")
@click.option("--language", default="en", show_default=True, help="The language of the cards.")
@click.option("--zone", default="UTC", show_default=True, help="The time zone, such as Europe/Rome.")
@click.option("--listed", is_flag=True, help="The directory may say that they play by post.")
def add_command(handle: str, name: str, address: str, helper: str, language: str, zone: str, listed: bool) -> None:
    """Make a member of somebody who has no mail address; the helper is asked by letter."""
    runtime = runtime_of(_app())
    lines = address.replace("\\n", "\n").replace(", ", "\n")
    details = PostalDetails(name, lines, plays_by_post=True, is_listed=listed)
    with _changing(runtime) as session:
        person = postal_members.register(
            session, handle, details, language=language, zone=zone, helper=helper, now=runtime.now()
        )
        click.echo(f"{person.handle} is a member by post. {helper} is asked to help.")


@postal_command.command("helper")
@click.argument("handle")
@click.argument("helper")
def helper_command(handle: str, helper: str) -> None:
    """Ask HELPER to help the postal member HANDLE, in place of an earlier helper."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        named = postal_members.name_helper(session, _member(session, handle), helper, now=runtime.now())
        click.echo(f"{named.handle} is asked to help.")


@postal_command.command("contest")
@click.argument("handle")
@click.argument("match", type=int)
@click.argument("ply", type=int)
@click.argument("words")
def contest_command(handle: str, match: int, ply: int, words: str) -> None:
    """Note that HANDLE contests, on paper, move PLY of MATCH; WORDS say what the card said."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        postal_contests.contest_for(session, handle, match, ply, words, now=runtime.now())
    click.echo(f"Move {ply} of game {match} is marked as contested.")


@postal_command.command("contests")
def contests_command() -> None:
    """List the contested entries, newest first, with who entered them."""
    with reading(runtime_of(_app()).engine) as session:
        for one in postal_contests.contested_entries(session):
            where = f"game {one.match_id}, move {one.ply}"
            click.echo(
                f"{one.at:%Y-%m-%d %H:%M} UTC  {where}  entered by {one.entered_by} for {one.handle}\n    {one.words}"
            )


@postal_command.command("remove")
@click.argument("handle")
def remove_command(handle: str) -> None:
    """Erase a member who has no mail address, as they asked on paper; their games stay with a departed player."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        person = _member(session, handle)
        if mail_of(session, person) is not None:
            raise RefusedError(f"{person.handle} has a mail address, and can erase themselves: forget me.")
        erasure.forget(session, person, now=runtime.now())
    click.echo(f"{handle} is erased.")


def _member(session: Session, handle: str) -> Person:
    person = person_by_handle(session, handle)
    if person is None:
        raise PeopleError(f"Nobody here is called “{handle[:40]}”.")
    return person
