"""A fixed sample of small faults, each of which some named test must find.

Usage: `python -m bench.mutants [--from NAME] [NAME…]`. The tree is copied once to a temporary folder; each fault is
put in there, the tests named with it are run, and one line says whether they found it. Ends with 1 if any survived.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("app.py", "pyproject.toml", "README.md", ".env.example", "bench", "correspondence", "engines", "migrations",
          "templates", "tests")  # fmt: skip


PATIENCE = 600
"""After so many seconds a fault counts as found: it made the tests go on for ever."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: in `file` the text `old`, which stands there once, becomes `new`; `tests` are pytest's words."""

    name: str
    file: str
    old: str
    new: str
    tests: str


def _of(file: str, tests: str, *faults: tuple[str, str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(name, file, old, new, tests) for name, old, new in faults)


MUTANTS = (
    *_of("engines/plateau/pieces.py", "tests/test_plateau_secrets.py tests/test_plateau.py",
         ("view-shows-partly-known", 'UP_KNOWN: f"{faces[0]}?", KNOWN', "UP_KNOWN: faces, KNOWN"),
         ("view-onlooker-sees-black", "(None, _HIDING[0] | _HIDING[1])", "(None, _HIDING[1])"),
         ("view-swapped-tables", "((0, _HIDING[1]), (1, _HIDING[0]),", "((0, _HIDING[0]), (1, _HIDING[1]),"),
         ("exchange-value", "VALUES = (1, 4, 5, 8, 10, 15, 21)", "VALUES = (1, 4, 5, 8, 11, 15, 21)")),
    *_of("engines/plateau/hidden.py", "tests/test_plateau_secrets.py tests/test_plateau.py",
         ("view-hand", 'white if viewer == 1 else "?" * len(white)', "white"),
         ("view-closed-after-end", "    if position.end:\n        return position\n    stacks =", "    stacks ="),
         ("tell-to-everybody", "if viewer != seat:\n        text = _public",
          "if viewer is None:\n        text = _public"),
         ("tell-takes-nothing", 'news.append("takes "', 'list().append("takes "')),
    *_of("engines/plateau/turns.py", "tests/test_plateau.py",
         ("six-in-a-stack", "SIX = 6", "SIX = 7"),
         ("one-pass-draws", "if passes >= 2", "if passes >= 3"),
         ("quiet-turns", "idle >= QUIET_TURNS else", "idle > QUIET_TURNS else"),
         ("captures-too-many", "len(taken) < most", "len(taken) <= most"),
         ("refusal-forgotten", "(*position.refused, position.tender))", "position.refused)")),
    *_of("engines/plateau/moves.py", "tests/test_plateau_secrets.py tests/test_contract.py -k plateau",
         ("blank-lands-on-enemy", "if face != \"x\" or outlines[last] != ENEMY:", "if True:"),
         ("unseen-top-moves", '        if face == "?":\n            continue\n', "")),
    *_of("engines/plateau/turns.py", "tests/test_plateau_secrets.py tests/test_contract.py -k plateau",
         ("unseen-hand-plays", '    if "?" in position.hands[seat]:\n        raise Hidden()\n', ""),
         ("prisoner-in-unseen-hand", 'return hand + "?" * len(digits) if "?" in hand else ', "return ")),
    *_of("engines/proteus_dice/position.py", "tests/test_proteus_dice.py",
         ("view-of-sealed-dice", 'hand if seat == viewer else "?" * len(hand)', "hand"),
         ("tell-sealed", "and seat != viewer and hidden", "and seat == viewer and hidden")),
    *_of("engines/proteus_dice/turns.py", "tests/test_proteus_dice.py",
         ("capture-keeps-quiet", "black, 0, position.number, unmoved", "black, 1, position.number, unmoved"),
         ("double-is-never-quiet", "else position.quiet + 1\n", "else position.quiet\n")),
    *_of("engines/proteus_dice/turns.py", "tests/test_proteus_dice.py -k hidden",
         ("set-up-of-blanks", '    if "?" in "".join(hands):\n        raise Hidden()\n', "")),
    *_of("engines/proteus_dice/endings.py", "tests/test_proteus_dice.py",
         ("third-occurrence", "seen.count(key) >= _TOO_OFTEN", "seen.count(key) > _TOO_OFTEN"),
         ("hundred-quiet-turns", "quiet >= QUIET_LIMIT", "quiet > QUIET_LIMIT")),
    *_of("engines/proteus_dice/dice.py", "tests/test_proteus_dice.py",
         ("polarity", "(value[one] - value[letter]) % 2)", "not (value[one] - value[letter]) % 2)"),
         ("backstab-from-front", "front = target + _BEFORE_QUEENS[letter]", "front = target - _BEFORE_QUEENS[letter]")),
    *_of("engines/duel/state.py", "tests/test_duel.py",
         ("both-lines-win", "return _PLAYING if black == white else", "return _PLAYING if not (black or white) else"),
         ("reversal-allowed", "return barred != NOBODY and", "return barred == NOBODY and"),
         ("duel-third-occurrence", "if seen.count(key) > 1", "if seen.count(key) > 2")),
    *_of("engines/duel_puzzle/goals.py", "tests/test_duel_puzzle.py",
         ("one-pair-is-two", "(1 if goal in (1, 2) else 2)", "(1 if goal in (1, 2, 3) else 2)")),
    *_of("engines/proteus_tiles/state.py", "tests/test_proteus_tiles.py",
         ("matches-do-not-cancel", "if len(events) == 2 and COLOUR", "if len(events) == 3 and COLOUR"),
         ("both-fulfil-the-goal", "    if black == white:\n", "    if not (black or white):\n")),
    *_of("correspondence/core/time_control.py", "tests/test_clock.py",
         ("bank-over-cap", "min(time_control.cap, max(bank - spent, timedelta(0)) + time_control.increment)",
          "max(bank - spent, timedelta(0)) + time_control.increment"),
         ("bank-below-nothing", "max(bank - spent, timedelta(0)) + time_control.increment",
          "bank - spent + time_control.increment")),
    *_of("correspondence/clocks/deadlines.py", "tests/test_clock.py",
         ("deadline-in-the-evening", "if bank < ends - begins:", "if bank <= ends - begins:"),
         ("night-counts", "((awake, asleep),) if awake < asleep else", "((asleep, awake),) if awake < asleep else")),
    *_of("correspondence/play/conditional/plans.py", "tests/test_plans.py",
         ("muted-words-stop-a-plan", "speaker.person_id in muted or", "False or"),
         ("note-is-speech", "        col(Remark.audience) != Audience.ME,\n", "")),
    *_of("correspondence/play/after_move.py", "tests/test_plans.py",
         ("words-stop-their-writer", "        has_words = False\n", "")),
    *_of("correspondence/play/record_moves.py", "tests/test_plans.py",
         ("plan-sees-the-board", "        if by != By.PLAN:\n    ", "        if True:\n    ")),
    *_of("correspondence/play/claims.py", "tests/test_time.py -k claim",
         ("claim-without-grace", "    if claimable_at > now:\n", "    if False:\n")),
    *_of("correspondence/core/ratelimit.py", "tests/test_pages.py -k often",
         ("door-never-shuts", "is_allowed = tokens >= 1", "is_allowed = tokens >= 0")),
    *_of("correspondence/core/tokens.py", "tests/test_tokens.py",
         ("token-unchecked", "if hmac.compare_digest(mac, _mac(key, row, kind)) else None", "if mac else None"),
         ("token-of-any-kind", 'f"{kind}:".encode() + row', "row")),
    *_of("engines/verification/chain.py", "tests/test_fairness.py",
         ("chain-of-plies", '_sha256(f"{before}\\n{ply} {seat} {moment(at)} {what}")', '_sha256(f"{ply}")'),
         ("chain-without-seat", "{ply} {seat} {moment(at)}", "{ply} {moment(at)}"),
         ("chain-without-moment", "{seat} {moment(at)} {what}", "{seat} {what}"),
         ("root-without-options", 'f"{game} {version} {options}"', 'f"{game} {version}"')),
    *_of("engines/verification/checks.py", "tests/test_records.py tests/test_fairness.py",
         ("hash-unchecked", '    "chain": _check_chain,\n', ""),
         ("result-unchecked", '    "result": _check_result,\n', ""),
         ("lots-unchecked", '    "lots": _check_lots,\n', ""),
         ("seals-unchecked", '    "seals": _check_seals,\n', "")),
    *_of("engines/verification/seals.py", "tests/test_fairness.py",
         ("salt-of-no-entry", 'f"seal-1\\n{ply}"', '"seal-1"')),
    *_of("correspondence/fairness/seeds.py", "tests/test_fairness.py",
         ("seed-told-early", "return match.ended_at is not None and", "return True or")),
    *_of("correspondence/archive/record_file.py", "tests/test_records.py tests/test_fairness.py",
         ("secret-moves-told", "game.texts(viewer, opened=is_open)", "game.texts(viewer, opened=True)")),
    *_of("correspondence/matchmaking/pairing.py", "tests/test_pairing.py -k 'not postgresql'",
         ("pair-twice", "        if persons not in joined:\n", "        if True:\n"),
         ("stale-plan", "!= (planned.one_begun, planned.other_begun)", "!= (one.games_begun, other.games_begun)")),
    *_of("correspondence/matchmaking/agreements.py", "tests/test_pairing.py -k 'not postgresql'",
         ("pace-ratio", "PACE_RATIO = 2.0", "PACE_RATIO = 1.2")),
    *_of("correspondence/outbound/throttle.py", "tests/test_outbox.py -k 'conversation or burst or stretch'",
         ("second-place-kept", "        domain.second_until = until\n    session", "        pass\n    session"),
         ("first-place-kept", "        domain.first_until = until\n    elif domain.second_until == held",
          "        pass\n    elif domain.second_until == held"),
         ("burst-without-end", "= until\n    domain.full_at = max(domain.full_at, now) + SEND_INTERVAL",
          "= until\n    domain.full_at = now")),
    *_of("correspondence/matchmaking/eligibility.py", "tests/test_seeks.py tests/test_pairing.py -k 'not postgresql'",
         ("blocked-still-suits", "    if reader.id in seeker.blocked:\n", "    if False:\n"),
         ("again-at-once", "now - last >= timedelta(days=seek.rest_days)", "now - last >= timedelta(0)")),
)  # fmt: skip
"""The sample: rules, clocks, tokens, the chain, redaction, pairing and limits."""


def main() -> int:
    """Run the sample, or a part of it; 1 if a fault survived or could not be put in."""
    wanted = _wanted()
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(Path(folder))
        for mutant in wanted:
            began = time.monotonic()
            outcome = _outcome(copy, mutant)
            print(f"{outcome:9} {mutant.name} ({mutant.file}, {time.monotonic() - began:.0f} s)", flush=True)
            worst |= outcome != "killed"
    return int(worst)


def _wanted() -> list[Mutant]:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description="Faults that the tests must find.")
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--from", dest="since", default=MUTANTS[0].name, help="begin with this one")
    options = parser.parse_args()
    known = [mutant.name for mutant in MUTANTS]
    strangers = sorted({*options.names, options.since} - set(known))
    if strangers:
        parser.error(f"there is no {', '.join(strangers)}; there are {', '.join(known)}")
    rest = MUTANTS[known.index(options.since) :]
    return [mutant for mutant in rest if not options.names or mutant.name in options.names]


def _copied(folder: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def _outcome(copy: Path, mutant: Mutant) -> str:
    if _sound(copy, mutant.tests) != 0:
        return "red tests"
    with _mutated(copy / mutant.file, mutant) as is_in:
        if not is_in:
            return "misplaced"
        status = _tested(copy, mutant.tests)
    return {0: "SURVIVED", 1: "killed"}.get(status, "no tests")


@cache
def _sound(copy: Path, words: str) -> int:
    """The exit status of these tests where no fault is in: one that they find anyway would prove nothing."""
    return _tested(copy, words)


@contextmanager
def _mutated(file: Path, mutant: Mutant) -> Iterator[bool]:
    """Within this block the fault is in the file; False where its text does not stand there exactly once."""
    sound = file.read_text()
    _rewrite(file, sound.replace(mutant.old, mutant.new))
    try:
        yield sound.count(mutant.old) == 1
    finally:
        _rewrite(file, sound)


def _rewrite(file: Path, text: str) -> None:
    """Write it and drop what was compiled from it: a quick change of the same length would be taken for no change."""
    file.write_text(text)
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def _tested(copy: Path, words: str) -> int:
    """The exit status of pytest."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [*command, *shlex.split(words)], cwd=copy, env=environment, stdout=quiet, stderr=quiet
    ) as tests:
        try:
            return tests.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            tests.kill()
            return 1


if __name__ == "__main__":
    sys.exit(main())
