"""What a text names of a game: its squares, faces and pieces, however sloppily they are written. Pure.

A line is read word by word, in small letters without accents, each word as the first of these that it can be: a
square, a sign of the notation, a run of faces, the name of a piece in a language of the service, a word with which
texts begin; else a number, a word that belongs to neither, or prose. One letter too many, missing or out of order
makes no difference in a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import pairwise

from correspondence.core.i18n import LANGUAGES, translations
from correspondence.core.move_text import normalise
from engines.vocabulary import Vocabulary

LONGEST = 20_000
"""So many characters of a text are looked at; what is passed on is shorter."""


class Kind(Enum):
    """What a word of a text is."""

    SIGN = "a sign of the notation, or a run of them"
    NAME = "the name of a piece"
    OPENER = "a word with which a text of the notation begins"
    DROP = "a plus or an @ before a square"
    EVERYDAY = "a word for a face that is as common in talk"
    LETTER = "a single letter that stands for a face or a piece"
    SQUARE = "a square"
    NUMBER = "a number"
    THING = "a word for a piece or a place without saying which"
    MINE = "a word that says whose"
    YOURS = "a word that says that it is the other's"
    GLUE = "a word that is as common among moves as in talk"
    PROSE = "anything else"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: what it is, and the English names of the pieces that it can stand for."""

    text: str
    kind: Kind
    names: frozenset[str] = frozenset()


PLAIN = frozenset({Kind.SIGN, Kind.NAME, Kind.OPENER, Kind.DROP})
"""The kinds of words of which one is enough: who writes them, writes of the game."""

_WITH_LETTER = frozenset({Kind.SQUARE, Kind.NUMBER, Kind.THING, Kind.EVERYDAY})

_SET = frozenset
_THINGS = _SET(
    "disk disks disc discs piece pieces one ones face faces faced side top bottom under underneath beneath below up "
    "down upside hand stack pile corner square die dice disco dischi pezzo pezzi pedina pedine dado dadi faccia facce "
    "lato sopra sotto cima fondo base mano pila angolo casella colonna riga file rank su".split()
)
_MINE = _SET("my mine our mio mia miei mie have hold got ho tengo".split())
_YOURS = _SET("your yours his her their tuo tua tuoi tue suo sua suoi sue".split())
_NUMBERS = _SET("two three four five six seven eight due tre quattro cinque sei sette otto".split())
_GLUE = _SET(
    "i the a an play plays move moves to on at in from and then with put puts place places takes take captures capture "
    "goes go by over of for turn into x or my it is gioco muovo metto da a e con il lo la le un una uno del in per "
    "prendo mangio poi di al nel mossa zug coup takes".split()
)
_COMMON = _SET(
    "box bob bobo bro bros boo boob orb rob robo brb brr brrr oxo boxx xbox xor bobby by must mate cute mutex muted "
    "multi mutter mutuo night minute twisted twitter spawn done reuse make makes region regione perdona perdono diamo "
    "dammi damme daimi damage damages asse asset assai more paper happy pony proper stop access".split()
)
"""Words of talk that would otherwise pass for slips of something in a game."""

_ALIKE = str.maketrans("хоаерсвнмтукі♕♛♖♜♗♝♘♞♙♟", "xoaepcbhmtykiqqrrbbnnpp")
"""Letters of other alphabets that look like ours, and chessmen."""

_AMBIGUOUS = _SET("br bb xx xo ox".split())
"""Signs that are also said: best regards, kisses, an animal."""

_PIECES = re.compile(r"[^\W_]+|[+@]")
_PARTS = re.compile(r"[0-9]+|[^\W\d_]+")
_DROPPED = re.compile(r"[+@]\s*(?:[a-h]{1,2}\s?[0-9]|[0-9][a-h])|(?<![\w+])\+[a-h](?![a-z]{3})")
_IF = r"(?:if|se|wenn)"
_PLANS = re.compile(rf"(?:^|[:;])[^\w:;]*(?:[0-9]+[^\w:;]+)?(?:then\W+|and\W+|e\W+|poi\W+)?{_IF}\b")
_IF_THEN = re.compile(rf"\b{_IF}\b.*\b(?:then|allora|dann)\b")


def plain(text: str) -> str:
    """A text in small letters without accents, dressing or signs that cannot be seen; lines stay lines."""
    kept = unicodedata.normalize("NFKD", "\n".join(normalise(line) for line in text[:LONGEST].splitlines()))
    return "".join(char for char in kept if not unicodedata.combining(char)).casefold().translate(_ALIKE)


def words(text: str, vocabulary: Vocabulary) -> tuple[Word, ...]:
    """The words of a text, those side by side that make one sign or one run of faces put together."""
    text = plain(text)
    if not vocabulary.row:
        text = re.sub(r"(?<=\w)-\n", "", text)
    found: list[Word] = []
    drops = {match.start() for match in _DROPPED.finditer(text)}
    for match in _PIECES.finditer(text):
        if match[0] in "+@":
            found += [Word(match[0], Kind.DROP)] if match.start() in drops else []
        else:
            found += _parted(match[0], vocabulary)
    return tuple(_beside(_joined(found, vocabulary)))


def begins_plan(text: str) -> bool:
    """Whether a line begins like a plan, or says “if … then”."""
    line = plain(text)
    return bool(_PLANS.search(line) or _IF_THEN.search(line))


def is_nearer_to_a_move(found: Sequence[Word]) -> bool:
    """Whether words name more of a game than they say besides, and a square, a sign or a beginning among that."""
    noted = sum(word.kind in PLAIN | {Kind.SQUARE, Kind.EVERYDAY, Kind.LETTER} for word in found)
    core = any(word.kind in (Kind.SQUARE, Kind.SIGN, Kind.DROP, Kind.OPENER) for word in found)
    return core and noted > _said(found)


def names_piece(found: Sequence[Word]) -> bool:
    """Whether words name a piece, a face or a beginning of the notation: plainly, or by several that agree on it."""
    if any(word.kind in PLAIN for word in found):
        return True
    for word, other in pairwise(found):
        kinds = {word.kind, other.kind}
        is_large = any(one.text.isdecimal() and len(one.text) > 1 for one in (word, other))
        if Kind.LETTER in kinds and kinds & _WITH_LETTER and not is_large:
            return True
    letters = [at for at, word in enumerate(found) if word.kind is Kind.LETTER or word.text == "a"]
    if any(other - at <= 2 and Kind.LETTER in (found[at].kind, found[other].kind) for at, other in pairwise(letters)):
        return True
    kinds = {word.kind for word in found}
    is_counted = any(word.text.isdecimal() and len(word.text) > 1 for word in found)  # “room 12b”
    if _said(found) <= 1 and not is_counted and kinds & {Kind.EVERYDAY, Kind.LETTER}:  # “red”, “flip r”
        return True
    return Kind.EVERYDAY in kinds and _says_which(found)


def is_bare_sign(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is nothing but a sign of the notation, or two letters of faces that make none."""
    bare = "".join(filter(str.isalnum, plain(text)))
    return bare in _lexicon(vocabulary).signs or (len(bare) == 2 and set(bare) <= set(vocabulary.faces.casefold()))


def names_place(found: Sequence[Word]) -> bool:
    """Whether words name squares and say little else, or name more than one."""
    squares = sum(word.kind is Kind.SQUARE for word in found)
    return squares > 1 or (squares == 1 and _said(found) <= 2)


def _said(found: Sequence[Word]) -> int:
    """How many of these words are talk."""
    return sum(word.kind in (Kind.PROSE, Kind.MINE, Kind.YOURS) for word in found)


def _says_which(found: Sequence[Word]) -> bool:
    """Whether an everyday word for a face has, within three words, one that makes it a piece."""
    telling = (Kind.SQUARE, Kind.THING, Kind.NUMBER, Kind.MINE, Kind.EVERYDAY, Kind.LETTER)
    places = [at for at, word in enumerate(found) if word.kind is Kind.EVERYDAY]
    return any(
        found[near].kind in telling
        for at in places
        for near in range(max(0, at - 3), min(len(found), at + 4))
        if near != at
    )


def pieces_told(found: Sequence[Word], sides: frozenset[str] = frozenset()) -> frozenset[str]:
    """The English names of the pieces that words name as the writer's own or nobody's, not as the other's.

    An everyday word counts where a number, an owner or the name of one of the `sides` stands beside it.
    """
    told: set[str] = set()
    noted = sum(word.kind in PLAIN | {Kind.SQUARE, Kind.NUMBER} for word in found)
    for at, word in enumerate(found):
        if word.text in _AMBIGUOUS and noted < 2:
            continue
        before = found[max(0, at - 2) : at]
        if any(one.kind is Kind.YOURS for one in before) and word.kind is not Kind.SIGN:
            continue
        around = (*before, *found[at + 1 : at + 3])
        is_owned = any(one.kind in (Kind.NUMBER, Kind.MINE) or one.text in sides for one in around)
        if word.kind in (Kind.SIGN, Kind.NAME) or (word.kind is Kind.EVERYDAY and is_owned):
            told |= word.names
    return frozenset(told)


def signs_of(vocabulary: Vocabulary) -> Mapping[str, frozenset[str]]:
    """The signs of a notation in small letters, with the English names of the pieces they stand for."""
    return _lexicon(vocabulary).signs


# -- one word ------------------------------------------------------------------------


def _parted(text: str, vocabulary: Vocabulary) -> Iterator[Word]:
    """A run of letters and figures as words: “b1xr” is a square and a sign, “3p” a number and a letter."""
    while text:
        square = re.match(vocabulary.squares, text, re.IGNORECASE)
        rest = text[square.end() :] if square else text
        if square and not rest[:1].isdigit():
            yield Word(square[0], Kind.SQUARE)
            if re.fullmatch(r"x[0-9]?", rest):  # a capture
                return
            text = rest
            continue
        part = _PARTS.match(text)
        assert part is not None
        after = text[part.end() :]
        if part[0].isalpha() and part[0][-1] in "abcdefgh" and after[:1].isdigit() and len(part[0]) > 1:
            head = part[0][:-1]  # “xrb1”, but also “bb1”, a square with a letter too many
            yield _word(head, vocabulary)
            text = text[len(head) :]
            continue
        yield _word(part[0], vocabulary)
        text = after


def _word(text: str, vocabulary: Vocabulary) -> Word:
    if text.isdecimal():
        return Word(text, Kind.NUMBER)
    known = _lexicon(vocabulary)
    if text in known.everyday:
        return Word(text, Kind.EVERYDAY, known.everyday[text])
    if text in known.signs and len(text) > 1:
        return Word(text, Kind.SIGN, known.signs[text])
    if not vocabulary.row and (names := _run_of_signs(text, vocabulary) or _owned_signs(text, vocabulary)):
        return Word(text, Kind.SIGN, names)
    if vocabulary.row and _is_row_like(text, vocabulary):
        return Word(text, Kind.SIGN, _row_names(text, vocabulary))
    if names := _named(text, known.names) or _glued(text, known):
        return Word(text, Kind.NAME, names)
    if text in known.openers or _named(text, known.openers):
        return Word(text, Kind.OPENER)
    if len(text) == 1 and text not in "aeiou" and (text in known.signs or text in vocabulary.faces.casefold()):
        return Word(text, Kind.LETTER, known.signs.get(text, frozenset()))
    if len(text) == 2 and "x" in vocabulary.faces and "x" in text and text not in ("ex", "xd"):
        return Word(text, Kind.LETTER)
    return Word(text, _kind_of_talk(text))


def _kind_of_talk(text: str) -> Kind:
    for listed, kind in ((_MINE, Kind.MINE), (_YOURS, Kind.YOURS), (_THINGS, Kind.THING), (_NUMBERS, Kind.NUMBER)):
        if text in listed:
            return kind
    return Kind.GLUE if text in _GLUE or len(text) == 1 else Kind.PROSE


def _run_of_signs(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The pieces named by a run of faces such as “xxrb”, one letter of which may be doubled or missing."""
    faces = set(vocabulary.faces.casefold())
    if not 3 <= len(text) <= 8 or not set(text) <= faces or text in _COMMON:
        return frozenset()
    signs = _lexicon(vocabulary).signs
    whole = [text[at : at + 2] for at in range(0, len(text), 2)]
    pairs = whole if all(pair in signs for pair in whole) else [text[at : at + 2] for at in range(len(text) - 1)]
    return frozenset().union(*(signs.get(pair, frozenset()) for pair in pairs))


def _owned_signs(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The pieces named by signs with a letter before each, that of a side as boards print them: “Wxr”, “WrbBxx”."""
    signs = _lexicon(vocabulary).signs
    found = re.findall(r"[wb](\w{2})", text) if "w" in text and len(text) % 3 == 0 else []
    if text[0] in "abcdefgh" and "x" in text[1:] and text not in ("fox", "cox", "box") and text[1:] in signs:
        found = [text[1:]]  # a square that lost its figure
    return frozenset().union(*(signs.get(sign, frozenset()) for sign in found))


def _is_row_like(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is, but for a slip or two, a run of letters for faces: only such as no word of talk is."""
    if len(text) < 4 or text in _COMMON:
        return False
    faces = vocabulary.faces.casefold()
    fits = sum(char in faces for char in text)
    is_long = len(text) >= vocabulary.row - 2 and fits * 4 >= len(text) * 3
    return fits == len(text) or is_long or re.search(f"[{faces}]{{5}}", text) is not None


def _row_names(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    signs = _lexicon(vocabulary).signs
    return frozenset().union(*(signs.get(char, frozenset()) for char in text))


# -- words side by side --------------------------------------------------------------


def _joined(found: Sequence[Word], vocabulary: Vocabulary) -> Iterator[Word]:
    """The words, runs of letters of faces put together: “x r” is a sign, “P P P Q” and “3p q 4p” are rows."""
    run: list[Word] = []
    for word in (*found, Word("", Kind.PROSE)):
        if word.text and _goes_on(word, run, vocabulary):
            run.append(word)
            continue
        yield from _as_one(run, vocabulary)
        run = []
        if word.text and _goes_on(word, run, vocabulary):
            run.append(word)
        elif word.text:
            yield word


def _goes_on(word: Word, run: Sequence[Word], vocabulary: Vocabulary) -> bool:
    faces = set(vocabulary.faces.casefold())
    if word.kind is Kind.NUMBER:
        return bool(vocabulary.row) and word.text.isdecimal() and len(word.text) <= vocabulary.row + 2
    return bool(faces) and set(word.text) <= faces and len(word.text) <= (vocabulary.row + 2 or 1)


def _as_one(run: Sequence[Word], vocabulary: Vocabulary) -> Sequence[Word]:
    """The words of a run, as one sign where they make one."""
    text = "".join(word.text for word in run)
    if not vocabulary.row:
        names = _lexicon(vocabulary).signs.get(text) or _run_of_signs(text, vocabulary)
        return [Word(text, Kind.SIGN, names)] if len(run) > 1 and names else run
    letters = [word.text for word in run if word.kind is not Kind.NUMBER]
    figures = "".join(word.text for word in run if word.kind is Kind.NUMBER)
    if len("".join(letters)) >= 4 or (len(letters) >= 2 and len(figures) >= 2):
        spelled = "".join(letters)
        return [Word(text, Kind.SIGN, _row_names(spelled, vocabulary))]
    is_row = not letters and abs(len(figures) - vocabulary.row) <= 1 and set(figures) <= set(vocabulary.values)
    return [Word(text, Kind.SIGN, frozenset(vocabulary.signs.values()))] if is_row else run


def _beside(found: Iterator[Word]) -> Iterator[Word]:
    """The words, “mask” beside “red” being the one that is called so, and “red” beside it no piece by itself."""
    listed = list(found)
    for at, word in enumerate(listed):
        near = [listed[i] for i in (at - 1, at + 1) if 0 <= i < len(listed)]
        if word.kind is Kind.NAME and len(word.names) > 1:
            shades = [one for one in near if one.kind is Kind.EVERYDAY and one.names]
            common = word.names & frozenset().union(*(one.names for one in shades)) if shades else frozenset()
            yield replace(word, names=common or word.names)
        else:
            yield word


# -- names ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """What words mean in one game, in small letters; each for the English names of pieces."""

    signs: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    everyday: Mapping[str, frozenset[str]]
    openers: Mapping[str, frozenset[str]]


@cache
def _lexicon(vocabulary: Vocabulary) -> _Lexicon:
    named: dict[str, set[str]] = {}
    for name in sorted(set(vocabulary.signs.values())):
        for called in (name, *(translations(language).gettext(name) for language in LANGUAGES)):
            for word in re.findall(r"\w{3,}", plain(called)):
                named.setdefault(word, set()).add(name)
    for alias, name in vocabulary.aliases.items():
        named.setdefault(alias, set()).add(name)
    everyday = {form: frozenset(named.get(word, ())) for word in vocabulary.everyday for form in _forms(word)}
    names = {form: frozenset(named[word]) for word in named if word not in everyday for form in _forms(word)}
    signs = {sign.casefold(): frozenset({name}) for sign, name in vocabulary.signs.items()}
    return _Lexicon(signs, names, everyday, {word: frozenset({word}) for word in vocabulary.openers})


def _forms(word: str) -> Iterator[str]:
    """A name, its plural, and how Italian would end it otherwise."""
    yield from (word, f"{word}s")
    stem = word.rstrip("aeio")
    if len(stem) >= 3 and stem != word:
        yield from (stem + ending for ending in "aeio")


def _named(text: str, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What a word names, as it is or with one slip of the pen; empty where it is talk."""
    if text in known:
        return known[text]
    if text in _COMMON or len(text) < 4:
        return frozenset()
    tight = _undoubled(text)
    for name, means in known.items():
        if tight == _undoubled(name) and len(text) == len(name) + 1:
            return means
        if len(name) >= 4 and text[0] == name[0] and _is_slip(text, name):
            return means
    return frozenset()


def _glued(text: str, known: _Lexicon) -> frozenset[str]:
    """What two words name that were written as one: “redmask”."""
    halves = [(text[:at], text[at:]) for at in range(3, len(text) - 2)]
    named = [(known.names.get(one) or known.everyday.get(one), other) for one, other in halves]
    both = [(one, known.names.get(other) or known.everyday.get(other)) for one, other in named if one]
    return next(((one & other) or (one | other) for one, other in both if other), frozenset())


def _undoubled(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", text)


def _is_slip(text: str, name: str) -> bool:
    """Whether one letter is out of order, missing from the middle of a word of five or more, or wrong in one of six."""
    if len(text) == len(name):
        wrong = [at for at in range(len(name)) if text[at] != name[at]]
        is_swap = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(text) == sorted(name)
        return is_swap or (len(wrong) == 1 and len(name) >= 6)
    longer, shorter = (text, name) if len(text) > len(name) else (name, text)
    if len(longer) != len(shorter) + 1 or len(shorter) < 4:
        return False
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer)))
