"""Parsed lines: one class for each command.

Where a command has `words`, they are what its writer contributes to the dice of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from correspondence.core.time_control import TimeControl

Options = tuple[tuple[str, str], ...]
"""The `name=value` pairs of a line, in order."""


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed line. `written` is its source text, which is ignored when commands are compared."""

    written: str = field(default="", compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Other(Command):
    """A line that is not a command: a move or talk, without a leading “move”."""

    line: str


@dataclass(frozen=True, slots=True)
class InvalidCommand(Command):
    """A line meant as a command but invalid; `sentence` tells the person why."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class InGame(Command):
    """A line about the match of this number; `text` is the line without the number.

    An empty text makes it a heading: the lines below it are about that match.
    """

    match: int
    text: str


@dataclass(frozen=True, slots=True)
class Help(Command):
    """Explain a command or a group of them; without a topic, list the topics."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Become a member under this handle."""

    handle: str


@dataclass(frozen=True, slots=True)
class Games(Command):
    """List my games."""


@dataclass(frozen=True, slots=True)
class Show(Command):
    """Show the board of a match, by default the one that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Legal(Command):
    """List my legal moves in a match, by default the mail's; `begins` filters by prefix."""

    match: int | None = None
    begins: str = ""


@dataclass(frozen=True, slots=True)
class History(Command):
    """List the moves of a match, by default the one that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Record(Command):
    """Send the record of a match, by default the one that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Exercise(Command):
    """Send an exercise, by default today's, or the next one if today's is finished."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Rules(Command):
    """Teach a game, or one part of its rules.

    `key` may be an unknown name: a typo, or a part of the rules of the thread's game. Without a key, teach the
    thread's game, or list all games if there is none.
    """

    key: str | None = None
    part: str = ""


@dataclass(frozen=True, slots=True)
class SeekPartner(Command):
    """Open a seek: look for any opponent; `pace` None is the default time control."""

    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool = True
    words: str = ""


@dataclass(frozen=True, slots=True)
class Seeks(Command):
    """List the open seeks."""


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """Challenge a member; `pace` None is the default time control.

    `rated` None is the usual choice with that member.
    """

    handle: str
    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Invite a non-member by mail address; `pace` None is the default time control."""

    address: str
    key: str
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool = True
    words: str = ""


@dataclass(frozen=True, slots=True)
class Counter(Command):
    """Answer a challenge with a counter-offer.

    Terms that are not named stay unchanged. `number` None is the challenge that the mail replies to.
    """

    number: int | None = None
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class DiceWords(Command):
    """Contribute words to the dice: of my open offer `number`, or the mail's offer or answer."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Ask for a rematch, colours swapped, by default of the match that the mail replies to."""

    match: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Withdraw my challenge, seek or invitation, or an offer in a game (`what`, as in `Accept`)."""

    number: int | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class Renew(Command):
    """Reopen one of my own seeks, by default the one that the mail replies to."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Write(Command):
    """Write to a member through the service; the lines below the command belong to the text."""

    handle: str
    text: str


@dataclass(frozen=True, slots=True)
class Accept(Command):
    """Accept a challenge, seek or offer, by default the one that the mail replies to.

    `what` names the kind of an offer in a game: draw, pause or takeback.
    """

    number: int | None = None
    what: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline a challenge or offer, by default the mail's; `what` as in `Accept`."""

    number: int | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class Reopen(Command):
    """Reopen a challenge or invitation that I declined by mistake, by default the mail's."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Yes(Command):
    """Confirm the question of the answered letter."""


@dataclass(frozen=True, slots=True)
class No(Command):
    """Answer no to the question of the answered letter."""


@dataclass(frozen=True, slots=True)
class PlanLine(Command):
    """Conditional moves as written: `if MOVE then MOVE; …`, or a line that continues them."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowPlan(Command):
    """Show my conditional moves."""


@dataclass(frozen=True, slots=True)
class ResumePlan(Command):
    """Resume my conditional moves after something stopped them."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Cancel my conditional moves (`what`: “plan”) or last remarks (“talk”); empty if unsaid."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class OpenPlans(Command):
    """Agree that both players see the unplayed conditional moves after the game."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """Show the position after these moves (as written) without playing them."""

    moves: str


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Offer or accept a draw."""


@dataclass(frozen=True, slots=True)
class Takeback(Command):
    """Ask for my last move back."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Offer to stop the clocks of the match for `days`; None accepts an offered pause."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Claim(Command):
    """Claim a win on time."""


@dataclass(frozen=True, slots=True)
class Nudge(Command):
    """Remind an opponent, whose time has run out, that it is their move."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Resign the match."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """Start a leave of this many days."""

    days: int


@dataclass(frozen=True, slots=True)
class Back(Command):
    """End my leave."""


@dataclass(frozen=True, slots=True)
class Partners(Command):
    """List the members who are open to play."""


@dataclass(frozen=True, slots=True)
class Robots(Command):
    """List the robots that can be challenged."""


@dataclass(frozen=True, slots=True)
class Puzzle(Command):
    """Start a puzzle with `name=value` options, or the puzzle of the day."""

    options: Options = ()
    daily: bool = False


@dataclass(frozen=True, slots=True)
class Learn(Command):
    """Start a game with a robot that explains its first moves."""

    key: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Hint(Command):
    """Send the next move of my puzzle's solution, or a move in a friendly game with a robot."""


@dataclass(frozen=True, slots=True)
class ShowSettings(Command):
    """Show my settings."""


@dataclass(frozen=True, slots=True)
class ChangeSetting(Command):
    """Change a setting, named as in settings_line.py; an empty value asks for its current value."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """Unsubscribe me from notices."""


@dataclass(frozen=True, slots=True)
class Export(Command):
    """Send me a link to all data stored about me."""


@dataclass(frozen=True, slots=True)
class ForgetMe(Command):
    """Erase my account."""


@dataclass(frozen=True, slots=True)
class Letters(Command):
    """Report the delivery of the last letters to me."""


@dataclass(frozen=True, slots=True)
class TestLetter(Command):
    """Send me a test letter."""


@dataclass(frozen=True, slots=True)
class SignIn(Command):
    """Mail me a link that signs me in."""


@dataclass(frozen=True, slots=True)
class Wait(Command):
    """Get a hint to use `takeback`, because moves take effect at once."""


@dataclass(frozen=True, slots=True)
class Ratings(Command):
    """Send my ratings, or the leaderboard of a game."""

    key: str | None = None


@dataclass(frozen=True, slots=True)
class Block(Command):
    """Block a member: no challenges and no remarks in either direction."""

    handle: str


@dataclass(frozen=True, slots=True)
class Unblock(Command):
    """End a block."""

    handle: str


@dataclass(frozen=True, slots=True)
class Mute(Command):
    """Hide a member's remarks; without a handle the opponent's, in the mail's match only."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Unmute(Command):
    """Show a member's remarks again; without a handle the opponent's, in the mail's match."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Report(Command):
    """Report a member to the operator, by default the opponent in the mail's match.

    `words` is the text on the line; the lines below the command belong to it.
    """

    handle: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Addresses(Command):
    """List my mail addresses."""


@dataclass(frozen=True, slots=True)
class AddressAdd(Command):
    """Add a mail address of mine; it must be confirmed from there."""

    mail: str


@dataclass(frozen=True, slots=True)
class AddressRemove(Command):
    """Remove one of my mail addresses."""

    mail: str


@dataclass(frozen=True, slots=True)
class AddressMain(Command):
    """Send my letters to this mail address of mine."""

    mail: str


@dataclass(frozen=True, slots=True)
class NewRecoveryCode(Command):
    """Mail me a new recovery code; the old one becomes invalid."""


@dataclass(frozen=True, slots=True)
class Recover(Command):
    """Recover my account from another address with my recovery code."""

    code: str
