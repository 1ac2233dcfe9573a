"""Find text around a reply: a mail server's warning above it, and the signature below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from .phrases import BANNERS, SIGN_OFFS, THANKS, TITLES, fold, words

MOST_LINES = 12
"""Maximum lines of a warning or a signature, without blank ones."""

_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_A_NAME = 4
_LENGTH = 80
_LINES_BELOW_SIGN_OFF = 5
_TELEPHONE = re.compile(
    r"(?:^|[|·•/] ?)(?:tel|telefon|telefono|teléfono|téléphone|phone|fon|mobile|mobil|mob|cell|handy|fax|"
    r"direct|office|[tmpf])\b"
    r"[^\w+(]{0,5}[+(]?\d|(?:^|\s)\+\d[\d ()./-]{6,}\d|^[+(]?\d[\d ()./-]{7,}\d$",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://|\bwww\.|[^\s@]@[^\s@.]+\.[^\s@]", re.IGNORECASE)
_MAIL = re.compile(r"\S+@\S+\.\S+")
_NO_WORDS = re.compile(
    r"<?(?:https?://|www\.)\S+|\S+@\S+|\([^()]*\)|\[(?:image|cid|logo|bild|immagine)\b[^]]*\]", re.IGNORECASE
)
"""Matches links, addresses, brackets and pictures, which are not words."""
_PICTURE = re.compile(r"\[(?:image|cid|logo|bild|immagine)\b[^]]*\]|<[\w-]+\.(?:png|jpe?g|gif)>", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"\W*(?:skype|teams|zoom|linkedin|whatsapp|telegram|signal|twitter)\b[\w -]{0,12}[:：] ?\S+"
    r"|\W*(?:p\.? ?iva|vat|ust)\b[\w .-]{0,12}[:：]? ?\d+",
    re.IGNORECASE,
)
"""Matches a line that names an account or a tax number."""
_LABELLED = re.compile(
    r"\W*(?:tel|telefon|telefono|teléfono|téléphone|phone|mobile|mobil|mob|cell|handy|fax|office|"
    r"[tmpf])\b[^\w+(]{1,4}[+(]?\d[\d ()./-]+",
    re.IGNORECASE,
)
"""Matches a line that is only a telephone number with its label."""
_LABEL = re.compile(r"(?:e-?mail|mail|web|website|internet)\b[:： ]\s*", re.IGNORECASE)
_PIECE_END = re.compile(r"\s[|·•–—/]\s")
_TITLE_WORD = re.compile(r"[^\W\d_]+(?:[.&][^\W\d_]+)*")
_TAG = re.compile(
    r"\[\s*(?:ext|ext[ée]rn\w*|estern[oa]|ekstern\w*)\b[^]]{0,40}\]"
    r"|[^\w\s]+\s*(?:ext[ée]rn\w*|estern[oa]|ekstern\w*)\b(?:\W+(?:e-?mail|mail|message|sender|nachricht|"
    r"messaggio|mittente))?"
    r"(?:\W+(?:use caution|be careful))?[^\w\s]*\s*[^\w\s]*"
)
"""Matches a mail server's tag, such as “[EXT]” or “-- External message --”."""
_POSTSCRIPT = re.compile(r"\s*(?:p\.? ?s\b|n\.? ?b\b|з\.? ?ы\b|追伸)", re.IGNORECASE)
_SMALL_WORDS = words(
    "of | and | the | for | in | at | on | de | di | der | die | das | den | des | du | da | do | dos | del | della | van"
    "| von | et | für | fur | zu | och | og | tel | phone | fon | mobile | mobil | cell | handy | fax | direct | office | email"
    "| mail | web | ext | room | he | him | she | her | they | them"
)
"""Words that do not show whether a line is prose."""
_SENTENCE_END = (".", "!", "?", "。", "！", "？", ":", ")", "]", ">")


def banner_end(lines: Sequence[str], acts: Callable[[str], bool]) -> int:
    """Return the number of lines of a mail server's warning above the reply."""
    start = sum(1 for _line in takewhile(lambda line: not line.strip(), lines))
    paragraph = list(takewhile(str.strip, lines[start : start + MOST_LINES]))
    last = max((i for i, line in enumerate(paragraph) if _is_banner(line)), default=None)
    if last is None or any(map(acts, paragraph[: last + 1])):
        return 0
    while last + 1 < len(paragraph) and not paragraph[last].rstrip(" *_").endswith(_SENTENCE_END):
        if acts(paragraph[last + 1]):
            break
        last += 1
    return start + last + 1


def _is_banner(line: str) -> bool:
    bare = fold(line)
    return any(map(_TAG.fullmatch, (bare.strip(), bare.strip(" *_")))) or any(phrase in bare for phrase in BANNERS)


def signature_of(lines: Sequence[str], author: str, acts: Callable[[str], bool]) -> range:
    """Return the range of the writer's name and address below a reply; empty if none.

    `author` is the name in From. A name counts if it follows a closing phrase such as “Best regards”, or is the last
    line. A contact block counts at the end: lines without prose, one of which contains a telephone number, a link, a
    title or a company.
    """
    names = frozenset(map(fold, _WORD.findall(author)))
    end = next((i for i, line in enumerate(lines) if i and _POSTSCRIPT.match(line)), len(lines))
    written = [i for i in range(end) if lines[i].strip()][-MOST_LINES:]
    last_act = max((i for i in written if acts(lines[i])), default=-1)
    below = [i for i in written if i > last_act]
    for start in below:
        rest = [lines[i] for i in below if i >= start]
        if _bare(rest[0]) in SIGN_OFFS | THANKS and len(rest) > 1 and _is_name_below(rest, names):
            return range(start, _end_of_signed(lines, start, end))
        if start > 0 and len(rest) == 1 and _signs(rest[0], names):
            pictures = takewhile(lambda i: _PICTURE.fullmatch(lines[i].strip()), range(start - 1, 0, -1))
            return range(min(pictures, default=start), end)
    return range(_with_sign_off(lines, below, _start_of_card(lines, below, names, end)), end)


def _with_sign_off(lines: Sequence[str], below: Sequence[int], start: int) -> int:
    """Return `start` of a contact block, or the closing phrase directly above it."""
    above = max((i for i in below if i < start), default=0)
    is_card = any(i >= start for i in below)
    return above if is_card and above > 0 and _bare(lines[above]) in SIGN_OFFS else start


def _end_of_signed(lines: Sequence[str], start: int, end: int) -> int:
    """Return the line below a closing phrase and name where a new paragraph of prose begins."""
    name = next(i for i in range(start + 1, end) if lines[i].strip())
    for i in range(name + 1, end):
        if lines[i].strip() and not lines[i - 1].strip() and not all(map(_fits_card, _paragraph(lines, i, end))):
            return i
    return end


def _start_of_card(lines: Sequence[str], below: Sequence[int], names: frozenset[str], end: int) -> int:
    """Return where the contact block at the end of the lines begins; `end` if there is none."""
    found = end
    for start in reversed([i for i in below if i > 0 and not lines[i - 1].strip()]):
        paragraph = _paragraph(lines, start, end)
        is_name = len(paragraph) == 1 and found < end and _is_author(paragraph[0], names)
        if not (is_name or _is_card(paragraph, names)):
            break
        found = start
    return found


def _paragraph(lines: Sequence[str], start: int, end: int) -> list[str]:
    return list(takewhile(str.strip, lines[start:end]))


def _is_card(paragraph: Sequence[str], names: frozenset[str]) -> bool:
    """Whether a paragraph is a contact block or part of one, beginning with a name or contact."""
    if all(_PICTURE.fullmatch(line.strip()) or _is_contact(line) for line in paragraph):
        return True
    if not all(map(_fits_card, paragraph)):
        return False
    pieces = [
        piece for line in paragraph for piece in _PIECE_END.split(_PICTURE.sub("", line)) if piece.strip(" *_-–—")
    ]
    if len(pieces) < 2 or not any(map(_tells, pieces)):
        return False
    if any(map(_is_caseless, pieces)) and not any(_TELEPHONE.search(piece) or _MAIL.search(piece) for piece in pieces):
        return False
    return _is_author(pieces[0], names) or _looks_like_name(pieces[0]) or _tells(pieces[0])


def _fits_card(line: str) -> bool:
    """Whether a line fits a contact block: short, no sentence, mostly capitalised words."""
    if len(line) > _LENGTH:
        return False
    if _ACCOUNT.fullmatch(line.strip()):
        return True
    bare = _NO_WORDS.sub(" ", line).strip(" \t*_|-–—")
    if bare.endswith(("!", "?", "…", "。")) or (bare.endswith(".") and not _tells(line)):
        return False
    words = [word for word in _WORD.findall(bare) if len(word) > 1 and fold(word) not in _SMALL_WORDS]
    small = sum(word[0].islower() for word in words)
    return small < len(words) - small or (small == len(words) - small and (not words or _has_title(line)))


def _tells(line: str) -> bool:
    """Whether a line contains a telephone number, a link, a title or a company."""
    return bool(
        _TELEPHONE.search(line.strip())
        or _ACCOUNT.fullmatch(line.strip())
        or (_LINK.search(line) and len(line.split()) <= 4)
    ) or _has_title(line)


def _has_title(line: str) -> bool:
    return any(fold(word) in TITLES for word in _TITLE_WORD.findall(line))


def _is_caseless(line: str) -> bool:
    return any(word[0].lower() == word[0].upper() for word in _WORD.findall(line))


def _is_contact(line: str) -> bool:
    """Whether a line is only a mail address, or a telephone number with its label."""
    bare = _LABEL.sub("", line.strip())
    is_link = bare != line.strip() and _LINK.match(bare) is not None and " " not in bare
    return bool(_MAIL.fullmatch(bare) or is_link or _LABELLED.fullmatch(line.strip()))


def _signs(line: str, names: frozenset[str]) -> bool:
    """Whether a line is the writer's name, with titles, an address or a closing phrase: “MfG Ann Berg”."""
    words = [fold(word) for word in _WORD.findall(_NO_WORDS.sub(" ", line))]
    closing = next((n for n in range(len(words) - 1, 0, -1) if " ".join(words[:n]) in SIGN_OFFS | THANKS), 0)
    rest = [word for word in words[closing:] if word not in TITLES]
    return bool(rest) and _is_author(" ".join(rest), names)


def _is_name_below(rest: Sequence[str], names: frozenset[str]) -> bool:
    if _signs(rest[1], names) or _is_initial(rest[1], names):
        return True
    is_short = len(rest) <= _LINES_BELOW_SIGN_OFF and all(len(line) <= _LENGTH for line in rest)
    return _bare(rest[0]) in SIGN_OFFS and (is_short or any(map(_tells, rest[2:]))) and _looks_like_name(rest[1])


def _is_author(line: str, names: frozenset[str]) -> bool:
    words = [fold(word) for word in _WORD.findall(line)]
    return (
        0 < len(words) <= _WORDS_OF_A_NAME
        and all(word in names or len(word) == 1 for word in words)
        and (not names.isdisjoint(words))
    )


def _is_initial(line: str, names: frozenset[str]) -> bool:
    letters = _WORD.findall(line)
    return 0 < len(letters) < 3 and all(
        len(one) == 1 and any(name.startswith(fold(one)) for name in names) for one in letters
    )


def _looks_like_name(line: str) -> bool:
    if len(line.strip()) > 40:
        return False
    words = _WORD.findall(_NO_WORDS.sub(" ", line))
    is_short = 0 < len(words) <= _WORDS_OF_A_NAME
    return is_short and not line.rstrip().endswith(("!", "?")) and all(word[0] == word[0].upper() for word in words)


def _bare(line: str) -> str:
    """Strip punctuation; of a bilingual closing phrase return the first (“Grüße / Regards”)."""
    bare = fold(line.strip(" \t,;.!:-–—*_…~。，！"))
    pieces = [piece.strip() for piece in re.split(r"[/|]", bare)]
    return pieces[0] if len(pieces) == 2 and all(piece in SIGN_OFFS | THANKS for piece in pieces) else bare
