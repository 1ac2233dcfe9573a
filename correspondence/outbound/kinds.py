"""Registry of letter kinds, with all properties that depend only on the kind.

To add a kind, add one value here and two templates of its name. Features register theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import BindParameter, bindparam

from correspondence.core.resources import folder
from correspondence.models import Letter, Person
from engines.wording import N_


class UnknownKindError(LookupError):
    """Raised if a letter's kind is not in the registry: a programming error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterKind:
    """A kind of letter: `name` identifies letters and templates, `title` appears in the log."""

    name: str
    title: str
    switch: str = ""
    """The switch that turns these letters off: a column of Person, or a feature's; empty if none does."""
    is_deferrable: bool = False
    """Whether it waits for the end of quiet hours and can go into a digest."""
    digest_sentence: str = ""
    """Its sentence in a digest, with {number} and {ending}; empty if none is needed."""
    digest_answer: str = ""
    """How to answer it from a digest, with the {number} of its offer; empty if not needed."""
    has_clock: bool = False
    """Whether a clock is running, so that it is sent in time, whatever delay its reader chose."""
    is_about_turn: bool = False
    """Whether it is obsolete once its reader's turn is over."""
    is_on_page: bool = False
    """Whether the game's page shows the same news: it is delayed, and dropped if seen there."""
    is_talk: bool = False
    """Whether it contains a player's remark: dropped if they are muted or the page was seen."""
    is_mergeable: bool = False
    """Whether it waits five minutes, so that another letter of the game can include its news."""
    tells_all_news: bool = False
    """Whether it includes all news of the game: comments, and the news of waiting letters."""
    is_notice: bool = False
    """Whether it is optional; members without notices get it only as an answer to their mail."""
    is_probe: bool = False
    """Whether it may go to an address that bounced, because somebody requested it there."""
    is_awaited: bool = False
    """Whether its reader waits for it at the screen, so that it is sent before all others."""
    is_answer: bool = False
    """Whether it only answers a mail: its header says so, and it counts as an automatic answer."""
    has_code: bool = False
    """Whether its link token is a recovery code, which it contains."""
    is_from_member: bool = False
    """Whether it reports a member's action or words: From names the member beside the service."""
    is_passed_on: bool = False
    """Whether a reply goes to the member who wrote it; Reply-To then names that member."""
    is_bulk: bool = False
    """Whether it combines the news of many events; a header then marks it as bulk mail."""

    @property
    def stops(self) -> str:
        """The topic in stops.py that one-click unsubscribing stops; empty if none."""
        return "digest" if self.is_bulk else self.switch

    @property
    def is_merging(self) -> bool:
        """Whether it includes the news of the game's letters that wait to be merged."""
        return self.tells_all_news or (self.is_mergeable and not self.is_answer)

    def is_wanted_by(self, person: Person) -> bool:
        """Whether a person has not turned off these letters."""
        return not self.switch or is_on(person, self.switch)


def is_on(person: Person, switch: str) -> bool:
    """Whether a person wants the letters of a switch; those of features are stored by what is stopped."""
    if switch in Person.model_fields:
        return bool(getattr(person, switch))
    return switch not in person.stopped_topics.split()


def set_switch(person: Person, switch: str, is_wanted: bool) -> None:
    """Turn the letters of a switch on or off."""
    if switch in Person.model_fields:
        setattr(person, switch, is_wanted)
        return
    stopped = set(person.stopped_topics.split()) - {switch} | (set() if is_wanted else {switch})
    person.stopped_topics = " ".join(sorted(stopped))


TURN = LetterKind(
    name="turn",
    title=N_("your turn"),
    switch="turn_letters",
    is_deferrable=True,
    has_clock=True,
    is_about_turn=True,
    is_on_page=True,
    tells_all_news=True,
    is_from_member=True,
)
OVER = LetterKind(
    name="over",
    title=N_("the end of the game"),
    switch="game_over_letters",
    is_deferrable=True,
    digest_sentence=N_("Game {number} is over. {ending}"),
    tells_all_news=True,
)
REMINDER = LetterKind(
    name="reminder",
    title=N_("reminder"),
    switch="reminders",
    is_deferrable=True,
    has_clock=True,
    is_about_turn=True,
    is_notice=True,
)
TALK = LetterKind(
    name="talk",
    title=N_("talk"),
    switch="talk_letters",
    is_deferrable=True,
    digest_sentence=N_("Your opponent in game {number} says:"),
    is_talk=True,
    is_mergeable=True,
    is_notice=True,
    is_from_member=True,
)
DRAW_OFFERED = LetterKind(
    name="draw_offered",
    title=N_("a draw is offered"),
    is_deferrable=True,
    digest_sentence=N_("A draw is offered to you in game {number}."),
    is_mergeable=True,
    is_from_member=True,
)
PLANNED = LetterKind(
    name="planned",
    title=N_("your plan has moved for you"),
    switch="turn_letters",
    is_deferrable=True,
    digest_sentence=N_("Your plan has moved for you in game {number}."),
    is_on_page=True,
)
PLAN_STOPPED = LetterKind(
    name="plan_stopped",
    title=N_("your plan is off"),
    switch="turn_letters",
    is_deferrable=True,
    digest_sentence=N_("A move was taken back in game {number}, so your plan there is off."),
)
PLANS_WANTED = LetterKind(
    name="plans_wanted",
    title=N_("plans of a game to be opened"),
    switch="talk_letters",
    is_deferrable=True,
    digest_sentence=N_("Your opponent in game {number} would like to open the plans."),
    is_from_member=True,
)
PLANS_OPENED = LetterKind(name="plans_opened", title=N_("opened plans of a game"), is_from_member=True)
TAKEBACK_OFFERED = LetterKind(name="takeback_offered", title=N_("a takeback is asked for"), is_from_member=True)
TAKEN_BACK = LetterKind(name="taken_back", title=N_("a move was taken back"), is_about_turn=True, is_from_member=True)
PAUSE_OFFERED = LetterKind(name="pause_offered", title=N_("a pause is proposed"), is_from_member=True)
OFFER_DECLINED = LetterKind(
    name="offer_declined",
    title=N_("an offer was declined"),
    switch="talk_letters",
    is_deferrable=True,
    digest_sentence=N_("Your opponent in game {number} has declined your offer."),
    is_notice=True,
    is_from_member=True,
)
PAUSED = LetterKind(name="paused", title=N_("a pause has begun"), is_from_member=True)
FLAG_FELL = LetterKind(name="flag_fell", title=N_("time has run out"))
ABSENCE_SPENT = LetterKind(name="absence_spent", title=N_("a day of absence was used"), is_about_turn=True)
NUDGE = LetterKind(
    name="nudge", title=N_("request to move"), switch="reminders", is_about_turn=True, is_from_member=True
)
EXPORT = LetterKind(name="export", title=N_("link to your data"))
FORGET = LetterKind(name="forget", title=N_("question before erasing you"))
PUT_OFF = LetterKind(name="put_off", title=N_("the deadline is extended"))
HELPER_ASKED = LetterKind(
    name="helper_asked",
    title=N_("request to help somebody by post"),
    switch="talk_letters",
    is_notice=True,
    is_from_member=True,
)
HELPER_CHANGED = LetterKind(name="helper_changed", title=N_("a change of helper by post"))
CARD_DUE = LetterKind(
    name="card_due",
    title=N_("a card of somebody who plays by post"),
    switch="turn_letters",
    is_deferrable=True,
    digest_sentence=N_("Somebody whom you help by post is to move in game {number}."),
)
CARD_ENTERED = LetterKind(name="card_entered", title=N_("a move was entered from your card"))
RESIGN = LetterKind(name="resign", title=N_("question before resigning"))
EXERCISE = LetterKind(
    name="exercise",
    title=N_("an exercise"),
    switch="exercise_letters",
    is_notice=True,
)
ANSWER = LetterKind(name="answer", title=N_("answer to your mail"))
RECEIPT = LetterKind(
    name="receipt",
    title=N_("a receipt for your moves"),
    switch="receipts",
    is_mergeable=True,
    is_notice=True,
    is_answer=True,
)
PROPOSAL = LetterKind(name="proposal", title=N_("question about what a mail asked for"))
TEST = LetterKind(name="test", title=N_("test letter"))
SIGN_IN = LetterKind(name="sign_in", title=N_("sign-in link"), is_probe=True, is_awaited=True)
ADDRESS = LetterKind(
    name="address", title=N_("question to a new address"), is_notice=True, is_probe=True, is_awaited=True
)
ADDRESS_CHANGED = LetterKind(name="address_changed", title=N_("your addresses have changed"), is_probe=True)
API_TOKEN = LetterKind(name="api_token", title=N_("a program may act for you"), is_probe=True)
RECOVERY = LetterKind(name="recovery", title=N_("recovery code"), has_code=True, is_awaited=True)
WELCOME = LetterKind(name="welcome", title=N_("welcome"), has_code=True)
CHALLENGE = LetterKind(
    name="challenge",
    title=N_("challenge"),
    switch="challenge_letters",
    is_deferrable=True,
    digest_answer=N_("Reply with: accept {number}, or: decline {number}"),
    is_from_member=True,
)
DECLINED = LetterKind(name="declined", title=N_("challenge declined"), is_deferrable=True, is_from_member=True)
CHALLENGE_LAPSED = LetterKind(
    name="challenge_lapsed",
    title=N_("a challenge has lapsed"),
    is_deferrable=True,
    is_notice=True,
    is_from_member=True,
)
REOPENED = LetterKind(name="reopened", title=N_("challenge reopened"), is_deferrable=True, is_from_member=True)
BEGUN = LetterKind(name="begun", title=N_("a game has begun"), is_from_member=True)
SEEK_EXPIRED = LetterKind(name="seek_expired", title=N_("a seek ends soon"))
SEEK_NEAR = LetterKind(
    name="seek_near",
    title=N_("a partner at another pace"),
    switch="challenge_letters",
    is_deferrable=True,
    is_notice=True,
)
INVITATION = LetterKind(
    name="invitation", title=N_("invitation"), switch="challenge_letters", is_notice=True, is_from_member=True
)
INVITED = LetterKind(name="invited", title=N_("your invitation"))
CONTACT = LetterKind(
    name="contact",
    title=N_("letter from a member"),
    switch="talk_letters",
    is_notice=True,
    is_from_member=True,
    is_passed_on=True,
)
JOIN = LetterKind(name="join", title=N_("question before joining"), is_notice=True, is_awaited=True)
OPERATOR = LetterKind(name="operator", title=N_("mail for the operator"))
DEAD_MAIL = LetterKind(name="dead_mail", title=N_("mail set aside"))
ROBOTS_FAILED = LetterKind(name="robots_failed", title=N_("robots that failed"))
REPORT = LetterKind(name="report", title=N_("report about a player"))
RESTORED = LetterKind(name="restored", title=N_("what was lost when a machine failed"))
FROM_OPERATOR = LetterKind(name="from_operator", title=N_("letter from the operator"))
ANNOUNCEMENT = LetterKind(
    name="announcement",
    title=N_("announcement of the operators"),
    switch="announcement_letters",
    is_notice=True,
)
DIGEST = LetterKind(name="digest", title=N_("digest"), is_bulk=True)

TEMPLATES = [folder("templates") / "mail"]
"""The folders of the mail templates."""

_KINDS = {kind.name: kind for kind in tuple(globals().values()) if isinstance(kind, LetterKind)}

KINDS: Mapping[str, LetterKind] = MappingProxyType(_KINDS)
"""All kinds of letters, by name."""


def register(kinds: Iterable[LetterKind], templates: Path) -> None:
    """Add the kinds of a feature, with the folder of their templates."""
    _KINDS.update({kind.name: kind for kind in kinds})
    TEMPLATES.append(templates)


def kind_of(letter: Letter) -> LetterKind:
    """Return the kind of a letter; a placeholder if the kind no longer exists."""
    return KINDS.get(letter.kind) or LetterKind(name=letter.kind, title=letter.kind)


def kinds_that(has: Callable[[LetterKind], bool]) -> BindParameter[Sequence[str]]:
    """Return the names of the kinds for which `has` is true, for `in_`: read whenever the query runs."""
    return bindparam(None, callable_=lambda: [kind.name for kind in KINDS.values() if has(kind)], expanding=True)


def must_be_known(kind: LetterKind) -> None:
    """Raise UnknownKindError if a kind is not in the registry."""
    if kind not in KINDS.values():
        raise UnknownKindError(f"there is no kind of letter {kind!r}")
