"""The pages: what each visitor is shown, what a form does, and that nothing ends in silence or a 500."""

from __future__ import annotations

import gzip
import re
import threading
from datetime import timedelta
from email.message import EmailMessage

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import SQLModel, func, select

from correspondence.accounts import accounts
from correspondence.community import blocking
from correspondence.core.db import reading, transaction
from correspondence.core.ratelimit import MOST_BUCKETS, RateLimiter
from correspondence.core.tokens import spell
from correspondence.models import Match, Move, Person, Purpose, WebSession
from correspondence.queries.view_models import MoveLine
from correspondence.web.game_intros import INTROS
from correspondence.web.health import PARTS
from correspondence.web.move_list import rows
from correspondence.web.throttle import SIGN_IN
from engines import GAMES
from engines.svg.paint import PAINT
from tests.sizes import examples
from tests.tables import START
from tests.world import World


@pytest.fixture
def club(world):
    """A game with a secret that runs, and one that is over."""
    world.begin("two games", "", lambda: two_games(world))
    return world


def two_games(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb", comment="a secret greeting")
    world.match("duel")
    world.resign(2, "bob")


EVERYBODY = [
    "/", "/help", "/archive", "/archive?game=duel&player=ann&result=1-0&before=2", "/archive?before=x",
    "/players/ann", "/games/1", "/games/1/0", "/games/1/1", "/games/2", "/games/1/1.svg",
    "/games/1/1.svg?board", "/games/1/1.png", "/games/1/1.txt", "/games/1.record", "/games/2.record",
    "/games/1/ply.json", "/health", "/mail",
    *[f"/rules/{key}{kind}" for key in GAMES for kind in ("", ".svg")],
]  # fmt: skip
MEMBERS = ["/games", "/partners", "/challenge", "/settings", "/games/1/resign", "/games/1/next",
           *[f"/challenge?game={key}&handle=bob" for key in GAMES]]  # fmt: skip
NOBODY = ["/nope", "/games/99", "/games/0", "/games/1/2", "/games/99999999999999999999", "/games/1/9.svg",
          "/players/nobody", "/rules/go", "/rules/go.svg", "/t/short", "/t/" + "a" * 26, "/games/-1",
          "/mail/nope", "/games/99.record", "/players/%00"]  # fmt: skip


def rows_in(world):
    """How many rows each table holds, and when each web session was used last."""
    with reading(world.runtime.engine) as session:
        counts = {t.name: session.exec(select(func.count()).select_from(t)).one()
                  for t in SQLModel.metadata.sorted_tables}  # fmt: skip
        return counts, list(session.exec(select(WebSession.seen_at)))


@pytest.mark.parametrize("who", ["", "ann", "cleo"], ids=["signed out", "player", "stranger"])
@pytest.mark.parametrize("path", EVERYBODY)
def test_everybody_may_look(club, who, path):
    browser = club.client(who)  # its application makes the deals of today and tomorrow
    before = rows_in(club)
    answer = browser.get(path)
    assert answer.status_code == 200
    assert rows_in(club) == before


@pytest.mark.parametrize("path", MEMBERS)
def test_members_pages_lead_strangers_to_the_sign_in(club, path):
    browser = club.client()
    before = rows_in(club)
    answer = browser.get(path)
    assert answer.status_code == 303 and answer.location == "/sign-in"
    assert club.client("ann").get(path, follow_redirects=True).status_code == 200
    assert rows_in(club) == before


@pytest.mark.parametrize("path", NOBODY)
def test_what_is_not_there_says_so(club, path):
    answer = club.client("ann").get(path)
    assert answer.status_code == 404 and "<h1>" in answer.text


def test_secrets_of_a_running_game_are_on_no_page_of_others(club):
    for who in ("bob", "cleo", ""):
        client = club.client(who)
        for path in ("/games/1", "/games/1/1", "/games/1/1.svg", "/games/1/1.txt", "/games/1.record"):
            text = client.get(path).text
            assert "+b1 xx,rb" not in text
            assert "+b1 ??,r?" in text or path.endswith((".svg", ".txt"))
    assert "+b1 xx,rb" in club.client("ann").get("/games/1").text
    assert "a secret greeting" not in club.client("cleo").get("/games/1").text
    own, other = (club.client(who).get("/games/1/1.svg").text for who in ("ann", "cleo"))
    assert own != other


def test_joining_is_confirmed_by_the_button_of_a_page(world):
    client = world.client()
    answer = client.post("/join", data={"handle": "ann", "mail": "ann@example.org", "zone": "Europe/Rome"})
    assert "A letter is on its way" in answer.text and "/mail" in answer.text
    link, before = world.link_in("join"), rows_in(world)
    assert "Join as ann?" in client.get(link).text
    assert rows_in(world) == before
    answer = client.post(link, follow_redirects=True)
    assert "Welcome, ann." in answer.text and "Your first game" in answer.text
    assert client.get("/join").location == "/games"


def test_a_refused_form_keeps_what_was_typed(world):
    answer = world.client().post("/join", data={"handle": "a b", "mail": "ann@example.org", "zone": "Asia/Tokyo"})
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert 'value="a b"' in answer.text and 'value="ann@example.org"' in answer.text
    assert "<option selected>Asia/Tokyo" in answer.text


def test_a_sign_in_link_works_once_and_leads_to_where_one_wanted_to_go(club):
    client = club.client()
    assert client.get("/games/1/resign").location == "/sign-in"
    client.post("/sign-in", data={"who": "ann"})
    link = club.link_in("sign_in")
    assert "Sign in as ann?" in client.get(link).text
    assert client.post(link).location == "/games/1/resign"
    again = club.client().post(link)
    assert again.status_code == 404 and "no longer works" in again.text
    assert "no longer works" in club.client().get("/t/" + "b" * 26).text


def test_a_dead_link_says_whether_it_was_used_is_too_old_or_is_not_known(club):
    club.client().post("/sign-in", data={"who": "ann"})
    link = club.link_in("sign_in")
    club.clock.go(hours=2)
    old, never = (club.client().get(path) for path in (link, "/t/" + "c" * 26))
    assert old.status_code == never.status_code == 404
    assert "It worked until Sat 21 Nov, 13:00 UTC. Ask for a new one" in old.text
    assert "We don&#39;t know this address" in never.text


def test_a_dead_link_to_join_says_what_to_do(world):
    client = world.client()
    client.post("/join", data={"handle": "ann", "mail": "ann@example.org"})
    link = world.link_in("join")
    client.post(link)
    assert "this account is open. Sign in" in world.client().get(link).text
    client = world.client()
    client.post("/join", data={"handle": "bob", "mail": "bob@example.org"})
    late = world.link_in("join")
    world.clock.go(days=60)
    page = world.client().get(late).text
    assert "It worked until" in page
    assert "Join again" in page
    assert 'href="/join"' in page


def test_a_dead_invitation_says_why_and_tells_nobody_that_they_are_blocked(club):
    made = club.client("ann").post("/invite", data={"game": "duel"}).text
    link = re.search(r"/i/[a-z2-7]{26}", made)[0]
    assert club.client("bob").post(link).status_code == 303
    assert "The invitation has been accepted or withdrawn." in club.client().get(link).text
    made = club.client("ann").post("/invite", data={"game": "duel"}).text
    other = re.search(r"/i/[a-z2-7]{26}", made)[0]
    with transaction(club.engine) as session:
        blocking.block(session, club.person(session, "ann"), "bob", now=club.time)
    assert "We don&#39;t know this address" in club.client("bob").get(other).text
    club.clock.go(days=99)
    assert "The invitation was open until" in club.client().get(other).text


def test_a_puzzle_has_no_box_for_talk_and_no_clock(club):
    client = club.client("ann")
    page = client.post("/puzzles/today", follow_redirects=True).text
    assert "Say something with your move" not in page
    assert "months left" not in page
    assert "days left" not in page
    assert "Take your time: it stays open until" in page and "Every hour counts" not in page


def test_asking_for_a_link_tells_nobody_who_is_a_member(club):
    known, unknown = (club.client().post("/sign-in", data={"who": who}).text for who in ("ann", "zoe"))
    assert known.replace("ann", "zoe") == unknown


def test_the_address_of_a_reply_signs_nobody_in(club):
    with reading(club.runtime.engine) as session:
        person = session.get_one(Person, 1)
        tokens = [t for t in session.exec(select(accounts.Token)) if t.person_id == person.id]
    for token in tokens:
        if token.purpose != Purpose.JOIN:
            path = f"/t/{spell(club.runtime.settings.secret_key, token.id)}"
            assert club.client().get(path).status_code == 404


def test_signing_out_everywhere_ends_every_visit(club):
    here, there = club.client("ann"), club.client("ann")
    assert here.post("/settings/sign-out").status_code == 303
    assert there.get("/games").location == "/sign-in"


def test_the_language_changes_at_once(club):
    client = club.client("ann")
    chosen = {"language": "it", "zone": "Europe/Rome"}
    assert client.post("/settings", data=chosen).status_code == 303
    assert '<html lang="it">' in client.get("/settings").text
    with reading(club.runtime.engine) as session:
        person = session.get_one(Person, 1)
        assert (person.zone, person.turn_letters, person.reminders) == ("Europe/Rome", True, True)
    refused = client.post("/settings", data={"language": "xx", "zone": "Mars/Olympus"})
    assert refused.status_code == 422
    assert '<html lang="it">' in club.app.test_client().get("/", headers={"Accept-Language": "it"}).text


def test_a_challenge_is_made_accepted_and_played(world):
    world.join("ann"), world.join("bob")
    ann, bob = world.client("ann"), world.client("bob")
    wish = {"game": "proteus-dice", "handle": "bob", "seat": "0", "pace": "3", "option-roulette": "after"}
    assert ann.post("/challenge", data=wish).location == "/games"
    assert "3 days a move" in bob.get("/games").text and "Russian Roulette: after turning" in bob.get("/games").text
    assert bob.post(f"/challenges/{world.offer()}/accept").location == "/games/1"
    assert "Your turn" in ann.get("/games/1").text and "Your turn" not in bob.get("/games/1").text
    assert ann.post("/games/1/move", data={"move": "c3/f2=B", "ply": "0"}).location == "/games/1"
    assert "c3/f2=B" in bob.get("/games/1").text
    with reading(world.runtime.engine) as session:
        assert session.get_one(Match, 1).bank == timedelta(days=3).total_seconds()


@pytest.mark.parametrize(("change", "sentence"), [
    ({"handle": "zoe"}, "Nobody here is called"),
    ({"handle": "ann"}, "cannot challenge yourself"),
    ({"option-roulette": "loud"}, "Option “roulette”"),
    ({"pace": "own", "days": "x", "hours": "1"}, "as numbers"),
    ({"pace": "own", "days": "9999", "hours": "1"}, "ninety days"),
])  # fmt: skip
def test_a_challenge_that_cannot_be_says_why_and_keeps_the_form(world, change, sentence):
    world.join("ann"), world.join("bob")
    wish = {"game": "proteus-dice", "handle": "bob", "pace": "7", "option-polarity": "yes", **change}
    answer = world.client("ann").post("/challenge", data=wish)
    assert answer.status_code == 422 and sentence in answer.text
    assert '<option value="yes" selected>' in answer.text


def test_declining_and_withdrawing(world):
    world.join("ann"), world.join("bob")
    ann, bob = world.client("ann"), world.client("bob")
    for game in ("duel", "proteus-tiles"):
        ann.post("/challenge", data={"game": game, "handle": "bob"})
    assert "declined" in bob.post(f"/challenges/{world.offer()}/decline", follow_redirects=True).text
    assert "withdrawn" in ann.post(f"/challenges/{world.offer(2)}/withdraw", follow_redirects=True).text
    assert (
        f"No challenge number {world.offer(2)}"
        in bob.post(f"/challenges/{world.offer(2)}/accept", follow_redirects=True).text
    )


def test_a_puzzle_begins_at_once(world):
    world.join("ann")
    ann = world.client("ann")
    assert ann.post("/challenge", data={"game": "duel-puzzle", "option-goal": "2"}).location == "/games/1"
    page = ann.get("/games/1").text
    assert "goal: 2" in page
    assert "Offer a draw" not in page
    assert "Give up" in page


def test_a_move_that_cannot_be_is_answered_and_kept_with_the_words(club):
    answer = club.client("bob").post("/games/1/move", data={"move": "+z9 <b>", "ply": "1", "comment": "my words"})
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert 'value="+z9 &lt;b&gt;"' in answer.text and "my words</textarea>" in answer.text


def test_a_stale_form_plays_nothing_and_says_so(world):
    world.join("ann"), world.join("bob")
    world.match("duel")
    world.play(1, "ann", "5@b3")
    world.play(1, "bob", "5@b2")
    answer = world.client("ann").post("/games/1/move", data={"move": "4@c2", "ply": "0", "comment": "late words"})
    assert answer.status_code == 409 and "Too late for that position" in answer.text
    assert "late words" in answer.text
    assert world.client("ann").post("/games/1/move", data={"move": "4@c2", "ply": "?"}).status_code == 409
    gone = world.client("bob").post("/games/1/move", data={"move": "4@c2", "ply": "1", "comment": "gone words"})
    assert gone.status_code == 409 and "gone words" in gone.text


def test_two_moves_racing_for_one_turn_play_one(world):
    world.join("ann"), world.join("bob")
    world.match("duel")
    codes, gate = [], threading.Barrier(4)

    def race(text):
        client = world.client("ann")
        gate.wait()
        codes.append(client.post("/games/1/move", data={"move": text, "ply": "0"}).status_code)

    threads = [threading.Thread(target=race, args=(f"{n}@b3",)) for n in (1, 2, 3, 4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(codes) == [303, 409, 409, 409]
    with reading(world.runtime.engine) as session:
        assert session.exec(select(func.count()).select_from(Move)).one() == 1


def test_reading_a_move_tells_what_it_would_do_and_does_nothing(world):
    world.join("ann"), world.join("bob")
    world.match("proteus-dice")
    ann, before = world.client("ann"), rows_in(world)
    answer = ann.post("/games/1/read", data={"move": "c1-c3/f2=B", "ply": "0"}, headers={"Accept": "application/json"})
    assert answer.json["state"] == "good"
    assert answer.json["text"] == "c3/f2=B"
    assert "<svg" in answer.json["picture"]
    page = ann.post("/games/1/read", data={"pick": "c3/f2=B", "ply": "0", "comment": "kept"}).text
    assert 'value="c3/f2=B"' in page
    assert "not yet played" in page
    assert "kept</textarea>" in page
    late = ann.post("/games/1/read", data={"move": "c3", "ply": "7"}, headers={"Accept": "application/json"})
    assert late.json["state"] == "wrong"
    other = world.client("bob").post("/games/1/read", data={"move": "c3", "ply": "0"})
    assert (other.status_code == 200 and "It is not your turn" in other.text) or "bob" in other.text
    assert rows_in(world) == before


def test_the_tree_of_moves_is_for_whoever_is_to_act(world):
    world.join("ann"), world.join("bob")
    world.match("proteus-dice")
    tree = world.client("ann").get("/games/1/moves.json?ply=0").json["tree"]
    assert tree["c1"]["c3"]["f2"]["=B"] == "c3/f2=B"
    for who, ply in (("bob", "0"), ("", "0"), ("ann", "1"), ("ann", "x")):
        answer = world.client(who).get(f"/games/1/moves.json?ply={ply}")
        assert answer.status_code == 409 and answer.json["tree"] is None


def test_a_draw_is_offered_declined_offered_and_taken(world):
    world.join("ann"), world.join("bob")
    world.match("duel")
    ann, bob = world.client("ann"), world.client("bob")
    assert "You have offered a draw" in ann.post("/games/1/draw", follow_redirects=True).text
    assert "ann offers a draw" in bob.get("/games/1").text
    assert ann.post("/games/1/draw").status_code == 409
    assert "declined" in bob.post("/games/1/decline", follow_redirects=True).text
    assert bob.post("/games/1/decline").status_code == 409
    bob.post("/games/1/draw")
    assert "A draw by agreement." in ann.post("/games/1/draw", follow_redirects=True).text


def test_resigning_asks_once(world):
    world.join("ann"), world.join("bob")
    world.match("duel")
    ann = world.client("ann")
    assert "Resign game 1 against bob?" in ann.get("/games/1/resign").text
    assert "White wins by resignation." in ann.post("/games/1/resign", follow_redirects=True).text
    assert ann.get("/games/1/resign").location == "/games/1"
    assert ann.post("/games/1/resign").status_code == 409


def test_resigning_by_the_link_of_a_letter(world):
    world.join("ann"), world.join("bob")
    world.match("duel")
    with transaction(world.runtime.engine) as session:
        token = accounts.new_token(
            session, Purpose.RESIGN, now=START, person=session.get_one(Person, 1), match_id=1, takebacks=0, ply=0
        )
    path = f"/t/{spell(world.runtime.settings.secret_key, token.id)}"
    assert "Resign game 1?" in world.client().get(path).text
    assert world.client().post(path).location == "/games/1"
    assert world.client().post(path).status_code == 404


def test_talk_goes_to_the_opponent_alone(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.client("ann").post("/games/1/say", data={"text": "Good luck!\nTo both."})
    assert "Good luck!" in world.client("bob").get("/games/1").text
    assert "Good luck!" not in world.client("cleo").get("/games/1").text
    empty = world.client("ann").post("/games/1/say", data={"text": "  "})
    assert empty.status_code == 409 and "nothing in this message" in empty.text


@pytest.mark.parametrize("act", ["move", "read", "draw", "decline", "say", "resign"])
def test_strangers_cannot_act_in_a_game(club, act):
    before = rows_in(club)
    form = {"move": "+c3 xr", "ply": "1", "text": "hello"}
    assert club.client("cleo").post(f"/games/1/{act}", data=form).status_code in (200, 403)
    refused = club.client().post(f"/games/1/{act}", data=form)
    assert refused.status_code == 403 and "Please sign in" in refused.text
    assert club.client("cleo").post(f"/games/99/{act}", data=form).status_code == 404
    assert rows_in(club) == before


def test_refusals_are_sentences(club):
    ann = club.client("ann")
    assert ann.get("/sign-out").status_code == 405 and "can&#39;t be used like that" in ann.get("/sign-out").text
    big = ann.post("/games/1/say", data={"text": "x" * (1 << 20)})
    assert big.status_code == 413 and "shorter" in big.text
    assert club.client("cleo").get("/games/1/resign").status_code == 403


def test_our_own_mistake_is_told_without_its_cause(club, monkeypatch):
    club.app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    club.app.view_functions["home.help_page"] = lambda: 1 // 0
    monkeypatch.setattr(club.app.logger, "disabled", True)  # all applications of a process have this one
    answer = club.client().get("/help")
    assert answer.status_code == 500 and "Something went wrong on our side" in answer.text
    assert "division" not in answer.text


def test_knocking_too_often_is_asked_to_wait(world):
    client = world.client()
    codes = [client.post("/sign-in", data={"who": "nobody"}).status_code for _time in range(SIGN_IN.burst + 1)]
    assert codes == [200] * SIGN_IN.burst + [429]
    world.clock.go(minutes=2)
    assert client.post("/sign-in", data={"who": "nobody"}).status_code == 200


def test_the_doorkeeper_forgets_the_longest_unseen():
    keeper = RateLimiter()
    for number in range(MOST_BUCKETS + 10):
        assert keeper.allows(SIGN_IN, str(number), START)
    assert len(keeper.buckets) == MOST_BUCKETS


def test_headers_forbid_what_pages_do_not_need(club):
    page, picture = club.client().get("/games/1"), club.client().get("/games/1/1.svg")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["X-Frame-Options"] == "DENY" and "X-Frame-Options" not in picture.headers
    assert page.headers["X-Content-Type-Options"] == "nosniff" and "Referrer-Policy" in page.headers
    assert "style=" not in page.text
    assert "<script>" not in page.text
    assert "onclick" not in page.text


def test_style_scripts_and_pictures_come_compressed_to_whoever_takes_them_so_and_only_once(club):
    client = club.client()
    for path in ("/static/style.css", "/static/board.js", "/games/1/0.svg", "/games/2/replay.svg"):
        with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "gzip"}) as packed:
            assert gzip.decompress(packed.data) == plain.data and len(packed.data) < len(plain.data) / 2
            assert "Accept-Encoding" in plain.headers["Vary"] and "Content-Encoding" not in plain.headers
            again = {"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"}
        with client.get(path, headers=again) as known:
            assert known.status_code == 304 and not known.data
        with client.get(path, headers={"Accept-Encoding": "gzip", "Range": "bytes=0-9"}) as part:
            assert part.status_code == 200 or len(part.data) == 10


def test_pictures_are_sent_again_only_when_they_changed(club):
    client = club.client()
    mark = client.get("/games/2/0.svg").headers["ETag"]
    assert client.get("/games/2/0.svg", headers={"If-None-Match": mark}).status_code == 304


def test_the_record_is_a_file(club):
    answer = club.client().get("/games/2.record")
    assert answer.mimetype == "text/plain" and "game-2.record" in answer.headers["Content-Disposition"]
    assert '[Result "1-0"]' in answer.text and '[Site "http://127.0.0.1:5000/games/2"]' in answer.text


def letter_in(world, subject="Your turn"):
    folder = world.runtime.settings.instance / "sent" / "new"
    folder.mkdir(parents=True, exist_ok=True)
    message = EmailMessage()
    message["Subject"], message["To"], message["Date"] = (
        subject,
        "ann@example.org",
        "Sat, 21 Nov 2026 12:00:00 +0000",
    )
    message.set_content("Open http://127.0.0.1:5000/t/abc please")
    message.add_alternative("<p>Open <script>alert(1)</script></p>", subtype="html")
    (folder / "1.M1.here").write_bytes(bytes(message))


def test_letters_are_shown_to_this_machine(world):
    letter_in(world)
    client = world.client()
    assert "Your turn" in client.get("/mail").text
    page = client.get("/mail/1.M1.here").text
    assert 'href="http://127.0.0.1:5000/t/abc"' in page
    sheet = client.get("/mail/1.M1.here/sheet")
    assert "sandbox" in sheet.headers["Content-Security-Policy"] and "script-src" not in sheet.headers[
        "Content-Security-Policy"]  # fmt: skip


@pytest.mark.parametrize("visit", [
    {"environ_base": {"REMOTE_ADDR": "10.1.2.3"}},
    {"headers": {"X-Forwarded-For": "10.1.2.3"}},
    {"headers": {"Forwarded": "for=10.1.2.3"}},
    {"headers": {"Host": "elsewhere.example"}},
], ids=["elsewhere", "proxy", "proxy by the standard", "another name"])  # fmt: skip
def test_letters_are_shown_to_nobody_else(world, visit):
    letter_in(world)
    for path in ("/mail", "/mail/1.M1.here", "/mail/1.M1.here/sheet"):
        assert world.client().get(path, **visit).status_code == 404


def test_letters_are_not_shown_where_they_are_really_sent(tmp_path):
    world = World(tmp_path, mail_send="smtp://127.0.0.1:1")
    assert world.client().get("/mail").status_code == 404
    world.close()


def test_health_tells_of_every_part(world):
    assert world.client().get("/health").json == {"status": "ok", "parts": {"web": True, "database": True}}
    world.app.extensions[PARTS] = {"worker": lambda: False}
    answer = world.client().get("/health")
    assert answer.status_code == 503 and answer.json["parts"]["worker"] is False


def test_every_game_is_introduced_and_the_style_sheet_names_real_shapes(world):
    assert set(INTROS) == set(GAMES)
    with world.client().get("/static/style.css") as answer:
        sheet = answer.text
    ours = {"wash", "halo", "tray-item", "is-next", "is-chosen", "marks",
            "is-picking", "is-under", "is-lifted", "ghost", "gliding", "is-arriving", "foreseen",
            "is-leaving", "is-reached", "at-goal", "pieces", "tray", "ranks", "of-"}  # fmt: skip
    named = set(re.findall(r"\.board svg \.([a-z-]+)", sheet))
    assert named and named <= set(PAINT) | ours


def line(ply, seat):
    return MoveLine(ply, seat, "", f"move {ply}", START, timedelta(0), "web", "")


def test_moves_stand_in_numbered_rows_and_lots_with_the_move_they_follow():
    played = [line(1, -1), line(2, 0), line(3, -1), line(4, 1), line(5, 1), line(6, 0)]
    listed = [[[one.ply for one in cell] for cell in row] for row in rows(played, 2)]
    assert listed == [[[1], []], [[2, 3], [4]], [[], [5]], [[6], []]]


ODD = st.one_of(st.text(max_size=40), st.sampled_from(["", "0", "-1", "9" * 30, "\x00", "²", "a\u202eb", "' OR 1=1"]))
FORMS = [
    ("/join", ("handle", "mail", "zone")), ("/sign-in", ("who",)),
    ("/settings", ("language", "zone")),
    ("/settings/letters", ("reminders", "digest", "digest_hour", "turn_delay", "quiet_from", "quiet_until")),
    ("/challenge", ("game", "handle", "seat", "pace", "days", "hours", "option-board")),
    ("/games/1/move", ("move", "ply", "comment")), ("/games/1/read", ("move", "pick", "ply")),
    ("/games/1/say", ("text",)), ("/challenges/1/accept", ()), ("/t/abc", ()),
]  # fmt: skip


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("lasting"))
    world.join("ann"), world.join("bob")
    world.match("duel")
    yield world
    world.close()


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), who=st.sampled_from(["ann", "bob", ""]))
def test_no_form_ends_in_a_500(lasting, data, who):
    path, names = data.draw(st.sampled_from(FORMS))
    form = {name: data.draw(ODD) for name in names}
    if path == "/challenge" and data.draw(st.booleans()):
        form |= {"game": "duel", "pace": "own"}
    lasting.clock.go(hours=0.1)
    answer = lasting.client(who).post(path, data=form)
    assert answer.status_code in (200, 303, 400, 403, 404, 409, 422)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.dictionaries(st.sampled_from(["game", "player", "result", "before", "after", "handle", "ply"]), ODD))
def test_no_address_ends_in_a_500(lasting, query):
    for path in ("/archive", "/partners", "/challenge", "/games/1/moves.json"):
        answer = lasting.client("ann").get(path, query_string=query, follow_redirects=True)
        assert answer.status_code in (200, 409, 422)


def test_a_hint_is_a_step_that_can_be_played_and_games_with_people_have_none(world):
    world.join("ann")
    world.join("bob")
    ann = world.client("ann")
    ann.post("/challenge", data={"game": "duel-puzzle"})
    ann.post("/games/1/hint")
    step = re.search(r"A step of a solution: (\S+?)<", ann.get("/games/1").text)[1]
    assert ann.post("/games/1/move", data={"move": step, "ply": "1"}).status_code == 303
    number = world.match("duel")
    refused = ann.post(f"/games/{number}/hint")
    assert refused.status_code == 409 and "hints for puzzles, and in unrated games with robots" in refused.text
