"""What members' programs hear: everything that happens to the member, in order, and nothing that they may not know."""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.community import blocking, data_export, erasure
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.matchmaking import challenges, counteroffers
from correspondence.models import Audience, Event, EventKind, Person
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.ops.worker import sweep_deadlines
from correspondence.outbound import events
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.play import matches, offers, recall
from correspondence.queries.events import heard

BASE = "https://games.example"


@pytest.fixture
def club(world):
    """ann and bob, of whom bob has a program that listens."""
    world.join("ann", "bob")
    listen(world, "bob")
    return world


def listen(world, handle):
    with transaction(world.engine) as session:
        events.begin(session, world.person(session, handle))


def do(world, act):
    with transaction(world.engine) as session:
        return act(session)


def seat(world, session, number, handle):
    return world.player(session, number, handle)


def news(world, handle="bob", after=0):
    """What a member's program hears."""
    sweep_events(world.runtime)
    with reading(world.engine) as session:
        return heard(session, world.person(session, handle).id, after, base_url=BASE, now=world.time)


def kinds(world, handle="bob", after=0):
    return [value["type"] for value in news(world, handle, after).values]


def last(world, kind, handle="bob"):
    return next(value for value in reversed(news(world, handle).values) if value["type"] == kind)


def test_a_game_is_heard_from_its_beginning_to_its_end(club):
    number = club.match("proteus-dice")
    club.open(number)
    club.resign(number, "ann")
    assert kinds(club) == [
        "challenge", "game_started", "move", "your_turn", "move", "game_ended",
    ]  # fmt: skip
    values = news(club).values
    assert [value["id"] for value in values] == [1, 2, 3, 4, 5, 6]
    assert values[1]["data"]["game"] == {
        "number": number, "game": "proteus-dice", "url": f"{BASE}/games/{number}", "your_seat": 1,
        "players": [{"seat": 0, "seat_name": "White", "handle": "ann"}, {"seat": 1, "seat_name": "Black", "handle": "bob"}],
    }  # fmt: skip
    assert [value["data"]["text"] for value in values if value["type"] == "move"] == club.moves(number)
    assert values[-1]["data"] | {"game": 0} == {"game": 0, "ply": 2, "result": "0-1", "reason": "resignation"}


def test_nothing_is_noted_for_who_has_no_program(club):
    club.open(club.match())
    with reading(club.engine) as session:
        assert set(session.exec(select(Event.person_id))) == {2}


def test_a_turn_says_until_when_and_whether_it_is_still_so(club):
    number = club.match()
    club.play(number, "ann", "c3/f2=B")
    turn = last(club, "your_turn")["data"]
    assert turn["ply"] == 1
    assert turn["is_still_so"]
    assert turn["deadline"].endswith("Z")
    club.play(number, "bob", "c6/a7=B")
    turn = last(club, "your_turn")["data"]
    assert turn["ply"] == 1
    assert not turn["is_still_so"]
    assert turn["deadline"] is None


def test_a_program_goes_on_after_the_last_number_that_it_heard(club):
    number = club.match()
    before = news(club)
    club.open(number)
    after = news(club, after=before.last)
    assert [value["type"] for value in after.values] == ["move", "your_turn", "move"] and not after.missed
    assert news(club, after=after.last).values == ()


def test_a_program_is_told_when_what_it_missed_is_no_longer_kept(club):
    club.open(club.match())
    news(club)
    with transaction(club.engine) as session:
        for event in session.exec(select(Event).where(Event.number < 4)):
            session.delete(event)
    assert news(club, after=1).missed and not news(club, after=3).missed
    assert news(club, after=99).missed, "a number that was never given"


def test_what_is_hidden_from_a_player_is_hidden_from_their_program(club):
    listen(club, "ann")
    number = club.match("proteus-dice", wall_street="secret")
    club.play(number, "ann", "setup PPPPPPPQ", comment="Good luck!")
    mine, others = (last(club, "move", who)["data"] for who in ("ann", "bob"))
    assert mine["text"] == "setup PPPPPPPQ"
    assert "Q" not in others["text"]
    assert others["comment"] == ""


def test_a_secret_is_told_when_it_is_a_secret_no_more(club):
    number = club.match("proteus-dice", wall_street="secret")
    club.play(number, "ann", "setup PPPPPPPQ")
    club.resign(number, "ann")
    assert last(club, "move")["data"]["text"] == "setup PPPPPPPQ"


def test_what_is_said_is_heard_when_it_can_no_longer_be_recalled(club):
    number = club.match()
    do(club, lambda s: matches.say(s, seat(club, s, number, "ann"), "Good morning!", now=club.time))
    assert "talk" not in kinds(club)
    club.clock.go(seconds=MERGE_WINDOW.total_seconds())
    assert last(club, "talk")["data"] | {"game": 0} == {
        "game": 0, "from": "ann", "text": "Good morning!", "ply": 0, "audience": "players",
    }  # fmt: skip


def test_what_was_recalled_is_never_heard(club):
    number = club.match()
    do(club, lambda s: matches.say(s, seat(club, s, number, "ann"), "Good morning!", now=club.time))
    do(club, lambda s: recall.recall(s, seat(club, s, number, "ann"), now=club.time))
    club.clock.go(hours=1)
    club.resign(number, "ann")
    values = news(club).values
    assert [(one["id"], one["type"]) for one in values] == [(1, "challenge"), (2, "game_started"), (3, "game_ended")]


def test_a_copy_of_ones_data_does_not_tell_that_something_may_still_be_said(club):
    number = club.match()
    do(club, lambda s: matches.say(s, seat(club, s, number, "ann"), "Good morning!", now=club.time))
    sweep_events(club.runtime)
    chunks = data_export.export_chunks(club.engine, 2, signer=signer_of(club.settings), now=club.time)
    with zipfile.ZipFile(io.BytesIO(b"".join(chunks))) as file:
        rows = file.read("rows/event-person_id.json").decode()
    assert "game_started" in rows and "talk" not in rows


def test_later_events_overtake_what_waits_and_nothing_is_lost(club):
    number = club.match()
    do(club, lambda s: matches.say(s, seat(club, s, number, "ann"), "Good morning!", now=club.time))
    club.play(number, "ann", "c3/f2=B")
    before = news(club)
    club.clock.go(hours=1)
    assert kinds(club, after=before.last) == ["talk"]


@pytest.mark.parametrize("how", ["mute", "block"])
def test_who_is_muted_or_blocked_is_not_heard(club, how):
    number = club.match()
    do(
        club,
        lambda s: matches.say(s, seat(club, s, number, "ann"), "You fool!", now=club.time, audience=Audience.EVERYONE),
    )
    club.clock.go(hours=1)
    assert "talk" in kinds(club)
    do(club, lambda s: getattr(blocking, how)(s, club.person(s, "bob"), "ann", now=club.time))
    assert "talk" not in kinds(club)


def test_the_words_with_a_move_are_heard_with_it(club):
    number = club.match()
    club.play(number, "ann", "c3/f2=B", comment="Good luck!")
    assert last(club, "move")["data"]["comment"] == "Good luck!"
    do(club, lambda s: blocking.mute(s, club.person(s, "bob"), "ann", now=club.time))
    assert last(club, "move")["data"]["comment"] == ""


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("draw_offered", lambda s, player, now: matches.offer_draw(s, player, now=now)),
        ("take_back_asked", lambda s, player, now: offers.offer_takeback(s, player, now=now)),
        ("pause_offered", lambda s, player, now: offers.offer_pause(s, player, 5, now=now)),
    ],
)
def test_an_offer_is_heard_by_the_other_side(club, kind, make):
    listen(club, "ann")
    number = club.match()
    club.play(number, "ann", "c3/f2=B")
    do(club, lambda s: make(s, seat(club, s, number, "ann"), club.time))
    data = last(club, kind)["data"]
    assert (data["seat"], data["state"], data.get("days")) == (0, "open", 5 if kind == "pause_offered" else None)
    assert kind not in kinds(club, "ann")


def test_a_move_that_was_taken_back_is_heard_no_more(club):
    number = club.match()
    club.play(number, "ann", "c3/f2=B")
    for handle in ("ann", "bob"):
        do(club, lambda s, who=handle: offers.offer_takeback(s, seat(club, s, number, who), now=club.time))
    club.clock.go(minutes=1)
    club.play(number, "ann", "c3/f2=Y")
    assert kinds(club) == [
        "challenge", "game_started", "your_turn", "take_back_asked", "moves_taken_back", "move", "your_turn",
    ]  # fmt: skip
    assert last(club, "move")["data"]["text"] == club.moves(number)[0]


def test_a_pause_is_heard_with_its_end(club):
    number = club.match()
    do(club, lambda s: offers.offer_pause(s, seat(club, s, number, "ann"), 5, now=club.time))
    do(club, lambda s: offers.offer_pause(s, seat(club, s, number, "bob"), None, now=club.time))
    assert last(club, "game_paused")["data"]["until"] == (club.time + timedelta(days=5)).isoformat().replace(
        "+00:00", "Z"
    )


def test_a_clock_that_runs_low_is_heard_once(club):
    number = club.match()
    club.play(number, "ann", "c3/f2=B")
    for _day in range(12):
        club.clock.go(hours=23)
        sweep_deadlines(club.runtime)
    assert kinds(club).count("clock_low") == 1


def test_a_challenge_and_its_answers_are_heard(club):
    def ask():
        return do(
            club, lambda s: challenges.challenge(s, club.person(s, "bob"), "ann", "duel", {}, now=club.time).id
        )  # fmt: skip

    first = ask()
    do(club, lambda s: challenges.decline(s, club.person(s, "ann"), first, now=club.time))
    assert last(club, "challenge_answered")["data"] == {
        "number": first, "by": "ann", "accepted": False, "game_number": None,
    }  # fmt: skip
    second = ask()
    game = do(club, lambda s: challenges.accept(s, club.person(s, "ann"), second, now=club.time, rng=club.rng).id)
    assert last(club, "challenge_answered")["data"] == {
        "number": second, "by": "ann", "accepted": True, "game_number": game, "url": f"{BASE}/games/{game}",
    }  # fmt: skip
    third = ask()
    do(
        club,
        lambda s: counteroffers.counter(s, club.person(s, "ann"), third, {}, rated=False, now=club.time, rng=club.rng),
    )
    assert kinds(club)[-2:] == ["challenge_answered", "challenge"]
    data = last(club, "challenge")["data"]
    assert data["from"] == "ann"
    assert data["game"] == "duel"
    assert not data["rated"]
    assert data["state"] == "open"


def test_a_challenge_of_somebody_who_was_blocked_since_is_not_heard(club):
    do(club, lambda s: challenges.challenge(s, club.person(s, "ann"), "bob", "duel", {}, now=club.time))
    assert kinds(club) == ["challenge"]
    do(club, lambda s: blocking.block(s, club.person(s, "bob"), "ann", now=club.time))
    assert kinds(club) == []


def test_a_departed_player_has_no_name(club):
    number = club.match()
    do(club, lambda s: erasure.forget(s, club.person(s, "ann"), now=club.time))
    assert last(club, "game_ended")["data"]["game"]["players"][0]["handle"] is None
    assert last(club, "game_ended")["data"]["game"]["number"] == number


def test_what_is_undone_with_its_transaction_is_not_heard(club):
    number = club.match()
    before = news(club).last
    with pytest.raises(ZeroDivisionError), transaction(club.engine) as session:
        matches.resign(session, seat(club, session, number, "ann"), now=club.time)
        1 / 0  # noqa: B018
    assert kinds(club, after=before) == []


def test_numbers_tell_nothing_of_what_others_hear(club):
    club.join("cid", "dan")
    listen(club, "cid")
    club.open(club.match(white="cid", black="dan"), "cid", "dan")
    club.match()
    assert [value["id"] for value in news(club).values] == [1, 2]


def test_every_kind_that_can_be_noted_can_be_told():
    from correspondence.queries.events import _TELLERS

    assert set(_TELLERS) == set(EventKind)


def test_erasing_oneself_leaves_no_event(club):
    club.open(club.match())
    do(club, lambda s: erasure.forget(s, club.person(s, "bob"), now=club.time))
    sweep_events(club.runtime)
    with reading(club.engine) as session:
        assert session.exec(select(Event)).all() == [] and session.get(Person, 2).event_number is None


def test_workers_that_number_at_once_give_each_number_once(anywhere):
    anywhere.join("ann", "bob")
    with transaction(anywhere.engine) as session:
        same = {"kind": EventKind.TEST, "at": anywhere.time, "due_at": anywhere.time}
        session.add_all(Event(person_id=1 + number % 2, **same) for number in range(300))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _worker: events.publish(anywhere.engine, now=anywhere.time), range(12)))
    with reading(anywhere.engine) as session:
        for person in (1, 2):
            rows = session.exec(select(Event).where(Event.person_id == person).order_by(Event.id)).all()
            assert [event.number for event in rows] == list(range(1, 151))
            assert session.get(Person, person).event_number == 150


def test_a_program_that_reads_while_numbers_are_given_misses_none(anywhere):
    anywhere.join("ann", "bob")
    heard_ids, after = [], 0
    for _round in range(5):
        with transaction(anywhere.engine) as session:
            same = {"person_id": 2, "kind": EventKind.TEST, "at": anywhere.time, "due_at": anywhere.time}
            session.add_all(Event(**same) for _event in range(20))
        with ThreadPoolExecutor(2) as pool:
            numbering = [pool.submit(events.publish, anywhere.engine, now=anywhere.time) for _worker in range(2)]
            while not all(one.done() for one in numbering) or len(heard_ids) % 20:
                found = told_as_it_is(anywhere, after)
                heard_ids, after = heard_ids + [value["id"] for value in found.values], found.last
    found = told_as_it_is(anywhere, after)
    assert heard_ids + [value["id"] for value in found.values] == list(range(1, 101))


def told_as_it_is(world, after):
    """What bob's program hears without a worker that numbers more."""
    with reading(world.engine) as session:
        return heard(session, 2, after, base_url=BASE, now=world.time)
