"""Rank legal moves by similarity to a written or dictated text, for “did you mean …?”.

It never plays a move.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest

from engines.folding import LETTER_OF

NO_WORDS: Mapping[str, str] = {}

LONGEST = 400
"""Maximum length of a compared text, in characters."""

COMPARED = 2_000
"""Maximum number of legal moves compared with a text."""

_NUMBERS = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine",
        "uno due tre quattro cinque sei sette otto nove",
        "eins zwei drei vier fünf sechs sieben acht neun",
        "un deux trois quatre cinq six sept huit neuf",
    )
    for number, word in enumerate(words.split(), start=1)
}
_LETTERS = {
    **{letter: letter for letter in "abcdefgh"},
    **dict(zip("alpha bravo charlie delta echo foxtrot golf hotel".split(), "abcdefgh", strict=True)),
    **{"alfa": "a", "ay": "a", "bee": "b", "be": "b", "see": "c", "sea": "c", "dee": "d", "eff": "f", "aitch": "h"},
}
_PIECES = {word: letter.casefold() for word, letter in LETTER_OF.items()}
_ALSO_TALK = frozenset({"a", "e", "d", "be", "bee", "see", "sea", "golf", "hotel", "echo", "delta", "ay"})
"""Letters that are also common words.

Before a number they count as a square only if the text has other notation of moves.
"""

_SIGNS = {
    **dict.fromkeys("slash stroke barra schrägstrich".split(), "/"),
    **dict.fromkeys("equals equal uguale gleich égale igual".split(), "="),
    **dict.fromkeys("at su auf chez".split(), "@"),
    **dict.fromkeys("takes captures prende mangia schlägt prend".split(), "x"),
    **dict.fromkeys("plus più".split(), "+"),
    **dict.fromkeys("dash minus hyphen trattino meno to nach".split(), "-"),
}
_DICTATED = frozenset(_SIGNS) - {"at", "to", "su", "auf", "chez", "nach", "plus", "meno", "equal"}
_FACES = {"bee": "b", "be": "b", "pee": "p", "pea": "p", "queue": "q", "cue": "q", "why": "y", "are": "r", "en": "n"}
"""How letters of faces sound when dictated after “equals”."""

_NAMES_OF_LETTERS = {
    **dict(zip("bee cee dee eff gee aitch jay kay ell em pee cue tee ess vee zee".split(), "bcdfghjklmpqtsvz", strict=True)),
    "queue": "q", "zed": "z",
}  # fmt: skip
"""Names of letters that are no words of talk."""
_AS_LETTERS = {
    **_NAMES_OF_LETTERS,
    **{"oh": "o", "o": "o", "en": "n", "are": "r", "ar": "r", "why": "y", "ex": "x", "el": "l", "be": "b", "see": "c"},
    **{letter: letter for letter in "bmnoqrstxy"},
}
"""How letters of pieces sound when dictated before a square."""

_BESIDE = frozenset(
    "from then and the on my i put place move play da poi e il la metto muovo gioco mein von in please want would like "
    "number tile stone numero tessera nummer per favore bitte".split()
)
"""Filler words between dictated squares and numbers."""

_WORD = re.compile(r"\w+|[^\w\s]")
_SQUARE = re.compile(r"[a-z][0-9]{1,2}")
_NOISE = re.compile(r"(?<!\w)(?:[^\W\d_]{3,}|my|on|to|at|is|it|in|of|or|so|ok|i|su|il|la|al|da|di|mi)(?!\w| ?@)|\s")


def spoken(text: str, known: Collection[str] = ()) -> str:
    """Convert dictated squares, numbers and signs to notation.

    For example, “f five slash b seven” becomes “f5 / b7”. All other words stay. A text without dictated notation is
    returned unchanged. `known` are a game's words for pieces, which distinguish “circle at a one” from talk.
    """
    words = _WORD.findall(text[:LONGEST])
    plain = [word.casefold() for word in words]
    squares = _dictated_squares(plain, known)
    if not squares and not (
        _SQUARE.search(text.casefold()) and (_NUMBERS.keys() | _NAMES_OF_LETTERS.keys()) & set(plain)
    ):
        return text
    pieces = _dictated_pieces(plain, squares)
    result: list[str] = []
    for at, word in enumerate(plain):
        if at in pieces:
            result.append(pieces[at])
        elif at in squares:
            result.append(_LETTERS[word] + _NUMBERS.get(plain[at + 1], plain[at + 1]))
        elif at - 1 not in squares:
            face = _FACES.get(word) if result and result[-1] == "=" else None
            result.append(face or _NUMBERS.get(word) or (_SIGNS.get(word) if squares or pieces else None) or words[at])
    return " ".join(filter(None, result))


def _dictated_pieces(plain: Sequence[str], squares: frozenset[int]) -> Mapping[int, str]:
    """Return the signs of pieces spelled before a square, such as “em oh at b two”, by index.

    The last word of a sign gets all of it, its other words an empty text.
    """
    found: dict[int, str] = {}
    for at in (at for at in range(len(plain)) if at in squares or _SQUARE.fullmatch(plain[at])):
        end = at - 1 if at and plain[at - 1] in _BEFORE_SQUARES else at
        start = end
        while end - start < _LONGEST_SIGN and start and plain[start - 1] in _AS_LETTERS and start - 2 not in squares:
            start -= 1
        run = plain[start:end]
        if any(word in _NAMES_OF_LETTERS for word in run):
            found.update(dict.fromkeys(range(start, end), ""))
            found[end - 1] = "".join(_AS_LETTERS[word] for word in run)
    return found


_BEFORE_SQUARES = frozenset("at on to su auf en in nach sur a @ - =".split())
_LONGEST_SIGN = 3


def _dictated_squares(plain: Sequence[str], known: Collection[str]) -> frozenset[int]:
    """Return the indices of words where a letter and a number form a square."""
    pairs = [at for at in range(len(plain) - 1) if plain[at] in _LETTERS and _is_number(plain[at + 1])]
    pairs = [at for at in pairs if plain[at] not in _ALSO_TALK or not plain[at + 1].isdecimal()]
    is_plain = any(plain[at] not in _ALSO_TALK for at in pairs)
    rest = [word for at, word in enumerate(plain) if at not in pairs and at - 1 not in pairs]
    return frozenset(pairs if is_plain or _are_of_moves(rest, known) else ())


def _is_number(word: str) -> bool:
    return word in _NUMBERS or (word.isdecimal() and len(word) == 1)


def _are_of_moves(words: Sequence[str], known: Collection[str]) -> bool:
    """Whether words contain a dictated sign or a `known` word, or only words used in moves.

    In the last case they must also contain a number or a piece.
    """
    if not _DICTATED.isdisjoint(words) or any(word in known for word in words):
        return True
    of_moves = _NUMBERS.keys() | LETTER_OF.keys() | _NAMES_OF_LETTERS.keys()
    others = [word for word in words if word.isalpha() and word not in of_moves]
    is_all = all(word in _LETTERS or word in _SIGNS or word in _BESIDE or word in _AS_LETTERS for word in others)
    return is_all and len(others) < len(words)


def nearest(text: str, legal: Sequence[str], count: int = 5, words: Mapping[str, str] = NO_WORDS) -> tuple[str, ...]:
    """Return the legal texts most similar to `text`, those sharing most squares first.

    If none is similar, return the first legal text. `words` are the game's words for its signs, such as “circle” for
    `o`.
    """
    wanted, pool = _notation(text, words), legal[:COMPARED]
    squares = set(_SQUARE.findall(wanted))
    if not squares:
        return _close(text, pool, count)
    shared = [len(squares.intersection(_SQUARE.findall(one.casefold()))) for one in pool]
    most = max(shared, default=0)
    return _most_like(wanted, [one for one, same in zip(pool, shared, strict=True) if same == most], count)


def shared_squares(text: str, moves: Sequence[str]) -> int:
    """Return the maximum number of the text's squares that one of these moves shares."""
    squares = set(_SQUARE.findall(_notation(text, NO_WORDS)))
    return max((len(squares.intersection(_SQUARE.findall(one.casefold()))) for one in moves), default=0)


def names_square(text: str) -> bool:
    """Whether a text contains something like a square, written or dictated."""
    return _SQUARE.search(_notation(text, NO_WORDS)) is not None


def _two_in_one(word: str, known: Mapping[str, str]) -> str:
    """Return the letters of two known words that lost their blank, such as “movecircle”; else the word."""
    halves = ((known.get(word[:at]), known.get(word[at:])) for at in range(3, len(word) - 2))
    return next((one + other for one, other in halves if one and other), word)


def _most_like(wanted: str, pool: Sequence[str], count: int) -> tuple[str, ...]:
    """Sort by shared signs other than squares, then by similarity."""
    from difflib import SequenceMatcher  # needed only for a move that cannot be read

    matcher = SequenceMatcher(None, "", "".join(wanted.split()), autojunk=False)
    signs = Counter(_SQUARE.sub("", wanted).replace(" ", ""))
    ranks = []
    for place, one in enumerate(pool):
        text = "".join(one.casefold().split())
        matcher.set_seq1(text)
        beside = _SQUARE.sub("", text)
        same = sum(min(times, beside.count(sign)) for sign, times in signs.items())
        ranks.append((-same, -matcher.ratio(), place, one))
    return tuple(rank[-1] for rank in nsmallest(count, ranks))


def _close(text: str, pool: Sequence[str], count: int) -> tuple[str, ...]:
    from difflib import get_close_matches

    return tuple(get_close_matches(text[:60], pool, n=count, cutoff=0.4) or pool[:count])


def _notation(text: str, words: Mapping[str, str]) -> str:
    """Reduce a text to lower-case notation: pieces as letters, dictated signs, no prose."""
    known = {**_PIECES, **words}
    line = unicodedata.normalize("NFKC", spoken(text, words)).casefold()
    line = re.sub(r"[^\W\d_]+", lambda word: known.get(word[0]) or _two_in_one(word[0], known), line)
    return _NOISE.sub("", line) if _SQUARE.search(line) else text
