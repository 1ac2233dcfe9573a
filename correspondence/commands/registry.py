"""Registry of commands: one declaration for each, from which reading, authority, help and execution derive.

The commands of the core are declared by the modules of `handlers`, beside the functions that carry them out; a feature
declares its own (`Feature.commands`). Help pages show the lines of all declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from correspondence.commands.command_types import Command

Reader = Callable[[str, bool], Command | None]
"""Parses the rest of a line; the flag says whether the command word was spelt correctly."""


class Need(StrEnum):
    """The authority that a command needs."""

    NOTHING = "nothing"
    """Read-only: the answer goes to the registered address."""
    GAME = "game"
    """Acts on a game, which only the reply address of a game letter identifies."""
    YES = "yes"
    """Changes something: with only a From line it is proposed and must be confirmed."""


class HelpLine(NamedTuple):
    """A line of a help page: an example, with an explanation; `place` orders the lines of a page."""

    topic: str
    place: int
    example: str
    explanation: str


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Everything that the service knows about one command.

    Phrases and words are separated by `|`, in every language that has some.
    """

    kind: type[Command]
    phrases: str = ""
    """Whole lines that are the command without arguments."""
    questions: str = ""
    """Such lines that may also end with a question mark."""
    readers: Mapping[str, Reader] = field(default_factory=dict)
    """Parsers of the rest of a line, by the words that it may begin with."""
    need: Need
    argument: str = ""
    """The field without which the command needs `need_without` instead."""
    need_without: Need | None = None
    missing: Callable[[], str] | None = None
    """Refuses the command without its argument, outside of a reply to a game letter."""
    is_of_one_game: bool = False
    """Is about one game, and has no number of its own."""
    names_game: bool = False
    """Has a field `match`, which the number of a named game fills."""
    acts_on_game: bool = False
    """Acts on a game as a move does; a mail may hold only one such line."""
    is_irreversible: bool = False
    """Takes effect at once and cannot be undone, so a forged From line refuses it despite a token."""
    changes_access: bool = False
    """Changes addresses or sign-in, for which a game letter's token is not enough."""
    handler: Callable[[Any, Any, Any], Any] | None = None
    """Executes the command (`handlers.context.Handler`); None if the whole mail decides what it does."""
    stranger: Callable[[Any, str, frozenset[str]], Any] | None = None
    """Answers somebody who has not joined, in a language, without some features."""
    title: Callable[[Any], str] | None = None
    """Subject of the answer to a question (`subjects`)."""
    topic: str = ""
    """The help page about the command, found by each of its words."""
    help: tuple[HelpLine, ...] = ()
    feature: str = ""
    """The feature that declared it; empty for the core."""

    def need_of(self, command: Command) -> Need:
        """Return the authority that this very command needs."""
        if self.need_without is not None and getattr(command, self.argument) in (None, ""):
            return self.need_without
        return self.need

    def about(self, command: Any, number: int) -> Command:
        """Return the command with the number of a game filled in, if it takes one and has none."""
        filled: Command = replace(command, match=number) if self.names_game and command.match is None else command
        return filled


@dataclass(frozen=True, slots=True)
class _Tables:
    """What lines are read by, derived from all declarations."""

    phrases: Mapping[str, Command]
    questions: Mapping[str, Command]
    readers: Mapping[str, Reader]


_declared: dict[type[Command], Declaration] = {}


def declare(*declarations: Declaration, feature: str = "") -> None:
    """Add commands. Raises ValueError if a word or a class is declared already."""
    for declaration in declarations:
        taken = _words(declaration) & {word for one in _declared.values() for word in _words(one)}
        if taken or declaration.kind in _declared:
            raise ValueError(f"{declaration.kind.__name__} is declared twice, or its words: {sorted(taken)}")
        _declared[declaration.kind] = replace(declaration, feature=feature)
    tables.cache_clear()


def declarations() -> Mapping[type[Command], Declaration]:
    """Return all declarations by class; the first call imports those of the core."""
    _load()
    return MappingProxyType(_declared)


def of(command: Command) -> Declaration:
    """Return the declaration of a command."""
    return declarations()[type(command)]


def name_of(command: Command) -> str:
    """Return the name of a command for logs, from its class: `ReviewCommand` and `Review` are “review”."""
    return type(command).__name__.removesuffix("Command").lower()


@cache
def tables() -> _Tables:
    """Return what lines are read by."""
    known = declarations().values()
    questions = {phrase: one.kind() for one in known for phrase in split(one.questions)}
    phrases = {phrase: one.kind() for one in known for phrase in split(one.phrases)}
    readers = {word: reader for one in known for words, reader in one.readers.items() for word in split(words)}
    return _Tables({**questions, **phrases}, questions, readers)


def split(words: str) -> list[str]:
    """Split words or phrases at `|`."""
    return [word.strip() for word in words.split("|") if word.strip()]


def first_words(declaration: Declaration) -> list[str]:
    """Return the single words with which a command begins or which are the command, at least three letters long."""
    phrases = [*split(declaration.questions), *split(declaration.phrases)]
    words = [word for words in declaration.readers for word in split(words)]
    return [word for word in (*words, *phrases) if word.isalpha() and len(word) > 2]


def _words(declaration: Declaration) -> set[tuple[str, str]]:
    """Return the phrases and the first words of a command, marked as such; one word may be both."""
    phrases = {("phrase", phrase) for phrase in (*split(declaration.questions), *split(declaration.phrases))}
    return phrases | {("word", word) for words in declaration.readers for word in split(words)}


@cache
def _load() -> None:
    """Import the modules that declare the commands of the core; they import this one."""
    import_module("correspondence.commands.handlers")
