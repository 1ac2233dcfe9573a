"""Answers to `help`: an overview of the topics, and one short page per topic.

Every page fits the screen of a phone. A topic is found by its name, its title, or any command it explains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from textwrap import wrap

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.outbound.letters import wrapped_behind
from engines.refusal import Refusal
from engines.wording import N_, _, listing

WIDTH = 46
"""Maximum line width of a help page, in characters."""

Rows = list[tuple[str, str]]
"""Commands with their explanations, in display order."""


class UnknownTopic(Refusal):
    """Raised for an unknown help topic; str() lists the topics."""


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A help page: title, the line that requests it, commands explained, and its search words."""

    title: str
    line: str
    rows: Callable[[], Rows]
    words: str
    belongs_to_a_game: bool = False


def overview() -> str:
    """List the topics, each with a summary and the line that requests it."""
    first = [
        _entry(_("games"), _("your games")),
        _entry(_("seek duel"), _("look for a partner")),
        _entry(_("rules duel"), _("learn a game")),
    ]
    topics = [f"· {_(topic.line)} – {_(topic.title)}" for topic in TOPICS.values()]
    return "\n".join([*first, "", _("More about each topic:"), *topics])


def help_page(words: str) -> tuple[str, str]:
    """Return title and text of the page about a topic or a command. Raises UnknownTopic."""
    topic = TOPICS[topic_named(words)]
    title = _(topic.title)
    if topic.belongs_to_a_game:
        title = _("{title} – in reply to the letter of a game").format(title=title)
    return title, "\n".join(_entry(command, explanation) for command, explanation in topic.rows())


def topic_named(words: str) -> str:
    """Return the name of the topic that words mean. Raises UnknownTopic with the nearest one."""
    wanted = " ".join(words.casefold().rstrip(".!? ").split())
    known = _topics_by_word()
    if wanted in known:
        return known[wanted]
    sentence = _("There is no help about “{word}”.").format(word=wanted[:40])
    near = get_close_matches(wanted, known, n=1, cutoff=0.7)
    if near:
        sentence += " " + _("Did you mean “{near}”?").format(near=near[0])
    raise UnknownTopic(
        f"{sentence} " + _("You can write help and one of these: {topics}.").format(topics=listing(tuple(TOPICS)))
    )


def is_topic(words: str) -> bool:
    """Whether there is help on these words."""
    try:
        topic_named(words)
    except UnknownTopic:
        return False
    return True


@cache
def _topics_by_word() -> Mapping[str, str]:
    """Topics by each word that finds them: commands, titles in every language, and names."""
    known: dict[str, str] = {}
    for name, topic in TOPICS.items():
        known |= {word.strip(): name for word in topic.words.split("|")}
        for language in LANGUAGES:
            with in_language(language):
                known[_(topic.title).casefold()] = name
                known[_(topic.line).partition(" ")[2]] = name
    return {**known, **{name: name for name in TOPICS}}


def _entry(command: str, explanation: str) -> str:
    """Format a command with its explanation; a dot keeps quotations from acting as commands."""
    rows = _rows(explanation)
    return "\n".join([wrapped_behind(command, "· ", "| ", WIDTH - 2), *(f"    {row}" for row in rows)])


def _rows(explanation: str) -> list[str]:
    """Break an explanation into short lines that cannot be parsed as commands in a quotation."""
    for width in range(WIDTH - 4, WIDTH // 2, -1):
        rows = wrap(explanation, width)
        if not any(map(_may_act, rows)):
            return rows
    return [explanation]


def _may_act(row: str) -> bool:
    """Whether a row could be parsed as a command: one word, or a few with a game's number."""
    words = row.split()
    return len(words) == 1 or (len(words) <= 3 and any(char.isdecimal() for char in row))


def _begin() -> Rows:
    """Topic: joining, own games and rules."""
    return [
        (_("join NAME"), _("join, with the address you write from")),
        (_("games"), _("your games, most urgent first")),
        (_("show 12, history 12, record 12"), _("the board, the moves, the whole record of game 12")),
        (_("review 12"), _("what a robot thinks of each move of game 12, when it is over")),
        (
            _("game 12: c3/f2=B"),
            _("a move in game 12, wherever you write it; also 12 c3/f2=B, draw 12, resign 12, say 12: hello"),
        ),
        (_("rules"), _("the games that are played here")),
        (_("learn duel"), _("a robot plays with you and explains the rules with its first ten moves")),
        (_("rules proteus-dice"), _("learn a game, with pictures")),
        (_("rules proteus-dice notation"), _("one part of its rules, or one of its options")),
    ]


def _moves() -> Rows:
    """Topic: moves and previews."""
    return [
        (_("your move"), _("on a line by itself, in reply to the letter of the game")),
        (_("legal, legal a2"), _("all your legal moves, or those that begin on a2; a number in reply plays one")),
        (_("preview c3/f2=B c6/a7=B"), _("the board after these moves; nothing is played")),
        (_("show"), _("the current board")),
        (_("rules notation"), _("how moves are written in this game")),
        (_("hint"), _("the next step of your puzzle's solution, or a move in an unrated game with a robot")),
    ]


def _plans() -> Rows:
    """Topic: conditional moves."""
    return [
        (
            _("if e6/d8=B then h4/d2=B; if c6/a7=B then d4/f2=B"),
            _(
                "your replies to what your opponent may do, also below a move: played at once, and nobody else sees "
                "them"
            ),
        ),
        (_("if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y"), _("a comma continues the same line of play")),
        (_("plan"), _("shows your plan")),
        (_("plan on"), _("resumes it after a stop")),
        (_("cancel plan"), _("drops it")),
        (_("open plans"), _("after the game: if you both want it, you see what each other had planned")),
    ]


def _offers() -> Rows:
    """Topic: offers, claims and resigning."""
    return [
        (_("draw"), _("offer a draw, or accept one")),
        (_("takeback"), _("ask to take back your last move, or let your opponent take theirs back")),
        (_("pause 5 days"), _("offer to stop all clocks for that long; pause alone accepts")),
        (_("decline"), _("refuse an offer")),
        (_("withdraw draw"), _("take back your own offer of a draw, a pause or a takeback")),
        (_("claim"), _("claim the win when your opponent's time has run out but the game goes on")),
        (_("nudge"), _("ask an opponent whose time has run out to move")),
        (_("resign"), _("asks once, then ends the game")),
    ]


def _talk() -> Rows:
    """Topic: remarks to the opponent."""
    return [
        (_("any other sentence"), _("goes to your opponent; if it looks more like a move, you are asked first")),
        (_("say: c3/f2=B was strong"), _("goes to your opponent even though it names a move, if nothing is hidden")),
        (
            _("cancel"),
            _("unsends what you said in the last five minutes, if nobody has read it; otherwise drops your plan"),
        ),
        (_("mute, unmute"), _("whether you see what is said in this game")),
    ]


def _seeks() -> Rows:
    """Topic: open seeks and their conditions."""
    return [
        (_("seek duel 3 days"), _("look for an opponent; only the game is required")),
        (_("seek duel pair=yes"), _("the service pairs you within minutes with the best partner available")),
        (_("seek duel rating=1400-1800 reliability=80 language=it"), _("conditions that your opponent must meet")),
        (
            _("seek duel games=2 standing=2 again=never days=30"),
            _("how many games, how soon with the same opponent, for how long"),
        ),
        (_("seeks"), _("who is looking for a partner, and where you qualify")),
        (_("accept 7"), _("takes seek 7")),
        (_("withdraw 7, renew 7"), _("end or reopen a seek of yours")),
    ]


def _challenges() -> Rows:
    """Topic: challenges, rematches and invitations."""
    return [
        (_("challenge ann duel as white 3 days"), _("ask ann to play; options as name=value, time at the end")),
        (_("challenge ann duel post 21 days"), _("the same by post, for players without mail")),
        (_("robots"), _("the robots here, their levels and ratings, and the line that challenges each")),
        (_("challenge robot 2 to duel"), _("play a robot at once, at one of five levels; rated only if you say so")),
        (_("accept 7, decline 7"), _("answer challenge 7 (no number needed in reply to its letter)")),
        (_("counter 7 board=sun 3 days"), _("make a counter-offer to challenge 7; what you don't name stays")),
        (_("withdraw 7, reopen 7"), _("take challenge 7 back, or reopen it")),
        (_("rematch 12"), _("rematch of game 12, colours swapped")),
        (_("invite bob@example.org duel 3 days"), _("a single letter to a friend who is not a member yet")),
    ]


def _dice() -> Rows:
    """Topic: words for the dice, and proofs of fair dice."""
    return [
        (
            _("words: a walk in the rain"),
            _("below a challenge, a seek or accept: your words also decide what chance brings"),
        ),
        (_("words 7: a walk in the rain"), _("changes your words for offer 7, until somebody accepts it")),
        (_("record 12"), _("the record of game 12; once the game is over, it can be verified")),
        (_("rules fairness"), _("why nobody can have chosen what chance brings, and how to check")),
    ]


def _people() -> Rows:
    """Topic: other members and ratings."""
    return [
        (_("partners"), _("who plays here, and what they like")),
        (_("write ann: hello"), _("a letter to ann; we pass her answer on to you")),
        (_("ratings, ratings duel"), _("your ratings and reliability; the best in a game")),
        (_("mute ann, unmute ann"), _("see no more messages from ann, or see them again")),
        (_("block ann, unblock ann"), _("have no contact with ann at all, or allow it again")),
        (_("report ann WORDS"), _("tell the operator, and nobody else, what happened")),
    ]


def _puzzles() -> Rows:
    """Topic: puzzles."""
    return [
        (_("puzzle"), _("a puzzle for you alone")),
        (_("puzzle goal=2"), _("with another goal; goals are 1 to 4")),
        (_("puzzle today"), _("the deal of the day, the same for everybody")),
        (_("hint"), _("in reply to its letter: the next step of a solution")),
        (_("rules puzzle"), _("what the goals are")),
        (_("exercise"), _("a position from a real game with only one winning move; reply with it, or with: solution")),
        (_("settings exercises weekly"), _("an exercise each week; no in place of weekly ends it")),
    ]


def _settings() -> Rows:
    """Topic: settings, leave and letters."""
    return [
        (_("settings"), _("your language, time zone and letters, and the line that changes each")),
        (
            _("settings receipt off"),
            _("no receipts of your moves; likewise language, zone, plain, reminder, digest, quiet, days off, confirm"),
        ),
        (_("away 5 days, back"), _("your clocks stop while you are away; you can still move")),
        (
            _("settings digest daily 7:00"),
            _("all letters in one, once a day; hourly sends at most one an hour, off ends it"),
        ),
        (
            _("settings quiet 22-7"),
            _("no letters in these hours, unless your clock would suffer; off ends it"),
        ),
        (_("letters"), _("what happened to the last letters to you")),
        (_("test letter"), _("a letter that shows whether letters reach you")),
    ]


def _addresses() -> Rows:
    """Topic: several addresses, and recovery without any."""
    return [
        (
            _("address add bob@example.org"),
            _("another address to write and sign in from; it's confirmed by mail first"),
        ),
        (
            _("address main …, address remove …"),
            _("choose where letters go; remove an address; address alone lists them"),
        ),
        (_("sign in"), _("a letter with a link that signs you in on the pages")),
        (_("recovery code"), _("mails you a new code, in case you lose your addresses")),
        (_("recover CODE"), _("take back your account from an address that isn't yours yet")),
    ]


def _account() -> Rows:
    """Topic: personal data and unsubscribing."""
    return [
        (_("export"), _("where to download everything we keep about you")),
        (_("forget me"), _("asks once, then erases you; your games stay with a departed player")),
        (_("stop"), _("unsubscribe from letters about talk, reminders and receipts")),
        (_("yes, no"), _("answer a letter that asks you to confirm something")),
    ]


TOPICS: Mapping[str, Topic] = {
    "begin": Topic(
        N_("joining, your games, the rules"), N_("help begin"), _begin,
        "join|signup|register|iscrivi|iscrivimi|unisciti|review|parere|learn|impara|imparo|"
        "games|my games|partite|show|mostra|history|cronologia|record|registro|registrazione|rules|regole|"
        "regeln|help|aiuto|commands",
    ),
    "moves": Topic(
        N_("playing a move"), N_("help moves"), _moves,
        "move|legal|legal moves|notation|preview|anteprima|mossa|mosse|zug|coup|jugada|notazione", belongs_to_a_game=True,
    ),
    "plans": Topic(
        N_("conditional moves"), N_("help plans"), _plans,
        "plan|if|then|conditional|cancel plan|open plans|plan on|piano|piani|riprendi il piano|apri i piani|"
        "annulla piano|my plan", belongs_to_a_game=True,
    ),
    "offers": Topic(
        N_("draw, takeback, pause, resigning"), N_("help offers"), _offers,
        "draw|takeback|undo|pause|pausa|ripresa|claim|reclamo|nudge|sollecito|resign|"
        "offer|decline|reject|rifiuto|patta|abbandono|withdraw draw", belongs_to_a_game=True,
    ),
    "talk": Topic(
        N_("words to your opponent"), N_("help talk"), _talk,
        "say|cancel|annulla|chat|messages|wait|parlare", belongs_to_a_game=True,
    ),
    "seeks": Topic(
        N_("looking for a partner"), N_("help seeks"), _seeks,
        "seek|cerco|withdraw|renew|ritiro|rinnovo|pair|pairing|accept|accetto",
    ),
    "challenges": Topic(
        N_("challenges and invitations"), N_("help challenges"), _challenges,
        "challenge|sfida|sfide|robot|robots|counter|controproposta|invite|invito|post|by post|posta|rematch|rivincita|"
        "reopen|riapri",
    ),
    "dice": Topic(N_("fair chance, and your own randomness"), N_("help dice"), _dice, "words|parole|dadi|fairness|equità"),
    "people": Topic(
        N_("other members"), N_("help people"), _people,
        "partners|compagni|write|scrivi|ratings|rating|mute|unmute|silenzia|riascolta|block|unblock|blocca|sblocca|"
        "report|report:|segnala|members|persone",
    ),
    "puzzles": Topic(
        N_("puzzles and exercises"), N_("help puzzles"), _puzzles,
        "puzzle|hint|suggerimento|rompicapo|rompicapi|exercise|exercises|esercizio|esercizi|solution|soluzione",
    ),
    "settings": Topic(
        N_("settings, holidays, letters"), N_("help settings"), _settings,
        "setting|impostazioni|imposta|away|assente|back|rientro|vacation|digest|quiet|"
        "letters|lettere|test|test letter|language|lingua|time zone",
    ),
    "addresses": Topic(
        N_("your addresses, and losing them"), N_("help addresses"), _addresses,
        "address|my addresses|sign in|login|log in|accedi|indirizzo|indirizzi|"
        "recover|recupera|recovery|recovery code|codice di recupero",
    ),
    "account": Topic(
        N_("your data, and stopping all letters"), N_("help account"), _account,
        "export|esporta|forget me|forget|dimenticami|stop|unsubscribe|yes|no|delete|dati",
    ),
}  # fmt: skip
"""The help pages by name, in the order of the overview."""
