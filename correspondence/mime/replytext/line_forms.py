"""Recognise lines by form: attributions, headers, separators, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from correspondence.mime.markers import OUR_MARKERS

from .phrases import (
    DEVICES,
    FOOTERS,
    FORWARDED,
    GLUED_VERBS,
    LABELS,
    OPENERS,
    ORIGINAL,
    SENT_FROM,
    SENT_FROM_ENDINGS,
    VERBS,
    fold,
)

ATTRIBUTION_LENGTH = 600
"""Maximum characters of “On … wrote:”, over all its lines."""

_DASHES = "-_=*#~—–─━―"
_YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_DATE = re.compile(r"(?<!\d)\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)")
_ADDRESS = re.compile(r"[^\s@<>]@[^\s@<>.]+\.[^\s@<>.]")
_NAMED_AND_VERB = re.compile(r"^[\W_]*[^<>,]{0,60}<[^\s<>@]+@[^\s<>@]+> *[^<>,]{1,30}$")
_WORD = re.compile(r"\w+")
_LINKS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)|https?://\S+")
_LABEL_LENGTH = 30
_FLAT_LENGTH = 1_000
_FOOTER_LENGTH = 20
_PHONE_WORDS = 12
_EXCUSES = ("excuse", "typo", "brevity", "entschuldig", "tippfehler", "excusez")
_SYSTEMS = frozenset({"ios", "android"})
_AMBIGUOUS = ("küldve", "来自", "來自", "ส่งจาก", "dikirim dari", "saadetud minu", "išsiųsta iš", "nosūtīts no")
_VAGUE = ("sent with", "sent by", "sent using", "sent via")


def has_address(text: str) -> bool:
    """Whether `text` contains a mail address."""
    return "@" in text and _ADDRESS.search(text) is not None


def has_date(text: str) -> bool:
    """Whether `text` contains a year, a time of day or a numeric date."""
    return any(pattern.search(text) for pattern in (_YEAR, _TIME, _DATE))


def has_verb(text: str) -> bool:
    """Whether `text` contains “wrote” in any known language."""
    lower_text = fold(text)
    return not VERBS.isdisjoint(_WORD.findall(lower_text)) or any(verb in lower_text for verb in GLUED_VERBS)


def begins_dated(line: str) -> bool:
    """Whether `line` begins like “On 3 March”: with a preposition and digits."""
    first = fold(line.strip(" *_" + _DASHES).partition(" ")[0]).strip(".,")
    return first in OPENERS and any(char.isdigit() for char in line[:80])


def ends_attribution(line: str) -> bool:
    """Whether `line` ends like the last line of an attribution."""
    end = line.rstrip(" *_>\"'" + _DASHES)
    if end.endswith((":", "：")):
        return True
    return _ends_with_verb(end)


def _ends_with_verb(end: str) -> bool:
    tail = fold(end[-30:])
    return tail.rpartition(" ")[2] in VERBS or tail.endswith(GLUED_VERBS)


def names_writer(chunk: str) -> bool:
    """Whether the text of an attribution contains an address or a verb for “wrote”."""
    return has_address(chunk) or has_verb(chunk)


def is_attribution(chunk: str, first: str) -> bool:
    """Whether `chunk`, with first line `first`, names writer and date, in any language."""
    if not (has_date(chunk) or begins_dated(first)):
        return False
    if names_writer(chunk):
        return True
    dated = _YEAR.search(chunk) or _DATE.search(chunk)
    return bool(dated and _TIME.search(chunk) and chunk.rstrip().endswith((":", "：")))


def is_undated_attribution(line: str) -> bool:
    """Whether `line` names the writer but no date: “---- Bob schrieb ----”."""
    bare = line.strip()
    if not (_NAMED_AND_VERB.search(bare) or (_is_framed(bare) and any(map(str.isupper, bare)))):
        return False
    return _ends_with_verb(bare.rstrip(" :：" + _DASHES))


def attribution_runs_on(line: str) -> bool:
    """Whether `line` is an attribution followed by its quotation: “On 3 March … wrote: Hello”."""
    if not begins_dated(line):
        return False
    pieces = line[:ATTRIBUTION_LENGTH].replace("：", ":").split(":")
    ends = (i for i in range(1, len(pieces)) if _ends_with_verb(pieces[i - 1].rstrip()))
    end = next(ends, 0)
    head, rest = ":".join(pieces[:end]), "".join(pieces[end:])
    return has_address(head) and has_date(head) and bool(rest.strip())


def label_of(line: str) -> str | None:
    """Return the label in `line` (from, sent, to, subject, copy); None if there is none."""
    head, colon, _ = line.replace("：", ":").partition(":")
    if not colon or len(head) > _LABEL_LENGTH:
        return None
    return LABELS.get(fold(head.strip("*_ \t>")))


def is_labelled(line: str) -> bool:
    """Whether `line` looks like a header in any language: a few words, a colon, a value."""
    head, _, value = line.replace("：", ":").partition(":")
    name = head.strip("*_ \t>").replace(" ", "").replace("'", "").replace("-", "")
    return len(head) <= _LABEL_LENGTH and name.isalpha() and bool(value.strip())


def begins_header_block(lines: Sequence[str]) -> bool:
    """Whether `lines` begin with the headers of a quoted message."""
    if label_of(lines[0]) in (None, "copy"):
        return _begins_unknown_block(lines)
    kinds, block = _block(lines[:14])
    if len(kinds - {"copy"}) < 2:
        return False
    return len(kinds) > 2 or has_address(block) or has_date(block)


def _block(lines: Sequence[str]) -> tuple[set[str], str]:
    kinds: set[str] = set()
    block: list[str] = []
    strays = blanks = 0
    for line in lines:
        kind = label_of(line)
        blanks = 0 if line.strip() else blanks + 1
        strays = 0 if kind else strays + bool(line.strip())
        if blanks > 1 or strays > 1:
            break
        if kind:
            kinds.add(kind)
            kinds.update(_inner_labels(line))
        block.append(line)
    return kinds, " ".join(block)


def _inner_labels(line: str) -> Iterator[str]:
    """Yield the kinds of other headers on the same line: “To: ann Subject: hello”."""
    for head in line[:_FLAT_LENGTH].replace("：", ":").split(":")[1:-1]:
        for count in (1, 2):
            kind = LABELS.get(fold(" ".join(head.split()[-count:]).strip("*_")))
            if kind:
                yield kind


def _begins_unknown_block(lines: Sequence[str]) -> bool:
    rows: list[str] = []
    for line in lines[:8]:
        if not is_labelled(line):
            break
        rows.append(line)
    block = " ".join(rows)
    return len(rows) > 2 and has_address(block) and has_date(block)


def is_separator(line: str) -> bool:
    """Whether `line` is a row of dashes or similar characters."""
    bare = line.strip().replace(" ", "")
    return len(bare) > 2 and not bare.strip(_DASHES)


def is_original_heading(line: str, phrases: frozenset[str] = ORIGINAL) -> bool:
    """Whether `line` is “original message” or “forwarded message”, in dashes or before a colon."""
    bare = line.strip()
    inner = fold(bare.strip(_DASHES + "<>: "))
    if not inner or len(inner) > 60:
        return False
    if len(bare) > 3 and bare[0] in _DASHES and bare[1] in _DASHES and any(phrase in inner for phrase in phrases):
        return True
    announces = bare.endswith((":", "：")) and len(inner.split()) < 6
    return announces and any(phrase in inner for phrase in FORWARDED)


def is_forward(line: str) -> bool:
    """Whether `line` says “forwarded message”."""
    return is_original_heading(line, FORWARDED)


def is_unframed_heading(line: str) -> bool:
    """Whether `line` is only “original message”, or a few words in dashes, in any language."""
    return fold(line.strip(_DASHES + "<>: ")) in ORIGINAL or _is_framed(line.strip())


def _is_framed(bare: str) -> bool:
    framed = bare[:3].strip(_DASHES) == "" and bare[-3:].strip(_DASHES) == ""
    return framed and 6 < len(bare) <= 80


def is_our_marker(line: str) -> bool:
    """Whether `line` is our marker “write your answer above this line”, or another service's."""
    if len(line) > 200:
        return False
    letters = _letters(line)
    if any(marker in letters for marker in _MARKERS):
        return True
    framed = line.strip()[:1] in _FRAMES and line.strip()[-1:] in _FRAMES
    return framed and any(words in letters for words in _ABOVE_THIS_LINE)


def _letters(line: str) -> str:
    return "".join(filter(str.isalpha, fold(line)))


_MARKERS = tuple(map(_letters, OUR_MARKERS))
_FRAMES = frozenset(_DASHES + "<>[]()|+:.")
_ABOVE_THIS_LINE = ("abovethisline", "sopraquestariga", "überdieserzeile", "audessusdecetteligne")


def is_signature_rule(line: str) -> bool:
    """Whether `line` is `-- `, or the underscores or long dashes that some programs use instead."""
    bare = line.strip()
    return bare in ("--", "—", "―") or (len(bare) > 1 and (not bare.strip("_") or not bare.strip("—―─━")))


def is_footer(line: str) -> bool:
    """Whether `line` begins a mail server's footer: a disclaimer or an antivirus advertisement."""
    bare = fold(line[:_FLAT_LENGTH])
    is_worded = len(bare) > _FOOTER_LENGTH and any(phrase in bare for phrase in FOOTERS)
    return is_worded or _is_confidential(bare) or _is_machine_written(bare)


def _is_confidential(bare: str) -> bool:
    """Whether a line says of its own mail that it is confidential: “Ce message et ses pièces jointes sont …”."""
    is_long = len(bare) >= _DISCLAIMER_LENGTH
    return is_long and _MAIL_ITSELF.match(bare) is not None and _CONFIDENTIAL.search(bare) is not None


def _is_machine_written(bare: str) -> bool:
    """Whether a line says of its own mail that a machine wrote it: “Written with Copilot”."""
    if bare.rstrip().endswith(("?", "!")) or not (_MACHINE.search(bare) and _WRITTEN.search(bare)):
        return False
    return _MAIL_ITSELF.match(bare) is not None or _WRITTEN.match(bare) is not None


_DISCLAIMER_LENGTH = 50
_MAIL_ITSELF = re.compile(
    r"\W*(?:(?:parts of )?th(?:is|ese|e) |(?:il |la |le )?present[ei] |quest[oa] |le informazioni |dies(?:e|er|es) |"
    r"teile dies|ce |cet |cette |les informations |est[ae] |ess[ae] |dit |deze |denne |detta |t[ao] |tento |notice|warning)"
    r".{0,60}?(?:mail|message|communication|reply|text|content|information|transmission|messaggio|comunicazione|"
    r"informazioni|testo|nachricht|courriel|informations|mensaje|correo|mensagem|bericht|meddelande|besked|wiadomo)"
)
_CONFIDENTIAL = re.compile(
    r"confiden[tz]\w+|riservat[aeio]\b|vertraulich|vertrouwelijk|privileged|konfiden\w+|fortrolig|poufn"
)
_MACHINE = re.compile(
    r"\b(?:ai|a\.i\.|ki|ia|copilot|chatgpt|gemini|artificial intelligence|intelligenza artificiale|"
    r"künstliche[rn]? intelligenz|intelligence artificielle|inteligencia artificial)\b"
)
_WRITTEN = re.compile(
    r"\W*(?:(?:text[eo]?|testo|messaggio|message|mensaje|mensagem|nachricht|antwort|risposta|reply|e-?mail) )?"
    r"(?:(?:ai|ki|ia)-)?\b(?:generated|drafted|written|composed|created|assisted|prepared|erstellt|verfasst|geschrieben|"
    r"generato|scritto|redatto|généré|rédigé|écrit|generado|escrito|redactado)\b"
)


def _advertises_outlook(line: str, bare: str) -> bool:
    """Whether `line` is Outlook's advertisement on phones, in any language."""
    word_list = _WORD.findall(bare)
    short = len(word_list) <= 7 and not line.rstrip().endswith((".", "?", "!"))
    return short and any("outlook" in word for word in word_list) and any(_named_system(word) for word in word_list)


def _named_system(word: str) -> bool:
    return any(word.startswith(system) for system in _SYSTEMS)


def is_device_signature(line: str) -> bool:
    """Whether `line` resembles “Sent from my phone”, but is not an ordinary sentence."""
    if len(line) > 300:
        return False
    bare = fold(_LINKS.sub("", line).strip(" *_.\t"))
    before_comma, comma, rest = bare.partition(",")
    if comma and (bare.startswith("yahoo mail:") or any(word in rest for word in _EXCUSES)):
        bare, comma = before_comma, ""  # “Sent from my phone, please excuse typos”
    if comma or len(bare.split()) > _PHONE_WORDS:
        return False
    if _advertises_outlook(line, bare):
        return True
    if bare.startswith(SENT_FROM):
        if bare.startswith(_AMBIGUOUS):
            return any(device in bare for device in DEVICES)
        return not bare.startswith(_VAGUE) or any(map(str.isupper, line.strip()[1:]))  # “sent with love”
    return bare.endswith(SENT_FROM_ENDINGS) and any(device in bare for device in DEVICES)
