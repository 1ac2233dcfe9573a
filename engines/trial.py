"""Check a package's game before it is admitted; faults are described in a sentence.

`try_game` runs every check. The contract suite (`correspondence.testing`) runs the same checks one by one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from engines import braille, codec, spoken, svg, text
from engines.backtracking import endless
from engines.base import CHANCE, Game, Position, Seat
from engines.chance import SEED_BYTES, ChanceStream
from engines.judging import LEVELS
from engines.options import MOST_VALUES, RESERVED_OPTIONS, choices_of, read_options
from engines.record import Entry
from engines.sketch import sketched
from engines.typed import mistyped
from engines.vocabulary import SQUARES, Vocabulary

KEY = re.compile(r"(?=.{3,30}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""Pattern of a key: 3 to 30 small letters, digits and single hyphens."""

RESERVED_KEYS = frozenset({"all", "any", "fairness", "none"})
"""Reserved keys: words with another meaning where people write the name of a game."""

RESERVED_SEATS = frozenset(
    "any either same rated serious unrated friendly as play playing with come gioco con il col robot seat "
    "d day days dia dias h heure heures hora horas hour hours hr hrs giorni giorno jour jours min mins minute minuten "
    "minutes minuti minuto minutos ora ore semaine semaines semana semanas settimana settimane std stunde stunden tag "
    "tage tagen w week weeks woche wochen month months".split()
)
"""Reserved names of seats, in lower case: words used in challenges."""

RESERVED_TAGS = frozenset(
    "Game Version Options Seats Scores Event Site Date Result Reason Terms Correction Chain Hash Seals Commitment Seed "
    "Words Signature Key Ended End EndKey Amended Round Section".split()
)
"""Record tags that cannot be names of seats."""

LONGEST_NAME = 40
"""Maximum length of a game's name, in characters."""

TRIED_PLIES = 12
"""Number of moves played for each set of options."""

TALK = ("Hello!", "hi", "yes", "no", "ok", "Thanks", "Thanks for the game", "Good luck and have fun.", "Well played!",
        "I am away until Sunday", "see you soon", "what a move", "A", "2", "12", "3 days", ":-)")  # fmt: skip
"""Examples of talk, which no pattern of moves or squares may match."""

_SEAT = re.compile(r"[A-Z][A-Za-z]{0,19}")
_OPTION = re.compile(r"[a-z][a-z0-9_]*")
_BACK_REFERENCE = re.compile(r"(?<!\\)(?:\\\\)*\\[1-9]")
_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Unfit(ValueError):
    """Raised when a game is rejected; str() is a clause to follow a colon."""


def try_game(game: Game) -> None:
    """Run every check of a game; raise Unfit, or whatever the game raises."""
    if fault := mistyped(game):
        raise Unfit(fault)
    try_names(game)
    try_vocabulary(game.vocabulary)
    try_options(game)
    for texts in option_sets(game.Options):
        try_rules(game, texts)
    try_chance(game)
    try_judge(game)
    try_files(game)


# -- names -----------------------------------------------------------------------------


def try_names(game: Game) -> None:
    """Check key, name, seats and notation."""
    if not KEY.fullmatch(game.key):
        raise Unfit("a key has 3 to 30 small letters, digits and single hyphens, and begins with a letter.")
    if game.key in RESERVED_KEYS or "robot" in game.key:
        raise Unfit(f"“{game.key}” means something else here; please choose another key.")
    if len(game.seats) not in (1, 2):
        raise Unfit("games here are for one or two.")
    if not game.name.strip() or not game.name.isprintable() or len(game.name) > LONGEST_NAME:
        raise Unfit(f"a name is one line of 1 to {LONGEST_NAME} characters, not {game.name[:80]!r}.")
    if not game.notation.strip():
        raise Unfit("Game.notation must say how moves are written.")
    if game.version < 1:
        raise Unfit("Game.version counts from 1.")
    for seat in game.seats:
        _try_seat(seat)
    if len({seat.casefold() for seat in game.seats}) < len(game.seats):
        raise Unfit("its two seats have the same name.")


def _try_seat(seat: str) -> None:
    """Check that a seat name works as a record tag, a record word and a word in a challenge."""
    if not _SEAT.fullmatch(seat):
        raise Unfit(f"a seat is one word of 1 to 20 letters that begins with a capital, such as White, not “{seat}”.")
    if seat in RESERVED_TAGS or seat.casefold() in RESERVED_SEATS:
        raise Unfit(f"a seat cannot be called “{seat}”, which means something else in records or challenges.")


# -- the words of the notation -----------------------------------------------------------


def try_vocabulary(vocabulary: Vocabulary) -> None:
    """Check that a game's patterns compile, match some text but no talk, and terminate."""
    patterns = (vocabulary.squares, *vocabulary.moves)
    for pattern in patterns:
        _try_pattern(pattern)
    if slow := endless(pattern for pattern in patterns if pattern != SQUARES):
        raise Unfit(f"its pattern “{slow}” takes too long on some lines: it repeats what repeats itself.")
    if vocabulary.faces and not vocabulary.faces.isalnum():
        raise Unfit(f"vocabulary.faces holds letters and figures only, not “{vocabulary.faces}”.")
    if vocabulary.row < 0 or (vocabulary.row and not vocabulary.faces):
        raise Unfit("vocabulary.row is a number of faces, so vocabulary.faces must name some.")
    if not all(map(str.strip, (*vocabulary.signs, *vocabulary.signs.values(), *vocabulary.openers))):
        raise Unfit("the vocabulary names a sign, a piece or an opening word by a blank text.")


def _try_pattern(pattern: str) -> None:
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
        re.compile(f"(?:{pattern})(?:{pattern})", re.IGNORECASE)  # it is embedded in longer patterns, more than once
    except re.error as error:
        raise Unfit(f"its pattern “{pattern}” is no regular expression: {error}.") from error
    if _BACK_REFERENCE.search(pattern):
        raise Unfit(f"its pattern “{pattern}” refers to a group by number, which is another one in a longer pattern.")
    if compiled.match(""):
        raise Unfit(f"its pattern “{pattern}” fits an empty text.")
    taken = next((line for line in TALK if compiled.fullmatch(line.rstrip(".!"))), None)
    if taken is not None:
        raise Unfit(f"its pattern “{pattern}” is too broad: it would take “{taken}” for a move.")


# -- options ---------------------------------------------------------------------------


def try_options(game: Game) -> None:
    """Check that options can be written in a line, parsed and listed."""
    hash(game.Options())
    for choice in choices_of(game.Options):
        if not _OPTION.fullmatch(choice.name) or choice.name in RESERVED_OPTIONS:
            raise Unfit(f"an option cannot be called “{choice.name}”: use small letters, and no word of a challenge.")
        if not 1 < len(choice.values) <= MOST_VALUES or len({one.casefold() for one in choice.values}) < len(
            choice.values
        ):
            raise Unfit(f"the option “{choice.name}” needs 2 to {MOST_VALUES} different values.")
        wrong = next((value for value in choice.values if not _VALUE.fullmatch(value)), None)
        if wrong is not None:
            raise Unfit(f"a value of the option “{choice.name}” is “{wrong}”; values are words without blanks.")
        if choice.default not in choice.values:
            raise Unfit(f"the option “{choice.name}” has a default that is none of its values.")


def option_sets(options: type) -> Iterator[dict[str, str]]:
    """Return option sets to check, as texts.

    They are the defaults, each other value alone, and all last values together. Only the lowest and highest value of a
    number is included.
    """
    yield {}
    choices = choices_of(options)
    others = {one.name: [value for value in one.values if value != one.default] for one in choices}
    for name, values in others.items():
        for value in values if not values[0].isdecimal() else dict.fromkeys((values[0], values[-1])):
            yield {name: value}
    if len(choices) > 1:
        yield {name: values[-1] for name, values in others.items()}


# -- the rules -------------------------------------------------------------------------


def try_rules(game: Game, texts: dict[str, str]) -> None:
    """Play random moves with these options and check the first, last and intermediate positions."""
    plies, last = _played(game, texts)
    players = sum(seat != CHANCE for _position, seat, _move in plies)
    if players < 2 and last.outcome is not None:
        raise Unfit(f"it is over after {players} moves of its players.")
    for position, seat, move in plies:
        _try_move(game, position, seat, move)
    for position in (plies[0][0], last):
        _try_pictures(game, position)


def _played(
    game: Game, texts: dict[str, str], chance: random.Random | None = None
) -> tuple[list[tuple[Position[Any], Seat, Any]], Position[Any]]:
    """Play the start of a game; return the position, seat and move of each ply, and the end."""
    rng, chance = random.Random(1), chance or ChanceStream(bytes(SEED_BYTES), 1)
    position = game.start(read_options(game.Options, texts))
    plies: list[tuple[Position[Any], Seat, Any]] = []
    if not isinstance(position, Position) or game.seats != position.SEATS:
        raise Unfit("Game.start must give a Position whose SEATS are those of the Game.")
    while position.to_act and len(plies) < TRIED_PLIES:
        seat = position.to_act[0]
        move = position.random_move(seat, chance if seat == CHANCE else rng)
        plies.append((position, seat, move))
        position = position.after(seat, move)
    if not plies or (position.outcome is None) != bool(position.to_act):
        raise Unfit("somebody must be able to act until the game has an outcome, and nobody after it.")
    return plies, position


def _try_move(game: Game, position: Position[Any], seat: Seat, move: Any) -> None:
    if seat != CHANCE and not 0 <= seat < len(game.seats):
        raise Unfit(f"seat {seat} is to act, and there is no such seat.")
    if codec.load(type(position), codec.dump(position)) != position:
        raise Unfit("a position that was stored is another one when it is read.")
    written = position.write(seat, move)
    if position.read(seat, written) != move:
        raise Unfit(f"the move “{written}” is read as another one.")
    position.play(seat, move)


def _try_pictures(game: Game, position: Position[Any]) -> None:
    for viewer in (None, *range(len(game.seats))):
        scene = position.scene(viewer)
        text.render(scene)
        svg.render(scene)
        sketched(scene, 0)
        braille.render(scene)
        spoken.sentences(scene)


def try_chance(game: Game) -> None:
    """Check that chance draws only from `rng`, so that the same seed repeats a draw.

    Searches pass a plain `Random`, real draws a `ChanceStream`.
    """
    _played(game, {}, random.Random(1))
    drawn = [_drawn(game) for _time in range(2)]
    if drawn[0] != drawn[1]:
        raise Unfit("chance does not draw the same from the same seed: it must draw from the rng that it is given.")


def _drawn(game: Game) -> list[Entry]:
    plies, _last = _played(game, {})
    return [Entry(seat, position.write(seat, move)) for position, seat, move in plies]


# -- its judge and its files ---------------------------------------------------------------


def try_judge(game: Game) -> None:
    """Check that a judge has a budget per level and can evaluate a position."""
    judge = game.judge
    if judge is None:
        return
    budgets = tuple(judge.budgets)
    if len(budgets) != LEVELS or not all(isinstance(one, int) and one > 0 for one in budgets):
        raise Unfit(f"its judge has the budgets {budgets}; there are exactly {LEVELS}, one for each level, from 1 up.")
    if not judge.breadth > 0 or not judge.scale > 0:
        raise Unfit("breadth and scale of its judge must be greater than 0.")
    plies, _last = _played(game, {})
    for position, seat in [(position, seat) for position, seat, _move in plies if seat != CHANCE][:3]:
        _try_judging(game, position, seat)


def _try_judging(game: Game, position: Position[Any], seat: Seat) -> None:
    judge, rng = game.judge, random.Random(1)
    if judge is None or judge.unsearched(position.view(seat), seat, rng) is not None:
        return
    board = judge.board(position.view(seat).imagine(seat, rng))
    choices = judge.all_choices(board)
    worths = [worth for worth, _move in choices]
    if judge.mover(board) != seat or not all(isinstance(worth, (int, float)) for worth in worths):
        raise Unfit("its judge gives each choice a worth, as a number, for the seat that is to act.")
    hash(judge.key(board))
    for _worth, move in choices[:3]:
        judge.move(board, move)
        judge.after(board, move)


def try_files(game: Game) -> None:
    """Check that the package's files can be read as text."""
    game.presentation.page()
    game.presentation.sample()
