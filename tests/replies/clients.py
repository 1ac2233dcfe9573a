"""Replies to our notice as mail programs write them: twenty languages, seven programs, three postures."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from email.message import EmailMessage
from html import escape
from pathlib import Path

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
        "inline": [*announced, *quoted[:middle], "", typed[0], "", *quoted[middle:], "", typed[1]],
    }
    return "\n".join(page[posture]) + "\n"


def html_reply(
    client: str, language: str, posture: str, notice: str = NOTICE_HTML, typed: Sequence[str] | None = None
) -> str:
    """The HTML body of a reply by `client` to `notice`, in which `typed` was typed."""
    first, second = _halves(notice)
    paragraphs = [f"<div>{escape(line)}</div>" for line in typed or TYPED[posture]]
    typed = "".join(paragraphs)
    above, between, below = {
        "top": (typed, "", ""),
        "bottom": ("", "", typed),
        "inline": ("", paragraphs[0], paragraphs[-1]),
    }[posture]
    words = escape(" ".join(attribution(client, language)))
    return _WRAPPERS[client](language, words, above, first, between, second, below)


def _halves(notice: str) -> tuple[str, str]:
    """What stands above the board of a letter, and the rest."""
    body = re.split(r'<div style="max-width:560px;[^"]*">', notice, maxsplit=1)[1].rpartition("</div>")[0]
    mark = re.search(r'<table>|<p [^>]*><img|<pre', body)[0]
    first, mark, second = body.partition(mark)
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


def _outlook_desktop(
    lang: str, _words: str, above: str, first: str, between: str, second: str, below: str
) -> str:
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
