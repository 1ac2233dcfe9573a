"""Answers about rules: a whole game, a part, an option, or the list of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent

from markupsafe import escape

from correspondence.outbound.letters import wrapped, wrapped_behind
from correspondence.outbound.transcript import PageBlock, TranscriptEntry
from correspondence.rulebook.blocks import RulesBlock
from correspondence.rulebook.chapters import CHAPTERS
from correspondence.rulebook.drawing import drawn, scene_of
from correspondence.rulebook.fairness import fairness_blocks, means_fairness
from correspondence.rulebook.lessons import ALL_OPTIONS, RulesPart, lesson
from correspondence.rulebook.names import UnknownName, game_named, games_with_option
from engines import GAMES, text
from engines.base import Game
from engines.options import choices_of
from engines.wording import _, listing

DIAGRAM_WIDTH, WIDE_DIAGRAM = 200, 420
"""Width of a diagram, in CSS pixels; the second is for diagrams much wider than high."""

_FLAT = 1.3


def rules(name: str | None, part: str, language: str, *, current: Game | None = None) -> TranscriptEntry:
    """Teach a game or a part of its rules; list the games if none is named.

    `current`, the game of the letter that is answered, is the default. The name of an option also selects its
    game if only one game has it. Raises UnknownName or UnknownPart.
    """
    if name is not None and means_fairness(f"{name} {part}"):
        return _fairness(language)
    if name is None:
        return _all_games() if current is None else _taught(lesson(current, "", language), language)
    game, words = _meant(name, part, current)
    return _taught(lesson(game, words, language), language)


def one_page_each(entries: Sequence[TranscriptEntry]) -> list[TranscriptEntry]:
    """Keep only the first page of rules in a letter, and replace others by a hint."""
    result, has_page = [], False
    for entry in entries:
        result.append(_page_left_out(entry) if entry.page and has_page else entry)
        has_page = has_page or bool(entry.page)
    return result


def _page_left_out(entry: TranscriptEntry) -> TranscriptEntry:
    sentence = _("{title}: this page fills a letter of its own. Please ask for it in another mail.")
    return TranscriptEntry(entry.line, sentence.format(title=entry.text.partition("\n")[0]))


def _meant(name: str, part: str, current: Game | None) -> tuple[Game, str]:
    """Return the game that a line names, and the part of its rules. Raises UnknownName."""
    try:
        return GAMES[game_named(name)], part
    except UnknownName:
        having = games_with_option(name)
        if part or (current is None and len(having) != 1):
            raise
        return current or GAMES[having[0]], name


def _all_games() -> TranscriptEntry:
    """List the games, each with a sentence and the line that teaches it."""
    lines = [
        wrapped_behind(f"{game.key} – {_(game.name)}. {_(game.presentation.pitch)}", "· ", "| ")
        for game in GAMES.values()
    ]
    lines.append(wrapped_behind(_("fairness – how chance in all of them can be verified"), "· ", "| "))
    head = _("These games are played here. To learn one, write rules and its name, for example: rules {key}")
    return TranscriptEntry("", head.format(key=next(iter(GAMES))), block="\n\n".join(lines))


def _taught(one: RulesPart, language: str) -> TranscriptEntry:
    """Format a lesson as a letter entry: plain text, and blocks with pictures for the HTML part."""
    found = (_page_block(one, block, language) for block in one.blocks)
    blocks = tuple(block for block in found if block is not None)
    more = _what_else(one)
    page = (*_option_facts(one), *blocks, *more)
    title = _("The rules of {game}").format(game=_(one.game.name))
    return TranscriptEntry("", title, block="\n\n".join(_text_of(block) for block in page), page=page)


def _page_block(one: RulesPart, block: RulesBlock, language: str) -> PageBlock | None:
    """Format a block for a letter; None for a diagram that its game cannot draw."""
    if block.kind != "diagram":
        return PageBlock(block.kind, block.text, block.markup)
    diagram = CHAPTERS[one.game.key].diagram(block.name)
    picture = drawn(one.game.key, diagram, language) if diagram is not None else None
    if diagram is None or picture is None:
        return None
    width = WIDE_DIAGRAM if picture.width > _FLAT * picture.height else DIAGRAM_WIDTH
    return PageBlock(
        "diagram",
        _(diagram.caption),
        picture=picture.sized(width),
        alt=picture.alt,
        width=width,
        board=text.render(scene_of(one.game.key, diagram)),
    )


def _fairness(language: str) -> TranscriptEntry:
    """Explain proofs of dice and records, with a worked example."""
    blocks = tuple(PageBlock(block.kind, block.text, block.markup) for block in fairness_blocks(language))
    page = (*blocks, _page_link("/help/fairness"))
    title = _("Fair chance, and records that can be verified")
    return TranscriptEntry("", title, block="\n\n".join(_text_of(block) for block in page), page=page)


def _page_link(path: str) -> PageBlock:
    words, link = _("The page:"), f"%%base%%{path}"
    return PageBlock("paragraph", f"{words} {link}", f'{escape(words)} <a href="{link}">{link}</a>')


def _option_facts(one: RulesPart) -> Iterator[PageBlock]:
    """List the values of an option and how to choose them."""
    for choice in choices_of(one.game.Options):
        if choice.name == one.part:
            sentence = _("{name} can be {values}; the default is {usual}. Choose it in a challenge or a seek: {line}")
            other = next((value for value in choice.values if value != choice.default), choice.default)
            line = f"seek {one.game.key} {choice.name}={other}"
            words = sentence.format(name=choice.name, values=listing(choice.values), usual=choice.default, line=line)
            yield PageBlock("paragraph", words, "")


def _what_else(one: RulesPart) -> Iterator[PageBlock]:
    """List the remaining parts to ask for, with a link to the page."""
    key = one.game.key
    yield PageBlock("section", _("To read more"), "")
    if one.part:
        yield PageBlock("paragraph", _("All the rules, in a letter: rules {key}").format(key=key), "")
    else:
        yield PageBlock("paragraph", _("About one part, with all its pictures, write rules {key} and:").format(key=key))
        for name, title in one.sections.items():
            yield PageBlock("item", f"{name} – {title}")
        if one.options:
            words = _("or an option")
            names = listing([ALL_OPTIONS, *one.options], _("or"))
            yield PageBlock("item", f"{names} – {words}")
    page, link = _("The page, with every picture:"), f"%%base%%/rules/{key}"
    yield PageBlock("paragraph", f"{page} {link}", f'{escape(page)} <a href="{link}">{link}</a>')


def _text_of(block: PageBlock) -> str:
    """Format a block as text lines that cannot be parsed as moves or commands."""
    if block.kind == "section":
        return f"== {block.text} =="
    if block.kind in ("option", "heading"):
        return f"-- {block.text} --"
    if block.kind == "code":
        return indent(block.text, "    ")
    if block.kind in ("item", "row", "example"):
        return wrapped_behind(block.text, "· ", "| ")
    if block.kind == "diagram":
        board = "\n".join(f"  {line}".rstrip() for line in block.board.splitlines())
        return f"{board}\n\n{wrapped_behind(block.text, '| ')}"
    return wrapped(block.text, 70)
