"""Notifications of browsers: woken when a letter leaves, by messages without words, never into the network of this machine."""

from __future__ import annotations

import base64
import json
import ssl

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.models import Person, PushSubscription
from correspondence.ops.sending_sweeps import sweep_outbox, sweep_pushes
from correspondence.outbound import pushes
from correspondence.transport import EndpointError, PushError, PushPost, check_endpoint, open_post, pushing
from tests.https_service import HOST
from tests.ports import free_port

ENDPOINT = f"https://{HOST}/send/1"


@pytest.fixture
def club(world):
    world.join("ann", "bob")
    return world


def subscribe(world, handle, endpoint=ENDPOINT):
    return world.client(handle).post("/settings/notifications/on", data={"endpoint": endpoint})


def subscriptions(world):
    with reading(world.runtime.engine) as session:
        return list(session.exec(select(PushSubscription)))


def letters_leave(world):
    sweep_outbox(world.runtime, open_post(world.settings))


def woken(world, service, post):
    """How many messages the service was sent for what is due now."""
    before = len(service.sent)
    sweep_pushes(world.runtime, post)
    return len(service.sent) - before


def turn(world):
    """A letter leaves that tells bob that it is his turn."""
    number = world.match("duel")
    letters_leave(world)
    world.play(number, "ann", "5@b3")
    letters_leave(world)
    return number


def test_a_browser_is_woken_when_the_letter_leaves_and_is_told_nothing(club, service, post):
    assert subscribe(club, "bob").status_code == 303
    turn(club)
    assert woken(club, service, post) == 1 and woken(club, service, post) == 0
    [(path, headers, body)] = service.sent
    assert path == "/send/1"
    assert body == b""
    assert headers["TTL"]
    assert headers["Topic"] == "games"


def test_the_message_is_signed_for_the_service_by_the_key_that_browsers_know(club, service, post):
    subscribe(club, "bob")
    page = club.client("bob").get("/settings/notifications").text
    turn(club)
    woken(club, service, post)
    scheme, *fields = service.sent[0][1]["Authorization"].replace(",", "").split()
    parameters = dict(field.split("=", 1) for field in fields)
    head, claims, signature = parameters["t"].split(".")
    point = decoded(parameters["k"])
    raw = decoded(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point).verify(
        encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
        f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()),
    )  # fmt: skip
    payload = json.loads(decoded(claims))
    assert scheme == "vapid"
    assert json.loads(decoded(head))["alg"] == "ES256"
    assert f'data-key="{parameters["k"]}"' in page
    assert payload["aud"] == f"https://{HOST}" and 0 < payload["exp"] - club.time.timestamp() <= 86400
    assert (club.settings.instance / "push_key").stat().st_mode & 0o777 == 0o600


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.parametrize("switch", ["turn_letters", "quiet hours", "digest"])
def test_what_keeps_the_letter_back_keeps_the_notification_back(club, service, post, switch):
    subscribe(club, "bob")
    number = club.match("duel")
    letters_leave(club)
    woken(club, service, post)
    with transaction(club.runtime.engine) as session:
        bob = club.person(session, "bob")
        hour = club.time.hour
        changes = {"turn_letters": {"turn_letters": False}, "digest": {"digest": "daily"},
                   "quiet hours": {"quiet_from": hour, "quiet_until": (hour + 2) % 24}}  # fmt: skip
        for name, value in changes[switch].items():
            setattr(bob, name, value)
        session.add(bob)
    club.play(number, "ann", "5@b3")
    letters_leave(club)
    assert woken(club, service, post) == 0


def test_what_the_page_has_shown_wakes_nobody(club, service, post):
    subscribe(club, "bob")
    number = club.match("duel")
    letters_leave(club)
    woken(club, service, post)
    club.play(number, "ann", "5@b3")
    club.client("bob").post(f"/games/{number}/seen", data={"ply": "1", "remark": "0"})
    letters_leave(club)
    assert woken(club, service, post) == 0


def test_receipts_and_letters_of_the_account_wake_nobody(club, service, post):
    subscribe(club, "bob")
    club.client().post("/sign-in", data={"who": "bob"})
    club.link_in("sign_in")
    letters_leave(club)
    assert woken(club, service, post) == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(club, service, post, status):
    subscribe(club, "bob")
    turn(club)
    service.status = status
    woken(club, service, post)
    assert subscriptions(club) == []


@pytest.mark.parametrize("status", [429, 500, 403])
def test_a_failure_is_tried_again_later_and_not_for_ever(club, service, post, status):
    subscribe(club, "bob")
    turn(club)
    service.status = status
    counts = []
    for _try in range(pushes.MOST_TRIES + 2):
        counts.append(woken(club, service, post))
        assert woken(club, service, post) == 0
        club.clock.go(minutes=16)
    assert sum(counts) == pushes.MOST_TRIES and len(subscriptions(club)) == 1


def test_a_redirect_is_not_followed(club, service, post):
    subscribe(club, "bob")
    turn(club)
    service.status, service.where = 307, {"Location": "https://127.0.0.1/inside"}
    assert woken(club, service, post) == 1


def test_a_service_that_is_away_stops_nothing(club, service, post):
    service.shutdown()
    service.server_close()
    with pytest.raises(PushError):
        post.send(ENDPOINT, {"Content-Length": "0"})
    subscribe(club, "bob")
    turn(club)
    assert woken(club, service, post) == 0 and len(subscriptions(club)) == 1


def test_nobody_is_woken_where_somebody_has_signed_out(club, service, post):
    subscribe(club, "bob")
    turn(club)
    club.client("bob").post("/sign-out")
    assert woken(club, service, post) == 0 and subscriptions(club) == []


def test_a_browser_belongs_to_who_is_signed_in_there_last(club):
    subscribe(club, "bob")
    subscribe(club, "ann")
    assert [one.person_id for one in subscriptions(club)] == [1]


def test_the_oldest_of_many_browsers_makes_room(club):
    for number in range(pushes.MOST + 2):
        subscribe(club, "bob", f"{ENDPOINT}{number}")
    assert [one.endpoint for one in subscriptions(club)] == [f"{ENDPOINT}{n}" for n in range(2, pushes.MOST + 2)]


def test_notifications_are_taken_back_from_one_browser_or_from_all(club):
    bob = club.client("bob")
    for number in range(3):
        subscribe(club, "bob", f"{ENDPOINT}{number}")
    bob.post("/settings/notifications/off", data={"endpoint": f"{ENDPOINT}1"})
    assert len(subscriptions(club)) == 2
    club.client("ann").post("/settings/notifications/off", data={"endpoint": f"{ENDPOINT}0"})
    assert len(subscriptions(club)) == 2
    bob.post("/settings/notifications/off")
    assert subscriptions(club) == []


@pytest.mark.parametrize(
    "endpoint",
    ["", "http://push.example/1", "https://", "ftp://push.example/", "https://user@push.example/", "https://push.example:8443/",
     "https://push.example/ x", "https://push.example/\r\nHost: x", "https://push.example/" + "x" * 1_000, "javascript:1",
     "https://push.exämple/", "https://push.example:x/", "//push.example/1"],
)  # fmt: skip
def test_an_endpoint_is_a_plain_address_by_https(club, endpoint):
    refused = subscribe(club, "bob", endpoint)
    assert refused.status_code == 422 and "no usable address for notifications" in refused.text
    assert subscriptions(club) == []
    with pytest.raises(EndpointError):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:10.0.0.1]",
     "0.0.0.0", "224.0.0.1", "2130706433", "0x7f000001", "100.64.0.1"],
)  # fmt: skip
def test_nothing_is_sent_into_the_network_of_this_machine(host):
    with pytest.raises((EndpointError, PushError)):
        PushPost().send(f"https://{host}/inside", {"Content-Length": "0"})
    with pytest.raises((EndpointError, PushError)):
        pushing.public_address(host.strip("[]"))


def test_certificates_are_read_with_the_first_message_and_once(monkeypatch):
    certificates, read = ssl.create_default_context(), []
    monkeypatch.setattr(ssl, "create_default_context", lambda: read.append(1) or certificates)
    post = PushPost(lambda _host: ("127.0.0.1", free_port()))
    assert read == []
    for _message in range(2):
        with pytest.raises(PushError):
            post.send(ENDPOINT, {"Content-Length": "0"})
    assert read == [1]


def test_who_is_not_signed_in_gets_no_notifications(club):
    assert club.client().post("/settings/notifications/on", data={"endpoint": ENDPOINT}).status_code == 403
    assert club.client().get("/settings/notifications").status_code == 303


def test_the_service_worker_stands_at_the_top_and_is_asked_for_anew(club):
    answer = club.client().get("/service-worker.js")
    assert answer.mimetype == "text/javascript" and "no-cache" in answer.headers["Cache-Control"]


def test_erasing_oneself_takes_the_notifications_away(club):
    from correspondence.community import erasure

    subscribe(club, "bob")
    with transaction(club.runtime.engine) as session:
        erasure.forget(session, session.get_one(Person, 2), now=club.time)
    assert subscriptions(club) == []
