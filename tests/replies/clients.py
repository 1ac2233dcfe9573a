"""Replies to our notice as mail programs write them: twenty languages, eight programs, four postures.

`retold` is what programs make of our HTML letter when they quote it as plain text, each in its own manner.
"""

from __future__ import annotations

import json
import quopri
import re
import string
import textwrap
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

from correspondence.mime.cleaning import clean
from correspondence.mime.limits import TEXT_LIMIT
from correspondence.mime.replytext.lines import plain_lines
from correspondence.mime.replytext.parts import Body
from correspondence.mime.replytext.reading import Reply, reply_in

FOLDER = Path(__file__).parent
NOTICE = (FOLDER / "notice.txt").read_text(encoding="utf-8")
NOTICE_HTML = (FOLDER / "notice.html").read_text(encoding="utf-8")
LANGUAGES = json.loads((FOLDER / "languages.json").read_text(encoding="utf-8"))

MARKED = ("gmail", "thunderbird", "apple", "k9", "proton")
UNMARKED = ("outlook", "outlook-desktop", "yahoo")
CLIENTS = MARKED + UNMARKED
POSTURES = ("top", "bottom", "inline")
WIRES = ("8bit", "quoted-printable", "base64", "flowed")

TYPED = {
    "top": ["Bxh4/a7=N", "that was close, well played", "2. is my lucky number"],
    "bottom": ["c3/g1=B", "sorry for the delay"],
    "inline": ["no need to worry", "c3/g1=B"],
}


def read_body(text: str, sent: Sequence[str] = (), acts: Callable[[str], bool] = lambda line: False) -> Reply:
    """What is read in a plain body of this text, as if it were decoded already."""
    return reply_in(Body(plain_lines(clean(text[:TEXT_LIMIT]))), sent, acts)


def unmarked_notice() -> str:
    """Our notice without the line above which one answers, as if a program had lost it."""
    return NOTICE.partition("\n")[2].lstrip("\n")


def headers(language: str, *, bold: bool = False) -> list[str]:
    words = LANGUAGES[language]
    values = [
        "Correspondence <r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example>",
        words["sent"],
        "ann@post.example",
        "[Game 42 vs bob] your turn",
    ]
    star = "*" if bold else ""
    return [f"{star}{label}:{star} {value}" for label, value in zip(words["labels"], values, strict=True)]


def attribution(client: str, language: str) -> list[str]:
    words = LANGUAGES[language]
    if client == "outlook":
        return ["_" * 32, *headers(language)]
    if client == "outlook-desktop":
        return [words["original"], *headers(language)]
    line = words[{"k9": "gmail", "proton": "yahoo"}.get(client, client)]
    return textwrap.wrap(line, 78, break_long_words=False) if client in ("gmail", "k9") else [line]


def plain_reply(
    client: str, language: str, posture: str, notice: str = NOTICE, typed: Sequence[str] | None = None
) -> str:
    """The plain body of a reply by `client` to `notice`, in which `typed` was typed."""
    rows = notice.rstrip("\n").split("\n")
    prefix = "> " if client in MARKED else "    " if client == "yahoo" else ""
    quoted = [(prefix + row).rstrip() for row in rows]
    announced = attribution(client, language)
    if client == "apple":
        announced = [*(f"> {row}" for row in announced), ">"]
    middle = len(quoted) // 2
    typed = typed or TYPED[posture]
    page = {
        "top": [*typed, "", *announced, "", *quoted],
        "bottom": [*announced, *quoted, "", *typed],
        "around": [typed[0], "", *announced, "", *quoted, "", typed[-1]],
        "inline": [*announced, *quoted[:middle], "", typed[0], "", *quoted[middle:], "", typed[-1]],
    }
    return "\n".join(page[posture]) + "\n"


def html_reply(
    client: str, language: str, posture: str, notice: str = NOTICE_HTML, typed: Sequence[str] | None = None
) -> str:
    """The HTML body of a reply by `client` to `notice`, in which `typed` was typed."""
    first, second = halves(notice)
    paragraphs = [f"<div>{escape(line)}</div>" for line in typed or TYPED[posture]]
    typed = "".join(paragraphs)
    above, between, below = {
        "top": (typed, "", ""),
        "bottom": ("", "", typed),
        "around": (paragraphs[0], "", paragraphs[-1]),
        "inline": ("", paragraphs[0], paragraphs[-1]),
    }[posture]
    words = escape(" ".join(attribution(client, language)))
    return _WRAPPERS[client](language, words, above, first, between, second, below)


def halves(notice: str) -> tuple[str, str]:
    """What stands above the board of a letter, or above its last paragraph, and the rest."""
    body = re.split(r'<div style="max-width:560px;[^"]*">', notice, maxsplit=1)[1].rpartition("</div>")[0]
    mark = (re.search(r"<table>|<p [^>]*><img|<pre", body) or re.search(r"<p (?!.*<p )", body, re.DOTALL))[0]
    first, mark, second = body.partition(mark) if mark != "<p " else body.rpartition(mark)
    return first, mark + second


def _quotes(opening: str, first: str, between: str, second: str) -> str:
    if not between:
        return f"{opening}{first}{second}</blockquote>"
    return f"{opening}{first}</blockquote>{between}{opening}{second}</blockquote>"


def _gmail(_language: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quotes = _quotes('<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">', first, between, second)
    attr = f'<div dir="ltr" class="gmail_attr">{words}<br></div>'
    return f'<div dir="ltr">{above}</div><br><div class="gmail_quote">{attr}{quotes}{below}</div>'


def _k9(_language: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quotes = _quotes('<blockquote class="gmail_quote">', first, between, second)
    return f'<html><head></head><body>{above}<br><br><div class="gmail_quote">{words}{quotes}{below}</div>'


def _thunderbird(_l: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quotes = _quotes('<blockquote type="cite" cite="mid:g42@games.example">', first, between, second)
    return f'<html><body>{above}<div class="moz-cite-prefix">{words}<br></div>{quotes}{below}</body></html>'


def _apple(_language: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quotes = _quotes('<blockquote type="cite">', f"<div>{words}</div><br>{first}", between, second)
    signature = '<div id="AppleMailSignature" dir="ltr">Sent from my iPhone</div>'
    return f'<html><body dir="auto">{above}{signature}<div><br></div>{quotes}<div>{below}</div></body></html>'


def _proton(_language: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quotes = _quotes('<blockquote class="protonmail_quote" type="cite">', first, "", second)
    signature = '<div class="protonmail_signature_block">Sent with Proton Mail secure email.</div>'
    quote = f'<div class="protonmail_quote">{words}<br>{quotes}</div>'
    return f'<div style="font-family:Arial">{above}{between}</div>{signature}{quote}<div>{below}</div>'


def _yahoo(_language: str, words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    quote = f"<div><div>{words}</div><div><br></div><div>{first}{second}</div></div>"
    return f'<div>{above}{between}</div><div id="yahoo_quoted_1" class="yahoo_quoted">{quote}</div>{below}'


def _outlook(lang: str, _words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    lines = "<br>".join(f"<b>{escape(row).replace(': ', ':</b> ', 1)}" for row in headers(lang))
    block = f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{lines}</font></div>'
    return (
        f'<html><body dir="ltr"><div class="elementToProof">{above}</div><div id="appendonsend"></div>'
        f'<hr style="width:98%">{block}<div>{first}{between}{second}{below}</div></body></html>'
    )


def _outlook_desktop(lang: str, _words: str, above: str, first: str, between: str, second: str, below: str) -> str:
    lines = "<br>".join(f"<b>{escape(row).replace(': ', ':</b> ', 1)}" for row in headers(lang))
    rule = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"
    return (
        f'<html><body lang="EN-GB"><div class="WordSection1">{above}<div><div style="{rule}">'
        f'<p class="MsoNormal">{lines}</p></div></div>{first}{between}{second}{below}</div></body></html>'
    )


_WRAPPERS = {
    "gmail": _gmail,
    "k9": _k9,
    "thunderbird": _thunderbird,
    "apple": _apple,
    "proton": _proton,
    "yahoo": _yahoo,
    "outlook": _outlook,
    "outlook-desktop": _outlook_desktop,
}


# --- our HTML letter as plain text, in the manner of programs -------------------------------------------

MANNERS = {
    # name: what becomes of a picture, of a link, of the width, and whether words in capitals are written so
    "outlook classic": ("[{alt}]", "{text}<{href}>", 0),
    "outlook new": ("[{alt}]", "{text}<{href}>", 78),
    "outlook web": ("[{alt}]", "{text} [{href}]", 0),
    "outlook cid": ("[cid:{cid}]", "{text} <{href}>", 72),
    "gmail": ("[image: {alt}]", "{text}\n<{href}>", 76),
    "gmail it": ("[Immagine: {alt}]", "{text} <{href}>", 76),
    "apple": ("\ufffc", "{text}", 0),
    "apple ios": ("<board.png>", "{text}", 0),
    "thunderbird": ("{alt}", "{text} <{href}>", 72),
    "yahoo": ("Inline image: {alt}", "{text}", 0),
    "k9": ("[{alt}]", "{text} <{href}>", 60),
    "proton": ("![{alt}](cid:{cid})", "[{text}]({href})", 0),
    "mutt lynx": ("{alt}", "[{n}]{text}", 71),
    "mutt w3m": ("[{alt}]", "{text}", 80),
    "capitals": ("[{alt!u}]", "{text!u}", 40),
    "telephone": ("{alt}", "{text} ({href})", 33),
    "entities": ("[{alt!e}]", "{text!e}", 0),
    "forgotten =20": ("[{alt!q}]", "{text!q}", 70),
    "no accents": ("[{alt!a}]", "{text!a}", 70),
    "hard blanks": ("[{alt!n}]", "{text!n}", 0),
    "gateway": ("[{alt}]", "{text}<https://eur01.safelinks.example/?url={href!p}&data=05%7C02>", 0),
    "gateway broken": (
        "[{alt}]",
        "{text}<https://eur01.safelinks.example/?url={href!p}&data=05%7C02%7Cann%40x.example>",
        44,
    ),
    "gateway bare": ("[{alt}]", "{text} https://urldefense.example/v3/__{href}__;!!AbC3d-9xYzKq2w$", 38),
}


class _Manner(string.Formatter):
    def convert_field(self, value, conversion):
        changes = {
            "s": str,
            "u": str.upper,
            "e": lambda text: escape(escape(text)),
            "q": lambda text: quopri.encodestring(text.encode()).decode().replace("\n", ""),
            "a": lambda text: text.encode("ascii", "replace").decode(),
            "n": lambda text: text.replace(" ", "\xa0"),
            "p": lambda text: quote(text, safe=""),
        }
        return changes[conversion](value) if conversion in changes else super().convert_field(value, conversion)


class _Teller(HTMLParser):
    """What a program writes for each element of our letters."""

    def __init__(self, picture, link):
        super().__init__(convert_charrefs=True)
        self.picture, self.link = picture, link
        self.rows, self.links, self.words, self.anchor, self.skipped, self.is_pre = [], [], "", None, 0, False

    def say(self, text):
        change = re.search(r"(?<=text)!\w", self.link)
        self.words += text if self.anchor is not None or not change else filled("{text" + change[0] + "}", text=text)

    def end_row(self, blank=False):
        self.rows += [self.words if self.is_pre else " ".join(self.words.split(" ")).strip(" \n")]
        self.rows += [""] * blank
        self.words = ""

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ("head", "style"):
            self.skipped += 1
        elif tag == "pre":
            self.is_pre = True
        elif tag == "br":
            self.end_row()
        elif tag == "img":
            self.words += filled(self.picture, alt=attrs.get("alt", ""), cid=attrs["src"].removeprefix("cid:"))
        elif tag == "a":
            self.before, self.words, self.anchor = self.words, "", attrs["href"]

    def handle_endtag(self, tag):
        if tag in ("head", "style"):
            self.skipped -= 1
        elif tag == "a":
            self.links.append(self.anchor)
            text, self.words = self.words, self.before
            self.words += filled(self.link, text=text, href=self.anchor, n=len(self.links))
            self.anchor = None
        elif tag in ("p", "div", "pre", "tr"):
            self.end_row(blank=tag != "tr")
            self.is_pre = False
        elif tag == "td":
            self.words += " "

    def handle_data(self, data):
        if self.skipped:
            return
        if self.is_pre:
            for row in data.split("\n")[:-1]:
                self.rows.append(row)
            data = data.split("\n")[-1]
        self.say(data if self.is_pre else data.replace("\n", " "))


def filled(form, **words):
    return _Manner().vformat(form, (), words)


def retold(html, manner):
    """Our HTML letter as plain text, in one of `MANNERS`."""
    picture, link, width = MANNERS[manner]
    teller = _Teller(picture, link)
    teller.feed(html.replace("\r\n", "\n"))
    rows = teller.rows
    if "{n}" in link:
        rows = [*rows, "References", "", *(f"   {n}. {href}" for n, href in enumerate(teller.links, 1))]
    if width:
        rows = [part for row in rows for part in (textwrap.wrap(row, width, break_on_hyphens=False) or [""])]
    return re.sub("\n{3,}", "\n\n", "\n".join(rows)).strip("\n") + "\n"


# --- on the wire ---------------------------------------------------------------------------------------


def mail(plain: str = "", html: str = "", wire: str = "8bit") -> bytes:
    """A whole message with these bodies."""
    message = EmailMessage()
    message["From"] = "Ann <ann@post.example>"
    message["To"] = "r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example"
    message["Subject"] = "Re: [Game 42 vs bob] your turn"
    encoding = "8bit" if wire == "flowed" else wire
    if plain:
        message.set_content(_flowed(plain) if wire == "flowed" else plain, cte=encoding)
        if wire == "flowed":
            message.set_param("format", "flowed")
    if html and plain:
        message.add_alternative(html, subtype="html", cte=encoding)
    elif html:
        message.set_content(html, subtype="html", cte=encoding)
    return message.as_bytes()


def _flowed(plain: str) -> str:
    return "\n".join(f" {row}" if row[:1] in (" ", "F") else row for row in plain.split("\n"))
