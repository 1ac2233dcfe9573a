"""Subjects of answers that belong to no game.

Letters about a game have that game's subject, so that they stay in one thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from correspondence.commands import command_types as cmd
from correspondence.commands import registry
from engines import GAMES
from engines.wording import _

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
    title = registry.of(command).title
    return title(command) if title else ""


def _first_word(command: cmd.Command) -> str:
    """Return the first word of a command as written; empty if it is no command."""
    if isinstance(command, cmd.Other):
        return ""
    word = _WORD.match(command.written or getattr(command, "line", "") or type(command).__name__)
    return word[0].lower() if word else ""


def of_game(general: str, about: str) -> Callable[[Any], str]:
    """Return a title function for a question about one game or all games."""

    def title(command: Any) -> str:
        game = GAMES.get(command.key or "")
        return _(about).format(game=_(game.name)) if game else _(general)

    return title


def of_match(general: str, about: str) -> Callable[[Any], str]:
    """Return a title function for a question about the match of a number, or the mail's match."""

    def title(command: Any) -> str:
        return _(about).format(number=command.match) if command.match else _(general)

    return title


def always(text: str) -> Callable[[Any], str]:
    """Return a title function that always returns this text, translated."""
    return lambda _command: _(text)
