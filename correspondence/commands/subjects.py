"""Subjects of answers that belong to no game.

Letters about a game have that game's subject, so that they stay in one thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from correspondence.commands import command_types as cmd
from correspondence.rulebook.fairness import means_fairness
from engines import GAMES
from engines.wording import N_, _

TITLES_SHOWN = 3
"""Maximum number of answers named in one subject."""

_WORD = re.compile(r"[^\W\d_][\w-]{0,19}")


def answer_subject(commands: Sequence[cmd.Command], *, is_refused: bool) -> str:
    """Return the subject of the answer to these commands, in the current language.

    Each question is named by its title: “Rules of Duel”. Of other commands only the first word is repeated, because
    mail from anybody must not write our subjects.
    """
    titles = _unique(filter(None, map(_title, commands)))
    if titles and not (is_refused and len(commands) == 1):
        return "; ".join(titles[:TITLES_SHOWN])
    words = _unique(filter(None, map(_first_word, commands)))
    if not words:
        return _("Your mail to us")
    return (_("Not done: {command}") if is_refused else _("Done: {command}")).format(command=_listed(words))


def question_subject(commands: Sequence[cmd.Command]) -> str:
    """Return the subject of the letter that asks to confirm these commands."""
    words = _unique(filter(None, map(_first_word, commands)))
    return _("Please confirm: {command}").format(command=_listed(words)) if words else _("Your request")


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:TITLES_SHOWN])


def _title(command: cmd.Command) -> str:
    """Return the title of the answer to a question; empty for commands that change something."""
    title = _TITLES.get(type(command))
    return title(command) if title else ""


def _first_word(command: cmd.Command) -> str:
    """Return the first word of a command as written; empty if it is no command."""
    if isinstance(command, cmd.Other):
        return ""
    word = _WORD.match(command.written or getattr(command, "line", "") or type(command).__name__)
    return word[0].lower() if word else ""


def _of_game(general: str, about: str) -> Callable[[Any], str]:
    """Return a title function for a question about one game or all games."""

    def title(command: Any) -> str:
        game = GAMES.get(command.key or "")
        return _(about).format(game=_(game.name)) if game else _(general)

    return title


def _of_match(general: str, about: str) -> Callable[[Any], str]:
    def title(command: Any) -> str:
        return _(about).format(number=command.match) if command.match else _(general)

    return title


def _always(text: str) -> Callable[[Any], str]:
    return lambda _command: _(text)


def _of_rules(command: cmd.Rules) -> str:
    if means_fairness(f"{command.key or ''} {command.part}"):
        return _("Fair chance, and records that can be verified")
    return _of_game(N_("Rules"), N_("Rules of {game}"))(command)


_TITLES: Mapping[type[cmd.Command], Callable[[Any], str]] = {
    cmd.Help: _always(N_("Help")),
    cmd.Rules: _of_rules,
    cmd.Ratings: _of_game(N_("Ratings"), N_("Ratings: {game}")),
    cmd.Games: _always(N_("Your games")),
    cmd.Show: _of_match(N_("The board"), N_("The board of game {number}")),
    cmd.History: _of_match(N_("The moves"), N_("The moves of game {number}")),
    cmd.Record: _of_match(N_("The record"), N_("The record of game {number}")),
    cmd.Review: _of_match(N_("A second opinion"), N_("A second opinion on game {number}")),
    cmd.Exercise: _always(N_("An exercise")),
    cmd.Seeks: _always(N_("Seeks")),
    cmd.Partners: _always(N_("Partners")),
    cmd.Robots: _always(N_("Robots")),
    cmd.ShowSettings: _always(N_("Your settings")),
    cmd.ChangeSetting: _always(N_("Your settings")),
    cmd.Addresses: _always(N_("Your addresses")),
    cmd.Letters: _always(N_("Your letters")),
    cmd.Stop: _always(N_("Letters you've unsubscribed from")),
    cmd.Yes: _always(N_("Your confirmation")),
}
