"""Tournaments of the robots: `python -m bench.robots [--help]`.

Each game is one line of JSON in a file, so a tournament that was stopped goes on where it was. Games are numbered;
two after one another begin with the same random moves, and the robot plays one from each side. Every game has its
own seed, so it can be played again.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engines import GAMES
from engines.base import CHANCE, Position, Seat
from engines.options import choices_of, options_from, read_options
from engines.search import LEVELS, choose

RESULTS = Path("instance/robots.jsonl")
OPENING = 4
"""So many moves at most are made at random before the players begin, chance's not counted."""

MIXED = "mixed"
"""In place of options: every option is drawn at random for each beginning."""

LONGEST = 1_500
EXPLORATION = 1.0
SURE = 1.96

OPTION_SETS = (
    ("proteus-dice", ""),
    ("proteus-dice", "trade_off=yes"),
    ("proteus-dice", "roulette=before"),
    ("proteus-dice", "roulette=after"),
    ("proteus-dice", "wall_street=open"),
    ("proteus-dice", "wall_street=secret"),
    ("proteus-dice", "polarity=yes"),
    ("proteus-dice", "warhorses=yes"),
    ("proteus-dice", "pawn_double=first"),
    ("proteus-dice", MIXED),
    ("proteus-tiles", ""),
    ("proteus-tiles", "repetition=draw"),
    ("duel", ""),
    ("duel", "board=sun"),
    ("plateau", ""),
)

Player = Callable[[Position[Any], Seat, random.Random], Any]


class Pairing(NamedTuple):
    """A robot against somebody: “random”, “win-in-one”, “uct”, or the number of another level."""

    game: str
    options: str
    level: int
    against: str


class Share(NamedTuple):
    """Points out of games, and the interval in which the true share lies in 95 of 100 cases (Wilson)."""

    points: float
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        if not self.games:
            return 0.0, 1.0
        share, spread = self.points / self.games, SURE**2 / self.games
        middle = (share + spread / 2) / (1 + spread)
        half = SURE * math.sqrt(share * (1 - share) / self.games + spread / self.games / 4) / (1 + spread)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.points:g} of {self.games}, {low:.0%} to {high:.0%}"


# -- opponents -------------------------------------------------------------------------------


def at_random(position: Position[Any], seat: Seat, rng: random.Random) -> Any:
    """Any move."""
    return position.view(seat).imagine(seat, rng).random_move(seat, rng)


def win_in_one(position: Position[Any], seat: Seat, rng: random.Random) -> Any:
    """A move that wins at once, else any move."""
    known = position.view(seat).imagine(seat, rng)
    for move in known.legal_moves(seat):
        outcome = known.after(seat, move).outcome
        if outcome is not None and seat in outcome.winners:
            return move
    return known.random_move(seat, rng)


class Robot:
    """A level; counts its seconds of processor time."""

    def __init__(self, key: str, level: int) -> None:
        self.key, self.level = key, level
        self.times: list[float] = []

    def __call__(self, position: Position[Any], seat: Seat, rng: random.Random) -> Any:
        began = time.process_time()
        move = choose(self.key, position, seat, self.level, rng)
        self.times.append(time.process_time() - began)
        return move


class Uct:
    """Plain UCT with uniform playouts, what is hidden imagined anew each time; it has the robot's seconds for a move."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot

    def __call__(self, position: Position[Any], seat: Seat, rng: random.Random) -> Any:
        if not self.robot.times:
            Robot.__call__(self.robot, position, seat, random.Random(0))
        until = time.process_time() + sum(self.robot.times) / len(self.robot.times)
        seen, root = position.view(seat), _Node(seat)
        while time.process_time() < until or not root.then:
            _descend(root, seen.imagine(seat, rng), rng)
        return max(root.then, key=lambda move: root.then[move].visits)


class _Node:
    __slots__ = ("points", "seat", "then", "visits")

    def __init__(self, seat: Seat) -> None:
        self.seat, self.visits, self.points = seat, 0, 0.0
        self.then: dict[Any, _Node] = {}


def _descend(node: _Node, position: Position[Any], rng: random.Random) -> None:
    path = [node]
    while position.to_act:
        seat = position.to_act[0]
        if seat == CHANCE:
            position = position.after(seat, position.random_move(seat, rng))
            continue
        moves = list(position.legal_moves(seat))
        fresh = [move for move in moves if move not in node.then]
        move = rng.choice(fresh) if fresh else _highest(node, moves)
        position = position.after(seat, move)
        node = node.then.setdefault(move, _Node(seat))
        path.append(node)
        if fresh:
            break
    for _move in range(LONGEST):
        if not position.to_act:
            break
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    winners = position.outcome.winners if position.outcome else ()
    for each in path:
        each.visits += 1
        each.points += 0.5 if not winners else float(each.seat in winners)


def _highest(node: _Node, moves: list[Any]) -> Any:
    spread = math.log(node.visits + 1)

    def bound(move: Any) -> float:
        then = node.then[move]
        return then.points / then.visits + EXPLORATION * math.sqrt(spread / then.visits)

    return max(moves, key=bound)


# -- games -----------------------------------------------------------------------------------


def play(pairing: Pairing, number: int) -> dict[str, Any]:
    """One game, as the line that is kept of it."""
    game = GAMES[pairing.game]
    opening = random.Random(f"{pairing.game} {pairing.options} {number // 2}")
    position = game.start(options_of(pairing, opening))
    rng = random.Random(f"{pairing} {number}")
    random_plies, seat, robot = opening.randint(0, OPENING), number % 2, Robot(pairing.game, pairing.level)
    players = {seat: robot, 1 - seat: _opponent(pairing, robot)}
    plies = 0
    while position.to_act and plies < LONGEST:
        actor = position.to_act[0]
        if actor == CHANCE or plies < random_plies:
            move = position.random_move(actor, opening if plies < random_plies else rng)
        else:
            move = players[actor](position, actor, rng)
        position, plies = position.after(actor, move), plies + (actor != CHANCE)
    winners = position.outcome.winners if position.outcome else ()
    points = 0.5 if not winners else float(seat in winners)
    times = robot.times or [0.0]
    return {
        **pairing._asdict(), "number": number, "points": points, "plies": plies,
        "mean": round(sum(times) / len(times), 3), "longest": round(max(times), 3),
    }  # fmt: skip


def options_of(pairing: Pairing, rng: random.Random) -> Any:
    """The options of a game of this pairing; mixed ones are drawn."""
    Options = GAMES[pairing.game].Options
    if pairing.options == MIXED:
        return read_options(Options, {choice.name: rng.choice(choice.values) for choice in choices_of(Options)})
    return read_options(Options, options_from(pairing.options))


def _opponent(pairing: Pairing, robot: Robot) -> Player:
    if pairing.against == "random":
        return at_random
    if pairing.against == "win-in-one":
        return win_in_one
    return Uct(robot) if pairing.against == "uct" else Robot(pairing.game, int(pairing.against))


def kept(file: Path) -> list[dict[str, Any]]:
    """The games that were played; a line that was cut off is left out."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def make_ready(file: Path) -> None:
    """A file that ends with a whole line, so that the next one is whole, too."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text() if file.exists() else ""
    if text and not text.endswith("\n"):
        file.write_text(text[: text.rfind("\n") + 1])


def tournament(file: Path, pairings: list[Pairing], games: int) -> None:
    """Play what is still to be played, in rounds of two games for each pairing, and keep each game at once."""
    make_ready(file)
    done = {(Pairing(row["game"], row["options"], row["level"], row["against"]), row["number"]) for row in kept(file)}
    for first in range(0, games, 2):
        for pairing in pairings:
            for number in (first, first + 1):
                if (pairing, number) not in done:
                    row = play(pairing, number)
                    with file.open("a") as out:
                        out.write(json.dumps(row) + "\n")
                    print(json.dumps(row), flush=True)


def pairings_of(keys: list[str], against: list[str], levels: list[int]) -> Iterator[Pairing]:
    """Who plays whom: the levels that are asked for, against each opponent; “below” is the level below."""
    for key, options in OPTION_SETS:
        if keys and key not in keys and f"{key} {options}".strip() not in keys:
            continue
        for name in against:
            for level in levels or ([len(LEVELS[key])] if name != "below" else range(2, len(LEVELS[key]) + 1)):
                if name != "below":
                    yield Pairing(key, options, level, name)
                elif level > 1:
                    yield Pairing(key, options, level, str(level - 1))


def table(rows: list[dict[str, Any]]) -> str:
    """What was measured, as a table of Markdown."""
    lines = ["| game | level | against | won | 95 % | mean | longest |", "|---|---|---|---|---|---|---|"]
    groups: dict[Pairing, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(Pairing(row["game"], row["options"], row["level"], row["against"]), []).append(row)
    for pairing, games in sorted(groups.items()):
        share = Share(sum(row["points"] for row in games), len(games))
        low, high = share.interval
        mean, longest = sum(row["mean"] for row in games) / len(games), max(row["longest"] for row in games)
        against = f"level {pairing.against}" if pairing.against.isdigit() else pairing.against
        lines.append(
            f"| {f'{pairing.game} {pairing.options}'.strip()} | {pairing.level} | {against} | {share.points:g} of "
            f"{share.games} | {low:.0%} – {high:.0%} | {mean:.2f} s | {longest:.2f} s |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.robots", description=__doc__)
    parser.add_argument("--into", type=Path, default=RESULTS, help="where games are kept; %(default)s unless told")
    parser.add_argument("--games", type=int, default=20, help="for each pairing; %(default)s unless told")
    parser.add_argument("--only", action="append", default=[], metavar="GAME", help="a key, or a key and options")
    parser.add_argument("--against", action="append", choices=["random", "win-in-one", "uct", "below"])
    parser.add_argument("--level", action="append", type=int, default=[], help="the highest unless told")
    parser.add_argument("--table", action="store_true", help="play nothing, print what is kept")
    options = parser.parse_args()
    if not options.table:
        against = options.against or ["random", "win-in-one", "uct", "below"]
        tournament(options.into, list(pairings_of(options.only, against, options.level)), options.games)
    print(table(kept(options.into)))
    if not options.table:
        print(f"\nMost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
