"""Parser for answers: is a text a yes, a no or a choice in answer to a letter's question?

The whole text must be the answer, in one language. Beside it only courtesies, emoji, punctuation and the writer's
name are allowed. A condition, a question mark, a negated yes or other prose makes it no answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache

from correspondence.commands.answer_topics import CHOICES, QuestionTopic
from correspondence.commands.answer_words import MORE_WORDS, WORDS, Words
from correspondence.commands.typos import is_obvious_typo

MOST_WORDS = 80
"""Maximum number of words in an answer, courtesies included; a longer text is prose."""


@dataclass(frozen=True, slots=True)
class Question:
    """An open question: its topic, its number, and how many numbered choices its letter offered."""

    topic: QuestionTopic
    number: int | None = None
    choices: int = 0
    names: frozenset[str] = field(default=frozenset())
    """The names of writer and opponent, which are allowed beside an answer."""


@dataclass(frozen=True, slots=True)
class Yes:
    """A yes. `is_named`: it names its topic; `is_firm`: it says “accept”, not only “ok”."""

    is_named: bool = False
    is_firm: bool = False


@dataclass(frozen=True, slots=True)
class No:
    """A no, with the fields of `Yes`."""

    is_named: bool = False
    is_firm: bool = False


@dataclass(frozen=True, slots=True)
class ChosenNumber:
    """One of the numbered choices."""

    number: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A statement by the writer that their last answer was a mistake."""


@dataclass(frozen=True, slots=True)
class NotAnAnswer:
    """Text that is not an answer: other words, only courtesies, or a yes, no or number with more."""

    is_courtesy: bool = False
    begins_as_one: bool = False


Answer = Yes | No | ChosenNumber | Mistake | NotAnAnswer


def read_answer(question: Question, text: str) -> Answer:
    """Parse one or more lines as the answer to a question. Pure; the same for mail and pages."""
    lines = [line for line in _plain(text).splitlines() if line.strip() and not _DEVICE.match(line)]
    for end in range(1, len(lines)):
        if is_leave(lines[end]) and not isinstance(above := _read(question, lines[:end]), NotAnAnswer):
            return NotAnAnswer(begins_as_one=True) if _goes_on(lines[end + 1 :]) else above
    return _read(question, lines)


def names_in(text: str) -> frozenset[str]:
    """Return names in a text allowed beside an answer: “bob” in “bob via Correspondence”."""
    return frozenset(word for word in _words(_plain(text)) if not word.isdecimal()) - HEDGES


def without_accents(text: str) -> str:
    """Strip accents without changing any position; East Asian letters are left as they are."""
    chars = unicodedata.normalize("NFC", text).translate(_STROKED)
    return "".join(
        char if char >= "\u1100" and not _LATIN_MORE.match(char) else unicodedata.normalize("NFD", char)[0]
        for char in chars
    )


def is_leave(line: str) -> bool:
    """Whether a line is only a closing phrase and a name: “Thanks!”, “Best regards, Ann”."""
    leave, _sign, name = re.sub(r"[\s,.!–-]+$", "", _plain(line)).partition(",")
    words, others = tuple(_words(leave)), _words(name)
    is_name = len(others) <= _WORDS_OF_A_NAME and not any(_is_meant(word) for word in others)
    return bool(words) and is_name and any(_covers(words, phrases) for phrases in _leaves())


def _is_meant(word: str) -> bool:
    """Whether a word has a meaning in answers, so that it cannot be a name."""
    return word in HEDGES or word in "?\ufffd" or word.isdecimal() or word in _all_answers()


def is_thanks(line: str) -> bool:
    """Whether a line is only one phrase of thanks."""
    return " ".join(_words(_plain(line))) in _thanks()


def _goes_on(lines: Sequence[str]) -> bool:
    """Whether lines below a closing phrase retract or restrict the text above it."""
    return any(map(_retracts, lines))


def _is_hedge(word: str, at: int) -> bool:
    return word in HEDGES and (at == 0 or len(word) >= _LETTERS_OF_A_HEDGE or word in _HEDGED)


def _retracts(line: str) -> bool:
    """Whether a line begins with a hedge, or is short and holds one, or a no, outside of courtesies."""
    words, at = _words(line), 0
    while at < (len(words) if len(words) <= _WORDS_OF_A_RETRACTION else 1):
        length = next((n for n in range(_LONGEST, 0, -1) if tuple(words[at : at + n]) in _courtesies()), 0)
        word = words[at]
        refuses = any(tuple(words[at : at + n]) in _refusals() for n in range(2, _LONGEST))
        if not length and (refuses or _is_hedge(word, at)):
            return True
        at += length or 1
    return False


_HEDGED = ("no", "nein", "non", "nope", "nao", "nee", "nej")
HEDGES = frozenset(
    word for words in (*WORDS.values(), *MORE_WORDS.values()) for phrase in words.hedges.split("|") for word in [phrase]
) | frozenset(_HEDGED)
"""Words that retract or restrict an answer, even if they are also somebody's name."""

_DEVICE = re.compile(
    r"\s*(?:sent from|sent with|get outlook|gesendet von|von meinem|inviato da|envoye de|envoye depuis|enviado desde)\b",
    re.IGNORECASE,
)
_EMOTICON = re.compile(r"(?<!\w)(?:[:;=][-o^']?[()\[\]dpo/\\|*]+|<3+|\^_*\^|x+d+)(?!\w)")
_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_LATIN_MORE = re.compile("[\u1e00-\u1fff]")
"""Precomposed accented letters: Latin Extended Additional and Greek Extended."""
_STROKED = str.maketrans("øłđı", "oldi")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
"""A repeated letter, as in “yesss”."""
_REFUSING_SIGN = re.compile("[👎❌🚫🙅✋🛑⛔]|[+]\\d|[%@=/]")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?|\?|\ufffd")


def _plain(text: str) -> str:
    """Normalise: lower case, no accents, emoticons or keycaps; an ambiguous sign becomes “�”."""
    text = unicodedata.normalize("NFKC", _KEYCAP.sub(" ", text)).translate(_APOSTROPHES).casefold()
    return _REFUSING_SIGN.sub(" \ufffd ", _DRAWN_OUT.sub(r"\1", _EMOTICON.sub(" ", without_accents(text))))


_APOSTROPHES = {**{ord(char): "'" for char in "’‘‛′´`ʼ"}, **{ord(char): "?" for char in "؟՞፧"}, 0xAD: None}


def _words(text: str) -> list[str]:
    return [word.strip("'") for word in _WORD.findall(text)]


class _Part(Enum):
    """The role of a phrase in an answer."""

    YES = auto()
    ACCEPT = auto()
    AGREEING = auto()
    NO = auto()
    DECLINE = auto()
    NOUN = auto()
    MISTAKE = auto()
    FILLER = auto()
    COURTESY = auto()
    NUMBER = auto()
    THANKS_FOR = auto()
    GREETING = auto()
    PROSE = auto()


_ACTS = (_Part.AGREEING, _Part.ACCEPT, _Part.DECLINE)
"""What answers only if the writer does it: “you resign” does not."""

Vocabulary = Mapping[tuple[str, ...], _Part]


def _read(question: Question, lines: Sequence[str]) -> Answer:
    """Parse lines in every language; contradictory results are no answer."""
    if sum(len(_words(line)) for line in lines) > MOST_WORDS:
        return NotAnAnswer()
    answers = [_answer_of(list(_parts(question, language, lines)), question) for language in (*WORDS, *MORE_WORDS)]
    found = [answer for answer in answers if not isinstance(answer, NotAnAnswer)]
    if found and len({(type(answer), getattr(answer, "number", 0)) for answer in found}) == 1:
        kind = type(found[0])
        if kind in (Yes, No):
            return kind(*(any(getattr(one, name) for one in found) for name in ("is_named", "is_firm")))
        return found[0]
    begins = bool(found) or any(isinstance(one, NotAnAnswer) and one.begins_as_one for one in answers)
    return NotAnAnswer(any(isinstance(one, NotAnAnswer) and one.is_courtesy for one in answers), begins)


def _answer_of(parts: Sequence[tuple[_Part, int]], question: Question) -> Answer:
    """Combine the parts of a text into an answer."""
    kinds = {part for part, _number in parts}
    numbers = {number for part, number in parts if part is _Part.NUMBER}
    yes, no = kinds & {_Part.YES, _Part.ACCEPT}, kinds & {_Part.NO, _Part.DECLINE}
    if _Part.PROSE in kinds or (yes and no) or len(numbers) > 1 or (no and numbers):
        return NotAnAnswer(begins_as_one=_begins_as_one(parts))
    if _Part.MISTAKE in kinds and not (yes or no or numbers):
        return Mistake()
    if numbers:
        return ChosenNumber(numbers.pop())
    is_named = _Part.AGREEING in kinds
    takes = question.topic.takes_yes
    if no and takes:
        return No(is_named, _Part.DECLINE in kinds)
    if not no and ((yes and takes) or _Part.AGREEING in kinds):
        return Yes(is_named, _Part.ACCEPT in kinds)
    return NotAnAnswer(is_courtesy=not (yes or no), begins_as_one=bool(yes or no))


def _begins_as_one(parts: Sequence[tuple[_Part, int]]) -> bool:
    first = next((part for part, _number in parts if part not in (_Part.COURTESY, _Part.FILLER, _Part.GREETING)), None)
    return first in (_Part.YES, _Part.ACCEPT, _Part.AGREEING, _Part.NO, _Part.DECLINE, _Part.NUMBER)


def _parts(question: Question, language: str, lines: Sequence[str]) -> Iterator[tuple[_Part, int]]:
    """Split lines into the longest known phrases, each with its role and its number."""
    vocabulary = _vocabulary(question.topic, language, question.choices > 0)
    for line in lines:
        yield from _parts_of_line(question, language, vocabulary, line)


def _parts_of_line(question: Question, language: str, vocabulary: Vocabulary, line: str) -> Iterator[tuple[_Part, int]]:
    has_yes = False
    for clause in re.split(r"[.!,;:]+(?=\s|$)|\s[-–—]+\s", line):
        words, at, is_about_you = _words(clause), 0, False
        while at < len(words):
            length, part = _longest(vocabulary, words, at)
            word = words[at]
            if is_about_you and part in _ACTS:
                part = _Part.PROSE
            is_about_you = part is _Part.FILLER and word not in ("i", "we") and (is_about_you or word == "you")
            if part is _Part.THANKS_FOR:
                rest = words[at + length :]
                part = _thanks_for(question, language, rest, has_yes)
                length += len(rest)
            elif part is _Part.GREETING:
                length += _words_of_name(vocabulary, words[at + length :])
            elif part is _Part.PROSE and word.isdecimal() and len(word) < 5 and int(word) != question.number:
                part = _Part.NUMBER if question.choices else part
            elif part is _Part.PROSE and (word in question.names or word == str(question.number)):
                part = _Part.FILLER if word not in HEDGES else part
            phrase = " ".join(words[at : at + length])
            number = int(word) if word.isdecimal() and part is _Part.NUMBER else _NUMBER_WORDS.get(phrase, 0)
            has_yes = has_yes or part is _Part.YES
            yield part, number if part is _Part.NUMBER else 0
            at += length


def _longest(vocabulary: Vocabulary, words: Sequence[str], at: int) -> tuple[int, _Part]:
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        part = vocabulary.get(tuple(words[at : at + length]))
        if part is not None:
            return length, part
    return 1, _of_misspelt(vocabulary, words[at])


def _of_misspelt(vocabulary: Vocabulary, word: str) -> _Part:
    """The role of the word of an offer that `word` is an obvious typo of, such as “accpet”; else prose."""
    meant = {vocabulary[(known,)] for known in _SPELT if (known,) in vocabulary and is_obvious_typo(word, known)}
    return meant.pop() if len(meant) == 1 and word not in HEDGES else _Part.PROSE


_SPELT = (
    "accept accepted decline declined accetto rifiuto annehmen angenommen ablehnen abgelehnt acepto rechazo".split()
)


_LONGEST = 8
_WORDS_OF_A_RETRACTION = 12
_LETTERS_OF_A_HEDGE = 3
"""Shorter words, such as Italian “o”, have other meanings in other languages."""
_WORDS_OF_A_NAME = 3
_WORDS_THANKED_FOR = 7


def _thanks_for(question: Question, language: str, words: Sequence[str], has_yes: bool) -> _Part:
    """Return COURTESY if `words` are what an answer gives thanks for, else PROSE.

    “OK, thanks for your message” only confirms that the message arrived.
    """
    thanked, news = _thanked(question.topic, language)
    allowed = thanked | question.names if has_yes else thanked | news | question.names
    is_short = 0 < len(words) <= _WORDS_THANKED_FOR
    return _Part.COURTESY if is_short and all(word in allowed for word in words) else _Part.PROSE


@cache
def _thanked(topic: QuestionTopic, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that may follow “thanks for”, and those for a message received."""
    every = {**WORDS, **MORE_WORDS}
    thanked, news = set[str](), set[str]()
    for name in ("en", language):
        thanked.update(every[name].thanked.split("|"))
        news.update(every[name].news.split("|"))
        at = list(every).index(name)
        thanked.update(word for phrase in topic.nouns[at : at + 1] for word in re.split("[| ]", phrase))
    return frozenset(thanked) - {""}, frozenset(news) - {""}


def _words_of_name(vocabulary: Vocabulary, words: Sequence[str]) -> int:
    """Count the words that are the name behind a greeting."""
    if len(words) > _WORDS_OF_A_NAME:
        return 0
    if any(word in HEDGES or word in "?\ufffd" or word.isdecimal() for word in words):
        return 0
    return 0 if any(vocabulary.get((word,)) not in (None, _Part.NOUN) for word in words) else len(words)


@cache
def _vocabulary(topic: QuestionTopic, language: str, has_choices: bool) -> Vocabulary:
    """All phrases of one language, plus English, which our letters and many people use."""
    found: dict[tuple[str, ...], _Part] = {}
    names = dict.fromkeys(("en", language))
    for name in names:
        _add_words(found, {**WORDS, **MORE_WORDS}[name])
    at = [list({**WORDS, **MORE_WORDS}).index(name) for name in names]
    rows = ((CHOICES.nouns, _Part.FILLER) if has_choices else ((), _Part.NOUN)), (topic.nouns, _Part.NOUN)
    for phrases, part in (*rows, (topic.agreeing, _Part.AGREEING), (topic.declining, _Part.DECLINE)):
        for index in at:
            if index < len(phrases):
                _add(found, phrases[index], part)
    if has_choices:
        for name in names:
            _add(found, {**WORDS, **MORE_WORDS}[name].numbers, _Part.NUMBER)
            _add(found, {**WORDS, **MORE_WORDS}[name].ordinals.replace("/", "|"), _Part.NUMBER)
    if topic.confirms:
        _add(found, "wait|cancel|cancel it|never mind|annulla|annuler|cancelar", _Part.NO)
    return found


def _add_words(found: dict[tuple[str, ...], _Part], words: Words) -> None:
    for phrases, part in (
        (words.fillers, _Part.FILLER), (words.pleasantries, _Part.COURTESY), (words.please, _Part.COURTESY),
        (words.thanks, _Part.COURTESY), (words.closings, _Part.COURTESY), (words.greetings, _Part.GREETING),
        (words.thanks_for, _Part.THANKS_FOR), (words.mistake, _Part.MISTAKE), (words.yes, _Part.YES),
        (words.accept, _Part.ACCEPT), (words.no, _Part.NO), (words.decline, _Part.DECLINE),
    ):  # fmt: skip
        _add(found, phrases, part)


def _add(found: dict[tuple[str, ...], _Part], phrases: str, part: _Part) -> None:
    found.update((tuple(phrase.split()), part) for phrase in phrases.split("|") if phrase)


_NUMBER_WORDS = {
    form: number
    for words in WORDS.values()
    for listed in (words.numbers, words.ordinals)
    for number, forms in enumerate(listed.split("|"), start=1)
    for form in forms.split("/")
}


@cache
def _leaves() -> tuple[frozenset[tuple[str, ...]], ...]:
    """The closing phrases of each language, plus English."""
    every = {**WORDS, **MORE_WORDS}
    return tuple(
        frozenset(
            tuple(phrase.split())
            for one in (words, every["en"])
            for phrase in f"{one.thanks}|{one.closings}|{one.please}".split("|")
        )
        for words in every.values()
    )


@cache
def _courtesies() -> frozenset[tuple[str, ...]]:
    """The pleasantries, closings and thanks of every language, as words."""
    every = (*WORDS.values(), *MORE_WORDS.values())
    listed = (phrases for one in every for phrases in (one.pleasantries, one.closings, one.thanks))
    return frozenset(tuple(phrase.split()) for phrases in listed for phrase in phrases.split("|"))


@cache
def _refusals() -> frozenset[tuple[str, ...]]:
    """The phrases of several words that mean no, in every language."""
    every = (*WORDS.values(), *MORE_WORDS.values())
    phrases = (phrase.split() for one in every for phrase in f"{one.no}|{one.decline}".split("|"))
    return frozenset(tuple(phrase) for phrase in phrases if len(phrase) > 1)


def _covers(words: tuple[str, ...], phrases: Collection[tuple[str, ...]]) -> bool:
    """Whether words consist entirely of phrases from a set."""
    return not words or any(
        words[:length] in phrases and _covers(words[length:], phrases)
        for length in range(1, min(_LONGEST, len(words)) + 1)
    )


@cache
def _thanks() -> frozenset[str]:
    return frozenset(phrase for words in (*WORDS.values(), *MORE_WORDS.values()) for phrase in words.thanks.split("|"))


@cache
def _all_answers() -> frozenset[str]:
    """The single words that mean yes or no in any language."""
    return frozenset(
        phrase
        for words in (*WORDS.values(), *MORE_WORDS.values())
        for phrases in (words.yes, words.accept, words.no, words.decline)
        for phrase in phrases.split("|")
    )
