"""What operators switch for everybody: read-only mode, the pause of letters, and announcements."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.accounts import mail_preferences, postal_members
from correspondence.accounts.postal_members import PostalDetails
from correspondence.clocks import turns
from correspondence.core import db
from correspondence.matchmaking import challenges, seeks
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.moderation import announcements
from correspondence.moderation.acts import ActError
from correspondence.ops import pairing_sweeps, sending_sweeps, worker
from correspondence.ops.due import due_sweeps
from correspondence.outbound import kinds
from correspondence.queries import readiness
from correspondence.web import throttle
from correspondence.web.service_state import STAYS_OPEN
from tests.attacks.reach import addresses, unthrottled
from tests.operators import act, appoint, last_act, plain_words, undo
from tests.outgoing import ScriptedPost
from tests.post import reply_address, text_of
from tests.robots import robots_in
from tests.world import World

WHY = "The disk is being replaced."


@pytest.fixture
def club(town):
    town.join("ann", "bob", "olga")
    appoint(town, "olga")
    return town


@pytest.fixture
def queue(tmp_path):
    """A world whose letters stay in the queue until a sweep sends them."""
    world = World(tmp_path, mail_domain="games.example", base_url="https://games.example")
    world.join("ann", "bob", "olga")
    with db.transaction(world.engine) as session:
        for letter in session.exec(select(Letter)):
            session.delete(letter)
    appoint(world, "olga")
    yield world
    world.close()


def left(club, number, name):
    with db.reading(club.engine) as session:
        return turns.left(session, club.player(session, number, name), club.time)


# -- read-only mode --------------------------------------------------------------------

ENDS_ACCESS = (
    "/settings/sign-out", "/settings/sessions/1/end", "/settings/tokens/1/revoke", "/settings/webhooks/1/remove",
    "/settings/time/calendar/revoke", "/settings/notifications/off",
)  # fmt: skip
OPEN = ("/desk", "/u/", "/t/", "/sign", "/announcements")
"""How addresses begin that can be sent to meanwhile."""


def test_every_form_is_refused_with_the_reason_and_when_to_come_back(club):
    number = club.match("duel")
    act(club, "read-only", switch="on", reason=WHY)
    answer = club.client("ann").post(f"/games/{number}/move", data={"move": "3@a1", "ply": "0"})
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "600"
    assert WHY in answer.text
    assert club.moves(number) == []
    unthrottled(club)
    for path in addresses(club, "POST"):
        if not path.startswith((*OPEN, *ENDS_ACCESS)):
            assert club.client("ann").post(path, data={"reason": "x"}).status_code == 503, path


def test_what_stays_open_is_known_by_name_and_links_do_nothing_but_sign_in(club):
    assert set(STAYS_OPEN) <= set(club.app.view_functions)
    club.app.test_client().post("/join", data={"handle": "cid", "mail": "cid@example.org", "zone": "UTC"})
    link = club.link_in("join")
    act(club, "read-only", switch="on", reason=WHY)
    assert club.app.test_client().post(link).status_code == 503
    assert club.app.test_client().post("/sign-in", data={"who": "olga"}).status_code == 200
    assert club.app.test_client().post(club.link_in("sign_in")).status_code == 303


ENDS_HELP = [("/settings/post/helper", {"dismiss": "1"}), ("/settings/post/help/bob", {"stop": "1"})]


@pytest.mark.parametrize(("path", "form"), [(path, {}) for path in ENDS_ACCESS] + ENDS_HELP)
def test_access_can_be_ended_in_read_only_mode(club, path, form):
    act(club, "read-only", switch="on", reason=WHY)
    assert club.client("ann").post(path, data=form).status_code != 503


def test_a_helper_is_let_go_but_not_named_in_read_only_mode(club):
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        postal_members.save(session, ann, PostalDetails("Ann", "12 Mill Lane", plays_by_post=True), now=club.time)
        postal_members.name_helper(session, ann, "bob", now=club.time)
    act(club, "read-only", switch="on", reason=WHY)
    assert club.client("ann").post("/settings/post/helper", data={"dismiss": "1"}).status_code == 303
    refused = club.client("ann").post("/settings/post/helper", data={"handle": "bob"})
    assert refused.status_code == 503 and WHY in refused.text
    with db.reading(club.engine) as session:
        assert postal_members.helper_of(session, club.person(session, "ann").id) is None


@pytest.mark.parametrize("path", ["/settings/sign-out", "/settings/sessions/1/end", "/settings/post/helper"])
def test_ending_access_has_a_rate_limit(club, path):
    tries = range(throttle.ACT.burst + 1)
    codes = [club.client("ann").post(path, data={"dismiss": "1"}).status_code for _try in tries]
    assert 429 not in codes[:-1] and codes[-1] == 429


def test_every_page_says_so_and_games_can_be_looked_at(club):
    number = club.match("duel")
    browser = club.client("ann")
    tag = browser.get(f"/games/{number}").headers["ETag"]
    act(club, "read-only", switch="on", reason="<b>Repairs</b>")
    for path in ("/", "/games", "/archive", f"/games/{number}"):
        page = browser.get(path, headers={"If-None-Match": tag})
        assert page.status_code == 200 and "The service is read-only at the moment" in page.text
        assert "&lt;b&gt;Repairs&lt;/b&gt;." in page.text
    act(club, "read-only", switch="off", reason="Done.")
    assert "read-only" not in browser.get(f"/games/{number}").text


def test_mail_is_kept_meanwhile_and_read_afterwards(club):
    number = club.match("duel")
    letter = club.letter("ann")
    act(club, "read-only", switch="on", reason=WHY)
    club.put(club.compose("ann@example.org", reply_address(letter), "3@a1", answering=letter), reply_address(letter))
    assert worker.sweep_mail(club.runtime) == 0 and club.moves(number) == []
    with db.reading(club.engine) as session:
        assert [row.state for row in session.exec(select(Inbound))] == [InboundState.NEW]
    club.clock.go(days=9)
    act(club, "read-only", switch="off", reason="Done.")
    assert worker.sweep_mail(club.runtime) == 1 and club.moves(number) == ["3@a1"]


def live(club, steps):
    """Time passes while a worker runs."""
    for _step in range(steps):
        club.clock.go(minutes=9)
        worker.sweep_clocks(club.runtime)


@pytest.mark.parametrize("worker_runs", [True, False])
def test_no_clock_runs_meanwhile_and_nobody_loses_time(club, worker_runs):
    number = club.match("duel", "ann", "bob")
    live(club, 20)
    before = left(club, number, "ann")
    act(club, "read-only", switch="on", reason=WHY)
    if worker_runs:
        live(club, 60)
    else:
        club.clock.go(days=400)
    assert left(club, number, "ann") == before
    act(club, "read-only", switch="off", reason="Done.")
    worker.sweep_clocks(club.runtime)
    assert left(club, number, "ann") == before and club.stand(number).ended_at is None
    with db.reading(club.engine) as session:
        assert club.player(session, number, "ann").deadline == club.time + before
    live(club, 10)
    assert left(club, number, "ann") == before - timedelta(minutes=90)


def test_a_short_time_counts_against_nobody_either(club):
    number = club.match("duel", "ann", "bob")
    worker.sweep_clocks(club.runtime)
    act(club, "read-only", switch="on", reason=WHY)
    club.clock.go(minutes=3)
    undo(club, last_act(club).id)
    club.clock.go(minutes=2)
    with db.reading(club.engine) as session:
        spent = turns.spent(session, club.player(session, number, "ann"), club.time)
    assert spent == timedelta(minutes=2)


def test_robots_rest_and_no_seek_is_paired(club):
    robots = robots_in(club)
    with db.transaction(club.engine) as session:
        seek = challenges.challenge(
            session, club.person(session, "ann"), "duel-robot-1", "duel", {}, seat=1, now=club.time, rng=club.rng
        )
        number = seek.match_id
        for name, pace in (("ann", {"pair": "yes"}), ("bob", {"pair": "yes"})):
            seeks.seek(
                session,
                club.person(session, name),
                "plateau",
                {},
                pace,
                now=club.time,
                rng=club.rng,
                rated=name == "ann",
            )
    act(club, "read-only", switch="on", reason=WHY)
    club.clock.go(hours=1)
    assert robots.sweep() == 0 and club.moves(number) == []
    assert pairing_sweeps.sweep_pairing(club.runtime) == 0
    robots.stop()


def test_monitoring_the_desk_and_the_next_switch_know_it(club):
    worker.sweep_clocks(club.runtime)
    act(club, "read-only", switch="on", reason=WHY)
    act(club, "pause-mail", switch="on", reason="A flood.")
    problems = readiness.problems(club.engine, club.settings, now=club.time)
    assert any(one.startswith("The service has been read-only since") and WHY in one for one in problems)
    assert any(one.startswith("Letters have been paused since") and "A flood." in one for one in problems)
    desk = plain_words(club.client("olga").get("/desk").text)
    assert "The service has been read-only since" in desk and "Letters have been paused since" in desk
    with pytest.raises(ActError, match="is already on"):
        act(club, "read-only", switch="on")
    with pytest.raises(ActError, match="Say on or off"):
        act(club, "pause-mail", switch="maybe")
    act(club, "read-only", switch="off")
    act(club, "pause-mail", switch="off")
    assert readiness.problems(club.engine, club.settings, now=club.time) == []


# -- the pause of letters --------------------------------------------------------------


def waiting(queue):
    with db.reading(queue.engine) as session:
        return len(session.exec(select(Letter).where(Letter.state == LetterState.QUEUED)).all())


def test_while_mail_is_paused_no_letter_leaves_and_all_leave_afterwards_in_order(queue):
    queue.match("duel")
    act(queue, "pause-mail", switch="on", reason="A flood.")
    queue.app.test_client().post("/sign-in", data={"who": "bob"})
    queue.clock.go(hours=3)
    post = ScriptedPost()
    assert (
        sending_sweeps.sweep_letters(queue.runtime, post) == 0
        and sending_sweeps.sweep_awaited_letters(queue.runtime, post) == 0
    )
    held = waiting(queue)
    assert held >= 3
    act(queue, "pause-mail", switch="off", reason="Over.")
    sent = sending_sweeps.sweep_letters(queue.runtime, post)
    assert sent == held - 1 and waiting(queue) == 0, "nobody is asked about the challenge that is accepted meanwhile"


def test_who_asks_for_a_link_while_mail_is_paused_is_not_told_that_it_comes_at_once(club):
    def page_after(path, **form):
        return plain_words(club.client().post(path, data=form).text)

    assert "arrives within a minute or two" in page_after("/sign-in", who="bob")
    act(club, "pause-mail", switch="on", reason="A flood.")
    for answer in (page_after("/sign-in", who="bob"), page_after("/join", handle="zoe", mail="zoe@example.org")):
        assert "All letters are paused at the moment." in answer and "within a minute" not in answer
        assert "A flood." not in answer, "why is for operators"
    act(club, "pause-mail", switch="off", reason="Over.")
    assert "arrives within a minute or two" in page_after("/sign-in", who="bob")


# -- announcements ---------------------------------------------------------------------

ENGLISH, ITALIAN = "New games on <i>Sunday</i>.", "Nuovi giochi domenica."


def test_every_page_shows_an_announcement_in_the_readers_language_until_its_end(club):
    with db.transaction(club.engine) as session:
        bob = club.person(session, "bob")
        bob.language = "it"
        session.add(bob)
    act(club, "announce", english=ENGLISH, italian=ITALIAN, days="2")
    for path in ("/", "/games", "/rules"):
        assert "New games on &lt;i&gt;Sunday&lt;/i&gt;." in club.client("ann").get(path).text
        assert f'<p lang="it">{ITALIAN}' in club.client("bob").get(path).text
    assert "New games on" in club.client().get("/").text
    club.clock.go(days=2)
    assert "New games on" not in club.client("ann").get("/").text


def test_whoever_put_it_away_does_not_see_it_again_but_the_next_one(club):
    number = act(club, "announce", english=ENGLISH)
    browser, other = club.client("ann"), club.client("bob")
    assert browser.post("/announcements/dismiss", data={"number": str(number)}).status_code == 303
    assert "New games on" not in browser.get("/games").text and "New games on" in other.get("/games").text
    act(club, "announce", english="And now this.")
    assert "And now this." in browser.get("/games").text and "New games on" not in other.get("/games").text
    for nonsense in ("", "x", "-1", "9" * 40):
        assert browser.post("/announcements/dismiss", data={"number": nonsense}).status_code == 303


def test_a_game_page_that_was_read_before_shows_it_too(club):
    number = club.match("duel")
    assert "Notices(" not in club.client("ann").get(f"/games/{number}").text
    browser = club.client("ann")
    tag = browser.get(f"/games/{number}").headers["ETag"]
    act(club, "announce", english=ENGLISH)
    assert "New games on" in browser.get(f"/games/{number}", headers={"If-None-Match": tag}).text


def announced(club):
    with db.reading(club.engine) as session:
        rows = session.exec(select(Letter).where(Letter.kind == kinds.ANNOUNCEMENT.name).order_by(col(Letter.id))).all()
        return [row.recipient.partition("@")[0] for row in rows]


def write_all(club):
    while "announcements" in due(club):
        worker.sweep_announcements(club.runtime)


def due(club):
    with db.reading(club.engine) as session:
        return due_sweeps(session, now=club.time)


def test_the_letter_goes_once_to_all_who_are_active_and_want_it(queue):
    queue.join("stopped", "gone", "asleep", "player")
    with db.transaction(queue.engine) as session:
        stopped = queue.person(session, "stopped")
        preferences = mail_preferences.MailPreferences(announcement_letters=False)
        mail_preferences.change(session, stopped, preferences, now=queue.time)
        for name in ("asleep", "player"):
            person = queue.person(session, name)
            person.joined_at = person.seen_at = queue.time - timedelta(days=900)
            session.add(person)
    queue.match("duel", "player", "ann")
    act(queue, "announce", english=ENGLISH, letter="yes")
    write_all(queue)
    everybody = sorted(announced(queue))
    assert everybody == ["ann", "bob", "gone", "olga", "player"]
    write_all(queue)
    assert sorted(announced(queue)) == everybody


def test_a_letter_is_written_once_to_each_of_many_in_batches(queue, monkeypatch):
    monkeypatch.setattr(announcements, "BATCH", 2)
    act(queue, "announce", english=ENGLISH, letter="yes")
    write_all(queue)
    assert sorted(announced(queue)) == ["ann", "bob", "olga"]


def test_without_a_wish_for_letters_none_is_written_and_an_undone_one_stops(queue):
    act(queue, "announce", english=ENGLISH)
    assert "announcements" not in due(queue)
    number = act(queue, "announce", english=ENGLISH, letter="yes")
    undo(queue, number)
    write_all(queue)
    assert announced(queue) == [] and "New games" not in queue.client().get("/").text


def test_one_click_stops_announcements_alone(club):
    act(club, "announce", english=ENGLISH, letter="yes")
    write_all(club)
    club.deliver()
    letter = club.letter("ann")
    assert "New games on <i>Sunday</i>." in text_of(letter) and "List-Unsubscribe" in letter
    path = re.search(r"<https://games\.example(/[^>]+)>", str(letter["List-Unsubscribe"]))[1]
    club.app.test_client().post(path, data={"List-Unsubscribe": "One-Click"})
    with db.reading(club.engine) as session:
        ann = club.person(session, "ann")
        assert (ann.announcement_letters, ann.talk_letters, ann.turn_letters) == (False, True, True)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"english": " "}, "needs its text in English"),
        ({"english": "x" * 501}, "at most 500 characters"),
        ({"english": "x", "italian": "y" * 501}, "at most 500 characters"),
        ({"english": "x", "days": "0"}, "A banner is shown for 1 to 90 days"),
        ({"english": "x", "days": "forever"}, "A banner is shown for 1 to 90 days"),
    ],
)
def test_what_cannot_be_announced_is_refused(club, given, sentence):
    with pytest.raises(ActError, match=sentence):
        act(club, "announce", **given)


def test_an_older_announcement_is_reversed_by_a_newer_one_and_cannot_take_it_away(club):
    first = act(club, "announce", english="One.")
    act(club, "announce", english="Two.")
    with pytest.raises(ActError, match="already been reversed"):
        undo(club, first)
    assert "Two." in club.client().get("/").text
