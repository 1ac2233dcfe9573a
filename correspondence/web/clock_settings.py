"""A member's clock settings: off-hours, reminders, vacation, and the deadline calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.member_settings import change_time_settings, lead_in_words, reminder_leads
from correspondence.clocks import calendars, vacations
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.core.i18n import in_language, zone_of
from correspondence.models import Person
from correspondence.queries import ical
from correspondence.web import locale, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, number
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("clock_settings", __name__)

LEADS = (72, 48, 24, 12, 6)
"""The choices for reminders, in hours before the deadline.

The default reminder comes after four fifths of the time.
"""


@dataclass(frozen=True, slots=True)
class ClockForm:
    """The fields of the form; `sleep_from` and `sleep_until` are whole hours, -1 if left empty."""

    sleeps: bool
    sleep_from: int
    sleep_until: int
    days_off: frozenset[int]
    country: str
    part: str
    leads: frozenset[int]
    refuses: bool

    @property
    def off_hours(self) -> calendars.OffHours:
        """The chosen hours that do not count; raises TimeControlError for an unknown region."""
        sleep = (self.sleep_from, self.sleep_until) if self.sleeps else None
        return calendars.OffHours(sleep, tuple(sorted(self.days_off)), calendars.region_of(self.country, self.part))


@bp.get("/settings/time")
def show() -> str:
    """Show the member's current settings."""
    return _page(_saved_form(session.require_member().id), "")


@bp.post("/settings/time")
def keep() -> ResponseReturnValue:
    """Save the settings, which apply from the member's next turns on.

    A refusal changes nothing and keeps the input.
    """
    throttle.hit(throttle.ACT)
    member, runtime, form = session.require_member(), current_runtime(), _submitted_form()
    try:
        hours = calendars.write_off_hours(calendars.checked(form.off_hours))
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            change_time_settings(db, person, off_hours=hours, reminder_leads=form.leads, refuses_time_wins=form.refuses)
    except Refusal as error:
        return _page(form, str(error)), 422
    flash(
        _(
            "Your time settings have been saved. They apply from your next turn on; a turn in progress keeps "
            "the old ones."
        )
    )
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/away")
def away() -> ResponseReturnValue:
    """Announce a vacation, from today or later: all the member's clocks stop for some days."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        begins = _day(form_text("from", 20), member.zone)
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            vacations.announce(db, person, number(form_text("days", 6)) or 0, now=runtime.now(), begins=begins)
    except Refusal as error:
        return _page(_saved_form(member.id), "", away_refused=str(error)), 422
    flash(_("Your leave has been announced; you can still move."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/back")
def back() -> ResponseReturnValue:
    """End the vacation early; unused hours are restored."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            vacations.come_back(db, db.get_one(Person, member.id), now=runtime.now())
    except vacations.AbsenceError as error:
        return _page(_saved_form(member.id), "", away_refused=str(error)), 422
    flash(_("Welcome back: your clocks run again."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/calendar")
def open_calendar() -> ResponseReturnValue:
    """Create a new secret URL for the member's calendar; the previous one is revoked."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            ical.open_feed(db, db.get_one(Person, member.id), now=runtime.now())
    except Refusal as error:
        return _page(_saved_form(member.id), str(error)), 422
    return redirect(url_for("clock_settings.show") + "#calendar", 303)


@bp.post("/settings/time/calendar/revoke")
def close_calendar() -> ResponseReturnValue:
    """Revoke the calendar's URL."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    with transaction(runtime.engine) as db:
        ical.close_feed(db, db.get_one(Person, member.id), now=runtime.now())
    flash(_("The address of your calendar no longer works."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.get("/calendar/<token>.ics")
def feed(token: str) -> ResponseReturnValue:
    """Return the calendar of this secret URL in its owner's language, without sign-in."""
    throttle.hit(throttle.READ)
    with reading() as db:
        person = ical.reader_of(db, tokens.read(current_runtime().settings.secret_key, token))
        if person is None:
            abort(404)
        response = _calendar(db, person)
    response.headers["Cache-Control"] = "private, max-age=300"
    return response


@bp.get("/settings/time/deadlines.ics")
def deadlines() -> Response:
    """Return the member's calendar as a file, for programs that cannot subscribe to an address."""
    throttle.hit(throttle.READ)
    member = session.require_member()
    with reading() as db:
        response = _calendar(db, db.get_one(Person, member.id))
    response.headers["Content-Disposition"] = 'attachment; filename="deadlines.ics"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _calendar(db: Session, person: Person) -> Response:
    runtime = current_runtime()
    settings = runtime.settings
    with in_language(person.language):
        calendar = ical.feed(db, person, base=settings.base_url, domain=settings.mail_domain, now=runtime.now())
    return Response(calendar, mimetype="text/calendar")


def _page(chosen: ClockForm, refused: str, *, away_refused: str = "") -> str:
    runtime, member = current_runtime(), session.require_member()
    with reading() as db:
        person = db.get_one(Person, member.id)
        absence = vacations.announced_absence(db, person.id, runtime.now())
        token = ical.feed_token(db, person)
        left, words = (
            vacations.hours_left(person, runtime.now()),
            calendars.in_words(person.off_hours, locale.language()),
        )
    address = tokens.spell(runtime.settings.secret_key, token.id) if token else ""
    return render_template(
        "settings/time.html", chosen=chosen, zone=locale.zone(), refused=refused, away_refused=away_refused, words=words,
        leads=[(hours, lead_in_words(hours)) for hours in sorted({*LEADS, *chosen.leads}, reverse=True)],
        countries=calendars.countries(locale.language()), weekdays=calendars.weekdays(locale.language()),
        absence=absence, left=vacations.absence_left_sentence(left),
        is_away=absence is not None and absence.begins_at <= runtime.now(),
        calendar=runtime.settings.base_url + url_for("clock_settings.feed", token=address) if address else "",
        typed={"days": form_text("days", 6), "from": form_text("from", 20)},
    )  # fmt: skip


def _saved_form(person_id: int) -> ClockForm:
    with reading() as db:
        person = db.get_one(Person, person_id)
    hours = calendars.read_off_hours(person.off_hours)
    country, _sep, part = hours.region.partition("-")
    sleep_from, sleep_until = hours.sleep or (22, 8)
    days, sleeps = frozenset(hours.days_off), hours.sleep is not None
    leads = frozenset(reminder_leads(person))
    return ClockForm(sleeps, sleep_from, sleep_until, days, country, part, leads, person.refuses_time_wins)


def _submitted_form() -> ClockForm:
    leads, days_off = request.form.getlist("lead")[:20], request.form.getlist("off")[:7]
    return ClockForm(
        is_ticked("sleeps"),
        _hour("sleep_from"),
        _hour("sleep_until"),
        frozenset(day for text in days_off if (day := number(text[:2])) is not None),
        form_text("country", 20),
        form_text("part", 20),
        frozenset(hours for text in leads if (hours := number(text[:6]))),
        is_ticked("refuses"),
    )


def _hour(name: str) -> int:
    hour = number(form_text(name, 4))
    return -1 if hour is None else hour


def _day(text: str, zone: str) -> datetime | None:
    """The start of a day in the member's zone, in UTC; None if the field is empty.

    Raises AbsenceError.
    """
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date()
        return datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise vacations.AbsenceError(_("Please write the first day as year-month-day, such as 2026-12-24.")) from error
