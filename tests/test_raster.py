"""Drawings as pixels: how they look, that each is drawn once, and that other threads go on meanwhile."""

from __future__ import annotations

import io
import os
import threading
import time

import pytest
from PIL import Image

from correspondence.render import raster
from engines import svg
from tests.games import CASES
from tests.test_sketches import scenes_of

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0L37 0L3 20Z" fill="#ff0000"/>{more}</svg>'
)


def drawing_of(case):
    scene, seat = list(scenes_of(case))[-1]
    return svg.render(scene, bottom=seat)


def colours_of(png):
    return {colour for _count, colour in Image.open(io.BytesIO(png)).convert("RGB").getcolors()}


@pytest.mark.parametrize("case", [case for case in CASES if not case.options], ids=str)
def test_other_threads_work_while_a_board_is_drawn(case):
    drawing, is_over, drawn = drawing_of(case), threading.Event(), []
    raster.image(drawing, "#ffffff", scale=0.1)  # what is loaded with the first picture is not measured

    def draw():
        while not is_over.is_set():
            raster.png.__wrapped__(drawing, 1.5, 32, "#ffffff")
        drawn.append(time.thread_time())

    thread = threading.Thread(target=draw)
    thread.start()
    began, until = time.thread_time(), time.monotonic() + 1.0
    while time.monotonic() < until:
        pass
    own = time.thread_time() - began
    is_over.set()
    thread.join()
    assert own > drawn[0] / 2  # a thread that waits for each picture gets a twelfth


def test_threads_that_ask_for_one_picture_draw_it_once():
    drawing = SQUARE.format(more=f"<!-- {time.time_ns()} -->")
    pictures = []
    threads = [
        threading.Thread(target=lambda: pictures.append(raster.png(drawing, 4.0, 16, "#ffffff"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pictures) == 8 and len({id(picture) for picture in pictures}) == 1


def test_pictures_beyond_the_size_of_the_cache_are_forgotten():
    for number in range(40):
        raster.png(SQUARE.format(more=f"<!-- {number} -->"), 40.0, 64, "#ffffff")
        assert raster.png.cache.currsize <= raster.CACHE_BYTES


def test_a_diagram_has_no_shades_between_its_colours():
    soft, crisp = (raster.png(SQUARE.format(more=""), 2.0, 16, "#ffffff", is_diagram=crisp) for crisp in (False, True))
    assert colours_of(crisp) == {(255, 0, 0), (255, 255, 255)} and len(colours_of(soft)) > 2


@pytest.mark.parametrize("drawing", ["", "<svg", "not a drawing", "<svg>", "<svg xmlns='http://www.w3.org/2000/svg'>"])
def test_what_is_no_drawing_is_refused(drawing):
    with pytest.raises(ValueError):
        raster.png(drawing, 1.0, 16, "#ffffff")


def test_a_letter_and_the_page_of_its_position_share_a_picture(town):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), "5@a2")
    (picture,) = [part.get_content() for part in town.letter("bob").walk() if part.get_content_type() == "image/png"]
    assert town.client("bob").get(f"/games/{number}/1.png").data == picture


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_process_that_was_forked_after_a_drawing_refuses_instead_of_hanging():
    raster.image(SQUARE.format(more=""), "#ffffff")
    child = os.fork()
    if child == 0:
        try:
            raster.image(SQUARE.format(more="<!-- child -->"), "#ffffff")
        except ValueError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
