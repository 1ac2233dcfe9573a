"""The words people write, one command to a line, as values; pure, and the same for mail and pages.

A line is a command only as a whole: “I resign myself to losing” is talk, and so is any
sentence that merely begins well. What is no command comes back as `Other`: a move or talk,
which `looks_like_move` tells apart. Words are the same in every language; some have aliases.

Left out: whether the person may do it, and whether that match, handle or game exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches

from engines.wording import _

COMMAND_LINES = 10
"""Lines that a person wrote in which commands are looked for."""

LINE_LENGTH = 2_048
"""Characters of a line that can be a command; a longer one is talk."""

LONGEST_PACE = timedelta(days=365)
"""What no part of a pace may exceed."""

LONGEST_ABSENCE = 90
"""Days for which one may be away."""

GAME_KEYS = ("proteus-dice", "proteus-tiles", "duel", "duel-puzzle", "plateau")
"""Keys of games: with one of these a misspelt command word is still understood."""

Options = tuple[tuple[str, str], ...]
"""The `name=value` pairs of a line, in order."""


class CommandError(ValueError):
    """A line that is meant as a command and cannot be carried out; str() is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast to play: after each move the bank is what is left plus `increment`, at most `cap`."""

    bank: timedelta
    increment: timedelta
    cap: timedelta


@dataclass(frozen=True, slots=True)
class Command:
    """A line, understood."""


@dataclass(frozen=True, slots=True)
class Other(Command):
    """A line that is no command, without a leading “move”: it may be a move or talk."""

    line: str


@dataclass(frozen=True, slots=True)
class Mistaken(Command):
    """A line that is meant as a command and cannot be carried out; `sentence` says why."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Help(Command):
    """Explain what can be written."""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Become a member under this handle."""

    handle: str


@dataclass(frozen=True, slots=True)
class Games(Command):
    """List my games."""


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Show a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class History(Command):
    """Tell the moves of a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Record(Command):
    """Send the record of a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Rules(Command):
    """Send the rules of a game; None is the game of the match that the mail answers."""

    key: str | None = None


@dataclass(frozen=True, slots=True)
class SeekPartner(Command):
    """Look for anybody to play with; None is the usual pace."""

    key: str
    options: Options = ()
    pace: Pace | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Seeks(Command):
    """List who is looking for a partner."""


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """Ask a member to play; None is the usual pace."""

    handle: str
    key: str
    options: Options = ()
    pace: Pace | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Ask somebody who is no member yet, by mail address; None is the usual pace."""

    address: str
    key: str
    options: Options = ()
    pace: Pace | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Accept(Command):
    """Accept an offer; None is the one that the mail answers."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline an offer; None is the one that the mail answers."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Yes(Command):
    """Confirm what was asked."""


@dataclass(frozen=True, slots=True)
class No(Command):
    """Deny what was asked."""


@dataclass(frozen=True, slots=True)
class PlanLine(Command):
    """Conditional moves: `if MOVE then MOVE; …`, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowPlan(Command):
    """Show my conditional moves."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Drop my conditional moves."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """Show the position after these moves, as written, and play none of them."""

    moves: str


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Offer or accept a draw."""


@dataclass(frozen=True, slots=True)
class Takeback(Command):
    """Ask for my last move back."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Give the match up."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """Be absent for so many days."""

    days: int


@dataclass(frozen=True, slots=True)
class Back(Command):
    """End my absence."""


@dataclass(frozen=True, slots=True)
class Partners(Command):
    """List the members who want to play."""


@dataclass(frozen=True, slots=True)
class Puzzle(Command):
    """Send a puzzle."""


@dataclass(frozen=True, slots=True)
class Settings(Command):
    """Show my settings."""


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """Send me no more letters."""


@dataclass(frozen=True, slots=True)
class Export(Command):
    """Send me everything that is kept about me."""


@dataclass(frozen=True, slots=True)
class ForgetMe(Command):
    """Erase me."""


@dataclass(frozen=True, slots=True)
class Letters(Command):
    """Tell what happened to the letters of a match."""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """Undo the move that is not final yet."""


def commands_of(lines: Sequence[str]) -> tuple[Command, ...]:
    """The commands in the first ten lines that a person wrote, one to a line; never raises.

    Lines that are none are `Other`; one that is meant as a command and cannot be one is
    `Mistaken`, so that the rest is not lost with it. Reading stops at `--`, `quit` and thanks.
    """
    commands: list[Command] = []
    for line in [line for line in lines if line.strip()][:COMMAND_LINES]:
        if _bare(normalise(line[:LINE_LENGTH])) in _ENDS:
            break
        commands.append(_understood(line))
    return tuple(commands)


def _understood(line: str) -> Command:
    try:
        return read_line(line)
    except CommandError as error:
        return Mistaken(line.strip(), str(error))


def read_line(line: str) -> Command:
    """The command that `line` is as a whole; `Other` if it is none.

    A misspelt command word is understood where the rest of the line fits it. Raises
    CommandError where the word is right and the rest cannot be meant.
    """
    text = normalise(line[: LINE_LENGTH + 1])
    if not text or len(text) > LINE_LENGTH:
        return Other(line.strip())
    whole = _WHOLE.get(_bare(text)) or _ASKED.get(_bare(text.rstrip("? ")))
    if whole:
        return whole
    word, _blank, rest = text.partition(" ")
    reader = _READERS.get(word.casefold())
    command = reader(rest, True) if reader else _near(word.casefold(), rest)
    return command or Other(_without_move_word(line, word, rest))


def _bare(text: str) -> str:
    return text.casefold().rstrip(".! ")


def _without_move_word(line: str, word: str, rest: str) -> str:
    name = word.casefold().rstrip(":")
    if (name in _MOVE_WORDS or _is_slip(name, "move")) and looks_like_move(rest):
        return rest
    return line.strip()


# --- arguments --------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(?:(?:game|match|number|challenge|offer|seek|draw|the draw) ?)?#?([0-9]{1,9})\.?")
_HANDLE = re.compile(r"""[^\s@<>"',;:=?!]{1,40}""")
_KEY = re.compile(r"[a-z][a-z0-9-]{2,29}")
_ADDRESS = re.compile(r"[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,255}")
_OPTION = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)=(\S+)")

_Reader = Callable[[str, bool], Command | None]


def _numbered(kind: Callable[[int | None], Command], *, also: str = "") -> _Reader:
    """A reader of commands that may name a match or an offer; `also` are words that name it as well."""

    def read(rest: str, sure: bool) -> Command | None:
        if not rest or rest.casefold() in also.split("|"):
            return kind(None)
        number = _NUMBER.fullmatch(rest.casefold())
        return kind(int(number[1])) if number else None

    return read


def _read_join(rest: str, sure: bool) -> Command | None:
    handle = rest.removeprefix("as ").rstrip(".! ")
    if _HANDLE.fullmatch(handle):
        return Join(handle) if sure else None
    return _lacking(rest, sure, _("Say which name you want, for example: join ann7"))


def _read_rules(rest: str, sure: bool) -> Command | None:
    key = rest.casefold().rstrip(".!? ").replace(" ", "-")
    if not key and sure:
        return Rules()
    fits = key in GAME_KEYS or (sure and " " not in rest and _KEY.fullmatch(key))
    return Rules(key) if fits else None


def _read_seek(rest: str, sure: bool) -> Command | None:
    key, words = _key_and_words(rest)
    if not key:
        return _lacking(rest, sure, _("Say which game you want to play, for example: seek plateau 3 days"))
    terms = _terms(words, sure and _is_known(key))
    return SeekPartner(key, *terms) if terms and (sure or _is_known(key)) else None


def _read_challenge(rest: str, sure: bool) -> Command | None:
    handle, _blank, more = rest.partition(" ")
    key, words = _key_and_words(more)
    if not key:
        return _lacking(
            more, sure, _("Say whom you challenge, and to which game, for example: challenge ann duel")
        )
    if not _HANDLE.fullmatch(handle) or not (sure or _is_known(key)):
        return None
    terms = _terms(words, _is_known(key))
    return Challenge(handle, key, *terms) if terms else None


def _read_invite(rest: str, sure: bool) -> Command | None:
    address, _blank, more = rest.partition(" ")
    address = address.removeprefix("mailto:").strip("<>")
    if rest and not _ADDRESS.fullmatch(address):
        return None
    key, words = _key_and_words(more)
    if not key:
        return _lacking(
            more, sure, _("Say whom you invite, and to which game, for example: invite ann@example.org duel")
        )
    terms = _terms(words, sure)
    return Invite(address, key, *terms) if terms and (_is_known(key) or sure) else None


def _read_away(rest: str, sure: bool) -> Command | None:
    if not rest:
        return _lacking(rest, sure, _("Say for how many days, for example: away 5 days"))
    found = _ABSENCE.fullmatch(rest.casefold().rstrip(".! "))
    if not found:
        return None
    days = int(found[1]) * _UNITS.get(found[2] or "days", timedelta(0)).days
    if not 1 <= days <= LONGEST_ABSENCE:
        raise CommandError(
            _("One can be away for 1 to {most} days, for example: away 5 days").format(most=LONGEST_ABSENCE)
        )
    return Away(days)


def _read_preview(rest: str, sure: bool) -> Command | None:
    first, _blank, _more = rest.partition(" ")
    if looks_like_move(first) or looks_like_move(rest):
        return Preview(rest)
    return _lacking(rest, sure, _("Say which moves you want to try, for example: preview e4 e5"))


def _read_if(rest: str, sure: bool) -> Command | None:
    condition, *plan = re.split(" then ", rest, maxsplit=1, flags=re.IGNORECASE)
    return PlanLine(f"if {rest}") if plan and looks_like_move(condition.strip("( ")) else None


def _read_cancel(rest: str, sure: bool) -> Command | None:
    return Cancel() if rest.casefold().rstrip(".! ") in ("", "plan", "my plan", "the plan", "if") else None


def _lacking(rest: str, sure: bool, sentence: str) -> Command | None:
    """Nothing where the rest is a sentence of talk; raises CommandError where the rest is not there."""
    if sure and not rest:
        raise CommandError(sentence)
    return None


def _key_and_words(text: str) -> tuple[str, list[str]]:
    """The game's key at the beginning of `text`, also if written “proteus dice”, and the other words."""
    words = re.sub(r" ?= ?", "=", text).split()
    pair = "-".join(words[:2]).casefold()
    if pair in GAME_KEYS:
        return pair, words[2:]
    if words and _KEY.fullmatch(words[0].casefold().rstrip(".!,")):
        return words[0].casefold().rstrip(".!,"), words[1:]
    return "", words


def _is_known(key: str) -> bool:
    return key in GAME_KEYS or bool(get_close_matches(key, GAME_KEYS, 1, 0.75))


def _terms(words: list[str], sure: bool) -> tuple[Options, Pace | None, bool] | None:
    """Options, pace and whether it is rated; None where the words are no terms and need not be."""
    options: dict[str, str] = {}
    others = []
    for word in words:
        option = _OPTION.fullmatch(word.rstrip(","))
        if option and option[1].lower() in options:
            raise CommandError(_("The option “{name}” is given twice.").format(name=option[1]))
        if option:
            options[option[1].lower()] = option[2]
        else:
            others.append(word)
    rated = not _UNRATED & {word.casefold().strip(".,!") for word in others}
    pace = " ".join(word for word in others if word.casefold().strip(".,!") not in _RATED | _UNRATED)
    try:
        return tuple(options.items()), read_pace(pace) if pace else None, rated
    except CommandError:
        if sure:
            raise
        return None


_RATED = frozenset({"rated", "serious"})
_UNRATED = frozenset({"unrated", "friendly"})

# --- paces ------------------------------------------------------------------------------------------------

_UNITS = {
    name: length
    for names, length in (
        ("h hr hrs hour hours ora ore std stunde stunden heure heures hora horas", timedelta(hours=1)),
        ("d day days giorno giorni tag tage tagen jour jours día días dia dias", timedelta(days=1)),
        ("w week weeks settimana settimane woche wochen semaine semaines semana semanas", timedelta(days=7)),
        ("min mins minute minutes minuto minuti minuten minutos", timedelta(minutes=1)),
    )
    for name in names.split()
}
_PIECE = re.compile(r"([0-9]{1,5}) ?([a-zí]{1,10})\.?")
_LENGTH = re.compile(rf"{_PIECE.pattern}(?:(?: and | e | und | et | y | )?{_PIECE.pattern})?")
_HOURS = re.compile(r"([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?")
_EACH = re.compile(
    r"(?:(?: (?:a|per|each|every|for each|for every|pro|je|par|por|cada|ogni) ?|/ ?)"
    r"(?:move|turn|mossa|turno|zug|coup|jugada|movimiento)| each)$"
)
_CAP = re.compile(r"[,;]? (?:at most|max|max\.|maximum|up to|cap|al massimo|höchstens|au plus|máximo) ")
_ABSENCE = re.compile(r"(?:for |per |für |pour |por )?(-?[0-9]{1,5})(?: ?([a-zí]{1,10}))?")


def read_pace(text: str) -> Pace:
    """The pace that `text` names: “3 days a move”, “48h + 24h”, “10 days + 36 h”, “24/8/48” (hours).

    One length is the time for every move; of two the first is the bank, the second comes
    back after each move, and the bank never grows beyond what it was, unless “at most …”
    says otherwise. Raises CommandError where that is not to be read, or is nothing, or endless.
    """
    said = normalise(text).casefold().rstrip(".! ")
    pace = _in_hours(said) or _in_words(said)
    if pace is None or not pace.bank or not pace.bank <= pace.cap <= LONGEST_PACE:
        raise _unreadable(text)
    if pace.increment > LONGEST_PACE:
        raise _unreadable(text)
    return pace


def _in_hours(said: str) -> Pace | None:
    found = _HOURS.fullmatch(said)
    return Pace(*(timedelta(hours=int(figure)) for figure in found.groups())) if found else None


def _in_words(said: str) -> Pace | None:
    spans, *limit = _CAP.split(said, maxsplit=1)
    times = [_length(_EACH.sub("", span.strip())) for span in spans.split("+")]
    bank, increment = times[0], times[-1]
    cap = _length(limit[0]) if limit else bank
    if len(times) > 2 or bank is None or increment is None or cap is None:
        return None
    return Pace(bank, increment, cap)


def _length(said: str) -> timedelta | None:
    found = _LENGTH.fullmatch(said.strip())
    if not found:
        return None
    total = timedelta(0)
    for figure, unit in (found.group(1, 2), found.group(3, 4)):
        if figure is not None:
            if unit not in _UNITS:
                return None
            total += int(figure) * _UNITS[unit]
    return total


def _unreadable(text: str) -> CommandError:
    sentence = _("“{pace}” is not a pace to play at. Write for example: 3 days, or 10 days + 36 h.")
    return CommandError(sentence.format(pace=" ".join(text.split())[:60]))


# --- words ------------------------------------------------------------------------------------------------


def _phrases(listed: str, command: Command) -> dict[str, Command]:
    return {phrase.strip(): command for phrase in listed.split("|")}


_ASKED = {
    **_phrases("help | aiuto | hilfe | aide | ayuda", Help()),
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
    **_phrases("annulla | annuler | cancelar", Cancel()),
    **_phrases("resign | i resign | i give up | abbandono | mi arrendo | aufgeben | ich gebe auf", Resign()),
    **_phrases("j'abandonne | j'abandonne la partie | me rindo | abandono", Resign()),
    **_phrases("back | i am back | i'm back", Back()),
    **_phrases("partners | compagni", Partners()),
    **_phrases("puzzle", Puzzle()),
    **_phrases("settings | my settings | impostazioni | einstellungen | réglages | ajustes", Settings()),
    **_phrases("stop | unsubscribe", Stop()),
    **_phrases("export | export my data", Export()),
    **_phrases("forget me | dimenticami | vergiss mich | oubliez-moi", ForgetMe()),
    **_phrases("letters", Letters()),
    **_phrases("wait", Wait()),
}
_READERS: dict[str, _Reader] = {
    "join": _read_join,
    "show": _numbered(Show, also="game|the game|board|the board"),
    "mostra": _numbered(Show),
    "history": _numbered(History),
    "record": _numbered(Record),
    "rules": _read_rules,
    "regole": _read_rules,
    "regeln": _read_rules,
    "seek": _read_seek,
    "challenge": _read_challenge,
    "sfida": _read_challenge,
    "invite": _read_invite,
    "accept": _numbered(Accept, also="draw|the draw|challenge|the challenge|takeback"),
    "accetto": _numbered(Accept),
    "decline": _numbered(Decline, also="draw|the draw|challenge|the challenge|takeback"),
    "reject": _numbered(Decline),
    "rifiuto": _numbered(Decline),
    "away": _read_away,
    "preview": _read_preview,
    "if": _read_if,
    "cancel": _read_cancel,
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
        if len(name) > 3 and _is_slip(word, name) and (rest or _is_plain_slip(word, name))
        for command in [reader(rest, False)]
        if command
    }
    if not rest:
        found |= {whole for name, whole in _WHOLE.items() if len(name) > 3 and _is_plain_slip(word, name)}
    return found.pop() if len(found) == 1 else None


def _is_slip(word: str, name: str) -> bool:
    """Whether `word` is `name` with one letter wrong, missing, doubled or exchanged; two in a long word."""
    allowed = 2 if len(name) > 7 else 1
    alike = word[:1] == name[:1] and abs(len(word) - len(name)) <= allowed
    return alike and 0 < _slips(word, name) <= allowed


def _is_plain_slip(word: str, name: str) -> bool:
    """Whether `word`, alone on its line, can hardly be another word: “darw”, “resgin”, but not “plane”."""
    if len(name) < 6 or len(word) < 5:
        return len(word) == len(name) and sorted(word) == sorted(name) and _is_slip(word, name)
    return _is_slip(word, name) and (len(word) != len(name) or sorted(word) == sorted(name) or len(name) > 7)


def _slips(word: str, name: str) -> int:
    """Letters inserted, dropped, changed, or exchanged with a neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(word):
        last, before, row = before, row, [i + 1]
        for j, wanted in enumerate(name):
            cost = min(before[j] + (letter != wanted), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == name[j - 1] and word[i - 1] == wanted:
                cost = min(cost, last[j - 1] + 1)
            row.append(cost)
    return row[-1]


# --- moves ------------------------------------------------------------------------------------------------

MOVE_LENGTH = 60
"""Characters of a line that can be a move."""

_SQUARE = "[a-h][0-9]"
_STEP = (
    rf"(?:[ypbnrqkost]|[wb]?[1-9])?(?:{_SQUARE}|[a-h]|[1-9])?[x-]?{_SQUARE}\^?"  # Rad4, 5b3-c4, oa1-c3, dxe6^
    rf"(?:=[wb]?[1-9]|={_SQUARE})?"  # 5c4=W3, a1=c3
)
_TURNED = rf"{_SQUARE}(?:==?[a-z]|[+-])"  # f2=B, f2==N, f2+
_PLACED = rf"(?:[mgt]?[ost]|[ypbnrqk]|[wb]?[1-9])@{_SQUARE}"  # Mo@b2, s@a1, Q@b2, 5@b3
_ATOM = rf"(?:{_STEP}|{_TURNED}|{_PLACED})(?:\+[mgt][ost]){{0,2}}(?::[nesw]{{1,9}})?(?:\{{[a-z]\}})?[#!?+]*"
_FACES = "[xrbo?]{2}"
_TYPE = rf"(?:bm|rm|tw|m|b|r|a|{_FACES})"
_HOP = rf"{_SQUARE} ?~? ?(?:\([0-9]{{1,2}}\))? ?"
_MOVE = re.compile(
    rf"{_ATOM}(?:[ /,;]+{_ATOM}){{0,3}}"
    rf"|{_HOP}(?:- ?{_HOP}){{0,9}}(?:x ?[0-9]{{0,2}})?"  # a2~(2)-a3x2, b2~x1
    rf"|\+ ?{_SQUARE}(?: ?/ ?[0-9]{{1,2}})? ?{_FACES}(?:[ ,]+{_FACES})?"  # +b1 xx,rb
    rf"|(?:tender|pay) {_TYPE}(?:[ ,]+{_TYPE}){{0,11}}"
    r"|(?:army|setup) [pbnrqyk](?:[ ,]*[pbnrqyk]){6,8}"
    r"|refuse|pass|[o0]-[o0](?:-[o0])?|roll [1-6]-[1-6]|\{[a-z]\}",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"(?:(?:move|mossa|zug|coup|jugada) ?#? ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|# ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|([0-9]{1,4}) ?(?:\.[. ]*|[:)] ?))(.+)",
    re.IGNORECASE,
)


def looks_like_move(line: str) -> bool:
    """Whether `line` is short and resembles a move in one of our notations, legal or not; never prose."""
    return _is_move(stated_number(line)[1])


def stated_number(line: str) -> tuple[int | None, str]:
    """The move number that stands before a move, and the move: “12. c3/f2=B” is 12 and “c3/f2=B”.

    None, and the line itself, where no number is stated: the 5 of “5c4” is part of the move.
    """
    found = _STATED.fullmatch(normalise(line[:MOVE_LENGTH * 2]))
    if not found or not _is_move(found[4]):
        return None, line.strip()
    return int(found[1] or found[2] or found[3]), found[4].strip()


def _is_move(text: str) -> bool:
    said = normalise(text[: MOVE_LENGTH * 2]).rstrip(".! ")
    return len(said) <= MOVE_LENGTH and _MOVE.fullmatch(said) is not None


def normalise(line: str) -> str:
    """`line` as it is compared: ASCII dashes, quotes, dots and digits, single blanks; letter case stays."""
    return " ".join(line.translate(_PLAIN).split())


_PLAIN = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣→"), "-"),
    **dict.fromkeys(map(ord, "‘’‚‛′´`"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys((0xAD, 0xFEFF, *range(0x200B, 0x2010)), ""),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2060, 0x206A)), ""),
    ord("…"): "...",
    ord("×"): "x",
    ord("〜"): "~",
    ord("∼"): "~",
}
