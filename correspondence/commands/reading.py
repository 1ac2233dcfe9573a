"""Parser that turns the lines of a mail into commands, one line at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from correspondence.commands.address_line import read_address, read_recover
from correspondence.commands.answer_reading import is_thanks
from correspondence.commands.arguments import (
    Reader,
    answer_reader,
    number_reader,
    read_away,
    read_cancel,
    read_challenge,
    read_counter,
    read_help,
    read_invite,
    read_join,
    read_learn,
    read_legal,
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
    Addresses,
    Back,
    Block,
    Cancel,
    Claim,
    Command,
    Decline,
    Draw,
    Exercise,
    Export,
    ForgetMe,
    Games,
    Help,
    Hint,
    History,
    InGame,
    InvalidCommand,
    Legal,
    Letters,
    NewRecoveryCode,
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
    Reopen,
    Report,
    Resign,
    ResumePlan,
    Review,
    Robots,
    Seeks,
    Show,
    ShowPlan,
    ShowSettings,
    SignIn,
    Stop,
    Takeback,
    TestLetter,
    Unblock,
    Wait,
    Write,
    Yes,
)
from correspondence.commands.conditional import begins_plan, has_list_mark, read_if, read_then, rejoin_plan_lines
from correspondence.commands.courtesy import without_courtesy
from correspondence.commands.dice_words import read_dice_words, rejoin_word_lines, split_dice_words, with_dice_words
from correspondence.commands.game_names import loose_name, read_named, read_number_after, read_said
from correspondence.commands.moderation import (
    handle_reader,
    read_mute,
    read_ratings,
    read_report,
    read_report_after_colon,
    read_unmute,
)
from correspondence.commands.pace import CommandError
from correspondence.commands.settings_line import read_settings
from correspondence.commands.typos import is_obvious_typo, is_typo
from correspondence.core.move_text import looks_like_move, normalise, resembles_move, unwrapped
from engines.wording import _

COMMAND_LINES = 10
"""Maximum number of a mail's lines that are parsed as commands."""

LINES_CHECKED = 500
"""Number of lines below those that are checked for unexecuted commands, to warn the person."""

LINE_LENGTH = 2_048
"""Maximum length of a command line, in characters; a longer line is talk."""


def parse_commands(lines: Sequence[str]) -> tuple[Command, ...]:
    """Parse the first COMMAND_LINES lines of a mail, one command per line; never raises.

    A line that is not a command becomes `Other`; an invalid command becomes `InvalidCommand`, so that the other lines
    are still executed. Parsing stops at `--` and `quit`, and at words of thanks below a line that acts.
    """
    return tuple(map(_parse, _readable(lines)[:COMMAND_LINES]))


def unread_commands(lines: Sequence[str], *, names_games: bool = False) -> tuple[str, ...]:
    """Return the unexecuted commands below the first COMMAND_LINES, to warn the writer.

    `names_games`: a number before a move is that of a game, so that such lines are commands too.

    Empty if one of the first lines takes all the text below it, as a letter to a member or a report does.
    """
    readable = _readable(lines)
    if len(readable) <= COMMAND_LINES:
        return ()
    if any(isinstance(command, Write | Report) for command in parse_commands(readable)):
        return ()
    below = readable[COMMAND_LINES : COMMAND_LINES + LINES_CHECKED]
    return tuple(line.strip() for line in below if _is_command(line, names_games=names_games))


def _is_command(line: str, *, names_games: bool) -> bool:
    loose = loose_name(line) if names_games else None
    return not isinstance(_parse(line), Other | PlanLine) or (loose is not None and loose.is_move)


def _readable(lines: Sequence[str]) -> list[str]:
    """Return the non-blank lines above the line at which parsing stops."""
    filled_lines = rejoin_plan_lines([line for line in lines if line.strip()])
    for index, line in enumerate(filled_lines):
        if _bare(normalise(line[:LINE_LENGTH])) in _END_LINES:
            return list(filled_lines[:index])
        if is_thanks(line[:LINE_LENGTH]) and any(map(_acts, filled_lines[:index][:COMMAND_LINES])):
            return list(filled_lines[:index])
    return list(filled_lines)


def _acts(line: str) -> bool:
    """Whether a line can change something: a command, a move or a bare number."""
    command = _parse(line)
    if not isinstance(command, Other):
        return True
    return (
        looks_like_move(command.line) or resembles_move(command.line) or _bare(command.line).strip("()# ").isdecimal()
    )


def _parse(line: str) -> Command:
    try:
        return replace(read_line(line), written=line.strip())
    except CommandError as error:
        return InvalidCommand(line.strip(), str(error), written=line.strip())


def read_line(line: str) -> Command:
    """Parse a whole line; return `Other` if it is not a command.

    A misspelt command word is accepted if the rest of the line fits it. Raises CommandError if the word is right but
    the rest of the line is invalid.
    """
    text = normalise(line[: LINE_LENGTH + 1])
    if len(text) > LINE_LENGTH and begins_plan(text):
        raise CommandError(_("This line of the plan is too long; please write it as several lines."))
    if has_list_mark(text):
        raise CommandError(_("Please write the lines of a plan without numbers before them."))
    if not text or len(text) > LINE_LENGTH:
        return Other(line.strip())
    contribution = read_dice_words(line) or _read_with_words(line)
    if contribution is not None:
        return contribution
    full_text, text = text, unwrapped(text)
    command_of_phrase = _PHRASES.get(_bare(text)) or _PHRASES_WITH_QUESTION_MARK.get(_bare(text.rstrip("? ")))
    if command_of_phrase:
        return command_of_phrase
    if text != full_text and looks_like_move(text):
        return Other(text)
    named = _read_named(text)
    if named is not None:
        return named
    word, _blank, rest = text.partition(" ")
    reader = _READERS.get(word.casefold()) or _READERS.get(word.casefold().rstrip(":"))
    command = reader(rest, True) if reader else _command_by_typo(word.casefold(), rest)
    return command or _read_polite(text) or Other(_without_move_word(line, word, rest))


def _read_with_words(line: str) -> Command | None:
    """Parse a command that offers or accepts a game with words for the dice; else None."""
    parts = split_dice_words(line)
    return with_dice_words(read_line(parts[0]), parts[1]) if parts is not None else None


def rejoin_dice_words(lines: Sequence[str]) -> list[str]:
    """Rejoin lines of words for the dice that a mail program has broken."""
    return rejoin_word_lines(lines, _is_talk)


def _is_talk(line: str) -> bool:
    return isinstance(_parse(line), Other) and not looks_like_move(line)


def _read_polite(text: str) -> Command | None:
    """Parse a command that ends with “please” or “thanks”; None if it is not one."""
    bare = without_courtesy(text)
    command = read_line(bare) if bare != text else None
    return None if isinstance(command, Other) else command


def _read_named(text: str) -> InGame | None:
    """Parse a line that names its game: `game 7: TEXT`, `say 7: TEXT`, `resign 7`; else None."""
    talk, ends_with = read_said(text), read_number_after(text)
    if talk is not None:
        return InGame(talk.game, talk.text)
    if ends_with is not None and isinstance(_PHRASES.get(_bare(ends_with.text)), _NAMING_GAMES):
        return InGame(ends_with.game, ends_with.text)
    begins_with = read_named(text)
    if begins_with is None:
        return None
    name, takes_any_text = begins_with
    return InGame(name.game, name.text) if takes_any_text or _is_about_game(name.text) else None


def _is_about_game(text: str) -> bool:
    """Whether the text after a game's number without a colon is empty, a move or a command."""
    if not text or looks_like_move(text) or resembles_move(text):
        return True
    try:
        return not isinstance(read_line(text), Other)
    except CommandError:
        return False


def _bare(text: str) -> str:
    return text.casefold().rstrip(".! ")


def _without_move_word(line: str, word: str, rest: str) -> str:
    name = word.casefold().rstrip(":")
    if (name in _MOVE_WORDS or is_typo(name, "move")) and looks_like_move(rest):
        return rest
    return line.strip()


def _phrases(phrases: str, command: Command) -> dict[str, Command]:
    return {phrase.strip(): command for phrase in phrases.split("|")}


_PHRASES_WITH_QUESTION_MARK = {
    **_phrases("help | aiuto | hilfe | aide | ayuda", Help()),
    **_phrases("draw, please | draw please", Draw()),
    **_phrases("draw | offer draw | offer a draw | i offer a draw | patta | remis | nulle | tablas", Draw()),
    **_phrases("takeback | take back | take-back | undo | ripresa | riprendo la mossa", Takeback()),
}
_PHRASES: dict[str, Command] = {
    **_PHRASES_WITH_QUESTION_MARK,
    **_phrases("? | commands", Help()),
    **_phrases("games | my games | partite | le mie partite | parties | mes parties | partien", Games()),
    **_phrases("meine partien | partidas | mis partidas", Games()),
    **_phrases("legal | legal moves | possible moves | mosse | mosse possibili | mosse legali", Legal()),
    **_phrases("seeks | open seeks | ricerche", Seeks()),
    **_phrases("yes | yes please | sì | si | sí | ja | oui", Yes()),
    **_phrases("no | no thanks | nein | non | no wait | no, wait | wait, no | wait no | i changed my mind", No()),
    **_phrases("no aspetta | no, aspetta | aspetta | ho cambiato idea | non farlo | don't | do not", No()),
    **_phrases("plan | plans | my plan | show plan | piano | il mio piano", ShowPlan()),
    **_phrases(
        "plan on | resume plan | resume my plan | my plan on | go on with my plan | riprendi il piano", ResumePlan()
    ),
    **_phrases("open plans | open the plans | open plan | open my plan | open the plan | apri i piani", OpenPlans()),
    **_phrases("annulla | annuler | cancelar", Cancel()),
    **_phrases("resign | i resign | i give up | abbandono | mi arrendo | aufgeben | ich gebe auf", Resign()),
    **_phrases("j'abandonne | j'abandonne la partie | me rindo | abandono", Resign()),
    **_phrases("back | i am back | i'm back | rientro | sono di ritorno", Back()),
    **_phrases("partners | compagni", Partners()),
    **_phrases("robots | the robots | list robots | robot | i robot | lista robot | elenco robot", Robots()),
    **_phrases("puzzle | rompicapo", Puzzle()),
    **_phrases("exercise | an exercise | esercizio | un esercizio", Exercise()),
    **_phrases("hint | suggerimento", Hint()),
    **_phrases("settings | my settings | impostazioni | einstellungen | réglages | ajustes", ShowSettings()),
    **_phrases("addresses | my addresses | indirizzi | i miei indirizzi", Addresses()),
    **_phrases("recovery code | new recovery code | codice di recupero", NewRecoveryCode()),
    **_phrases("stop | unsubscribe", Stop()),
    **_phrases("export | export my data | esporta", Export()),
    **_phrases("forget me | dimenticami | vergiss mich | oubliez-moi", ForgetMe()),
    **_phrases("letters | lettere", Letters()),
    **_phrases("test | test letter | send me a test letter | send a test letter | lettera di prova", TestLetter()),
    **_phrases("sign in | sign me in | signin | log in | login | accedi | accesso | entra", SignIn()),
    **_phrases("wait", Wait()),
    **_phrases("rematch | rivincita | revanche | revancha", Rematch()),
    **_phrases(
        "claim | i claim | claim the win | i claim the win | i claim on time | reclamo | reclamo la vittoria", Claim()
    ),
    **_phrases("nudge | sollecito", Nudge()),
    **_phrases("pause | accept pause | accept the pause | pausa | accetto la pausa", Pause()),
}
_READERS: dict[str, Reader] = {
    "join": read_join,
    "signup": read_join,
    "iscrivi": read_join,
    "iscrivimi": read_join,
    "unisciti": read_join,
    "register": read_join,
    "show": number_reader(Show, also="game|the game|board|the board"),
    "mostra": number_reader(Show),
    "legal": read_legal,
    "mosse": read_legal,
    "history": number_reader(History),
    "cronologia": number_reader(History),
    "record": number_reader(Record),
    "registro": number_reader(Record),
    "registrazione": number_reader(Record),
    "review": number_reader(Review),
    "parere": number_reader(Review),
    "help": read_help,
    "aiuto": read_help,
    "rules": read_rules,
    "regole": read_rules,
    "regeln": read_rules,
    "seek": read_seek,
    "cerco": read_seek,
    "challenge": read_challenge,
    "sfida": read_challenge,
    "invite": read_invite,
    "invito": read_invite,
    "accept": answer_reader(Accept),
    "accetto": answer_reader(Accept),
    "decline": answer_reader(Decline),
    "reject": answer_reader(Decline),
    "counter": read_counter,
    "controproposta": read_counter,
    "withdraw": read_withdraw,
    "ritiro": read_withdraw,
    "renew": number_reader(Renew, also="it|seek|my seek"),
    "rinnovo": number_reader(Renew, also="it|seek|my seek"),
    "reopen": number_reader(Reopen, also="it|challenge|the challenge|invitation|the invitation"),
    "riapri": number_reader(Reopen, also="la sfida|sfida|l'invito"),
    "rematch": number_reader(Rematch),
    "rivincita": number_reader(Rematch),
    "write": read_write,
    "scrivi": read_write,
    "rifiuto": answer_reader(Decline),
    "away": read_away,
    "assente": read_away,
    "pause": read_pause,
    "pausa": read_pause,
    "preview": read_preview,
    "anteprima": read_preview,
    "exercise": number_reader(Exercise),
    "esercizio": number_reader(Exercise),
    "learn": read_learn,
    "impara": read_learn,
    "imparo": read_learn,
    "puzzle": read_puzzle,
    "rompicapo": read_puzzle,
    "if": read_if,
    "then": read_then,
    "ratings": read_ratings,
    "rating": read_ratings,
    "block": handle_reader(Block, "block bob7"),
    "blocca": handle_reader(Block, "block bob7"),
    "unblock": handle_reader(Unblock, "unblock bob7"),
    "sblocca": handle_reader(Unblock, "unblock bob7"),
    "mute": read_mute,
    "silenzia": read_mute,
    "unmute": read_unmute,
    "riascolta": read_unmute,
    "report": read_report,
    "segnala": read_report,
    "report:": read_report_after_colon,
    "cancel": read_cancel,
    "annulla": read_cancel,
    "recover": read_recover,
    "recupera": read_recover,
    "address": read_address,
    "indirizzo": read_address,
    "settings": read_settings,
    "setting": read_settings,
    "impostazioni": read_settings,
    "imposta": read_settings,
}
_END_LINES = frozenset({"--", "quit"})
_NAMING_GAMES = (Claim, Draw, Hint, Nudge, OpenPlans, Resign, ResumePlan, ShowPlan, Takeback)
"""Commands whose number is that of a game."""

_MOVE_WORDS = frozenset({"move", "mossa", "zug", "coup", "jugada"})


def _command_by_typo(word: str, rest: str) -> Command | None:
    """Return the only command of which `word` is a typo and that `rest` fits; else None."""
    if not 4 <= len(word) <= 15 or not word.isalpha():
        return None
    candidates = {
        command
        for name, reader in _READERS.items()
        if len(name) > 3 and is_typo(word, name) and (rest or is_obvious_typo(word, name))
        for command in [reader(rest, name == "join" and sorted(word) == sorted(name))]
        if command
    }
    if not rest:
        candidates |= {command for name, command in _PHRASES.items() if len(name) > 3 and is_obvious_typo(word, name)}
    return candidates.pop() if len(candidates) == 1 else None
