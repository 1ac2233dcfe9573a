"""The language of a page, and how it writes times: as the reader speaks, on the reader's clock."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_date
from flask import Flask, g, request
from markupsafe import Markup

from correspondence.clock import Policy, Terms
from correspondence.course import options_from
from correspondence.house import this_house
from correspondence.languages import LANGUAGES, in_language, moment, span
from correspondence.web.session import visitor
from engines import GAMES
from engines.wording import _, ngettext


def attach(app: Flask) -> None:
    """Speak to each visitor in the language of the settings, or else of the browser."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.before_request(_listen)
    app.teardown_request(_fall_silent)
    app.context_processor(lambda: {"language": language(), "games": GAMES, "said": _})
    for name, write in (("when", when), ("day", day), ("span", length), ("left", left), ("terms", terms)):
        app.jinja_env.filters[name] = write
    app.jinja_env.filters.update(options=options, said=_)


def language() -> str:
    """The language this visitor reads."""
    member = visitor()
    if member is not None and member.language in LANGUAGES:
        return member.language
    return request.accept_languages.best_match(list(LANGUAGES), "en") or "en"


def zone() -> str:
    """The time zone this visitor lives in, as far as known."""
    member = visitor()
    return member.zone if member else "UTC"


def _listen() -> None:
    g.voice = ExitStack()
    g.voice.enter_context(in_language(language()))


def _fall_silent(_error: BaseException | None) -> None:
    voice: ExitStack | None = g.pop("voice", None)
    if voice is not None:
        voice.close()


def when(at: datetime) -> Markup:
    """A moment on the reader's clock, as an element that says it to machines as well."""
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), moment(at, zone(), language()))


def day(at: datetime) -> Markup:
    """The day of a moment, with its year."""
    text = format_date(at.date(), "d MMM y", locale=language())
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), text)


def length(time: timedelta) -> str:
    """A length of time in words."""
    return span(time, language())


def left(until: datetime) -> str:
    """How much time is left until a moment, in words."""
    rest = until - this_house().now()
    return _("no time left") if rest <= timedelta(0) else _("{time} left").format(time=length(rest))


def terms(of: Terms) -> str:
    """Terms of time in words."""
    pace = _pace(of)
    told = {
        Policy.AUTOMATIC: "",
        Policy.CLAIM: _("time that has run out must be claimed"),
        Policy.COAX: _("nobody loses by the clock alone"),
    }
    return f"{pace}; {told[of.policy]}" if told[of.policy] else pace


def _pace(of: Terms) -> str:
    if of.bank == of.increment == of.cap:
        return _("{time} a move").format(time=_exact(of.bank))
    return _("{bank}, and {increment} more after each move, at most {cap}").format(
        bank=_exact(of.bank), increment=_exact(of.increment), cap=_exact(of.cap)
    )


def _exact(time: timedelta) -> str:
    days, rest = divmod(int(time.total_seconds()), 86400)
    if days > 2 and not rest:
        return ngettext("{count} day", "{count} days", days).format(count=days)
    hours = round(time.total_seconds() / 3600)
    return ngettext("{count} hour", "{count} hours", hours).format(count=hours)


def options(chosen: Any) -> str:
    """Options as words: `name=value` pairs, or names and values."""
    pairs = options_from(chosen) if isinstance(chosen, str) else dict(chosen)
    return ", ".join(option_words(name, value) for name, value in pairs.items())


def option_words(name: str, value: str) -> str:
    """One option as words: a bare name where it is simply on."""
    plain = name.replace("_", " ")
    return {"yes": plain, "no": _("no {option}").format(option=plain)}.get(value, f"{plain}: {value}")
