"""Guess a guest's language from the first command word they write. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

DEFAULT = "en"
"""Default language, if the first word is unknown."""

_WORDS = {
    "it": frozenset(
        "aiuto regole regola partite partita iscrivi iscrivimi iscriviti unisciti sfida cerco accetto rifiuto mostra mosse "
        "compagni impostazioni imposta indirizzi indirizzo recupera codice annulla sì si ciao salve buongiorno buonasera "
        "vorrei voglio posso come cosa chi questo grazie gioco giocare suggerimento enigma".split()
    ),
}
_WORD = re.compile(r"[^\W\d_]+")


def language_of(lines: Sequence[str]) -> str:
    """Guess the language from the first word in these lines; DEFAULT if it is unknown."""
    first = next((word.casefold() for line in lines for word in _WORD.findall(line)), "")
    return next((language for language, words in _WORDS.items() if first in words), DEFAULT)
