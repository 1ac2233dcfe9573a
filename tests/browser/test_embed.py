"""The viewer in a frame of another site: with scripts, without them, and in a sandbox; nothing is kept in the browser."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.world import World

KEPT = "[document.cookie, localStorage.length, sessionStorage.length]"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A finished game of Plateau with four moves."""
    world = World(tmp_path_factory.mktemp("frames"))
    world.join("ann", "bob")
    world.match("plateau")
    for who, text in (("ann", "+b1 xx,rb"), ("bob", "+d4 xx,rr"), ("ann", "+a2 rr"), ("bob", "+c3 bb")):
        world.play(1, who, text)
    world.resign(1, "bob")
    with world.serving() as address:
        yield Site(world, address)
    world.close()


@pytest.fixture
def elsewhere():
    """Another site: it answers each request with the page in `page`, as bytes."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(server.page)

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def framed(site, elsewhere, chromium, path, handle="", *, sandbox=None, **options):
    """Return a page of another site, and the frame in it."""
    page = site.visit(chromium, handle, **options)
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    limits = f' sandbox="{sandbox}"' if sandbox is not None else ""
    source = f'src="{site.address}{path}" title="A game" width="480" height="660"'
    frame = f'<title>Elsewhere</title><link rel="icon" href="data:,"><iframe {source}{limits}></iframe>'
    elsewhere.page = frame.encode()
    page.goto(f"http://localhost:{elsewhere.server_port}/", wait_until="networkidle")
    return page, page.frame_locator("iframe")


def at(frame):
    return frame.locator("[data-part=at]")


@pytest.mark.parametrize("sandbox", [None, "allow-scripts"])
def test_frame_steps_turns_and_watches_with_one_request_for_scenes(site, elsewhere, chromium, sandbox):
    page, frame = framed(site, elsewhere, chromium, "/games/1/embed", "ann", sandbox=sandbox)
    expect(at(frame)).to_have_text("4")
    frame.get_by_role("link", name="One back").click()
    expect(at(frame)).to_have_text("3")
    expect(frame.locator("[data-part=told]")).to_contain_text("a2")
    frame.locator("body").press("Home")
    expect(at(frame)).to_have_text("0")
    frame.get_by_role("button", name="Watch the moves").click()
    expect(at(frame)).to_have_text("1")
    frame.locator("body").press("End")
    expect(at(frame)).to_have_text("4")
    assert len([url for url in page.asked if "embed.json" in url]) == 1
    first = frame.locator(".board .label").first.inner_html()
    frame.get_by_role("link", name="Turn the board around").click()
    expect(frame.locator(".board .label").first).not_to_have_text(first)
    if sandbox is None:
        assert frame.locator("body").evaluate(f"() => {KEPT}")[1:] == [0, 0]


def test_without_scripts_the_frame_works_by_links(site, elsewhere, chromium):
    _page, frame = framed(site, elsewhere, chromium, "/games/1/embed", java_script_enabled=False)
    for name, ply in (("One back", "3"), ("To the beginning", "0"), ("One on", "1"), ("To the end", "4")):
        frame.get_by_role("link", name=name).click()
        expect(at(frame)).to_have_text(ply)
    frame.get_by_role("link", name="Turn the board around").click()
    frame.get_by_role("link", name="One back").click()
    expect(at(frame)).to_have_text("3")


@pytest.mark.parametrize(("width", "height"), [(480, 660), (300, 400)])
def test_board_and_buttons_fit_into_the_frame(site, chromium, width, height):
    page = site.visit(chromium, viewport={"width": width, "height": height})
    page.goto("/games/1/embed", wait_until="networkidle")
    for part in (".board svg", ".replay"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert box["height"] >= 40


def test_other_pages_do_not_open_in_a_frame(site, elsewhere, chromium):
    _page, frame = framed(site, elsewhere, chromium, "/games/1", "ann")
    expect(frame.locator("h1")).to_have_count(0)
