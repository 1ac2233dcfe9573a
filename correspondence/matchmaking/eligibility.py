"""Whether a person may accept a seek, with one sentence for each condition. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from correspondence.core.i18n import weekday
from correspondence.core.language_names import name_of
from correspondence.matchmaking.candidates import Candidate
from correspondence.models import NEVER_AGAIN, Seek
from engines.wording import _, ngettext


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a seek: whether the reader meets it, and a sentence about it."""

    is_met: bool
    sentence: str


def check_conditions(
    seek: Seek, seeker: Candidate, reader: Candidate, *, now: datetime, in_play: int = 0
) -> tuple[Condition, ...]:
    """Return the reasons why the reader may or may not accept the seek; never empty.

    `in_play` is the number of games that a standing seek has in play.
    """
    if seeker.id == reader.id:
        return (Condition(False, _("This is your own seek.")),)
    checks = [
        _room(seek, seeker, reader, in_play),
        _absence(seek, seeker, reader),
        _reliability(seek, reader),
        _rating(seek, reader),
        _rest(seek, seeker, reader, now),
        _language(seek, reader),
    ]
    conditions = tuple(reason for reason in checks if reason is not None)
    return conditions or (Condition(True, _("Anyone can take it.")),)


def is_eligible(seek: Seek, seeker: Candidate, reader: Candidate, *, now: datetime, in_play: int = 0) -> bool:
    """Whether the reader may accept the seek; people who block each other never may."""
    if reader.id in seeker.blocked:
        return False
    return all(reason.is_met for reason in check_conditions(seek, seeker, reader, now=now, in_play=in_play))


def _room(seek: Seek, seeker: Candidate, reader: Candidate, in_play: int) -> Condition | None:
    if seek.games_at_once and in_play >= seek.games_at_once:
        sentence = ngettext(
            "{handle} is already playing {count} game from this offer; it opens again when that ends.",
            "{handle} is already playing {count} games from this offer; it opens again when one ends.",
            in_play,
        )
        return Condition(False, sentence.format(handle=seeker.handle, count=in_play))
    if seeker.game_limit_reason:
        return Condition(False, _("{handle} has no room for another game at the moment.").format(handle=seeker.handle))
    return Condition(False, reader.game_limit_reason) if reader.game_limit_reason else None


def _absence(seek: Seek, seeker: Candidate, reader: Candidate) -> Condition | None:
    """Check the absence of either player, which suspends a seek.

    An invitation is suspended only if the seeker has departed.
    """
    if seeker.has_left:
        return Condition(False, _("{handle} is away at the moment.").format(handle=seeker.handle))
    if seek.is_private:
        return None
    if reader.away_until is not None:
        return Condition(False, _("You're on leave; write back, or end your leave, to play."))
    if seeker.away_until is None:
        return None
    sentence = _("{handle} is away until {when}; this seek is paused until then.")
    when = weekday(seeker.away_until, reader.zone, reader.language)
    return Condition(False, sentence.format(handle=seeker.handle, when=when))


def _reliability(seek: Seek, reader: Candidate) -> Condition | None:
    if not seek.reliability:
        return None
    if reader.reliability is None:
        sentence = _("Wants a reliability of at least {floor}%; yours is not known yet, so you qualify.")
        return Condition(True, sentence.format(floor=seek.reliability))
    sentence = _("Wants a reliability of at least {floor}%; yours is {own}%.")
    text = sentence.format(floor=seek.reliability, own=reader.reliability)
    return Condition(reader.reliability >= seek.reliability, text)


def _rating(seek: Seek, reader: Candidate) -> Condition | None:
    range_text = rating_range(seek)
    if not range_text:
        return None
    if reader.rating is None:
        sentence = _("Wants a rating {range}; you have no rating yet, so you qualify.")
        return Condition(True, sentence.format(range=range_text))
    is_within = (seek.rating_low or 0) <= reader.rating and (
        seek.rating_high is None or reader.rating <= seek.rating_high
    )
    return Condition(
        is_within, _("Wants a rating {range}; yours is {own}.").format(range=range_text, own=reader.rating)
    )


def rating_range(seek: Seek) -> str:
    """Describe the ratings that a seek asks for; empty for any."""
    low, high = seek.rating_low, seek.rating_high
    if low is not None and high is not None:
        return _("from {low} to {high}").format(low=low, high=high)
    if low is not None:
        return _("of {low} or more").format(low=low)
    return _("of {high} or less").format(high=high) if high is not None else ""


def _rest(seek: Seek, seeker: Candidate, reader: Candidate, now: datetime) -> Condition | None:
    if not seek.rest_days:
        return None
    last = seeker.last_met(reader)
    if seek.rest_days == NEVER_AGAIN:
        if last is None:
            return Condition(True, _("Wants a new opponent each time; you two haven't played yet."))
        return Condition(False, _("Wants a new opponent each time, and you two have already played."))
    condition = ngettext(
        "Wants {count} day between games with the same opponent",
        "Wants {count} days between games with the same opponent",
        seek.rest_days,
    ).format(count=seek.rest_days)
    if last is None or now - last >= timedelta(days=seek.rest_days):
        return Condition(True, _("{wanted}; you two have not played lately.").format(wanted=condition))
    days = (now - last).days
    ago = ngettext("{count} day ago", "{count} days ago", days).format(count=days)
    return Condition(False, _("{wanted}; you two began a game {since}.").format(wanted=condition, since=ago))


def _language(seek: Seek, reader: Candidate) -> Condition | None:
    if not seek.language:
        return None
    language = name_of(seek.language)
    if seek.language in reader.languages:
        return Condition(True, _("Wants somebody who reads {language}, as you do.").format(language=language))
    sentence = _("Wants somebody who reads {language}; your settings don't say that you do.")
    return Condition(False, sentence.format(language=language))
