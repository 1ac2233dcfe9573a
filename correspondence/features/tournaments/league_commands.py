"""Commands by mail about leagues."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlmodel import Session

from correspondence.commands.command_types import Command
from correspondence.commands.handlers.context import Sender
from correspondence.commands.pace import CommandError
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.core.i18n import weekday
from correspondence.features.tournaments import league_pages, league_views, leagues
from correspondence.features.tournaments.commands import game_lines, table_lines
from correspondence.features.tournaments.league_views import LeagueView
from correspondence.matchmaking.challenges import game_by_key
from correspondence.outbound.transcript import TranscriptEntry
from engines import GAMES
from engines.wording import N_, _

_LINE = re.compile(r"(?P<game>[\w-]{2,40})(?: (?P<what>enter|leave|rest))?\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LeagueLine(Command):
    """Show the league of a game; `what` is what to do there: enter, leave or rest."""

    game: str
    what: str = ""


def read_league(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `league`: a game, and perhaps what to do."""
    found = _LINE.fullmatch(rest)
    if found is None:
        if is_certain and not rest:
            raise CommandError(_("Say which game, for example: league duel"))
        return None
    if found["game"].casefold() not in GAMES and not found["what"]:
        return None  # prose
    return LeagueLine(found["game"].casefold(), (found["what"] or "").casefold())


def _league(session: Session, sender: Sender, command: LeagueLine) -> TranscriptEntry:
    person, now = sender.person, sender.now
    if command.what == "enter":
        leagues.enter(session, person, command.game, now=now, rng=sender.rng)
        return _show(session, sender, command, league_pages.entered())
    if command.what == "leave":
        leagues.leave(session, person, command.game, now=now, rng=sender.rng)
        return TranscriptEntry("", league_pages.left())
    if command.what == "rest":
        return TranscriptEntry("", league_pages.rests(leagues.rest(session, person, command.game, now=now)))
    return _show(session, sender, command, "")


def _show(session: Session, sender: Sender, command: LeagueLine, sentence: str) -> TranscriptEntry:
    view = league_views.view_of(session, game_by_key(command.game).key, sender.person.id, now=sender.now)
    assert view is not None  # the latest season is always there
    tables = [line for table in view.tables for line in table_lines(table, _("Division {number}"))]
    parts = [tables or [_("The first season begins as soon as three have entered.")], game_lines(view.my_games)]
    block = "\n\n".join("\n".join(part).strip() for part in [*parts, _what_next(view)] if part)
    page = _("Its page:")
    text = " ".join(filter(None, (sentence, _head(view, sender))))
    return TranscriptEntry("", text, block=f"{block}\n\n{page} %%base%%/leagues/{view.key}")


def _head(view: LeagueView, sender: Sender) -> str:
    if not view.season or view.ends_at is None:
        return _("League of {game}.").format(game=view.game_name)
    sentence = _("League of {game}, season {season}, until {day} at the latest.")
    day = weekday(view.ends_at, sender.person.zone, sender.person.language)
    return sentence.format(game=view.game_name, season=view.season, day=day)


def _what_next(view: LeagueView) -> list[str]:
    if not view.is_in:
        return [_("To enter, write: league {game} enter").format(game=view.key)]
    if view.rests:
        return [_("You rest in the next season.")]
    return [
        _("To skip the next season, write: league {game} rest; to leave: league {game} leave").format(game=view.key)
    ]


_TOPIC = "ladders"

DECLARATIONS = (
    Declaration(
        kind=LeagueLine,
        readers={"league | lega": read_league},
        need=Need.YES,
        argument="what",
        need_without=Need.NOTHING,
        handler=_league,
        title=always(N_("A league")),
        topic=_TOPIC,
        help=(
            HelpLine(_TOPIC, 3, N_("league duel"), N_("the league of a game: its season, divisions and your games")),
            HelpLine(
                _TOPIC, 4, N_("league duel enter"),
                N_("play in it, season after season; also: league duel rest, league duel leave"),
            ),
        ),
    ),
)  # fmt: skip
