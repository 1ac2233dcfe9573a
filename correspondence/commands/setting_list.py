"""All settings that can be changed by mail: title, current value in words, and setter.

The `settings` command shows each with the line that changes it; `settings NAME VALUE` uses the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from babel import Locale
from sqlmodel import Session

from correspondence.accounts import mail_preferences, member_settings
from correspondence.archive import monthly
from correspondence.clocks import calendars
from correspondence.commands import setting_values as values
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import LANGUAGES, zone_of
from correspondence.core.robot_pace import RobotPace
from correspondence.models import Person
from engines.wording import N_, _, listing

Change = Callable[[Session, Person, str, datetime], None]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: words that name it, title, example value, current value in words, and setter.

    `words` are separated by `|`; catalogues translate them. All are accepted, and letters show the first one.

    `change` raises Refusal before it changes anything; its sentence lists the possible values.
    """

    words: str
    title: str
    example: Callable[[Person], str]
    value: Callable[[Person], str]
    change: Change


def _on_off(is_on: bool) -> str:
    return _("on") if is_on else _("off")


def _other(column: str) -> Callable[[Person], str]:
    """The opposite of a switch's current value, as an example."""
    return lambda person: _on_off(not getattr(person, column))


def _set_mail(**changes: Callable[[str], Any]) -> Change:
    def change(session: Session, person: Person, text: str, now: datetime) -> None:
        preferences = mail_preferences.mail_preferences_of(person)
        new = {column: read(text) for column, read in changes.items()}
        mail_preferences.change(session, person, replace(preferences, **new), now=now)

    return change


def _switch(words: str, title: str, column: str) -> Setting:
    """Make the setting for a switch among the mail preferences."""
    return Setting(
        words,
        title,
        _other(column),
        lambda person: _on_off(getattr(person, column)),
        _set_mail(**{column: values.switch}),
    )


def _set_language(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.change_settings(session, person, language=values.language(text), zone=person.zone)


def _set_zone(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.change_settings(session, person, language=person.language, zone=values.zone(text))


def _set_digest(session: Session, person: Person, text: str, now: datetime) -> None:
    rhythm, hour = values.digest(text)
    preferences = mail_preferences.mail_preferences_of(person)
    new = replace(preferences, digest=rhythm, digest_hour=preferences.digest_hour if hour is None else hour)
    mail_preferences.change(session, person, new, now=now)


def _set_quiet(session: Session, person: Person, text: str, now: datetime) -> None:
    begins, ends = values.hours(text) or (None, None)
    preferences = mail_preferences.mail_preferences_of(person)
    mail_preferences.change(session, person, replace(preferences, quiet_from=begins, quiet_until=ends), now=now)


def _set_reminder(session: Session, person: Person, text: str, now: datetime) -> None:
    """Set reminders: on, off, or one or several lead times before the deadline."""
    leads = () if values.is_switch_word(text) else values.leads(text)
    is_on = values.switch(text) if values.is_switch_word(text) else True
    preferences = mail_preferences.mail_preferences_of(person)
    mail_preferences.change(session, person, replace(preferences, reminders=is_on), now=now)
    member_settings.change_time_settings(
        session, person, off_hours=person.off_hours, reminder_leads=leads, refuses_time_wins=person.refuses_time_wins
    )


def _set_hours(**changes: Callable[[str], Any]) -> Change:
    def change(session: Session, person: Person, text: str, now: datetime) -> None:
        new = replace(
            calendars.read_off_hours(person.off_hours), **{name: read(text) for name, read in changes.items()}
        )
        member_settings.change_time_settings(
            session, person, off_hours=calendars.write_off_hours(calendars.checked(replace(new, zone="UTC"))),
            reminder_leads=member_settings.reminder_leads(person), refuses_time_wins=person.refuses_time_wins,
        )  # fmt: skip

    return change


def _set_wins(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.change_time_settings(
        session, person, off_hours=person.off_hours, reminder_leads=member_settings.reminder_leads(person),
        refuses_time_wins=not values.switch(text),
    )  # fmt: skip


def _set_confirm(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.confirm_moves(session, person, values.switch(text))


def _set_next(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.step_on(session, person, values.switch(text))


def _set_limit(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.limit_games(session, person, values.limit(text))


def _set_robots(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.rate_robots(session, person, values.switch(text))


def _set_pace(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.pace_robots(session, person, values.robot_pace(text))


def _set_archive(session: Session, person: Person, text: str, now: datetime) -> None:
    monthly.allow(session, person, values.licence(text))


def _set_board(session: Session, person: Person, text: str, now: datetime) -> None:
    member_settings.show_boards_as(session, person, values.board_form(text))


# -- values in words -----------------------------------------------------------------


def _digest_in_words(person: Person) -> str:
    if person.digest == "daily":
        return _("once a day, at {hour}:00").format(hour=person.digest_hour)
    return _("at most one an hour") if person.digest == "hourly" else _("off")


def _span(hours: tuple[int, int] | None) -> str:
    return _("off") if hours is None else f"{hours[0]}:00–{hours[1]}:00"


def _quiet_hours(person: Person) -> str:
    if person.quiet_from is None or person.quiet_until is None:
        return _span(None)
    return _span((person.quiet_from, person.quiet_until))


def _days_off(person: Person) -> str:
    names = calendars.weekdays(person.language)
    return listing([names[day] for day in calendars.read_off_hours(person.off_hours).days_off], _("and")) or _("none")


def _holidays(person: Person) -> str:
    country, _sep, part = calendars.read_off_hours(person.off_hours).region.partition("-")
    name = str(Locale.parse(person.language).territories.get(country, country))
    return (f"{name}, {part}" if part else name) or _("none")


def _reminder(person: Person) -> str:
    if not person.reminders:
        return _("off")
    leads = [member_settings.lead_in_words(hours) for hours in member_settings.reminder_leads(person)]
    if not leads:
        return _("after four fifths of the time")
    return _("{times} before the deadline").format(times=listing(leads, _("and")))


_FORMS = {
    BoardForm.PICTURE: N_("as pictures and diagrams"),
    BoardForm.WORDS: N_("in words"),
    BoardForm.BRAILLE: N_("for a braille display"),
}

_PACES: Mapping[str, str] = {
    RobotPace.USUAL: N_("as usual here"),
    RobotPace.AT_ONCE: N_("at once"),
    RobotPace.LATER: N_("after ten minutes to two hours"),
}
"""Robots' answering speeds, in words."""

SETTINGS: Mapping[str, Setting] = {
    "language": Setting(
        N_("language|languages"),
        N_("language"),
        lambda person: next(code for code in LANGUAGES if code != person.language),
        lambda person: LANGUAGES.get(person.language, person.language),
        _set_language,
    ),
    "zone": Setting(
        N_("zone|time zone|timezone|city"),
        N_("time zone, by a city"),
        lambda _person: _("Rome"),
        lambda person: zone_of(person.zone).key,
        _set_zone,
    ),
    "plain": _switch(N_("plain|plain text|text only|text"), N_("letters as plain text only"), "text_only"),
    "board": Setting(
        N_("board|boards"),
        N_("how boards are shown: picture, words or braille"),
        lambda person: _("words") if person.board != BoardForm.WORDS else _("picture"),
        lambda person: _(_FORMS[BoardForm(person.board)]),
        _set_board,
    ),
    "receipt": _switch(N_("receipt|receipts"), N_("a receipt for moves that I mail"), "receipts"),
    "turn": _switch(N_("turn|notify turn|turn letters"), N_("a letter when it is my turn"), "turn_letters"),
    "talk": _switch(
        N_("talk|notify talk|talk letters"), N_("a letter when my opponent says something"), "talk_letters"
    ),
    "reminder": Setting(
        N_("reminder|reminders|notify reminder"),
        N_("reminders before my time runs out"),
        lambda _person: _("3 days, 12 hours"),
        _reminder,
        _set_reminder,
    ),
    "end": _switch(N_("end|notify end|game over|over"), N_("a letter when a game is over"), "game_over_letters"),
    "challenges": _switch(
        N_("challenges|challenge|notify challenges"), N_("a letter when somebody challenges me"), "challenge_letters"
    ),
    "announcements": _switch(
        N_("announcements|announcement"), N_("a letter when the operators announce something"), "announcement_letters"
    ),
    "delay": Setting(
        N_("delay|wait"),
        N_("minutes before a letter that it is my turn"),
        lambda _person: "30",
        lambda person: str(person.turn_delay),
        _set_mail(turn_delay=values.delay),
    ),
    "digest": Setting(
        N_("digest|digests"), N_("all in one letter"), lambda _person: _("daily 7:00"), _digest_in_words, _set_digest
    ),
    "quiet": Setting(
        N_("quiet|quiet hours"), N_("no letters in these hours"), lambda _person: "22-7", _quiet_hours, _set_quiet
    ),
    "sleep": Setting(
        N_("sleep|nights|night"),
        N_("hours that do not count on my clock"),
        lambda _person: "22-8",
        lambda person: _span(calendars.read_off_hours(person.off_hours).sleep),
        _set_hours(sleep=values.hours),
    ),
    "off": Setting(
        N_("days off|day off|free days"),
        N_("days that do not count on my clock"),
        lambda _person: _("sat sun"),
        _days_off,
        _set_hours(days_off=values.weekdays),
    ),
    "holidays": Setting(
        N_("holidays|holiday"),
        N_("public holidays that do not count on my clock"),
        lambda _person: _("Italy"),
        _holidays,
        _set_hours(region=values.region),
    ),
    "wins": Setting(
        N_("wins on time|time wins"),
        N_("I may win on time"),
        lambda person: _on_off(person.refuses_time_wins),
        lambda person: _on_off(not person.refuses_time_wins),
        _set_wins,
    ),
    "confirm": Setting(
        N_("confirm|confirm moves"),
        N_("moves on a page are confirmed before they are played"),
        _other("confirm_moves"),
        lambda person: _on_off(person.confirm_moves),
        _set_confirm,
    ),
    "next": Setting(
        N_("next game|next"),
        N_("after a move on a page the next game is shown"),
        _other("steps_on"),
        lambda person: _on_off(person.steps_on),
        _set_next,
    ),
    "limit": Setting(
        N_("games at once|limit"),
        N_("the most games with people that I want at once"),
        lambda person: "6" if person.games_limit == 12 else "12",
        lambda person: str(person.games_limit or _("off")),
        _set_limit,
    ),
    "robots": Setting(
        N_("robots|robot games"),
        N_("games with robots are rated unless I say otherwise"),
        _other("rates_robots"),
        lambda person: _on_off(person.rates_robots),
        _set_robots,
    ),
    "pace": Setting(
        N_("robot pace|pace of robots"),
        N_("how soon robots answer me"),
        lambda _person: _("at once"),
        lambda person: _(_PACES[person.robot_pace]),
        _set_pace,
    ),
    "exercises": Setting(
        N_("exercises|exercise"),
        N_("an exercise from a real game by mail"),
        lambda person: _("no") if person.exercise_letters else _("weekly"),
        lambda person: _("weekly") if person.exercise_letters else _("no"),
        _set_mail(exercise_letters=values.weekly),
    ),
    "archive": Setting(
        N_("archive|archives"),
        N_("my finished games may be used by everyone, under CC0"),
        lambda person: "no" if person.archive_licence == monthly.GIVEN else "cc0",
        lambda person: _on_off(person.archive_licence == monthly.GIVEN),
        _set_archive,
    ),
}
"""Every setting by its name, in display order."""
