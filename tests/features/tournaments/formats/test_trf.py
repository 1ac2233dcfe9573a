"""Files in TRF26, read and checked by a program that nobody here wrote."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import date

import pytest

from correspondence.features.tournaments.formats.field import Result
from correspondence.features.tournaments.formats.trf import trf
from tests.features.tournaments.formats.playing import begin, change, end, later, leave, play, running, tournament


def exported(field, **where):
    handles = {entrant.id: f"p{entrant.id}" for entrant in field.entrants}
    begins, ends = date(2026, 11, 1), date(2026, 12, 20)
    return trf(field, title="Autumn\n001 open", handles=handles, begins=begins, ends=ends, **where)


def gacrux(module, file, *arguments):
    command = [sys.executable, "-W", "ignore", "-m", f"gacrux.{module}", "-i", str(file), "-c", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return found.stdout + found.stderr


def is_accepted(tmp_path, field, *, kind="-p", names=("PTS", "DE", "SB", "WIN"), berger=True, **where):
    file = tmp_path / "event.trf"
    file.write_text(exported(field, **where))
    output = gacrux("tiebreakchecker", file, kind, "-dB", "-t", *names)
    if berger:
        output += gacrux("pairingchecker", file, "-m", "berger", "-dT")
    assert "Check: True" in output and "False" not in output, output + file.read_text()
    return file.read_text()


@pytest.mark.parametrize(("count", "seed"), [(4, 1), (5, 2), (9, 4)])
def test_round_robin_is_accepted(tmp_path, count, seed):
    text = is_accepted(tmp_path, play(tournament("round-robin", count), random.Random(seed)))
    assert text.startswith("012 Autumn 001 open\n") and f"142 {count - 1 + count % 2}\n" in text


def test_each_section_has_its_file(tmp_path):
    field = play(tournament("round-robin", 12, final=True), random.Random(5))
    for stage, section in ((1, 1), (1, 2)):
        is_accepted(tmp_path, field, stage=stage, section=section)
    with pytest.raises(KeyError):
        exported(field, stage=1, section=3)


def test_two_games_are_two_cycles(tmp_path):
    field = play(tournament("round-robin", 5, games=2), random.Random(6))
    assert "142 10\n" in is_accepted(tmp_path, field, berger=False)


def test_running_games_have_no_result():
    field = end(field := begin(tournament("round-robin", 3)), field.pairings[0], Result.FIRST_WINS)
    lines = exported(field).splitlines()
    assert lines[-1].rstrip().endswith(("w", "b")) and " 1" in lines[-2]


@pytest.mark.parametrize("seed", range(3))
def test_swiss_with_byes_and_leavers_is_accepted(tmp_path, seed):
    rng = random.Random(seed)
    field = change(tournament("swiss", 9, rounds=4), 103, sits_out=frozenset({2}))
    field = play(field, rng, until=lambda f: f.round == 3)
    field = play(leave(field, 105), rng)
    is_accepted(tmp_path, field, kind="-s", names=("PTS", "BH/C1", "BH", "SB"), berger=False)


def test_league_season_is_accepted(tmp_path):
    field = begin(tournament("league", 7))
    while field.round == 1:
        field = begin(
            end(later(field, hours=1), running(field)[0], random.Random(field.round).choice(list(Result)[:3]))
        )
    is_accepted(tmp_path, field.until(1), berger=False, stage=1)
