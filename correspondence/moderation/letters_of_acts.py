"""The letter about an operator's act: what was done, why, and where to appeal."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence.accounts.accounts import command_token
from correspondence.core.i18n import in_language
from correspondence.models import OperatorAct, Person
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines.wording import _


def tell(
    session: Session,
    row: OperatorAct,
    person: Person,
    subject: str,
    what: str,
    *rest: str,
    now: datetime,
    is_undone: bool = False,
    **values: Any,
) -> None:
    """Notify a person of an act.

    `subject`, `what` and `rest` are untranslated sentences, filled in with `values`. The letter links to the act's game.
    It is written once per act and person, and again when the act `is_undone`; not to people without an address.
    """
    to = letters.to_person(session, person)
    if to is None:
        return
    with in_language(person.language):
        title = _(subject).format(**values)
        sentence, *more = (_(one).format(**values) for one in (what, *rest))
    token = command_token(session, person, now=now)
    key = f"act:{row.id}:u{person.id}{':undone' if is_undone else ''}"
    draft = Draft(kinds.FROM_OPERATOR, key, reply_token=token.id)
    reason = "" if is_undone else row.reason
    context = {"sentence": sentence, "reason": reason, "more": more, "game_number": row.match_id or 0}
    letters.write_letter(session, to, draft, now=now, title=title, **context)
