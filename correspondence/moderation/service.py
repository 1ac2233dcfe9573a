"""Acts on the whole service: read-only mode, and a pause of all letters."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence.clocks import read_only
from correspondence.models import OperatorAct
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct, note_reversed, standing
from engines.wording import N_, _

ON, OFF = "on", "off"


def _switched(given: Given, *, is_on: bool, what: str) -> bool:
    """Parse on or off; raise ActError for other words, or if nothing would change.

    `what` is untranslated.
    """
    word = given.switch.strip().casefold()
    if word not in (ON, OFF):
        raise ActError(_("Say on or off."))
    if (word == ON) == is_on:
        raise ActError(_("{what} is already {state}.").format(what=_(what), state=word))
    return word == ON


# -- read-only mode --------------------------------------------------------------------

_READ_ONLY = N_("Read-only mode")


def _plan_read_only(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    is_on = _switched(given, is_on=read_only.reason(session) is not None, what=_READ_ONLY)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        if is_on:
            read_only.begin(session, row.reason, now=now)
        else:
            _note_reversed(session, READ_ONLY, row, operator, now)
            read_only.end(session, now=now)
        return {"on": is_on}

    if is_on:
        sentence = _(
            "Nobody can move, write, join or change anything: pages and programs are refused with this "
            "reason, which every page shows. Clocks are stopped, and robots do not move. Incoming mail is "
            "kept and read afterwards. Letters are still sent. Operators can sign in and act."
        )
    else:
        sentence = _(
            "Games go on at once. The pause counts against nobody: every deadline moves by its length. Mail "
            "that was kept is read."
        )
    return PlannedAct(sentence, carry_out, detail=ON if is_on else OFF)


def _undo_read_only(session: Session, _row: OperatorAct, facts: dict[str, Any], now: datetime) -> None:
    if not facts["on"] or read_only.reason(session) is None:
        raise ActError(_("That is already over. Switch it on again instead."))
    read_only.end(session, now=now)


# -- pause of mail ---------------------------------------------------------------------

_PAUSE = N_("The pause of all letters")


def _plan_pause(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    is_on = _switched(given, is_on=read_only.locked_state(session).mail_paused_since is not None, what=_PAUSE)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        if not is_on:
            _note_reversed(session, PAUSE_MAIL, row, operator, now)
        _pause(session, now if is_on else None, row.reason if is_on else "")
        return {"on": is_on}

    if is_on:
        sentence = _(
            "No letters are sent, not even sign-in links; all wait in order until it is off. Incoming mail "
            "is read, and games and clocks go on: reminders wait too."
        )
    else:
        sentence = _("All waiting letters leave now, as fast as their domains accept them.")
    return PlannedAct(sentence, carry_out, detail=ON if is_on else OFF)


def _undo_pause(session: Session, _row: OperatorAct, facts: dict[str, Any], _now: datetime) -> None:
    if not facts["on"] or read_only.locked_state(session).mail_paused_since is None:
        raise ActError(_("That is already over. Switch it on again instead."))
    _pause(session, None, "")


def _pause(session: Session, since: datetime | None, why: str) -> None:
    state = read_only.locked_state(session)
    state.mail_paused_since, state.mail_paused_for = since, why
    session.add(state)


def _note_reversed(session: Session, act: Act, row: OperatorAct, operator: Operator, now: datetime) -> None:
    """Mark the act that switched something on as undone."""
    before = standing(session, act.name, detail=ON)
    if before is not None:
        note_reversed(session, before, operator, now=now)


READ_ONLY = Act(
    name="read-only",
    title=N_("Read-only mode, on or off"),
    button=N_("Switch it"),
    needs=("switch",),
    reason_hint=N_("Every page shows it while the mode is on. It is kept in the list of acts."),
    plan=_plan_read_only,
    undo=_undo_read_only,
)

PAUSE_MAIL = Act(
    name="pause-mail",
    title=N_("Pause of all letters, on or off"),
    button=N_("Switch it"),
    needs=("switch",),
    reason_hint=N_("Admin and monitoring show it while the pause is on. It is kept in the list of acts."),
    plan=_plan_pause,
    undo=_undo_pause,
)
