"""The pages of seeks, invitations, the directory and letters to members."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sizes import examples
from tests.world import World


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


def look_for(world, handle, **fields):
    return world.client(handle).post("/seeks/new", data={"game": "duel", "pace": "3", **fields})


def test_a_seek_is_opened_read_and_taken_on_pages(club):
    assert look_for(club, "ann", games="2", again="never").status_code == 303
    assert "Wants a new opponent each time; you two haven&#39;t played yet." in club.client("bob").get("/seeks").text
    assert "sign in, or join" in club.client().get("/seeks").text
    assert "/games/1" in club.client("bob").post(f"/seeks/{club.offer()}/take").location
    again = club.client("bob").get("/seeks").text
    assert "you two have already played" in again and f"/seeks/{club.offer()}/take" not in again
    assert club.client("bob").post(f"/seeks/{club.offer()}/take").status_code == 409
    assert f"/seeks/{club.offer()}/withdraw" in club.client("ann").get("/seeks").text
    assert club.client("ann").post(f"/seeks/{club.offer()}/withdraw").status_code == 303
    assert club.client("cleo").post(f"/seeks/{club.offer()}/take").status_code == 409


def test_a_seek_by_post_says_how_many_days_a_move_may_take(club):
    assert look_for(club, "ann", **{"pace": "post", "post-days": "45"}).status_code == 303
    assert "45 days a move" in club.client("bob").get("/seeks").text
    for days, sentence in (("13", "from 14 to 60 days, and 13 days"), ("61", "and 61 days"), ("", "as a number")):
        refused = look_for(club, "bob", **{"pace": "post", "post-days": days})
        assert refused.status_code == 422 and sentence in refused.text
        assert f'value="{days or 30}"' in refused.text


@pytest.mark.parametrize(("fields", "sentence"), [
    ({"rating-low": "1800", "rating-high": "1400"}, "in the wrong order"), ({"pace": "own", "days": "-3"}, "as numbers"),
    ({"open-days": "999"}, "from 1 to 180"), ({"any": "yes"}, "only together with pair=yes"), ({"games": "many"}, "from 1"),
], ids=str)  # fmt: skip
def test_a_refused_seek_keeps_what_was_typed(club, fields, sentence):
    refused = look_for(club, "ann", reliability="77", **fields)
    assert refused.status_code == 422
    assert sentence in refused.text
    assert 'value="77"' in refused.text
    assert "/take" not in club.client("bob").get("/seeks").text


def test_a_challenge_is_countered_and_a_finished_game_played_again(club):
    club.client("ann").post("/challenge", data={"game": "duel", "handle": "bob"})
    assert f"/challenges/{club.offer()}/counter" in club.client("bob").get("/games").text
    form = {"game": "duel", "handle": "ann", "pace": "same", "seat": "white", "option-board": "sun"}
    assert club.client("bob").get(f"/challenges/{club.offer()}/counter").status_code == 200
    assert club.client("bob").post(f"/challenges/{club.offer()}/counter", data={**form, "seat": "same", "option-board": "ring"}
                                   ).status_code == 422  # fmt: skip
    assert club.client("bob").post(f"/challenges/{club.offer()}/counter", data=form).status_code == 303
    assert club.client("ann").post(f"/challenges/{club.offer(2)}/accept").location == "/games/1"
    club.resign(1, "ann")
    assert "colours swapped" in club.client("ann").get("/games/1").text
    assert club.client("ann").post("/games/1/rematch").location == "/seeks"
    assert club.client("bob").post("/games/1/rematch").location == "/games/2"
    assert club.client("cleo").post("/games/1/rematch").status_code == 409


def test_whoever_follows_an_invitation_signs_in_and_is_led_back_to_it(club):
    page = club.client("ann").post("/invite", data={"game": "duel", "pace": "3", "open-days": "60"}).text
    path = re.search(r"(/i/[a-z2-7]{26})", page)[1]
    club.clock.go(weeks=5)
    stranger = club.client()
    shown = stranger.get(path).text
    assert "ann invites you" in shown and "Accept" not in shown
    stranger.post("/sign-in", data={"who": "bob"})
    assert stranger.post(club.link_in("sign_in")).location == path
    assert "Accept, and begin" in stranger.get(path).text
    assert stranger.post(path).location == "/games/1"
    assert club.client("cleo").get(path).status_code == 404
    assert club.client().post(path).status_code == 403


def test_an_invitation_may_be_to_a_game_that_moves_no_rating(club):
    for ticked, sentence in (({"unrated": "on"}, "Not rated."), ({}, "Rated.")):
        page = club.client("ann").post("/invite", data={"game": "duel", "pace": "3", "open-days": "60", **ticked}).text
        path = re.search(r"(/i/[a-z2-7]{26})", page)[1]
        assert sentence in club.client("bob").get(path).text
        game = club.client("bob").post(path).location
        assert sentence in club.client("bob").get(game).text
    refused = club.client("ann").post("/invite", data={"game": "duel", "address": "none", "unrated": "on"})
    assert refused.status_code == 422 and 'name="unrated" checked' in refused.text


@pytest.mark.parametrize(("chosen", "sentence"), [("same", "Rated."), ("yes", "Rated."), ("no", "Not rated.")])
def test_another_offer_may_leave_or_change_whether_the_game_is_rated(club, chosen, sentence):
    club.client("ann").post("/challenge", data={"game": "duel", "handle": "bob"})
    form = {"game": "duel", "handle": "ann", "pace": "3", "seat": "same", "rated": chosen}
    assert club.client("bob").post(f"/challenges/{club.offer()}/counter", data=form).status_code == 303
    club.client("ann").post(f"/challenges/{club.offer(2)}/accept")
    assert sentence in club.client("ann").get("/games/1").text


def test_the_directory_is_for_members_and_kept_from_search_engines(club):
    assert club.client().get("/partners").location == "/sign-in"
    page = club.client("ann").get("/partners")
    assert "noindex" in page.headers["X-Robots-Tag"] and "bob@example.org" not in page.text
    assert "Disallow: /partners" in club.client().get("/robots.txt").text
    chosen = {"shows_handle": "on", "shows_mail": "on", "games": ["duel"], "languages": ["it", "de"], "paces": "slow"}
    assert club.client("bob").post("/settings/partners", data=chosen).status_code == 303
    page = club.client("ann").get("/partners?game=duel&language=de").text
    assert "bob@example.org" in page
    assert "Deutsch" in page
    assert "cleo" not in page
    refused = club.client("bob").post("/settings/partners", data={"shows_post": "on", "options": "all of them"})
    assert refused.status_code == 422 and "all of them" in refused.text


def test_a_letter_to_a_member_is_sent_or_refused_with_what_was_written(club):
    assert club.client("ann").post("/players/Bob/write", data={"text": "Hello there"}).location == "/players/bob"
    club.client("ann").post("/players/bob/write", data={"text": "Hello again"})
    refused = club.client("ann").post("/players/bob/write", data={"text": "Third time"})
    assert refused.status_code == 422 and "Third time" in refused.text
    assert club.client("ann").get("/players/nobody/write").status_code == 404


def test_a_renewal_by_its_link_needs_the_button_and_works_once(club):
    from correspondence.ops import worker

    look_for(club, "ann", **{"open-days": "3"})
    club.clock.go(days=4)
    worker.sweep_seeks(club.runtime)
    path = club.link_in("seek_expired")
    assert "Keep your seek open?" in club.client().get(path).text
    assert "Open again" in club.client("ann").get("/seeks").text
    assert club.client().post(path).location == "/seeks"
    assert (
        club.client().post(path).status_code == 404
        and f"/seeks/{club.offer()}/withdraw" in club.client("ann").get("/seeks").text
    )


ODD = st.one_of(st.text(max_size=30), st.sampled_from(["", "0", "-1", "9" * 30, "\x00", "²", "never", "yes", "duel"]))
FIELDS = ["game", "pace", "days", "hours", "games", "standing", "kind", "pair", "any", "seat", "rating-low", "again",
          "rating-high", "reliability", "language", "open-days", "address", "text", "option-board", "paces", "post",
          "shows_post", "handle"]  # fmt: skip
FORMS = ["/seeks/new", "/invite", "/settings/partners", "/players/bob/write", "/seeks/1/take", "/seeks/9/renew",
         "/challenges/1/counter", "/games/1/rematch", "/i/abc", "/seeks/1/withdraw"]  # fmt: skip


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("lasting"))
    world.join("ann"), world.join("bob")
    yield world
    world.close()


@settings(max_examples=examples(80), deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])  # fmt: skip
@given(path=st.sampled_from(FORMS), form=st.dictionaries(st.sampled_from(FIELDS), ODD), known=st.booleans())
def test_no_form_ends_in_a_500(lasting, path, form, known):
    lasting.clock.go(hours=0.2)
    answer = lasting.client("ann").post(path, data=form | ({"game": "duel"} if known else {}))
    assert answer.status_code in (200, 303, 400, 403, 404, 409, 422)


@pytest.mark.parametrize("path", ["/games", "/archive", "/ratings/duel", "/players/ann", "/partners", "/seeks"])
def test_where_nothing_is_yet_a_page_says_what_to_do(world, path):
    world.join("ann")
    page = world.client("ann").get(path).text
    main = page.partition("<main")[2].partition("</main>")[0]
    assert any(door in main for door in ('href="/seeks', 'href="/invite')), main
