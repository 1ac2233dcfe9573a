"""Commands about time: being away, pauses, take-backs, and an opponent whose time has run out."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import absences
from correspondence import commands as words
from correspondence.desk.writer import Performers, Writer
from correspondence.languages import moment
from correspondence.sections import Section
from engines.wording import _, ngettext


def _away(session: Session, writer: Writer, command: words.Away) -> Section:
    person = writer.person
    absence = absences.announce(session, person, command.days, now=writer.now)
    until = moment(absence.ends_at, person.zone, person.language)
    return Section(
        "",
        _("Your clocks stand still until {when}, in all games; you may move all the same. {left}").format(
            when=until, left=left_over(absences.hours_left(person, writer.now))
        ),
    )


def _back(session: Session, writer: Writer, _command: words.Back) -> Section:
    absences.come_back(session, writer.person, now=writer.now)
    left = left_over(absences.hours_left(writer.person, writer.now))
    return Section("", _("Welcome back: your clocks run again. {left}").format(left=left))


def left_over(hours: int) -> str:
    """How much absence is left, as a sentence."""
    days, rest = divmod(hours, 24)
    told = ngettext("{count} day", "{count} days", days).format(count=days)
    if rest:
        told += ", " + ngettext("{count} hour", "{count} hours", rest).format(count=rest)
    return _("Absence left for this year: {time}.").format(time=told)


PERFORMERS: Performers = {
    words.Away: _away,
    words.Back: _back,
}
