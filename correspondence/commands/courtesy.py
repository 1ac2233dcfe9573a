"""Words of courtesy around a command: “accept, thanks”, and a line of thanks below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ENDINGS = (
    "please|pls|thanks|thank you|many thanks|thanks a lot|thank you very much|cheers|per favore|per piacere|grazie|"
    "molte grazie|grazie mille|bitte|danke|vielen dank|merci|merci beaucoup|s'il vous plaît|s'il te plaît|gracias|"
    "por favor"
)
_POLITE = re.compile(rf"(.*?\w)(?:[,;:.!-]\s*|\s+(?:-+\s*|and\s+|e\s+)?)(?:{_ENDINGS})[\s.!]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_PROSE = 4
_WORDS_OF_A_NAME = 3
_BEGINNINGS = frozenset(
    "thanks thank thx ty cheers regards greetings hi hello hey dear best good great nice happy looking glad sure ok okay "
    "cool fun see you bye with kind have ciao salve buon buona buone buongiorno buonasera saluti grazie piacere certo "
    "volentieri cari danke hallo gruss grüße viele gerne bonjour salut merci cordialement hola saludos gracias".split()
)


def without_courtesy(text: str) -> str:
    """Return a line without “please” or “thanks” at its end; the line itself if it has neither, or nothing else."""
    match = _POLITE.fullmatch(text)
    return match[1] if match else text


def without_courtesies(lines: Sequence[str]) -> list[str]:
    """Return, of lines beside a command that was carried out, those that may be a command gone wrong.

    Greetings, thanks, prose, and the name below them are left out.
    """
    kept = []
    is_after_courtesy = False
    for line in lines:
        is_name = is_after_courtesy and line.strip()[:1].isupper() and len(line.split()) <= _WORDS_OF_A_NAME
        is_after_courtesy = is_name or _is_courtesy(line)
        if not is_after_courtesy:
            kept.append(line)
    return kept


def _is_courtesy(line: str) -> bool:
    words = _WORD.findall(line.casefold())
    return not words or words[0] in _BEGINNINGS or len(words) >= _WORDS_OF_PROSE
