"""Lines of a mail, one by one, as commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from correspondence.commands.arguments import (
    Reader,
    numbered,
    read_away,
    read_cancel,
    read_challenge,
    read_counter,
    read_invite,
    read_join,
    read_pause,
    read_preview,
    read_puzzle,
    read_rules,
    read_seek,
    read_withdraw,
    read_write,
)
from correspondence.commands.command_types import (
    Accept,
    Back,
    Block,
    Cancel,
    Claim,
    Command,
    Decline,
    Draw,
    Export,
    ForgetMe,
    Games,
    Help,
    Hint,
    History,
    Letters,
    Mistaken,
    No,
    Nudge,
    OpenPlans,
    Other,
    Partners,
    Pause,
    PlanLine,
    Puzzle,
    Record,
    Rematch,
    Renew,
    Report,
    Resign,
    ResumePlan,
    Seeks,
    Settings,
    Show,
    ShowPlan,
    Stop,
    Takeback,
    TestLetter,
    Unblock,
    Wait,
    Write,
    Yes,
)
from correspondence.commands.conditional import begins_plan, is_listed, read_if, read_then, unbroken
from correspondence.commands.mail_settings import read_settings
from correspondence.commands.moderation import (
    named,
    read_mute,
    read_ratings,
    read_report,
    read_report_after_colon,
    read_unmute,
)
from correspondence.commands.pace import CommandError
from correspondence.commands.typos import is_plain_slip, is_slip
from correspondence.core.move_text import looks_like_move, normalise, undressed
from engines.wording import _

COMMAND_LINES = 10
"""Lines that a person wrote in which commands are looked for."""

LINES_LOOKED_AT = 500
"""Lines below those in which it is still noticed that they are commands which were not read."""

LINE_LENGTH = 2_048
"""Characters of a line that can be a command; a longer one is talk."""


def commands_of(lines: Sequence[str]) -> tuple[Command, ...]:
    """The commands in the first ten lines that a person wrote, one to a line; never raises.

    Lines that are none are `Other`; one that is meant as a command and cannot be one is
    `Mistaken`, so that the rest is not lost with it. Reading stops at `--`, `quit` and thanks.
    """
    return tuple(map(_understood, _readable(lines)[:COMMAND_LINES]))


def left_over(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines below the first ten that are commands, as written: nobody reads them, so their writer must be told.

    None where one of the first ten takes all below it as its words, as a letter to a member or a report does.
    """
    readable = _readable(lines)
    if len(readable) <= COMMAND_LINES:
        return ()
    if any(isinstance(command, Write | Report) for command in commands_of(readable)):
        return ()
    rest = readable[COMMAND_LINES : COMMAND_LINES + LINES_LOOKED_AT]
    return tuple(line.strip() for line in rest if not isinstance(_understood(line), Other | PlanLine))


def _readable(lines: Sequence[str]) -> list[str]:
    """The lines with anything on them, down to the one at which reading stops."""
    filled = unbroken([line for line in lines if line.strip()])
    ends = (at for at, line in enumerate(filled) if _bare(normalise(line[:LINE_LENGTH])) in _ENDS)
    return list(filled[: next(ends, len(filled))])


def _understood(line: str) -> Command:
    try:
        return replace(read_line(line), written=line.strip())
    except CommandError as error:
        return Mistaken(line.strip(), str(error), written=line.strip())


def read_line(line: str) -> Command:
    """The command that `line` is as a whole; `Other` if it is none.

    A misspelt command word is understood where the rest of the line fits it. Raises
    CommandError where the word is right and the rest cannot be meant.
    """
    text = normalise(line[: LINE_LENGTH + 1])
    if len(text) > LINE_LENGTH and begins_plan(text):
        raise CommandError(_("This line of a plan is too long; please write it as several lines."))
    if is_listed(text):
        raise CommandError(_("Please write the lines of a plan without numbers before them."))
    if not text or len(text) > LINE_LENGTH:
        return Other(line.strip())
    dressed, text = text, undressed(text)
    whole = _WHOLE.get(_bare(text)) or _ASKED.get(_bare(text.rstrip("? ")))
    if whole:
        return whole
    if text != dressed and looks_like_move(text):
        return Other(text)
    word, _blank, rest = text.partition(" ")
    reader = _READERS.get(word.casefold()) or _READERS.get(word.casefold().rstrip(":"))
    command = reader(rest, True) if reader else _near(word.casefold(), rest)
    return command or Other(_without_move_word(line, word, rest))


def _bare(text: str) -> str:
    return text.casefold().rstrip(".! ")


def _without_move_word(line: str, word: str, rest: str) -> str:
    name = word.casefold().rstrip(":")
    if (name in _MOVE_WORDS or is_slip(name, "move")) and looks_like_move(rest):
        return rest
    return line.strip()


def _phrases(listed: str, command: Command) -> dict[str, Command]:
    return {phrase.strip(): command for phrase in listed.split("|")}


_ASKED = {
    **_phrases("help | aiuto | hilfe | aide | ayuda", Help()),
    **_phrases("draw, please | draw please", Draw()),
    **_phrases("draw | offer draw | offer a draw | i offer a draw | patta | remis | nulle | tablas", Draw()),
    **_phrases("takeback | take back | take-back | undo", Takeback()),
}
_WHOLE: dict[str, Command] = {
    **_ASKED,
    **_phrases("? | commands", Help()),
    **_phrases("games | my games | partite | le mie partite | parties | mes parties | partien", Games()),
    **_phrases("meine partien | partidas | mis partidas", Games()),
    **_phrases("seeks | open seeks", Seeks()),
    **_phrases("yes | yes please | sì | si | sí | ja | oui", Yes()),
    **_phrases("no | no thanks | nein | non", No()),
    **_phrases("plan | plans | my plan | show plan | piano", ShowPlan()),
    **_phrases("plan on | resume plan | resume my plan | my plan on | go on with my plan", ResumePlan()),
    **_phrases("open plans | open the plans | open plan | open my plan | open the plan", OpenPlans()),
    **_phrases("annulla | annuler | cancelar", Cancel()),
    **_phrases("resign | i resign | i give up | abbandono | mi arrendo | aufgeben | ich gebe auf", Resign()),
    **_phrases("j'abandonne | j'abandonne la partie | me rindo | abandono", Resign()),
    **_phrases("back | i am back | i'm back", Back()),
    **_phrases("partners | compagni", Partners()),
    **_phrases("puzzle", Puzzle()),
    **_phrases("hint | suggerimento", Hint()),
    **_phrases("settings | my settings | impostazioni | einstellungen | réglages | ajustes", Settings()),
    **_phrases("stop | unsubscribe", Stop()),
    **_phrases("export | export my data", Export()),
    **_phrases("forget me | dimenticami | vergiss mich | oubliez-moi", ForgetMe()),
    **_phrases("letters", Letters()),
    **_phrases("test | test letter | send me a test letter | send a test letter | lettera di prova", TestLetter()),
    **_phrases("wait", Wait()),
    **_phrases("rematch | rivincita | revanche | revancha", Rematch()),
    **_phrases("claim | i claim | claim the win | i claim the win | i claim on time", Claim()),
    **_phrases("nudge", Nudge()),
    **_phrases("pause | accept pause | accept the pause", Pause()),
}
_READERS: dict[str, Reader] = {
    "join": read_join,
    "signup": read_join,
    "register": read_join,
    "show": numbered(Show, also="game|the game|board|the board"),
    "mostra": numbered(Show),
    "history": numbered(History),
    "record": numbered(Record),
    "rules": read_rules,
    "regole": read_rules,
    "regeln": read_rules,
    "seek": read_seek,
    "cerco": read_seek,
    "challenge": read_challenge,
    "sfida": read_challenge,
    "invite": read_invite,
    "accept": numbered(Accept, also="draw|the draw|challenge|the challenge|takeback"),
    "accetto": numbered(Accept),
    "decline": numbered(Decline, also="draw|the draw|challenge|the challenge|takeback|pause|the pause"),
    "reject": numbered(Decline),
    "counter": read_counter,
    "withdraw": read_withdraw,
    "renew": numbered(Renew, also="it|seek|my seek"),
    "rematch": numbered(Rematch),
    "write": read_write,
    "rifiuto": numbered(Decline),
    "away": read_away,
    "pause": read_pause,
    "preview": read_preview,
    "puzzle": read_puzzle,
    "if": read_if,
    "then": read_then,
    "ratings": read_ratings,
    "block": named(Block, "block bob7"),
    "unblock": named(Unblock, "unblock bob7"),
    "mute": read_mute,
    "unmute": read_unmute,
    "report": read_report,
    "report:": read_report_after_colon,
    "cancel": read_cancel,
    "annulla": read_cancel,
    "settings": read_settings,
}
_ENDS = frozenset({"--", "quit", "thanks", "thank you", "many thanks", "grazie", "danke", "merci", "gracias"})
_MOVE_WORDS = frozenset({"move", "mossa", "zug", "coup", "jugada"})


def _near(word: str, rest: str) -> Command | None:
    """The one command of which `word` is a slip and which `rest` fits; None if there is none, or several."""
    if not 4 <= len(word) <= 15 or not word.isalpha():
        return None
    found = {
        command
        for name, reader in _READERS.items()
        if len(name) > 3 and is_slip(word, name) and (rest or is_plain_slip(word, name))
        for command in [reader(rest, name == "join" and sorted(word) == sorted(name))]
        if command
    }
    if not rest:
        found |= {whole for name, whole in _WHOLE.items() if len(name) > 3 and is_plain_slip(word, name)}
    return found.pop() if len(found) == 1 else None
