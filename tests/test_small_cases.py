"""Whole mails of ordinary people, from `tests/replies/cases`: each does what its writer meant, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.base import Position
from tests.post import reply_address, text_of
from tests.questions import ASKED, choice, talk_in

CASES = Path(__file__).resolve().parent / "replies" / "cases"
DICE = "c3/g1=B d7/a7=B b3/c3=Y f7/g7=Y h4/d2=B b7/g7=P Bh2/h4=Y f6/e7=B f4/h2=N"
PLATEAU = "+c1_br,bb +c4_xx,rx +b1_rx +c4/0_br +b4_bb c4(3)-c3(3)-c2(2)-c1x2"
STANDS = {
    "duel": ("duel", "ann", ""),
    "walks": ("duel", "bob", "2@c4 5@b4 5@b3"),
    "dice": ("proteus-dice", "bob", DICE),
    "tiles": ("proteus-tiles", "ann", ""),
    "plateau": ("plateau", "ann", PLATEAU),
}
"""Positions in which ann is to move: game, who plays the first seat, and the moves so far."""
MADE_UP = (
    "CAUTION",
    "iPhone",
    "Missatge",
    "schrieb",
    "Viele",
    "Jürgen",
    "よろしく",
    "山田",
    "Berg",
    "https://outlook",
    "gmail",
)
"""What programs, signatures and quotations hold; none of it is for the opponent."""

IN_GAMES = {
    "01-gmail-reaction-documented": ("duel", "done: reaction", None),
    "06-outlook-reaction": ("duel", "done: reaction", None),
    "145-calendar-counter": ("duel", "done: nothing to do", "calendars can't answer"),
    "111-purview-rpmsg": ("duel", "done: nothing to do", "cannot read it"),
    "50-dictated-dice": ("dice", "done: asked", "(1) f5/b7=Y"),
    "52-dictated-duel": ("duel", "done: asked", "(1) 1@a2"),
    "216-typo-move-plus-garbage": ("duel", "done: refused", "(1) 1@a2"),
}
"""The position, the outcome, and what the writer is told; nothing is played and nothing passed on."""
PLAYED = {
    "217-typo-spaced-dice": ("dice", "f5/b7=Y", None),
    "210-gmail-ca-wrapped": ("duel", "1@a2", "Hello"),
    "h4-gmail-android-de": ("tiles", "To@c1", None),
    "h1-mutt-ja-inline": ("walks", "5b1", None),
    "95-banner-external-caution-above-reply": ("duel", "1@a2", "Nice."),
    "215-signature-before-talk": ("duel", "1@a2", "Good luck!"),
}
"""The position, the move that is played, and the words that the opponent reads."""
ANSWERS = {
    "h10-choice-thanks-first": "choice",
    "h15-resign-thanks-yes": "resign",
    "174-resign-q-Yes-I-resign": "resign",
    "156-challenge-I-accept": "challenge",
    "154-challenge-accept": "challenge",
    "163-challenge-no-thanks": "challenge",
    "188-draw-offer-I-accept-the-draw": "draw",
}
"""The question that each answers."""
OTHERS = ("61-forwarder-from-rewritten", "h7-plateau-slow-19KB")


def arrive(town, name, letter):
    """Let the mail of a case arrive as the answer to a letter; return its outcome."""
    address, reader = reply_address(letter), str(letter["To"])
    raw = (CASES / f"{name}.eml").read_bytes().replace(b"r.TOKEN@games.example.org", address.encode())
    raw = re.sub(rb"(?m)^In-Reply-To: .*$", f"In-Reply-To: {letter['Message-ID']}".encode(), raw, count=1)
    town.received.clear()
    town.put(raw.replace(b"bob@example.net", reader.encode()), address, reader)
    return town.sweep()


def begin(town, stand):
    """Play to a position in which ann is to move; return the letter that says so."""
    game, white, moves = STANDS[stand]
    town.join("ann", "bob")
    town.number = town.match(game, white, "bob" if white == "ann" else "ann")
    for place, move in enumerate(moves.split()):
        name = white if place % 2 == 0 else {"ann": "bob", "bob": "ann"}[white]
        town.play(town.number, name, move.replace("_", " "))
    return town.letter("ann")


def opponents_letters(town):
    """All that reached the opponent."""
    return "\n".join(map(text_of, town.letters("bob")))


def test_every_case_is_tried():
    assert sorted([*IN_GAMES, *PLAYED, *ANSWERS, *OTHERS]) == sorted(path.stem for path in CASES.glob("*.eml"))


@pytest.mark.parametrize("name", IN_GAMES)
def test_what_is_no_clear_move_is_neither_played_nor_passed_on(town, name):
    stand, outcome, words = IN_GAMES[name]
    letter = begin(town, stand)
    before = town.moves(town.number)
    assert arrive(town, name, letter) == outcome
    town.wait(minutes=6)
    assert town.moves(town.number) == before
    assert talk_in(town) == []
    assert town.letters("bob") == []
    if words is None:
        assert list(town.received) == []
    else:
        answer = text_of(town.letter("ann"))
        assert words in answer and "Berg" not in answer


@pytest.mark.parametrize("name", PLAYED)
def test_what_was_meant_is_played_and_only_typed_words_are_passed_on(town, name):
    stand, move, words = PLAYED[name]
    arrive(town, name, begin(town, stand))
    assert town.moves(town.number)[-1] == move and talk_in(town) == []
    assert not [made_up for made_up in MADE_UP if made_up in opponents_letters(town)]
    spoken = [row for row in text_of(town.letter("bob")).splitlines() if row.startswith("| ")]
    assert spoken == ([f"| {words}"] if words else [])


@pytest.mark.parametrize("name", ANSWERS)
def test_an_ordinary_answer_does_what_was_asked(town, name):
    case = {**ASKED, "choice": choice}[ANSWERS[name]](town)
    arrive(town, name, case.letter)
    is_no = "no-thanks" in name
    assert case.is_declined() if is_no else case.is_done()
    assert talk_in(town) == [] and town.letters("bob")


def test_owner_of_a_forwarded_mail_is_asked_about_it(town):
    letter = begin(town, "duel")
    arrive(town, "61-forwarder-from-rewritten", letter)
    assert town.moves(town.number) == [] and town.letters("bob") == []
    town.answer(town.letter("ann"), "1")
    assert town.moves(town.number) == ["1@a2"]


def test_a_long_mail_is_played_after_few_reads(town, monkeypatch):
    letter = begin(town, "plateau")
    reads, known = [], Position.read
    monkeypatch.setattr(
        Position, "read", lambda position, seat, text: reads.append(text) or known(position, seat, text)
    )
    arrive(town, "h7-plateau-slow-19KB", letter)
    assert town.moves(town.number)[-1] == "b4(1)-a3" and 0 < len(reads) <= 40
