"""Offline verification page: one HTML file that checks records and mailboxes in a browser.

It uses WebCrypto and no network. Its content security policy is in the file itself, with the hashes of its only script
and style sheet. The build is reproducible; the sentences of every language are included.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.resources import folder
from correspondence.fairness.check_sentences import SENTENCES
from engines import GAMES
from engines.buttons import ALL, TEXTS
from engines.proteus_dice.street import ROLLS
from engines.verification.record_text import MOST_AMENDED, MOST_CHARACTERS, MOST_ENTRIES, MOST_TAGS
from engines.wording import _

MOST_LETTERS = 20_000
"""Maximum number of messages of a mailbox that the page reads."""

MOST_BYTES = 100_000_000
"""Maximum total bytes of files that the page reads."""

_SCRIPTS = ("proofs.js", "record.js", "letters.js", "page.js")
_A_KEY = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
"""The public key of the first test vector in RFC 8032 7.1.

The page uses it to find out whether the browser supports Ed25519.
"""


@cache
def check_page() -> bytes:
    """Build the page as one HTML file."""
    script, style = _script(), _source("check.css")
    template = Template((folder("templates") / "offline" / "check.html").read_text("utf-8"), autoescape=True)
    page: str = template.render(
        script=script, style=style, policy=_policy(script, style), say=_sentences("en"), languages=LANGUAGES.items()
    )
    return page.encode()


@cache
def policy() -> str:
    """Return the page's Content-Security-Policy, for the HTTP header."""
    return f"{_policy(_script(), _source('check.css'))}; frame-ancestors 'none'"


def _script() -> str:
    return f"const DATA = {_as_json(_data())};\n" + "\n".join(_source(name) for name in _SCRIPTS)


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _source(name: str) -> str:
    return (Path(__file__).parent / "offline" / name).read_text("utf-8")


def _as_json(value: Any) -> str:
    """Serialise as JSON that is safe inside a script element."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _data() -> dict[str, Any]:
    return {
        "sentences": {language: _sentences(language) for language in LANGUAGES},
        "games": {key: {"seats": list(game.seats), "version": game.version} for key, game in GAMES.items()},
        "buttons": [TEXTS[button] for button in ALL],
        "rolls": [f"{roll.white}-{roll.black}" for roll in ROLLS],
        "key": _A_KEY,
        "most": {
            "characters": MOST_CHARACTERS,
            "entries": MOST_ENTRIES,
            "tags": MOST_TAGS,
            "amended": MOST_AMENDED,
            "letters": MOST_LETTERS,
            "bytes": MOST_BYTES,
        },
    }


def _sentences(language: str) -> dict[str, str | list[str]]:
    with in_language(language):
        return {key: _(text) if isinstance(text, str) else [text(1), text(2)] for key, text in SENTENCES.items()}
