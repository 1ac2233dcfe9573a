"""Parser for the arguments of `address`: an action and a mail address, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from correspondence.commands.command_types import AddressAdd, Addresses, AddressMain, AddressRemove, Command, Recover
from correspondence.commands.pace import CommandError
from correspondence.core import tokens
from engines.wording import _

_ACTS: dict[str, Callable[[str], Command]] = {
    **dict.fromkeys(("add", "aggiungi"), AddressAdd),
    **dict.fromkeys(("remove", "delete", "rimuovi", "togli"), AddressRemove),
    **dict.fromkeys(("main", "primary", "principale"), AddressMain),
}
_MAIL = r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,255}"
_CODE = re.compile(r"(?=.*[0-9]|.{16})[A-Za-z0-9]{10,60}")
_LINKED = re.compile(rf"[<\"]?(?:mailto:)?({_MAIL})[>\"]?(?:\s*[<\[(](?:mailto:)?(?i:\1)[>\])])?")


def read_address(rest: str, is_certain: bool) -> Command | None:
    """Parse `add ann@example.org` and the like, even if a mail program made the address a link.

    Raises CommandError if the address is missing or invalid. Returns None if the line is a sentence.
    """
    word, _blank, mail = rest.partition(" ")
    if not rest.strip(".?! "):
        return Addresses() if is_certain else None
    act = _ACTS.get(word.casefold().rstrip(":"))
    if act is None:
        return None
    linked = _LINKED.fullmatch(mail.strip().rstrip(".!?"))
    if linked is not None:
        return act(linked[1])
    if not is_certain or len(mail.split()) > 1:
        return None
    if not mail.strip():
        raise CommandError(_("Say which address, for example: address add ann@example.org"))
    raise CommandError(_("“{mail}” is not a mail address.").format(mail=mail.strip()[:80]))


def read_recover(rest: str, is_certain: bool) -> Command | None:
    """Parse the argument of `recover`: a recovery code, with or without spaces and dashes.

    Raises CommandError if it is missing or too short. Returns None if the line is a sentence.
    """
    code = re.sub(r"[\s.-]", "", rest)
    if not is_certain or (rest and not _CODE.fullmatch(code)):
        return None
    if len(code) != tokens.LENGTH:
        raise CommandError(_("A recovery code has {count} letters and digits.").format(count=tokens.LENGTH))
    return Recover(code.casefold())
