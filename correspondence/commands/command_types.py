"""Parsed lines: one class for each command that people can write.

Where a command has `words`, they are what its writer contributes to the dice of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from correspondence.core.time_control import TimeControl

Options = tuple[tuple[str, str], ...]
"""The `name=value` pairs of a line, in order."""


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed line. `written` is the line itself; it does not count when two commands are compared."""

    written: str = field(default="", compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Other(Command):
    """A line that is not a command, without a leading “move”: it may be a move or talk."""

    line: str


@dataclass(frozen=True, slots=True)
class InvalidCommand(Command):
    """A line that is meant as a command but is invalid; `sentence` tells the person why."""

    line: str
    sentence: str


@dataclass(frozen=True, slots=True)
class InGame(Command):
    """A line about the match of this number, wherever it is mailed; `text` is the line without the number.

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
    """Show the board of a match; None is the match that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Legal(Command):
    """List my legal moves in a match, or those that begin with `begins`; None is the match that the mail replies to."""

    match: int | None = None
    begins: str = ""


@dataclass(frozen=True, slots=True)
class History(Command):
    """List the moves of a match; None is the match that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Record(Command):
    """Send the record of a match; None is the match that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Review(Command):
    """Send a robot's second opinion on a match that is over; None is the match that the mail replies to."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Exercise(Command):
    """Send an exercise; None is that of the day, or the next one where that is finished."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Rules(Command):
    """Teach a game, or one part of its rules; without a key the game of the thread, or list all games.

    The key may also be what nobody calls a game so far: a slip, or a part of the rules of the thread's game.
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
    """Challenge a member; `pace` None is the default time control, `rated` None what is usual with that member."""

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

    What is not named stays as it was. `number` None is the challenge that the mail replies to.
    """

    number: int | None = None
    options: Options = ()
    pace: TimeControl | None = None
    rated: bool | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class DiceWords(Command):
    """Contribute these words to the dice: of the offer or answer in the same mail, or of my open offer `number`."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Ask for a rematch with seats exchanged; None is the match that the mail replies to."""

    match: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Withdraw one of my own challenges, seeks or invitations, or an offer in a game; `what` is that of `Accept`."""

    number: int | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class Renew(Command):
    """Reopen one of my own seeks; None is the seek that the mail replies to."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Write(Command):
    """Write to a member through this service; the lines below the command are part of the text."""

    handle: str
    text: str


@dataclass(frozen=True, slots=True)
class Accept(Command):
    """Accept a challenge, seek or offer; None is the one that the mail replies to.

    `what` names the kind of an offer in a game: draw, pause or takeback.
    """

    number: int | None = None
    what: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """Decline a challenge or offer; None is the one that the mail replies to. `what` is that of `Accept`."""

    number: int | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class Reopen(Command):
    """Reopen a challenge or invitation that I declined by mistake; None is the one that the mail replies to."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Yes(Command):
    """Confirm what the answered letter asked."""


@dataclass(frozen=True, slots=True)
class No(Command):
    """Answer no to what the letter asked."""


@dataclass(frozen=True, slots=True)
class PlanLine(Command):
    """Conditional moves: `if MOVE then MOVE; …`, or a line that continues those above; text as written."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowPlan(Command):
    """Show my conditional moves."""


@dataclass(frozen=True, slots=True)
class ResumePlan(Command):
    """Resume my conditional moves after something stopped them."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    """Drop my conditional moves (`what` is “plan”) or recall my last remarks (“talk”); empty if the line does not say."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class OpenPlans(Command):
    """Agree that after the game both players see the conditional moves that were not played."""


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """Show the position after these moves (text as written) without playing them."""

    moves: str


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Offer or accept a draw."""


@dataclass(frozen=True, slots=True)
class Takeback(Command):
    """Ask for my last move back."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Offer to stop all clocks of the match for this many days; None accepts an offered pause."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Claim(Command):
    """Claim a win on time."""


@dataclass(frozen=True, slots=True)
class Nudge(Command):
    """Ask an opponent whose time has run out to move."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Resign the match."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """Start a vacation of this many days."""

    days: int


@dataclass(frozen=True, slots=True)
class Back(Command):
    """End my vacation."""


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
    """Begin a game with a robot that explains its first moves."""

    key: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Hint(Command):
    """Send the next move of a solution of my puzzle, or a move in a friendly game with a robot."""


@dataclass(frozen=True, slots=True)
class ShowSettings(Command):
    """Show my settings."""


@dataclass(frozen=True, slots=True)
class ChangeSetting(Command):
    """Change one setting, by its name in settings_line.py; an empty value asks what it is and can be."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Stop(Command):
    """Stop notices to me."""


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
    """Answered with a hint to use `takeback`: moves are final at once."""


@dataclass(frozen=True, slots=True)
class Ratings(Command):
    """Send my ratings, or the leaderboard of a game."""

    key: str | None = None


@dataclass(frozen=True, slots=True)
class Block(Command):
    """Block a member: no challenges and no remarks either way."""

    handle: str


@dataclass(frozen=True, slots=True)
class Unblock(Command):
    """End a block."""

    handle: str


@dataclass(frozen=True, slots=True)
class Mute(Command):
    """Hide the remarks of a member; None is the opponent in the match that the mail replies to, in that match only."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Unmute(Command):
    """Show the remarks of a member again; None is the match that the mail replies to."""

    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Report(Command):
    """Report a member to the operator; None is the opponent in the match that the mail replies to.

    `words` is the text on the line; the lines below the command are part of it.
    """

    handle: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Addresses(Command):
    """List my mail addresses."""


@dataclass(frozen=True, slots=True)
class AddressAdd(Command):
    """Add a mail address of mine, once it is confirmed from there."""

    mail: str


@dataclass(frozen=True, slots=True)
class AddressRemove(Command):
    """Remove one of my mail addresses."""

    mail: str


@dataclass(frozen=True, slots=True)
class AddressMain(Command):
    """Have my letters go to this one of my mail addresses."""

    mail: str


@dataclass(frozen=True, slots=True)
class NewRecoveryCode(Command):
    """Mail me a new recovery code; the old one ends."""


@dataclass(frozen=True, slots=True)
class Recover(Command):
    """Take back my account from another address by the code that I wrote down."""

    code: str
