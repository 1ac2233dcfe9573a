"""The README's pictures are the real thing: a page and a letter of a game, photographed here.

With README_PICTURES=1 in the environment the pictures in docs/pictures are made anew.
"""

from __future__ import annotations

import os
import struct
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from sqlmodel import select

from correspondence.core.db import reading
from correspondence.models import Letter
from correspondence.ops.demo import GAME
from correspondence.outbound.compose import compose

PICTURES = Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"


@pytest.fixture
def in_play(site):
    number = site.world.match("proteus-dice")
    for ply, move in enumerate(GAME[:14]):
        site.world.play(number, ("ann", "bob")[ply % 2], move, comment="A beautiful capture!" if ply == 13 else "")
    return site, number


def photographed(page, name, artefacts, **options):
    page.screenshot(path=artefacts / name, **options)
    if os.environ.get("README_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / name).write_bytes((artefacts / name).read_bytes())
    return artefacts / name


def width_of(picture):
    return struct.unpack(">I", picture.read_bytes()[16:20])[0]


def test_the_page_of_a_game_for_the_readme(in_play, chromium, artefacts):
    site, number = in_play
    page = site.visit(chromium, "ann", viewport={"width": 1180, "height": 900})
    page.goto(f"/games/{number}")
    page.wait_for_selector("[data-touch]")
    taken = photographed(page, "game.png", artefacts)
    assert page.troubles == []
    assert width_of(taken) == width_of(PICTURES / "game.png")


def test_a_letter_for_the_readme(in_play, chromium, artefacts):
    site, number = in_play
    with reading(site.world.runtime.engine) as session:
        found = select(Letter).where(Letter.match_id == number, Letter.kind == "turn").order_by(Letter.id.desc())
        message = message_from_bytes(compose(session.exec(found).first(), site.world.runtime.settings), policy=default)
    html = message.get_body(("html",)).get_content()
    for part in message.walk():
        if part.get_content_type() == "image/png":
            (artefacts / "board.png").write_bytes(part.get_content())
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", (artefacts / "board.png").as_uri())
    (artefacts / "letter.html").write_text(html)
    page = chromium.new_page(viewport={"width": 700, "height": 900})
    page.goto((artefacts / "letter.html").as_uri())
    taken = photographed(page, "letter.png", artefacts)
    assert "A beautiful capture!" in page.inner_text("body")
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert width_of(taken) == width_of(PICTURES / "letter.png")
