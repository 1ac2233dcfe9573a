"""Commands about the sender's mail addresses."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import addresses, recovery
from correspondence.accounts.address_changes import addresses_of
from correspondence.commands.address_line import read_address, read_recover
from correspondence.commands.handlers.context import Sender
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import N_, _


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


COMMANDS = (
    Declaration(
        kind=cmd.NewRecoveryCode,
        phrases="recovery code | new recovery code | codice di recupero",
        need=Need.YES,
        changes_access=True,
        handler=_new_code,
        topic="addresses",
        help=(
            HelpLine("addresses", 4, N_("recovery code"), N_("mails you a new code, in case you lose your addresses")),
        ),
    ),
    Declaration(
        kind=cmd.Recover,
        readers={"recover | recupera": read_recover},
        need=Need.NOTHING,
        handler=_recover,
        topic="addresses",
        help=(
            HelpLine(
                "addresses",
                5,
                N_("recover CODE"),
                N_("take back your account from an address that isn't yours yet"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Addresses,
        phrases="addresses | my addresses | indirizzi | i miei indirizzi",
        readers={"address | indirizzo": read_address},
        need=Need.NOTHING,
        handler=_list,
        title=always(N_("Your addresses")),
        topic="addresses",
    ),
    Declaration(
        kind=cmd.AddressAdd,
        need=Need.YES,
        changes_access=True,
        handler=_add,
        help=(
            HelpLine(
                "addresses",
                1,
                N_("address add bob@example.org"),
                N_("another address to write and sign in from; it's confirmed by mail first"),
            ),
        ),
    ),
    Declaration(kind=cmd.AddressRemove, need=Need.YES, changes_access=True, handler=_remove),
    Declaration(
        kind=cmd.AddressMain,
        need=Need.YES,
        changes_access=True,
        handler=_main,
        help=(
            HelpLine(
                "addresses",
                2,
                N_("address main …, address remove …"),
                N_("choose where letters go; remove an address; address alone lists them"),
            ),
        ),
    ),
)
