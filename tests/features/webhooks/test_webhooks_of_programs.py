"""Webhooks that programs make through the API: each token reaches its own alone, and they end with the token."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import Webhook
from correspondence.models import ApiScope, ApiToken, Letter
from correspondence.ops.worker import sweep_web_sessions
from tests.features.webhooks.test_webhooks import page, posted, register, secret_in, signature
from tests.https_service import HOST
from tests.programs import Program

URL = f"https://{HOST}/program"
WANTED = {"name": "My bot", "url": URL, "events": ["your_turn", "talk"]}


@pytest.fixture
def club(world):
    world.join("ann", "bob")
    return world


def hooks(club):
    with reading(club.engine) as session:
        return [webhook.url for webhook in session.exec(select(Webhook).order_by(Webhook.id))]


def made(program, **more):
    answer = program.post("/webhooks", {**WANTED, **more})
    assert answer.status_code == 201, answer.text
    return answer.json


def test_a_program_lets_events_be_posted_to_itself_and_learns_the_secret_once(club, service, post):
    bot = Program(club, "bob")
    answer = bot.post("/webhooks", WANTED)
    assert answer.status_code == 201 and "no-store" in answer.headers["Cache-Control"]
    secret = answer.json["secret"]
    [listed] = bot.get("/webhooks").json["webhooks"]
    assert listed == {key: value for key, value in answer.json.items() if key != "secret"}
    assert listed["events"] == ["your_turn", "talk"] and not listed["is_off"]
    club.play(club.match("duel"), "ann", "3@a1")
    [(headers, body)] = posted(club, service, post)
    assert body["type"] == "your_turn" and headers["webhook-signature"] == signature(
        secret, headers, service.sent[0][2]
    )


def test_a_letter_names_the_program_that_made_it_and_so_does_the_page(club):
    made(Program(club, "bob"))
    with reading(club.engine) as session:
        [letter] = session.exec(select(Letter).where(Letter.kind == "webhook"))
    assert letter.person_id == 2
    assert URL in letter.text
    assert "whsec" not in letter.text
    for text in (letter.text, letter.html, page(club)):
        assert "with the token “a program”" in " ".join(text.split())


@pytest.mark.parametrize(("method", "path"), [("get", ""), ("post", ""), ("delete", "/0123456789abcdef"),
                                              ("post", "/0123456789abcdef/on")])  # fmt: skip
def test_a_token_that_only_looks_reaches_none(club, method, path):
    made(Program(club, "bob"))
    body = [WANTED] if (method, path) == ("post", "") else []
    refused = getattr(Program(club, "bob", ApiScope.READ), method)(f"/webhooks{path}", *body)
    assert refused.status_code == 403
    assert HOST not in refused.text
    assert len(hooks(club)) == 1


def test_a_token_neither_sees_nor_ends_what_the_member_or_another_token_made(club):
    secret = secret_in(register(club))
    one, other = Program(club, "bob"), Program(club, "bob")
    ident = made(one)["id"]
    with reading(club.engine) as session:
        idents = [webhooks.ident_of(webhook) for webhook in session.exec(select(Webhook))]
    assert ident in idents and len(idents) == 2
    for program in (other, Program(club, "ann")):
        assert program.get("/webhooks").json == {"webhooks": []}
        for name in idents:
            answers = (program.delete(f"/webhooks/{name}"), program.post(f"/webhooks/{name}/on"))
            for answer in answers:
                assert answer.status_code == 404 and answer.json["detail"] == "That webhook no longer exists."
                assert secret not in answer.text and HOST not in answer.text
    assert len(hooks(club)) == 2


def test_a_program_removes_its_webhook(club):
    bot = Program(club, "bob")
    ident = made(bot)["id"]
    assert bot.delete(f"/webhooks/{ident}").json == {"sentence": "The webhook has been removed."}
    assert hooks(club) == [] and bot.delete(f"/webhooks/{ident}").status_code == 404


def test_a_program_switches_on_again_what_was_switched_off(club):
    bot = Program(club, "bob")
    ident = made(bot)["id"]
    with transaction(club.engine) as session:
        [webhook] = session.exec(select(Webhook))
        webhooks.switch_off(session, webhook, now=club.time)
    assert bot.get("/webhooks").json["webhooks"][0]["is_off"]
    assert "is on" in bot.post(f"/webhooks/{ident}/on").json["sentence"]
    assert not bot.get("/webhooks").json["webhooks"][0]["is_off"]


def test_whoever_revokes_a_token_is_rid_of_what_was_made_with_it_and_of_nothing_else(club):
    register(club)
    for handle, url in (("bob", URL), ("bob", f"{URL}/2"), ("ann", f"{URL}/3")):
        made(Program(club, handle), url=url)
    with reading(club.engine) as session:
        tokens = [token.id for token in session.exec(select(ApiToken).order_by(ApiToken.id))]
    club.client("bob").post(f"/settings/tokens/{tokens[2]}/revoke")
    assert len(hooks(club)) == 4, "a token of somebody else is not theirs to revoke"
    club.client("bob").post(f"/settings/tokens/{tokens[0]}/revoke")
    assert hooks(club)[1:] == [f"{URL}/2", f"{URL}/3"]
    club.client("bob").post("/settings/sign-out")
    assert hooks(club) == [f"{URL}/3"]


def test_a_token_that_ends_unused_takes_its_webhooks_with_it(club):
    made(Program(club, "bob"))
    club.clock.go(days=365 + 31)
    sweep_web_sessions(club.runtime)
    assert hooks(club) == []


@pytest.mark.parametrize(("more", "sentence"), [
    ({"url": "http://bot.example.org/hook"}, "must begin with https://"), ({"name": " "}, "a name"),
    ({"url": "https://user:pw@bot.example.org/"}, "without a password"), ({"events": ["test"]}, "at least one kind"),
    ({"url": "https://127.0.0.1:8443/"}, "usual port"), ({"events": []}, "“events” must not be empty."),
    ({"events": ["everything"]}, "must be one of these"), ({"secret": "whsec_x"}, "“secret” is not known here."),
], ids=str)  # fmt: skip
def test_what_cannot_be_made_is_refused_with_a_sentence(club, more, sentence):
    refused = Program(club, "bob").post("/webhooks", {**WANTED, **more})
    assert refused.status_code == 422
    assert sentence in refused.json["detail"]
    assert hooks(club) == []


def test_tokens_make_no_more_than_their_member_may_have(club):
    bot = Program(club, "bob")
    for number in range(webhooks.MOST):
        made(bot, url=f"{URL}/{number}")
    refused = Program(club, "bob").post("/webhooks", {**WANTED, "url": f"{URL}/more"})
    assert refused.status_code == 422 and "which is the maximum" in refused.json["detail"]
