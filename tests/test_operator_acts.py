"""Acts of operators: done by operators alone, planned first, kept, told to whom they concern, and reversed."""

from __future__ import annotations

import pytest

from correspondence.community import erasure, member_mail
from correspondence.core import db
from correspondence.matchmaking import challenges, invitations, seeks
from correspondence.models import Seek, SeekState
from correspondence.moderation import acts, register
from correspondence.moderation.acts import ActError
from correspondence.ops.operator_cli import operator_command
from correspondence.ops.worker import sweep_suspensions
from correspondence.play import matches, puzzles
from engines.refusal import Refusal
from tests.operators import REASON, act, appoint, do_on_page, last_act, plain_words, undo
from tests.post import text_of
from tests.robots import robots_in


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    appoint(town, "ann")
    return town


def attempt(club, use_case, *given, **more):
    with db.transaction(club.engine) as session:
        use_case(session, club.person(session, "bob"), *given, now=club.time, **more)


def words_of_letter(club, name):
    return " ".join(text_of(club.letter(name)).split())


# -- who may, and how ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bob", ""])
@pytest.mark.parametrize("path", ["/desk/acts", "/desk/do/warn", "/desk/do/no-such-act"])
def test_nobody_but_operators_finds_the_pages_of_acts(club, name, path):
    assert club.client(name).get(path).status_code == 404


@pytest.mark.parametrize("name", ["bob", ""])
def test_a_member_who_poses_as_an_operator_changes_nothing(club, name):
    number = act(club, "warn", handle="cleo")
    browser, form = club.client(name), {"handle": "cleo", "reason": REASON, "sure": "yes", "operator": "ann"}
    for kind in register.ACTS:
        assert browser.post(f"/desk/do/{kind}", data=form).status_code == 404
    assert browser.post(f"/desk/acts/{number}/undo").status_code == 404
    assert last_act(club).id == number and last_act(club).reversed_at is None


def test_the_use_case_itself_refuses_who_is_no_operator(club):
    with pytest.raises(ActError, match="Only operators"):
        act(club, "warn", by="bob", handle="cleo")
    appoint(club, "ann", is_operator=False)
    with pytest.raises(ActError, match="Only operators"):
        act(club, "warn", by="ann", handle="cleo")


def test_a_look_does_nothing_and_the_form_says_first_what_it_will_do(club):
    browser = club.client("ann")
    assert browser.get(f"/desk/do/suspend?handle=bob&reason={REASON}&sure=yes").status_code == 200
    preview = browser.post("/desk/do/suspend", data={"handle": "bob", "days": "3", "reason": REASON})
    assert "bob is suspended for 3 days." in preview.text and last_act(club) is None
    done = browser.post("/desk/do/suspend", data={"handle": "bob", "days": "3", "reason": REASON, "sure": "yes"})
    assert done.status_code == 303 and last_act(club).kind == "suspend"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"handle": "nobody"}, "Nobody here is called “nobody”."),
        ({"handle": "bob", "reason": " \n "}, "Please give a reason"),
        ({"handle": "bob", "days": "soon"}, "Give a number of days from 1 to 3650"),
        ({"handle": "bob", "days": "0"}, "Give a number of days from 1 to 3650"),
        ({"handle": "ann"}, "That is you."),
        ({"handle": "duel-robot-1"}, "duel-robot-1 is a robot."),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence_and_the_form_keeps_what_was_typed(club, fields, sentence):
    robots_in(club).stop()
    for answer in do_on_page(club, "ann", "suspend", **fields):
        assert answer.status_code == 422 and sentence in answer.text
    assert last_act(club) is None and f'value="{fields["handle"]}"' in answer.text


def test_markup_in_a_reason_is_shown_as_text_on_pages_and_in_the_letter(club):
    reason = "<script>alert(1)</script> %%link%% {{ 7 * 7 }}"
    do_on_page(club, "ann", "warn", handle="bob", reason=reason)
    page = club.client("ann").get("/desk/acts").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "{{ 7 * 7 }}" in page
    club.deliver()
    html = club.letter("bob").get_body(("html",)).get_content()
    assert "<script>alert" not in html and "{{ 7 * 7 }}" in html


# -- kept and reversed -----------------------------------------------------------------


def test_every_act_is_listed_with_who_whom_when_and_why(club):
    do_on_page(club, "ann", "suspend", handle="bob", days="14")
    act(club, "warn", handle="cleo", reason="Late again.")
    page = plain_words(club.client("ann").get("/desk/acts").text)
    assert f"Suspend a member · bob · 14 d · by ann {REASON}" in page
    assert "Warn a member · cleo · by command line Late again." in page
    about = plain_words(club.client("ann").get("/desk/acts?handle=cleo").text)
    assert "Late again." in about and "Suspend a member" not in about


def test_no_operator_takes_back_a_warning_of_their_own(club):
    appoint(club, "bob")
    number = act(club, "warn", by="ann", handle="bob")
    answer = club.client("bob").post(f"/desk/acts/{number}/undo", follow_redirects=True)
    assert f"Act {number} is about yourself. Ask another operator." in answer.text
    assert last_act(club).reversed_at is None
    undo(club, number, by="ann")


def test_an_act_is_reversed_once_and_the_list_says_by_whom(club):
    number = act(club, "suspend", handle="bob")
    browser = club.client("ann")
    browser.post(f"/desk/acts/{number}/undo")
    assert "Reversed by ann" in browser.get("/desk/acts").text
    with pytest.raises(ActError, match="has already been reversed"):
        undo(club, number)
    with pytest.raises(ActError, match="There is no act number 99"):
        undo(club, 99)


def test_what_has_no_undo_says_so(club):
    number = act(club, "end-sessions", handle="bob")
    with pytest.raises(ActError, match="cannot be reversed"):
        undo(club, number)


def test_erasing_a_member_leaves_the_acts_without_name_and_facts(club):
    number = act(club, "warn", by="ann", handle="bob")
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "bob"), now=club.time)
    with db.reading(club.engine) as session:
        [kept] = acts.kept(session, 10)
        assert (kept.number, kept.handle, kept.operator) == (number, "departed player", "ann")
        assert acts.act_row(session, number).facts == "{}"


# -- warn ------------------------------------------------------------------------------


def test_a_warning_is_a_letter_with_the_reason_and_whom_to_write_to(club):
    number = act(club, "warn", by="ann", handle="bob")
    text = words_of_letter(club, "bob")
    assert "The operator of this site warns you." in text and f"| {REASON}" in text
    assert "postmaster@games.example" in text and "ann" not in text
    undo(club, number)
    assert "has withdrawn the earlier warning" in words_of_letter(club, "bob")


def test_whoever_reads_italian_is_told_in_italian(club):
    with db.transaction(club.engine) as session:
        person = club.person(session, "bob")
        person.language = "it"
        session.add(person)
    act(club, "warn", handle="bob")
    assert "ti avverte" in words_of_letter(club, "bob")


# -- suspend ---------------------------------------------------------------------------

OFFERS = {
    "seek": lambda club: attempt(club, seeks.seek, "duel", {}, rng=club.rng),
    "challenge": lambda club: attempt(club, challenges.challenge, "cleo", "duel", {}),
    "invite": lambda club: attempt(club, invitations.invite, "", "duel", {}),
    "begin alone": lambda club: attempt(club, challenges.start_alone, "duel-puzzle", {}, rng=club.rng),
    "begin the daily puzzle": lambda club: attempt(club, puzzles.start_daily),
    "challenge a robot": lambda club: attempt(club, challenges.challenge, "duel-robot-1", "duel", {}),
    "write to a member": lambda club: attempt(club, member_mail.write, "cleo", "Hello."),
}


@pytest.mark.parametrize("name", OFFERS)
def test_a_suspended_member_is_refused_with_the_reason_and_whom_to_write_to(club, name):
    robots_in(club).stop()
    act(club, "suspend", handle="bob", days="3")
    with pytest.raises(Refusal, match="suspended until .*Rude words.*postmaster"):
        OFFERS[name](club)
    undo(club, last_act(club).id)
    OFFERS[name](club)


def test_a_suspended_member_moves_and_resigns_but_says_nothing(club):
    number = club.match("duel", "bob", "cleo")
    act(club, "suspend", handle="bob")
    with pytest.raises(Refusal, match="suspended"):
        club.play(number, "bob", "3@a1", comment="Rude again.")
    assert club.moves(number) == []
    club.play(number, "bob", "3@a1")
    with pytest.raises(Refusal, match="suspended"), db.transaction(club.engine) as session:
        matches.say(session, club.player(session, number, "bob"), "Rude again.", now=club.time)
    club.resign(number, "bob")
    assert club.stand(number).result == "0-1"


def test_by_mail_a_suspended_member_reads_the_same_sentence(club):
    act(club, "suspend", handle="bob")
    club.agree("bob", "seek duel")
    text = words_of_letter(club, "bob")
    assert "Your account is suspended: Rude words" in text and "postmaster" in text


def test_what_a_suspended_member_offered_is_withdrawn_and_nobody_can_take_it(club):
    with db.transaction(club.engine) as session:
        bob, cleo = club.person(session, "bob"), club.person(session, "cleo")
        seek = seeks.seek(session, bob, "duel", {}, now=club.time, rng=club.rng).id
        challenge = challenges.challenge(session, cleo, "bob", "plateau", {}, now=club.time).id
    act(club, "suspend", handle="bob")
    with db.reading(club.engine) as session:
        assert session.get(Seek, seek).state == SeekState.WITHDRAWN
        assert session.get(Seek, challenge).state == SeekState.DECLINED
    with pytest.raises(Refusal), db.transaction(club.engine) as session:
        seeks.take(session, club.person(session, "cleo"), seek, now=club.time, rng=club.rng)
    with pytest.raises(Refusal, match="does not want to play now"), db.transaction(club.engine) as session:
        challenges.challenge(session, club.person(session, "cleo"), "bob", "duel", {}, now=club.time)
    assert "bob" not in club.client("cleo").get("/partners").text


def test_a_suspension_with_an_end_ends_by_itself_and_every_page_says_until_when(club):
    act(club, "suspend", handle="bob", days="3")
    assert "Your account is suspended until" in club.client("bob").get("/games").text
    club.clock.go(days=2, hours=23)
    assert sweep_suspensions(club.runtime) == 0
    club.clock.go(hours=1)
    assert sweep_suspensions(club.runtime) == 1
    assert "suspended" not in club.client("bob").get("/games").text
    OFFERS["seek"](club)


def test_restoring_is_told_and_marks_the_suspension_as_reversed(club):
    number = act(club, "suspend", handle="bob")
    with pytest.raises(ActError, match="already suspended"):
        act(club, "suspend", handle="bob")
    act(club, "restore", handle="bob", reason="A mistake.")
    assert "Your account has been restored" in words_of_letter(club, "bob")
    with db.reading(club.engine) as session:
        assert acts.act_row(session, number).reversed_at == club.time
    with pytest.raises(ActError, match="bob is not suspended"):
        act(club, "restore", handle="bob")


def test_the_last_operator_can_be_suspended_by_nobody_and_a_suspended_one_is_none(club):
    with pytest.raises(ActError, match="only operator"):
        act(club, "suspend", handle="ann")
    appoint(club, "cleo")
    act(club, "suspend", by="cleo", handle="ann")
    assert club.client("ann").get("/desk").status_code == 404
    with pytest.raises(ActError, match="only operator"):
        act(club, "suspend", handle="cleo")


def test_the_desk_names_the_suspended(club):
    act(club, "suspend", handle="bob", days="3")
    assert "bob · until" in plain_words(club.client("ann").get("/desk").text)


# -- end sessions ----------------------------------------------------------------------


def test_ending_sessions_signs_out_every_browser_and_spends_unused_links(club):
    browser = club.client("bob")
    club.app.test_client().post("/sign-in", data={"who": "bob"})
    link = club.link_in("sign_in")
    assert browser.get("/games").status_code == 200
    act(club, "end-sessions", handle="bob")
    assert browser.get("/games").status_code == 303
    assert "signed you out in every browser" in words_of_letter(club, "bob")
    assert "no longer works" in club.app.test_client().get(link).text


# -- by command ------------------------------------------------------------------------


def command(club, *words, given=None):
    return club.app.test_cli_runner().invoke(operator_command, words, input=given)


def test_a_command_says_what_it_will_do_and_asks(club):
    question = command(club, "suspend", "bob", "--days", "3", "--reason", REASON, given="n\n")
    assert "bob is suspended for 3 days." in question.output
    assert question.exit_code == 1
    assert last_act(club) is None
    done = command(club, "suspend", "bob", "--days", "3", "--reason", REASON, given="y\n")
    assert done.exit_code == 0 and f"Done: act {last_act(club).id}." in done.output


def test_commands_list_acts_and_reverse_them(club):
    assert command(club, "warn", "bob", "--reason", REASON, "--yes").exit_code == 0
    number = str(last_act(club).id)
    listed = command(club, "acts", "--about", "bob").output
    assert "command line  warn  bob" in listed and REASON in listed
    assert f"Act {number} has been reversed." in command(club, "undo", number).output
    assert "reversed by command line" in command(club, "acts").output


def test_a_command_that_is_refused_says_why_and_ends_with_one(club):
    for words in (("warn", "nobody", "--reason", REASON, "--yes"), ("undo", "99"), ("acts", "--about", "nobody")):
        refused = command(club, *words)
        assert refused.exit_code == 1
        assert refused.output.startswith("Error: ")
        assert "Traceback" not in refused.output
