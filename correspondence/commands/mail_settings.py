"""Parser for the arguments of `settings`: when letters are sent."""

from __future__ import annotations

import re

from correspondence.commands.command_types import Command, SetMailPreferences, Settings
from correspondence.commands.pace import CommandError
from engines.wording import _

_HOUR = r"([01]?\d|2[0-3])(?::00)?"
_DIGEST = re.compile(rf"digest[ :=]+(off|hourly|daily)(?: (?:at )?{_HOUR})?")
_QUIET = re.compile(rf"quiet(?: hours)?[ :=]+(?:(off|none)|(?:from )?{_HOUR} ?(?:-|to|until) ?{_HOUR})")


def read_settings(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `settings`: `digest daily 7:00`, `digest off`, `quiet 22-7`, `quiet off`."""
    text = rest.casefold().rstrip(".! ")
    if not text:
        return Settings()
    digest, quiet = _DIGEST.fullmatch(text), _QUIET.fullmatch(text)
    if digest:
        return SetMailPreferences(digest[1], int(digest[2]) if digest[2] else None)
    if quiet:
        return SetMailPreferences(quiet=() if quiet[1] else (int(quiet[2]), int(quiet[3])))
    if is_certain and text.split()[0] in ("digest", "quiet"):
        raise CommandError(_("Write for example: settings digest daily 7:00, settings digest off, settings quiet 22-7"))
    return None
