"""Parser for time controls and for lengths of leave, as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

from correspondence.core.move_text import normalise
from correspondence.core.time_control import TimeControl, TimeControlError, by_post
from engines.refusal import Refusal
from engines.wording import _

LONGEST_PACE = timedelta(days=365)
"""Maximum of each part of a time control."""

LONGEST_ABSENCE = 30
"""Maximum length of one leave, in days."""

LONGEST_PAUSE = 30
"""Maximum length of one pause of a match, in days."""


class CommandError(Refusal):
    """Raised for a line meant as a command but invalid; str() is a sentence for the person."""


UNITS = {
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
_PAIR = re.compile(
    r"(?P<first>[0-9]{1,5} ?[a-zí]{1,10})\.?(?:,? (?P<and>and|e|und|et|y) |,? )(?P<second>[0-9]{1,5} ?[a-zí]{1,10})\.?"
    r"(?: (?:a|per|each|for each) (?:move|turn|mossa))?"
)
_HOURS = re.compile(r"([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?")
_EACH = re.compile(
    r"(?:(?: (?:a|per|each|every|for each|for every|pro|je|par|por|cada|ogni) ?|/ ?)"
    r"(?:move|turn|mossa|turno|zug|coup|jugada|movimiento)| each)$"
)
_CAP = re.compile(r"[,;]? (?:at most|max|max\.|maximum|up to|cap|al massimo|höchstens|au plus|máximo) ")
_POST = r"(?:by |per |via |par (?:la )?|por )?(?:snail mail|postal|post|posta|poste|correo)"
_BY_POST = re.compile(rf"{_POST}(?:[ ,:+]+(?P<after>.+))?|(?P<before>.+?)[ ,]+{_POST}")
ABSENCE = re.compile(r"(?:for |per |für |pour |por )?(-?[0-9]{1,5})(?: ?([a-zí]{1,10}))?")


def read_pace(text: str) -> TimeControl:
    """Parse a time control: “3 days a move”, “48h + 24h”, “24/8/48” or “post 21 days”.

    The unit of “24/8/48” is hours. A single length is the time for each move. Of two lengths, the first is the bank
    and the second the increment after each move. The bank never exceeds its starting value, unless “at most …” says
    otherwise. Raises CommandError if the text cannot be parsed, the bank is zero or above the cap, or a part exceeds
    LONGEST_PACE.
    """
    spec = normalise(text).casefold().rstrip(".! ")
    pace = _for_post(spec) or _in_hours(spec) or _in_words(spec)
    if pace is None or not pace.bank or not pace.bank <= pace.cap <= LONGEST_PACE:
        raise _unreadable(text)
    if pace.increment > LONGEST_PACE:
        raise _unreadable(text)
    return pace


def _for_post(spec: str) -> TimeControl | None:
    """Parse a postal time control: “post”, optionally with a length, by default in days."""
    match = _BY_POST.fullmatch(spec)
    if match is None:
        return None
    words = _EACH.sub("", (match["after"] or match["before"] or "").strip())
    length = read_length(f"{words} days" if words.isdecimal() else words) if words else None
    try:
        return None if words and length is None else by_post() if length is None else by_post(length)
    except TimeControlError as error:
        raise CommandError(str(error)) from error


def _in_hours(spec: str) -> TimeControl | None:
    match = _HOURS.fullmatch(spec)
    if match is None:
        return None
    bank, increment, cap = (timedelta(hours=int(figure)) for figure in match.groups())
    return TimeControl(bank, increment, cap)


def _in_words(spec: str) -> TimeControl | None:
    lengths, *cap_text = _CAP.split(spec, maxsplit=1)
    durations = [read_length(_EACH.sub("", length.strip())) for length in _apart(lengths)]
    bank, increment = durations[0], durations[-1]
    cap = read_length(cap_text[0]) if cap_text else bank
    if len(durations) > 2 or bank is None or increment is None or cap is None:
        return None
    return TimeControl(bank, increment, cap)


def _apart(text: str) -> list[str]:
    """Split a text into bank and increment, joined by a plus or by “and”.

    Raises CommandError for two lengths that are neither one length, such as “1 day 12 hours”, nor a bank and an
    increment.
    """
    pair = _PAIR.fullmatch(text.strip())
    if pair is None:
        return text.split("+")
    first, second = pair["first"], pair["second"]
    units = [UNITS.get(_PIECE.search(length)[2]) for length in (first, second)]  # type: ignore[index]
    lengths = [read_length(length) for length in (first, second)]
    if None in units or None in lengths:
        return text.split("+")
    if lengths[1] < units[0]:  # type: ignore[operator]
        return [text]  # one length in two units
    if pair["and"] and units[1] < units[0]:  # type: ignore[operator]
        return [first, second]
    sentence = _(
        "“{first}” and “{second}” are two times, and it is not clear which you mean. Write one of them, or a "
        "bank and what each move adds: {first} + {second}."
    )
    raise CommandError(sentence.format(first=first, second=second))


def read_length(text: str) -> timedelta | None:
    """Parse a length of time such as `3 days` or `1 day 12 hours`; None if it is not one."""
    match = _LENGTH.fullmatch(text.strip())
    if not match:
        return None
    total = timedelta(0)
    for number, unit in (match.group(1, 2), match.group(3, 4)):
        if number is not None:
            if unit not in UNITS:
                return None
            total += int(number) * UNITS[unit]
    return total


def _unreadable(text: str) -> CommandError:
    sentence = _(
        "“{pace}” is not a pace to play at. Write for example: 3 days, or 10 days + 36 h; each time is from one hour to "
        "ninety days."
    )
    return CommandError(sentence.format(pace=" ".join(text.split())[:60]))
