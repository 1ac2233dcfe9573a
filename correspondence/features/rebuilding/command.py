"""`flask rebuild`: rebuild and check games from players' mailboxes; add complete ones."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from sqlmodel import Session, col, select

from correspondence.archive import import_export, record_file
from correspondence.core.db import transaction
from correspondence.core.runtime import Runtime
from correspondence.core.signing import Signer
from correspondence.fairness import seeds
from correspondence.features.rebuilding.mailboxes import GameLetter, read_mailbox
from correspondence.features.rebuilding.rebuild import Rebuilt, rebuild
from correspondence.models import Match
from correspondence.ops.cli import _app, known_keys
from correspondence.web.current import runtime_of
from engines.verification.claims import ClaimState
from engines.verification.command import lines_of

WHOLE, WRONG, NOTHING, MISSING = 0, 1, 2, 3
"""Exit statuses: all games complete; something is wrong; no letter of a game; gaps."""


@click.command("rebuild")
@click.argument(
    "mailboxes", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="MBOX..."
)
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), help="The folder for the records.")
@click.option("--keys", "key_file", type=click.Path(dir_okay=False, path_type=Path),
              help="A saved correspondence-keys.json: public keys of another server, or of this one before.")  # fmt: skip
def rebuild_command(mailboxes: tuple[Path, ...], into: Path | None, key_file: Path | None) -> None:
    """Rebuild games from players' mailboxes, and add the finished ones that are complete.

    The mailboxes may hold letters of both sides, in any order. Writes each game's record, and reports what is missing.
    """
    runtime = runtime_of(_app())
    signer = runtime.signer
    letters = [letter for file in mailboxes for letter in _letters_of(file)]
    if not letters:
        click.echo("There is no letter of a game in these files.", err=True)
        sys.exit(NOTHING)
    games = rebuild(letters, known_keys(key_file))
    folder = into or runtime.settings.instance / "rebuilt"
    for game in games:
        _tell(game, folder, runtime, signer)
    sys.exit(_status(games))


def _letters_of(file: Path) -> list[GameLetter]:
    try:
        with file.open("rb") as opened:
            found = read_mailbox(opened)
    except OSError as error:
        click.echo(f"{file} cannot be read: {error.strerror}.", err=True)
        sys.exit(NOTHING)
    click.echo(f"{file}: {found.messages} messages, {len(found.letters)} letters of games.")
    if found.too_large:
        click.echo(f"{file}: {found.too_large} messages are larger than any letter, and were left out.")
    if found.is_cut:
        click.echo(f"{file}: only the first {found.messages} messages were read.")
    return found.letters


def _tell(game: Rebuilt, folder: Path, runtime: Runtime, signer: Signer) -> None:
    click.echo(f"\nGame {game.name}")
    for sentence in game.wrong:
        click.echo(f"wrong   {sentence}")
    for sentence in game.gaps:
        click.echo(f"missing {sentence}")
    if game.report is None:
        return
    for line in lines_of(game.report):
        click.echo(line)
    click.echo(f"Written: {_save(game, folder)}")
    if game.is_whole:
        click.echo(_taken_in(game, runtime, signer))


def _save(game: Rebuilt, folder: Path) -> Path:
    """Write the record without overwriting another; returns its file, raises ClickException."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for again in range(1, 1_000):
            file = folder / f"game-{game.number}{f'-{again}' if again > 1 else ''}.record"
            if file.exists() and file.read_text("utf-8", errors="replace") == game.record:
                return file
            if not file.exists():
                file.write_text(game.record, "utf-8")
                return file
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}.") from error
    raise click.ClickException(f"{folder} holds too many records of game {game.number}.")


def _taken_in(game: Rebuilt, runtime: Runtime, signer: Signer) -> str:
    """Add a complete game, unless it is here already; returns the outcome as a sentence."""
    try:
        with transaction(runtime.engine) as session:
            if _is_running_here(session, game, signer):
                return f"Not added: game {game.number} still runs here, and is left as it is."
            number = import_export.import_record(session, game.record, signer, now=runtime.now())
    except record_file.RecordError as error:
        return f"Not added: {error}"
    return f"Added: {runtime.settings.base_url}/games/{number}"


def _is_running_here(session: Session, game: Rebuilt, signer: Signer) -> bool:
    """Whether a running game here has this record's commitment."""
    assert game.report is not None and game.report.record is not None
    commitment = game.report.record.tags.get("Commitment", "")
    match = session.exec(select(Match).where(col(Match.id) == game.number, col(Match.ended_at).is_(None))).first()
    return (
        match is not None
        and game.name == signer.site(match.id)
        and seeds.commitment_of_match(session, match) == commitment
    )


def _status(games: list[Rebuilt]) -> int:
    if any(game.wrong or (game.report is not None and game.report.state == ClaimState.WRONG) for game in games):
        return WRONG
    return WHOLE if all(game.is_whole for game in games) else MISSING
