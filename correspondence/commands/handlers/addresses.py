"""Commands about the sender's mail addresses."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import addresses, recovery
from correspondence.accounts.address_changes import addresses_of
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

CHANGES = (cmd.AddressAdd, cmd.AddressRemove, cmd.AddressMain, cmd.NewRecoveryCode)
"""Commands that change addresses or sign-in; a game letter's token is not enough for them."""


def _list(session: Session, sender: Sender, _command: cmd.Addresses) -> TranscriptEntry:
    own = addresses_of(session, sender.person)
    mark = "  ({main})".format(main=_("main"))
    lines = [f"· {one.mail}{mark if one.is_main else ''}" for one in own]
    sentence = _(
        "Your addresses. You can write and sign in from each; letters go to the main one. To change them, "
        "write address add, address main or address remove, followed by the address."
    )
    return TranscriptEntry("", sentence, block="\n".join(lines))


def _add(session: Session, sender: Sender, command: cmd.AddressAdd) -> TranscriptEntry:
    mail = addresses.ask_to_add(session, sender.person, command.mail, now=sender.now)
    return TranscriptEntry("", addresses.asked_sentence(mail))


def _remove(session: Session, sender: Sender, command: cmd.AddressRemove) -> TranscriptEntry | None:
    if addresses.remove(session, sender.person, command.mail, now=sender.now):
        return None
    return TranscriptEntry("", addresses.cancelled_sentence(command.mail))


def _main(session: Session, sender: Sender, command: cmd.AddressMain) -> None:
    addresses.choose_main(session, sender.person, command.mail, now=sender.now)


def _new_code(session: Session, sender: Sender, _command: cmd.NewRecoveryCode) -> None:
    recovery.send_new_code(session, sender.person, now=sender.now)


def _recover(_session: Session, sender: Sender, _command: cmd.Recover) -> TranscriptEntry:
    sentence = _(
        "This address belongs to {handle} already. To take back another account, write its code from an address that has "
        "not joined."
    )
    return TranscriptEntry("", sentence.format(handle=sender.person.handle))


HANDLERS: Handlers = {
    cmd.NewRecoveryCode: _new_code,
    cmd.Recover: _recover,
    cmd.Addresses: _list,
    cmd.AddressAdd: _add,
    cmd.AddressRemove: _remove,
    cmd.AddressMain: _main,
}
