"""The daily letter to the operator about failed robot searches, sent only if there are any."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.models.robots import SearchFailure
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.outbound.operator_letters import last_told, named, was_told_lately
from correspondence.robots import robot_turns, spare_work

FIRST_TOLD = timedelta(days=7)
"""Maximum age of a reported second opinion, even if no earlier letter is stored."""


def tell_operator(session: Session, operator: str, *, now: datetime) -> str | None:
    """Report new failed searches and abandoned second opinions to the operator.

    Returns what `write_letter` returns; None if there are none, if a letter was written today, or if the address is
    empty. The letter contains only numbers of games.
    """
    if not operator or was_told_lately(session, operator, kinds.ROBOTS_FAILED, now=now):
        return None
    since = last_told(session, operator, kinds.ROBOTS_FAILED) or now - FIRST_TOLD
    since = max(since, now - FIRST_TOLD)
    unjudged = sorted({number for work in spare_work.WORK.values() for number in work.given_up(session, since=since)})
    failures = robot_turns.take_failures(session)
    if not failures and not unjudged:
        return None
    games = {how: named([match_id for match_id, found in failures if found == how]) for how in SearchFailure}
    return letters.write_letter(
        session,
        letters.To(operator),
        Draft(kinds.ROBOTS_FAILED, f"robots_failed:{now.isoformat()}"),
        now=now,
        count=len({*(match_id for match_id, _how in failures), *unjudged}),
        crashed=games[SearchFailure.CRASHED],
        overran=games[SearchFailure.OVERRAN],
        unjudged=named(unjudged),
    )
