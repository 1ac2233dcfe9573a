"""The text of the `help` command: every command with a short explanation, in the person's language."""

from __future__ import annotations

from engines import GAMES
from engines.wording import _

Rows = list[tuple[str, str]]
"""Commands with their explanations, in the order of the text."""


def help_text() -> str:
    """Return the list of all mail commands, each with a short explanation."""
    general = [*_overview(), *_challenges(), *_seeks(), *_people(), *_settings(), *_account()]
    in_game = [*_moves(), *_plans(), *_offers(), *_talk()]
    lines = [_help_entry(command, explanation) for command, explanation in general]
    lines.append("\n" + _("In reply to the letter of a game:"))
    lines += [_help_entry(command, explanation) for command, explanation in in_game]
    return "\n".join(lines)


def _help_entry(command: str, explanation: str) -> str:
    """Format one command with its explanation; the dot keeps the line from being read as a command in a quotation."""
    return f"· {command}\n    {explanation}"


def _overview() -> Rows:
    """Joining, own games and rules."""
    return [
        (_("join NAME"), _("join, with the address you write from")),
        ("games", _("your games, most urgent first")),
        ("show 12, history 12, record 12", _("the board, the moves, the whole record of game 12")),
        (
            "game 12: c3/f2=B",
            _("a move in game 12, wherever you write it; also 12 c3/f2=B, draw 12, resign 12, say 12: hello"),
        ),
        ("rules proteus-dice", _("how a game is written; {games}").format(games=", ".join(GAMES))),
    ]


def _challenges() -> Rows:
    """Challenges and counter-offers."""
    return [
        ("challenge ann proteus-dice 3 days", _("ask ann to play; options as name=value, time at the end")),
        ("challenge ann duel post 30 days", _("by post: 14 to 60 days a move, also in a seek; post alone is 30 days")),
        ("accept 7, decline 7", _("answer challenge 7 (no number needed in reply to its letter)")),
        ("counter 7 board=sun 3 days", _("answer challenge 7 with another offer; what you do not name stays")),
    ]


def _seeks() -> Rows:
    """Seeks, rematches and invitations."""
    return [
        (
            "seek duel 3 days games=2 rating=1400-1800 reliability=80 again=never language=it days=30",
            _("look for an opponent; only the game is required, standing=2 keeps two games going"),
        ),
        ("seek duel 3 days pair=yes", _("the service pairs you within minutes with the best partner available")),
        ("seeks", _("who is looking for a partner, and where you qualify; accept 7 takes seek 7")),
        ("withdraw 7, renew 7", _("end or reopen a challenge or seek of yours")),
        ("rematch 12", _("play game 12 again with seats exchanged")),
        ("invite bob@example.org duel 3 days", _("a single letter to a friend who is not a member yet")),
    ]


def _people() -> Rows:
    """Other members, puzzles and ratings."""
    return [
        ("write ann: hello", _("a letter to ann, who answers you through us")),
        ("puzzle goal=2", _("a puzzle for you alone; goals are 1 to 4")),
        ("puzzle today", _("the deal of the day, the same for everybody")),
        ("partners", _("who plays here, and what they like")),
        ("ratings, ratings duel", _("your ratings and reliability; the best in a game")),
        ("mute ann, block ann", _("no more messages from ann; no contact at all with ann (unmute, unblock)")),
        ("report ann WORDS", _("tell the operator, and nobody else, what happened")),
    ]


def _settings() -> Rows:
    """Settings, vacations and letters."""
    return [
        ("settings", _("your language, time zone and letters")),
        ("away 5 days, back", _("your clocks stop while you are away; you can still move")),
        ("settings digest daily 7:00", _("all letters in one a day; also: digest hourly, digest off")),
        ("settings quiet 22-7", _("no letters in these hours, unless your clock would suffer; quiet off ends them")),
        ("address add bob@example.org", _("one more address to write and sign in from; it is asked by letter first")),
        ("address main …, address remove …", _("where letters go; forget an address; address alone lists them")),
        ("recovery code", _("mails you a new code for the case that you lose your addresses")),
        (_("recover CODE"), _("take back your account from an address that is not yours yet")),
        ("letters", _("what happened to the last letters to you")),
        ("test letter", _("a letter that shows whether letters reach you")),
    ]


def _account() -> Rows:
    """Personal data and stopping letters."""
    return [
        ("export", _("where to fetch everything that is kept about you")),
        ("forget me", _("asks once, then erases you; your games stay with a departed player")),
        ("stop", _("no more letters except those that say it is your turn")),
    ]


def _moves() -> Rows:
    """Moves and previews."""
    return [
        (_("your move"), _("on a line by itself, in reply to the letter of the game")),
        ("legal, legal a2", _("all your legal moves, or those that begin on a2; a number in reply plays one")),
        ("preview c3/f2=B c6/a7=B", _("the board after these moves; nothing is played")),
    ]


def _plans() -> Rows:
    """Conditional moves and recalling remarks."""
    return [
        (
            "if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y; if c6/a7=B then d4/f2=B",
            _("your answers to what your opponent may do, also below a move: played at once, seen by nobody else"),
        ),
        ("plan, plan on, cancel plan", _("show your plan; resume it after a stop; drop it")),
        ("cancel", _("recalls what you said within five minutes, while nobody has read it; else drops your plan")),
        ("open plans", _("after the game: if both of you want it, each sees what the other had planned")),
    ]


def _offers() -> Rows:
    """Offers, claims and resigning."""
    return [
        ("draw", _("offer a draw, or accept one")),
        ("takeback", _("ask to take your last move back, or allow your opponent to")),
        ("pause 5 days", _("offer to stop all clocks for that long; pause alone accepts")),
        ("claim", _("claim the win when your opponent's time has run out and the game does not end by itself")),
        ("nudge", _("ask an opponent politely to move whose time has run out")),
        ("resign", _("asks once, then ends the game")),
    ]


def _talk() -> Rows:
    """Mutes, hints and remarks."""
    return [
        ("mute, unmute", _("whether you see what is said in this game")),
        ("hint", _("the next step of a solution of your puzzle")),
        (_("any other sentence"), _("goes to your opponent; if it looks more like a move, you are asked first")),
        (_("say: c3/f2=B was strong"), _("goes to your opponent too, although it names a move, if nothing is hidden")),
    ]
