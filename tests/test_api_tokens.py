"""Tokens of programs: made on a page by who has just signed in, told by letter, shown once, and ended at any time."""

from __future__ import annotations

import json
import logging
import re
import zipfile
from io import BytesIO

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, api_tokens
from correspondence.community import erasure
from correspondence.core.db import reading, transaction
from correspondence.models import ApiScope, ApiToken
from correspondence.ops.worker import sweep_web_sessions
from correspondence.play.matches import clean_talk
from tests.programs import Program, token_of
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    world = mail_world(tmp_path)
    world.join("ann", "bob")
    yield world
    world.close()


def rows(world):
    with reading(world.runtime.engine) as session:
        return list(session.exec(select(ApiToken)))


def make(world, handle="ann", name="my robot", scope="play"):
    return world.client(handle).post("/settings/tokens", data={"name": name, "scope": scope})


def shown(page):
    return re.search(r"corr_[a-z2-7]{40}", page.text)[0]


def asks(world, token, path="/me"):
    return world.app.test_client().get(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})


# -- making --------------------------------------------------------------------------------


def test_a_token_made_on_the_page_acts_for_its_member(club):
    token = shown(make(club))
    assert asks(club, token).json == {"handle": "ann", "language": "en", "zone": "UTC", "waiting": 0}


def test_a_token_is_shown_once_and_only_its_hash_is_kept(club):
    page = make(club)
    token = shown(page)
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "corr_" not in club.client("ann").get("/settings/tokens").text
    assert token not in str(rows(club)[0].model_dump()) and rows(club)[0].digest == api_tokens.digest_of(token)


def test_a_letter_tells_the_member_of_each_token_and_holds_none(club):
    make(club)
    club.deliver()
    (letter,) = club.received
    text = " ".join(letter.get_body(("plain",)).get_content().split())
    assert letter["To"] == "ann@example.org"
    assert "“my robot”" in text
    assert "play for you" in text
    assert "/settings/tokens" in text and "corr_" not in letter.as_string()


def test_the_letter_about_a_token_that_only_looks_says_so(club):
    make(club, scope="read")
    club.deliver()
    assert "play for you" not in club.received[0].as_string()


def test_nobody_makes_a_token_in_a_browser_that_signed_in_long_ago(club):
    ann = club.client("ann")
    club.clock.go(minutes=61)
    page = ann.get("/settings/tokens").text
    assert 'name="scope"' not in page and "Mail me a link" in page
    assert make(club).status_code == 422 and rows(club) == []


def test_who_signs_in_once_more_comes_back_to_the_page(club):
    ann = club.client("ann")
    club.clock.go(minutes=61)
    ann.get("/settings/tokens")
    ann.post("/sign-in", data={"who": "ann"})
    assert ann.post(club.link_in("sign_in")).location == "/settings/tokens"
    assert 'name="scope"' in ann.get("/settings/tokens").text


@pytest.mark.parametrize("name", ["", "  ", "x" * 41])
def test_a_token_needs_a_name_that_can_be_shown(club, name):
    assert "name of at most 40" in make(club, name=name).text and rows(club) == []


def test_there_are_at_most_twenty_tokens(club):
    for number in range(20):
        token_of(club, "ann", name=str(number))
    page = make(club)
    assert page.status_code == 422 and "You have 20 tokens" in page.text
    club.client("ann").post(f"/settings/tokens/{rows(club)[0].id}/revoke")
    assert make(club).status_code == 200


# -- ending --------------------------------------------------------------------------------


def test_a_revoked_token_ends_at_once_and_its_program_is_told(club):
    token = shown(make(club))
    club.clock.go(days=3)
    assert club.client("ann").post(f"/settings/tokens/{rows(club)[0].id}/revoke").status_code == 303
    answer = asks(club, token)
    assert answer.status_code == 401 and "revoked" in answer.json["detail"]
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_nobody_revokes_a_token_of_another_member(club):
    token = shown(make(club))
    club.client("bob").post(f"/settings/tokens/{rows(club)[0].id}/revoke")
    assert asks(club, token).status_code == 200


def test_signing_out_everywhere_ends_all_tokens_of_the_member(club):
    token, bobs = shown(make(club)), shown(make(club, "bob"))
    club.client("ann").post("/settings/sign-out")
    assert asks(club, token).status_code == 401 and asks(club, bobs).status_code == 200


def test_an_erased_member_leaves_no_token(club):
    token = shown(make(club))
    with transaction(club.runtime.engine) as session:
        erasure.forget(session, accounts.person_by_handle(session, "ann"), now=club.clock())
    assert asks(club, token).status_code == 401 and rows(club) == []


def test_a_token_that_is_not_used_for_a_year_ends_and_its_row_goes_a_month_later(club):
    token = shown(make(club))
    club.clock.go(days=364)
    assert asks(club, token).status_code == 200
    club.clock.go(days=365)
    assert asks(club, token).status_code == 401
    assert sweep_web_sessions(club.runtime) == 2 and len(rows(club)) == 1  # the browsers of ann and bob
    club.clock.go(days=30)
    assert sweep_web_sessions(club.runtime) == 1 and rows(club) == []


def test_use_is_noted_once_a_day_and_shown_to_the_member(club):
    token = shown(make(club))
    club.clock.go(hours=23)
    asks(club, token)
    assert rows(club)[0].used_at is None
    club.clock.go(hours=2)
    asks(club, token)
    assert rows(club)[0].used_at == club.clock()
    assert "last used today" in club.client("ann").get("/settings/tokens").text


def test_a_copy_of_ones_data_names_the_tokens_without_their_hashes(club):
    make(club)
    with zipfile.ZipFile(BytesIO(club.client("ann").post("/settings/mydata/fetch").data)) as file:
        row = json.loads(file.read("rows/api_token-person_id.json").decode().splitlines()[0])
    assert row["name"] == "my robot"
    assert row["scope"] == "play"
    assert "digest" not in row


# -- who may ask ---------------------------------------------------------------------------


def test_a_cookie_is_no_token(club):
    answer = club.client("ann").get("/api/v1/me")
    assert answer.status_code == 401 and answer.mimetype == "application/problem+json"
    assert "needs a member's token" in answer.json["detail"] and answer.headers["WWW-Authenticate"].startswith(
        "Bearer realm="
    )


def test_nothing_is_known_from_a_cookie_not_even_a_language(club):
    club.client("ann").post("/settings", data={"language": "it", "zone": "UTC"})
    assert "needs a member's token" in club.client("ann").get("/api/v1/me").json["detail"]


@pytest.mark.parametrize("shown", ["Bearer corr_" + "a" * 40, "Bearer", "Bearer  ", "Basic YW5uOg==", "corr_x", "Bearer é",
                                   "Bearer " + "x" * 5000])  # fmt: skip
def test_what_is_no_token_is_answered_by_a_sentence(club, shown):
    answer = club.app.test_client().get("/api/v1/me", headers={"Authorization": shown})
    assert answer.status_code == 401
    assert answer.json["status"] == 401
    assert answer.json["detail"].endswith(".")


def test_a_token_never_reaches_a_log(club, caplog):
    token = token_of(club, "ann")
    logging.getLogger("test").warning("GET /x %s, or %s", token, f"Authorization: Bearer {token.upper()}")
    assert "corr_" not in caplog.text.lower()


def test_a_token_is_never_passed_on_as_talk(club):
    token = token_of(club, "ann")
    assert clean_talk(f"My robot uses {token}, see?") == "My robot uses …, see?"


def test_programs_are_answered_in_the_language_they_ask_for_or_else_their_members(club):
    club.client("ann").post("/settings", data={"language": "it", "zone": "UTC"})
    program = Program(club, "ann")
    for _fast in range(120):
        program.get("/me")
    assert "Aspetta un minuto" in program.get("/me").json["detail"]
    assert "wait a minute" in program.get("/me", **{"Accept-Language": "en"}).json["detail"]
    assert "Aspetta un minuto" in program.get("/me", **{"Accept-Language": "tlh"}).json["detail"]


def test_every_answer_says_how_much_may_still_be_asked(club):
    program = Program(club, "ann")
    answer = program.get("/me")
    assert answer.headers["RateLimit-Policy"] == '"api-read";q=120;w=60'
    assert answer.headers["RateLimit"] == '"api-read";r=119;t=1'
    for _again in range(119):
        answer = program.get("/me")
    assert answer.status_code == 200 and answer.headers["RateLimit"].startswith('"api-read";r=0;')
    late = program.get("/me")
    assert late.status_code == 429
    assert late.headers["Retry-After"] == "1"
    assert "a little too fast" in late.json["detail"]
    club.clock.go(seconds=1)
    assert program.get("/me").status_code == 200


def test_what_a_program_asks_is_not_taken_from_what_its_member_may_ask_on_pages(club):
    program = Program(club, "ann")
    for _fast in range(121):
        program.get("/me")
    assert program.get("/me").status_code == 429
    number = club.match("duel")
    read = club.client("ann").post(f"/games/{number}/read", data={"move": "3@a1", "ply": "0"})
    assert read.status_code == 200


def test_what_a_token_does_not_allow_is_counted_too(club):
    program = Program(club, "ann", ApiScope.READ)
    codes = [program.post("/challenges/1/decline").status_code for _again in range(61)]
    assert codes == [403] * 60 + [429]


def test_tokens_cannot_be_tried_without_end(club):
    codes = [asks(club, f"corr_{'a' * 36}{number:04}").status_code for number in range(125)]
    assert codes[:100] == [401] * 100 and codes[-1] == 429


def test_what_did_not_change_is_not_sent_again(club):
    program = Program(club, "ann")
    tag = program.get("/me").headers["ETag"]
    again = program.get("/me", **{"If-None-Match": tag})
    assert again.status_code == 304 and again.data == b""
    club.client("ann").post("/settings", data={"language": "it", "zone": "UTC"})
    assert program.get("/me", **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/", "/api/v2/me", "/api/v1/me%00"])
def test_what_is_not_there_is_a_problem_and_no_page(club, path):
    answer = club.app.test_client().get(path)
    assert answer.status_code == 404 and answer.mimetype == "application/problem+json"


def test_a_token_that_only_looks_is_one(club):
    token_of(club, "ann", ApiScope.READ)
    assert rows(club)[0].scope == ApiScope.READ


# -- members for whom a program plays ------------------------------------------------------


def declare(world, handle, **form):
    assert world.client(handle).post("/settings/tokens/program", data=form).status_code == 303


def test_games_of_a_member_for_whom_a_program_plays_are_not_rated_and_their_page_says_so(club):
    before = club.match("duel", "bob", "ann")
    declare(club, "ann", program="yes")
    assert "A program plays for this member" in club.client("bob").get("/players/ann").text
    assert Program(club, "bob").get("/players/ann").json["is_program"]
    ann, bob = Program(club, "ann"), Program(club, "bob")
    ann.post("/challenges", {"handle": "bob", "game": "duel", "rated": True})
    bob.post("/challenges", {"handle": "ann", "game": "plateau", "rated": True})
    assert [one["terms"]["rated"] for one in bob.get("/challenges").json["to_me"]] == [False]
    assert [one["terms"]["rated"] for one in ann.get("/challenges").json["to_me"]] == [False]
    assert club.stand(before).rated and not club.stand(club.match("proteus-tiles", "bob", "ann")).rated


def test_a_seek_of_others_becomes_an_unrated_game_when_a_program_takes_it(club):
    declare(club, "ann", program="yes")
    offer = Program(club, "bob").post("/seeks", {"game": "duel"}).json["offer"]
    begun = Program(club, "ann").post(f"/seeks/{offer}/take", {}).json["game"]
    assert not club.stand(begun).rated
    assert not Program(club, "ann").post("/seeks", {"game": "plateau"}).json["game"]
    assert [one["terms"]["rated"] for one in Program(club, "bob").get("/seeks").json["seeks"]] == [False]


def test_a_member_may_take_it_back(club):
    declare(club, "ann", program="yes")
    declare(club, "ann")
    assert "A program plays" not in club.client("bob").get("/players/ann").text
    assert club.stand(club.match("duel", "bob", "ann")).rated
