"""Webhooks: what happens to a member is posted to their program, signed, in order, again if need be, and nowhere else."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import re
import socket
import ssl
import threading
import zipfile
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.community import data_export, erasure
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.features.webhooks import delivery, webhooks
from correspondence.features.webhooks.sweep import sweep_webhooks
from correspondence.features.webhooks.tables import Webhook, WebhookDelivery
from correspondence.models import Letter, Person
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.transport import EndpointError, PushError, PushPost, pushing
from tests.https_service import HOST
from tests.operators import act
from tests.world import KEY

URL = f"https://{HOST}/hook?for=bob"
ALL = [kind.value for kind in webhooks.KINDS]


@pytest.fixture
def club(world):
    world.join("ann", "bob")
    return world


def register(club, handle="bob", url=URL, kinds=ALL, name="My bot"):
    return club.client(handle).post("/settings/webhooks", data={"name": name, "url": url, "kind": list(kinds)})


def page(club, handle="bob"):
    return club.client(handle).get("/settings/webhooks").text


def press(club, button, handle="bob", which=0):
    """Press a button of a webhook on the page: test, secret, on or remove."""
    paths = re.findall(rf'action="(/settings/webhooks/[0-9a-f]+/{button})"', page(club, handle))
    return club.client(handle).post(paths[which])


def secret_in(answer):
    return re.search(r"whsec_[A-Za-z0-9+/=]+", answer.text)[0]


def posted(club, service, post):
    """The messages that the service is sent now, as (headers, JSON)."""
    before = len(service.sent)
    sweep_events(club.runtime)
    sweep_webhooks(club.runtime, post)
    return [(headers, json.loads(body)) for _path, headers, body in service.sent[before:]]


def hooks(club):
    with reading(club.engine) as session:
        return list(session.exec(select(Webhook)))


def deliveries(club):
    with reading(club.engine) as session:
        return [(one.state.value, one.tries, one.status) for one in session.exec(select(WebhookDelivery))]


def signature(secret, headers, body):
    """As a program of a member checks it (Standard Webhooks)."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


# -- what is posted ----------------------------------------------------------------------


def test_what_happens_is_posted_in_order_and_once(club, service, post):
    register(club)
    number = club.match()
    club.open(number)
    messages = posted(club, service, post)
    assert [body["type"] for _headers, body in messages] == ["challenge", "game_started", "move", "your_turn", "move"]
    assert messages[3][1]["data"]["game"]["url"] == f"{club.settings.base_url}/games/{number}"
    assert posted(club, service, post) == [] and {state for state, _t, _s in deliveries(club)} == {"delivered"}
    assert service.sent[0][0] == "/hook?for=bob"


def test_each_message_is_signed_with_the_secret_that_was_shown_once(club, service, post):
    answer = register(club)
    secret = secret_in(answer)
    assert "no-store" in answer.headers["Cache-Control"]
    assert "whsec_" not in page(club)
    club.match()
    posted(club, service, post)
    for _path, headers, body in service.sent:
        assert headers["webhook-signature"] == signature(secret, headers, body)
        assert int(headers["webhook-timestamp"]) == int(club.time.timestamp())
        assert headers["Content-Type"] == "application/json"
    assert len({headers["webhook-id"] for _path, headers, _body in service.sent}) == len(service.sent)


def test_a_letter_tells_of_a_new_webhook(club):
    register(club)
    with reading(club.engine) as session:
        [letter] = session.exec(select(Letter).where(Letter.kind == "webhook"))
    assert letter.person_id == 2
    assert URL in letter.text
    assert "“My bot”" in letter.text
    assert "whsec" not in letter.text


def test_a_browser_that_signed_in_long_ago_makes_none_and_learns_no_secret(club):
    register(club)
    browser = club.client("bob")
    [path] = re.findall(r"/settings/webhooks/[0-9a-f]+/secret", page(club))
    club.clock.go(hours=2)
    for refused in (register(club, url=f"https://{HOST}/2"), browser.post(path)):
        assert refused.status_code == 422
        assert "Please sign in, then" in refused.text
        assert "whsec" not in refused.text
    assert len(hooks(club)) == 1 and "Mail me a link" in page(club)
    assert press(club, "remove").status_code == 303, "that takes access away"


def test_the_database_alone_signs_nothing(club):
    secret = secret_in(register(club))
    [hook] = hooks(club)
    assert secret not in repr(hook) and webhooks.secret_of(KEY, hook.nonce) == secret
    assert webhooks.secret_of("another key", hook.nonce) != secret


def test_a_new_secret_ends_the_old_one(club, service, post):
    old = secret_in(register(club))
    new = secret_in(press(club, "secret"))
    assert new != old
    club.match()
    posted(club, service, post)
    _path, headers, body = service.sent[0]
    assert headers["webhook-signature"] == signature(new, headers, body)


def test_signing_out_everywhere_ends_what_a_thief_left_listening(club, service, post):
    register(club)
    register(club, handle="ann", url=f"https://{HOST}/ann")
    number = club.match()
    club.client("bob").post("/settings/sign-out")
    club.open(number)
    posted(club, service, post)
    assert {path for path, _headers, _body in service.sent} == {"/ann"} and len(hooks(club)) == 1


def test_an_operator_who_ends_the_sessions_of_a_member_ends_their_webhooks(club):
    register(club)
    act(club, "end-sessions", handle="bob")
    assert hooks(club) == []


def test_only_the_kinds_that_were_chosen_are_posted(club, service, post):
    register(club, kinds=["your_turn"])
    club.open(club.match())
    assert [body["type"] for _headers, body in posted(club, service, post)] == ["your_turn"]


def test_a_webhook_hears_nothing_of_other_members(club, service, post):
    club.join("cid", "dan")
    register(club)
    club.open(club.match(white="cid", black="dan"), "cid", "dan")
    assert posted(club, service, post) == []


def test_nothing_of_before_it_was_made_is_posted(club, service, post):
    club.match()
    register(club)
    assert posted(club, service, post) == []


def test_what_was_recalled_before_it_could_be_posted_is_not_posted(club, service, post):
    register(club)
    number = club.match()
    posted(club, service, post)
    service.status = 500
    club.play(number, "ann", "c3/f2=B", comment="Good luck!")
    club.resign(number, "ann")
    posted(club, service, post)
    with transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
    service.status = 200
    club.clock.go(minutes=1)
    moves = [body for _headers, body in posted(club, service, post) if body["type"] == "move"]
    assert [move["data"]["comment"] for move in moves] == [""], "the words went with whoever wrote them"


def test_a_test_goes_to_the_webhook_that_is_tested_and_to_no_other(club, service, post):
    register(club, kinds=["talk"])
    register(club, url=f"https://{HOST}/other")
    assert press(club, "test").status_code == 303
    posted(club, service, post)
    assert [(path, json.loads(body)["type"]) for path, _headers, body in service.sent] == [("/hook?for=bob", "test")]


# -- failures ----------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 307, 400, 404, 429, 500, 503])
def test_what_was_not_taken_is_tried_again_after_growing_pauses_and_then_given_up(club, service, post, status):
    register(club, kinds=["game_started"])
    service.status, service.where = status, {"Location": "https://127.0.0.1/inside"}
    club.match()
    tries = []
    for _try in range(delivery.MOST_TRIES + 2):
        tries += posted(club, service, post)
        assert posted(club, service, post) == [], "not before its pause is over"
        club.clock.go(hours=12)
    assert len(tries) == delivery.MOST_TRIES
    assert len({headers["webhook-id"] for headers, _body in tries}) == 1, "so a program knows what it had before"
    assert deliveries(club) == [("given up", delivery.MOST_TRIES, status)]


def test_the_pauses_grow():
    assert list(delivery.PAUSES) == sorted(delivery.PAUSES)
    assert sum(delivery.PAUSES, timedelta(0)) < timedelta(days=1)


def test_messages_stay_in_order_while_one_of_them_fails(club, service, post):
    register(club, kinds=["game_started", "game_ended"])
    number = club.match()
    service.status = 500
    posted(club, service, post)
    club.resign(number, "ann")
    assert posted(club, service, post) == []
    service.status = 204
    club.clock.go(minutes=1)
    assert [body["type"] for _headers, body in posted(club, service, post)] == ["game_started", "game_ended"]
    assert hooks(club)[0].failures == 0 and hooks(club)[0].failing_since is None


def fail_for_days(club, service, post):
    register(club, kinds=["game_started"])
    club.match()
    service.status = 500
    for day in range(13):
        posted(club, service, post)
        club.clock.go(hours=12)
        if day == 6:
            club.match()


def test_what_fails_for_days_is_switched_off_with_a_letter(club, service, post):
    fail_for_days(club, service, post)
    [hook] = hooks(club)
    assert hook.off_at is not None and hook.due_at is None
    with reading(club.engine) as session:
        [letter] = session.exec(select(Letter).where(Letter.kind == "webhook_off"))
    assert letter.person_id == 2
    assert "My bot" in letter.subject
    assert URL in letter.text
    assert "/settings/webhooks" in letter.text and "whsec" not in letter.text + letter.html
    assert "Switched off" in page(club) and 'class="refusal"' in page(club)
    club.match()
    assert posted(club, service, post) == []
    assert not re.search(r"/settings/webhooks/[0-9a-f]+/test", page(club)), "there is no button for a test"


def test_it_can_be_switched_on_again_for_what_happens_from_then_on(club, service, post):
    fail_for_days(club, service, post)
    service.status = 200
    assert press(club, "on").status_code == 303
    assert posted(club, service, post) == []
    club.match()
    assert [body["type"] for _headers, body in posted(club, service, post)] == ["game_started"]


def test_a_program_that_is_gone_for_good_is_left_alone_at_once(club, service, post):
    register(club)
    service.status = 410
    club.match()
    assert len(posted(club, service, post)) == 1 and hooks(club)[0].off_at is not None


def test_a_webhook_that_fails_holds_up_no_other(club, service, post):
    register(club, handle="ann", url="https://away.example/")
    register(club, kinds=["game_started"])

    def address_of(host):
        if host != HOST:
            raise PushError("away")
        return service.server_address[:2]

    club.match()
    assert [body["type"] for _headers, body in posted(club, service, PushPost(address_of, post._context))] == [
        "game_started"
    ]


def test_one_that_takes_its_time_rests_longer(club, service, post):
    register(club, kinds=["game_started", "challenge"])
    service.meanwhile = lambda _connection: club.clock.go(seconds=8)
    club.match()
    assert len(posted(club, service, post)) == 1
    club.clock.go(seconds=31)
    assert posted(club, service, post) == []
    club.clock.go(seconds=1)
    assert len(posted(club, service, post)) == 1


def test_a_message_that_cannot_be_made_holds_up_no_other(club, service, post):
    register(club, kinds=["game_started", "game_ended"])
    number = club.match()
    club.resign(number, "ann")
    sweep_events(club.runtime)
    bodies = iter([ZeroDivisionError, b"{}"])

    def tell(_session, _event):
        body = next(bodies)
        if body is ZeroDivisionError:
            raise body
        return body

    sender = delivery.WebhookSender(post, tell, KEY, "test", lambda _session, _person: 0)
    assert delivery.send_due(club.engine, sender, now=club.clock) == 1 and len(service.sent) == 1


def test_a_worker_that_was_killed_delays_a_message_and_loses_none(club, service, post):
    register(club, kinds=["game_started"])
    club.match()
    sweep_events(club.runtime)
    delivery._claim(club.engine, lambda _session, _event: b"{}", club.time)
    assert posted(club, service, post) == []
    club.clock.go(seconds=delivery.LEASE.total_seconds())
    assert len(posted(club, service, post)) == 1


def test_several_senders_post_nothing_twice(club, service, post):
    for name in ("a", "b", "c"):
        register(club, url=f"https://{HOST}/{name}", kinds=["game_started", "challenge", "your_turn", "move"])
    club.open(club.match())
    sweep_events(club.runtime)
    sweep_webhooks(club.runtime, post, senders=3)
    while any(state == "waiting" for state, _t, _s in deliveries(club)):
        sweep_webhooks(club.runtime, post, senders=3)
    ids = [headers["webhook-id"] for _path, headers, _body in service.sent]
    assert len(ids) == len(set(ids)) == 15


# -- where nothing is posted -------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    ["", "http://push.example/1", "https://", "ftp://push.example/", "https://bob:secret@push.example/", "https://push.example:8443/",
     "https://push.example/ x", "https://push.example/\r\nHost: x", "https://push.example/" + "x" * 1_000, "javascript:1",
     "https://push.exämple/", "//push.example/1", "file:///etc/passwd"],
)  # fmt: skip
def test_an_address_is_a_plain_one_by_https(club, url):
    refused = register(club, url=url)
    assert refused.status_code == 422
    assert "must begin with https://" in refused.text
    assert hooks(club) == []


INSIDE = ["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "::1", "fe80::1", "fc00::1", "fec0::1", "::ffff:10.0.0.1",
          "::7f00:1", "0.0.0.0", "224.0.0.1", "100.64.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "::"]  # fmt: skip


def stand_for(monkeypatch, address):
    """Let every name stand for this address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(family, 1, 6, "", (address, 443))])


@pytest.mark.parametrize("address", INSIDE)
def test_no_name_that_stands_for_an_address_in_this_network_is_public(monkeypatch, address):
    stand_for(monkeypatch, address)
    with pytest.raises(EndpointError):
        pushing.public_address("rebound.example")


@pytest.mark.parametrize("address", ["10.0.0.1", "fe80::1"])
def test_a_name_that_stands_for_an_address_in_this_network_is_not_posted_to(club, monkeypatch, address):
    stand_for(monkeypatch, address)
    register(club, url="https://rebound.example/", kinds=["game_started"])
    club.match()
    sweep_events(club.runtime)
    assert sweep_webhooks(club.runtime, PushPost()) == 0 and deliveries(club) == [("waiting", 1, 0)]


def test_one_inner_address_among_public_ones_is_enough_to_refuse(monkeypatch):
    found = [(socket.AF_INET, 1, 6, "", (address, 443)) for address in ("93.184.215.14", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: found)
    with pytest.raises(EndpointError):
        pushing.public_address("both.example")


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:220:1::1", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public_addresses_are_posted_to(monkeypatch, address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(family, 1, 6, "", (address, 443))])
    assert pushing.public_address("program.example") == (address, 443)


def test_an_answer_without_end_is_cut(club, service, post, monkeypatch):
    monkeypatch.setattr(pushing, "LIMIT", 0.5)
    stop = threading.Event()

    def drip(connection):
        while not stop.is_set():
            try:
                connection.send(b"HTTP/1.1 100 Continue\r\nX-Filler: 1\r\n\r\n")
            except OSError:
                return
            stop.wait(0.05)

    service.meanwhile = drip
    register(club, kinds=["game_started"])
    club.match()
    sweep_events(club.runtime)
    assert sweep_webhooks(club.runtime, post) == 0 and deliveries(club)[0][:2] == ("waiting", 1)
    stop.set()


def test_a_huge_answer_is_not_read(club, service, post):
    service.where = {"Content-Length": str(1 << 40)}
    register(club, kinds=["game_started"])
    club.match()
    assert len(posted(club, service, post)) == 1 and deliveries(club) == [("delivered", 1, 201)]


def test_a_handshake_that_never_ends_is_cut(monkeypatch):
    monkeypatch.setattr(pushing, "LIMIT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stop = threading.Event()

        def drip():
            connection, _peer = listener.accept()
            with connection:
                while not stop.is_set():
                    try:
                        connection.send(b"\x16")
                    except OSError:
                        return
                    stop.wait(0.05)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with pytest.raises(PushError):
            PushPost(lambda _host: listener.getsockname()[:2], ssl.create_default_context()).send(URL, {}, b"{}")
        stop.set()
        thread.join()


def test_a_service_that_shows_another_name_gets_nothing(club, service, post):
    register(club, url="https://other.example/", kinds=["game_started"])
    club.match()
    assert posted(club, service, post) == [] and deliveries(club) == [("waiting", 1, 0)]


# -- the page ----------------------------------------------------------------------------


def test_the_page_says_what_became_of_the_last_messages(club, service, post):
    register(club, kinds=["game_started"])
    club.match()
    posted(club, service, post)
    service.status = 503
    club.match()
    posted(club, service, post)
    text = " ".join(page(club).split())
    assert "<code>game_started</code>: taken (201)" in text and "<code>game_started</code>: answered 503" in text
    assert "Next try" in text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [({"name": ""}, "a name"), ({"kinds": []}, "at least one"), ({"kinds": ["test"]}, "at least one"),
     ({"kinds": ["x", "move"]}, "from the list")],
)  # fmt: skip
def test_a_form_that_cannot_be_used_is_answered_and_keeps_what_was_typed(club, form, sentence):
    refused = register(club, **form)
    assert refused.status_code == 422
    assert sentence in refused.text
    assert f'value="{URL}"' in refused.text
    assert hooks(club) == []


def test_there_can_be_five_and_each_address_once(club):
    assert register(club).status_code == 200 and register(club).status_code == 422
    for number in range(webhooks.MOST - 1):
        assert register(club, url=f"https://{HOST}/{number}").status_code == 200
    assert "which is the maximum" in register(club, url=f"https://{HOST}/more").text
    press(club, "remove")
    assert register(club).status_code == 200 and len(hooks(club)) == webhooks.MOST


def test_nobody_touches_the_webhook_of_another(club):
    register(club)
    [ident] = re.findall(r"/settings/webhooks/([0-9a-f]+)/test", page(club))
    for button in ("test", "secret", "on", "remove"):
        answer = club.client("ann").post(f"/settings/webhooks/{ident}/{button}")
        assert answer.status_code == 422
        assert "That webhook no longer exists" in answer.text
        assert "whsec" not in answer.text
        assert club.client().post(f"/settings/webhooks/{ident}/{button}").status_code in (303, 403)
    assert len(hooks(club)) == 1 and HOST not in page(club, "ann")


def test_tests_are_limited(club):
    register(club)
    codes = [press(club, "test").status_code for _try in range(8)]
    assert codes[0] == 303 and codes[-1] == 429


def test_a_secret_is_in_no_copy_of_ones_data_and_erasing_oneself_ends_all(club, service, post):
    secret = secret_in(register(club))
    club.match()
    posted(club, service, post)
    chunks = data_export.export_chunks(club.engine, 2, signer=signer_of(club.settings), now=club.time)
    with zipfile.ZipFile(io.BytesIO(b"".join(chunks))) as file:
        rows = file.read("rows/webhook-person_id.json").decode()
        everything = "".join(file.read(name).decode("utf-8", "replace") for name in file.namelist())
    assert URL in rows
    assert "My bot" in rows
    assert "nonce" not in rows
    assert secret not in everything
    with transaction(club.engine) as session:
        erasure.forget(session, session.get_one(Person, 2), now=club.time)
    assert hooks(club) == [] and deliveries(club) == []


def test_no_log_tells_addresses_or_secrets(club, service, post, caplog):
    caplog.set_level(0)
    secret = secret_in(register(club, url=f"https://{HOST}/token-in-a-path"))
    service.status = 410
    club.match()
    posted(club, service, post)
    assert "switched off" in caplog.text
    assert secret not in caplog.text and "token-in-a-path" not in caplog.text


def test_what_is_replayed_shows_in_its_time_and_its_name(club, service, post):
    secret = secret_in(register(club, kinds=["game_started"]))
    club.match()
    [(headers, _body)] = posted(club, service, post)
    later = {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 3_600)}
    assert headers["webhook-signature"] != signature(secret, later, service.sent[0][2])
