"""Write letters: render a kind's templates for one recipient and add them to the outbox.

A letter is a row of the outbox, added in the same transaction as the event that it reports. Its key is unique for that
event, so reporting twice writes one letter. Subject and bodies contain placeholders instead of secrets and of this
site's addresses: `%%reply%%`, `%%link%%`, `%%stop%%`, `%%base%%`, `%%play%%` and `%%picture%%`. They are filled when
the letter is sent, from the tokens in the row. So a placeholder that a person typed can only become the recipient's own
link.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from textwrap import wrap
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy import bindparam, exists, insert
from sqlmodel import Session, col, func, select

from correspondence.core import db, news
from correspondence.core.game_options import in_words
from correspondence.core.i18n import in_language, lost_zone_notice, moment, span
from correspondence.core.move_text import games_in_force, in_games, looks_like_move
from correspondence.core.time_control import pace
from correspondence.mime.mail_keys import mailbox_key
from correspondence.mime.markers import OUR_MARKERS
from correspondence.models import Address, Letter, LetterState, Person
from correspondence.outbound.automatic_answers import PROVEN, UNPROVEN
from correspondence.outbound.kinds import TEMPLATES, LetterKind, must_be_known
from correspondence.outbound.letter_names import desk_name, from_name, game_name
from correspondence.outbound.narrow_lines import narrowed
from correspondence.outbound.recovery_codes import marked
from correspondence.outbound.schedule import DeliveryPreferences, send_time
from correspondence.outbound.stops import StopTopic, stop_of
from correspondence.outbound.transcript import height_in
from engines import svg
from engines.base import Game, Seat
from engines.options import options_from
from engines.scene import Scene
from engines.sketch import sketched
from engines.wording import _, ngettext

NEXT_PICTURE = "\x1e"
"""The separator between the board (or "") and the diagrams; no SVG or sketch contains it."""

PICTURE_WIDTH = 440
"""The width of a picture in CSS pixels."""


def _main_address(person: Any) -> Any:
    """Build the query for a person's main address, or the oldest one if none is main."""
    of_person = select(Address.mail).where(col(Address.person_id) == person)
    return of_person.order_by(col(Address.is_main).desc(), col(Address.id)).limit(1)


_MAIL_OF = _main_address(bindparam("person"))

MAIL_OF_PERSON = _main_address(col(Person.id)).scalar_subquery()
"""Subquery: the main address of a person, for queries of persons."""

_MAILS_OF = (
    select(Address.person_id, Address.mail)
    .where(col(Address.person_id).in_(bindparam("persons", expanding=True)))
    .order_by(col(Address.is_main), col(Address.id).desc())
)

_WRITTEN = select(Letter.key).where(col(Letter.key).in_(bindparam("keys", expanding=True)))

_WRITE = insert(Letter)

_IS_WRITTEN = select(exists().where(col(Letter.key) == bindparam("key")))


@dataclass(frozen=True, slots=True)
class To:
    """The recipient of a letter, member or not: address, language, time zone and preferences."""

    mail: str
    language: str = "en"
    zone: str = "UTC"
    person_id: int | None = None
    name: str = ""
    text_only: bool = False
    preferences: DeliveryPreferences | None = None


def to_person(session: Session, person: Person) -> To | None:
    """Return a person as a recipient; None if they have no address."""
    mail = mail_of(session, person)
    if mail is None:
        return None
    return To(
        mail, person.language, person.zone, person.id, person.handle, person.text_only, delivery_preferences_of(person)
    )


def to_address(session: Session, person: Person, mail: str) -> To | None:
    """Return a person as a recipient at this address, not the main one; None if they have none."""
    to = to_person(session, person)
    return replace(to, mail=mail) if to is not None else None


def count_letters(session: Session, person: Person, kind: LetterKind, since: datetime | None = None) -> int:
    """Count the letters of a kind to a person, in total or since `since`."""
    count = select(func.count()).select_from(Letter)
    count = count.where(col(Letter.person_id) == person.id, col(Letter.kind) == kind.name)
    return session.exec(count.where(col(Letter.created_at) > since) if since else count).one()


def delivery_preferences_of(person: Person) -> DeliveryPreferences:
    """Return a person's delivery preferences."""
    return DeliveryPreferences(
        person.zone, person.digest, person.digest_hour, person.quiet_from, person.quiet_until, person.turn_delay
    )


def mail_of(session: Session, person: Person) -> str | None:
    """Return the main address of a person, which receives their letters; None if there is none."""
    ahead: dict[int, str | None] = db.asked(session).get(Address, {})
    mail: str | None = ahead[person.id] if person.id in ahead else db.value(session, _MAIL_OF, person=person.id)
    return mail


def ask_ahead(session: Session, person_ids: Collection[int], keys: Collection[str]) -> None:
    """Load these persons' addresses and the existing `keys`, for a block of `db.asking_once`.

    The block writes to each key once.
    """
    found = mails_of(session, person_ids)
    written = {key for (key,) in db.rows(session, _WRITTEN, keys=list(keys))}
    db.asked(session)[Address] = {number: found.get(number) for number in person_ids}
    db.asked(session)[Letter] = {key: key in written for key in keys}


def mails_of(session: Session, person_ids: Collection[int]) -> dict[int, str]:
    """Return the main addresses of these persons by person id, with one query."""
    found = db.rows(session, _MAILS_OF, persons=list(person_ids))
    return dict(found)  # the last row of a person wins: the main address, or else the oldest


class BoardPicture(NamedTuple):
    """The picture of a board: the scene redacted for its reader, and the seat at the bottom."""

    scene: Scene
    bottom: Seat


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter to be written, without its recipient and its template values.

    `key` identifies the event. The tokens are the ids of rows for the reply address, the link and one-click
    unsubscribing. `answers` marks the direct answer to a mail; `in_reply_to` is the previous message in its thread.
    """

    kind: LetterKind
    key: str
    _: KW_ONLY
    match_id: int | None = None
    ply: int | None = None
    reply_token: int | None = None
    link_token: int | None = None
    stop_token: int | None = None
    in_reply_to: str = ""
    answers: bool = False
    is_unproven: bool = False
    """Whether only a From line identifies the requester; counted separately."""
    choices: Sequence[str] = ()
    """The texts that a bare number in a reply stands for, counted from 1."""
    head: str = ""
    """The chain head of the record in the letter, which its header signs."""
    end: str = ""
    """The signed end of the game for the header (Letter.end)."""
    seed: str = ""
    """The seed of the game for the header (Letter.seed)."""
    remark_ids: Sequence[int] = ()
    """The ids of the remarks that it includes."""
    picture: BoardPicture | None = None
    """The board that it shows, stored as a sketch and drawn when the letter is sent."""
    member: str = ""
    """The member it is about: the opponent, author, challenger or inviter."""
    code_nonce: str = ""
    """The nonce of its recovery code (recovery_codes.py)."""
    diagrams: Sequence[str] = ()
    """Further SVGs, to which the HTML part refers by transcript.picture_name."""
    not_after: datetime | None = None
    """The latest time to send the letter, overriding its reader's preferences."""
    is_final: bool = False
    """Whether it is sent without waiting to be merged, unlike others of its kind."""


def write_letter(session: Session, to: To | None, draft: Draft, *, now: datetime, **words: Any) -> str | None:
    """Add a letter to the outbox and return its `message_id`; None if nothing is written.

    Nothing is written if a letter with its key exists or there is no recipient. `words` are the values for its
    templates. The recipient's preferences determine when it is sent (schedule.py). Raises UnknownKindError.
    """
    must_be_known(draft.kind)
    if to is None or is_written(session, draft.key):
        return None
    message_id = _message_id(draft.match_id, draft.ply, to.person_id)
    letter = {
        "created_at": now,
        "message_id": message_id,
        **_recipient(to),
        **_draft_columns(draft),
        **_names(draft, to),
        **_schedule(draft, to, now, words.get("deadline")),
        **_content(draft, to, words),
    }
    db.insert_row(session, _WRITE, letter)
    if letter["due_at"] <= now:
        news.notify_from(session)
    return message_id


def _recipient(to: To) -> dict[str, Any]:
    """Return the recipient columns of a letter."""
    return {"person_id": to.person_id, "recipient": to.mail, "mailbox": mailbox_key(to.mail)}


def _names(draft: Draft, to: To) -> dict[str, Any]:
    """Return the columns with the display names in a letter's headers, in its reader's language."""
    with in_language(to.language):
        sender = from_name(draft.member if draft.kind.is_from_member else "")
        topic = game_name(draft.match_id, draft.member) if draft.match_id is not None else desk_name()
    return {"from_name": sender, "reply_name": sender if draft.kind.is_passed_on else topic}


def _draft_columns(draft: Draft) -> dict[str, Any]:
    """Return the columns for a letter's kind, key, references and tokens."""
    return {
        "key": draft.key,
        "kind": draft.kind.name,
        "match_id": draft.match_id,
        "ply": draft.ply,
        "head": draft.head,
        "end": draft.end,
        "seed": draft.seed,
        "choices": "\n".join(draft.choices),
        "remarks": " ".join(map(str, draft.remark_ids)),
        "auto_submitted": (UNPROVEN if draft.is_unproven else PROVEN) if draft.answers else "auto-generated",
        "in_reply_to": draft.in_reply_to,
        "reply_token_id": draft.reply_token,
        "link_token_id": draft.link_token,
        "stop_token_id": draft.stop_token,
    }


def _schedule(draft: Draft, to: To, now: datetime, deadline: datetime | None) -> dict[str, Any]:
    """Return the columns that determine when a letter is sent, and whether in a digest."""
    kind = replace(draft.kind, is_mergeable=False) if draft.is_final else draft.kind
    send_at = send_time(to.preferences or DeliveryPreferences(), kind, now, deadline)
    state = LetterState.HELD if send_at.in_digest else LetterState.QUEUED
    due_at = min(send_at.at, draft.not_after or send_at.at)
    return {"due_at": due_at, "wanted_at": due_at, "state": state}


def _content(draft: Draft, to: To, words: dict[str, Any]) -> dict[str, Any]:
    """Return the columns with the content that the recipient reads."""
    stop = stop_of(draft.kind, is_member=to.person_id is not None) if draft.stop_token is not None else None
    subject, text, html = render(
        draft.kind, to, stop=stop, has_picture=draft.picture is not None, picture_size=_picture_size(draft), **words
    )
    if draft.code_nonce:
        text, html = marked(text, draft.code_nonce), marked(html, draft.code_nonce)
    if to.text_only:
        return {"subject": subject, "text": text, "html": "", "picture": ""}
    return {
        "subject": subject,
        "text": text,
        "html": html,
        "picture": NEXT_PICTURE.join([sketched(*draft.picture) if draft.picture else "", *draft.diagrams]),
    }


def _picture_size(draft: Draft) -> tuple[int, int] | None:
    """Return the board's width and height in CSS pixels, which prevents layout shifts."""
    if draft.picture is None:
        return None
    return PICTURE_WIDTH, height_in(svg.extent(draft.picture.scene), PICTURE_WIDTH)


def render(kind: LetterKind, to: To, *, stop: StopTopic | None = None, **context: Any) -> tuple[str, str, str]:
    """Render subject, text and HTML in the recipient's language; undefined variables raise.

    The footer names what one-click unsubscribing stops, if anything.
    """
    game = context.get("game")
    with in_language(to.language), in_games([game.key] if isinstance(game, Game) else []):
        variables = {**context, "to": to, "kind": kind.name, "when": lambda at: moment(at, to.zone, to.language)}
        variables["span"] = lambda length: span(length, to.language)
        variables["zone_notice"] = lost_zone_notice(to.zone)
        variables["stop_offer"] = _(stop.offer) if stop is not None else ""
        subject, _sep, text = _templates().get_template(f"{kind.name}.txt").render(variables).partition("\n")
        html = _templates().get_template(f"{kind.name}.html").render(variables, subject=subject.strip())
        text += f"\n\n{wrapped(variables['zone_notice'], 72)}\n%%base%%/settings" if variables["zone_notice"] else ""
        text += f"\n\n{variables['stop_offer']}\n%%stop%%" if stop is not None else ""
    return " ".join(subject.split()), narrowed(re.sub(r"\n{3,}", "\n\n", text).strip("\n")) + "\n", html


def game_subject(number: int, opponent: str, game: Game, is_reply: bool = False, language: str = "") -> str:
    """Return the subject of a game's letters, in its thread's `language` or the current one.

    It never changes, except for “Re: ”, because mail programs start a new thread for a new subject (mail.md 2.1).
    `opponent` is empty in a solitaire game.
    """
    with in_language(language) if language else nullcontext():
        about = _("[Game %(number)s vs %(opponent)s]") if opponent else _("[Game %(number)s]")
        subject = f"{about % {'number': number, 'opponent': opponent}} {_(game.name)}"
    return f"Re: {subject}" if is_reply else subject


@cache
def _templates() -> Environment:
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.filters["options"] = lambda words: in_words(options_from(words))
    env.filters["pace"] = pace
    env.filters["wrapped"] = wrapped
    env.filters["behind_a_line"] = lambda text: wrapped_behind(text, "| ")
    env.globals["marker"] = lambda: OUR_MARKERS
    env.globals["game_subject"] = game_subject
    return env


def wrapped(text: str, width: int) -> str:
    """Wrap text at `width` characters so that no line can be parsed as a move if it is quoted."""
    return "\n".join(_wrapped(line, width, games_in_force()) for line in text.splitlines())


def wrapped_behind(text: str, first: str, more: str = "", width: int = 68) -> str:
    """Wrap text at `width` characters, with a prefix so that no quoted line is a command.

    The first line gets the prefix `first`, the lines below `more`, or `first` if `more` is empty.
    """
    rows = [row for line in text.splitlines() for row in wrap(line, width, break_on_hyphens=False) or [""]]
    return "\n".join(f"{(more or first) if index else first}{row}" for index, row in enumerate(rows))


@lru_cache(maxsize=512)
def _wrapped(line: str, width: int, _games: frozenset[str]) -> str:
    """Wrap a line; cached, because many letters contain the same move instructions."""
    for narrower_width in range(width, width - 20, -1):
        rows = wrap(line, narrower_width, break_long_words=False, break_on_hyphens=False)
        if not any(looks_like_move(row) for row in rows):
            break
    return "\n".join(rows)


def is_written(session: Session, key: str) -> bool:
    """Whether a letter with this key exists, sent or not."""
    ahead: dict[str, bool] = db.asked(session).get(Letter, {})
    return ahead[key] if key in ahead else bool(db.value(session, _IS_WRITTEN, key=key))


def _message_id(match_id: int | None, ply: int | None, person_id: int | None) -> str:
    """Return a Message-ID's local part (RFC 5322 3.6.4): match and ply, without secrets."""
    prefix = f"g{match_id}.p{ply}.u{person_id}." if match_id is not None else ""
    return f"{prefix}{secrets.token_hex(8)}"
