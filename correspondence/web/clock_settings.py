"""A member's time: hours that do not count, reminders, absence, and the calendar of deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts.accounts import PeopleError, change_time_settings
from correspondence.clocks import calendars, vacations
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.core.i18n import in_language
from correspondence.core.time_control import TimeControlError
from correspondence.models import Person
from correspondence.queries import ical
from correspondence.web import locale, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, ticked, written
from engines.wording import _

bp = Blueprint("clock_settings", __name__)

LEADS = (0, 6, 12, 24, 48, 72)
"""Hours before the deadline at which one can be reminded; 0 is at four fifths of the time."""

_REFUSALS = (TimeControlError, PeopleError, vacations.AbsenceError)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the form holds; `falls` and `wakes` are whole hours, -1 where none was written."""

    sleeps: bool
    falls: int
    wakes: int
    days_off: frozenset[int]
    country: str
    part: str
    lead: int
    refuses: bool

    @property
    def hours(self) -> calendars.Hours:
        """What does not count, as chosen; raises TermsError for a region that is not known."""
        sleep = (self.falls, self.wakes) if self.sleeps else None
        return calendars.Hours(sleep, tuple(sorted(self.days_off)), calendars.region_of(self.country, self.part))


@bp.get("/settings/time")
def show() -> str:
    """The member's time as it is kept."""
    return _page(_chosen(session.signed_in().id), "")


@bp.post("/settings/time")
def keep() -> ResponseReturnValue:
    """Hours count from the member's next turns on; a refusal changes nothing and keeps what was chosen."""
    throttle.hit(throttle.ACT)
    member, runtime, chosen = session.signed_in(), current_runtime(), _typed()
    try:
        hours = calendars.write_hours(calendars.checked(chosen.hours))
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            change_time_settings(
                acting, person, hours=hours, reminder_lead=chosen.lead, refuses_time_wins=chosen.refuses
            )
    except _REFUSALS as error:
        return _page(chosen, str(error)), 422
    flash(_("Your time is kept. Hours and days count from your next turn on; a turn that runs keeps its own."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/away")
def away() -> ResponseReturnValue:
    """All clocks of the member stand still for so many days, from today or a later day on."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    try:
        begins = _day(written("from", 20), member.zone)
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            vacations.announce(acting, person, number(written("days", 6)) or 0, now=runtime.now(), begins=begins)
    except _REFUSALS as error:
        return _page(_chosen(member.id), "", away_refused=str(error)), 422
    flash(_("Your absence is announced; you may move all the same."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/back")
def back() -> ResponseReturnValue:
    """The clocks run again; hours that were not used are given back."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            vacations.come_back(acting, acting.get_one(Person, member.id), now=runtime.now())
    except vacations.AbsenceError as error:
        return _page(_chosen(member.id), "", away_refused=str(error)), 422
    flash(_("Welcome back: your clocks run again."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.post("/settings/time/calendar")
def open_calendar() -> ResponseReturnValue:
    """The member's calendar gets a new secret address; the one before works no longer."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    with transaction(runtime.engine) as acting:
        ical.open_feed(acting, acting.get_one(Person, member.id), now=runtime.now())
    return redirect(url_for("clock_settings.show") + "#calendar", 303)


@bp.post("/settings/time/calendar/revoke")
def close_calendar() -> ResponseReturnValue:
    """The calendar's address works no longer."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    with transaction(runtime.engine) as acting:
        ical.close_feed(acting, acting.get_one(Person, member.id), now=runtime.now())
    flash(_("The address of your calendar works no longer."))
    return redirect(url_for("clock_settings.show"), 303)


@bp.get("/calendar/<token>.ics")
def feed(token: str) -> ResponseReturnValue:
    """The deadlines of whoever has this secret address, in his language; no visit is needed."""
    throttle.hit(throttle.READ)
    runtime = current_runtime()
    settings = runtime.settings
    with reading() as looking:
        person = ical.reader_of(looking, tokens.read(settings.secret_key, token))
        if person is None:
            abort(404)
        with in_language(person.language):
            told = ical.feed(looking, person, base=settings.base_url, domain=settings.mail_domain, now=runtime.now())
    answer = Response(told, mimetype="text/calendar")
    answer.headers["Cache-Control"] = "private, max-age=300"
    return answer


def _page(chosen: Chosen, refused: str, *, away_refused: str = "") -> str:
    runtime, member = current_runtime(), session.signed_in()
    with reading() as looking:
        person = looking.get_one(Person, member.id)
        absence = vacations.announced(looking, person.id, runtime.now())
        token = ical.feed_token(looking, person)
        left, words = vacations.hours_left(person, runtime.now()), calendars.in_words(person.hours, locale.language())
    address = tokens.spell(runtime.settings.secret_key, token.id) if token else ""
    return render_template(
        "settings/time.html", chosen=chosen, refused=refused, away_refused=away_refused, words=words, leads=LEADS,
        countries=calendars.countries(locale.language()), weekdays=calendars.weekdays(locale.language()),
        absence=absence, left=vacations.left_over(left),
        is_away=absence is not None and absence.begins_at <= runtime.now(),
        calendar=runtime.settings.base_url + url_for("clock_settings.feed", token=address) if address else "",
        typed={"days": written("days", 6), "from": written("from", 20)},
    )  # fmt: skip


def _chosen(person_id: int) -> Chosen:
    with reading() as looking:
        person = looking.get_one(Person, person_id)
    hours = calendars.read_hours(person.hours)
    country, _sep, part = hours.region.partition("-")
    falls, wakes = hours.sleep or (22, 8)
    days, sleeps = frozenset(hours.days_off), hours.sleep is not None
    return Chosen(sleeps, falls, wakes, days, country, part, person.reminder_lead, person.refuses_time_wins)


def _typed() -> Chosen:
    lead, off = number(written("lead", 6)), request.form.getlist("off")[:7]
    return Chosen(
        ticked("sleeps"),
        _hour("falls"),
        _hour("wakes"),
        frozenset(day for text in off if (day := number(text[:2])) is not None),
        written("country", 20),
        written("part", 20),
        lead if lead in LEADS else 0,
        ticked("refuses"),
    )


def _hour(name: str) -> int:
    hour = number(written(name, 4))
    return -1 if hour is None else hour


def _day(text: str, zone: str) -> datetime | None:
    """The beginning of a day in the member's zone; None where none is written."""
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date()
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise vacations.AbsenceError(_("Please write the first day as year-month-day, such as 2026-12-24.")) from error
