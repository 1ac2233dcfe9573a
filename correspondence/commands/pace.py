"""How fast to play, and for how long to be away, as people write it."""

from __future__ import annotations

import re
from datetime import timedelta

from correspondence.core.move_text import normalise
from correspondence.core.time_control import TimeControl
from engines.refusal import Refusal
from engines.wording import _

LONGEST_PACE = timedelta(days=365)
"""What no part of a pace may exceed."""

LONGEST_ABSENCE = 30
"""Days for which one may be away."""

LONGEST_PAUSE = 30
"""Days for which all clocks of a game may stand still."""


class CommandError(Refusal):
    """A line that is meant as a command and cannot be carried out; str() is a sentence for the person."""


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
_HOURS = re.compile(r"([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?/([0-9]{1,5}) ?h?")
_EACH = re.compile(
    r"(?:(?: (?:a|per|each|every|for each|for every|pro|je|par|por|cada|ogni) ?|/ ?)"
    r"(?:move|turn|mossa|turno|zug|coup|jugada|movimiento)| each)$"
)
_CAP = re.compile(r"[,;]? (?:at most|max|max\.|maximum|up to|cap|al massimo|höchstens|au plus|máximo) ")
ABSENCE = re.compile(r"(?:for |per |für |pour |por )?(-?[0-9]{1,5})(?: ?([a-zí]{1,10}))?")


def read_pace(text: str) -> TimeControl:
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


def _in_hours(said: str) -> TimeControl | None:
    found = _HOURS.fullmatch(said)
    if found is None:
        return None
    bank, increment, cap = (timedelta(hours=int(figure)) for figure in found.groups())
    return TimeControl(bank, increment, cap)


def _in_words(said: str) -> TimeControl | None:
    spans, *limit = _CAP.split(said, maxsplit=1)
    times = [_length(_EACH.sub("", span.strip())) for span in spans.split("+")]
    bank, increment = times[0], times[-1]
    cap = _length(limit[0]) if limit else bank
    if len(times) > 2 or bank is None or increment is None or cap is None:
        return None
    return TimeControl(bank, increment, cap)


def _length(said: str) -> timedelta | None:
    found = _LENGTH.fullmatch(said.strip())
    if not found:
        return None
    total = timedelta(0)
    for figure, unit in (found.group(1, 2), found.group(3, 4)):
        if figure is not None:
            if unit not in UNITS:
                return None
            total += int(figure) * UNITS[unit]
    return total


def _unreadable(text: str) -> CommandError:
    sentence = _("“{pace}” is not a pace to play at. Write for example: 3 days, or 10 days + 36 h.")
    return CommandError(sentence.format(pace=" ".join(text.split())[:60]))
