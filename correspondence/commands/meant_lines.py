"""Suggestions for lines that resemble commands: synonyms, other word orders.

Examples are commands of other programs. The line must be short and have the shape of a command, so that ordinary
sentences get no suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from correspondence.commands.command_types import ChangeSetting, Command, InvalidCommand, Other, PlanLine
from correspondence.commands.pace import UNITS, CommandError
from correspondence.commands.reading import read_line
from correspondence.core.move_text import is_marked_talk, looks_like_move, normalise
from correspondence.rulebook.names import split_name
from engines import GAMES

MOST_WORDS = 10
"""Maximum number of words in a line that resembles a command."""


def _rows(rows: Mapping[str, str]) -> dict[str, str]:
    return {phrase: meant for meant, phrases in rows.items() for phrase in phrases.split("|")}


_PHRASES = _rows({
    "forget me": (
        "delete my account|delete account|delete me|delete my data|close my account|close account|cancel my account|"
        "remove my account|remove me|erase me|erase my account|erase my data|cancella il mio account|"
        "elimina il mio account|cancellami|konto löschen|mein konto löschen|lösche mein konto|"
        "supprimer mon compte|supprime mon compte|borrar mi cuenta|eliminar mi cuenta"
    ),
    "stop": (
        "stop all|stop everything|stop letters|stop all letters|stop the letters|stop mail|stop mails|stop all mails|"
        "stop emails|stop all emails|stop mailing me|stop writing to me|no more letters|no more mails|no more mail|"
        "no more emails|unsubscribe me|unsubscribe all|stop it all|ferma tutto|basta lettere|alles stoppen|abmelden|"
        "keine mails mehr|arrêter tout|tout arrêter|parar todo|desuscribir"
    ),
    "resign": "give up|giving up|i am giving up|i'm giving up|quit|exit|quit game|quit the game|i quit|leave game|"
              "leave the game|end game|end the game|forfeit|"
              "i forfeit|capitulate|esci",
    "show": (
        "time|my time|the time|time left|clock|clocks|my clock|deadline|status|position|board|boards|the board|print|"
        "printout|print board|"
        "print the board|show board|turn|whose turn|whose turn is it|who's turn is it|whose move|whose move is it|"
        "my move|my turn|is it my turn|"
        "how much time|how much time do i have|how much time is left|state|diagram|tempo|orologio|tavoliere|scacchiera|"
        "stampa|stato|zeit|uhr|brett|stellung|drucken|temps|plateau|imprimer|tiempo|reloj|tablero|imprimir"
    ),
    "history": "moves|the moves|all moves|move list|list moves|list of moves|game history|züge|zugliste|coups|jugadas|"
               "log",
    "games": "list|list games|matches|my matches|game list|active games|current games",
    "help": "menu|info|instructions|options|how to|manual|man|usage",
    "rematch": "rematch|a rematch|i want a rematch|i'd like a rematch|want a rematch|how about a rematch|another game|"
               "one more game|play again|la rivincita|voglio la rivincita|un'altra partita|gioca ancora|eine revanche|"
               "noch eine partie|noch ein spiel|une revanche|encore une partie|la revancha|otra partida",
    "draw": "draw offer|offer of a draw|a draw offer|propose a draw|propose draw|i propose a draw|ask for a draw|"
            "draw request|"
            "request a draw|offro patta|offro la patta|propongo patta|propongo la patta|biete remis|ich biete remis|"
            "ich biete remis an|remisangebot|je propose nulle|proposer nulle|ofrezco tablas|propongo tablas",
    "takeback": "undo my move|undo my last move|undo the move|undo that|oops undo|undo please undo|take that back|"
                "take my move back|take back my move|may i take it back|can i take it back|can i take back|"
                "can i take my move back|annulla la mossa|ritiro la mossa|zug zurücknehmen|zug zurück|zurücknehmen|"
                "reprendre mon coup|retirar la jugada",
    "help pause": "pause for a week|pause for a few days|i need a pause|i want a pause|a pause|take a break|"
                  "i need a break|"
                  "una pausa|eine pause|une pause",
    "sign in": "link|web link|website|sign in link|password|my password|change password|new password|forgot password|"
               "lost password",
    "ratings": "score|scores|my score|my rating|ranking|rankings",
    "exercise": "exercises|training|train|practice|practise",
})  # fmt: skip
"""Phrases that people write instead of a command, by that command."""

_NAMES = _rows(
    {
        "away": "holiday|holidays|vacation|vacations|absence|absent|leave|urlaub|ferien|vacanza|vacanze|ferie|"
        "vacances|vacaciones",
        "challenge": "chal|match|defy|dare",
        "invite": "inv",
        "withdraw": "unsend|unchallenge|revoke",
        "block": "ban|ignore",
        "report": "complain",
    }
)
"""Synonyms of commands with arguments, by command word."""

_WORDS = frozenset(
    "challenge invite seek exercise learn rules counter withdraw renew rematch away settings setting address addresses "
    "ratings rating review block unblock mute unmute report accept decline join puzzle preview show history record help "
    "sfida invito cerco esercizio impara regole assente impostazioni".split()
)
_NEW_ADDRESS = re.compile(
    r"(?:please )?(?:add|new|change|use|my new)(?: my| the| new| e-?mail| mail)* (?:address|e-?mail|mail)(?: is| to)?:? "
    r"<?([^\s@<>]+@[^\s@<>]+?)>?[.!]?",
    re.IGNORECASE,
)
_SHAPE = re.compile(
    rf"[0-9]+ ?(?:{'|'.join(map(re.escape, UNITS))})\b|\w=\w|\S@\S+\.\S|(?<!\S)#?[0-9]+$", re.IGNORECASE
)
_VALUE = re.compile(
    r"(?:on|off|yes|no|daily|weekly|never|none|[0-9][\w:.,-]*)(?: (?:hours?|days?|h|am|pm|[0-9][\w:]*))?", re.IGNORECASE
)
_WORDS_OF_A_NAMED_GAME = 6
_SECOND = ("address", "settings", "setting", "indirizzo")
_OPEN_SETTINGS = ("language", "zone", "digest", "receipt")


def meant_line(line: str) -> str:
    """Return the command that a line probably means, or its help line; empty if there is none."""
    text = re.sub(r"[.!?\s]+$", "", normalise(line))
    words = text.split()
    if not words or len(words) > MOST_WORDS or is_marked_talk(line) or looks_like_move(line):
        return ""
    if not isinstance(_command(line), Other):
        return ""
    return _PHRASES.get(text.casefold()) or _rewritten(text, words) or _explained(words)


def _rewritten(text: str, words: list[str]) -> str:
    """Rewrite a line with the words and the order of a command; empty if that fails."""
    address = _NEW_ADDRESS.fullmatch(text)
    if address:
        return f"address add {address[1]}"
    lines = []
    if words[0].casefold() in _NAMES and len(words) > 1:
        lines.append(" ".join([_NAMES[words[0].casefold()], *words[1:]]))
    if len(words) > 2 and words[1].casefold() in _SECOND:
        lines.append(" ".join([words[1], words[0], *words[2:]]))
    found = next((one for one in lines if _is_command(_command(one))), "")
    setting = _command(f"settings {text}")
    is_set = isinstance(setting, ChangeSetting) and setting.value and len(words) <= 5
    if found or not is_set or not isinstance(setting, ChangeSetting):
        return found
    is_likely = setting.name in _OPEN_SETTINGS and len(setting.value.split()) <= 2
    return f"settings {text}" if is_likely or _VALUE.fullmatch(setting.value) else ""


def _explained(words: list[str]) -> str:
    """Return the help line for the command that a line begins with and resembles."""
    first, rest = words[0].casefold().rstrip(":"), words[1:]
    if first not in _WORDS or not rest:
        return ""
    has_game = len(words) <= _WORDS_OF_A_NAMED_GAME and any(
        split_name([word.casefold()]) or word.casefold() in GAMES for word in rest
    )
    return f"help {first}" if has_game or _SHAPE.search(" ".join(rest)) else ""


def _command(line: str) -> Command:
    try:
        return read_line(line)
    except CommandError as error:
        return InvalidCommand(line, str(error))


def _is_command(command: Command) -> bool:
    return not isinstance(command, Other | PlanLine | InvalidCommand)
