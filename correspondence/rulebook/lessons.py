"""Rules by mail: all of a game's rules, one part, or one option, with their diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from correspondence.rulebook.blocks import RulesBlock
from correspondence.rulebook.names import plain_words
from correspondence.rulebook.pages import blocks_of
from engines.base import Game
from engines.options import choices_of
from engines.refusal import Refusal
from engines.wording import _, listing

MOST_DIAGRAMS = 6
"""Maximum number of diagrams in a letter with all rules of a game.

A letter about one part shows all of its diagrams.
"""

ALL_OPTIONS = "options"
"""The name of the part on options, whatever the title of that section."""


class UnknownPart(Refusal):
    """Raised for an unknown part of the rules; str() lists the existing ones."""


@dataclass(frozen=True, slots=True)
class RulesPart:
    """A part of a game's rules: its blocks and the names of other parts; "" for all rules."""

    game: Game
    part: str
    blocks: tuple[RulesBlock, ...]
    sections: Mapping[str, str]
    options: tuple[str, ...]


def lesson(game: Game, words: str, language: str) -> RulesPart:
    """Return the part of the rules named by `words`, or all rules if empty; raise UnknownPart."""
    blocks = blocks_of(game.key, language)
    options = tuple(choice.name for choice in choices_of(game.Options))
    sections = {block.name: block.text for block in blocks if block.kind == "section" and block.name}
    part = _part(game, words, sections, options) if words.strip() else ""
    chosen = _about(blocks, part, options) if part else _with_few_diagrams(blocks)
    return RulesPart(game, part, tuple(chosen), sections, options)


def parts(sections: Iterable[str], options: Iterable[str]) -> tuple[str, ...]:
    """Return every part name that may follow the name of a game."""
    names = tuple(options)
    return tuple(dict.fromkeys([*sections, *([ALL_OPTIONS] if names else []), *names]))


def _part(game: Game, words: str, sections: Mapping[str, str], options: Sequence[str]) -> str:
    """Find a section or option by name, title or option value."""
    known = _values(game)
    known |= {plain_words(title): anchor for anchor, title in sections.items()}
    known |= {plain_words(_(word)): name for name, word in game.presentation.options.items()}
    known |= {plain_words(_("notation")): "notation", plain_words(_("options")): ALL_OPTIONS}
    known |= {plain_words(name): name for name in (*sections, *options, ALL_OPTIONS)}
    wanted = plain_words(words.partition("=")[0]).removeprefix("the ").removeprefix("option ")
    if wanted in known:
        return known[wanted]
    raise UnknownPart(_no_such_part(game, words, get_close_matches(wanted, known, n=1, cutoff=0.6), sections, options))


def _values(game: Game) -> dict[str, str]:
    """Map option values to their option, if they are words and belong to one option only."""
    found: dict[str, list[str]] = {}
    for choice in choices_of(game.Options):
        for value in choice.values:
            if value not in ("yes", "no", "none") and not value.isdecimal():
                found.setdefault(plain_words(value), []).append(choice.name)
    return {value: names[0] for value, names in found.items() if len(names) == 1}


def _no_such_part(
    game: Game, words: str, near: Sequence[str], sections: Mapping[str, str], options: Sequence[str]
) -> str:
    sentence = _("The rules of {game} have no part “{part}”.").format(
        game=_(game.name), part=" ".join(words.split())[:40]
    )
    if near:
        sentence += " " + _("Did you mean “{near}”?").format(near=near[0])
    return f"{sentence} " + _("You can write rules {key} and one of these: {parts}.").format(
        key=game.key, parts=listing(parts(sections, options))
    )


def _about(blocks: Sequence[RulesBlock], part: str, options: Sequence[str]) -> list[RulesBlock]:
    """Return the blocks of one section, of one option, or of all options."""
    found = _of_section(blocks, part)
    if part in options:
        return [*found, *_of_options(blocks, (part,))] or _of_section(blocks, ALL_OPTIONS)
    return found or _of_options(blocks, options)


def _of_section(blocks: Sequence[RulesBlock], anchor: str) -> list[RulesBlock]:
    found, is_inside = [], False
    for block in blocks:
        if block.kind == "section":
            is_inside = block.name == anchor
        if is_inside:
            found.append(block)
    return found


def _of_options(blocks: Sequence[RulesBlock], names: Sequence[str]) -> list[RulesBlock]:
    found, is_inside = [], False
    for block in blocks:
        if block.kind in ("section", "heading", "option"):
            is_inside = block.kind == "option" and block.name.partition("=")[0] in names
        if is_inside:
            found.append(block)
    return found


def _with_few_diagrams(blocks: Sequence[RulesBlock]) -> list[RulesBlock]:
    """Keep at most MOST_DIAGRAMS diagrams: first one of every section, then the second ones."""
    ranked: list[tuple[int, int]] = []
    rank = 0
    for at, block in enumerate(blocks):
        rank = 0 if block.kind == "section" else rank
        if block.kind == "diagram":
            ranked.append((rank, at))
            rank += 1
    kept = {at for _rank, at in sorted(ranked)[:MOST_DIAGRAMS]}
    return [block for at, block in enumerate(blocks) if block.kind != "diagram" or at in kept]
