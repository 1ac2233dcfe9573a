"""Commands for play by post: `flask cards` prints due cards, `flask postal` manages members."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from sqlmodel import Session

from correspondence.accounts import postal_members
from correspondence.accounts.accounts import person_called
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import erasure, postal_contests
from correspondence.core.db import reading, transaction
from correspondence.core.runtime import Runtime
from correspondence.ops.cli import NUMBER, _app
from correspondence.outbound.letters import mail_of
from correspondence.queries import due_cards
from correspondence.web.current import runtime_of
from engines.refusal import Refusal


@contextmanager
def _changing(runtime: Runtime) -> Iterator[Session]:
    """Context manager: a transaction whose refusals end the command with exit status 2."""
    try:
        with transaction(runtime.engine) as session:
            yield session
    except Refusal as error:
        raise click.UsageError(str(error)) from error


@click.group("postal")
def postal_command() -> None:
    """Manage members who play by post."""


@postal_command.command("add")
@click.argument("handle")
@click.option("--name", required=True, help="The name on the envelope.")
@click.option("--address", required=True, help="The postal address; \\n or a comma with a space separates lines.")
@click.option("--helper", required=True, help="The handle of a member who is asked to help.")
@click.option("--language", default="en", show_default=True, help="The language of the cards.")
@click.option("--zone", default="UTC", show_default=True, help="The time zone, such as Europe/Rome.")
@click.option("--listed", is_flag=True, help="List them in the directory as playing by post.")
def add_command(handle: str, name: str, address: str, helper: str, language: str, zone: str, listed: bool) -> None:
    """Add a member who has no mail address; the helper is asked by letter."""
    runtime = runtime_of(_app())
    lines = address.replace("\\n", "\n").replace(", ", "\n")
    details = PostalDetails(name, lines, plays_by_post=True, is_listed=listed)
    with _changing(runtime) as session:
        person = postal_members.register(
            session, handle, details, language=language, zone=zone, helper=helper, now=runtime.now()
        )
        click.echo(f"{person.handle} is a member by post. {helper} has been asked to help.")


@postal_command.command("helper")
@click.argument("handle")
@click.argument("helper")
def helper_command(handle: str, helper: str) -> None:
    """Ask HELPER to help the postal member HANDLE, in place of an earlier helper."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        person, now = person_called(session, handle), runtime.now()
        named = postal_members.name_helper(session, person, helper, by_operator=True, now=now)
        click.echo(f"{named.handle} has been asked to help.")


@postal_command.command("contest")
@click.argument("handle")
@click.argument("match", type=NUMBER)
@click.argument("ply", type=NUMBER)
@click.argument("words")
def contest_command(handle: str, match: int, ply: int, words: str) -> None:
    """Record that HANDLE contests, on paper, move PLY of MATCH; WORDS say what the card said."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        postal_contests.contest_for(session, handle, match, ply, words, now=runtime.now())
    click.echo(f"Move {ply} of game {match} has been marked as contested.")


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
    """Erase a member without a mail address who has asked for it on paper; their games remain."""
    runtime = runtime_of(_app())
    with _changing(runtime) as session:
        person = person_called(session, handle)
        if mail_of(session, person) is not None:
            raise click.UsageError(f"{person.handle} has a mail address, and can erase themselves: forget me.")
        erasure.forget(session, person, now=runtime.now())
    click.echo(f"{handle} is erased.")


@click.command("cards")
@click.option("--out", type=click.Path(path_type=Path), default=Path("cards.pdf"), show_default=True, help="The file.")
@click.option("--for", "handle", default="", help="Only the cards of the player with this handle.")
@click.option("--a4", is_flag=True, help="Print four cards on each A4 sheet, duplex over the short edge.")
def cards_command(out: Path, handle: str, a4: bool) -> None:
    """Write the cards of all players by post who are to move into one PDF.

    A player without a mail address also gets a last card of each game that ended within two weeks.
    """
    runtime = runtime_of(_app())
    try:
        with reading(runtime.engine) as session:
            settings = runtime.settings
            cards = due_cards.due_cards(
                session, key=settings.secret_key, base_url=settings.base_url, now=runtime.now(), handle=handle
            )
    except Refusal as error:
        raise click.UsageError(str(error)) from error
    if not cards:
        click.echo("No card is due, so nothing was written.")
        return
    try:
        with open(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(due_cards.pdf_of(cards, title="Cards", four_to_a_sheet=a4))
    except OSError as error:
        raise click.UsageError(f"{out} cannot be written: {error.strerror}.") from error
    click.echo(f"Written: {out}, {len(cards)} {'card' if len(cards) == 1 else 'cards'}.")
