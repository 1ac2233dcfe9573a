"""Whole journeys of people through the pages: on a desk with scripts, on a phone without, and the other ways around."""

from __future__ import annotations

import io
import json
import re
import zipfile
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from playwright.sync_api import expect
from sqlmodel import col, select

from correspondence.core.db import reading, transaction
from correspondence.core.tokens import spell
from correspondence.inbound import mailbox
from correspondence.models import Letter, Person, Scope
from correspondence.ops import sending_sweeps
from correspondence.outbound import compose, suppressions
from correspondence.transport import open_post
from tests.post import reply_address
from tests.sizes import more
from tests.world import KEY

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
WAYS = {
    "desktop": DESKTOP,
    "phone": PHONE,
    "desktop, no script": {**DESKTOP, "java_script_enabled": False},
    "phone, no script": {**PHONE, "java_script_enabled": False},
}
EVERY_WAY = pytest.mark.parametrize("way", ["desktop", more("phone"), more("desktop, no script"), "phone, no script"])
ON_A_DESK = pytest.mark.parametrize("way", ["desktop", more("phone, no script")])
ON_A_PHONE = pytest.mark.parametrize("way", [more("desktop"), "phone, no script"])
"""The journeys go by turns on a desk with scripts and on a phone without; in the thorough part each goes both ways."""


@pytest.fixture
def town(site):
    """Four people, and `at(handle, path)`: a page of theirs, the way the test goes."""
    for handle in ("cleo", "dave"):
        site.world.join(handle, zone="America/Chicago", vacation_hours_left=720)
    return site


def visitor(site, chromium, way, handle=""):
    return site.visit(chromium, handle, **WAYS[way])


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def last_letter(world, handle, kind):
    """The newest letter of a kind to somebody, as his mail program has it."""
    with reading(world.runtime.engine) as session:
        person = session.exec(select(Person).where(Person.handle == handle)).one()
        found = select(Letter).where(Letter.person_id == person.id, Letter.kind == kind)
        letter = session.exec(found.order_by(col(Letter.id).desc())).first()
        return message_from_bytes(compose.compose(letter, world.runtime.settings), policy=default)


def answer_by_mail(world, handle, words, kind="turn"):
    """Somebody answers the newest letter of a kind."""
    letter, mail = last_letter(world, handle, kind), EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = str(letter["To"]), reply_address(letter), f"Re: {letter['Subject']}"
    mail["Message-ID"] = f"<{world.clock().timestamp()}@example.org>"
    mail.set_content(words)
    runtime = world.runtime
    mailbox.store_message(runtime.engine, mail.as_bytes(), reply_address(letter), str(letter["To"]), now=world.clock())
    mailbox.drain(runtime.engine, runtime.settings, now=world.clock(), rng=runtime.rng)


# -- 2: a partner ------------------------------------------------------------------------------------


@ON_A_DESK
def test_a_partner_is_found_by_a_seek_that_says_whom_it_suits_and_why(town, chromium, way):
    ann, bob, cleo, dave = (visitor(town, chromium, way, handle) for handle in ("ann", "bob", "cleo", "dave"))
    ann.goto("/players/dave")
    press(ann, "Block")
    ann.goto("/seeks")
    ann.locator("#seek-game").select_option(label="Proteus with tiles")
    press(ann, "My own conditions …")
    ann.get_by_label("Pair me").uncheck()
    ann.get_by_label("Number of games", exact=True).fill("two")
    ann.get_by_label("the same opponent again").select_option("never")
    press(ann, "Open the seek")
    expect(ann.get_by_role("alert")).to_be_visible()
    expect(ann.get_by_label("Number of games", exact=True)).to_have_value("two")
    expect(ann.get_by_label("the same opponent again")).to_have_value("never")
    ann.get_by_label("Number of games", exact=True).fill("2")
    press(ann, "Open the seek")
    for page in (bob, cleo):
        page.goto("/seeks")
        expect(page.get_by_text("you two haven't played yet")).to_be_visible()
    dave.goto("/seeks")
    expect(dave.get_by_text("Nobody else is looking for a partner now.")).to_be_visible()
    press(bob, "Play")
    expect(bob.get_by_role("heading", level=1)).to_have_text(re.compile("ann|bob"))
    bob.goto("/seeks")
    expect(bob.get_by_text("you two have already played")).to_be_visible()
    expect(bob.get_by_role("button", name="Play", exact=True)).to_have_count(0)
    cleo.reload()
    press(cleo, "Play")
    for page in (ann, bob, cleo, dave):
        page.goto("/seeks")
        expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)


# -- 4: one game by all media --------------------------------------------------------------------------


@EVERY_WAY
def test_one_game_is_played_by_page_by_mail_and_by_typing(town, chromium, way):
    world = town.world
    world.match("proteus-dice")
    ann = visitor(town, chromium, way, "ann")
    ann.goto("/games/1")
    ann.fill("#move", "c3")
    if "no script" in way:
        press(ann, "Preview")
    expect(ann.locator("#verdict")).to_contain_text("which other die")
    ann.locator("[data-part=suggestions] button", has_text="c3/f2=B").click()
    expect(ann.locator("#verdict")).to_contain_text("from c1 to c3")
    expect(ann.get_by_text("not yet played")).to_be_visible()
    press(ann, "Play")
    expect(ann.locator(".status")).to_contain_text("bob (Black) to move")
    world.clock.go(hours=1)
    answer_by_mail(world, "bob", "b6/e7=B\n\nGood morning!\n")
    ann.goto("/games/1")
    expect(ann.locator(".fresh")).to_contain_text("b6/e7=B")
    expect(ann.locator(".talk .words")).to_have_text("Good morning!")
    expect(ann.locator(".moves a")).to_have_text(["c3/f2=B", re.compile(r"b6/e7=B")])
    assert ann.troubles == []


@ON_A_PHONE
def test_of_two_tabs_that_race_one_moves_and_the_other_is_told_and_keeps_its_words(town, chromium, way):
    town.world.match("duel")
    one, other = (visitor(town, chromium, way, "ann") for _tab in range(2))
    for tab in (one, other):
        tab.goto("/games/1")
        tab.fill("#comment", "Here we go")
    one.fill("#move", "5@b3")
    press(one, "Play")
    expect(one.locator(".status")).to_contain_text("bob (White) to move")
    other.fill("#move", "8@a1")
    press(other, "Play")
    expect(other.get_by_role("alert")).to_be_visible()
    expect(other.locator("pre.kept")).to_contain_text("Here we go")
    expect(other.locator(".moves a")).to_have_text(["5@b3"])


# -- 5: answers in advance -------------------------------------------------------------------------------


@ON_A_DESK
def test_plans_of_both_sides_answer_one_another_and_nobody_reads_the_other_s(town, chromium, way):
    town.world.match("duel")
    ann, bob = (visitor(town, chromium, way, handle) for handle in ("ann", "bob"))
    ann.goto("/games/1")
    ann.fill("#move", "5@a2")
    ann.get_by_text("Conditional moves").click()
    ann.fill("#ahead", "if 6@b2 then 8@b3, if 8@a1 then 1@c2")
    press(ann, "Play")
    expect(ann.locator(".plan-lines")).to_contain_text("if 6@b2 then 8@b3")
    bob.goto("/games/1")
    expect(bob.locator("body")).not_to_contain_text("8@b3, if")
    bob.fill("#move", "6@b2")
    bob.get_by_text("Conditional moves").click()
    bob.fill("#ahead", "if 8@b3 then 8@a1")
    press(bob, "Play")
    expect(bob.locator(".moves a")).to_contain_text(["5@a2", "6@b2", "8@b3", "8@a1", "1@c2"])
    expect(bob.locator(".status")).to_contain_text("Your turn")
    for page in (ann, bob):
        page.goto("/games/1")
        expect(page.locator(".plan-lines")).to_have_count(0)


# -- 6: time ---------------------------------------------------------------------------------------------


@ON_A_PHONE
def test_a_deadline_stands_in_the_zone_of_each_with_what_does_not_count(town, chromium, way):
    town.world.match("duel", "ann", "cleo")
    ann, cleo = (visitor(town, chromium, way, handle) for handle in ("ann", "cleo"))
    cleo.goto("/settings/time")
    cleo.get_by_label("my nights do not count").check()
    cleo.get_by_role("button", name="Save my time settings").click()
    town.world.play(1, "ann", "5@b3")
    cleo.goto("/games/1")
    expect(cleo.locator(".status")).to_contain_text("CST")
    expect(cleo.locator(".terms")).to_contain_text("These do not count against your clock:")
    expect(cleo.locator(".terms")).to_contain_text("America/Chicago")
    ann.goto("/games/1")
    expect(ann.locator(".terms")).to_contain_text("CET")
    expect(ann.locator(".terms")).to_contain_text("do not count against the clock of cleo")
    cleo.goto("/settings/time")
    cleo.get_by_label("Days of leave").fill("a week")
    cleo.get_by_role("button", name="Announce it").click()
    expect(cleo.get_by_role("alert")).to_be_visible()
    expect(cleo.get_by_label("Days of leave")).to_have_value("a week")
    cleo.get_by_label("Days of leave").fill("5")
    cleo.get_by_role("button", name="Announce it").click()
    ann.reload()
    expect(ann.locator(".terms")).to_contain_text("cleo is away and will be back by")


# -- 7: endings ------------------------------------------------------------------------------------------


@ON_A_DESK
def test_offers_are_made_declined_lapsed_and_taken_and_resigning_asks_once(town, chromium, way):
    world = town.world
    world.match("duel")
    world.match("duel", "bob", "ann")
    ann, bob = (visitor(town, chromium, way, handle) for handle in ("ann", "bob"))
    ann.goto("/games/1")
    ann.get_by_text("Offer a draw", exact=True).click()
    press(ann, "Yes, offer a draw")
    bob.goto("/games/1")
    press(bob, "Decline")
    expect(bob.locator(".offer")).to_have_count(0)
    world.play(1, "ann", "5@b3")
    bob.goto("/games/1")
    bob.get_by_text("Offer a draw", exact=True).click()
    press(bob, "Yes, offer a draw")
    ann.goto("/games/1")
    press(ann, "Accept the draw")
    expect(ann.locator(".status")).to_contain_text("draw")
    ann.goto("/games/2")
    ann.get_by_role("link", name="Resign").click()
    expect(ann.get_by_role("link", name=re.compile("No|back|on", re.I)).first).to_be_visible()
    ann.goto("/games/2")
    expect(ann.locator(".status")).to_contain_text("bob (Black) to move")
    ann.get_by_role("link", name="Resign").click()
    ann.locator("main form button").first.click()
    expect(ann.locator(".status")).to_contain_text("Black wins by resignation")
    expect(ann.locator(".strip .rating").first).to_contain_text(re.compile(r"\(|\?"))


@ON_A_PHONE
def test_a_move_is_taken_back_and_a_game_paused_by_consent(town, chromium, way):
    world = town.world
    world.match("duel")
    world.play(1, "ann", "5@b3")
    ann, bob = (visitor(town, chromium, way, handle) for handle in ("ann", "bob"))
    ann.goto("/games/1")
    ann.get_by_text("Take back", exact=True).click()
    press(ann, "Ask to take back 1. 5@b3")
    bob.goto("/games/1")
    expect(bob.locator(".offer")).to_contain_text("take back the last move: 1. 5@b3")
    press(bob, "Take back 1. 5@b3")
    expect(bob.get_by_text("No move has been made yet.")).to_be_visible()
    bob.get_by_text("Pause", exact=True).click()
    press(bob, "Propose a pause")
    ann.goto("/games/1")
    press(ann, "Agree")
    expect(ann.locator(".terms")).to_contain_text("This game pauses until")


# -- 8: secrets ------------------------------------------------------------------------------------------


@ON_A_DESK
def test_two_hidden_sets_look_the_same_to_everybody_who_may_not_know(town, chromium, way):
    world = town.world
    for hidden in ("xx,rb", "xr,bb"):
        number = world.match("plateau")
        first = {"xx,rb": "+b1 xx,rb", "xr,bb": "+b1 xx,rr"}[hidden]
        world.play(number, "ann", first)
    for handle in ("bob", ""):
        page = visitor(town, chromium, way, handle)
        heard = {1: [], 2: []}
        for number in heard:
            page.goto(f"/games/{number}", wait_until="networkidle")  # what is new here is then seen
        for number, texts in heard.items():
            for path in ("", "/0", "/1", "/1.svg", "/1.txt", "/replay.svg"):
                texts.append(anonymous(page.goto(f"/games/{number}{path}").text(), number))
            for path in (".record", "/feed", "/moves.json?ply=1"):
                texts.append(anonymous(page.request.get(f"/games/{number}{path}").text(), number))
        assert heard[1] == heard[2]


def anonymous(text, number):
    """An answer without what differs between any two games: their numbers, tokens, marks, hashes and signatures."""
    text = re.sub(r"[0-9a-f]{64}|[A-Za-z0-9+/]{86}==", "…", text)
    text = re.sub(r'data-pulse="[^"]*"', "", text)
    return re.sub(rf"(games/|games%2F|games |game |game=|name=\"back\" value=\"){number}\b", r"\1N", text)


# -- 9: history ------------------------------------------------------------------------------------------


@EVERY_WAY
def test_a_game_that_is_over_is_gone_through_shown_elsewhere_and_kept(town, chromium, way):
    world = town.world
    world.match("duel")
    for handle, text in (("ann", "5@b3"), ("bob", "5@b2"), ("ann", "4@c2"), ("bob", "4@a3")):
        world.clock.go(hours=5)
        world.play(1, handle, text, comment="A word" if text == "4@c2" else "")
    world.resign(1, "bob")
    page = visitor(town, chromium, way)
    page.goto("/games/1")
    page.get_by_label("Go to").fill("2")
    page.locator(".go").get_by_role("button", name="Show").click()
    expect(page.locator(".replay .at")).to_have_text("2 / 4")
    expect(page).to_have_url(re.compile(r"/games/1/2\b"))
    page.get_by_role("link", name="One on").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("4@c2")
    if "no script" not in way:
        slider = page.get_by_label("Position in the game")
        slider.focus()
        page.keyboard.press("Home")
        expect(page.locator(".replay .at")).to_have_text("0 / 4")
        slider.blur()
        page.keyboard.press("End")
        expect(page.locator(".replay .at")).to_have_text("4 / 4")
    expect(page.locator(".told")).to_contain_text("5 hours")
    expect(page.locator(".told .comment")).to_have_text("A word")
    expect(page.locator(".time-plot text").first).to_have_text("1 hour")
    for name, kind in (("SVG", "image/svg+xml"), ("PNG", "image/png"), ("text", "text/plain")):
        address = page.locator(".links").get_by_role("link", name=name, exact=True).get_attribute("href")
        assert page.request.get(address).headers["content-type"].startswith(kind)
    snippet = page.locator("#embed").input_value()
    assert "<img" in snippet and ".svg" in snippet
    record = page.request.get(page.get_by_role("link", name="download the record").get_attribute("href"))
    assert '[Result "1-0"]' in record.text()
    assert page.troubles == []


# -- 10: a bad day ---------------------------------------------------------------------------------------


@ON_A_PHONE
def test_when_letters_come_back_both_are_told_and_play_goes_on(town, chromium, way):
    world = town.world
    world.match("duel")
    with transaction(world.runtime.engine) as session:
        suppressions.suppress(session, "ann@example.org", Scope.ALL, "bounced: 5.1.1", now=world.clock())
    ann, bob = (visitor(town, chromium, way, handle) for handle in ("ann", "bob"))
    ann.goto("/games")
    ann.get_by_role("link", name="Why, and how to get letters again").click()
    expect(ann.get_by_text("bounced: 5.1.1")).to_be_visible()
    ann.goto("/games/1")
    expect(ann.get_by_text("Letters aren't reaching you")).to_be_visible()
    ann.fill("#move", "5@b3")
    press(ann, "Play")
    expect(ann.locator(".status")).to_contain_text("bob (White) to move")
    bob.goto("/games/1")
    expect(bob.get_by_text("Letters aren't reaching ann")).to_be_visible()


@ON_A_DESK
def test_the_link_of_a_letter_stops_nothing_until_the_button_is_pressed(town, chromium, way):
    world = town.world
    world.match("duel")
    address = re.search(r"<https?://[^/>]+(/u/[^>]+)>", str(last_letter(world, "ann", "turn")["List-Unsubscribe"]))[1]
    page = visitor(town, chromium, way)
    page.goto(address)
    assert wishes(world, "ann") == (True, True)
    press(page, "Unsubscribe")
    expect(page.get_by_role("heading", level=1)).to_contain_text("You're unsubscribed")
    assert wishes(world, "ann") == (False, True)


def wishes(world, handle):
    with reading(world.runtime.engine) as session:
        person = session.exec(select(Person).where(Person.handle == handle)).one()
        return person.turn_letters, person.talk_letters


@ON_A_PHONE
def test_everything_is_fetched_then_erased_and_the_opponent_keeps_the_game(town, chromium, way):
    world = town.world
    world.match("duel")
    world.play(1, "ann", "5@b3")
    world.play(1, "bob", "5@b2", comment="Hello ann")
    world.resign(1, "bob")
    sending_sweeps.sweep_letters(world.runtime, open_post(world.runtime.settings))
    ann = visitor(town, chromium, way, "ann")
    ann.goto("/settings")
    ann.get_by_role("link", name=re.compile("Download everything")).click()
    with ann.expect_download() as fetched:
        press(ann, "Download my data")
    with open(fetched.value.path(), "rb") as file, zipfile.ZipFile(io.BytesIO(file.read())) as copy:
        assert {"games.records", "letters.mbox", "mails.mbox"} <= set(copy.namelist())
        assert "Hello ann" in copy.read("games.records").decode()
        assert json.loads(copy.read("rows/person.json").splitlines()[0])["handle"] == "ann"
        assert copy.read("letters.mbox").startswith(b"From ")
    ann.get_by_role("link", name="Erase me").click()
    press(ann, "Yes, erase me")
    expect(ann.get_by_role("status")).to_contain_text("Farewell")
    expect(ann.get_by_role("link", name="Sign in").first).to_be_visible()
    bob = visitor(town, chromium, way, "bob")
    bob.goto("/games/1")
    expect(bob.get_by_role("heading", level=1)).to_contain_text("departed player")
    expect(bob.locator(".moves a")).to_have_text(["5@b3", "5@b2"])
    assert "ann@example.org" not in bob.content()
    assert spell(KEY, 1) not in bob.content()
