"""Lines, understood: one value for each command that people can write."""

from __future__ import annotations

from dataclasses import dataclass, field

from correspondence.core.time_control import TimeControl

Options = tuple[tuple[str, str], ...]
"""The `name=value` pairs of a line, in order."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line, understood; `written` is that line, which two commands that mean the same need not share."""

    written: str = field(default="", compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Other(Command):
    """A line that is no command, without a leading “move”: it may be a move or talk."""

    line: str


@dataclass(frozen=True, slots=True)
class Mistaken(Command):
    """A line that is meant as a command and cannot be carried out; `sentence` says why."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Help(Command):
    """Explain what can be written."""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Become a member under this handle."""

    handle: str


@dataclass(frozen=True, slots=True)
class Games(Command):
    """List my games."""


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Show a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class History(Command):
    """Tell the moves of a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Record(Command):
    """Send the record of a match; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Rules(Command):
    """Send the rules of a game; None is the game of the match that the mail answers."""

    key: str | None = None


@dataclass(frozen=True, slots=True)
class SeekPartner(Command):
    """Look for anybody to play with; None is the usual pace."""

    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Seeks(Command):
    """List who is looking for a partner."""


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """Ask a member to play; None is the usual pace."""

    handle: str
    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Ask somebody who is no member yet, by mail address; None is the usual pace."""

    address: str
    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Counter(Command):
    """Answer a challenge with another; what is not named stays as it was, None is the one that the mail answers."""

    number: int | None = None
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool | None = None


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Play a match once more, seats exchanged; None is the one that the mail answers."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Take an own challenge, seek or invitation back."""

    number: int


@dataclass(frozen=True, slots=True)
class Renew(Command):
    """Open an own seek once more; None is the one that the mail answers."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Write(Command):
    """Write to a member through us; what stands below belongs to it."""

    handle: str
    text: str


@dataclass(frozen=True, slots=True)
class Accept(Command):
    """Accept an offer; None is the one that the mail answers."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline an offer; None is the one that the mail answers."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Yes(Command):
    """Confirm what was asked."""


@dataclass(frozen=True, slots=True)
class No(Command):
    """Deny what was asked."""


@dataclass(frozen=True, slots=True)
class PlanLine(Command):
    """Conditional moves: `if MOVE then MOVE; …`, or a line that goes on with those above; as written."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowPlan(Command):
    """Show my conditional moves."""


@dataclass(frozen=True, slots=True)
class ResumePlan(Command):
    """Let my conditional moves go on, after something stopped them."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Drop my conditional moves, the “plan”, or recall what I said, the “talk”; empty where the line does not say."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class OpenPlans(Command):
    """Let both players see, after the game, what of their plans was not played."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """Show the position after these moves, as written, and play none of them."""

    moves: str


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Offer or accept a draw."""


@dataclass(frozen=True, slots=True)
class Takeback(Command):
    """Ask for my last move back."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Offer that all clocks stand still for so many days; None accepts what was offered."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Claim(Command):
    """Claim the win, because the opponent's time has run out."""


@dataclass(frozen=True, slots=True)
class Nudge(Command):
    """Ask an opponent whose time has run out to move."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Give the match up."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """Be absent for so many days."""

    days: int


@dataclass(frozen=True, slots=True)
class Back(Command):
    """End my absence."""


@dataclass(frozen=True, slots=True)
class Partners(Command):
    """List the members who want to play."""


@dataclass(frozen=True, slots=True)
class Puzzle(Command):
    """Send a puzzle, with `name=value` options, or the deal of the day."""

    options: Options = ()
    daily: bool = False


@dataclass(frozen=True, slots=True)
class Hint(Command):
    """The next step of a solution of my puzzle."""


@dataclass(frozen=True, slots=True)
class Settings(Command):
    """Show my settings."""


@dataclass(frozen=True, slots=True)
class SetMailPreferences(Command):
    """Change when letters come: a digest and its hour, or quiet hours; None leaves as it is, `quiet` () ends them."""

    digest: str | None = None
    hour: int | None = None
    quiet: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """Send me no more letters."""


@dataclass(frozen=True, slots=True)
class Export(Command):
    """Send me everything that is kept about me."""


@dataclass(frozen=True, slots=True)
class ForgetMe(Command):
    """Erase me."""


@dataclass(frozen=True, slots=True)
class Letters(Command):
    """Tell what happened to the last letters to me."""


@dataclass(frozen=True, slots=True)
class TestLetter(Command):
    """Send me a letter that shows whether letters arrive."""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """Undo the move that is not final yet."""


@dataclass(frozen=True, slots=True)
class Ratings(Command):
    """Send my ratings, or the best of a game."""

    key: str | None = None


@dataclass(frozen=True, slots=True)
class Block(Command):
    """Have nothing more to do with a member."""

    handle: str


@dataclass(frozen=True, slots=True)
class Unblock(Command):
    """Take a block back."""

    handle: str


@dataclass(frozen=True, slots=True)
class Mute(Command):
    """Do not hear a member; None is the opponent in the match that the mail answers, and there alone."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Unmute(Command):
    """Hear a member again; None is the match that the mail answers."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Report(Command):
    """Tell the operator about a member; None is the opponent in the match that the mail answers.

    `words` are those of the line; what follows in the mail belongs to them.
    """

    handle: str | None
    words: str
