"""Answers to `help`: an overview of the topics, and one short page per topic.

Every page fits the screen of a phone. A topic is found by its name, its title, or any command it explains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from textwrap import wrap

from correspondence.commands import registry
from correspondence.commands.registry import HelpLine, first_words
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.outbound.letters import wrapped_behind
from engines.refusal import Refusal
from engines.wording import N_, _, listing

WIDTH = 46
"""Maximum line width of a help page, in characters."""


class UnknownTopic(Refusal):
    """Raised for an unknown help topic; str() lists the topics."""


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A help page: title, the line that requests it, and search words besides its commands' own."""

    title: str
    line: str
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


def help_page(words: str, features_off: frozenset[str] = frozenset()) -> tuple[str, str]:
    """Return title and text of the page about a topic or a command, without some features.

    Raises UnknownTopic.
    """
    name = topic_named(words)
    topic = TOPICS[name]
    title = _(topic.title)
    if topic.belongs_to_a_game:
        title = _("{title} – in reply to the letter of a game").format(title=title)
    lines = lines_of(name, features_off)
    return title, "\n".join(_entry(_(line.example), _(line.explanation)) for line in lines)


def lines_of(topic: str, features_off: frozenset[str] = frozenset()) -> list[HelpLine]:
    """Return the lines of a page in order, without those of some features."""
    offered = (one for one in registry.declarations().values() if one.feature not in features_off)
    lines = (*OWN_LINES, *(line for one in offered for line in one.help))
    return sorted((line for line in lines if line.topic == topic), key=lambda line: line.place)


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
    known = {word: one.topic for one in registry.declarations().values() if one.topic for word in first_words(one)}
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


OWN_LINES = (
    HelpLine(
        "begin",
        5,
        N_("game 12: c3/f2=B"),
        N_("a move in game 12, wherever you write it; also 12 c3/f2=B, draw 12, resign 12, say 12: hello"),
    ),
    HelpLine("moves", 1, N_("your move"), N_("on a line by itself, in reply to the letter of the game")),
    HelpLine(
        "talk",
        1,
        N_("any other sentence"),
        N_("goes to your opponent; if it looks more like a move, you are asked first"),
    ),
    HelpLine(
        "talk",
        2,
        N_("say: c3/f2=B was strong"),
        N_("goes to your opponent even though it names a move, if nothing is hidden"),
    ),
)
"""Lines of help pages about what is no command."""

TOPICS: dict[str, Topic] = {
    "begin": Topic(
        N_("joining, your games, the rules"), N_("help begin"),
        "join|signup|register|iscrivi|iscrivimi|unisciti|review|parere|learn|impara|imparo|"
        "games|my games|partite|show|mostra|history|cronologia|record|registro|registrazione|rules|regole|"
        "regeln|help|aiuto|commands",
    ),
    "moves": Topic(
        N_("playing a move"), N_("help moves"),
        "move|legal|legal moves|notation|preview|anteprima|mossa|mosse|zug|coup|jugada|notazione", belongs_to_a_game=True,
    ),
    "plans": Topic(
        N_("conditional moves"), N_("help plans"),
        "plan|if|then|conditional|cancel plan|open plans|plan on|piano|piani|riprendi il piano|apri i piani|"
        "annulla piano|my plan", belongs_to_a_game=True,
    ),
    "offers": Topic(
        N_("draw, takeback, pause, resigning"), N_("help offers"),
        "draw|takeback|undo|pause|pausa|ripresa|claim|reclamo|nudge|sollecito|resign|"
        "offer|decline|reject|rifiuto|patta|abbandono|withdraw draw", belongs_to_a_game=True,
    ),
    "talk": Topic(
        N_("words to your opponent"), N_("help talk"),
        "say|cancel|annulla|chat|messages|wait|parlare", belongs_to_a_game=True,
    ),
    "seeks": Topic(
        N_("looking for a partner"), N_("help seeks"),
        "seek|cerco|withdraw|renew|ritiro|rinnovo|pair|pairing|accept|accetto",
    ),
    "challenges": Topic(
        N_("challenges and invitations"), N_("help challenges"),
        "challenge|sfida|sfide|robot|robots|counter|controproposta|invite|invito|post|by post|posta|rematch|rivincita|"
        "reopen|riapri",
    ),
    "dice": Topic(N_("fair chance, and your own randomness"), N_("help dice"), "words|parole|dadi|fairness|equità"),
    "people": Topic(
        N_("other members"), N_("help people"),
        "partners|compagni|write|scrivi|ratings|rating|mute|unmute|silenzia|riascolta|block|unblock|blocca|sblocca|"
        "report|report:|segnala|members|persone",
    ),
    "puzzles": Topic(
        N_("puzzles and exercises"), N_("help puzzles"),
        "puzzle|hint|suggerimento|rompicapo|rompicapi|exercise|exercises|esercizio|esercizi|solution|soluzione",
    ),
    "settings": Topic(
        N_("settings, holidays, letters"), N_("help settings"),
        "setting|impostazioni|imposta|away|assente|back|rientro|vacation|digest|quiet|"
        "letters|lettere|test|test letter|language|lingua|time zone",
    ),
    "addresses": Topic(
        N_("your addresses, and losing them"), N_("help addresses"),
        "address|my addresses|sign in|login|log in|accedi|indirizzo|indirizzi|"
        "recover|recupera|recovery|recovery code|codice di recupero",
    ),
    "account": Topic(
        N_("your data, and stopping all letters"), N_("help account"),
        "export|esporta|forget me|forget|dimenticami|stop|unsubscribe|yes|no|delete|dati",
    ),
}  # fmt: skip
"""The help pages by name, in the order of the overview."""
