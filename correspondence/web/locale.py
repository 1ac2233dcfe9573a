"""The language of a page, and template filters for times in the reader's language and zone."""

from __future__ import annotations

import json
from contextlib import ExitStack
from contextvars import ContextVar
from datetime import date, datetime, timedelta
from functools import lru_cache
from gettext import NullTranslations
from typing import Any, NamedTuple

from babel.dates import format_date
from flask import Flask, g, request
from markupsafe import Markup, escape

from correspondence.core import time_control
from correspondence.core.game_options import in_words, option_name, option_value
from correspondence.core.i18n import LANGUAGES, in_language, lost_zone_notice, moment, span, zone_of
from correspondence.core.i18n import weekday as _weekday
from correspondence.core.time_control import TimeControl
from correspondence.queries.clock_log import ClockChange
from correspondence.render.board_text import board_text
from correspondence.web import looks
from correspondence.web.current import current_runtime
from correspondence.web.session import visitor
from engines import GAMES, spoken, svg
from engines.options import options_from
from engines.scene import Piece
from engines.wording import _, current_translations, ngettext


def attach(app: Flask) -> None:
    """Set each request's language from the member's settings, the visitor's choice or the browser; add the filters."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals.update(games=GAMES, said=_, prompts_of=_prompts_of)
    app.before_request(_set_language)
    app.teardown_request(_reset_language)
    app.context_processor(lambda: {"language": language(), "lost_zone_notice": lost_zone_notice})
    app.jinja_env.filters.update(sentences=spoken.sentences, board_text=board_text, drawn=drawn)
    app.jinja_env.filters.update(option_name=option_name, option_value=option_value)
    app.jinja_env.filters.update(date_form=date_form)
    app.jinja_env.filters.update(when=when, day=day, weekday=weekday, span=length, left=left)
    app.jinja_env.filters.update(options=options, said=_, recent_day=recent_day, time_control=time_control.in_words)
    app.jinja_env.filters.update(short_time=short_time, when_in_words=when_in_words)
    app.jinja_env.filters.update(clock_change=clock_change)


def drawn(piece: Piece) -> Markup:
    """Draw a piece as a small picture without alternative text: the text beside it names it."""
    return Markup(svg.render_piece(piece))


def short_time(pace: TimeControl) -> Markup:
    """A time control in short form; the full sentence is in a tooltip and for screen readers."""
    sentence = time_control.in_words(pace)
    return Markup(
        '<span class="short-time" tabindex="0" title="{0}"><span aria-hidden="true">{1}</span>'
        '<span class="unseen">{0}</span></span>'
    ).format(sentence, time_control.short(pace))


class Reader(NamedTuple):
    """The reader of a page: language and zone, and the root path of the pages."""

    root: str
    language: str
    zone: str


_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


def reader() -> Reader:
    """The reader of this request, cached because a page needs it a hundred times."""
    return _reader.get() or _reader_of_request()


def _reader_of_request() -> Reader:
    member = visitor()
    zone = zone_of(member.zone).key if member is not None else "UTC"
    if member is not None and member.language in LANGUAGES:
        language = member.language
    else:
        language = looks.language() or request.accept_languages.best_match(list(LANGUAGES), "en") or "en"
    return Reader(request.script_root, language, zone)


def language() -> str:
    """The visitor's language."""
    return reader().language


def zone() -> str:
    """The member's time zone; UTC for other visitors."""
    return reader().zone


def _set_language() -> None:
    g.language_stack = ExitStack()
    g.language_stack.enter_context(in_language(_kept_reader().language))


def speak(language: str) -> None:
    """Switch the language for the rest of the request, after the member has been looked up."""
    _kept_reader()
    g.language_stack.enter_context(in_language(language))


def _kept_reader() -> Reader:
    """Set the reader, as known now, for the rest of the request."""
    known = _reader_of_request()
    g.language_stack.callback(_reader.reset, _reader.set(known))
    return known


def _reset_language(_error: BaseException | None) -> None:
    stack: ExitStack | None = g.pop("language_stack", None)
    if stack is not None:
        stack.close()


def when(at: datetime) -> Markup:
    """Format a time in the reader's zone as a `<time>` element."""
    return _time(at, when_in_words(at))


def _time(at: datetime, words: str) -> Markup:
    return Markup(f'<time datetime="{at.isoformat()}">{escape(words)}</time>')


def when_in_words(at: datetime) -> str:
    """Format a time in the reader's zone as text."""
    return moment(at, zone(), language())


def clock_change(change: ClockChange) -> str:
    """Format a clock change as a line of the log, in the reader's language and zone."""
    return _clock_change(current_translations(), zone(), language(), change)


@lru_cache(maxsize=4_096)
def _clock_change(_translations: NullTranslations, zone: str, language: str, change: ClockChange) -> str:
    """Format a clock change, cached because the log repeats all earlier lines after each move."""
    who = f" · {change.who}" if change.who else ""
    line = f"{moment(change.at, zone, language)}{who}: {change.why}"
    if change.until is not None:
        line += " · " + _("until %(when)s") % {"when": moment(change.until, zone, language)}
    if change.spent is None or change.left is None:
        return line
    spans = {"spent": span(change.spent, language), "left": span(change.left, language)}
    return line + " · " + _("%(spent)s used, then %(left)s left") % spans


def weekday(at: datetime) -> Markup:
    """Format weekday and date of a near time as a `<time>` element."""
    return _time(at, _weekday(at, zone(), language()))


def day(at: datetime) -> Markup:
    """Format a date with its year as a `<time>` element."""
    return _time(at, _day(at.date(), language()))


def date_form(at: datetime, form: str) -> str:
    """Format a date in the reader's language, by a CLDR pattern such as `d MMM`."""
    return str(format_date(at.date(), form, locale=language()))


def recent_day(at: datetime) -> str:
    """Format a past day in the reader's zone: today, yesterday, or the date."""
    then, now = (moment.astimezone(zone_of(zone())).date() for moment in (at, current_runtime().now()))
    words = {0: _("today"), 1: _("yesterday")}
    return words.get(max((now - then).days, 0)) or _day(then, language())


@lru_cache(1_000)
def _day(at: date, language: str) -> str:
    return str(format_date(at, "d MMM y", locale=language))


def length(time: timedelta) -> str:
    """Format a duration in words, to whole seconds."""
    return span(timedelta(time.days, time.seconds), language())


def left(until: datetime) -> str:
    """Format the time left until `until`, in words."""
    rest = until - current_runtime().now()
    return _("no time left") if rest <= timedelta(0) else _("{time} left").format(time=length(rest))


def options(chosen: Any) -> str:
    """Format options in words, given as `name=value` pairs or as a mapping."""
    return in_words(options_from(chosen) if isinstance(chosen, str) else dict(chosen))


def _prompts_of(key: str) -> str:
    """The prompts of a game in the visitor's language, as JSON for the script of the board."""
    prompts = GAMES[key].presentation.prompts
    return json.dumps([[prompt.after, prompt.then, _(prompt.sentence)] for prompt in prompts], ensure_ascii=False)
