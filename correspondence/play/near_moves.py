"""Find the squares, faces and pieces of a game in a text, even if misspelt. Pure.

A text is read word by word, in lower case without accents. Each word is the first of these that it can be: a square, a
sign of the notation, a run of faces, the name of a piece in a language of the service, or a word with which notation
begins; otherwise a number, a neutral word, or prose. A name may have one letter too many, missing or out of order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from correspondence.core.caching import cached
from correspondence.play.lexicon import COMMON, Lexicon, lexicon, names_of, names_of_compound, plain
from engines.nearness import spoken
from engines.vocabulary import Vocabulary


class WordKind(Enum):
    """The kind of a word in a text."""

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
    """A word of a text: its kind, and the English names of the pieces it may mean."""

    text: str
    kind: WordKind
    names: frozenset[str] = frozenset()


PLAIN = frozenset({WordKind.SIGN, WordKind.NAME, WordKind.OPENER, WordKind.DROP})
"""Kinds of words that alone show that a text is about the game."""

_WITH_LETTER = frozenset({WordKind.SQUARE, WordKind.NUMBER, WordKind.THING, WordKind.EVERYDAY})

_SET = frozenset
_THINGS = _SET(
    "disk disks disc discs piece pieces one ones face faces faced side top bottom under underneath beneath below up "
    "down upside hand stack pile corner square die dice disco dischi pezzo pezzi pedina pedine dado dadi faccia facce "
    "lato sopra sotto cima fondo base mano pila angolo casella colonna riga file rank su".split()
)
_MINE = _SET("my mine our mio mia miei mie have hold got ho tengo".split())
_YOURS = _SET("your yours his her their tuo tua tuoi tue suo sua suoi sue".split())
_NUMBERS = _SET(
    "double doppio doppia doppi doppie doppel two three four five six seven eight due tre quattro cinque sei sette otto".split()
)
_GLUE = _SET(
    "i the a an play plays move moves to on at in from and then with put puts place places takes take captures capture "
    "goes go by over of for turn into x or my it is gioco muovo metto da a e con il lo la le un una uno del in per "
    "prendo mangio poi di al nel mossa zug coup takes nach auf sur vers hacia en".split()
)
_AMBIGUOUS = _SET("br bb xx xo ox".split())
"""Signs that also occur in talk: best regards, kisses, an animal."""

_WORDS_OF_A_TYPED_MOVE, _WORDS_OF_A_SPOKEN_MOVE, _LONGEST_TYPED = 4, 7, 30
_WORDS_BESIDE_A_SQUARE = 3
_JOINED_SQUARE = re.compile(r"[a-h][1-9][@=/][a-z0-9]|[a-z0-9][@=/][a-h][1-9]", re.IGNORECASE)
_PIECES = re.compile(r"[^\W_]+|[+@]")
_PARTS = re.compile(r"[0-9]+|[^\W0-9_]+")
_DROPPED = re.compile(r"[+@]\s*(?:[a-h]{1,2}\s?[0-9]|[0-9][a-h])|(?<![\w+])\+[a-h](?![a-z]{3})")
_REPEATED = re.compile(r"(.)\1+")
_IF = r"(?:if|se|wenn)"
_PLANS = re.compile(rf"(?:^|[:;])[^\w:;]*(?:[0-9]+[^\w:;]+)?(?:then\W+|and\W+|e\W+|poi\W+)?{_IF}\b")
_IF_THEN = re.compile(rf"\b{_IF}\b.*\b(?:then|allora|dann)\b")


@cached(256)
def words(text: str, vocabulary: Vocabulary) -> tuple[Word, ...]:
    """Split a text into words; adjacent ones that form a sign or a run of faces are joined."""
    text = plain(text)
    if not vocabulary.row:
        text = re.sub(r"(?<=\w)-\n", "", text)
    result: list[Word] = []
    drops = {match.start() for match in _DROPPED.finditer(text)}
    for match in _PIECES.finditer(text):
        if match[0] in "+@":
            result += [Word(match[0], WordKind.DROP)] if match.start() in drops else []
        else:
            result += _split_run(match[0], vocabulary)
    return tuple(_with_shades(_joined(result, vocabulary)))


def begins_plan(text: str) -> bool:
    """Whether a line begins like a plan, or contains “if … then”."""
    line = plain(text)
    return bool(_PLANS.search(line) or _IF_THEN.search(line))


def is_mostly_move(word_list: Sequence[Word]) -> bool:
    """Whether words are mostly about a game, including a square, sign, drop or opening word."""
    game_words = sum(word.kind in PLAIN | {WordKind.SQUARE, WordKind.EVERYDAY, WordKind.LETTER} for word in word_list)
    core = any(word.kind in (WordKind.SQUARE, WordKind.SIGN, WordKind.DROP, WordKind.OPENER) for word in word_list)
    return core and (game_words > _count_talk(word_list) or _sets_number(word_list))


def _sets_number(word_list: Sequence[Word]) -> bool:
    """Whether a few words name one number and one square: “put my 1 on a2”."""
    kinds = [word.kind for word in word_list]
    is_one_of_each = kinds.count(WordKind.SQUARE) == 1 and kinds.count(WordKind.NUMBER) == 1
    return is_one_of_each and len(word_list) <= _WORDS_OF_A_SPOKEN_MOVE and _count_talk(word_list) <= 2


def is_without_talk(word_list: Sequence[Word]) -> bool:
    """Whether no word is talk, and at least one is specific to the game."""
    kinds = {word.kind for word in word_list}
    talk = {WordKind.PROSE, WordKind.MINE, WordKind.YOURS}
    return not kinds & talk and bool(kinds - {WordKind.GLUE, WordKind.NUMBER, WordKind.THING})


def is_dictated(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is mostly a dictated move, such as “f five slash b seven”."""
    lex = lexicon(vocabulary)
    dictation = spoken(text, {*lex.everyday, *lex.names, *vocabulary.openers})
    return dictation != text and is_mostly_move(words(dictation, vocabulary))


def is_square_beside_word(word_list: Sequence[Word], text: str) -> bool:
    """Whether a text is only a square and one garbled word: “Movecircle b2”, “emm on b2”."""
    kinds = [word.kind for word in word_list]
    return (
        len(kinds) <= _WORDS_BESIDE_A_SQUARE
        and kinds.count(WordKind.SQUARE) == kinds.count(WordKind.PROSE) == 1
        and kinds[-1] is WordKind.SQUARE
        and set(kinds) <= {WordKind.SQUARE, WordKind.PROSE, WordKind.GLUE}
        and "?" not in text
    )


def is_typed_at(text: str) -> bool:
    """Whether a short text is a mistyped move with a sign between squares, such as “1@a2zz9”."""
    return len(text.split()) <= _WORDS_OF_A_TYPED_MOVE and any(
        _JOINED_SQUARE.search(word) and "." not in word.rstrip(".!?") and len(word) <= _LONGEST_TYPED
        for word in text.split()
    )


def names_piece(word_list: Sequence[Word]) -> bool:
    """Whether words name a piece, a face or an opening word of the notation.

    One word may do so plainly, or several together.
    """
    if any(word.kind in PLAIN for word in word_list):
        return True
    for word, other in pairwise(word_list):
        kinds = {word.kind, other.kind}
        is_large = any(one.text.isdecimal() and len(one.text) > 1 for one in (word, other))
        if WordKind.LETTER in kinds and kinds & _WITH_LETTER and not is_large:
            return True
    letters = [at for at, word in enumerate(word_list) if word.kind is WordKind.LETTER or word.text == "a"]
    if any(
        other - at <= 2 and WordKind.LETTER in (word_list[at].kind, word_list[other].kind)
        for at, other in pairwise(letters)
    ):
        return True
    kinds = {word.kind for word in word_list}
    is_counted = any(word.text.isdecimal() and len(word.text) > 1 for word in word_list)  # “room 12b”
    if (
        _count_talk(word_list) <= 1 and not is_counted and kinds & {WordKind.EVERYDAY, WordKind.LETTER}
    ):  # “red”, “flip r”
        return True
    return WordKind.EVERYDAY in kinds and _says_which(word_list)


def is_bare_sign(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is only a sign of the notation, or two face letters that form none."""
    bare = "".join(filter(str.isalnum, plain(text)))
    return bare in lexicon(vocabulary).signs or (len(bare) == 2 and set(bare) <= set(vocabulary.faces.casefold()))


def names_place(word_list: Sequence[Word]) -> bool:
    """Whether words name squares and little else, or more than one square."""
    squares = sum(word.kind is WordKind.SQUARE for word in word_list)
    return squares > 1 or (squares == 1 and _count_talk(word_list) <= 2)


def names_faces_at_a_square(word_list: Sequence[Word], vocabulary: Vocabulary) -> bool:
    """Whether one or two face letters stand next to a square, possibly repeated: “b4 brr”."""
    faces = set(vocabulary.faces.casefold())
    for word, other in pairwise(word_list):
        if WordKind.SQUARE in (word.kind, other.kind):
            text = other.text if word.kind is WordKind.SQUARE else word.text
            letters = _REPEATED.sub(r"\1", text)
            if len(letters) <= 2 < len(text) and set(letters) <= faces:
                return True
    return False


def _count_talk(word_list: Sequence[Word]) -> int:
    """Count the words of talk."""
    return sum(word.kind in (WordKind.PROSE, WordKind.MINE, WordKind.YOURS) for word in word_list)


def _says_which(word_list: Sequence[Word]) -> bool:
    """Whether a word next to an everyday word (within three words) shows that it means a piece."""
    telling = (WordKind.SQUARE, WordKind.THING, WordKind.NUMBER, WordKind.MINE, WordKind.EVERYDAY, WordKind.LETTER)
    places = [at for at, word in enumerate(word_list) if word.kind is WordKind.EVERYDAY]
    return any(
        word_list[near].kind in telling
        for at in places
        for near in range(max(0, at - 3), min(len(word_list), at + 4))
        if near != at
    )


def pieces_named(
    word_list: Sequence[Word], sides: frozenset[str] = frozenset(), *, is_move: bool = False
) -> frozenset[str]:
    """Return the English names of pieces that words mention, except the opponent's.

    An everyday word counts if a number, an owner or the name of one of the `sides` is next to it. It counts everywhere
    if `is_move` says that the words may be a move of their writer.
    """
    names: set[str] = set()
    game_words = sum(word.kind in PLAIN | {WordKind.SQUARE, WordKind.NUMBER} for word in word_list)
    for at, word in enumerate(word_list):
        if word.text in _AMBIGUOUS and game_words < 2:
            continue
        before = word_list[max(0, at - 2) : at]
        if any(other.kind is WordKind.YOURS for other in before) and word.kind is not WordKind.SIGN:
            continue
        around = (*before, *word_list[at + 1 : at + 3])
        is_owned = is_move or any(
            other.kind in (WordKind.NUMBER, WordKind.MINE) or other.text in sides for other in around
        )
        if word.kind in (WordKind.SIGN, WordKind.NAME) or (word.kind is WordKind.EVERYDAY and is_owned):
            names |= word.names
    return frozenset(names)


def signs_of(vocabulary: Vocabulary) -> Mapping[str, frozenset[str]]:
    """Return the lower-case signs of a notation, with the English names of their pieces."""
    return lexicon(vocabulary).signs


# -- one word ------------------------------------------------------------------------


def _split_run(text: str, vocabulary: Vocabulary) -> Iterator[Word]:
    """Split letters and digits: “b1xr” is a square and a sign, “3p” a number and a letter."""
    while text:
        square = re.match(vocabulary.squares, text, re.IGNORECASE)
        rest = text[square.end() :] if square else text
        if square and not rest[:1].isdigit():
            yield Word(square[0], WordKind.SQUARE)
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
        return Word(text, WordKind.NUMBER)
    lex = lexicon(vocabulary)
    if text in lex.everyday:
        return Word(text, WordKind.EVERYDAY, lex.everyday[text])
    if text in lex.signs and len(text) > 1:
        return Word(text, WordKind.SIGN, lex.signs[text])
    if not vocabulary.row and (names := _run_of_signs(text, vocabulary) or _owned_signs(text, vocabulary)):
        return Word(text, WordKind.SIGN, names)
    if vocabulary.row and _is_row_like(text, vocabulary):
        return Word(text, WordKind.SIGN, _row_names(text, vocabulary))
    if names := names_of(text, lex.names) or names_of_compound(text, lex):
        return Word(text, WordKind.NAME, names)
    if text in lex.openers or names_of(text, lex.openers):
        return Word(text, WordKind.OPENER)
    if everyday := _everyday_part(text, lex):
        return Word(text, WordKind.EVERYDAY, lex.everyday[everyday])
    if len(text) == 1 and text not in "aeiou" and (text in lex.signs or text in vocabulary.faces.casefold()):
        return Word(text, WordKind.LETTER, lex.signs.get(text, frozenset()))
    if len(text) == 2 and "x" in vocabulary.faces and "x" in text and text not in ("ex", "xd"):
        return Word(text, WordKind.LETTER)
    return Word(text, _kind_of_talk(text))


def _everyday_part(text: str, lex: Lexicon) -> str:
    """Return the face in a word that lost a blank, such as “placecircle”; else empty."""
    if text in COMMON:
        return ""
    beside = _GLUE | _THINGS | lex.everyday.keys()
    halves = [(text[:at], text[at:]) for at in range(3, len(text) - 2)]
    both = [(one, other) for first, last in halves for one, other in ((first, last), (last, first))]
    return next((one for one, other in both if one in lex.everyday and other in beside), "")


def _kind_of_talk(text: str) -> WordKind:
    for words, kind in (
        (_MINE, WordKind.MINE),
        (_YOURS, WordKind.YOURS),
        (_THINGS, WordKind.THING),
        (_NUMBERS, WordKind.NUMBER),
    ):
        if text in words:
            return kind
    return WordKind.GLUE if text in _GLUE or len(text) == 1 else WordKind.PROSE


def _run_of_signs(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the pieces in a run of faces such as “xxrb”; one letter may be doubled or missing."""
    faces = set(vocabulary.faces.casefold())
    if not 3 <= len(text) <= 8 or not set(text) <= faces or text in COMMON:
        return frozenset()
    signs = lexicon(vocabulary).signs
    whole = [text[at : at + 2] for at in range(0, len(text), 2)]
    pairs = whole if all(pair in signs for pair in whole) else [text[at : at + 2] for at in range(len(text) - 1)]
    return frozenset().union(*(signs.get(pair, frozenset()) for pair in pairs))


def _owned_signs(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the pieces of signs with a side's letter, as boards print them: “Wxr”, “WrbBxx”."""
    signs = lexicon(vocabulary).signs
    candidates = re.findall(r"[wb](\w{2})", text) if "w" in text and len(text) % 3 == 0 else []
    if text[0] in "abcdefgh" and "x" in text[1:] and text not in ("fox", "cox", "box") and text[1:] in signs:
        candidates = [text[1:]]  # a square that lost its figure
    return frozenset().union(*(signs.get(sign, frozenset()) for sign in candidates))


def _is_row_like(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is, apart from a slip or two, a run of face letters and no everyday word."""
    if len(text) < 4 or text in COMMON:
        return False
    faces = vocabulary.faces.casefold()
    fits = sum(char in faces for char in text)
    is_long = len(text) >= vocabulary.row - 2 and fits * 4 >= len(text) * 3
    return fits == len(text) or is_long or re.search(f"[{faces}]{{5}}", text) is not None


def _row_names(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    signs = lexicon(vocabulary).signs
    return frozenset().union(*(signs.get(char, frozenset()) for char in text))


# -- words side by side --------------------------------------------------------------


def _joined(word_list: Sequence[Word], vocabulary: Vocabulary) -> Iterator[Word]:
    """Join runs of face letters: “x r” is a sign, “P P P Q” and “3p q 4p” are rows."""
    run: list[Word] = []
    for word in (*word_list, Word("", WordKind.PROSE)):
        if word.text and _extends_run(word, run, vocabulary):
            run.append(word)
            continue
        yield from _as_one(run, vocabulary)
        run = []
        if word.text and _extends_run(word, run, vocabulary):
            run.append(word)
        elif word.text:
            yield word


def _extends_run(word: Word, run: Sequence[Word], vocabulary: Vocabulary) -> bool:
    faces = set(vocabulary.faces.casefold())
    if word.kind is WordKind.NUMBER:
        return bool(vocabulary.row) and word.text.isdecimal() and len(word.text) <= vocabulary.row + 2
    return bool(faces) and set(word.text) <= faces and len(word.text) <= (vocabulary.row + 2 or 1)


def _as_one(run: Sequence[Word], vocabulary: Vocabulary) -> Sequence[Word]:
    """Join the words of a run if they form one sign."""
    text = "".join(word.text for word in run)
    if not vocabulary.row:
        names = lexicon(vocabulary).signs.get(text) or _run_of_signs(text, vocabulary)
        return [Word(text, WordKind.SIGN, names)] if len(run) > 1 and names else run
    letters = [word.text for word in run if word.kind is not WordKind.NUMBER]
    figures = "".join(word.text for word in run if word.kind is WordKind.NUMBER)
    if len("".join(letters)) >= 4 or (len(letters) >= 2 and len(figures) >= 2):
        spelled = "".join(letters)
        return [Word(text, WordKind.SIGN, _row_names(spelled, vocabulary))]
    is_row = not letters and abs(len(figures) - vocabulary.row) <= 1 and set(figures) <= set(vocabulary.values)
    return [Word(text, WordKind.SIGN, frozenset(vocabulary.signs.values()))] if is_row else run


def _with_shades(joined: Iterator[Word]) -> Iterator[Word]:
    """Narrow a name next to an everyday word to the piece that fits both, as in “red mask”."""
    words = list(joined)
    for at, word in enumerate(words):
        near = [words[i] for i in (at - 1, at + 1) if 0 <= i < len(words)]
        if word.kind is WordKind.NAME and len(word.names) > 1:
            shades = [one for one in near if one.kind is WordKind.EVERYDAY and one.names]
            common = word.names & frozenset().union(*(one.names for one in shades)) if shades else frozenset()
            yield replace(word, names=common or word.names)
        else:
            yield word
