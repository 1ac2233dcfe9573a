"""Replay in the page: every step without asking the server, by keys, buttons and links; by ear; with less motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.world import World

PLATEAU, TURN, PLANNED = 1, 2, 3
MOVES = ("5@b3", "5@b2", "4@c2", "4@a3", "3@a1", "3@c1", "2@b1", "2@c3", "1@a2")
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
SPEAKS = """
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis",
    { value: { speaking: false, cancel() {}, speak: (one) => window.spoken.push(`${one.lang}: ${one.text}`) } });
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A game of Plateau that is over, and a game of Proteus with dice where it is ann's turn."""
    world = World(tmp_path_factory.mktemp("replays"))
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    for who, text in (("ann", "+b1 xx,rb"), ("bob", "+d4 xx,rr"), ("ann", "+a2 rr"), ("bob", "+c3 bb")):
        world.play(PLATEAU, who, text)
    world.resign(PLATEAU, "bob")
    world.match("proteus-dice")
    for who, text in (("ann", "c3/f2=B"), ("bob", "b6/e7=B")):
        world.play(TURN, who, text)
    world.match("duel")
    world.play(PLANNED, "ann", "5@a2")
    world.client("ann").post(f"/games/{PLANNED}/plan", data={"lines": "if 6@b2 then 8@b3", "ply": "1"})
    world.play(PLANNED, "bob", "7@b2")
    world.resign(PLANNED, "bob")
    with world.serving() as address:
        yield Site(world, address)
    world.close()


def at(page):
    return page.locator("[data-part=at]")


def opened(site, chromium, path, handle="", **options):
    page = site.visit(chromium, handle, **options)
    page.addresses = []
    page.on("request", lambda request: page.addresses.append(request.url))
    page.goto(path, wait_until="networkidle")
    return page


OWN_PAGE = """async (path) => {
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
  const shown = (one) => ["#board svg", "[data-part=told]", "[data-part=notes]", "[data-part=sentences]", "[data-part=at]"]
    .map((part) => one.querySelector(part).outerHTML);
  return [shown(page), shown(document)];
}"""


def test_a_burst_of_keys_loses_none_and_asks_for_the_scenes_once(site, chromium):
    page = opened(site, chromium, f"/games/{PLATEAU}")
    before = page.evaluate("history.length")
    page.evaluate("""() => {
      for (const key of [..."<<<<>><<<"]) document.body.dispatchEvent(new KeyboardEvent("keydown",
        { key: key === "<" ? "ArrowLeft" : "ArrowRight", bubbles: true, cancelable: true, repeat: true }));
    }""")
    expect(at(page)).to_have_text("0")
    page.wait_for_url(f"**/games/{PLATEAU}/0")
    page.keyboard.press("End")
    page.wait_for_url(f"**/games/{PLATEAU}")
    assert page.evaluate("history.length") == before
    assert len([url for url in page.addresses if "scenes.json" in url]) == 1
    assert len([url for url in page.addresses if re.search(r"/games/\d+(/\d+)?$", url)]) == 1
    assert page.troubles == []


def test_every_moment_looks_as_on_its_own_page(site, chromium):
    page = opened(site, chromium, f"/games/{PLATEAU}", reduced_motion="reduce")
    page.keyboard.press("Home")
    for ply in range(5):
        expect(at(page)).to_have_text(str(ply))
        own, shown = page.evaluate(OWN_PAGE, f"/games/{PLATEAU}/{ply}")
        assert own == shown
        page.keyboard.press("ArrowRight")
    assert page.troubles == []


def test_a_moved_piece_glides_unless_less_motion_is_asked_for(site, chromium):
    for motion in ("no-preference", "reduce"):
        page = opened(site, chromium, f"/games/{TURN}/2", reduced_motion=motion)
        page.keyboard.press("ArrowLeft")
        expect(at(page)).to_have_text("1")
        glided = page.evaluate("""() => { document.body.dispatchEvent(new KeyboardEvent("keydown",
          { key: "ArrowRight", bubbles: true }));
          return Promise.resolve().then(() => null).then(() => document.querySelectorAll(".gliding").length); }""")
        assert glided == (1 if motion == "no-preference" else 0)
        expect(page.locator(".gliding")).to_have_count(0)


def test_the_game_is_watched_turned_and_told_by_ear(site, chromium):
    page = site.visit(chromium, "", locale="it-IT")
    page.add_init_script(SPEAKS)
    page.goto(f"/games/{PLATEAU}", wait_until="networkidle")
    page.get_by_label("Velocità").select_option("500")
    top = page.locator(".strip").first.inner_text()
    page.keyboard.press("f")
    expect(page.locator(".strip").first).not_to_have_text(top)
    expect(page.get_by_role("button", name="Gira il tavoliere")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-tool=say]").click()
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(at(page)).to_have_text("0")
    expect(page.locator("[data-tool=watch]")).to_have_attribute("aria-pressed", "true")
    expect(at(page)).to_have_text("4")
    expect(page.locator("[data-tool=watch]")).to_have_attribute("aria-pressed", "false")
    sentences = page.evaluate("window.spoken")
    assert all(words.startswith("it: ") for words in sentences)
    assert page.locator("[data-part=told]").inner_text() in sentences[-1]
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Tasti")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.troubles == []


def test_after_the_game_it_is_seen_by_the_eyes_of_each_player(site, chromium):
    page = opened(site, chromium, f"/games/{PLATEAU}", **PHONE)
    words = page.locator("[data-part=sentences]")
    expect(words).to_contain_text("Black Twister")
    for eyes, knows in (("what White knew", False), ("what Black knew", True), ("the truth", True)):
        page.get_by_label("Point of view").select_option(label=eyes)
        expectation = expect(words)
        (expectation.to_contain_text if knows else expectation.not_to_contain_text)("Black Twister")
    page.locator("[data-key=ArrowLeft]").tap()
    expect(at(page)).to_have_text("3")
    assert page.troubles == []


def test_lines_of_a_plan_appear_at_their_moment_to_whoever_may_read_them(site, chromium):
    for who, count in (("ann", 1), ("bob", 0)):
        page = opened(site, chromium, f"/games/{PLANNED}", who)
        page.keyboard.press("ArrowLeft")
        expect(at(page)).to_have_text("1")
        expect(page.get_by_text("Planned by ann: if 6@b2 then 8@b3")).to_have_count(count)
        expect(page.locator("#board .foreseen polyline")).to_have_count(2 * count)
        page.keyboard.press("ArrowRight")
        expect(page.locator("#board .foreseen")).to_have_count(0)
    assert page.troubles == []


def test_who_is_to_move_looks_back_and_finds_the_half_made_move_again(site, chromium):
    page = opened(site, chromium, f"/games/{TURN}", "ann")
    page.locator('.is-next[data-touch="a1"], .is-next[data-touch="c3"]').first.click()
    chosen = page.locator(".is-chosen").get_attribute("data-touch")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(at(page)).to_have_text("1")
    expect(page.locator("[data-part=stage] svg")).to_be_visible()
    expect(page.locator("[data-part=picture]")).to_be_hidden()
    page.keyboard.press("f")
    page.keyboard.press("End")
    expect(page.locator("[data-part=picture]")).to_be_visible()
    expect(page.locator(f'[data-part=picture] [data-touch="{chosen}"]')).to_have_class(re.compile("is-chosen"))
    assert page.troubles == []
